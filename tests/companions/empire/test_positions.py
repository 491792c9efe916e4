"""What a seat knows: nothing hidden, everything shown; as JSON, as text, from a table, and every fault."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.companions.empire import position_json
from byzanz_lab.companions.empire.actions import HandOver, Meld, Negotiate, Redraw
from byzanz_lab.companions.empire.chance import Recorded
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.fault import InvalidPosition
from byzanz_lab.companions.empire.position import Position, observe, require_position
from byzanz_lab.companions.empire.position_faults import faults
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.state import new_game
from byzanz_lab.companions.empire.table import IllegalAction, Phase
from tests.companions.empire.moments import SMALL, moment

POSITION = Position.at_table(
    "byzantine", "general 2xguard 3xlevy envoy icon", deck=SMALL, turn=2, known="huns raiders", discards="coup duke",
    removed="khan", known_to_rival="guard levy", territory=8, legacy=(11, 9),
)  # fmt: skip
DATA = position_json.position_to_dict(POSITION)


def test_hidden_is_hidden_a_position_holds_the_own_hand_and_counts_the_rivals() -> None:
    state = moment("general 2xlevy", "huns 3xraiders", known=(("levy",), ("raiders",)))
    mine, theirs = observe(state, 0), observe(state, 1)
    assert mine.hand == ("general", "levy", "levy") and theirs.hand == ("huns", "raiders", "raiders", "raiders")
    assert (mine.rival_known, mine.rival_unknown) == (("raiders",), 3)
    assert (theirs.rival_known, theirs.rival_unknown) == (("levy",), 2)
    for position in (mine, theirs):
        assert not hasattr(position, "piles") and not hasattr(position.table, "hands")


def test_hidden_is_hidden_a_chosen_meld_is_seen_by_its_owner_only() -> None:
    state = moment("general", "huns raiders").apply(Meld("huns"))
    assert observe(state, 1).chosen == ("huns",) and observe(state, 1).held == ("huns", "raiders")
    assert observe(state, 0).chosen is None and observe(state, 0).rival_unknown == 2
    assert observe(state, 0) == observe(moment("general", "huns raiders").apply(Meld("raiders")), 0)


def test_hidden_is_hidden_a_card_laid_aside_is_seen_by_its_owner_only() -> None:
    state = moment("general", "huns raiders", phase=Phase.PASS).apply(HandOver("huns"))
    assert observe(state, 1).laid == "huns" and observe(state, 0).laid is None
    assert observe(state, 0).rival_unknown == 1 and observe(state, 0).table.discards[1] == ("raiders",)


def test_unseen_cards_are_those_of_the_age_that_were_not_shown() -> None:
    state = moment("general 2xlevy", "huns 3xraiders", known=((), ("huns",)), discards=(("icon",), ("khan",)))
    position = observe(state, 0)
    foes = Counter({"raiders": 8, "huns": 1, "persians": 2, "emirs": 2, "plague": 2, "coup": 3, "horsemen": 6})
    assert position.unseen(Side.FOES) == foes + Counter({"old-raiders": 3})
    assert position.unseen(Side.BYZANTINE)["levy"] == 6 and position.unseen(Side.BYZANTINE)["icon"] == 2
    assert position.pile_size(Side.FOES) == len(state.piles[1])
    assert position.pile_size(Side.BYZANTINE) == len(state.piles[0])


def test_redrawn_and_revealed_are_counted_for_the_rivals_belief() -> None:
    next_turn = ((*("guard",) * 6, "levy", "levy"), (*("horsemen",) * 6, "raiders"))
    draws = (("levy", *next_turn[0]), ("old-raiders", "raiders", "huns", *next_turn[1]))
    state = moment("duke", "4xraiders", turn=5, phase=Phase.REDRAW, chance=Recorded(draws))
    state = state.apply(Redraw("3xraiders"))
    assert state.table.redrawn == (0, 3) and state.table.revealed == ((0, 0), (0, 0))
    state = state.apply(Redraw("duke")).apply(Meld("huns")).apply(Meld("levy"))
    assert state.table.revealed == ((1, 0), (1, 0))
    state = state.apply(HandOver("raiders"))
    assert (state.table.turn, state.table.redrawn, state.table.revealed) == (6, (0, 0), ((0, 0), (0, 0)))


def test_a_seat_can_do_what_the_state_lets_it_do() -> None:
    state = moment("general 2xlevy", "huns 3xraiders")
    position = observe(state, 1)
    assert position.legal_actions() == state.legal_actions()
    assert position.can(Meld("huns")) and not position.can(Meld("khan"))
    with pytest.raises(IllegalAction, match="Khan is not in the hand"):
        position.verify(Meld("khan"))
    assert observe(state, 0).legal_actions() == () and not observe(state, 0).can(Meld())


def test_a_state_is_refused_where_a_position_is_asked_for() -> None:
    with pytest.raises(TypeError, match="are given a Position, not State; see observe"):
        require_position(new_game())
    assert require_position(POSITION) is POSITION


# -- at a table --------------------------------------------------------------------------------------------------------


def test_at_table_equals_what_is_observed() -> None:
    state = moment("general 2xlevy envoy", "huns 3xraiders", known=(("levy",), ("raiders",)), turn=6, territory=4)
    made = Position.at_table(
        "byzantine", "general 2xlevy envoy", deck=SMALL, turn=6, territory=4, known="raiders", known_to_rival="levy",
        rival_size=4,
    )  # fmt: skip
    assert made == observe(replace(state, table=replace(state.table, to_move=0)), 0)


def test_at_table_from_the_other_seat_and_in_every_phase() -> None:
    melded = moment("envoy guard levy", "huns raiders khan").apply(Meld("huns raiders")).apply(Meld("envoy guard"))
    seen = observe(melded, 0)
    made = Position.at_table(
        "byzantine", "levy", deck=SMALL, phase="negotiation", melds="envoy guard huns raiders", rival_size=1
    )
    assert made == replace(seen, table=replace(seen.table, revealed=((0, 0), (0, 0))))
    seen = observe(melded.apply(Negotiate("huns")), 1)
    made = Position.at_table(
        "foes", ["khan"], deck=SMALL, seat=1, phase=Phase.REPLACEMENT, melds="envoy guard raiders", target="huns",
        rival_size=1,
    )  # fmt: skip
    assert made == replace(seen, table=replace(seen.table, revealed=((0, 0), (0, 0))))
    passing = Position.at_table("foes", "huns coup", deck=SMALL, seat=1, phase="pass", rival_size=2, legacy=(9, 12))
    assert passing.to_move == 1 and passing.table.emperor == 0
    redrawing = Position.at_table("byzantine", "levy", deck=SMALL, phase="redraw", rival_redrew=2)
    assert redrawing.table.redrawn == (0, 2) and redrawing.rival_unknown == 8


def test_at_table_a_full_hand_less_the_meld_is_what_the_rival_holds() -> None:
    assert Position.at_table("foes", "huns", deck=SMALL, turn=9).rival_unknown == 7
    made = Position.at_table("byzantine", "levy", deck=SMALL, phase="negotiation", melds="envoy huns raiders")
    assert made.rival_unknown == 6


AT_TABLE_FAULTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "role": ({"role": "emperor"}, ["role: is 'byzantine' or 'foes', not 'emperor'"]),
    "phase": (
        {"phase": "draw"},
        ["phase: is one of redraw, meld, negotiation, replacement, pass, over, not 'draw'"],
    ),
    "turn": ({"turn": 13}, ["turn: is a number from 1 to 12, not 13"]),
    "seat": ({"seat": 2}, ["seat: is 0 or 1, not 2"]),
    "card": ({"hand": "levy hero"}, ["hand: 'hero' is no card of the deck 'Small'"]),
    "text": ({"hand": "levy 7"}, ["hand: '7' cannot be a card; cards are called by codes such as 'tagmata'"]),
    "several": (
        {"hand": "hero", "turn": 0},
        ["hand: 'hero' is no card of the deck 'Small'", "turn: is a number from 1 to 12, not 0"],
    ),
    "copies": ({"hand": "general", "discards": "general"}, ["cards: General is seen 2 times, and the deck has 1 copy"]),
    "other side": ({"hand": "huns"}, ["hand: Huns is no card of the side that seat 0 plays in this turn"]),
    "age": ({"hand": "old-king", "turn": 5}, []),
    "age before the redraw": (
        {"hand": "old-king", "turn": 5, "phase": "redraw"},
        ["hand: Old King cannot be used in the middle age"],
    ),
    "later age": (
        {"hand": "knights"},
        [
            "hand: Knights cannot be used in the early age",
            "cards: Knights does not join its deck before the middle age",
        ],
    ),
    "big hand": ({"hand": "8xlevy 2xguard"}, ["sizes[0]: a hand has at most 9 cards in this turn, not 10"]),
    "territory": ({"territory": 0}, ["territory: must be 1 to 20, not 0"]),
    "legacy": ({"legacy": (-1, 3)}, ["legacy[0]: must be at least 0, not -1"]),
    "legacy of three": ({"legacy": (1, 2, 3)}, ["legacy: has an entry for each of 2 seats, not 3"]),
    "known": ({"known": "9xraiders"}, [
        "known: 9 cards are known of 8", "cards: Raiders is seen 9 times, and the deck has 8 copies"]),
    "known to rival": ({"known_to_rival": "guard"}, ["known_to_rival: the rival knows of cards that are not held"]),
    "removed": ({"removed": "guard"}, [
        "removed: Guard is not unique and its age is not over: it cannot be out of play"]),
    "melds": ({"melds": "envoy huns"}, [
        "melds.byzantine: no meld lies open in the phase meld", "melds.foes: no meld lies open in the phase meld"]),
    "no envoy": ({"phase": "negotiation", "melds": "levy huns"}, [
        "melds.byzantine: without a negotiation card there is no phase negotiation"]),
    "no target": ({"phase": "negotiation", "melds": "envoy coup"}, [
        "melds.foes: without a northern or southern foe there is nothing to negotiate"]),
    "target": ({"phase": "negotiation", "melds": "envoy persians", "target": "huns"}, [
        "target: a card is taken out in the phase replacement, and in no other"]),
    "wrong target": ({"role": "foes", "hand": "raiders", "phase": "replacement", "melds": "envoy huns",
                      "target": "coup"}, ["target: negotiation reaches northern and southern foes only, not Coup"]),
    "illegal meld": ({"phase": "negotiation", "melds": "2xenvoy huns"}, [
        "melds.byzantine: a meld may have at most 1 negotiation card, not 2"]),
    "mover": ({"role": "foes", "hand": "raiders", "phase": "negotiation", "melds": "envoy huns"}, [
        "to_move: in the phase negotiation it is 1, not 0"]),
    "last pass": ({"turn": 12, "phase": "pass", "rival_size": 1}, [
        "phase: after turn 12 the game is over, and no card is passed"]),
    "over": ({"phase": "over"}, ["phase: the game is not over in turn 1 with 10 territory tokens"]),
    "passed": ({"phase": "pass", "rival_size": 2}, [
        "sizes[1]: the Foe player has passed, and holds no more than that one card"]),
}  # fmt: skip


@pytest.mark.parametrize("name", AT_TABLE_FAULTS)
def test_at_table_names_everything_that_is_wrong(name: str) -> None:
    given_, said = AT_TABLE_FAULTS[name]
    arguments: dict[str, Any] = {"role": "byzantine", "hand": "levy", "deck": SMALL} | given_
    if not said:
        assert Position.at_table(**arguments).hand
        return
    with pytest.raises(InvalidPosition) as error:
        Position.at_table(**arguments)
    assert [str(fault) for fault in error.value.faults] == said


def test_at_table_knows_how_many_cards_can_be_unknown() -> None:
    with pytest.raises(InvalidPosition, match="the rival is said to hold 8 unknown cards, but 6 are unseen"):
        Position.at_table(
            "byzantine", "levy", deck=SMALL,
            discards="8xraiders 6xhorsemen 2xhuns 2xpersians khan 2xplague coup emirs",
        )  # fmt: skip


# -- JSON --------------------------------------------------------------------------------------------------------------


def test_json_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    assert position_json.loads(position_json.dumps(POSITION), SMALL) == POSITION
    position_json.save(POSITION, tmp_path / "position.json")
    assert position_json.load(tmp_path / "position.json", SMALL) == POSITION
    assert json.loads(position_json.dumps(POSITION)) == DATA


def test_json_of_another_deck_is_refused() -> None:
    with pytest.raises(InvalidPosition, match=r"deck: it was made with the deck 'Small' .* and this is 'Porphyra'"):
        position_json.position_from_dict(DATA)


JSON_FAULTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "format": (lambda d: d.update(format="x"), "format: must be 'byzantine-empire-position', not 'x'"),
    "version": (lambda d: d.update(version=9), "version: only version 1 can be read, not 9"),
    "missing": (lambda d: d.pop("hand"), "hand: is missing"),
    "unknown": (lambda d: d.update(colour=1), "colour: is no field of a position"),
    "deck": (lambda d: d.update(deck="Small"), "deck: deck must be an object with the fields name and fingerprint"),
    "turn": (lambda d: d.update(turn="2"), "turn: must be a whole number, not '2'"),
    "phase": (lambda d: d.update(phase=3), "phase: is one of redraw, meld, negotiation, replacement, pass, over"),
    "legacy": (lambda d: d.update(legacy=[1]), "legacy: must be a list with an entry for each of 2 seats, not a list"),
    "known": (lambda d: d.update(known=[[], [3]]), "known[1]: must be a list of codes of cards, not a list"),
    "revealed": (lambda d: d.update(revealed=[0, 0]), "revealed[0]: must be a list of two whole numbers, not 0"),
    "discards": (lambda d: d.update(discards=[]), "discards: must be an object with the fields byzantine and foes"),
    "melds": (lambda d: d["melds"].update(foes=1), "melds.foes: must be a list of codes of cards, not 1"),
    "chosen": (lambda d: d.update(chosen="levy"), "chosen: must be a list of codes of cards, not 'levy'"),
    "laid": (lambda d: d.update(laid=[]), "laid: must be the code of a card or null, not a list"),
    "to_move": (lambda d: d.update(to_move=True), "to_move: must be a whole number, not true"),
    "strange": (lambda d: d.update(hand=["hero"]), "hand: 'hero' is no card of the deck 'Small'"),
    "seat": (lambda d: d.update(seat=2), "seat: must be 0 to 1, not 2"),
    "sizes": (lambda d: d.update(sizes=[3, 8]), "sizes: seat 0 holds 8 cards, not 3"),
    "waiting": (
        lambda d: d.update(chosen=["levy"], sizes=[9, 8]),
        "chosen: only the Foe player has one, in the phase meld, while the Emperor decides",
    ),
    "piles": (
        lambda d: d["discards"].update(byzantine=["coup"]),
        "discards.byzantine: Coup belongs to the other deck",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", JSON_FAULTS)
def test_json_faults_are_named_with_their_field(name: str) -> None:
    change, said = JSON_FAULTS[name]
    data = json.loads(json.dumps(DATA))
    change(data)
    with pytest.raises(InvalidPosition) as error:
        position_json.position_from_dict(data, SMALL)
    assert said in [str(fault) for fault in error.value.faults]


def test_json_of_the_foe_player_who_waits_needs_his_meld() -> None:
    state = moment("levy", "raiders huns").apply(Meld("huns"))
    data = position_json.position_to_dict(observe(state, 1))
    assert position_json.position_from_dict(data, SMALL) == observe(state, 1)
    data |= {"chosen": None, "hand": ["huns", "raiders"]}
    with pytest.raises(InvalidPosition, match="the Emperor decides after the Foe player has chosen"):
        position_json.position_from_dict(data, SMALL)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.text(max_size=3) | st.sampled_from(["levy", "huns"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["byzantine", "foes"]), inner),
    max_leaves=6,
)


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(sorted(DATA)), JUNK, min_size=1, max_size=3))
def test_json_junk_is_reported_and_never_raises_anything_else(junk: dict[str, Any]) -> None:
    try:
        position = position_json.position_from_dict(DATA | junk, SMALL)
    except InvalidPosition as error:
        assert all(fault.where and fault.message for fault in error.faults)
    else:
        assert not faults(position)


# -- text --------------------------------------------------------------------------------------------------------------


def test_text_says_all_that_is_known() -> None:
    assert str(POSITION).splitlines() == [
        "View of seat 0: Emperor, turn 2 of 12 (early age), meld, to move",
        "territory 8, legacy 11 (you) against 9",
        "your hand: envoy general 2xguard icon 3xlevy",
        "the rival holds: huns raiders and 6 unknown cards",
        "decks: 23 Byzantine cards to draw, 19 Foe cards",
        "byzantine discards: duke",
        "foes discards: coup",
        "out of play: khan",
    ]
    assert repr(POSITION) == "<Position: seat 0 as Emperor, turn 2, meld>"
    waiting = str(observe(moment("levy", "raiders huns").apply(Meld("huns")), 1))
    assert "the rival to move" in waiting and "your meld, not revealed: huns" in waiting
    laid = moment("levy", "raiders huns", phase=Phase.PASS).apply(HandOver("huns"))
    assert "laid aside to be passed: huns" in str(observe(laid, 1))


def test_the_default_deck_is_the_shipped_one() -> None:
    hand = next(card.code for card in default_deck() if card.usable(1))
    assert Position.at_table("byzantine", hand).table.deck is default_deck()
