"""Games set up for a test: chosen hands and lots, moves written as text."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from byzanz_lab.game.actions import Bid, Discard, Sell, parse_action
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, deal
from byzanz_lab.game.table import Phase


def begin(hands: list[str], lots: str = "", start: int = 0, **variant: Any) -> State:
    """A game with these hands and these lots (``"Wi4 D | Sp1"``) on top of the deck; the rest is shuffled."""
    rules = Rules.for_seats(len(hands), **variant)
    piles = [Cards(hand) for hand in hands]
    top = [code for lot in lots.split("|") for code in Cards(lot).codes()]
    rest = Cards.from_counts(rules.copies) - sum(piles, Cards()) - Cards(top)
    codes = rest.codes()
    random.Random(len(hands)).shuffle(codes)
    return deal(rules, piles, top + codes[rules.removed :], Cards(codes[: rules.removed]), start)


def play(state: State, *moves: str) -> State:
    """Play moves such as ``"0 bid Cl1"``."""
    for move in moves:
        seat, text = move.split(" ", 1)
        state = state.apply(parse_action(text), int(seat))
    return state


def options(state: State, seat: int | None = None) -> set[str]:
    """The legal actions as texts."""
    return {str(action) for action in state.legal_actions(seat)}


def bids(state: State) -> set[str]:
    """The legal bids as texts."""
    return {str(action) for action in state.legal_actions() if isinstance(action, Bid)}


def sales(state: State, seat: int) -> set[str]:
    """The legal sales of a seat as texts."""
    return {str(action) for action in state.legal_actions(seat) if isinstance(action, Sell)}


def drops(state: State) -> set[int]:
    """How many cards may be dropped at once."""
    return {len(action.cards) for action in state.legal_actions() if isinstance(action, Discard)}


def closing(hands: list[str], profits: list[int] | None = None, **variant: Any) -> State:
    """The closing sale, with these hands; everything else has left the game."""
    start = begin(["4xCl1", "4xGr1", "4xOl1", "4xSp1", "4xWi1", "4xWo1"][: len(hands)], **variant)
    piles = tuple(Cards(hand) for hand in hands)
    rules = start.rules
    assert start.removed is not None
    table = replace(
        start.table,
        phase=Phase.CLOSING,
        to_move=0,
        round=rules.rounds,
        lot=Cards(),
        offers=rules.offers,
        picked=rules.seats,
        profits=tuple(profits or [0] * len(hands)),
        sizes=tuple(map(len, piles)),
        gone=Cards.from_counts(rules.copies) - sum(piles, Cards()) - start.removed,
    )
    return State(table, piles, (), start.removed)
