"""Checking the fields of what was read from JSON, one by one.

`safe_json` makes plain values of a text; here they are refused unless they are what a file format says, each in one
sentence that names the field and shows the value. What the fields mean is for the room that reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byzanz_lab.safe_json import shown


def object_field(
    value: object, what: str, required: tuple[str, ...] = (), optional: tuple[str, ...] | None = ()
) -> Mapping[str, Any]:
    """An object that has all the fields it needs, and no others.

    Parameters
    ----------
    value
        What was read.
    what
        What it should be, for the message: ``"a record"``.
    required, optional
        Names of the fields that must, and that may, be there; with ``None`` any others may.

    Raises
    ------
    ValueError
        If it is no object, or a field is missing or unknown.

    Examples
    --------
    >>> object_field({"left": 2}, "the result", ("left", "winners"))
    Traceback (most recent call last):
    ValueError: the result has no field 'winners'
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be an object, not {shown(value)}")
    missing = [name for name in required if name not in value]
    if missing:
        raise ValueError(f"{what} has no field {str(missing[0])!r}")
    unknown = [] if optional is None else [name for name in value if name not in required + optional]
    if unknown:
        raise ValueError(f"{what} has an unknown field {shown(unknown[0])}")
    return value


def list_field(value: object, what: str, length: int | None = None) -> list[Any]:
    """A list, of a given length if there is one.

    Raises
    ------
    ValueError
        If it is no list, or longer or shorter.
    """
    if not isinstance(value, list):
        raise ValueError(f"{what} must be a list, not {shown(value)}")
    if length is not None and len(value) != length:
        raise ValueError(f"{what} must have {length} entries, not {len(value)}")
    return value


def number_field(value: object, what: str, least: int, most: int) -> int:
    """A whole number from ``least`` to ``most``.

    Raises
    ------
    ValueError
        If it is none (``true`` is none), or out of that range.

    Examples
    --------
    >>> number_field(7, "players", 3, 6)
    Traceback (most recent call last):
    ValueError: players must be 3 to 6, not 7
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{what} must be a whole number, not {shown(value)}")
    if not least <= value <= most:
        raise ValueError(f"{what} must be {least} to {most}, not {shown(value)}")
    return value


def winners_field(value: object, seats: int) -> tuple[int, ...]:
    """The seats that won, in order.

    Raises
    ------
    ValueError
        If it is no list of seats, or empty, or names one twice.
    """
    winners = sorted(number_field(seat, "a seat in winners", 0, seats - 1) for seat in list_field(value, "winners"))
    if not winners or len(set(winners)) < len(winners):
        raise ValueError("winners must name at least one seat, and none twice")
    return tuple(winners)


def format_fields(value: object, what: str, name: str, version: int) -> None:
    """Refuse an object that says it is something else, or of another version, before its fields are looked at.

    Raises
    ------
    ValueError
        If it is no object, its ``format`` is not ``name``, or its ``version`` not ``version``.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be an object, not {shown(value)}")
    if value.get("format", name) != name:
        raise ValueError(f"the format must be {name!r}, not {shown(value['format'])}")
    if number_field(value.get("version", version), "version", 0, 10**6) != version:
        raise ValueError(f"version {value['version']} of records is unknown, this reads version {version}")
