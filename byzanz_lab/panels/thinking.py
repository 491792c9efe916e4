"""Advice in small steps, so that it can be shown while it grows, stopped, and gone on with.

``think`` yields an `Answer` every quarter of a second: the comparison of all choices, extended step by step (so that it
equals one long run), and what the lot or the groups of the market are worth. It prints nothing and shows nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from byzanz_lab.advice.advise import Advice, advise
from byzanz_lab.advice.lots import LotValue, lot_value
from byzanz_lab.advice.markets import MarketValues, market_values
from byzanz_lab.evaluation import Budget
from byzanz_lab.game.position import Position
from byzanz_lab.game.table import Phase

STEP: Final = 0.25
"""Seconds between two answers."""
FIRST_WORLDS: Final = 64
"""Worlds behind the first answer."""
VALUE_SHARE: Final = 0.25
"""Share of the time that goes to the worth of the lot, or of the market's groups."""
VALUE_WORLDS: Final = 1000
"""Most worlds for those, a seat."""
MOST_KEPT: Final = 60
"""Earlier answers that are kept, to show how the estimates settle."""


@dataclass(frozen=True, eq=False)
class Answer:
    """All that is known about one decision.

    Attributes
    ----------
    advice
        The choices, compared.
    lot
        In an auction, what the lot is worth at each price; ``None`` until it is known.
    market
        At the market, what each group is worth to each seat; ``None`` until it is known.
    steps
        Earlier states of ``advice``, by rising number of worlds.
    seconds
        Time that has gone into it.
    """

    advice: Advice
    lot: LotValue | None = None
    market: MarketValues | None = None
    steps: tuple[Advice, ...] = ()
    seconds: float = 0.0

    @property
    def position(self) -> Position:
        """What was asked about."""
        return self.advice.position

    @property
    def is_settled(self) -> bool:
        """Whether more time would change nothing: all worlds were listed, or one choice is left."""
        return self.advice.is_exact or self.advice.comparison.stopped == "clear"

    def judged_by(self, objective: str) -> Answer:
        """The same playouts, judged by another objective."""
        return replace(
            self,
            advice=self.advice.with_objective(objective),
            lot=self.lot and replace(self.lot, objective=objective),
            market=self.market and replace(self.market, objective=objective),
            steps=tuple(step.with_objective(objective) for step in self.steps),
        )


def think(
    position: Position,
    stop: threading.Event,
    *,
    seconds: float | None = None,
    worlds: int | None = None,
    seed: int = 1,
    objective: str = "profit",
    before: Answer | None = None,
) -> Iterator[tuple[float, Answer]]:
    """Think about a position; yields (share done, answer so far).

    Parameters
    ----------
    position
        Of a seat that is on the move.
    stop
        Ends it, within a block of playouts; the answer that was under way then is not to be used.
    seconds, worlds
        What may be spent, one of the two. With ``worlds`` the answer is the same every time.
    seed
        Root of all random numbers.
    objective
        What the seat cares for: it decides which choices are dropped for being worse.
    before
        An answer about the same position, with the same seed, to go on with.
    """
    spent_before = before.seconds if before else 0.0
    answer = before or Answer(_first(position, stop, seed, objective, worlds))
    begun = time.monotonic()  # not before: the very first answer waits for the compiler
    limit = None if worlds is None else worlds + (before.advice.comparison.worlds if before else 0)

    def share() -> float:
        done = (time.monotonic() - begun) / seconds if seconds else answer.advice.comparison.worlds / (limit or 1)
        return min(done, 0.99)

    yield share(), answer
    if before is None:
        answer = _with_values(answer, stop, Budget(worlds=FIRST_WORLDS), seed)
        yield share(), answer
    for_values = VALUE_SHARE if _has_values(position) else 0.0
    while not stop.is_set() and not answer.is_settled:
        if seconds and time.monotonic() - begun >= seconds * (1 - for_values):
            break
        more = None if limit is None else limit - answer.advice.comparison.worlds
        if more is not None and more <= 0:
            break
        advice = answer.advice.extend(Budget(worlds=more, seconds=STEP), cancel=stop)
        answer = replace(answer, advice=advice, steps=_kept(answer), seconds=spent_before + time.monotonic() - begun)
        yield share(), answer
    if stop.is_set():
        return
    left = None if seconds is None else max((spent_before + seconds) * for_values, STEP)
    n_seats = position.rules.seats - position.picked if position.phase is Phase.MARKET else 1
    budget = Budget(worlds=min(limit or VALUE_WORLDS, VALUE_WORLDS), seconds=left and left / n_seats)
    answer = _with_values(answer, stop, budget, seed)
    yield 1.0, replace(answer, seconds=spent_before + time.monotonic() - begun)


def _first(position: Position, stop: threading.Event, seed: int, objective: str, worlds: int | None) -> Advice:
    return advise(position, min(worlds or FIRST_WORLDS, FIRST_WORLDS), seed, objective=objective, cancel=stop)


def _has_values(position: Position) -> bool:
    return position.phase in (Phase.AUCTION, Phase.MARKET)


def _with_values(answer: Answer, stop: threading.Event, budget: Budget, seed: int) -> Answer:
    """Add what the lot or the market's groups are worth; the answer as it was, where there is neither or it is late."""
    position, objective = answer.position, answer.advice.objective
    if stop.is_set():
        return answer
    if position.phase is Phase.AUCTION:
        return replace(answer, lot=lot_value(position, None, budget, seed, objective=objective, cancel=stop))
    if position.phase is Phase.MARKET:
        return replace(answer, market=market_values(position, None, budget, seed, objective=objective, cancel=stop))
    return answer


def _kept(answer: Answer) -> tuple[Advice, ...]:
    """Earlier states, thinned out evenly once they are many."""
    steps = (*answer.steps, answer.advice)
    return steps if len(steps) <= MOST_KEPT else steps[1::2]
