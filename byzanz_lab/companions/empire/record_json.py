"""The shape of a record file: which fields it has and what they may hold.

A record is one JSON object; files hold one, or one a line::

    {"format": "byzantine-empire-record", "version": 1,
     "deck": {"name": "Porphyra", "fingerprint": "..."},
     "emperor": 0,                                   seat that was Emperor in the first turn
     "names": ["Anna", "Boris"],                     may be left out
     "draws": {"byzantine": ["dromons", ...],        all cards in the order in which they were drawn from each deck
               "foes": [...]},
     "actions": [
       {"player": 1, "type": "redraw", "cards": ["drought"]},
       {"player": 1, "type": "meld", "cards": ["avars", "raiders"]},
       {"player": 0, "type": "negotiate", "card": "avars"},      null: nothing
       {"player": 1, "type": "replace", "card": null},
       {"player": 1, "type": "pass", "card": "raiders"}],
     "result": {"legacy": [12, 9], "territory": 7, "turns": 12, "winners": [0]}}      absent while the game is running

Here its fields are checked one by one; whether the draws are possible and the actions legal is for `Record` to find
out, which knows the rules.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final

from byzanz_lab.companions.empire.actions import Action, action_from_dict
from byzanz_lab.companions.empire.cards import Deck
from byzanz_lab.companions.empire.position_json import check_deck
from byzanz_lab.companions.empire.rules import RULES, Side
from byzanz_lab.companions.empire.state import Result
from byzanz_lab.safe_json import MAX_BYTES, shown

FORMAT: Final = "byzantine-empire-record"
VERSION: Final = 1
_REQUIRED: Final = ("format", "version", "deck", "emperor", "draws", "actions")
_OPTIONAL: Final = ("names", "result")
_RESULT: Final = ("legacy", "territory", "turns", "winners")
_MANY: Final = 10_000
"""More than any number in a result can be."""


class InvalidRecord(ValueError):
    """The record is broken or breaks the rules; the message is one sentence that says what is wrong and where."""


def fields_from_dict(data: object, deck: Deck) -> dict[str, Any]:
    """Read the fields of a record, as keyword arguments for `Record`.

    Raises
    ------
    ValueError
        If a field is missing, unknown, or not what it should be.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"a record is an object, not {shown(data)}")
    if data.get("format") != FORMAT:
        raise ValueError(f"the format must be {FORMAT!r}, not {shown(data.get('format'))}")
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise ValueError(f"version {shown(data.get('version'))} of records is unknown, this reads version {VERSION}")
    record = _object(data, "a record", _REQUIRED, _OPTIONAL)
    check_deck(record["deck"], deck)
    draws = _object(record["draws"], "draws", tuple(Side))
    return {
        "deck": deck,
        "emperor": _number(record["emperor"], "emperor", 0, 1),
        "draws": tuple(_codes(draws[side], f"draws of the {side} deck", deck) for side in Side),
        "moves": tuple(_move(index, entry) for index, entry in enumerate(_list(record["actions"], "actions"))),
        "names": tuple(_list(record["names"], "names", 2)) if "names" in record else (),
        "result": _result(record["result"]) if "result" in record else None,
    }


def check_names(names: Sequence[object]) -> None:
    """Refuse names that are too many, too few, no text, or that could upset a terminal.

    Raises
    ------
    ValueError
        With the reason.
    """
    if names and len(names) != 2:
        raise ValueError(f"2 seats need 2 names, not {len(names)}")
    for seat, name in enumerate(names):
        if not isinstance(name, str):
            raise ValueError(f"the name of seat {seat} must be a text, not {shown(name)}")
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
            raise ValueError(f"the name of seat {seat}, {shown(name)}, holds a control character")


def result_to_dict(result: Result) -> dict[str, Any]:
    """The field ``result`` of a record."""
    return {
        "legacy": list(result.legacy),
        "territory": result.territory,
        "turns": result.turns,
        "winners": list(result.winners),
    }


def objects_in(file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """The texts of the objects in a file, and where each stands; no more than one is in memory."""
    line, number = file.readline(MAX_BYTES + 1), 1
    while line and not line.strip():
        line, number = file.readline(MAX_BYTES + 1), number + 1
    if line and not line.strip().endswith(b"}"):  # an object over many lines, or one that is cut short
        yield "", line + file.read(MAX_BYTES + 1 - len(line))
        return
    while line:
        if line.strip():
            yield f", line {number}", line
        line, number = file.readline(MAX_BYTES + 1), number + 1


def _result(value: object) -> Result:
    fields = _object(value, "the result", _RESULT)
    legacy = [_number(n, "a number in legacy", 0, _MANY) for n in _list(fields["legacy"], "legacy", 2)]
    winners = [_number(seat, "a seat in winners", 0, 1) for seat in _list(fields["winners"], "winners")]
    if not winners or len(set(winners)) < len(winners):
        raise ValueError("winners must name at least one seat, and none twice")
    return Result(
        (legacy[0], legacy[1]),
        _number(fields["territory"], "territory", -_MANY, RULES.most_territory),
        _number(fields["turns"], "turns", 1, RULES.turns),
        tuple(sorted(winners)),
    )


def _move(index: int, entry: object) -> tuple[int, Action]:
    try:
        return action_from_dict(entry)
    except ValueError as error:
        raise ValueError(f"action {index}: {error}") from None


def _object(value: object, what: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be an object, not {shown(value)}")
    missing = [name for name in required if name not in value]
    if missing:
        raise ValueError(f"{what} has no field {str(missing[0])!r}")
    unknown = [name for name in value if name not in required + optional]
    if unknown:
        raise ValueError(f"{what} has an unknown field {shown(unknown[0])}")
    return value


def _list(value: object, what: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{what} must be a list, not {shown(value)}")
    if length is not None and len(value) != length:
        raise ValueError(f"{what} must have {length} entries, not {len(value)}")
    return value


def _number(value: object, what: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{what} must be a whole number, not {shown(value)}")
    if not least <= value <= most:
        raise ValueError(f"{what} must be {least} to {most}, not {shown(value)}")
    return value


def _codes(value: object, what: str, deck: Deck) -> tuple[str, ...]:
    codes = _list(value, what)
    for code in codes:
        if not isinstance(code, str) or code not in deck:
            raise ValueError(f"{what}: {shown(code)} is no card of the deck {shown(deck.name)}")
    return tuple(codes)
