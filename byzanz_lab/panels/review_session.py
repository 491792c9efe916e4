"""What the review panel knows and does, without any display: a record, its review, and the decision that is looked at.

The review is made in the background and can be stopped. Nothing here prints; what goes wrong stands in ``error``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Final

import traitlets as t

from byzanz_lab.advice.review import Review, reviewing
from byzanz_lab.advice.review_decisions import WORDS, Judged
from byzanz_lab.advice.review_values import Change
from byzanz_lab.game.record import Record
from byzanz_lab.panels.job import STATES, Job
from byzanz_lab.simulation.playouts import OBJECTIVES

OPEN: Final = "open"
"""The view of somebody who sees all hands."""
SHOWN: Final = {"all": "all decisions", "costly": "those that are not fine"}
MOST_WORLDS: Final = 100_000


class ReviewSession(t.HasTraits):
    """A game that is gone through.

    Parameters
    ----------
    record
        The game; one can be loaded later.
    worlds, seed
        Of the review: worlds a moment and decision; root of all random numbers.

    Examples
    --------
    >>> from byzanz_lab import Rules
    >>> from byzanz_lab.simulation.playouts import play_logged
    >>> session = ReviewSession(play_logged(Rules.for_seats(3), seed=1)[0], worlds=2)
    >>> session.start(wait=True).is_finished
    True
    >>> session.step(1)
    >>> session.place
    1
    """

    revision = t.Int(0, help="Rises when everything fits together again after a change.")
    record = t.Instance(Record, allow_none=True)
    review = t.Instance(Review, allow_none=True, help="Of this record; `None` until it is made.")
    view = t.Unicode(OPEN, help="Whose view luck is measured from: ``open``, or the number of a seat.")
    objective = t.Enum(OBJECTIVES, "profit")
    worlds = t.Int(128, min=2, max=MOST_WORLDS)
    only = t.Enum([*SHOWN], "all", help="Which decisions are gone through.")
    place = t.Int(0, help="Which of them is looked at, from 0.")
    state = t.Enum(STATES, "idle", help="Of the work.")
    progress = t.Float(0.0)
    error = t.Unicode("")

    def __init__(self, record: Record | None = None, *, worlds: int = 128, seed: int = 1) -> None:
        self.lock = threading.RLock()
        self.seed = seed
        self._job = Job(self.lock)
        super().__init__(worlds=worlds)
        self._job.observe(self._on_job, ["state", "progress"])
        if record is not None:
            self.load(record)

    # -- the record --------------------------------------------------------------------------------------------------

    def load(self, record: Record) -> None:
        """Take over a record; what was found about another one is forgotten.

        Raises
        ------
        TypeError
            If it is no record.
        ValueError
            If one of its actions is not allowed.
        """
        if not isinstance(record, Record):
            raise TypeError(f"a Record is needed, not {type(record).__name__}")
        record.replay()
        with self.lock:
            self._job.stop()
            self.record, self.review, self.place, self.error = record, None, 0, ""
            if self.view not in self.views:
                self.view = self.views[0]
            self._changed()

    def load_json(self, text: str) -> bool:
        """Take over the text of a record file; says whether that worked, ``error`` says why not."""
        try:
            self.load(Record.loads(text))
        except ValueError as error:
            self.fail(str(error))
            return False
        return True

    @property
    def views(self) -> tuple[str, ...]:
        """Whose view can be taken: not that of open cards where nobody knows the removed ones."""
        if self.record is None:
            return (OPEN,)
        seats = tuple(map(str, range(self.record.rules.seats)))
        return seats if self.record.removed is None else (OPEN, *seats)

    # -- reviewing ---------------------------------------------------------------------------------------------------

    def settle(self, field: str, text: str) -> None:
        """Change a setting of the next review, or which decisions are shown.

        Raises
        ------
        ValueError
            If there is no such setting, or it cannot have this value.
        """
        with self.lock:
            if field == "view" and text in self.views:
                self.view = text
            elif field == "objective" and text in OBJECTIVES:
                self.objective = text
            elif field == "worlds" and text.isascii() and text.isdigit() and 2 <= int(text[:9]) <= MOST_WORLDS:
                self.worlds = int(text)
            elif field == "only" and text in SHOWN:
                self.only, self.place = text, 0
            else:
                raise ValueError(f"{field[:20]} cannot be {text[:40]!r}")
            self.error = ""
            self._changed()

    def start(self, wait: bool = False) -> Review | None:
        """Make the review, in the background; with ``wait``, hand it back."""
        with self.lock:
            if self.record is None:
                self.fail("open a record first")
                return None
            self.error, self.review, self.place = "", None, 0
            seat = None if self.view == OPEN else int(self.view)
            steps = (self.record, self.worlds, self.seed, seat, self.objective)
            self._job.start(lambda stop: _until(stop, reviewing(*steps)), self._take)
            self._changed()
        if wait:
            self._job.join()
        found: Review | None = self.review
        return found

    def stop(self) -> None:
        """Stop at once."""
        self._job.stop()

    def join(self, timeout: float | None = None) -> str:
        """Wait until nothing goes on in the background; returns the state."""
        return self._job.join(timeout)

    def close(self) -> None:
        """Stop everything, and let go of everybody who listens."""
        self._job.close()
        self.unobserve_all()

    def fail(self, sentence: str) -> None:
        """Say what could not be done; the next change makes it forgotten."""
        with self.lock:
            self.error = sentence
            self._changed()

    # -- going through it --------------------------------------------------------------------------------------------

    @property
    def decisions(self) -> tuple[Judged, ...]:
        """Those that are gone through, in the order in which they were taken."""
        if self.review is None:
            return ()
        found: tuple[Judged, ...] = self.review.decisions
        return found if self.only == "all" else tuple(judged for judged in found if judged.word != WORDS[0])

    @property
    def current(self) -> Judged | None:
        """The decision that is looked at."""
        return self.decisions[self.place] if self.decisions else None

    @property
    def draw(self) -> Change | None:
        """The latest draw before it: the deal, or a lot."""
        judged = self.current
        if judged is None or self.review is None:
            return None
        return [draw for draw in self.review.draws if draw.number < judged.number][-1]

    def step(self, by: int) -> None:
        """Go some decisions on, or back."""
        self.go(self.place + by)

    def go(self, place: int) -> None:
        """Look at one decision; the first or the last where there is none of that number."""
        with self.lock:
            self.place = min(max(place, 0), max(len(self.decisions) - 1, 0))
            self._changed()

    # -- inside ------------------------------------------------------------------------------------------------------

    def _take(self, found: Review | None, final: bool) -> None:
        self.progress = self._job.progress
        if final:
            self.review = found
        self._changed()

    def _on_job(self, _: Any) -> None:
        """Pass on what the job says; it holds the lock."""
        self.error = self._job.error or self.error
        self.progress, self.state = self._job.progress, self._job.state
        self._changed()

    def _changed(self) -> None:
        self.revision += 1


def _until(
    stop: threading.Event, steps: Iterator[tuple[float, Review | None]]
) -> Iterator[tuple[float, Review | None]]:
    for step in steps:
        if stop.is_set():
            return
        yield step
