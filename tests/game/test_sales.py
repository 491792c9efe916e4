"""Sets and the closing sale, against all ways there are."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import example, given, settings, strategies as st

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import best_sale, set_profit, sets_in, tie_cards, why_no_set
from tests.game.strategies import hands, narrow_hands

PLAIN = Rules.for_seats(4)
DEALERS_COUNT = Rules.for_seats(4, tie_counts_dealers=True)


def is_set(cards: list[str]) -> bool:
    """Three cards, none but dealers beside one good."""
    return len(cards) == 3 and len({card[:2] for card in cards if card != "D"}) <= 1


def profit(cards: list[str]) -> int:
    """The best card, or five."""
    return max((int(card[2]) for card in cards if card != "D"), default=5)


def all_ways(
    hand: tuple[str, ...], dealers_count: bool, known: dict[tuple[str, ...], tuple[int, int]]
) -> tuple[int, int]:
    """The best of selling nothing more, or any set and then the best of the rest: profit, cards for the tie."""
    if hand not in known:
        best = (0, sum(dealers_count or card != "D" for card in hand))
        for chosen in set(combinations(hand, 3)):
            if is_set(list(chosen)):
                rest = list(hand)
                for card in chosen:
                    rest.remove(card)
                more, left = all_ways(tuple(rest), dealers_count, known)
                best = max(best, (profit(list(chosen)) + more, left))
        known[hand] = best
    return known[hand]


@given(hands(2, 4) | narrow_hands(4))
def test_set_is_three_cards_of_one_good_and_dealers(cards: Cards) -> None:
    assert (why_no_set(cards) is None) == is_set(cards.codes())
    if is_set(cards.codes()):
        assert set_profit(cards) == profit(cards.codes())
    else:
        with pytest.raises(ValueError, match=re.escape(f"{cards} cannot be sold: a set ")):
            set_profit(cards)


@pytest.mark.parametrize(
    ("cards", "points"),
    [("Wi4 Wi1 D", 4), ("2xCl1 Cl4", 4), ("Gr3 Gr4 D", 4), ("Sp1 2xD", 1), ("Sp3 2xD", 3), ("3xD", 5), ("3xWo1", 1)],
)
def test_set_profit_is_the_best_card_or_five_for_dealers(cards: str, points: int) -> None:
    assert set_profit(Cards(cards)) == points


@given(hands(most=9) | narrow_hands())
def test_sets_in_a_hand_are_all_distinct_ones(hand: Cards) -> None:
    found = sets_in(hand)
    tried = {Cards(chosen) for chosen in combinations(hand.codes(), 3) if is_set(list(chosen))}
    assert len(found) == len(set(found)) and set(found) == tried
    assert sets_in(Cards(str(hand))) == found, "in a fixed order"


@settings(max_examples=300)
@given(hands(most=9) | narrow_hands(), st.sampled_from([PLAIN, DEALERS_COUNT]))
@example(Cards("3xD"), PLAIN)
@example(Cards("5xD Wi1 Wi2"), PLAIN)
@example(Cards("Wi4 Wi4 Wi1 Wi1 Sp4 4xD"), DEALERS_COUNT)
@example(Cards("Wi1 Wi1 Wi1 3xD Sp1 Sp1"), PLAIN)
def test_best_sale_is_the_best_of_all_ways_to_sell(hand: Cards, rules: Rules) -> None:
    sale = best_sale(hand, rules)
    assert (sale.profit, sale.tie_cards) == all_ways(tuple(hand.codes()), rules.tie_counts_dealers, {})
    assert sum(sale.sets, Cards()) + sale.left == hand, "no card is sold twice"
    assert sale.profit == sum(map(set_profit, sale.sets)), "and each set can be sold"
    assert sale.tie_cards == tie_cards(sale.left, rules)


@given(narrow_hands(), hands(most=4))
def test_best_sale_is_not_worse_for_waiting(hand: Cards, later: Cards) -> None:
    """Selling a set now and the rest with what comes later scores no more than selling all later."""
    together = best_sale(hand + later, PLAIN).profit
    for cards in sets_in(hand):
        assert set_profit(cards) + best_sale(hand - cards + later, PLAIN).profit <= together


def test_best_sale_takes_profit_first_then_cards_for_the_tie() -> None:
    sale = best_sale(Cards("Wi4 2xWi1 3xD"), PLAIN)
    assert (sale.profit, sale.left) == (9, Cards()), "9 points and no card left beat 5 points and three left"
    hand = Cards("Wi4 2xWi1 2xD")
    assert best_sale(hand, PLAIN).left == Cards("2xWi1"), "dealers are spent, goods are kept"
    assert best_sale(hand, DEALERS_COUNT).tie_cards == 2
    assert best_sale(Cards("Wi1 Sp2 D"), PLAIN).sets == ()


def test_tie_cards_are_goods_and_dealers_with_a_variant() -> None:
    assert tie_cards(Cards("Wi4 Sp1 2xD"), PLAIN) == 2
    assert tie_cards(Cards("Wi4 Sp1 2xD"), DEALERS_COUNT) == 4
