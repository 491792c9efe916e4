"""The shape of a record file: which fields it has and what they may hold.

A record is one JSON object (format ``byzanz-record``, version 1). Here its fields are checked one by one, so that a
file that somebody else wrote, or broke, is refused in one sentence that says where; whether the cards add up and the
actions are legal is for `Record` to find out, which knows the rules. Cards stand in files as exact codes, and no field
is unknown.
"""

from __future__ import annotations

from typing import Any, Final

from byzanz_lab.game.actions import Action, action_from_dict
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import Result
from byzanz_lab.json_fields import format_fields, list_field, number_field, object_field, winners_field
from byzanz_lab.safe_json import shown

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


def fields_from_dict(data: object) -> dict[str, Any]:
    """Read the fields of a record, as keyword arguments for `Record`.

    Raises
    ------
    ValueError
        If a field is missing, unknown, or not what it should be.
    """
    format_fields(data, "a record", FORMAT, VERSION)
    record = object_field(data, "a record", _REQUIRED, _OPTIONAL)
    rules = _rules(record["players"], record["variant"])
    seats = rules.seats
    return {
        "rules": rules,
        "start_player": number_field(record["start_player"], "start_player", 0, seats - 1),
        "hands": tuple(
            _cards(hand, f"the hand of seat {seat}")
            for seat, hand in enumerate(list_field(record["hands"], "hands", seats))
        ),
        "removed": None if record["removed"] is None else _cards(record["removed"], "removed"),
        "deck": _codes(record["deck"], "deck"),
        "moves": tuple(
            _move(index, entry, seats) for index, entry in enumerate(list_field(record["actions"], "actions"))
        ),
        "names": tuple(list_field(record["names"], "names", seats)) if "names" in record else (),
        "result": _result(record["result"], seats) if "result" in record else None,
    }


def result_to_dict(result: Result) -> dict[str, list[int]]:
    """The field ``result`` of a record."""
    return {name: list(getattr(result, name)) for name in _RESULT}


def _rules(players: object, variant: object) -> Rules:
    seats = number_field(players, "players", 3, 6)
    return Rules.for_seats(seats, **object_field(variant, "variant", optional=None))


def _move(index: int, entry: Any, seats: int) -> tuple[int, Action]:
    try:
        seat, action = action_from_dict(entry)
    except ValueError as error:
        raise ValueError(f"action {index}: {error}") from None
    if not 0 <= seat < seats:
        raise ValueError(f"action {index}: there is no seat {shown(seat)}, seats are 0 to {seats - 1}")
    return seat, action


def _result(value: object, seats: int) -> Result:
    fields = object_field(value, "the result", _RESULT)
    profits, goods_left = (
        tuple(number_field(n, f"a number in {name}", 0, _MANY) for n in list_field(fields[name], name, seats))
        for name in ("profits", "goods_left")
    )
    return Result(profits, goods_left, winners_field(fields["winners"], seats))


def _cards(value: object, what: str) -> Cards:
    return Cards.from_codes(_codes(value, what))


def _codes(value: object, what: str) -> tuple[str, ...]:
    codes = list_field(value, what)
    try:
        Cards.from_codes(codes)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    return tuple(codes)
