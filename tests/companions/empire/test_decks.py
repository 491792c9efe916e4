"""Decks as data: the shipped one, files of one's own, and every fault a file can have."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.companions.empire.cards import format_heap, heap, minus, parse_heap
from byzanz_lab.companions.empire.deck_faults import deck_faults
from byzanz_lab.companions.empire.deck_file import (
    DEFAULT,
    SCHEMA,
    deck_from_dict,
    deck_to_dict,
    default_deck,
    dumps_deck,
    loads_deck,
    read_deck,
)
from byzanz_lab.companions.empire.fault import InvalidDeck
from byzanz_lab.companions.empire.rules import MELD_LIMITS, RULES, TARGETS, Kind, Side
from byzanz_lab.safe_json import UnreadableJSON

DATA: dict[str, Any] = json.loads(DEFAULT.read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))

CARD_VALIDATOR = VALIDATOR.evolve(
    schema={"$defs": VALIDATOR.schema["$defs"], **VALIDATOR.schema["properties"]["byzantine"]["items"]}
)


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The shipped deck with one change."""
    data = copy.deepcopy(DATA)
    change(data)
    return data


def lines(data: Any) -> list[str]:
    """The faults of a deck, as people read them."""
    return [str(fault) for fault in deck_faults(data)]


# -- the shipped deck --------------------------------------------------------------------------------------------------


def test_the_shipped_deck_has_about_sixty_cards_a_side_over_three_ages() -> None:
    deck = default_deck()
    for side in Side:
        assert 55 <= deck.size(side) <= 65
        joining = [len(deck.joining(side, age)) for age in (1, 2, 3)]
        assert sum(joining) == deck.size(side) and min(joining) >= 9
        assert {card.kind for card in deck.of_side(side)} == set(MELD_LIMITS[side])


def test_each_age_of_the_shipped_deck_has_something_of_every_type() -> None:
    for side in Side:
        for age in (1, 2, 3):
            assert {c.kind for c in default_deck().of_side(side) if c.usable(age)} == set(MELD_LIMITS[side])


def test_the_shipped_deck_is_its_file_and_the_schema_accepts_it() -> None:
    assert dumps_deck(default_deck()) == DEFAULT.read_text("utf-8")
    VALIDATOR.validate(DATA)


def test_names_are_told_apart() -> None:
    assert len({card.name for card in default_deck()}) == len(default_deck().cards)


def test_a_deck_says_what_is_on_its_cards() -> None:
    deck = default_deck()
    assert deck["hagia-sophia"].describe() == "Hagia Sophia (legacy, force -2, legacy 3, early age, unique)"
    assert deck["dromons"].describe() == "Dromons (troop, force 2)"
    assert deck.names(["dromons", "belisarius", "dromons"]) == "Belisarius, 2 × Dromons"
    assert "belisarius" in deck and "nobody" not in deck
    assert repr(deck).startswith("<Deck 'Porphyra': ")


# -- reading and writing -----------------------------------------------------------------------------------------------


def test_files_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    deck = deck_from_dict(changed(lambda d: d.update(name="Πορφύρα")))
    path = tmp_path / "own.json"
    path.write_text(dumps_deck(deck), "utf-8")
    assert read_deck(path) == deck == loads_deck(dumps_deck(deck))
    assert deck.name == "Πορφύρα"
    assert deck.fingerprint == default_deck().fingerprint != ""


def test_the_fingerprint_tells_decks_with_different_cards_apart() -> None:
    def stronger(data: dict[str, Any]) -> None:
        data["foes"][0]["force"] += 1

    reordered = deck_from_dict(changed(lambda d: d["foes"].reverse()))
    assert reordered.fingerprint == default_deck().fingerprint
    assert deck_from_dict(changed(stronger)).fingerprint != default_deck().fingerprint


def test_what_is_usual_may_be_left_out() -> None:
    def spelled(data: dict[str, Any]) -> None:
        for side in Side:
            for card in data[side]:
                for name, value in (("ages", ["early", "middle", "late"]), ("unique", False), ("copies", 1)):
                    card.setdefault(name, value)

    assert deck_from_dict(changed(spelled)) == default_deck()
    assert deck_to_dict(default_deck()) == DATA
    without = deck_from_dict(changed(lambda d: d.pop("description")))
    assert without.description == "" and without.cards == default_deck().cards


def test_an_unreadable_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    path.write_text('{"format": ', "utf-8")
    with pytest.raises(UnreadableJSON, match=r"cannot read the deck .*deck.json': it ends too early"):
        read_deck(path)
    with pytest.raises(OSError, match="absent"):
        read_deck(tmp_path / "absent.json")


# -- faults ------------------------------------------------------------------------------------------------------------


def set_card(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """Change fields of the first Byzantine card (a unique leader of the early age)."""
    return lambda data: data["byzantine"][0].update(fields)


LEADER_TYPES = "leader, recovery, troop, negotiation, legacy"
BROKEN: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "format": (lambda d: d.update(format="deck"), "format: must be 'byzantine-empire-deck', not 'deck'"),
    "no format": (lambda d: d.pop("format"), "format: must be 'byzantine-empire-deck', not null"),
    "version": (lambda d: d.update(version=2), "version: only version 1 can be read, not 2"),
    "true version": (lambda d: d.update(version=True), "version: only version 1 can be read, not true"),
    "unknown field": (lambda d: d.update(author="A"), "author: is no field of a deck"),
    "no name": (lambda d: d.pop("name"), "name: is missing"),
    "long name": (lambda d: d.update(name="x" * 61), "name: must have at most 60 characters, not 61"),
    "description": (lambda d: d.update(description=3), "description: must be a text, not 3"),
    "no foes": (lambda d: d.pop("foes"), "foes: is missing"),
    "foes": (lambda d: d.update(foes={}), "foes: must be a list of cards, not an object"),
    "no cards": (lambda d: d.update(foes=[]), "foes: must not be empty"),
    "card": (lambda d: d["foes"].insert(0, 7), "foes[0]: must be an object with named fields, not 7"),
    "card field": (set_card(colour="red"), "byzantine[0].colour: is no field of a card"),
    "no force": (lambda d: d["byzantine"][0].pop("force"), "byzantine[0].force: is missing"),
    "code": (
        set_card(code="Big Man"),
        "byzantine[0].code: 'Big Man' is no code (small letters, digits and hyphens, at most 24, a letter first)",
    ),
    "code nothing": (
        set_card(code="nothing"),
        "byzantine[0].code: 'nothing' is no name for a card "
        "(small letters, digits and hyphens, at most 24, a letter first)",
    ),
    "card name": (set_card(name=" "), "byzantine[0].name: must not be empty"),
    "unknown type": (
        set_card(type="general"),
        f"byzantine[0].type: unknown type 'general' (byzantine cards are {LEADER_TYPES})",
    ),
    "listed type": (
        set_card(type=["leader"]),
        f"byzantine[0].type: unknown type a list (byzantine cards are {LEADER_TYPES})",
    ),
    "wrong side": (
        set_card(type="northern foe"),
        f"byzantine[0].type: a northern foe is no byzantine card (those are {LEADER_TYPES})",
    ),
    "force out of range": (set_card(force=10), "byzantine[0].force: must be -9 to 9, not 10"),
    "force no number": (set_card(force="3"), "byzantine[0].force: must be a whole number, not '3'"),
    "force true": (set_card(force=True), "byzantine[0].force: must be a whole number, not true"),
    "no ages": (
        set_card(ages=[]),
        "byzantine[0].ages: must be a list of one or more of early, middle, late, not a list",
    ),
    "unknown age": (set_card(ages=["dark"]), "byzantine[0].ages: unknown age 'dark' (ages are early, middle, late)"),
    "age twice": (set_card(ages=["late", "late"]), "byzantine[0].ages: names an age twice"),
    "gap": (
        set_card(ages=["late", "early"]),
        "byzantine[0].ages: ages must follow each other: a card cannot rest in the middle age",
    ),
    "unique": (set_card(unique=1), "byzantine[0].unique: must be true or false, not 1"),
    "copies of unique": (set_card(copies=2), "byzantine[0].copies: a unique card has one copy, not 2"),
    "copies": (set_card(copies=13), "byzantine[0].copies: must be 1 to 12, not 13"),
    "legacy of leader": (
        set_card(legacy=1),
        "byzantine[0].legacy: only legacy cards have a legacy value, a leader has none",
    ),
    "legacy card without": (set_card(type="legacy"), "byzantine[0].legacy: must be 1 to 9, not 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_fault_is_named_with_its_place(name: str) -> None:
    change, said = BROKEN[name]
    data = changed(change)
    assert lines(data) == [said]
    assert not VALIDATOR.is_valid(data), "the schema lets it pass"
    with pytest.raises(InvalidDeck) as error:
        deck_from_dict(data)
    assert [str(fault) for fault in error.value.faults] == [said]


def test_two_cards_with_one_code_are_a_fault() -> None:
    data = changed(lambda d: d["foes"][3].update(code="belisarius"))
    assert lines(data) == ["foes[3].code: byzantine[0] has the code 'belisarius' already"]


def test_all_faults_are_found_at_once() -> None:
    def break_it(data: dict[str, Any]) -> None:
        set_card(type="general", force=99, ages=["dark"])(data)
        data["foes"][1]["copies"] = 0
        data["foes"][2]["code"] = data["foes"][3]["code"]

    assert len(lines(changed(break_it))) == 5


@pytest.mark.parametrize("data", [[], "deck", None, 3])
def test_what_is_no_object_is_no_deck(data: object) -> None:
    assert lines(data)[0].startswith("deck: must be an object with named fields")


def test_an_age_with_too_few_cards_to_fill_the_hands_is_a_fault() -> None:
    def only(data: dict[str, Any]) -> None:
        data["byzantine"] = [{"code": "guard", "name": "Guard", "type": "troop", "force": 1, "copies": 8}]

    said = (
        "byzantine: too few cards to fill the hand in the early age: 8 usable cards stay in play "
        "(unique ones leave it), and the hand holds 9"
    )
    assert lines(changed(only)) == [said]


def test_unique_cards_do_not_fill_hands_because_they_leave_the_game() -> None:
    def only(data: dict[str, Any]) -> None:
        guard = {"code": "guard", "name": "Guard", "type": "troop", "force": 1}
        heroes = [{**guard, "code": f"hero-{i}", "unique": True} for i in range(20)]
        data["foes"] = [{**guard, "copies": 7}, *heroes]

    found = lines(changed(only))
    assert len(found) == 3 and "7 usable cards stay in play" in found[0]


def test_a_deck_without_a_meld_that_has_force_is_a_fault() -> None:
    def only(data: dict[str, Any]) -> None:
        for card in data["foes"]:
            if "late" in card.get("ages", ["late"]):
                card["force"] = 0

    said = "foes: no meld with force is possible in the late age: no usable card has a force above 0"
    assert lines(changed(only)) == [said]


def test_too_many_cards_are_a_fault() -> None:
    def many(data: dict[str, Any]) -> None:
        guard = {"name": "Guard", "type": "troop", "force": 1, "copies": 12}
        data["foes"] = [{**guard, "code": f"guard-{i}"} for i in range(21)]

    assert lines(changed(many)) == ["foes: must have at most 250 cards, not 252"]


def test_messages_are_fit_for_a_terminal() -> None:
    found = lines(changed(lambda d: d.update(name="a\x1b[2Jb")))
    assert found == ["name: 'a\\x1b[2Jb' holds a control character"]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 20) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=50)
@given(st.sampled_from(["code", "name", "type", "force", "ages", "unique", "legacy", "copies"]), JUNK)
def test_junk_in_a_card_is_reported_and_never_raises(field: str, junk: object) -> None:
    data = changed(set_card(**{field: junk}))
    if not deck_faults(data):
        CARD_VALIDATOR.validate(data["byzantine"][0])
        assert deck_from_dict(data).cards


@given(st.dictionaries(st.sampled_from(["format", "version", "name", "byzantine", "foes", "x"]), JUNK))
def test_junk_in_a_deck_is_reported_and_never_raises(data: dict[str, Any]) -> None:
    found = deck_faults({**DATA, **data})
    assert all(fault.where and fault.message.isprintable() for fault in found)
    assert found or deck_from_dict({**DATA, **data}).name.strip()


# -- cards and numbers -------------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([card.code for card in default_deck()]), max_size=9))
def test_heaps_are_parsed_as_they_are_printed(codes: list[str]) -> None:
    assert parse_heap(format_heap(codes)) == heap(codes)
    assert parse_heap(format_heap(codes).upper().replace(" ", ", ")) == heap(codes)


@pytest.mark.parametrize("text", ["7", "a!", "100xraiders", "0xraiders", "nothing raiders", "x" * 25])
def test_a_word_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be a card|not so many cards"):
        parse_heap(text)


def test_taking_away_ignores_what_is_not_there() -> None:
    assert minus(("a", "a", "b"), ("a", "c")) == ("a", "b")


def test_the_numbers_of_the_source() -> None:
    assert (RULES.turns, RULES.start_legacy, RULES.start_territory, RULES.most_territory) == (12, 10, 10, 20)
    assert [RULES.age(turn) for turn in range(1, 13)] == [1] * 4 + [2] * 4 + [3] * 4
    assert [turn for turn in range(1, 13) if RULES.begins_age(turn)] == [1, 5, 9]
    assert [RULES.hand_size(Side.BYZANTINE, turn) for turn in (1, 5, 9)] == [9, 8, 7]
    assert [RULES.hand_size(Side.FOES, turn) for turn in (1, 5, 9)] == [8, 8, 8]
    assert {kind for kind in Kind if "foe" in kind} == TARGETS
