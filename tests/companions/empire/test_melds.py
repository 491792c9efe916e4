"""Melds with their limits, each refused with its reason, and negotiation."""

from __future__ import annotations

import pytest

from byzanz_lab.companions.empire.actions import Meld, Negotiate, Redraw, Replace
from byzanz_lab.companions.empire.state import State
from byzanz_lab.companions.empire.table import IllegalAction, Phase
from tests.companions.empire.moments import fought, moment, refused

BYZ, FOE = 0, 1

# -- melds: each limit with its reason ---------------------------------------------------------------------------------

LIMITS = [
    (BYZ, "general duke", "a meld may have at most 1 leader card, not 2"),
    (BYZ, "3xtreasury", "a meld may have at most 2 recovery cards, not 3"),
    (BYZ, "3xguard 2xlevy", "a meld may have at most 4 troop cards, not 5"),
    (BYZ, "2xenvoy", "a meld may have at most 1 negotiation card, not 2"),
    (BYZ, "2xicon church", "a meld may have at most 2 legacy cards, not 3"),
    (FOE, "huns khan", "a meld may have at most 1 northern foe card, not 2"),
    (FOE, "persians emirs", "a meld may have at most 1 southern foe card, not 2"),
    (FOE, "2xplague", "a meld may have at most 1 natural disaster card, not 2"),
    (FOE, "3xcoup", "a meld may have at most 2 other disaster cards, not 3"),
    (FOE, "plague 2xcoup", "a meld may have at most 2 disasters, natural and other, not 3"),
    (FOE, "3xraiders 2xhorsemen", "a meld may have at most 4 troop cards, not 5"),
]


@pytest.mark.parametrize(("seat", "cards", "reason"), LIMITS, ids=[cards for _, cards, _ in LIMITS])
def test_meld_limits_are_refused_with_their_reason(seat: int, cards: str, reason: str) -> None:
    state = moment(cards, "raiders", to_move=0) if seat == BYZ else moment("levy", cards)
    assert refused(state, Meld(cards)) == reason
    assert all(Meld(cards) != action for action in state.legal_actions())


@pytest.mark.parametrize(
    ("seat", "cards"),
    [
        (BYZ, "general 2xtreasury 4xguard envoy icon"),
        (BYZ, "duke church icon"),
        (FOE, "huns persians plague coup 4xraiders"),
        (FOE, "khan emirs 2xcoup 2xraiders 2xhorsemen"),
    ],
)
def test_meld_with_every_limit_reached_is_legal(seat: int, cards: str) -> None:
    state = moment(cards, "raiders", to_move=0) if seat == BYZ else moment("levy", cards)
    assert Meld(cards) in state.legal_actions()


def test_meld_needs_cards_of_the_hand() -> None:
    state = moment("levy", "raiders")
    assert refused(state, Meld("huns")) == "Huns is not in the hand"
    assert refused(state, Redraw()) == "the decision is meld, not redraw"
    with pytest.raises(IllegalAction, match="it is the turn of seat 1, not of seat 0"):
        state.apply(Meld("levy"), seat=0)


def test_meld_of_the_foe_is_hidden_until_both_have_chosen() -> None:
    state = moment("levy guard", "raiders huns", known=((), ("huns",)))
    after = state.apply(Meld("huns"))
    assert after.table.melds == ((), ()) and after.to_move == 0
    assert after.table == moment("levy guard", "raiders huns", known=((), ("huns",)), to_move=0).table


def test_empty_meld_is_legal_and_has_force_0() -> None:
    after = fought("levy", "", left=("", "raiders"))
    assert after.table.territory == 11


def test_empty_meld_ties_move_no_territory_and_no_legacy() -> None:
    for emperor, foes in (("", ""), ("guard", "horsemen")):
        table = fought(emperor, foes, left=("levy", "raiders")).table
        assert (table.territory, table.legacy) == (10, (10, 10))


# -- negotiation -------------------------------------------------------------------------------------------------------


def negotiating(foes: str = "huns persians raiders", left: str = "", **options: object) -> State:
    """The Emperor has melded an envoy."""
    state = moment("envoy guard levy", f"{foes} {left}", **options)  # type: ignore[arg-type]
    return state.apply(Meld(foes)).apply(Meld("envoy guard"))


def test_negotiation_takes_out_one_northern_or_southern_foe_of_the_emperors_choice() -> None:
    state = negotiating()
    assert (state.phase, state.to_move) == (Phase.NEGOTIATION, 0)
    assert state.table.melds == (("envoy", "guard"), ("huns", "persians", "raiders"))
    assert state.legal_actions() == (Negotiate(), Negotiate("huns"), Negotiate("persians"))
    assert refused(state, Negotiate("raiders")) == "negotiation reaches northern and southern foes only, not a troop"
    assert refused(state, Negotiate("khan")) == "Khan is not in the Foe meld"
    after = state.apply(Negotiate("huns")).apply(Replace())
    assert after.table.territory == 10 + 2 - 4


def test_negotiation_may_be_left_undone() -> None:
    assert negotiating().apply(Negotiate()).table.territory == 10 + 2 - 7


def test_negotiation_without_a_northern_or_southern_foe_is_no_decision() -> None:
    assert fought("envoy guard", "coup", left=("levy", "")).table.territory == 10


def test_negotiation_lets_the_foe_player_replace_the_card_within_the_melds_limits() -> None:
    state = negotiating(left="khan huns emirs raiders").apply(Negotiate("huns"))
    assert (state.phase, state.to_move, state.table.target) == (Phase.REPLACEMENT, 1, "huns")
    assert state.legal_actions() == (Replace(), Replace("huns"), Replace("khan")), "a southern foe is there already"
    reason = "only a northern or southern foe can be put in its place, not a troop"
    assert refused(state, Replace("raiders")) == reason
    assert refused(state, Replace("emirs")) == "a meld may have at most 1 southern foe card, not 2"
    assert refused(state, Replace("bulgars")) == "Bulgars is not in the hand"
    assert state.apply(Replace("khan")).table.territory == 10 + 2 - 8


def test_negotiation_lets_either_kind_of_foe_replace_where_there_is_room_for_both() -> None:
    state = negotiating("huns raiders", left="khan emirs").apply(Negotiate("huns"))
    assert state.legal_actions() == (Replace(), Replace("emirs"), Replace("khan"))


def test_negotiation_asks_for_a_replacement_even_if_there_is_none_so_that_nothing_is_given_away() -> None:
    state = negotiating().apply(Negotiate("huns"))
    assert state.phase is Phase.REPLACEMENT and state.legal_actions() == (Replace(),)


def test_negotiated_card_is_a_card_of_the_meld() -> None:
    after = negotiating("khan raiders").apply(Negotiate("khan")).apply(Replace())
    assert "khan" in after.table.removed
    after = negotiating("huns raiders").apply(Negotiate("huns")).apply(Replace())
    assert "huns" in after.table.discards[FOE]
