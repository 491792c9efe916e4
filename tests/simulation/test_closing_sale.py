"""The closing sale of the kernels is the exact optimum that `game.sales.best_sale` finds another way."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from byzanz_lab.game.actions import Done, Sell
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import best_sale, set_profit, tie_cards
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import blank_board, blank_work, decode_action, pack
from tests.game.strategies import hands, narrow_hands


def closing_sale(hand: Cards, rules: Rules) -> tuple[int, Cards]:
    """Profit and what is left when a kernel sells a hand set by set until it is done."""
    board, work, profit = blank_board(rules), blank_work(), 0
    while True:
        action = decode_action(*k.decide_closing(pack(hand), board, work))
        if isinstance(action, Done):
            return profit, hand
        assert isinstance(action, Sell)
        hand, profit = hand - action.cards, profit + set_profit(action.cards)


@settings(max_examples=400)
@given(st.one_of(hands(most=13), narrow_hands(most=13)), st.booleans())
def test_the_closing_sale_is_the_exact_optimum(hand: Cards, tie_counts_dealers: bool) -> None:
    rules = Rules.for_seats(4, tie_counts_dealers=tie_counts_dealers)
    best = best_sale(hand, rules)
    profit, left = closing_sale(hand, rules)
    assert profit == best.profit
    assert tie_cards(left, rules) == best.tie_cards


@given(narrow_hands(most=60))
def test_also_of_hands_bigger_than_any_game_has(hand: Cards) -> None:
    assert closing_sale(hand, Rules.for_seats(4))[0] == best_sale(hand, Rules.for_seats(4)).profit


def test_three_dealers_are_worth_more_than_what_they_could_replace() -> None:
    assert closing_sale(Cards("Wi1 3xD"), Rules.for_seats(4)) == (5, Cards("Wi1"))
    assert closing_sale(Cards("Wi4 Wi3 4xD"), Rules.for_seats(4)) == (9, Cards())


def test_tables_cover_all_states_of_a_good() -> None:
    assert np.array_equal(k.SIZE_AND_PURSE & 255, k._DIGITS.sum(axis=1))
    assert k.N_STATES == len(k.SIZE_AND_PURSE) == 504 and k.SIZE_AND_PURSE[-1] == 16 + 256 * 33
