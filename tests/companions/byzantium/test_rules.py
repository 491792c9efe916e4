"""The numbers of Byzantium, cards, actions and tableaux as values and as text."""

from __future__ import annotations

import importlib
import pickle

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.companions import byzantium
from byzanz_lab.companions.byzantium.actions import Pass, Place, action_from_dict, action_to_dict, parse_action
from byzanz_lab.companions.byzantium.cards import ALL_CARDS, CARDS, Cards, name_of, parse_card, rank_of
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, deal
from byzanz_lab.companions.byzantium.tableau import MIRRORS, parse_tableau
from tests.companions.byzantium.play import ALL_RULES, moments

HANDS = st.sets(st.sampled_from(CARDS)).map(Cards)


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_rules_can_be_pasted_back_and_made_from_their_variants(rules: Rules) -> None:
    assert eval(repr(rules), {"Rules": Rules}) == rules
    assert Rules.for_players(rules.players, **rules.variant) == rules


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": 5}, "played by 1 to 4 players, not 5"),
        ({"players": True}, "played by 1 to 4 players"),
        ({"players": 2, "stop_at_first_misfit": True}, "variant of solitaire"),
        ({"players": 1, "direction_per_branch": "yes"}, "direction_per_branch must be true or false, not 'yes'"),
        ({"players": 1, "card": (1, 4)}, "less than 3 times"),
        ({"players": 1, "card": 63}, "card must be the short and the long side"),
        ({"players": 1, "hand_limit": 7}, "unknown variant 'hand_limit'"),
    ],
)
def test_rules_that_do_not_exist_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules.for_players(**change)  # type: ignore[arg-type]


@given(HANDS)
def test_cards_are_read_as_they_were_written(cards: Cards) -> None:
    assert Cards(str(cards)) == Cards(cards.codes()) == Cards(list(map(name_of, cards))) == cards
    assert Cards(" , ".join(map(name_of, cards))) == cards
    assert eval(repr(cards), {"Cards": Cards}) == cards == pickle.loads(pickle.dumps(cards))


@given(HANDS, HANDS)
def test_cards_behave_as_sets(a: Cards, b: Cards) -> None:
    assert set(a | b) == set(a) | set(b)
    assert set(a & b) == set(a) & set(b)
    assert set(a.monus(b)) == set(a) - set(b)
    assert (a <= b) == (set(a) <= set(b))
    assert (a | b) - b == a.monus(b)
    assert len(a) == len(list(a)) == len(set(a))


@pytest.mark.parametrize("text", ["B1", "BA", "X7", "7", "R11", "B7 B7", "red", "B7;R2", "R2x"])
def test_what_is_no_set_of_cards_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match=r"unknown card '|stands there twice"):
        Cards(text)
    with pytest.raises(ValueError, match="unknown card"):
        parse_card(text)


def test_cards_cannot_be_changed_and_not_be_taken_from_where_they_are_not() -> None:
    with pytest.raises(AttributeError):
        ALL_CARDS.mask = 3
    with pytest.raises(ValueError, match="R2 cannot be taken out of B2"):
        Cards("B2") - Cards("R2")
    with pytest.raises(ValueError, match="B2 would be there twice"):
        Cards("B2") + Cards("B2 B3")


def test_ranks_rise_from_two_to_king() -> None:
    assert [rank_of(card) for card in ALL_CARDS.of_colour("R")] == list(range(2, 14))


@given(st.sampled_from(CARDS), st.sampled_from(list(Rules(1).geometry.slots)))
def test_actions_are_read_as_they_were_written(card: str, slot: str) -> None:
    for action in (Place(card, slot), Pass()):
        assert parse_action(str(action).upper()) == action
        assert action_from_dict(action_to_dict(2, action)) == (2, action)
        assert eval(repr(action), {"Place": Place, "Pass": Pass}) == action


@pytest.mark.parametrize(
    "text", ["", "place", "place B7", "put B7 N", "place B7 Q", "place B1 N", "pass B7", "place B7 NEEE"]
)
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"unknown (action|card|slot)"):
        parse_action(text)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (3, "an action is an object"),
        ({"type": "pass"}, "needs a player number, not null"),
        ({"player": 0, "type": "bid"}, "unknown action type 'bid'"),
        ({"player": 0, "type": "pass", "card": "B7"}, "unknown field 'card' in a pass action"),
        ({"player": 0, "type": "place", "card": "B7"}, "unknown slot null"),
        ({"player": 0, "type": "place", "card": "b7", "slot": "N"}, "exact codes: B7 and N, not 'b7' and 'N'"),
    ],
)
def test_entries_of_a_record_are_exact(entry: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        action_from_dict(entry)


@given(moments())
def test_tableaux_are_read_as_they_were_written(state: State) -> None:
    tableau = state.tableau
    assert parse_tableau(str(tableau), state.rules) == tableau
    assert parse_tableau(", ".join(reversed(str(tableau).split())), state.rules) == tableau or not len(tableau)


@given(moments())
def test_a_mirrored_tableau_has_mirrored_slots(state: State) -> None:
    for mirror in MIRRORS:
        image = state.tableau.mirrored(mirror)
        assert parse_tableau(str(image), state.rules) == image
        for card in ("B7", "R2", "RK"):
            assert len(image.slots_for(card)) == len(state.tableau.slots_for(card))
        assert image.mirrored(mirror) == state.tableau


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N", "unknown entry 'N'"),
        ("N=B7 N=B8", "slot N is filled twice"),
        ("N=B7 S=B7", "S=B7 cannot be: the black 7 lies on the table already"),
        ("NE=B7", "NE=B7 cannot be: nothing lies at N yet"),
        ("N=R7", "N=R7 cannot be: the red 7 is not black"),
        ("N=B7 NE=B8 NES=B9", "NES=B9 cannot be: a card there would touch the red ace"),
        ("N=B7 NE=B8 NW=B6", "NW=B6 cannot be: tree N is rising"),
        ("N=B7 E=R3 NE=B8 EN=R4", "NE=B8 cannot be|EN=R4 cannot be: a card there would overlap"),
    ],
)
def test_a_tableau_that_cannot_come_about_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_tableau(text, Rules(1))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"rules": Rules(1), "hands": ["B2"]}, "alone one has no hand"),
        ({"rules": Rules(1), "deck": ["B2"]}, "the deck has 24 cards, not 1"),
        ({"rules": Rules(1), "deck": ["B2"] * 24}, "stands there twice"),
        ({"rules": Rules(4), "deck": CARDS}, "only solitaire has a deck"),
        ({"rules": Rules(4), "hands": ["B2"]}, "4 players need 4 hands, not 1"),
        ({"rules": Rules(2), "hands": ["B2", "B3"]}, "seat 0 is dealt 10 cards, not 1"),
        ({"rules": Rules(2), "hands": [CARDS[:10], CARDS[9:19]]}, "BJ cannot be dealt twice"),
        ({"rules": Rules(2), "hands": [CARDS[:10], CARDS[10:20]], "dealer": 2}, "there is no seat 2 to deal"),
    ],
)
def test_a_deal_that_does_not_add_up_is_refused(inputs: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deal(**inputs)  # type: ignore[arg-type]


def test_public_names_are_those_of_their_modules() -> None:
    for name in byzantium.__all__:
        value, home = getattr(byzantium, name), importlib.import_module(byzantium._HOME[name])
        assert value is getattr(home, name)
        assert getattr(value, "__module__", home.__name__) == home.__name__ or name in home.__all__
    assert set(byzantium.__all__) <= set(dir(byzantium))
    with pytest.raises(AttributeError, match="has no attribute 'Card'"):
        _ = byzantium.Card
