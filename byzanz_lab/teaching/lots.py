"""Lesson 4, what a lot is worth: expected value, variance, what is not sure yet (a pair, a dealer), and what one wants.

Values are gains over passing, since a lot that is let go is not the last one. A pair or a dealer is an *option*: worth
nothing if the game ended now, and worth the more, the more rounds are to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final

import plotly.graph_objects as go

from byzanz_lab.advice.advise import Advice, advise
from byzanz_lab.advice.lots import LotValue, lot_value
from byzanz_lab.charts.theme import SERIES, dressed
from byzanz_lab.exercises import Exercise, Slip, Verdict, not_yet, number, right
from byzanz_lab.game.actions import Action, format_action
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_text import parse_position
from byzanz_lab.game.table import IllegalAction
from byzanz_lab.simulation.policies import default_policy
from byzanz_lab.teaching.counting import position
from byzanz_lab.teaching.first_advice import read_action

if TYPE_CHECKING:
    import pandas as pd

WORLDS: Final = 1000
PRICE: Final = 7
"""The price that the first exercise asks about."""
LAST_ROUND: Final = (
    "byzanz 4 seats; you are seat 1; round 6; phase auction; to move 1; hand Wi2 2xWi3 Wo4 D; lot Cl3 Gr1 Gr2; "
    "market Cl1 Gr2 Ol2 Sp3 Wo2; gone 3xCl1 2xCl2 2xCl3 Cl4 4xGr1 2xGr2 2xGr3 Gr4 5xOl1 4xOl2 3xOl3 5xSp1 2xSp2 Sp3 "
    "2xSp4 5xWi1 Wi2 Wi4 5xWo1 2xWo2 2xWo3 14xD; seat 0: offer 4, known Cl1 Cl2 Cl4 Ol4 Sp2, unknown 0, profit 18; "
    "seat 1: known Wi2 2xWi3 Wo4 D, profit 19; seat 2: offer 5, known Gr1 Gr3 Wi1 2xWo2 Wo4, unknown 0, profit 19; "
    "seat 3: known Sp3 2xWi2 Wi3 Wi4, unknown 0, profit 18"
)
"""A moment of a last round in which most profit and most wins ask for different choices, without any error."""


@cache
def value() -> LotValue:
    """What the lot of `position` is worth, as the lesson's notebook computes it."""
    return lot_value(position(), budget=WORLDS, seed=1)


def last_round() -> Position:
    """Round 6, the lot of three cards: all hands are known but for a few cards, so the answer is exact."""
    return parse_position(LAST_ROUND)


@cache
def last_advice() -> Advice:
    """What to do in `last_round`."""
    return advise(last_round())


def pair() -> Position:
    """The moment of the second exercise: a pair of wine in hand, two cards that go with nothing.

    Examples
    --------
    >>> pair().hand
    Cards('Cl1 Gr1 Wi2 Wi4')
    """
    return Position.at_table(4, hand="Wi4 Wi2 Gr1 Cl1", lot="Sp3 2xSp2 D Cl2", bids={2: "Ol1", 3: "Wo2"})


def plot_options(hands: Sequence[str], *, scheme: str = "neutral") -> go.Figure:
    """Draw what hands are worth to the default policy, by the number of rounds to come.

    Parameters
    ----------
    hands
        Up to six hands, as texts.
    scheme
        ``neutral``, ``light`` or ``dark``.
    """
    policy, rounds = default_policy(), list(range(6, -1, -1))
    figure, said = go.Figure(), []
    for series, hand in zip(SERIES, hands, strict=False):
        worth = [policy.hand_value(Cards(hand), left) for left in rounds]
        figure.add_scatter(
            x=rounds, y=worth, name=hand, mode="lines+markers",
            line={"color": series.colour, "dash": series.dash},
            marker={"color": series.colour, "symbol": series.symbol, "size": 8},
            hovertemplate="%{x} rounds to come: %{y:.2f} points<extra>" + hand + "</extra>",
        )  # fmt: skip
        said.append(f"{hand}: {worth[0]:.2f} with 6 rounds to come, {worth[-2]:.2f} with 1, {worth[-1]:.2f} at the end")
    figure.update_xaxes(title_text="rounds to come", autorange="reversed", dtick=1)
    figure.update_yaxes(title_text="worth of the hand (points)", rangemode="tozero")
    view = "As the default policy values them; at the end only sets count"
    words = f"{view}. {'; '.join(said)}."
    return dressed(figure, "What a hand may still become", view, words, scheme=scheme)


def compare_lots(here: Position, lots: Iterable[str], price: int, worlds: int = 512, seed: int = 1) -> pd.DataFrame:
    """Compare what winning different lots at one price would bring the seat, over passing.

    Returns
    -------
    DataFrame
        A row a lot: gain over passing in points, half of its 95 % interval, and the reservation price.
    """
    import pandas as pd

    rows = []
    for lot in lots:
        found = lot_value(here, lot, worlds, seed)
        gain = next(p.value["profit"] for p in found.prices if p.total == price)
        rows.append((str(Cards(lot)), round(gain.mean, 2), round(gain.half_width(), 2), found.reservation_price))
    frame = pd.DataFrame(rows, columns=["lot", f"gain at {price}", "± 95 %", "reservation price"])
    return frame.astype({"reservation price": "Int64"}).set_index("lot")


def chance_of_a_third(groups: Sequence[str] = ("Wi", "D")) -> float:
    """Chance that the next lot holds one card or more of these groups, as `pair` sees it."""
    here = pair()
    n, fitting = len(here.unseen), sum(here.unseen.count(group) for group in groups)
    return 1 - comb(n - fitting, 4) / comb(n, 4)


def _how_many_fit() -> float:
    here = pair()
    return 4 * 4 * (here.unseen.count("Wi") + here.unseen.dealers) / len(here.unseen)


def _for_the_win(action: Action) -> Verdict:
    found = last_advice()
    try:
        found.position.verify(action)
    except IllegalAction as error:
        return not_yet(f"The rules do not allow it: {error}.")
    if action == found.with_objective("win").best.action:
        return right(
            "It brings fewer points on average. But what you pay lies in the market, where rivals take it, and it is "
            "them that one has to beat."
        )
    if action == found.best.action:
        return not_yet("That brings the most points. Is it also what wins most often?")
    return not_yet(f"{format_action(action)!r} does not win most often. Ask the advice about another objective.")


def _worse_at(price: int) -> float:
    return float((value().distribution(price) < 0).mean())


first = number(
    "a share from 0 to 1, right to 0.03",
    lambda: _worse_at(PRICE),
    0.03,
    "Take lot.distribution with the price asked for, and count the worlds in which the gain is below nought.",
    slips=[
        Slip(lambda: float((value().distribution(PRICE) <= 0).mean()), "A world without any change is not worse."),
        Slip(lambda: float((value().distribution(PRICE) > 0).mean()), "That is the share of worlds that are better."),
        Slip(lambda: _worse_at(3), "That is the share for a price of 3."),
    ],
    least=0,
    most=1,
    why="Even a price that is far too high pays in many single games; only the mean tells that it is too high.",
)
"""How often winning at `PRICE` is worse than passing."""

second = number(
    "a number of points, to two decimals",
    lambda: 4 * chance_of_a_third(),
    0.02,
    "What is the chance that one card or more of the next four completes the set, and what does the set score?",
    slips=[
        Slip(chance_of_a_third, "That is the chance. How many points does the set bring when it comes?"),
        Slip(lambda: 4 * chance_of_a_third(["Wi"]), "Wine is not the only card that completes the set."),
        Slip(_how_many_fit, "You have counted each fitting card, but a second one does not make a second set."),
        Slip(lambda: 4 * (1 - chance_of_a_third()), "That goes with the chance that nothing fits."),
        Slip(lambda: 6 * chance_of_a_third(), "A set scores its best card, not the sum of them."),
    ],
    least=0,
    most=12,
    why="The pair is an option: four points, times the chance that they come.",
)
"""What the pair of `pair` is worth if one more lot comes, for nothing."""

third = Exercise("an action, such as 'pass' or 'bid Wo4'", read_action, _for_the_win)
"""What to do in `last_round` if only winning counts."""
