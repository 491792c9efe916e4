"""Lesson 2, the rules by playing a round: a game to begin with, players for the parts one need not type, exercises.

Nothing here knows a rule. What may be done, who is on the move and what a hand can sell is asked of `byzanz_lab.game`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.exercises import Exercise, Slip, Verdict, not_yet, number, right
from byzanz_lab.game.actions import Bid, format_action, parse_action
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import best_sale
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import IllegalAction, Phase
from byzanz_lab.simulation.policies import default_policy

if TYPE_CHECKING:
    import pandas as pd

SEED: Final = 51
FIRST_AUCTION: Final = ("bid Ol2", "bid Cl1 Wi2", "pass", "pass", "bid Wi2", "pass", "tax Gr1")
"""What the lesson's notebook types, one decision after the other."""
SALE: Final = Cards("Wi4 Wi2 Sp3 Sp1 3xD")
"""The hand of the exercise about sets."""


def start() -> State:
    """The game of this lesson, just dealt: four seats, the first lot on the table.

    Examples
    --------
    >>> str(start().table.lot), start().to_move
    ('Cl2 Gr1 2xWi1 D', 0)
    """
    return new_game(Rules.for_seats(4), SEED)


def try_out(state: State, action: str) -> str:
    """Say whether the seat on the move may do this, and if not, why not; nothing is done.

    Examples
    --------
    >>> try_out(start(), "bid Wo3")
    'seat 0: bid Wo3 is allowed'
    >>> try_out(start(), "bid Sp4")
    'seat 0: bid Sp4 is not allowed: the hand does not hold Sp4'
    """
    try:
        state.verify(parse_action(action))
    except IllegalAction as error:
        return str(error)
    return f"seat {state.to_move}: {action} is allowed"


def play_on(state: State, until: str) -> tuple[State, pd.DataFrame]:
    """Let the default policy play all seats, until the first decision of a phase, or the end of the game.

    Parameters
    ----------
    state
        A moment of a game.
    until
        Name of a phase: ``auction``, ``market``, ``closing``, ….

    Returns
    -------
    tuple of State and DataFrame
        The moment reached; and what was done, a row a decision.

    Raises
    ------
    ValueError
        If there is no such phase.

    Examples
    --------
    >>> reached, done = play_on(start(), "tax")
    >>> str(reached.phase), list(done.columns)
    ('tax', ['seat', 'action', 'market', 'high bid'])
    """
    import pandas as pd

    phase, policy = Phase(until), default_policy()
    rows: list[tuple[int, str, str, int]] = []
    while not state.is_over and (state.phase is not phase or not rows):
        seat = state.to_move
        assert seat is not None
        action = policy.choose(observe(state, seat))
        state = state.apply(action)
        rows.append((seat, format_action(action), str(state.table.market), state.table.high_bid))
    return state, pd.DataFrame(rows, columns=["seat", "action", "market", "high bid"])


@cache
def market_moment() -> State:
    """The first market of the lesson's game: after the typed auction, the others are played by the policy."""
    state = start()
    for text in FIRST_AUCTION:
        state = state.apply(parse_action(text))
    return play_on(state, "market")[0]


def raising() -> Position:
    """The moment of the exercise about raising: an own open bid, and a higher one to beat."""
    bids = {0: "Ol1", 1: "Sp2", 2: "Wo4"}
    return Position.at_table(4, hand="Cl1 Gr2 Gr3", lot="Sp3 2xSp2 D Cl2", bids=bids, passed=[3], to_move=0)


def _smallest_raise(cards: Cards) -> Verdict:
    here = raising()
    open_bid, needed = here.bids[here.seat], here.high_bid + 1
    if open_bid <= cards:
        return not_yet("Your open bid lies on the table already. Name only what you add to it.")
    try:
        here.verify(Bid(cards))
    except (IllegalAction, ValueError) as error:
        return not_yet(f"The rules do not allow it: {error}.")
    least = min((open_bid + a.cards).total for a in here.legal_actions() if isinstance(a, Bid))
    if (open_bid + cards).total > least:
        return not_yet("It is allowed, but a cheaper raise is, too. What you have bid already counts.")
    return right(f"With the open {open_bid} it makes {needed}, one more than the highest bid.")


def _order(answer: Any) -> list[int]:
    seats = [int(number) for number in re.findall(r"\d+", str(answer))]
    if sorted(seats) != list(range(4)):
        raise ValueError("each of the seats 0 to 3 picks once")
    return seats


def _picks(seats: list[int]) -> Verdict:
    order = list(market_moment().table.pick_order)
    if seats == order:
        return right("Who took a small lot, picks before those who took a large one.")
    if seats == order[::-1]:
        return not_yet("That is the order from the highest offer card down. Small lots have to have some advantage.")
    if seats == sorted(seats):
        return not_yet("Seats are not asked in the order of their numbers. What did each of them win in this round?")
    return not_yet("Look at the offer cards that the seats have won in this round, and at ruling market-order.")


def _added(answer: Any) -> Cards:
    return Cards(answer.strip().removeprefix("bid ")) if isinstance(answer, str) else Cards(answer)


first = Exercise("the cards to add, such as 'Gr2 Gr3'", _added, _smallest_raise)
"""The smallest bid that is allowed in `raising`."""

second = Exercise("the seats in the order in which they pick, such as '0 1 2 3'", _order, _picks)
"""Who picks when from the lesson's first market."""

third = number(
    "a number of points",
    lambda: best_sale(SALE, Rules.for_seats(4)).profit,
    0,
    "A set is three cards of one good, up to two of them dealers, or three dealers. It scores its best card only.",
    slips=[
        Slip(
            lambda: Rules.dealer_set_profit, "That is what three dealers score together. There is other use for them."
        ),
        Slip(lambda: 4, "One set is not all: some cards are left that make another."),
        Slip(lambda: SALE.total, "These are the values of all cards. A set scores its best card only."),
        Slip(lambda: 4 + Rules.dealer_set_profit, "Each dealer can be used once: count them."),
    ],
    why="The third dealer is left over, and scores nothing.",
)
"""The most that the hand `SALE` can score."""
