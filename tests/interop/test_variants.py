"""Any variant: the matrix of the rulings' variants and the layers that the rules pass through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from byzanz_lab.game.record import InvalidRecord, Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import tie_cards
from tests.interop.variant_layers import ANSWERING, PLAYING

VARIANTS = [
    Rules.for_seats(4, hand_limit=8),
    Rules.for_seats(5, last_card_to_hand=True),
    Rules.for_seats(3, may_decline_market=True),
    Rules.for_seats(4, tie_counts_dealers=True),
    Rules.for_seats(6, hand_limit=8, last_card_to_hand=True, may_decline_market=True, tie_counts_dealers=True),
]
"""Each variant alone, at a table where it matters, and all together."""


def plain(rules: Rules) -> Rules:
    return Rules.for_seats(rules.seats)


def would_differ(record: Record) -> bool:
    """Whether this game could not have gone like this, or not have ended like this, under the plain rules."""
    final = record.replay()
    try:
        other = replace(record, rules=plain(record.rules), result=None).replay()
    except InvalidRecord:
        return True
    ends = [[tie_cards(hand, state.rules) for hand in state.hands] for state in (final, other)]
    return ends[0] != ends[1] or replace(final.table, rules=other.rules) != other.table


def test_every_variant_of_the_rulings_is_walked() -> None:
    assert {name for rules in VARIANTS for name in rules.variant} == set(Rules.variant_names())


@pytest.mark.parametrize("layer", PLAYING, ids=lambda layer: layer.__name__)
@pytest.mark.parametrize("rules", VARIANTS, ids=repr)
def test_games_are_played_by_the_variant(rules: Rules, layer: Callable[[Rules], Iterator[Record]]) -> None:
    records = list(layer(rules))
    assert {record.rules for record in records} == {rules}
    assert any(map(would_differ, records))


@pytest.mark.parametrize("layer", ANSWERING, ids=lambda layer: layer.__name__)
@pytest.mark.parametrize("rules", VARIANTS, ids=repr)
def test_answers_are_given_by_the_variant(rules: Rules, layer: Callable[[Rules, Rules], Iterator[str]]) -> None:
    answers = list(layer(rules, rules))
    assert answers
    assert answers != list(layer(plain(rules), rules))


@pytest.mark.parametrize("layer", PLAYING[:3], ids=lambda layer: layer.__name__)
def test_a_game_by_the_plain_rules_would_not_be_taken_for_another(
    layer: Callable[[Rules], Iterator[Record]],
) -> None:
    assert not any(map(would_differ, layer(Rules.for_seats(3))))
