"""The shape of a record file: which fields it has and what they may hold.

A record is one JSON object (format ``byzanz-record``, version 1). Here its fields are checked one by one, so that a
file that somebody else wrote, or broke, is refused in one sentence that says where; whether the cards add up and the
actions are legal is for `Record` to find out, which knows the rules. Cards stand in files as exact codes, and no field
is unknown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from byzanz_lab.game.actions import Action, action_from_dict
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import Result
from byzanz_lab.safe_json import MAX_BYTES, shown

FORMAT: Final = "byzanz-record"
"""Value of the field ``format``."""

VERSION: Final = 1
"""Value of the field ``version``."""

_REQUIRED: Final = (
    "format", "version", "players", "variant", "start_player", "hands", "removed", "deck", "actions",
)  # fmt: skip
_OPTIONAL: Final = ("names", "result")
_RESULT: Final = ("profits", "goods_left", "winners")
_MANY: Final = 10_000
"""More than any number in a result can be."""


class InvalidRecord(ValueError):
    """The record is broken or breaks the rules; the message is one sentence that says what is wrong and where."""


def fields_from_dict(data: object) -> dict[str, Any]:
    """Read the fields of a record, as keyword arguments for `Record`.

    Raises
    ------
    ValueError
        If a field is missing, unknown, or not what it should be.
    """
    record = _object(data, "a record", _REQUIRED, _OPTIONAL)
    if record["format"] != FORMAT:
        raise ValueError(f"the format must be {FORMAT!r}, not {shown(record['format'])}")
    if _number(record["version"], "version", 0, _MANY) != VERSION:
        raise ValueError(f"version {record['version']} of records is unknown, this reads version {VERSION}")
    rules = _rules(record["players"], record["variant"])
    seats = rules.seats
    return {
        "rules": rules,
        "start_player": _number(record["start_player"], "start_player", 0, seats - 1),
        "hands": tuple(
            _cards(hand, f"the hand of seat {seat}") for seat, hand in enumerate(_list(record["hands"], "hands", seats))
        ),
        "removed": None if record["removed"] is None else _cards(record["removed"], "removed"),
        "deck": _codes(record["deck"], "deck"),
        "moves": tuple(_move(index, entry, seats) for index, entry in enumerate(_list(record["actions"], "actions"))),
        "names": _names(record["names"], seats) if "names" in record else (),
        "result": _result(record["result"], seats) if "result" in record else None,
    }


def check_names(names: tuple[object, ...], seats: int) -> None:
    """Refuse names that are too many, too few, no text, or that could upset a terminal.

    Raises
    ------
    ValueError
        With the reason.
    """
    if names and len(names) != seats:
        raise ValueError(f"{seats} seats need {seats} names, not {len(names)}")
    for seat, name in enumerate(names):
        if not isinstance(name, str):
            raise ValueError(f"the name of seat {seat} must be a text, not {shown(name)}")
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
            raise ValueError(f"the name of seat {seat}, {shown(name)}, holds a control character")


def result_to_dict(result: Result) -> dict[str, list[int]]:
    """The field ``result`` of a record."""
    return {name: list(getattr(result, name)) for name in _RESULT}


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


def _rules(players: object, variant: object) -> Rules:
    seats = _number(players, "players", 3, 6)
    if not isinstance(variant, dict):
        raise ValueError(f"variant must be an object, not {shown(variant)}")
    return Rules.for_seats(seats, **variant)


def _move(index: int, entry: Any, seats: int) -> tuple[int, Action]:
    try:
        seat, action = action_from_dict(entry)
    except ValueError as error:
        raise ValueError(f"action {index}: {error}") from None
    if not 0 <= seat < seats:
        raise ValueError(f"action {index}: there is no seat {shown(seat)}, seats are 0 to {seats - 1}")
    return seat, action


def _names(value: object, seats: int) -> tuple[str, ...]:
    names = tuple(_list(value, "names", seats))
    check_names(names, seats)
    return names


def _result(value: object, seats: int) -> Result:
    fields = _object(value, "the result", _RESULT)
    profits, goods_left = (
        tuple(_number(n, f"a number in {name}", 0, _MANY) for n in _list(fields[name], name, seats))
        for name in ("profits", "goods_left")
    )
    winners = sorted(_number(seat, "a seat in winners", 0, seats - 1) for seat in _list(fields["winners"], "winners"))
    if not winners or len(set(winners)) < len(winners):
        raise ValueError("winners must name at least one seat, and none twice")
    return Result(profits, goods_left, tuple(winners))


def _object(value: object, what: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what} is an object, not {shown(value)}")
    missing = [name for name in required if name not in value]
    if missing:
        raise ValueError(f"{what} has no field {missing[0]!r}")
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
        raise ValueError(f"{what} must be {least} to {most}" + (f", not {value}" if abs(value) < 10**18 else ""))
    return value


def _cards(value: object, what: str) -> Cards:
    return Cards.from_codes(_codes(value, what))


def _codes(value: object, what: str) -> tuple[str, ...]:
    codes = _list(value, what)
    try:
        Cards.from_codes(codes)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    return tuple(codes)
