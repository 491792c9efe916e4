"""What each group of the market is worth to each seat that has still to pick.

The worth of a group to a seat is what the seat ends with if it takes that group next, less what it ends with if it
takes nothing, in the same worlds. For a rival the worlds are those that the asking seat believes in: an estimate of the
rival's interest, not a look into his hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from byzanz_lab.advice.render import signed
from byzanz_lab.advice.suppose import suppose
from byzanz_lab.advice.trial import PlayoutTrial, line_of
from byzanz_lab.evaluation import Budget, Comparison, Estimate, compare
from byzanz_lab.game.actions import Action, Decline, Take
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.encoding import require_position, suppose_pick
from byzanz_lab.simulation.playouts import OBJECTIVES
from byzanz_lab.simulation.policies import CompiledPolicy, policies_for

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class GroupValue:
    """What one group is worth to one seat.

    Attributes
    ----------
    seat, good, cards
        Who, which group (``"Wi"``, ``"D"``), and the cards in it.
    value
        By objective, from that seat's point of view: how much more than taking nothing, paired.
    """

    seat: int
    good: str
    cards: Cards
    value: Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class MarketValues:
    """Worth of each group to each seat that has still to pick.

    Attributes
    ----------
    position, market
        Who asks, and about which market.
    order
        Seats that have still to pick, in their order.
    values
        A value for each of these seats and each group.
    objective
        What the seats care for.
    worlds
        Worlds behind each seat's values.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = market_values(load_sample("market"), budget=64)
    >>> found.best(0).good in {"Cl", "Gr"}, len(found.to_frame())
    (True, 20)
    """

    position: Position
    market: Cards
    order: tuple[int, ...]
    values: tuple[GroupValue, ...]
    objective: str
    worlds: int

    def of(self, seat: int, good: str) -> GroupValue:
        """The value of one group to one seat.

        Raises
        ------
        KeyError
            If that seat has no pick left, or there is no such group.
        """
        for value in self.values:
            if (value.seat, value.good) == (seat, good):
                return value
        raise KeyError(f"no value of group {good!r} to seat {seat}")

    def best(self, seat: int) -> GroupValue:
        """The group that is worth most to a seat, if it could pick next."""
        own = [value for value in self.values if value.seat == seat]
        if not own:
            raise KeyError(f"seat {seat} has no pick left")
        return max(own, key=lambda value: value.value[self.objective].mean)

    def to_frame(self) -> pd.DataFrame:
        """A row a seat and group: mean, standard error and n for each objective."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for group in self.values:
            row: dict[str, Any] = {"seat": group.seat, "group": group.good, "cards": str(group.cards)}
            for name, value in group.value.items():
                row |= {name: value.mean, f"{name}_se": value.se, f"{name}_n": value.n}
            rows.append(row)
        return pd.DataFrame.from_records(rows)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        head = ["group", *(f"seat {seat}" for seat in self.order)]
        body = [
            [
                str(self.market.group(good)),
                *(signed(self.of(s, good).value[self.objective], self.objective) for s in self.order),
            ]
            for good in self.market.groups()
        ]
        return head, body

    def __str__(self) -> str:
        head, body = self._table()
        widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
        lines = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in [head, *body]
        ]
        return "\n".join([*lines, "", f"{self.objective} over taking nothing; {self.worlds:,} worlds a seat"])

    def _repr_html_(self) -> str:
        head, body = self._table()
        cells = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in head)
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in body)
        title = f"Worth of each group, as seat {self.position.seat} sees it: {self.objective} over taking nothing"
        return f"<table><caption>{escape(title)}</caption><tr>{cells}</tr>{rows}</table>"


def market_values(
    position: Position,
    market: Cards | str | None = None,
    budget: Budget | SupportsIndex | None = None,
    seed: int = 1,
    *,
    objective: str = "profit",
    policies: CompiledPolicy | Sequence[CompiledPolicy] | None = None,
    **how: Any,
) -> MarketValues:
    """What each group is worth to each seat that has still to pick.

    Parameters
    ----------
    position
        A moment at the market.
    market
        The market one asks about; by default the one on the table.
    budget, seed, objective, policies
        As in `advise`, for each seat; by default 1000 worlds.
    how
        ``executor``, ``workers``, ``progress``, ``cancel`` as in `byzanz_lab.evaluation.compare`.

    Raises
    ------
    TypeError
        If it is given a State.
    ValueError
        If the market is not open, or the supposed one is empty or cannot be.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = market_values(load_sample("market"), budget=64)
    >>> found.order, found.of(0, "Gr").value["profit"].unit
    ((0, 1, 2, 3), 'points')
    """
    require_position(position)
    if position.phase is not Phase.MARKET:
        raise ValueError(f"the market is not open: the decision is {position.phase}")
    asked = position.market if market is None else Cards(market)
    if not asked:
        raise ValueError("the supposed market is empty")
    start = suppose(position, market=None if market is None else asked)
    players = policies_for(policies, position.rules.seats)
    order = position.table.pick_order[position.picked :]
    values: list[GroupValue] = []
    worlds = 0
    for seat in order:
        lines = np.stack([_line(seat, action, asked) for action in _actions(asked)])
        n = len(lines)
        trial = PlayoutTrial(start, lines, np.full(n, 2, np.int64), np.full(n, -1, np.int64), seat, players, seed)
        done = compare(trial, 1000 if budget is None else budget, leading=objective, racing=False, **how)
        worlds = done.worlds
        values += _values(seat, asked, done)
    return MarketValues(position, asked, order, tuple(values), objective, worlds)


def _actions(market: Cards) -> list[Action]:
    return [Decline(), *(Take(good) for good in market.groups())]


def _line(seat: int, action: Action, market: Cards) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Suppose that the seat is the next to pick, then let it do so."""
    return np.concatenate([suppose_pick(seat)[None], line_of(seat, [action], market)])


def _values(seat: int, market: Cards, done: Comparison) -> list[GroupValue]:
    found = []
    for i, good in enumerate(market.groups(), start=1):
        value = {
            name: replace(done.difference(i, 0, name), of=f"{name} of seat {seat}, taking {good} over nothing")
            for name in OBJECTIVES
        }
        found.append(GroupValue(seat, good, market.group(good), value))
    return found
