"""Actions: one text form and one record form each, both exact inverses."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.game import actions as module
from byzanz_lab.game.actions import (
    Action,
    Bid,
    Discard,
    Done,
    Sell,
    Take,
    Tax,
    action_from_dict,
    action_to_dict,
    format_action,
    parse_action,
)
from tests.game.strategies import actions


@given(actions())
def test_text_and_action_are_exact_inverses(action: Action) -> None:
    text = format_action(action)
    assert parse_action(text) == action and format_action(parse_action(text)) == text
    assert parse_action(f"  {text.upper()} ") == action
    assert eval(repr(action), vars(module)) == action


@given(st.integers(0, 5), actions())
def test_record_form_and_action_are_exact_inverses(seat: int, action: Action) -> None:
    entry = action_to_dict(seat, action)
    assert action_from_dict(json.loads(json.dumps(entry))) == (seat, action)
    assert action_to_dict(*action_from_dict(entry)) == entry


@pytest.mark.parametrize(
    ("action", "text", "entry"),
    [
        (Bid("Sp2 Cl1"), "bid Cl1 Sp2", {"type": "bid", "cards": ["Cl1", "Sp2"]}),
        (Sell("D Wi1 Wi4"), "sell Wi1 Wi4 D", {"type": "sell", "cards": ["Wi1", "Wi4", "D"]}),
        (Discard("2xCl1"), "discard 2xCl1", {"type": "discard", "cards": ["Cl1", "Cl1"]}),
        (Tax("grain 1"), "tax Gr1", {"type": "tax", "card": "Gr1"}),
        (Take("wine"), "take Wi", {"type": "take", "good": "Wi"}),
        (Take("dealers"), "take D", {"type": "take", "good": "D"}),
        (Done(), "done", {"type": "done"}),
    ],
)
def test_forms_are_the_ones_of_the_record_format(action: Action, text: str, entry: dict[str, Any]) -> None:
    assert str(action) == text
    assert action_to_dict(3, action) == {"player": 3} | entry


@pytest.mark.parametrize(
    "text",
    ["", "bid", "bid -", "bid Wi9", "tax", "tax 2xD", "take", "take Wi4", "take xx", "pass 1", "fold", "sell,Wi1"],
)
def test_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"unknown|needs at least one card|not one card"):
        parse_action(text)


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        action = parse_action(text)
    except ValueError as error:
        assert str(error)
    else:
        assert parse_action(str(action)) == action


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ([], "an action is an object"),
        ({"type": "pass"}, "needs a player number, not null"),
        ({"player": True, "type": "pass"}, "needs a player number, not true"),
        ({"player": 0.5, "type": "pass"}, "needs a player number, not 0.5"),
        ({"player": 0}, "needs a type, not null"),
        ({"player": 0, "type": ["pass"]}, "needs a type, not a list"),
        ({"player": 0, "type": "fold"}, "unknown action type 'fold'"),
        ({"player": 0, "type": "fold", "cards": []}, "unknown action type 'fold'"),
        ({"player": 0, "type": "pass", "cards": ["Wi1"]}, "unknown field 'cards' in a pass action"),
        ({"player": 0, "type": "bid", "card": "Wi1"}, "unknown field 'card' in a bid action"),
        ({"player": 0, "type": "bid"}, "a bid needs a list of cards, not null"),
        ({"player": 0, "type": "bid", "cards": "Wi1"}, "a bid needs a list of cards, not 'Wi1'"),
        ({"player": 0, "type": "bid", "cards": []}, "bid needs at least one card"),
        ({"player": 0, "type": "bid", "cards": ["wi1"]}, "unknown card 'wi1'"),
        ({"player": 0, "type": "bid", "cards": ["2xWi1"]}, "unknown card '2xWi1'"),
        ({"player": 0, "type": "sell", "cards": [1, 2, 3]}, "a card is a text such as 'Wi4', not int"),
        ({"player": 0, "type": "tax"}, "a tax needs a card such as 'Wi4', not null"),
        ({"player": 0, "type": "tax", "card": "dealer"}, "a tax needs a card such as 'Wi4', not 'dealer'"),
        ({"player": 0, "type": "take", "good": {}}, "a take needs a group (Cl Gr Ol Sp Wi Wo D), not an object"),
        ({"player": 0, "type": "take", "good": "wine"}, "not 'wine'"),
    ],
)
def test_broken_entries_are_refused_in_a_sentence(entry: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        action_from_dict(entry)


def test_actions_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Tax("D").card = "Wi4"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Bid("Wi4").cards = Bid("Wi3").cards  # type: ignore[misc]
