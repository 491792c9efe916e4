"""Deck files: one JSON object a deck, read with all faults at once.

``deck.schema.json`` beside this module is the JSON Schema; in words::

    {"format": "byzantine-empire-deck", "version": 1,
     "name": "Porphyra",
     "description": "...",                          may be left out
     "byzantine": [CARD, ...],                      leader, recovery, troop, negotiation, legacy
     "foes": [CARD, ...]}                           northern foe, southern foe, natural disaster, other disaster, troop

    CARD = {"code": "belisarius",                   small letters, digits, hyphens; no two cards share one
            "name": "Belisarius",
            "type": "leader",
            "force": 3,                             -9 to 9
            "ages": ["early", "middle", "late"],    usable in; without gaps; all three when left out
            "unique": false,                        removed from play once melded; then there is one copy
            "legacy": 0,                            1 to 9 on legacy cards, 0 on all others
            "copies": 1}                            1 to 12

Beyond this the game must be playable: in every age, the cards that stay in play fill the larger of the hands, and some
meld has force (see `deck_faults`). `default_deck` is the deck that ships with the package; `read_deck` reads another.

**How the shipped deck was made.** "Porphyra" is this project's own design; no card list of the game is published. Its
names are historical, its numbers were set by self-play until three things held: the Emperor's side gains territory in
about as many turns as it loses some; neither side wins more than two turns of three in any age; and fewer than 15 % of
games end early. ``python -m byzanz_lab.companions.empire.balance`` measures this for any deck.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from byzanz_lab.companions.empire.cards import Card, Deck
from byzanz_lab.companions.empire.deck_faults import FORMAT, VERSION, deck_faults
from byzanz_lab.companions.empire.fault import InvalidDeck
from byzanz_lab.companions.empire.rules import AGES, Kind, Side
from byzanz_lab.safe_json import load_json, load_json_file

DEFAULT: Final = Path(__file__).resolve().parent / "decks" / "porphyra.json"
"""The deck that ships with the package."""

SCHEMA: Final = Path(__file__).resolve().parent / "deck.schema.json"
"""JSON Schema of deck files."""


@lru_cache(maxsize=1)
def default_deck() -> Deck:
    """The deck that ships with the package.

    Examples
    --------
    >>> default_deck()["belisarius"].describe()
    'Belisarius (leader, force 3, early age, unique)'
    """
    return read_deck(DEFAULT)


def read_deck(path: str | Path) -> Deck:
    """Read a deck file.

    Raises
    ------
    InvalidDeck
        If the game cannot be played with it; the error lists every fault.
    UnreadableJSON
        If it is no JSON; one sentence says why.
    OSError
        If it cannot be opened.
    """
    return deck_from_dict(load_json_file(path, "deck"))


def loads_deck(text: str | bytes) -> Deck:
    """Read the text of a deck file; errors as in `read_deck`."""
    return deck_from_dict(load_json(text, "deck"))


def dumps_deck(deck: Deck) -> str:
    """The text of a deck file, a card a line; exact inverse of `loads_deck`."""
    data = deck_to_dict(deck)
    lines = [f"  {json.dumps(name)}: {json.dumps(data[name], ensure_ascii=False)}" for name in _HEAD]
    for side in Side:
        cards = ",\n".join("    " + json.dumps(card, ensure_ascii=False) for card in data[side])
        lines.append(f'  "{side}": [\n{cards}\n  ]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def deck_to_dict(deck: Deck) -> dict[str, Any]:
    """The object of a deck file; what is as usual on a card is left out."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": deck.name,
        "description": deck.description,
    }
    return head | {str(side): [_card_to_dict(card) for card in deck.of_side(side)] for side in Side}


def deck_from_dict(data: object) -> Deck:
    """Read the object of a deck file.

    Raises
    ------
    InvalidDeck
        If the game cannot be played with it; the error lists every fault.
    """
    found = deck_faults(data)
    if found:
        raise InvalidDeck(found)
    assert isinstance(data, Mapping)  # else there is a fault
    cards = [_card_from_dict(card, side) for side in Side for card in data[side]]
    return Deck(data["name"], tuple(cards), data.get("description", ""))


_HEAD: Final = ("format", "version", "name", "description")


def _card_to_dict(card: Card) -> dict[str, Any]:
    data: dict[str, Any] = {"code": card.code, "name": card.name, "type": str(card.kind), "force": card.force}
    if len(card.ages) < len(AGES):
        data["ages"] = [AGES[age - 1] for age in card.ages]
    usual = {"unique": False, "legacy": 0, "copies": 1}
    return data | {name: getattr(card, name) for name, value in usual.items() if getattr(card, name) != value}


def _card_from_dict(data: Mapping[str, Any], side: Side) -> Card:
    return Card(
        code=data["code"],
        name=data["name"],
        kind=Kind(data["type"]),
        side=side,
        force=data["force"],
        ages=tuple(sorted(AGES.index(age) + 1 for age in data.get("ages", AGES))),
        unique=data.get("unique", False),
        legacy=data.get("legacy", 0),
        copies=data.get("copies", 1),
    )
