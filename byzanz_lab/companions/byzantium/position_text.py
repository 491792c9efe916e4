"""Positions as one line of text and as JSON.

The line names each part: ``players 2; seat 0; dealer 1; to_move 0; tableau N=B7; hand B2 R9; sizes 2 3``. Parts that
say nothing (no passes, no variant) are left out. ``parse_position`` and ``format_position`` are exact inverses, and so
are ``position_from_dict`` and ``position_to_dict``; both readers check what they read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from byzanz_lab.companions.byzantium.position import InvalidPosition, Position
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.safe_json import UnreadableJSON, load_json, shown

FORMAT: Final = "byzantium-position"
VERSION: Final = 1
_FIELDS: Final = frozenset(
    {
        "format", "version", "players", "variant", "seat", "dealer", "to_move",
        "tableau", "hand", "sizes", "barred", "passes", "aside",
    }
)  # fmt: skip
_NEEDED: Final = ("players", "hand")


def position_to_dict(position: Position) -> dict[str, Any]:
    """Plain JSON values; exact inverse of `position_from_dict`."""
    table = position.table
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": table.rules.players,
        "variant": table.rules.variant,
        "seat": position.seat,
        "dealer": table.dealer,
        "to_move": table.to_move,
        "tableau": dict(table.tableau.filled),
        "hand": position.hand.codes(),
        "sizes": list(table.sizes),
        "barred": [cards.codes() for cards in table.barred],
        "passes": table.passes,
        "aside": table.aside.codes(),
    }


def position_from_dict(data: object) -> Position:
    """Read the JSON object of a position; only ``players`` and ``hand`` are needed, see `Position.at_table`.

    Raises
    ------
    InvalidPosition
        If a field is missing, unknown, or not what it should be, or no deal looks like this.
    """
    if not isinstance(data, Mapping):
        raise InvalidPosition([f"a position is an object, not {shown(data)}"])
    unknown = [name for name in data if name not in _FIELDS]
    missing = [name for name in _NEEDED if name not in data]
    if unknown or missing:
        raise InvalidPosition(
            [f"unknown field {shown(name)}" for name in unknown] + [f"the field {name} is missing" for name in missing]
        )
    if data.get("format", FORMAT) != FORMAT or data.get("version", VERSION) != VERSION:
        raise InvalidPosition([f"it is no {FORMAT} of version {VERSION}"])
    inputs = {name: data[name] for name in data if name not in ("format", "version", "players", "variant", "tableau")}
    tableau, variant = data.get("tableau", {}), data.get("variant", {})
    if not isinstance(tableau, Mapping) or not all(isinstance(card, str) for card in tableau.values()):
        raise InvalidPosition(["tableau: it is an object of slots and cards"])
    if not isinstance(variant, Mapping):
        raise InvalidPosition([f"variant: it is an object, not {shown(variant)}"])
    try:
        rules = Rules.for_players(data["players"], **variant)
    except (ValueError, TypeError) as error:
        raise InvalidPosition([str(error)]) from None
    text = " ".join(f"{path}={card}" for path, card in tableau.items())
    for name in ("hand", "aside"):
        if name in inputs and not _is_texts(inputs[name]):
            raise InvalidPosition([f"{name}: it is a list of cards, not {shown(inputs[name])}"])
    if "barred" in inputs and not (isinstance(inputs["barred"], list) and all(map(_is_texts, inputs["barred"]))):
        raise InvalidPosition(["barred: it is a list with a list of cards for each seat"])
    if "sizes" in inputs and not isinstance(inputs["sizes"], list):
        raise InvalidPosition([f"sizes: it is a list, not {shown(inputs['sizes'])}"])
    return Position.at_table(rules, tableau=text, **inputs)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def load_position(text: str | bytes) -> Position:
    """Read a position from JSON text.

    Raises
    ------
    InvalidPosition
        If it is no JSON, or no position.
    """
    try:
        return position_from_dict(load_json(text, "position"))
    except UnreadableJSON as error:
        raise InvalidPosition([str(error)]) from None


def format_position(position: Position) -> str:
    """One line of text; exact inverse of `parse_position`."""
    table = position.table
    rules = table.rules
    parts = [f"players {rules.players}", f"seat {position.seat}", f"dealer {table.dealer}"]
    parts += [f"to_move {'-' if table.to_move is None else table.to_move}"]
    parts += [f"tableau {table.tableau}", f"hand {position.hand}", f"sizes {' '.join(map(str, table.sizes))}"]
    parts += [f"barred {seat} {cards}" for seat, cards in enumerate(table.barred) if cards]
    parts += [f"passes {table.passes}"] if table.passes else []
    parts += [f"aside {table.aside}"] if table.aside else []
    for name, value in rules.variant.items():
        parts.append(f"{name} {' '.join(map(str, value))}" if name == "card" else name)
    return "; ".join(parts)


def parse_position(text: str) -> Position:
    """Read one line of text; only ``players`` and ``hand`` are needed, see `Position.at_table`.

    Raises
    ------
    InvalidPosition
        If a part cannot be read, or no deal looks like this.

    Examples
    --------
    >>> position = parse_position("players 1; tableau N=B7 NE=B9; hand B8")
    >>> [str(action) for action in position.legal_actions()]
    ['place B8 S', 'place B8 NN', 'place B8 NW']
    >>> parse_position(str(position)) == position
    True
    """
    inputs: dict[str, Any] = {}
    variant: dict[str, Any] = {}
    barred: dict[int, str] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, value = part.partition(" ")
        value = value.strip()
        if name in inputs or name in variant:
            raise InvalidPosition([f"{name}: it is given twice"])
        if name in ("players", "seat", "dealer", "to_move", "passes"):
            inputs[name] = None if (name, value) == ("to_move", "-") else _number(name, value)
        elif name in ("tableau", "hand", "aside"):
            inputs[name] = value
        elif name == "sizes":
            inputs[name] = [_number(name, word) for word in value.split()]
        elif name == "barred":
            seat, _, cards = value.partition(" ")
            barred[_number(name, seat)] = cards
        elif name in Rules.variant_names():
            variant[name] = tuple(value.split()) if name == "card" else True
        else:
            raise InvalidPosition([f"unknown part {shown(part)}"])
    for name in _NEEDED:
        if name not in inputs:
            raise InvalidPosition([f"the part {name!r} is missing"])
    try:
        rules = Rules.for_players(inputs.pop("players"), **variant)
    except ValueError as error:
        raise InvalidPosition([str(error)]) from None
    return Position.at_table(rules, barred=barred, **inputs)


def _number(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        raise InvalidPosition([f"{name}: {shown(text)} is no number"])
    return int(text)
