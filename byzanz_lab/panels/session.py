"""What an advisor knows and does, without any display: a position being entered, and advice on it.

Panels show a ``Session`` and call its methods; so can a notebook cell or a test. Changing the position never loses an
answer: it turns *stale* until the position is the same again. Thinking goes on in the background, and what comes late
about another position is dropped. Nothing here prints; what goes wrong stands in the trait ``error``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Final

import traitlets as t

from byzanz_lab.game.position import Position
from byzanz_lab.game.table import Phase
from byzanz_lab.panels.draft import code_of
from byzanz_lab.panels.entry import Entry
from byzanz_lab.panels.job import STATES, Job
from byzanz_lab.panels.thinking import Answer, think

OBJECTIVES: Final = ("profit", "margin", "win")


class Session(Entry):
    """A position as it is being entered, and advice on it.

    Parameters
    ----------
    position
        Where to begin; by default an empty table of four.
    seconds
        How long to think.
    worlds
        How many worlds to play instead, for the same answer every time.
    seed
        Root of all random numbers.
    objective
        ``profit``, ``margin`` or ``win``.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> session = Session(load_sample("market"), worlds=64)
    >>> session.think(wait=True).advice.best.label
    'take Gr'
    >>> session.set("hand", "Wi9")
    >>> session.is_valid, session.stale, list(session.faults)
    (False, True, ['hand'])
    >>> session.undo()
    >>> session.is_valid, session.stale
    (True, False)
    """

    answer = t.Any(None, allow_none=True, help="The latest answer, see `thinking.Answer`; kept when it is stale.")
    stale = t.Bool(False, help="Whether the answer is about another position than the one that is entered.")
    objective = t.Enum(OBJECTIVES, "profit")
    seconds = t.Float(4.0, min=0.1, help="How long to think.")
    state = t.Enum(STATES, "idle", help="Of the thinking.")
    progress = t.Float(0.0)

    def __init__(
        self,
        position: Position | None = None,
        *,
        seconds: float = 4.0,
        worlds: int | None = None,
        seed: int = 1,
        objective: str = "profit",
    ) -> None:
        self.worlds, self.seed = worlds, seed
        self._job, self._asked = Job(), position
        super().__init__(position, seconds=seconds, objective=objective)
        self._job.lock = self.lock
        self._job.observe(self._on_job, "state")
        self.observe(self._on_objective, "objective")

    def to_code(self) -> str:
        """Python that makes the same position and asks for the same advice; empty when it is none."""
        if not self.is_valid:
            return ""
        worlds = self.answer.advice.comparison.worlds if self.answer and not self.stale else 1000
        return code_of(self._valid(), self.objective, self.seed, max(worlds, 64))

    # -- thinking ----------------------------------------------------------------------------------------------------

    @property
    def problem(self) -> str:
        """Why there can be no advice on what is entered, in a sentence; empty when there can."""
        if not self.is_valid:
            return f"{self.summary} See what is marked."
        position = self._valid()
        if position.phase is Phase.OVER:
            return "The game is over: there is nothing left to decide."
        if position.to_move != position.seat:
            return f"It is the turn of seat {position.to_move}, and you are seat {position.seat}."
        return ""

    def think(self, wait: bool = False, more: bool = False) -> Answer | None:
        """Work out advice on what is entered, in the background.

        Parameters
        ----------
        wait
            Whether to wait for the answer.
        more
            Whether to go on from the answer that is there. A new start is made where the objective has changed since,
            because an answer drops choices that are worse by its own objective.

        Returns
        -------
        Answer or None
            The answer so far; with ``wait`` the whole answer, or ``None`` if there was none.
        """
        with self.lock:
            if self.problem:
                self.fail(self.problem)
                return None
            self.error = ""
            before = self.answer if more and not self.stale else None
            if before is not None and before.advice.comparison.leading != self.objective:
                before = None
            self._asked = self._valid()
            self._job.start(self._work(self._asked, before), self._on_answer)
        if wait:
            self._job.join()
        return None if self.stale or self.error else self.answer

    def think_longer(self, wait: bool = False) -> Answer | None:
        """Go on thinking about the same position."""
        return self.think(wait, more=True)

    def stop(self) -> None:
        """Stop thinking, at once; the answer so far stays."""
        self._job.stop()

    def join(self, timeout: float | None = None) -> str:
        """Wait until nothing goes on in the background; returns the state."""
        return self._job.join(timeout)

    def close(self) -> None:
        """Stop everything, and let go of everybody who listens."""
        self._job.close()
        self.unobserve_all()

    # -- inside ------------------------------------------------------------------------------------------------------

    def _work(self, position: Position, before: Answer | None) -> Any:
        spend = {"worlds": self.worlds} if self.worlds else {"seconds": self.seconds}
        how: dict[str, Any] = {**spend, "seed": self.seed, "objective": self.objective, "before": before}

        def work(stop: threading.Event) -> Iterator[tuple[float, Answer]]:
            return think(position, stop, **how)

        return work

    def _on_answer(self, answer: Answer, final: bool) -> None:
        self.answer, self.progress = answer.judged_by(self.objective), self._job.progress
        self._changed()

    def _on_job(self, _: Any) -> None:
        """Pass on what the job says; it holds the lock."""
        self.error = self._job.error
        self.progress, self.state = self._job.progress, self._job.state
        self._changed()

    def _on_objective(self, _: Any) -> None:
        with self.lock:
            if self.answer is not None:
                self.answer = self.answer.judged_by(self.objective)
            self._changed()

    def _changed(self) -> None:
        """Before saying that all fits together: see whether the answer is still about what is entered."""
        asked = self.answer.position if self.answer is not None else None
        self.stale = self.answer is not None and (not self.is_valid or asked != self.position)
        if self._job.is_running and (not self.is_valid or self._asked != self.position):
            self._job.stop()
        super()._changed()
