"""Positions as JSON, both ways.

A file holds one object::

    {"format": "byzantine-empire-position", "version": 1,
     "deck": {"name": "Porphyra", "fingerprint": "..."},     which cards the codes belong to
     "seat": 0,                                               whose view it is
     "emperor": 0, "turn": 3,
     "phase": "meld",                      redraw meld negotiation replacement pass over
     "to_move": 0,                         null when the game is over
     "territory": 9, "legacy": [11, 9],    legacy per seat
     "hand": ["belisarius", "dromons"],
     "chosen": null,                       the own meld, once chosen and not revealed
     "laid": null,                         the own card laid aside to be passed
     "sizes": [9, 8],                      per seat, cards held out of sight
     "known": [["dromons"], []],           per seat, those that the other seat knows of
     "redrawn": [0, 2],                    per seat, unknown cards drawn in this turn's Redraw Phase
     "revealed": [[0, 0], [0, 0]],         per seat, usable and dead cards shown since that were not known
     "discards": {"byzantine": [], "foes": ["raiders"]},
     "removed": [],                        out of play for good
     "melds": {"byzantine": [], "foes": []},
     "target": null}                       what negotiation took out

All fields must be there, and no others. The deck is not in the file: it is the one that ships with the package, or the
one that is handed in; if the fingerprint is another one, the file is refused. ``position_from_dict`` is the exact
inverse of ``position_to_dict``, as `loads` is of `dumps`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from byzanz_lab.companions.empire.cards import Deck, Heap, heap
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.fault import Fault, InvalidPosition
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.position_faults import faults
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.table import Phase, Table
from byzanz_lab.safe_json import load_json, load_json_file, shown

FORMAT: Final = "byzantine-empire-position"
VERSION: Final = 1
_WHOLE: Final = ("seat", "emperor", "turn", "territory")
_FIELDS: Final = (
    "format", "version", "deck", *_WHOLE, "phase", "to_move", "legacy", "hand", "chosen", "laid", "sizes", "known",
    "redrawn", "revealed", "discards", "removed", "melds", "target",
)  # fmt: skip


def deck_to_dict(deck: Deck) -> dict[str, str]:
    """How records and positions name their deck."""
    return {"name": deck.name, "fingerprint": deck.fingerprint}


def check_deck(data: object, deck: Deck) -> None:
    """Refuse cards that belong to another deck.

    Raises
    ------
    ValueError
        If the deck is not named as `deck_to_dict` does, or it is another one.
    """
    if not isinstance(data, Mapping) or set(data) != {"name", "fingerprint"}:
        raise ValueError("deck must be an object with the fields name and fingerprint")
    if data["fingerprint"] != deck.fingerprint:
        raise ValueError(
            f"it was made with the deck {shown(data['name'])} (fingerprint {shown(data['fingerprint'])}), "
            f"and this is {shown(deck.name)} ({deck.fingerprint}); hand in its deck file"
        )


def position_to_dict(position: Position) -> dict[str, Any]:
    """The object that stands in a file; see the module's description."""
    table = position.table
    return {
        "format": FORMAT,
        "version": VERSION,
        "deck": deck_to_dict(table.deck),
        "seat": position.seat,
        "emperor": table.emperor,
        "turn": table.turn,
        "phase": str(table.phase),
        "to_move": table.to_move,
        "territory": table.territory,
        "legacy": list(table.legacy),
        "hand": list(position.hand),
        "chosen": None if position.chosen is None else list(position.chosen),
        "laid": position.laid,
        "sizes": list(table.sizes),
        "known": [list(cards) for cards in table.known],
        "redrawn": list(table.redrawn),
        "revealed": [list(n) for n in table.revealed],
        "discards": {str(side): list(table.discards[side.number]) for side in Side},
        "removed": list(table.removed),
        "melds": {str(side): list(table.melds[side.number]) for side in Side},
        "target": table.target,
    }


def position_from_dict(data: object, deck: Deck | None = None) -> Position:
    """Read the object that stands in a file.

    Parameters
    ----------
    data
        The object.
    deck
        The cards it is about; the deck that ships with the package if not given.

    Raises
    ------
    InvalidPosition
        If a field is missing, unknown or of the wrong type, or if no game looks like this; it lists everything.
    """
    deck = default_deck() if deck is None else deck
    if not isinstance(data, Mapping):
        raise InvalidPosition([Fault("position", f"must be an object with named fields, not {shown(data)}")])
    found = _wrong_head(data, deck) or _wrong_types(data)
    if found:
        raise InvalidPosition(found)
    table = Table(
        deck, data["turn"], data["emperor"], Phase(data["phase"]), data["to_move"], data["territory"],
        tuple(data["legacy"]), discards=_by_side(data["discards"]), removed=heap(data["removed"]),
        melds=_by_side(data["melds"]), target=data["target"], sizes=tuple(data["sizes"]),
        known=(heap(data["known"][0]), heap(data["known"][1])), redrawn=tuple(data["redrawn"]),
        revealed=(tuple(data["revealed"][0]), tuple(data["revealed"][1])),
    )  # fmt: skip
    chosen = None if data["chosen"] is None else heap(data["chosen"])
    position = Position(data["seat"], table, heap(data["hand"]), chosen, data["laid"])
    wrong = faults(position)
    if wrong:
        raise InvalidPosition(wrong)
    return position


def dumps(position: Position) -> str:
    """The text of a file: one field a line."""
    fields = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in position_to_dict(position).items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def loads(text: str | bytes, deck: Deck | None = None) -> Position:
    """Read the text of a file.

    Raises
    ------
    UnreadableJSON
        If it is no JSON; one sentence says why.
    InvalidPosition
        If it is no position; see `position_from_dict`.
    """
    return position_from_dict(load_json(text, "position"), deck)


def load(path: str | Path, deck: Deck | None = None) -> Position:
    """Read a file; see `loads`. An `OSError` says why it could not be opened."""
    return position_from_dict(load_json_file(path, "position"), deck)


def save(position: Position, path: str | Path) -> None:
    """Write a file."""
    Path(path).write_text(dumps(position), encoding="utf-8")


def _by_side(data: Mapping[str, Any]) -> tuple[Heap, Heap]:
    return heap(data[Side.BYZANTINE]), heap(data[Side.FOES])


def _wrong_head(data: Mapping[str, Any], deck: Deck) -> list[Fault]:
    if data.get("format") != FORMAT:
        return [Fault("format", f"must be {FORMAT!r}, not {shown(data.get('format'))}")]
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        return [Fault("version", f"only version {VERSION} can be read, not {shown(data.get('version'))}")]
    found = [Fault(name, "is missing") for name in _FIELDS if name not in data]
    found += [Fault(shown(str(name))[1:-1], "is no field of a position") for name in data if name not in _FIELDS]
    if found:
        return found
    try:
        check_deck(data["deck"], deck)
    except ValueError as error:
        return [Fault("deck", str(error))]
    return []


def _wrong_types(data: Mapping[str, Any]) -> list[Fault]:
    """Fields that are not what the format says; their meaning is judged later."""
    found = [_whole(name, data[name]) for name in _WHOLE]
    found += [_whole("to_move", data["to_move"])] if data["to_move"] is not None else []
    found += [] if data["phase"] in list(Phase) else [Fault("phase", f"is one of {', '.join(Phase)}")]
    for name, check in _PER_SEAT.items():
        if not isinstance(data[name], list) or len(data[name]) != 2:
            found.append(Fault(name, f"must be a list with an entry for each of 2 seats, not {shown(data[name])}"))
            continue
        found += [check(f"{name}[{seat}]", value) for seat, value in enumerate(data[name])]
    for name in ("discards", "melds"):
        if not isinstance(data[name], Mapping) or set(data[name]) != set(Side):
            found.append(Fault(name, f"must be an object with the fields {' and '.join(Side)}"))
            continue
        found += [_cards(f"{name}.{side}", data[name][side]) for side in Side]
    found += [_cards(name, data[name]) for name in ("hand", "removed")]
    found += [_cards("chosen", data["chosen"])] if data["chosen"] is not None else []
    for name in ("laid", "target"):
        if data[name] is not None and not isinstance(data[name], str):
            found.append(Fault(name, f"must be the code of a card or null, not {shown(data[name])}"))
    return [fault for fault in found if fault is not None]


def _whole(name: str, value: Any) -> Fault | None:
    wrong = isinstance(value, bool) or not isinstance(value, int)
    return Fault(name, f"must be a whole number, not {shown(value)}") if wrong else None


def _two_whole(name: str, value: Any) -> Fault | None:
    if isinstance(value, list) and len(value) == 2 and not any(_whole(name, n) for n in value):
        return None
    return Fault(name, f"must be a list of two whole numbers, not {shown(value)}")


def _cards(name: str, value: Any) -> Fault | None:
    if isinstance(value, list) and all(isinstance(code, str) for code in value):
        return None
    return Fault(name, f"must be a list of codes of cards, not {shown(value)}")


_PER_SEAT: Final = {"legacy": _whole, "sizes": _whole, "known": _cards, "redrawn": _whole, "revealed": _two_whole}
