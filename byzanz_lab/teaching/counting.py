"""Lesson 3, counting cards: exact chances by formula, and the same by dealing.

What no one has seen is a draw without replacement from the unseen cards, so chances in Byzanz are hypergeometric, and
`byzanz_lab.advice.beliefs` knows them. The lesson puts sampled worlds beside the formula. Where a formula would take an
afternoon, as for the richest of three purses, sampling answers at once, with an error that can be told.
"""

from __future__ import annotations

from functools import cache
from math import comb, prod
from typing import Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from byzanz_lab.advice.beliefs import Distribution, count_in_hand, count_in_next_lot, next_lot_size
from byzanz_lab.charts.theme import SERIES, dressed, faint
from byzanz_lab.evaluation import Estimate
from byzanz_lab.exercises import Slip, number
from byzanz_lab.game.cards import VALUES
from byzanz_lab.game.position import Position
from byzanz_lab.simulation.worlds import Worlds, determinize

WORLDS: Final = 20_000
"""Worlds behind the answer of the last exercise."""
RICH: Final = 9
"""The purse that the last exercise asks about."""


def position() -> Position:
    """The moment that this lesson and some others are about: the first lot of a game for four, two bids on the table.

    Examples
    --------
    >>> str(position().hand), len(position().unseen)
    ('Cl1 Sp4 Wo2 Wo3', 101)
    """
    return Position.at_table(4, hand="Sp4 Wo3 Wo2 Cl1", lot="Sp3 2xSp2 D Cl2", bids={2: "Ol1", 3: "Wo2"})


def purses(worlds: Worlds) -> NDArray[np.int64]:
    """What each seat could bid in all, in each world: ``int64[n_worlds, n_seats]``, open bids included.

    Examples
    --------
    >>> purses(determinize(position(), 3)).shape
    (3, 4)
    """
    bids = np.array([bid.total for bid in worlds.position.bids])
    return np.asarray(worlds.hands.astype(np.int64) @ np.array(VALUES) + bids)


def plot_sampled(exact: Distribution, sampled: ArrayLike, *, scheme: str = "neutral") -> go.Figure:
    """Draw exact chances as bars, and the shares in which sampled worlds show each number as marks with 95 % intervals.

    Parameters
    ----------
    exact
        Chances of a number, from `byzanz_lab.advice.beliefs`.
    sampled
        The number in each of the worlds, ``[n_worlds]``.
    scheme
        ``neutral``, ``light`` or ``dark``.
    """
    counted = np.asarray(sampled)
    shares = [Estimate.from_samples(counted == value, "share") for value in exact.values]
    bars, marks = SERIES[0], SERIES[1]
    figure = go.Figure()
    figure.add_bar(
        x=exact.values.tolist(), y=(100 * exact.chances).tolist(), name="by formula",
        marker={"color": faint(bars.colour, 0.4), "line": {"color": bars.colour, "width": 1.2}},
        hovertemplate="%{x}: %{y:.1f} %<extra>by formula</extra>",
    )  # fmt: skip
    ends = [share.interval() for share in shares]
    figure.add_scatter(
        x=exact.values.tolist(), y=[100 * share.mean for share in shares], mode="markers", name="by sampling, 95 %",
        marker={"color": marks.colour, "symbol": marks.symbol, "size": 9},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [100 * (high - share.mean) for share, (_, high) in zip(shares, ends, strict=True)],
            "arrayminus": [100 * (share.mean - low) for share, (low, _) in zip(shares, ends, strict=True)],
        },
        hovertemplate="%{x}: %{y:.1f} %<extra>by sampling</extra>",
    )  # fmt: skip
    figure.update_xaxes(title_text="number of cards", dtick=1)
    figure.update_yaxes(title_text="chance (%)", rangemode="tozero")
    view = f"Exact chances, and shares of {len(counted):,} sampled worlds with 95\u00a0% intervals"
    pairs = zip(exact.values, exact.chances, shares, strict=True)
    said = "; ".join(f"{v}: {100 * p:.1f} %, sampled {100 * s.mean:.1f} %" for v, p, s in pairs)
    question = exact.question[0].upper() + exact.question[1:]
    return dressed(figure, question, view, f"{question}. {view}. {said}.", scheme=scheme)


def spice_to_come() -> float:
    """Chance that the next lot holds a spice card or more."""
    return count_in_next_lot(position(), "Sp").at_least(1)


def a_dealer_among_rivals() -> float:
    """Chance that at least one rival holds a dealer: none is missing from all their unknown cards together."""
    here = position()
    n, dealers, drawn = len(here.unseen), here.unseen.dealers, sum(here.unknown)
    return 1 - comb(n - dealers, drawn) / comb(n, drawn)


@cache
def a_rich_rival() -> float:
    """Share of worlds in which the richest rival could bid `RICH` or more."""
    return float((purses(determinize(position(), WORLDS))[:, 1:].max(axis=1) >= RICH).mean())


def _with_replacement() -> float:
    here = position()
    return 1 - (1 - here.unseen.count("Sp") / len(here.unseen)) ** next_lot_size(here)


def _whole_pack() -> float:
    return 1 - comb(112 - 16, 4) / comb(112, 4)


def _one_rival(seat: int) -> float:
    return count_in_hand(position(), seat, "D").at_least(1)


def _without_bids() -> float:
    worlds = determinize(position(), WORLDS)
    hands = worlds.hands.astype(np.int64) @ np.array(VALUES)
    return float((hands[:, 1:].max(axis=1) >= RICH).mean())


first = number(
    "a chance from 0 to 1, to three decimals",
    spice_to_come,
    0.002,
    "Ask how likely it is that none of the cards of the next lot is spice, with N and K from the position.",
    slips=[
        Slip(lambda: 1 - spice_to_come(), "That is the chance that there is none."),
        Slip(
            lambda: count_in_next_lot(position(), "Sp").exactly(1),
            "That is the chance of exactly one; more is welcome.",
        ),
        Slip(_with_replacement, "Close, but a card that has been drawn is gone: the next draw has one card less."),
        Slip(
            _whole_pack,
            "You have counted all 112 cards. What lies open or in your hand cannot come any more.",
        ),
    ],
    least=0,
    most=1,
    why="The chance of none is C(N - K, n) / C(N, n), and this is the rest.",
)
"""Chance of a spice card in the next lot."""

second = number(
    "a chance from 0 to 1, to three decimals",
    a_dealer_among_rivals,
    0.002,
    "Lay the unknown cards of all three rivals together: they are one draw from the unseen cards.",
    slips=[
        Slip(
            lambda: min(1.0, sum(_one_rival(seat) for seat in (1, 2, 3))),
            "Chances of things that can happen together must not be added up; here they would exceed 1.",
        ),
        Slip(
            lambda: 1 - prod(1 - _one_rival(seat) for seat in (1, 2, 3)),
            "Nearly. You have multiplied as if the hands did not know of each other, yet a dealer in one hand is "
            "missing for the others.",
        ),
        Slip(lambda: 1 - a_dealer_among_rivals(), "That is the chance that none of them holds one."),
        Slip(lambda: _one_rival(1), "That is the chance for seat 1 alone."),
        Slip(lambda: _one_rival(2), "That is the chance for one rival alone."),
    ],
    least=0,
    most=1,
    why="Which hand a card lies in does not matter here, so the three hands are one draw of all their unknown cards.",
)
"""Chance that at least one rival holds a dealer."""

third = number(
    "a share from 0 to 1, from 2,000 worlds or more",
    a_rich_rival,
    0.03,
    "In each world take the largest of the three purses, then count the worlds in which it is large enough.",
    slips=[
        Slip(_without_bids, "An open bid belongs to the purse as well, although it is not in hand."),
        Slip(
            lambda: float((purses(determinize(position(), 4000))[:, 1] >= RICH).mean()),
            "That is one rival's chance. Of three rivals, the richest counts.",
        ),
    ],
    least=0,
    most=1,
    why=f"More than {WORLDS:,} worlds would not change it by a hundredth.",
)
"""Chance that the richest rival could bid `RICH` or more."""
