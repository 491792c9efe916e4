"""Positions as JSON, both ways.

A file holds one object. `schema` gives its JSON Schema, ``data/schema/position.schema.json``; in words::

    {"format": "byzanz-position", "version": 1,
     "players": 4,
     "variant": {},                        fields of the rules that differ from the defaults
     "seat": 0,                            whose view it is
     "phase": "auction",                   auction tax last_lot hand_limit market closing over
     "to_move": 0,                         null when the game is over
     "round": 2,                           from 1
     "hand": ["Wi4", "Sp1", "Sp1", "D"],   without the open bid
     "lot": ["Cl2", ...],
     "offers": [0, 5, 0, 0],               per seat, the offer card won this round; 0 for none
     "bids": [[], [], ["Sp2"], []],        per seat, the open bid
     "passed": [3],                        in that order
     "market": ["Gr1", "Gr1", "D"],
     "picked": 0,                          seats that have had their turn at the market
     "profits": [4, 0, 3, 0],              per seat
     "known": [[], ["Wi1"], [], []],       per seat, cards known to be in its hand; for the own seat, to the others
     "unknown": [0, 3, 4, 4],              per seat, how many cards more it holds in hand
     "gone": ["Ol1", "Ol1", "Ol3"],        all cards that have left the game
     "done": []}                           seats that have finished the closing sale

Only ``format``, ``version``, ``players`` and ``hand`` must be there; what is left out is filled in as
`Position.at_table` does. Other fields are refused. ``position_from_dict`` is the exact inverse of ``position_to_dict``,
as `loads` is of `dumps`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from byzanz_lab.game.cards import KIND_INDEX
from byzanz_lab.game.fault import Fault, InvalidPosition
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_setup import build
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.resources import sample
from byzanz_lab.safe_json import load_json, load_json_file, shown

FORMAT: Final = "byzanz-position"
VERSION: Final = 1

_MOST_LISTED: Final = 10
"""How many unknown fields are listed."""

_CARDS: Final = ("hand", "lot", "market", "gone")
_CARDS_PER_SEAT: Final = ("bids", "known")
_WHOLE_PER_SEAT: Final = ("offers", "profits", "unknown")
_SEATS: Final = ("passed", "done")
_WHOLE: Final = ("seat", "round", "picked")
_FIELDS: Final = frozenset(
    {"format", "version", "players", "variant", "phase", "to_move"}.union(
        _CARDS, _CARDS_PER_SEAT, _WHOLE_PER_SEAT, _SEATS, _WHOLE
    )
)


def position_to_dict(position: Position) -> dict[str, Any]:
    """The object that stands in a file; see the module's description."""
    table = position.table
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": table.rules.seats,
        "variant": table.rules.variant,
        "seat": position.seat,
        "phase": table.phase.value,
        "to_move": table.to_move,
        "round": table.round,
        "hand": position.hand.codes(),
        "lot": table.lot.codes(),
        "offers": list(table.offers),
        "bids": [bid.codes() for bid in table.bids],
        "passed": list(table.passes),
        "market": table.market.codes(),
        "picked": table.picked,
        "profits": list(table.profits),
        "known": [known.codes() for known in table.known],
        "unknown": list(position.unknown),
        "gone": table.gone.codes(),
        "done": list(table.done),
    }


def position_from_dict(data: Mapping[str, Any]) -> Position:
    """Read the object that stands in a file.

    Raises
    ------
    InvalidPosition
        If a field is missing, unknown or of the wrong type, or if no game looks like this; it lists everything.
    """
    if not isinstance(data, Mapping):
        raise InvalidPosition((Fault("position", f"must be an object with named fields, not {shown(data)}"),))
    found = _wrong_head(data)
    if not found:
        found = _wrong_types(data)
    if found:
        raise InvalidPosition(tuple(found))
    parts = {name: value for name, value in data.items() if name not in ("format", "version", "players")}
    return build(parts | {"rules": data["players"]})


def dumps(position: Position) -> str:
    """The text of a file: one field a line."""
    fields = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in position_to_dict(position).items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def loads(text: str | bytes) -> Position:
    """Read the text of a file.

    Raises
    ------
    UnreadableJSON
        If it is no JSON; one sentence says why.
    InvalidPosition
        If it is no position; see `position_from_dict`.
    """
    return position_from_dict(load_json(text, "position"))


def load(path: str | Path) -> Position:
    """Read a file; see `loads`. An `OSError` says why it could not be opened."""
    return position_from_dict(load_json_file(path, "position"))


def save(position: Position, path: str | Path) -> None:
    """Write a file."""
    Path(path).write_text(dumps(position), encoding="utf-8")


def load_sample(name: str = "auction") -> Position:
    """Read a sample position that ships with the package.

    Parameters
    ----------
    name
        ``auction``, ``opening``, ``tax``, ``last_lot``, ``hand_limit``, ``market``, ``closing`` or ``over``.

    Raises
    ------
    FileNotFoundError
        When there is no such sample; the message lists those that there are.

    Examples
    --------
    >>> load_sample("market").market
    Cards('Cl1 Cl3 Gr1 2xGr2 Ol1 Ol2 Wi2 Wo3')
    """
    return load(sample(f"sample_{name}"))


def schema() -> dict[str, Any]:
    """The JSON Schema of position files."""
    text = files("byzanz_lab").joinpath("data", "schema", "position.schema.json").read_text("utf-8")
    return dict(json.loads(text))


def _wrong_head(data: Mapping[str, Any]) -> list[Fault]:
    """Whether it is a position at all, of a version that can be read."""
    if data.get("format") != FORMAT:
        given = f"not {shown(data['format'])}" if "format" in data else "and it is missing"
        return [Fault("format", f"must be {FORMAT!r}, {given}")]
    version = data.get("version")
    if isinstance(version, bool) or version != VERSION or not isinstance(version, int):
        return [Fault("version", f"only version {VERSION} can be read, not {shown(version)}")]
    players = data.get("players")
    try:
        Rules(players)  # type: ignore[arg-type]
    except ValueError:
        return [Fault("players", f"must be a number from 3 to 6, not {shown(players)}")]
    return []


def _wrong_types(data: Mapping[str, Any]) -> list[Fault]:
    """Fields that are not what the schema says; their meaning is judged later."""
    strange = [name for name in data if name not in _FIELDS]
    found = [Fault(shown(str(name))[1:-1], "is no field of a position") for name in strange[:_MOST_LISTED]]
    if "hand" not in data:
        found.append(Fault("hand", "is missing"))
    if not isinstance(data.get("variant", {}), Mapping):
        found.append(Fault("variant", f"must be an object, not {shown(data['variant'])}"))
    if data.get("phase", Phase.AUCTION) not in list(Phase):
        found.append(Fault("phase", f"must be one of {', '.join(Phase)}, not {shown(data['phase'])}"))
    for name in _WHOLE:
        found += _not_whole(name, data.get(name, 0))
    if data.get("to_move") is not None:
        found += _not_whole("to_move", data["to_move"])
    for name in _CARDS:
        found += _not_cards(name, data.get(name, []))
    for name in _SEATS:
        found += _not_list(name, data.get(name, []), most=data["players"])
    for name in (*_WHOLE_PER_SEAT, *_CARDS_PER_SEAT):
        found += _not_per_seat(name, data)
    return found


def _not_whole(name: str, value: Any) -> list[Fault]:
    if isinstance(value, bool) or not isinstance(value, int):
        return [Fault(name, f"must be a whole number, not {shown(value)}")]
    return []


def _not_list(name: str, value: Any, most: int) -> list[Fault]:
    if isinstance(value, list) and len(value) <= most:
        return []
    given = f"one of {len(value)}" if isinstance(value, list) else shown(value)
    return [Fault(name, f"must be a list of at most {most} entries, not {given}")]


def _not_cards(name: str, value: Any) -> list[Fault]:
    found = _not_list(name, value, most=Rules.n_cards)
    strange = [] if found else [code for code in value if not isinstance(code, str) or code not in KIND_INDEX]
    if strange:
        found = [Fault(name, f"{shown(strange[0])} is no card (cards are 'Cl1' to 'Wo4' and 'D')")]
    return found


def _not_per_seat(name: str, data: Mapping[str, Any]) -> list[Fault]:
    if name not in data:
        return []
    values = data[name]
    if not isinstance(values, list) or len(values) != data["players"]:
        given = f"a list of {len(values)}" if isinstance(values, list) else shown(values)
        return [Fault(name, f"must be a list with an entry for each of {data['players']} players, not {given}")]
    wrong = _not_cards if name in _CARDS_PER_SEAT else _not_whole
    return [fault for seat, value in enumerate(values) for fault in wrong(f"{name}[{seat}]", value)]
