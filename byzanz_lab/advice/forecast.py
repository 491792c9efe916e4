"""What a lot will go for: the price, who gets it, and how high each rival is likely to go.

In every world that fits what the seat knows, the policies that play it out go up to some limit for the lot. From the
limits of the rivals follows the chance to get the lot at each bid: none of them may be higher. What the lot goes for,
and to whom, comes from playing the auction out, with the asking seat bidding as its policy does. All of this is about
rivals who play like the policy.

How often forecasts come true among such rivals is measured in the tests, and it matters what they rest on. With nothing
but the position, prices are put too high from the second lot on: who is still waiting for a lot has passed before, and
what a seat still holds of its first cards is what it did not pay with. Told what was `seen` of the game so far, a
forecast weights its worlds by that (see `behaviour`): chances come closer to what happens. The benchmark of strength
says how close: of the lots that it says will go for at most some price with a chance of 75 to 85 %, how many do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.advice.behaviour import Belief, Deed, Weighting, alone
from byzanz_lab.evaluation import Estimate
from byzanz_lab.evaluation.budget import whole_number
from byzanz_lab.game.position import Position
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import Start, encode, require_position
from byzanz_lab.simulation.policies import CompiledPolicy, brain_for, policies_for
from byzanz_lab.simulation.running import run
from byzanz_lab.simulation.seeds import PLAY, world_seeds

if TYPE_CHECKING:
    import pandas as pd

WORLDS: Final = 400
"""Worlds behind a forecast unless another number is asked for."""
MOST_BID: Final = 48
"""More than a hand is worth as money."""
AUCTION_ROWS: Final = 64
"""More actions than an auction can have."""

Ints = NDArray[np.int64]
Dealt = tuple[Ints, NDArray[np.int8]]
"""Packed hands and decks of worlds, see `Belief.worlds`."""


@dataclass(frozen=True, eq=False)
class Forecast:
    """What the lot on the table will go for, as ``position.seat`` can know.

    Attributes
    ----------
    position
        What was asked about.
    prices
        ``int64[n_worlds]``: price in each world, 0 where the lot goes for nothing because all pass.
    winners
        ``int64[n_worlds]``: who gets it.
    policies
        Who bids, one a seat.
    seed
        Root of all random numbers.
    belief
        Where the worlds come from.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = forecast(load_sample("opening"), worlds=64)
    >>> found.quantile(0.1) <= found.quantile(0.9), found.at_most(40).mean
    (True, 1.0)
    """

    position: Position
    prices: Ints
    winners: Ints
    policies: tuple[CompiledPolicy, ...]
    seed: int
    belief: Belief

    @property
    def weighting(self) -> Weighting:
        """How much what was seen before says about the hidden cards."""
        return self.belief.weighting

    @property
    def rivals(self) -> tuple[int, ...]:
        """Other seats that can still win the auction."""
        return tuple(seat for seat in self.position.still_in if seat != self.position.seat)

    @cached_property
    def limits(self) -> Ints:
        """``int64[n_worlds, n_rivals]``: total up to which each would bid; its open bid if it would go no higher."""
        dealt = self.belief.worlds(0, self.worlds)
        found = [_limits(self.belief, rival, dealt) for rival in self.rivals]
        return np.stack(found, axis=1) if found else np.zeros((self.worlds, 0), np.int64)

    @property
    def worlds(self) -> int:
        """Number of worlds looked at."""
        return len(self.prices)

    def at_most(self, price: int) -> Estimate:
        """Chance that the lot goes for this price or less."""
        return Estimate.from_samples(self.prices <= price, "share", f"lot goes for {price} or less")

    def goes_to(self, seat: int) -> Estimate:
        """Chance that a seat gets the lot."""
        return Estimate.from_samples(self.winners == seat, "share", f"lot goes to seat {seat}")

    def quantile(self, chance: float) -> int:
        """Lowest price that the lot goes for at most with this chance, more than 0 and at most 1.

        Raises
        ------
        ValueError
            If it is no chance.
        """
        if not 0 < chance <= 1:
            raise ValueError(f"a chance lies above 0 and at most at 1, not at {chance}")
        return int(np.quantile(self.prices, chance, method="inverted_cdf"))

    def wins_at(self, bid: int) -> Estimate:
        """Chance that a bid of this total is not beaten by any rival.

        Raises
        ------
        ValueError
            If it would not beat the highest bid on the table.
        """
        if bid <= self.position.high_bid:
            raise ValueError(f"a bid must beat {self.position.high_bid}, {bid} does not")
        highest = self.limits.max(axis=1, initial=0)
        return Estimate.from_samples(highest <= bid, "share", f"bid of {bid} wins the lot")

    def limit_of(self, rival: int) -> Estimate:
        """Mean total up to which a rival would bid.

        Raises
        ------
        ValueError
            If it is no rival in this auction.
        """
        if rival not in self.rivals:
            raise ValueError(f"seat {rival} is no rival in this auction (rivals are {self.rivals})")
        return Estimate.from_samples(self.limits[:, self.rivals.index(rival)], "money", f"limit of seat {rival}")

    @property
    def bids(self) -> range:
        """Totals worth looking at: from the lowest bid that is allowed to one that surely wins."""
        first = self.position.high_bid + 1
        return range(first, max(first, int(self.limits.max(initial=0))) + 1)

    @property
    def sentence(self) -> str:
        """The forecast in a sentence."""
        low, middle, high = (self.quantile(q) for q in (0.1, 0.5, 0.9))
        spread = f"{low}" if low == high else f"{low} to {high}"
        sure = next((b for b in self.bids if self.wins_at(b).mean >= 0.8), self.bids[-1])
        return (
            f"The lot {self.position.lot} will go for about {middle} (8 times out of 10: {spread}); "
            f"a bid of {sure} wins it {100 * self.wins_at(sure).mean:.0f} % of the time."
        )

    def to_frame(self) -> pd.DataFrame:
        """A row a total: chance that the lot goes for it, for it or less, and that bidding it wins; with errors."""
        import pandas as pd

        rows = []
        for total in range(max(int(self.prices.max()), self.bids[-1]) + 1):
            exactly = Estimate.from_samples(self.prices == total)
            most = self.at_most(total)
            row: dict[str, float | None] = {"total": total, "goes_for": exactly.mean, "goes_for_se": exactly.se}
            row |= {"at_most": most.mean, "at_most_se": most.se}
            wins = self.wins_at(total) if total > self.position.high_bid else None
            row |= {"wins": wins.mean if wins else None, "wins_se": wins.se if wins else None}
            rows.append(row)
        return pd.DataFrame(rows)

    def _cells(self) -> list[list[str]]:
        rows = [["bid", "wins the lot", *(f"seat {rival} goes so far" for rival in self.rivals)]]
        for bid in self.bids:
            chances = [f"{100 * (self.limits[:, i] >= bid).mean():.0f} %" for i in range(len(self.rivals))]
            wins = self.wins_at(bid)
            rows.append([str(bid), f"{100 * wins.mean:.0f} ± {100 * wins.half_width():.0f} %", *chances])
        return rows

    def __str__(self) -> str:
        rows = self._cells()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in rows)
        return "\n".join([self.sentence, "", *lines, "", self._footer()])

    def _repr_html_(self) -> str:
        head, *body = self._cells()
        heads = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in head)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in body)
        return (
            f"<div><p><strong>{escape(self.sentence)}</strong></p>"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table><p>{escape(self._footer())}</p></div>"
        )

    def _footer(self) -> str:
        belief = f" {self.weighting.sentence}" if self.weighting.deeds else ""
        return (
            f"As seat {self.position.seat} can know; {self.worlds:,} worlds, everybody bids as the policy does.{belief}"
        )


def forecast(
    position: Position,
    worlds: int = WORLDS,
    seed: int = 1,
    *,
    policies: CompiledPolicy | Sequence[CompiledPolicy] | None = None,
    seen: Sequence[Deed] = (),
) -> Forecast:
    """Forecast what the lot on the table goes for.

    Parameters
    ----------
    position
        A moment of an auction; the seat that asks need not be on the move, nor still be in.
    worlds
        How many worlds to look at, 2 or more.
    seed
        Root of all random numbers.
    policies
        Who bids: one policy for all seats, or one a seat; by default the default policy.
    seen
        Everything that was done since the deal (`byzanz_lab.advice.behaviour.deeds_of`). Without it all worlds are as
        likely, and from the second lot on prices are put too high.

    Raises
    ------
    TypeError
        If it is given a State: that would be looking at the cards.
    ValueError
        If no auction is under way, the deeds do not lead to this position, or an argument is out of range.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = forecast(load_sample("opening"), worlds=64)
    >>> found.wins_at(found.bids[-1]).mean
    1.0
    """
    if require_position(position).phase is not Phase.AUCTION:
        raise ValueError(f"a forecast is about a lot in an auction, and the decision is {position.phase}")
    try:
        n = whole_number(worlds)
    except TypeError:
        raise ValueError(f"worlds is a whole number, not {worlds!r}") from None
    if n < 2:
        raise ValueError(f"a forecast needs 2 worlds or more, not {n}")
    belief = Belief(position, seen, policies_for(policies, position.rules.seats), seed)
    lots = _lots(belief, encode(position), belief.worlds(0, n))
    return Forecast(position, lots[:, 1], lots[:, 0], belief.policies, seed, belief)


def _limits(belief: Belief, rival: int, dealt: Dealt) -> Ints:
    """Total up to which a rival would bid, in each world.

    Asked as an auction in which all others have passed and something must be beaten: whether the rival bids then.
    """
    position, n = belief.position, len(dealt[0])
    own, high = position.bids[rival].total, position.high_bid
    limits, goes_on = np.full(n, own, np.int64), np.ones(n, bool)
    start, to_beat = alone(position.table, rival), high
    while goes_on.any() and to_beat < MOST_BID:
        board = start.board.copy()
        board[k.HIGH] = to_beat
        lots = _lots(belief, replace(start, board=board), dealt)
        goes_on &= (lots[:, 0] == rival) & (lots[:, 1] > to_beat)
        to_beat += 1
        limits[goes_on] = to_beat
    return limits


def _lots(belief: Belief, start: Start, dealt: Dealt) -> Ints:
    """Who wins the lot on the table, and at what price: ``int64[n_worlds, 2]``."""
    play = world_seeds(belief.seed, 0, len(dealt[0]), PLAY)
    played = run(start, brain_for(belief.policies), play, worlds=dealt, log_rows=AUCTION_ROWS)
    return played.lots[:, 0].astype(np.int64)
