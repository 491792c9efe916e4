"""Lots of games that policies play with themselves: what the opener could know and had seen, and the price."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.advice.behaviour import Deed
from byzanz_lab.advice.forecast import Forecast, forecast
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.playouts import play_logged
from byzanz_lab.simulation.policies import CompiledPolicy


class PricedLot(NamedTuple):
    """One auction at its opening, as the opener sees it, all that was done before, and what the lot went for."""

    policy: CompiledPolicy
    position: Position
    seen: tuple[Deed, ...]
    price: int

    def forecast(self, worlds: int, seed: int, told: bool = True) -> Forecast:
        """What is forecast by somebody who knows how the others play, told of what they did before or not."""
        return forecast(self.position, worlds, seed, policies=self.policy, seen=self.seen if told else ())


def priced_lots(policy: CompiledPolicy, seats: int, games: int, seed: int) -> Iterator[PricedLot]:
    """Every auction of some games that a policy plays with itself."""
    for number in range(games):
        record, _ = play_logged(Rules.for_seats(seats), seed + number, [policy] * seats)
        seen: list[Deed] = []
        opening: tuple[Position, tuple[Deed, ...]] | None = None
        for turn in record.states():
            table = turn.state.table
            if opening is not None and (table.phase is not Phase.AUCTION or table.lot != opening[0].lot):
                paid = table.phase is Phase.TAX and table.lot == opening[0].lot
                yield PricedLot(policy, *opening, table.market.total - opening[0].market.total if paid else 0)
                opening = None
            if table.phase is Phase.AUCTION and opening is None and not table.passes and not table.high_bid:
                assert table.to_move is not None
                opening = observe(turn.state, table.to_move), tuple(seen)
            seen.append(Deed(table, turn.seat, turn.action))


class Promise(NamedTuple):
    """A chance that was named for a lot to go for at most some price, whether it did, and which lot that was."""

    said: float
    came: bool
    lot: int


def promises(lots: Iterable[PricedLot], worlds: int, told: bool = True) -> list[Promise]:
    """Every price of every lot, with the chance that was forecast of not going higher; sure things left out."""
    found = []
    for number, lot in enumerate(lots):
        said = lot.forecast(worlds, number, told)
        chances = [said.at_most(price).mean for price in range(int(said.prices.max()))]
        found += [Promise(c, lot.price <= price, number) for price, c in enumerate(chances) if 0 < c < 1]
    return found


def kept(found: Sequence[Promise], low: float, high: float) -> tuple[float, float, float, int]:
    """Of promises with such a chance: the mean chance, the share kept, its standard error by lots, and their number."""
    chosen = [p for p in found if low <= p.said <= high]
    came = np.array([p.came for p in chosen], float)
    sums: NDArray[np.float64] = np.bincount([p.lot for p in chosen], came - came.mean())
    se = float(np.sqrt((sums**2).sum()) / len(chosen))
    return float(np.mean([p.said for p in chosen])), float(came.mean()), se, len(chosen)
