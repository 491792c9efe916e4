"""What a lot is worth to a seat: at each price, as a distribution, and up to what price it is worth winning.

The value of winning at a price is what the seat ends with if the auction ends now in its favour at that price, less
what it ends with if it passes now, in the same worlds. The highest price at which that is not below nought is the
*reservation price*: the highest bid at which winning is not worse than passing. (The *reserve* price is a seller's.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.advice.options import Option, best_payments
from byzanz_lab.advice.render import signed
from byzanz_lab.advice.suppose import suppose
from byzanz_lab.advice.trial import PlayoutTrial, line_of
from byzanz_lab.evaluation import Budget, Comparison, Estimate, compare
from byzanz_lab.game.actions import Bid, Pass
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.encoding import require_position, suppose_win
from byzanz_lab.simulation.playouts import OBJECTIVES
from byzanz_lab.simulation.policies import CompiledPolicy, policies_for

if TYPE_CHECKING:
    import pandas as pd

SHOWN_WORLDS = 4096
"""Most worlds behind a distribution."""


@dataclass(frozen=True)
class Price:
    """Winning at one price.

    Attributes
    ----------
    total
        The price, as the total of the bid; 0 supposes that the lot is free.
    cards
        What it is paid with, the open bid included.
    value
        By objective: how much more than passing, paired; ``profit`` and ``margin`` in points, ``win`` as a share.
    """

    total: int
    cards: Cards
    value: Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class LotValue:
    """What a lot is worth to ``position.seat``.

    Attributes
    ----------
    position, lot
        Who asks, and about which lot.
    prices
        By rising total; the first one is free where the seat has no open bid.
    passing
        By objective: what the seat ends with if it passes.
    objective
        What the seat cares for.
    comparison
        The statistics behind it; option 0 is passing, option ``i + 1`` is ``prices[i]``.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = lot_value(load_sample("auction"), budget=128)
    >>> found.distribution(3).shape, found.to_frame().columns[:3].tolist()
    ((128,), ['total', 'cards', 'profit'])
    """

    position: Position
    lot: Cards
    prices: tuple[Price, ...]
    passing: Mapping[str, Estimate]
    objective: str
    comparison: Comparison

    @property
    def reservation_price(self) -> int | None:
        """Highest price at which winning is not worse than passing; ``None`` where even the lowest is worse."""
        good = [price.total for price in self.prices if price.value[self.objective].mean >= 0]
        return max(good, default=None)

    @property
    def reservation_range(self) -> tuple[int | None, int | None]:
        """Highest price that is surely not worse than passing, and highest that may be (95 % intervals)."""
        sure = [price.total for price in self.prices if price.value[self.objective].interval()[0] >= 0]
        may_be = [price.total for price in self.prices if price.value[self.objective].interval()[1] >= 0]
        return max(sure, default=None), max(may_be, default=None)

    def distribution(self, total: int | None = None) -> NDArray[np.float64]:
        """Gain over passing in single worlds, ``float64[n]`` in points (or shares for the objective ``win``).

        Parameters
        ----------
        total
            The price; by default the lowest.

        Raises
        ------
        ValueError
            If there is no such price.
        """
        totals = [price.total for price in self.prices]
        if total is not None and total not in totals:
            raise ValueError(f"the seat cannot win at {total} (prices are {', '.join(map(str, totals))})")
        at = 0 if total is None else totals.index(total)
        trial = self.comparison.trial
        assert isinstance(trial, PlayoutTrial)
        values = trial.play(0, min(self.comparison.worlds, SHOWN_WORLDS), [0, at + 1]).objectives(self.position.seat)
        which = OBJECTIVES.index(self.objective)
        return np.asarray(values[:, 1, which] - values[:, 0, which])

    def to_frame(self) -> pd.DataFrame:
        """A row a price: total, cards, and for each objective the gain over passing with its standard error and n."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for price in self.prices:
            row: dict[str, Any] = {"total": price.total, "cards": str(price.cards)}
            for name, value in price.value.items():
                row |= {name: value.mean, f"{name}_se": value.se, f"{name}_n": value.n}
            rows.append(row)
        return pd.DataFrame.from_records(rows)

    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
        price, (low, high) = self.reservation_price, self.reservation_range
        whose = f"seat {self.position.seat}"
        if price is None:
            return f"{self.lot} is not worth winning for {whose}, even at {self.prices[0].total}."
        if price == self.prices[-1].total:
            return f"{self.lot} is worth all that {whose} can pay, {price}."
        unsure = "" if low == high else f" (between {'nothing' if low is None else low} and {high})"
        return f"{self.lot} is worth winning for {whose} up to {price}{unsure}."

    def __str__(self) -> str:
        lines = [self.sentence, "", "price  over passing       paid with"]
        lines += [
            f"{p.total:>5}  {signed(p.value[self.objective], self.objective):<17}  {p.cards}" for p in self.prices
        ]
        return "\n".join([*lines, "", f"{self.comparison.worlds:,} worlds; objective {self.objective}"])

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{p.total}</td><td>{escape(signed(p.value[self.objective], self.objective))}</td>"
            f"<td>{escape(str(p.cards))}</td></tr>"
            for p in self.prices
        )
        head = "<tr><th scope='col'>price</th><th scope='col'>over passing</th><th scope='col'>paid with</th></tr>"
        return f"<div><p><strong>{escape(self.sentence)}</strong></p><table>{head}{cells}</table></div>"


def lot_value(
    position: Position,
    lot: Cards | str | None = None,
    budget: Budget | SupportsIndex | None = None,
    seed: int = 1,
    *,
    objective: str = "profit",
    policies: CompiledPolicy | Sequence[CompiledPolicy] | None = None,
    **how: Any,
) -> LotValue:
    """What a lot is worth to the seat whose Position it is.

    Parameters
    ----------
    position
        A moment of an auction in which the seat is still in; it is supposed to be its turn.
    lot
        The lot one asks about, of the size of the offer card; by default the one on the table.
    budget, seed, objective, policies
        As in `advise`; by default 1000 worlds.
    how
        ``executor``, ``workers``, ``progress``, ``cancel`` as in `byzanz_lab.evaluation.compare`.

    Raises
    ------
    TypeError
        If it is given a State.
    ValueError
        If there is no auction that the seat is in, or the lot cannot be.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = lot_value(load_sample("auction"), budget=128)
    >>> found.prices[0].total, found.prices[0].value["profit"].n
    (0, 128)
    """
    require_position(position)
    if position.phase is not Phase.AUCTION or position.seat not in position.still_in:
        raise ValueError(f"seat {position.seat} is in no auction: the decision is {position.phase}")
    asked = position.lot if lot is None else Cards(lot)
    if len(asked) != position.offer:
        raise ValueError(f"the offer card is {position.offer}, so a lot has {position.offer} cards, not {len(asked)}")
    players = policies_for(policies, position.rules.seats)
    start = suppose(position, lot=None if lot is None else asked, to_move=position.seat)
    supposed = replace(position, table=replace(position.table, lot=asked, to_move=position.seat))
    ways = _prices(supposed, players[position.seat])
    trial = _trial(supposed, start, ways, players, seed)
    comparison = compare(trial, 1000 if budget is None else budget, leading=objective, racing=False, **how)
    return _value(supposed, asked, ways, comparison, objective)


def _prices(position: Position, policy: CompiledPolicy) -> list[tuple[int, Cards]]:
    """Each total with the cards to add for it: free, the open bid as it stands, and all that can be paid on top."""
    open_bid = position.bids[position.seat].total
    ways: list[tuple[int, Cards]] = [(open_bid, Cards())]
    goods = position.hand - position.hand.group("D")
    by_total: dict[int, list[Bid]] = {}
    for cards in goods.submultisets():
        if cards:
            by_total.setdefault(open_bid + cards.total, []).append(Bid(cards))
    for total, bids in sorted(by_total.items()):
        best: Option = best_payments(position, total, bids, policy)[0]
        assert isinstance(best.action, Bid)
        ways.append((total, best.action.cards))
    return ways


def _trial(
    position: Position, start: Any, ways: list[tuple[int, Cards]], players: tuple[CompiledPolicy, ...], seed: int
) -> PlayoutTrial:
    seat = position.seat
    passing = line_of(seat, [Pass()], position.market)
    wins = [suppose_win(seat, cards)[None] for _, cards in ways]
    prices = np.array([-1, *(total for total, _ in ways)], np.int64)
    return PlayoutTrial(start, np.stack([passing, *wins]), np.ones(len(prices), np.int64), prices, seat, players, seed)


def _value(
    position: Position, lot: Cards, ways: list[tuple[int, Cards]], comparison: Comparison, objective: str
) -> LotValue:
    seat, open_bid = position.seat, position.bids[position.seat]
    prices = []
    for i, (total, cards) in enumerate(ways):
        value = {name: comparison.difference(i + 1, 0, name) for name in OBJECTIVES}
        named = {
            name: replace(v, of=f"{name} of seat {seat}, winning at {total} over passing") for name, v in value.items()
        }
        prices.append(Price(total, open_bid + cards, named))
    passing = {name: replace(comparison.estimate(0, name), of=f"{name} of seat {seat}, passing") for name in OBJECTIVES}
    return LotValue(position, lot, tuple(prices), passing, objective, comparison)
