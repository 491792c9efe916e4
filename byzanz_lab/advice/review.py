"""A recorded game gone through: what each decision cost, what was luck, and who played how well.

``review`` judges every decision by what its seat could know (`review_decisions`), and follows the value of the game
from before the deal to its result (`review_values`). The two answer different questions. A *loss* says how much better
a seat could have decided, before it saw what came of it. The *account* of a seat says where its result came from: its
luck, what its own play made of it compared with the policy, and what its rivals' play did to it; these add up exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from byzanz_lab.advice.review_decisions import WORDS, Judged, judge
from byzanz_lab.advice.review_values import Change, Course, Floats, course_of
from byzanz_lab.evaluation import Estimate, Progress
from byzanz_lab.evaluation.budget import whole_number
from byzanz_lab.evaluation.progress import Reporter
from byzanz_lab.game.position import observe
from byzanz_lab.game.record import Record
from byzanz_lab.simulation.playouts import OBJECTIVES
from byzanz_lab.simulation.policies import CompiledPolicy, policies_for

if TYPE_CHECKING:
    import pandas as pd

WORLDS: Final = 256
"""Worlds a moment and a decision unless another number is asked for."""
JUDGING: Final = 0.6
"""Share of the work that goes into judging decisions."""
UNITS: Final = {"profit": "points", "margin": "points", "win": "share"}


@dataclass(frozen=True)
class Account:
    """Where the result of one seat came from.

    Attributes
    ----------
    seat, name
        Whose; the name is empty if the record has none.
    before
        What such a seat gets before the cards are dealt.
    luck
        What the deal and all draws brought.
    own
        What the seat's own choices brought, against those of the policy; above 0 if it did better.
    others
        What the choices of the rivals brought this seat.
    result
        What it got; for an unfinished game, what it can expect. ``before + luck + own + others``, exactly.
    loss
        What the seat gave away in all its judged decisions, 0 or more; from what it could know.
    words
        How many of its decisions were fine, doubtful, mistakes, blunders.
    """

    seat: int
    name: str
    before: Estimate
    luck: Estimate
    own: Estimate
    others: Estimate
    result: Estimate
    loss: Estimate
    words: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        parts = ("before", "luck", "own", "others", "result", "loss")
        estimates = {part: getattr(self, part).to_dict() for part in parts}
        return {"seat": self.seat, "name": self.name, **estimates, "words": dict(self.words)}


@dataclass(frozen=True, eq=False)
class Review:
    """A game gone through.

    Attributes
    ----------
    record
        The game.
    seats
        Seats whose decisions were judged.
    view
        From whose view luck was measured; ``None``: with open cards.
    objective
        What a seat cares for.
    seed, worlds
        Root of all random numbers; worlds a moment and a decision.
    policies
        Who plays on from each moment, one a seat.
    decisions
        Every decision of `seats` in which there was a choice.
    course
        The value of the game and its changes.

    Examples
    --------
    >>> from byzanz_lab import Record, Rules, default_policy, new_game, play_game
    >>> record = play_game([default_policy()] * 3, new_game(Rules.for_seats(3), seed=1))
    >>> found = review(record, worlds=2, seat=0)
    >>> found.is_finished, [account.seat for account in found.accounts]
    (True, [0])
    """

    record: Record
    seats: tuple[int, ...]
    view: int | None
    objective: str
    seed: int
    worlds: int
    policies: tuple[CompiledPolicy, ...]
    decisions: tuple[Judged, ...]
    course: Course

    @property
    def is_finished(self) -> bool:
        """Whether the game came to its end."""
        return self.record.result is not None or self.record.replay().is_over

    @property
    def draws(self) -> tuple[Change, ...]:
        """The deal and the draws, in order; see `luck_of`."""
        return tuple(change for change in self.course.changes if change.seat is None)

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """One a seat that was reviewed."""
        return tuple(self._account(seat) for seat in self.seats)

    @property
    def worst(self) -> tuple[Judged, ...]:
        """Decisions that are not fine, the costliest first."""
        return tuple(sorted((d for d in self.decisions if d.word != WORDS[0]), key=lambda d: -d.loss.mean))

    def account(self, seat: int) -> Account:
        """The account of one seat; `ValueError` if it was not reviewed."""
        self._check(seat)
        return self.accounts[self.seats.index(seat)]

    def luck_of(self, change: Change, seat: int) -> Estimate:
        """What a draw brought a seat; with a deed, what it did to the seat. `ValueError` if it was not reviewed."""
        self._check(seat)
        return self._estimate(change.values, seat, f"{self.objective} that this brought seat {seat}")

    def values(self, seat: int) -> Floats:
        """Mean value for a seat over the game, ``float64[n_changes + 1]``: before the deal, then after each change."""
        self._check(seat)
        steps = [self.course.before, *(change.values for change in self.course.changes)]
        return np.cumsum([step[:, seat, self._at].mean() for step in steps])

    @property
    def sentence(self) -> str:
        """The review in a sentence."""
        from byzanz_lab.advice.review_render import sentence

        return sentence(self)

    def to_frame(self, what: str = "decisions") -> pd.DataFrame:
        """Tables to go on with: ``"decisions"``, ``"accounts"`` or ``"draws"``; `ValueError` for another name."""
        from byzanz_lab.advice.review_render import frame

        return frame(self, what)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "format": "byzanz-review",
            "version": 1,
            "objective": self.objective,
            "view": self.view,
            "seed": self.seed,
            "worlds": self.worlds,
            "finished": self.is_finished,
            "accounts": [account.to_dict() for account in self.accounts],
            "decisions": [judged.to_dict() for judged in self.decisions],
            "draws": [
                {
                    "number": draw.number,
                    "cards": draw.cards.codes(),
                    "luck": {str(seat): self.luck_of(draw, seat).to_dict() for seat in self.seats},
                }
                for draw in self.draws
            ],
            "record": self.record.to_dict(),
        }

    def __str__(self) -> str:
        from byzanz_lab.advice.review_render import text

        return text(self)

    def _repr_html_(self) -> str:
        from byzanz_lab.advice.review_render import html

        return html(self)

    # -- counting ----------------------------------------------------------------------------------------------------

    @property
    def _at(self) -> int:
        return OBJECTIVES.index(self.objective)

    def _check(self, seat: int) -> None:
        if seat not in self.seats:
            raise ValueError(f"seat {seat} was not reviewed (reviewed: {', '.join(map(str, self.seats))})")

    def _estimate(self, values: Floats, seat: int, of: str) -> Estimate:
        return Estimate.from_samples(values[:, seat, self._at], UNITS[self.objective], of)

    def _account(self, seat: int) -> Account:
        def total(changes: list[Change], of: str) -> Estimate:
            values = sum((c.values for c in changes), np.zeros_like(self.course.before))
            return self._estimate(values, seat, f"{self.objective} of seat {seat}: {of}")

        deeds = [change for change in self.course.changes if change.seat is not None]
        judged = [decision for decision in self.decisions if decision.seat == seat]
        words = {word: sum(decision.word == word for decision in judged) for word in WORDS}
        return Account(
            seat=seat,
            name=self.record.names[seat] if self.record.names else "",
            before=self._estimate(self.course.before, seat, f"{self.objective} of seat {seat} before the deal"),
            luck=total(list(self.draws), "luck"),
            own=total([deed for deed in deeds if deed.seat == seat], "own choices"),
            others=total([deed for deed in deeds if deed.seat != seat], "choices of others"),
            result=self._estimate(self.course.end, seat, f"{self.objective} of seat {seat} in the end"),
            loss=_sum_of_losses(judged, UNITS[self.objective], f"{self.objective} that seat {seat} gave away"),
            words=words,
        )


def review(
    record: Record,
    worlds: int = WORLDS,
    seed: int = 1,
    *,
    seat: int | None = None,
    objective: str = "profit",
    policies: CompiledPolicy | Sequence[CompiledPolicy] | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
) -> Review:
    """Go through a game.

    Parameters
    ----------
    record
        The game, finished or not.
    worlds
        Worlds a moment and a decision, 2 or more; errors halve with four times as many.
    seed
        Root of all random numbers: the same review every time.
    seat
        Judge this seat only, and measure luck by what it could see. By default all seats, with open cards. Needed for a
        record that was kept at a table, where nobody knows the removed cards.
    objective
        ``profit``, ``margin`` or ``win``.
    policies
        Who plays on from each moment: one for all seats, or one a seat; by default the default policy.
    workers
        Threads.
    progress
        A function that is handed a `Progress` (worlds are actions gone through), or True for a bar.

    Raises
    ------
    ValueError
        If an argument is out of range or does not fit the record (`InvalidRecord` if an action is not allowed).

    Examples
    --------
    >>> from byzanz_lab import Rules, new_game
    >>> from byzanz_lab.simulation.playouts import play_game
    >>> from byzanz_lab.simulation.policies import RandomPolicy, default_policy
    >>> game = play_game([RandomPolicy(), default_policy(), default_policy()], new_game(Rules.for_seats(3), 1))
    >>> account = review(game, worlds=16, seat=0).account(0)
    >>> parts = account.before.mean + account.luck.mean + account.own.mean + account.others.mean
    >>> round(parts - game.result.profits[0], 9), account.own.mean < 0
    (0.0, True)
    """
    _checked(record, worlds, seat, objective)
    found, watch = None, _Watch(len(record.moves), progress)
    for share, found in reviewing(record, worlds, seed, seat, objective, policies, workers):  # noqa: B007 (the last)
        watch.report(share)
    watch.close()
    assert found is not None
    return found


def reviewing(
    record: Record,
    worlds: int = WORLDS,
    seed: int = 1,
    seat: int | None = None,
    objective: str = "profit",
    policies: CompiledPolicy | Sequence[CompiledPolicy] | None = None,
    workers: int | None = None,
) -> Iterator[tuple[float, Review | None]]:
    """As `review`, step by step, for those who want to stop in between: the share done, 0 to 1; the review in the end.

    Yields
    ------
    share, found
        ``found`` is ``None`` until the last step.
    """
    n = _checked(record, worlds, seat, objective)
    seats = tuple(range(record.rules.seats)) if seat is None else (seat,)
    players = policies_for(policies, record.rules.seats)
    decisions: list[Judged] = []
    steps = max(len(record.moves), 1)
    for number, mover, action, state in record.states():
        if mover in seats:
            position = observe(state, mover)
            judged = judge(position, action, number, players, n, seed + number, objective, workers)
            decisions += [judged] if judged else []
        yield JUDGING * (number + 1) / steps, None
    before: Floats | None = None
    changes: list[Change] = []
    for event in course_of(record, seat, players, n, seed):
        if isinstance(event, Change):
            changes.append(event)
            yield JUDGING + (1 - JUDGING) * (event.number + 1) / (steps + 1), None
        else:
            before = event
    assert before is not None
    course = Course(before, tuple(changes))
    yield 1.0, Review(record, seats, seat, objective, seed, n, players, tuple(decisions), course)


def _checked(record: Record, worlds: int, seat: int | None, objective: str) -> int:
    if not isinstance(record, Record):
        raise TypeError(f"a Record is needed, not {type(record).__name__}")
    try:
        n = whole_number(worlds)
    except TypeError:
        raise ValueError(f"worlds is a whole number, not {worlds!r}") from None
    if n < 2:
        raise ValueError(f"a review needs 2 worlds or more, not {n}")
    if objective not in OBJECTIVES:
        raise ValueError(f"unknown objective {objective!r} (objectives are {', '.join(OBJECTIVES)})")
    if seat is None and record.removed is None:
        raise ValueError("nobody knows the removed cards of this record: say from whose view to review it (seat)")
    if seat is not None and (isinstance(seat, bool) or seat not in range(record.rules.seats)):
        raise ValueError(f"there is no seat {seat}, seats are 0 to {record.rules.seats - 1}")
    record.replay()
    return n


def _sum_of_losses(judged: list[Judged], unit: str, of: str) -> Estimate:
    """Losses that are not level, added up; decisions are judged in worlds of their own, so errors add in squares."""
    counted = [decision.loss for decision in judged if not decision.is_level]
    if not counted:
        return Estimate.exactly(0.0, max(len(judged), 1), unit, of)
    se = sum(loss.se**2 for loss in counted) ** 0.5
    return Estimate(sum(loss.mean for loss in counted), se, min(loss.n for loss in counted), unit, of)


class _Watch:
    """Tells how far a review is."""

    def __init__(self, moves: int, progress: Callable[[Progress], object] | bool | None) -> None:
        self.moves, self.begun, self.reporter = moves, perf_counter(), Reporter(progress)

    def report(self, share: float, last: bool = False) -> None:
        seconds, done = perf_counter() - self.begun, round(share * self.moves)
        left = seconds / share - seconds if share else inf
        self.reporter.report(lambda: Progress(done, done, None, seconds, left, share), last=last)

    def close(self) -> None:
        self.report(1.0, last=True)
        self.reporter.close()
