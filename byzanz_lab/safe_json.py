"""Reading JSON that somebody else may have written.

Positions and records come from files, from the clipboard and from other programs. ``load_json`` reads them so that
nothing worse than one clear sentence can come of it: files that are too big, nested without end, cut short, not text,
or that hold the same field twice, numbers that are none, or numbers of a million digits are refused as
`UnreadableJSON`. What the fields must hold is for the caller to check.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Final

MAX_BYTES: Final = 16 * 2**20
"""Longest text that is read, in bytes of a file or characters of a string."""

MAX_NESTING: Final = 32
"""Deepest nesting of lists and objects; positions and records need 4."""

MAX_DIGITS: Final = 18
"""Longest whole number, in digits; fits 64 bits."""


class UnreadableJSON(ValueError):
    """The text is no JSON that can be used; the message is one sentence that says what is wrong and where."""


def load_json(source: str | bytes | bytearray, what: str = "file") -> Any:
    """Read one JSON value.

    Parameters
    ----------
    source
        The text, or its bytes in UTF-8 (a byte order mark is fine).
    what
        What it should be, for the message: ``"position"``, ``"record"``.

    Raises
    ------
    UnreadableJSON
        If it cannot be read.

    Examples
    --------
    >>> load_json('{"seat": 0}', "position")
    {'seat': 0}
    >>> load_json('{"seat": 0, "seat": 1}', "position")
    Traceback (most recent call last):
    ...
    byzanz_lab.safe_json.UnreadableJSON: cannot read the position: the field 'seat' stands in it twice
    """
    try:
        text = _text_of(source)
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_whole, parse_float=_real
        )
        _check_content(value)
    except json.JSONDecodeError as error:
        raise UnreadableJSON(f"cannot read the {what}: {_syntax(error)}") from None
    except RecursionError:
        raise UnreadableJSON(f"cannot read the {what}: {_TOO_DEEP}") from None
    except _Refused as refusal:
        raise UnreadableJSON(f"cannot read the {what}: {refusal}") from None
    return value


def load_json_file(path: str | Path, what: str = "file") -> Any:
    """Read one JSON value from a file; see `load_json`.

    Raises
    ------
    UnreadableJSON
        If it cannot be read as JSON; the message names the file.
    OSError
        If the file cannot be opened.
    """
    with Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return load_json(data, f"{what} {str(path)!r}")


def shown(value: object, most: int = 60) -> str:
    """A value as a short text for a message; characters that could upset a terminal are escaped."""
    if isinstance(value, (list, tuple, dict)):
        return {list: "a list", tuple: "a list", dict: "an object"}[type(value)]
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) >= 10**most:
        return "a huge number"
    text = ascii(value if not isinstance(value, str) else value[: most + 1])
    return text if len(text) <= most else text[: most - 3] + "..."


_TOO_DEEP: Final = f"lists and objects are nested in it more than {MAX_NESTING} deep"


class _Refused(Exception):
    """Why a text is refused, without its name."""


def _text_of(source: str | bytes | bytearray) -> str:
    if not isinstance(source, (str, bytes, bytearray)):
        raise _Refused(f"it must be text or bytes, not {type(source).__name__}")
    if len(source) > MAX_BYTES:
        raise _Refused(f"it is longer than {MAX_BYTES // 2**20} MB")
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    try:
        return bytes(source).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _Refused(f"byte {error.start} of it is not UTF-8 text") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise _Refused(f"the field {shown(name)} stands in it twice")
        fields[name] = value
    return fields


def _no_constant(word: str) -> Any:
    raise _Refused(f"{word} is no number that JSON knows")


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise _Refused(f"a number in it has {len(digits.lstrip('-'))} digits, more than {MAX_DIGITS}")
    return int(digits)


def _real(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Refused(f"the number {shown(digits)[1:-1]} in it is too big")
    return value


def _check_content(value: Any) -> None:
    """Refuse deep nesting and half characters, without recursion."""
    level, depth = [value], 0
    while level:
        below: list[Any] = []
        for item in level:
            if depth == MAX_NESTING and isinstance(item, (dict, list)):
                raise _Refused(_TOO_DEEP)
            if isinstance(item, dict):
                below.extend(item.keys())
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            elif isinstance(item, str) and not item.isascii() and any("\ud800" <= c <= "\udfff" for c in item):
                raise _Refused(f"the text {shown(item)} in it holds half a character")
        level, depth = below, depth + 1


def _syntax(error: json.JSONDecodeError) -> str:
    if not error.doc.strip():
        return "it is empty"
    rest = error.doc[error.pos :].strip()
    if any(word.startswith(rest) for word in ("true", "false", "null")) or error.msg.startswith("Unterminated string"):
        return f"it ends too early, at line {error.doc.count(chr(10)) + 1}; the file may be cut short"
    if error.msg == "Extra data":
        return f"something follows its end at line {error.lineno}, column {error.colno}"
    return f"it is no JSON at line {error.lineno}, column {error.colno} ({error.msg[:1].lower()}{error.msg[1:]})"
