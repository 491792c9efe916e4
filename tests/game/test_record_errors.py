"""Broken records: each is refused in one sentence that says what is wrong and where, and nothing worse happens."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.game.record import InvalidRecord, Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from tests.game.random_play import random_game


def sample() -> dict[str, Any]:
    """A short finished record; built once, given out as copies."""
    return deepcopy(SAMPLE)


STEPS = list(random_game(6, 2))
SAMPLE = Record.from_game(STEPS[0].before, [(step.seat, step.action) for step in STEPS], list("abcdef")).to_dict()
TEXT = json.dumps(SAMPLE)


def complaint(read: Callable[[], object]) -> str:
    """The one sentence with which reading is refused."""
    with pytest.raises(InvalidRecord) as caught:
        read()
    text = str(caught.value)
    assert text and "\n" not in text and text.isprintable() and len(text) < 300
    assert caught.value.__context__ is None or caught.value.__suppress_context__, "nothing else is shown"
    return text


# -- no JSON ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [0.01, 0.2, 0.5, 0.9, 0.999])
def test_file_that_is_cut_short(part: float, tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text(TEXT[: int(len(TEXT) * part)])
    said = complaint(lambda: Record.read(path))
    assert "cut.json" in said and "cannot read the record" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("null", "a record must be an object, not null"),
        ("[]", "a record must be an object, not a list"),
        ("{}", "a record has no field 'format'"),
        ("{'format': 1}", "it is no JSON at line 1, column 2"),
        (b"\xff\xfe{}", "not UTF-8"),
        ("[" * 10_000_000, "nested"),
        ('{"format":' * 1_000_000, "nested"),
        (TEXT.replace('"removed": [', '"removed": [' + "[" * 5_000_000 + "]" * 5_000_000 + ",", 1), "nested"),
        (TEXT.replace('"players": 6', '"players": ' + "6" * 100_000), "digits"),
        (TEXT.replace('"players": 6', '"players": NaN'), "NaN"),
        (TEXT.replace('"players": 6', '"players": 1e999'), "too big"),
        (TEXT.replace('"players": 6', '"players": 6, "players": 6'), "the field 'players' stands in it twice"),
        (TEXT.replace('"players": 6', '"players": 6, "\\u001b[2J": 6'), "unknown field '\\x1b[2J'"),
        (TEXT + TEXT, "something follows its end"),
        ("{" + " " * 20_000_000 + "}", "longer than"),
    ],
    ids=range(16),
)
def test_text_that_is_no_record(text: str | bytes, said: str) -> None:
    assert said in complaint(lambda: Record.loads(text))


# -- wrong fields -----------------------------------------------------------------------------------------------------

Edit = Callable[[dict[str, Any]], object]


def put(*place: str | int, value: object) -> Edit:
    """Put a value at a place of the record."""

    def edit(data: Any) -> None:
        for step in place[:-1]:
            data = data[step]
        data[place[-1]] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (put("format", value="chess"), "the format must be 'byzanz-record', not 'chess'"),
        (put("version", value=2), "version 2 of records is unknown, this reads version 1"),
        (put("version", value="1"), "version must be a whole number, not '1'"),
        (put("version", value=True), "version must be a whole number, not true"),
        (put("players", value=2), "players must be 3 to 6, not 2"),
        (put("players", value=10**17), "players must be 3 to 6, not 100000000000000000"),
        (put("players", value=10**5000), "players must be 3 to 6"),
        (put("players", value=6.0), "players must be a whole number, not 6.0"),
        (put("variant", value=[]), "variant must be an object, not a list"),
        (put("variant", value={"hand_limit": 9}), "hand_limit must be 7 or 8, not 9"),
        (put("variant", value={"seats": 3}), "unknown variant 'seats'"),
        (put("variant", value={"cls": 3}), "unknown variant 'cls'"),
        (put("variant", value={"tie_counts_dealers": 1}), "tie_counts_dealers must be true or false, not 1"),
        (put("names", value=None), "names must be a list, not null"),
        (put("names", value=["a"]), "names must have 6 entries, not 1"),
        (put("names", 2, value=3), "the name of seat 2 must be a text, not 3"),
        (put("names", 2, value="\x1b[2J"), r"the name of seat 2, '\x1b[2J', holds a control character"),
        (put("start_player", value=6), "start_player must be 0 to 5, not 6"),
        (put("start_player", value=-1), "start_player must be 0 to 5, not -1"),
        (put("hands", value={}), "hands must be a list, not an object"),
        (put("hands", value=[[]]), "hands must have 6 entries, not 1"),
        (put("hands", 3, value="D"), "the hand of seat 3 must be a list, not 'D'"),
        (put("hands", 3, 0, value="Wi5"), "the hand of seat 3: unknown card 'Wi5'"),
        (put("hands", 3, 0, value=None), "the hand of seat 3: a card is a text such as 'Wi4', not NoneType"),
        (put("hands", 3, value=["D"]), "seat 3 is dealt 4 cards, not 1"),
        (put("removed", value=[]), "4 cards are removed, not 0"),
        (put("removed", value=["D"] * 4), "the deal has more copies than exist: "),
        (put("deck", value=None), "deck must be a list, not null"),
        (put("deck", value=["D"]), "the deck has 84 cards, not 1"),
        (put("deck", value=["D"] * 500_000), "the deck has 84 cards, not 500000"),
        (put("deck", 0, value="x" * 100_000), "deck: unknown card 'xxx"),
        (put("actions", value=None), "actions must be a list, not null"),
        (put("actions", 0, value="pass"), "action 0: an action is an object with player and type, not str"),
        (put("actions", 1, value={"player": 0}), "action 1: an action needs a type, not null"),
        (put("actions", 2, "player", value=6), "action 2: there is no seat 6, seats are 0 to 5"),
        (put("actions", 2, "player", value=-1), "action 2: there is no seat -1, seats are 0 to 5"),
        (put("actions", 2, "note", value="hm"), "action 2: unknown field 'note' in a "),
        (put("result", value=None), "the result must be an object, not null"),
        (put("result", "points", value=[]), "the result has an unknown field 'points'"),
        (put("result", "profits", value=[1]), "profits must have 6 entries, not 1"),
        (put("result", "profits", 0, value=-1), "a number in profits must be 0 to 10000, not -1"),
        (put("result", "winners", value=[]), "winners must name at least one seat, and none twice"),
        (put("result", "winners", value=[0, 0]), "winners must name at least one seat, and none twice"),
        (put("result", "winners", value=[6]), "a seat in winners must be 0 to 5, not 6"),
        (put("comment", value=""), "a record has an unknown field 'comment'"),
        (lambda data: data.pop("removed"), "a record has no field 'removed'"),
        (lambda data: data["result"].pop("winners"), "the result has no field 'winners'"),
    ],
)
def test_wrong_fields(edit: Edit, said: str) -> None:
    data = sample()
    edit(data)
    assert complaint(lambda: Record.from_dict(data)).startswith(said)


def test_wrong_actions_are_found_when_the_game_is_replayed() -> None:
    data = sample()
    bidder = next(n for n, entry in enumerate(data["actions"]) if entry["type"] == "bid")
    for edit, said in [
        (put("actions", 0, "player", value=(data["start_player"] + 1) % 6), "action 0 (seat "),
        (
            put("actions", bidder, "cards", value=["D"]),
            f"action {bidder} (seat {data['actions'][bidder]['player']}: bid D): ",
        ),
        (
            put("actions", value=[*data["actions"], {"player": 0, "type": "done"}]),
            f"action {len(data['actions'])} (seat 0: ",
        ),
    ]:
        broken = sample()
        edit(broken)
        assert complaint(Record.from_dict(broken).replay).startswith(said)


def test_records_made_in_a_program_are_checked_too() -> None:
    game = new_game(Rules.for_seats(3), 1)
    good = Record.from_game(game, [])
    for change, said in [
        ({"names": ("a", "b")}, "3 seats need 3 names, not 2"),
        ({"deck": good.deck[:9]}, "the deck has 96 cards, not 9"),
        ({"deck": (*good.deck[:95], "wine 4")}, "unknown card 'wine 4' in the deck"),
        ({"start_player": 3}, "there is no seat 3 to start"),
        ({"moves": ((3, STEPS[0].action),)}, "action 0: there is no seat 3, seats are 0 to 2"),
    ]:
        parts = {name: getattr(good, name) for name in good.__dataclass_fields__} | change
        assert complaint(lambda parts=parts: Record(**parts)).startswith(said)  # type: ignore[misc]


# -- anything at all --------------------------------------------------------------------------------------------------

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["D", "Wi4"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300)
@given(st.data())
def test_anything_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    """One value of the record, at any depth, becomes something else."""
    record = sample()
    place: Any = record
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], (dict, list)) or not place[key] or data.draw(st.integers(0, 3)) == 0:
            break
        place = place[key]
    place[key] = data.draw(ANYTHING)
    try:
        Record.loads(json.dumps(record)).replay()
    except InvalidRecord as error:
        assert str(error) and "\n" not in str(error) and len(str(error)) < 300


@given(ANYTHING)
def test_anything_else_is_refused(value: object) -> None:
    complaint(lambda: Record.from_dict(value))


@given(st.text(max_size=60) | st.binary(max_size=60))
def test_any_text_is_refused(text: str | bytes) -> None:
    complaint(lambda: Record.loads(text))
