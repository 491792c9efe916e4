"""The numbers of the rules, and the variants."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from byzanz_lab.game.rules import Rules
from tests.game.random_play import ALL_VARIANTS

NUMBERS = {  # seats: offer cards, removed, rounds, cards auctioned
    3: ((6, 4, 2), 4, 8, 96),
    4: ((5, 4, 3, 2), 12, 6, 84),
    5: ((5, 4, 3, 2, 1), 2, 6, 90),
    6: ((6, 5, 4, 3, 2, 1), 4, 4, 84),
}


@pytest.mark.parametrize("seats", NUMBERS)
def test_numbers_of_each_table_size(seats: int) -> None:
    rules = Rules.for_seats(seats)
    assert (rules.offers, rules.removed, rules.rounds, rules.cards_auctioned) == NUMBERS[seats]
    assert rules.start_hand * seats + rules.removed + rules.cards_auctioned == rules.n_cards == 112
    assert rules.hand_limit == 7 and rules.variant == {}


@pytest.mark.parametrize("seats", NUMBERS)
def test_deck_left_counts_down_to_nothing(seats: int) -> None:
    rules = Rules.for_seats(seats)
    left = [rules.deck_left(round_, lots) for round_ in range(1, rules.rounds + 1) for lots in range(seats + 1)]
    assert left[0] == rules.cards_auctioned and left[-1] == 0
    drawn = [before - after for before, after in pairwise(left)]
    assert drawn == [*(*rules.offers, 0) * (rules.rounds - 1), *rules.offers]


@pytest.mark.parametrize("variant", ALL_VARIANTS, ids=str)
def test_variants_are_off_by_default_and_listed_when_on(variant: dict[str, Any]) -> None:
    rules = Rules.for_seats(5, **variant)
    assert rules.variant == variant
    assert eval(repr(rules), {"Rules": Rules}) == rules
    assert (rules == Rules.for_seats(5)) == (not variant)


@pytest.mark.parametrize(
    ("seats", "variant", "complaint"),
    [
        (2, {}, "3 to 6 seats, not 2"),
        (7, {}, "3 to 6 seats, not 7"),
        (True, {}, "3 to 6 seats, not true"),
        ("4", {}, "3 to 6 seats, not '4'"),
        (4.0, {}, "3 to 6 seats, not 4.0"),
        (4, {"hand_limit": 6}, "hand_limit must be 7 or 8, not 6"),
        (4, {"hand_limit": 8.0}, "hand_limit must be 7 or 8, not 8.0"),
        (4, {"hand_limit": [8] * 1000}, "hand_limit must be 7 or 8, not a list"),
        (4, {"last_card_to_hand": 1}, "last_card_to_hand must be true or false, not 1"),
        (4, {"seats": 5}, "unknown variant 'seats'"),
        (4, {"house_rule": True}, "unknown variant 'house_rule' (variants are hand_limit, last_card_to_hand, "),
    ],
)
def test_what_cannot_be_is_refused(seats: Any, variant: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        Rules.for_seats(seats, **variant)


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Rules.for_seats(4).hand_limit = 8  # type: ignore[misc]
