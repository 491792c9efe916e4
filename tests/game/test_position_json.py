"""Positions as JSON: exact both ways, as the schema says, and strict with what somebody else wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from byzanz_lab import resources
from byzanz_lab.game.fault import InvalidPosition
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_json import (
    dumps,
    load,
    load_sample,
    loads,
    position_from_dict,
    position_to_dict,
    save,
    schema,
)
from byzanz_lab.game.table import Phase
from byzanz_lab.safe_json import UnreadableJSON
from tests.game.position_games import observed

VALIDATOR = Draft202012Validator(schema())
SAMPLES = [
    path for path in resources.samples() if path.stem.startswith("sample_") and "byzanz-position" in path.read_text()
]
AUCTION = position_to_dict(load_sample())


def refusal(data: Any) -> str:
    with pytest.raises(InvalidPosition) as caught:
        position_from_dict(data)
    return "; ".join(map(str, caught.value.faults))


# -- both ways -------------------------------------------------------------------------------------------------------


@given(observed())
def test_what_is_written_reads_back_as_the_same_position(position: Position) -> None:
    assert loads(dumps(position)) == position
    assert loads(dumps(position).encode()) == position
    data = position_to_dict(position)
    assert position_to_dict(position_from_dict(data)) == data
    assert json.loads(dumps(position)) == data


@given(observed())
def test_what_is_written_is_what_the_schema_says(position: Position) -> None:
    VALIDATOR.validate(position_to_dict(position))


def test_a_position_is_saved_and_loaded(tmp_path: Path) -> None:
    save(load_sample("market"), tmp_path / "market.json")
    assert load(tmp_path / "market.json") == load(str(tmp_path / "market.json")) == load_sample("market")


def test_what_is_left_out_is_filled_in() -> None:
    least = {"format": "byzanz-position", "version": 1, "players": 3, "hand": ["Wi4", "Wi1", "Sp2", "D"]}
    position = position_from_dict(least | {"lot": ["Cl1", "Cl2", "Gr1", "D", "D", "D"]})
    assert (position.phase, position.to_move, position.unknown) == (Phase.AUCTION, 0, (0, 4, 4))
    assert position.rules.variant == {}


# -- samples ---------------------------------------------------------------------------------------------------------


def test_the_samples_show_every_phase_and_every_table_size() -> None:
    positions = [load(path) for path in SAMPLES]
    assert {position.phase for position in positions} == set(Phase)
    assert {position.rules.seats for position in positions} == {3, 4, 5, 6}
    assert any(position.rules.variant for position in positions)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_each_sample_is_as_it_would_be_written_and_as_the_schema_says(path: Path) -> None:
    position = load(path)
    assert path.read_text(encoding="utf-8") == dumps(position)
    VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8")))
    assert position.is_over or (position.is_to_move and len(position.legal_actions()) > 1), (
        "there is something to decide"
    )


def test_the_first_sample_is_a_bidding_decision_in_the_middle_of_a_game() -> None:
    position = load_sample()
    assert position.phase is Phase.AUCTION and position.rules.seats == 4 and position.to_move == position.seat == 0
    assert position.round >= 2 and position.high_bid > 0 and sum(position.unknown) > 2
    assert len({action.cards.total for action in position.legal_actions()[1:] if hasattr(action, "cards")}) > 5


def test_an_unknown_sample_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(FileNotFoundError, match=r"sample_auction, .*sample_tax"):
        load_sample("bidding")


# -- strict ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "byzanz-record"}, "format: must be 'byzanz-position', not 'byzanz-record'"),
        ({"format": None}, "format: must be 'byzanz-position', not null"),
        ({"version": 2}, "version: only version 1 can be read, not 2"),
        ({"version": "1"}, "version: only version 1 can be read, not '1'"),
        ({"version": True}, "version: only version 1 can be read, not true"),
        ({"players": 7}, "players: must be a number from 3 to 6, not 7"),
        ({"players": [4]}, "players: must be a number from 3 to 6, not a list"),
        ({"players": 10**4999}, "players: must be a number from 3 to 6, not a huge number"),
        ({"names": []}, "names: is no field of a position"),
        ({"<b>x</b>\x1b[31m": 1}, "<b>x</b>\\x1b[31m: is no field of a position"),
        ({"hand": "Wi4"}, "hand: must be a list of at most 112 entries, not 'Wi4'"),
        ({"hand": ["Wi5"]}, "hand: 'Wi5' is no card (cards are 'Cl1' to 'Wo4' and 'D')"),
        ({"hand": ["wine 4"]}, "hand: 'wine 4' is no card (cards are 'Cl1' to 'Wo4' and 'D')"),
        ({"hand": [None]}, "hand: null is no card (cards are 'Cl1' to 'Wo4' and 'D')"),
        ({"hand": [["D"]]}, "hand: a list is no card (cards are 'Cl1' to 'Wo4' and 'D')"),
        ({"hand": ["D"] * 113}, "hand: must be a list of at most 112 entries, not one of 113"),
        ({"hand": ["<script>alert(1)</script>"]}, "hand: '<script>alert(1)</script>' is no card"),
        ({"lot": {"D": 1}}, "lot: must be a list of at most 112 entries, not an object"),
        ({"gone": None}, "gone: must be a list of at most 112 entries, not null"),
        ({"bids": [[], [], []]}, "bids: must be a list with an entry for each of 4 players, not a list of 3"),
        ({"bids": [[], [], [], "Wo1"]}, "bids[3]: must be a list of at most 112 entries, not 'Wo1'"),
        ({"known": [[], [], [], [1]]}, "known[3]: 1 is no card"),
        ({"unknown": [0, 2, 1, 1.0]}, "unknown[3]: must be a whole number, not 1.0"),
        ({"profits": {"0": 1}}, "profits: must be a list with an entry for each of 4 players, not an object"),
        ({"offers": [0, "5", 0, 0]}, "offers[1]: must be a whole number, not '5'"),
        ({"round": "2"}, "round: must be a whole number, not '2'"),
        ({"round": None}, "round: must be a whole number, not null"),
        ({"to_move": "0"}, "to_move: must be a whole number, not '0'"),
        ({"to_move": 4}, "to_move: there is no seat 4, seats are 0 to 3"),
        ({"seat": False}, "seat: must be a whole number, not false"),
        ({"passed": [0, 1, 2, 3, 0]}, "passed: must be a list of at most 4 entries, not one of 5"),
        ({"passed": ["1"]}, "passed: there is no seat '1', seats are 0 to 3"),
        ({"phase": 3}, "phase: must be one of auction, tax, last_lot, hand_limit, market, closing, over, not 3"),
        (
            {"phase": "Auction"},
            "phase: must be one of auction, tax, last_lot, hand_limit, market, closing, over, not 'Auction'",
        ),
        ({"variant": []}, "variant: must be an object, not a list"),
        ({"variant": {"hand_limit": 9}}, "variant: hand_limit must be 7 or 8, not 9"),
        ({"variant": {"hand_limit": 8.0}}, "variant: hand_limit must be 7 or 8, not 8.0"),
        ({"variant": {"no": 1}}, "variant: unknown variant 'no'"),
    ],
)
def test_a_field_that_is_not_what_it_should_be_is_named(change: dict[str, Any], sentence: str) -> None:
    assert refusal(AUCTION | change).startswith(sentence)


def test_all_wrong_fields_are_named_at_once() -> None:
    data = AUCTION | {"seat": "0", "hand": ["Xx"], "bids": [[], [], [], "D"], "extra": 1}
    assert [fault.split(":")[0] for fault in refusal(data).split("; ")] == ["extra", "seat", "hand", "bids[3]"]


def test_a_position_without_a_hand_or_that_is_no_object_is_refused() -> None:
    assert refusal({name: value for name, value in AUCTION.items() if name != "hand"}).startswith("hand: is missing")
    assert refusal([]) == "position: must be an object with named fields, not a list"
    assert refusal({}) == "format: must be 'byzanz-position', and it is missing"


def test_a_file_of_unknown_fields_makes_no_endless_message() -> None:
    assert len(refusal(AUCTION | {f"field {n}": n for n in range(100_000)})) < 1_000


def test_a_file_cut_short_anywhere_is_refused_in_one_sentence() -> None:
    text = dumps(load_sample()).rstrip()
    for end in range(0, len(text), 3):
        with pytest.raises(UnreadableJSON, match=r"cannot read the position: it (ends too early|is empty)"):
            loads(text[:end])


def test_a_file_that_is_not_there_is_an_os_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.json"):
        load(tmp_path / "none.json")
    (tmp_path / "empty.json").touch()
    with pytest.raises(UnreadableJSON, match=r"cannot read the position '.*empty\.json': it is empty"):
        load(tmp_path / "empty.json")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.sampled_from(["Wi4", "D", "tax", "", "Xx"]) | st.just(0.5),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(["hand_limit", "0", "a"]), inner, max_size=2)
    ),
    max_leaves=8,
)


@given(observed(), st.sampled_from([*AUCTION, "more"]), json_values)
def test_what_is_read_is_always_what_the_schema_says(position: Position, field: str, value: Any) -> None:
    data = position_to_dict(position) | {field: value}
    try:
        again = position_from_dict(data)
    except InvalidPosition as error:
        assert error.faults and str(error)
    else:
        VALIDATOR.validate(data)
        assert position_from_dict(position_to_dict(again)) == again


@given(st.text(max_size=60) | st.binary(max_size=60))
def test_anything_else_is_refused_and_nothing_worse(source: str | bytes) -> None:
    with pytest.raises((UnreadableJSON, InvalidPosition)):
        loads(source)
