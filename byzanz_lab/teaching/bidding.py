"""Lesson 5, bidding: how the highest of several honest guesses misleads, what shading does, which cards to pay with.

The winner's curse was first described for oil leases (Capen, Clapp and Campbell, "Competitive bidding in high-risk
situations", Journal of Petroleum Technology 23, 1971). Here the guesses are playouts: each bidder looks at the same lot
through a few worlds of its own, so each guess is right on average, and only their errors matter for who wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from scipy import integrate, stats

from byzanz_lab.advice.forecast import forecast
from byzanz_lab.advice.lots import LotValue, lot_value
from byzanz_lab.advice.trial import PlayoutTrial
from byzanz_lab.charts.theme import SERIES, dressed, faint
from byzanz_lab.evaluation import Comparison, Estimate, compare
from byzanz_lab.exercises import Exercise, Slip, Verdict, not_yet, number, read_whole, right
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_json import load_sample
from byzanz_lab.simulation.encoding import encode, suppose_win
from byzanz_lab.simulation.policies import policies_for

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

WORLDS: Final = 1000
LOT: Final = "Wo4 Wo1 2xD Sp1"
OTHER_HAND: Final = "Wo3 Gr4 Gr1 D"
"""The hand of the first exercise."""
TO_PAY: Final = 6
"""The total of the last exercise."""
AUCTIONS: Final = 20_000
LINES: Final = ((2, False), (4, False), (4, True))
"""Numbers of bidders, and whether all of them shade, that `plot_shading` draws."""


def position(hand: str = "Sp4 Wo3 Wo2 Cl1") -> Position:
    """The moment of this lesson: a lot with two dealers, two bids on the table.

    Examples
    --------
    >>> position().lot, position().high_bid
    (Cards('Sp1 Wo1 Wo4 2xD'), 2)
    """
    return Position.at_table(4, hand=hand, lot=LOT, bids={2: "Ol1", 3: "Wo2"})


def paying() -> Position:
    """The moment about paying: six cards in hand, so a total can be paid in several ways.

    Examples
    --------
    >>> paying().hand
    Cards('Gr1 Gr3 Wi3 Wo3 Wo4 D')
    """
    return load_sample("auction")


def guesses(gains: ArrayLike, bidders: int, worlds: int = 16, auctions: int = AUCTIONS, seed: int = 1) -> Floats:
    """Let bidders guess what a lot is worth, each from a few worlds of its own.

    Parameters
    ----------
    gains
        Worth of the lot in single worlds, see `LotValue.distribution`; their mean is taken for the truth.
    bidders, worlds
        How many guess, and from how many worlds each.
    auctions
        How often.
    seed
        Root of the random numbers.

    Returns
    -------
    ``float64[auctions, bidders]``
        By how many points each guess is above the truth.

    Examples
    --------
    >>> guesses([-1.0, 1.0], bidders=3, auctions=2).shape
    (2, 3)
    """
    values = np.asarray(gains, dtype=float)
    draws = np.random.default_rng(seed).choice(values, size=(auctions, bidders, worlds))
    return np.asarray(draws.mean(axis=2) - values.mean())


def plot_curse(errors: Floats, *, scheme: str = "neutral") -> go.Figure:
    """Draw how far all guesses are off, and how far those are that win.

    Parameters
    ----------
    errors
        What `guesses` gives.
    scheme
        ``neutral``, ``light`` or ``dark``.
    """
    bidders = errors.shape[1]
    drawn = {"all guesses": errors.ravel(), "the highest, which wins": errors.max(axis=1)}
    edges = np.linspace(errors.min(), errors.max(), 50)
    figure, said = go.Figure(), []
    for series, (name, values) in zip(SERIES, drawn.items(), strict=False):
        shares, _ = np.histogram(values, edges)
        mean = Estimate.from_samples(errors.mean(axis=1) if values.size > len(errors) else values, "points")
        figure.add_scatter(
            x=((edges[:-1] + edges[1:]) / 2).tolist(), y=(100 * shares / values.size).tolist(), mode="lines",
            fill="tozeroy", fillcolor=faint(series.colour, 0.25),
            line={"color": series.colour, "dash": series.dash, "shape": "hvh"},
            name=f"{name}: {mean.mean:+.2f} on average", hoverinfo="skip",
        )  # fmt: skip
        figure.add_vline(x=mean.mean, line={"color": series.colour, "dash": series.dash, "width": 1.5})
        said.append(f"{name}: {mean} on average")
    figure.update_xaxes(title_text="guess less true worth (points)")
    figure.update_yaxes(title_text="guesses (%)", rangemode="tozero")
    view = f"{bidders} bidders, {len(errors):,} auctions of one lot; every guess is right on average"
    return dressed(figure, "The winner's curse", view, f"{view}. {'; '.join(said)}.", scheme=scheme)


def shaded_gain(errors: Floats, shade: float, all_shade: bool = False) -> Estimate:
    """What bidder 0 gains in an auction that goes up to the second highest bid, if it bids less than it guesses.

    Parameters
    ----------
    errors
        What `guesses` gives.
    shade
        How many points bidder 0 stays below its guess.
    all_shade
        Whether the others do the same; if not, they go as high as they guess.

    Returns
    -------
    Estimate
        Points an auction: true worth less price where it wins, 0 where it does not.
    """
    highest = errors[:, 1:].max(axis=1) - shade * all_shade
    own = errors[:, 0] - shade
    level = (errors[:, 1:] - shade * all_shade == own[:, None]).sum(axis=1)
    wins = np.where(own >= highest, 1 / (1 + level), 0.0)  # equal bids: a lot is drawn
    return Estimate.from_samples(-highest * wins, "points", f"gain with a shade of {shade:g}")


def plot_shading(
    gains: ArrayLike,
    lines: Sequence[tuple[int, bool]] = ((2, False), (4, False), (4, True)),
    *,
    scheme: str = "neutral",
) -> go.Figure:
    """Draw what staying below one's guess brings.

    Parameters
    ----------
    gains
        As in `guesses`.
    lines
        What to draw, up to six lines: number of bidders, and whether all of them shade.
    scheme
        ``neutral``, ``light`` or ``dark``.
    """
    spread = float(guesses(gains, 1).std())
    shades = np.linspace(0, 2 * spread, 13)
    figure, said = go.Figure(), []
    for series, (n, all_shade) in zip(SERIES, lines, strict=False):
        errors, name = guesses(gains, n), f"{n} bidders, {'all shade' if all_shade else 'you alone'}"
        found = [shaded_gain(errors, shade, all_shade) for shade in shades]
        figure.add_scatter(
            x=shades.tolist(), y=[gain.mean for gain in found], name=name, mode="lines+markers",
            line={"color": series.colour, "dash": series.dash},
            marker={"color": series.colour, "symbol": series.symbol, "size": 7},
            error_y={"type": "data", "array": [gain.half_width() for gain in found], "thickness": 1},
            hovertemplate="shade %{x:.2f}: %{y:+.3f} points an auction<extra></extra>",
        )  # fmt: skip
        said.append(f"{name}: {found[0]} without shading, {found[-1]} with a shade of {shades[-1]:.2f}")
    figure.add_hline(y=0, line={"color": "#797979", "dash": "dash", "width": 1.5})
    figure.update_xaxes(title_text="how far you stay below your guess (points)")
    figure.update_yaxes(title_text="your gain an auction (points)")
    view = f"The others bid what they guess, or shade as well; {AUCTIONS:,} auctions, 95\u00a0% intervals"
    return dressed(figure, "What shading brings", view, f"{view}. {'; '.join(said)}.", scheme=scheme)


def ways_to_pay(here: Position, total: int) -> tuple[Cards, ...]:
    """All sets of goods in hand that come to a total.

    Examples
    --------
    >>> ways_to_pay(paying(), 6)
    (Cards('Wi3 Wo3'), Cards('Gr3 Wo3'), Cards('Gr3 Wi3'))
    """
    goods = here.hand - here.hand.group("D")
    return tuple(cards for cards in goods.submultisets() if cards and cards.total == total)


def compare_payments(here: Position, total: int, worlds: int = WORLDS, seed: int = 1) -> Comparison:
    """Compare all ways to pay one total, supposing that the lot is won with each, in the same worlds.

    Raises
    ------
    ValueError
        If the hand cannot pay this total.
    """
    ways = ways_to_pay(here, total)
    if not ways:
        raise ValueError(f"no cards of {here.hand} come to {total}")
    lines = np.stack([suppose_win(here.seat, cards)[None] for cards in ways])
    prices, ones = np.full(len(ways), total, np.int64), np.ones(len(ways), np.int64)
    players = policies_for(None, here.rules.seats)
    return compare(PlayoutTrial(encode(here), lines, ones, prices, here.seat, players, seed), worlds, racing=False)


def payments(here: Position, total: int, worlds: int = WORLDS, seed: int = 1) -> pd.DataFrame:
    """Say for each way to pay a total what the seat ends with, and how far that is behind the best way.

    Returns
    -------
    DataFrame
        A row a way to pay, best first: profit and difference to the best with 95 % intervals, and the verdict.
    """
    import pandas as pd

    ways, found = ways_to_pay(here, total), compare_payments(here, total, worlds, seed)
    best, verdicts = found.best(), found.verdicts()
    rows = [
        (
            str(ways[i]),
            str(found.estimate(i)),
            "—" if i == best else str(found.difference(i, best)),
            {"best": "best", "level": "level with the best"}.get(verdicts[i], verdicts[i]),
        )
        for i in found.ranking()
    ]
    return pd.DataFrame(rows, columns=["paid with", "profit ± 95 %", "to the best", "verdict"]).set_index("paid with")


def second_of(bidders: int) -> float:
    """Expected second highest of so many independent normal errors, in standard deviations.

    Examples
    --------
    >>> round(second_of(2), 3), round(second_of(4), 3)
    (-0.564, 0.297)
    """
    n, normal = bidders, stats.norm
    found, _ = integrate.quad(
        lambda x: n * (n - 1) * x * normal.pdf(x) * normal.cdf(x) ** (n - 2) * normal.sf(x), -10, 10
    )
    return float(found)


@cache
def _other_lot() -> LotValue:
    return lot_value(position(OTHER_HAND), budget=WORLDS, seed=1)


def _reservation(price: int) -> Verdict:
    found = _other_lot()
    low, high = found.reservation_range
    if (-1 if low is None else low) <= price <= (-1 if high is None else high):
        return right("A thousand worlds leave it open whether one more or less would be right, and that is an answer.")
    if price >= found.prices[-1].total:
        return not_yet("That is all you could pay. Would you rather win at that price or pass?")
    if price == forecast(found.position).quantile(0.5):
        return not_yet("That is what the lot will go for. What it is worth to you is another question.")
    return not_yet("Ask lot_value about this hand, and look where the curve crosses the line of passing.")


def _cards_to_pay(cards: Cards) -> Verdict:
    here = paying()
    if not cards <= here.hand:
        return not_yet(f"You hold {here.hand}.")
    if cards.total != TO_PAY:
        return not_yet(f"These come to {cards.total}, not to {TO_PAY}.")
    if cards.dealers:
        return not_yet("Dealers cannot be bid.")
    found = compare_payments(here, TO_PAY)
    if found.verdicts()[ways_to_pay(here, TO_PAY).index(cards)] == "worse":
        return not_yet("Another way to pay leaves you more. Which of your cards are half of a set already?")
    return right("Money is stock here: what you pay with is what you cannot collect.")


first = Exercise("a price, as a whole number", read_whole, _reservation)
"""The reservation price with `OTHER_HAND`."""

second = number(
    "a number of bidders",
    lambda: next(n for n in range(2, 20) if second_of(n) > 1e-9),
    0,
    "Draw the guesses for several numbers of bidders, and look at the mean of the second highest.",
    slips=[
        Slip(lambda: 2, "Of two guesses the lower one is the price, and it is too low on average."),
        Slip(lambda: 3, "Of three guesses the one in the middle is the price, and on average it is right."),
    ],
    least=2,
    why="From then on, even the second highest guess is too high on average.",
)
"""Number of bidders from which the winner of an open auction loses on average."""

third = Exercise("cards of your hand, such as 'Gr1 Wi3'", Cards, _cards_to_pay)
"""How to pay `TO_PAY`."""
