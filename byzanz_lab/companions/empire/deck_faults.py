"""Everything that can be wrong with a deck, found at once.

First the shape: fields that are missing, unknown or of the wrong type, names and codes, numbers out of range. Then, if
the cards could be read, whether the game can be played with them: a card for each role, hands that can be filled in
every age even after all unique cards have left the game, and melds that have force.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from byzanz_lab.companions.empire.cards import CODE, NOTHING
from byzanz_lab.companions.empire.fault import Fault
from byzanz_lab.companions.empire.rules import AGES, MELD_LIMITS, RULES, Kind, Side
from byzanz_lab.safe_json import shown

FORMAT: Final = "byzantine-empire-deck"
VERSION: Final = 1

FORCES: Final = (-9, 9)
LEGACIES: Final = (1, 9)
COPIES: Final = (1, 12)
MOST_LINES: Final = 120
"""Lines of one side."""
MOST_CARDS: Final = 250
"""Cards of one side, copies counted."""
MOST_NAME: Final = 60
MOST_DESCRIPTION: Final = 2000

_HEAD: Final = {"format", "version", "name", "description", *Side}
_CARD: Final = {"code", "name", "type", "force", "ages", "unique", "legacy", "copies"}
_NEEDED: Final = ("code", "name", "type", "force")


def deck_faults(data: object) -> tuple[Fault, ...]:
    """Find everything that is wrong with the object of a deck file; nothing, if the game can be played with it.

    Examples
    --------
    >>> for fault in deck_faults({"format": "byzantine-empire-deck", "version": 1, "name": "", "byzantine": []}):
    ...     print(fault)
    name: must not be empty
    foes: is missing
    byzantine: must not be empty
    """
    if not isinstance(data, Mapping):
        return (Fault("deck", f"must be an object with named fields, not {shown(data)}"),)
    if data.get("format") != FORMAT:
        return (Fault("format", f"must be {FORMAT!r}, not {shown(data.get('format'))}"),)
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        return (Fault("version", f"only version {VERSION} can be read, not {shown(data.get('version'))}"),)
    found = [*_head_faults(data)]
    cards = [
        (side, number, card)
        for side in Side
        for number, card in enumerate(data[side] if isinstance(data.get(side), list) else ())
    ]
    wrong = [fault for side, number, card in cards for fault in _card_faults(card, side, f"{side}[{number}]")]
    found += [*wrong, *_code_faults(cards)]
    return tuple(found) if found else tuple(_play_faults(data))


# -- shape -------------------------------------------------------------------------------------------------------------


def _head_faults(data: Mapping[str, Any]) -> Iterator[Fault]:
    for name in data:
        if name not in _HEAD:
            yield Fault(shown(str(name))[1:-1], "is no field of a deck")
    yield from _text_faults(data, "name", "name", MOST_NAME)
    if "description" in data:
        yield from _text_faults(data, "description", "description", MOST_DESCRIPTION, may_be_empty=True)
    for side in Side:
        if side not in data:
            yield Fault(side, "is missing")
    for side in Side:
        cards = data.get(side, ())
        if side in data and not isinstance(cards, list):
            yield Fault(side, f"must be a list of cards, not {shown(cards)}")
        elif side in data and not cards:
            yield Fault(side, "must not be empty")
        elif len(cards) > MOST_LINES:
            yield Fault(side, f"must have at most {MOST_LINES} lines, not {len(cards)}")


def _card_faults(card: Any, side: Side, where: str) -> Iterator[Fault]:
    if not isinstance(card, Mapping):
        yield Fault(where, f"must be an object with named fields, not {shown(card)}")
        return
    for name in card:
        if name not in _CARD:
            yield Fault(f"{where}.{shown(str(name))[1:-1]}", "is no field of a card")
    for name in _NEEDED:
        if name not in card:
            yield Fault(f"{where}.{name}", "is missing")
    if "code" in card and not _is_code(card["code"]):
        rule = "small letters, digits and hyphens, at most 24, a letter first"
        taken = f"{NOTHING!r} is no name for a card" if card["code"] == NOTHING else f"{shown(card['code'])} is no code"
        yield Fault(f"{where}.code", f"{taken} ({rule})")
    if "name" in card:
        yield from _text_faults(card, "name", f"{where}.name", MOST_NAME)
    yield from _type_faults(card, side, where)
    yield from _whole_faults(card, "force", FORCES, where)
    yield from _age_faults(card, where)
    if not isinstance(card.get("unique", False), bool):
        yield Fault(f"{where}.unique", f"must be true or false, not {shown(card['unique'])}")
    wrong_copies = [*_whole_faults(card, "copies", COPIES, where)]
    yield from wrong_copies
    if card.get("unique") is True and not wrong_copies and card.get("copies", 1) != 1:
        yield Fault(f"{where}.copies", f"a unique card has one copy, not {card['copies']}")


def _type_faults(card: Mapping[str, Any], side: Side, where: str) -> Iterator[Fault]:
    """The type, and the legacy value, which depends on it."""
    kind, types = card.get("type"), [str(kind) for kind in MELD_LIMITS[side]]
    if "type" in card and kind not in list(Kind):
        yield Fault(f"{where}.type", f"unknown type {shown(kind)} ({side} cards are {', '.join(types)})")
        return
    if "type" in card and kind not in types:
        yield Fault(f"{where}.type", f"a {kind} is no {side} card (those are {', '.join(types)})")
        return
    if "type" not in card:
        return
    if kind == Kind.LEGACY:
        yield from _whole_faults({"legacy": 0, **card}, "legacy", LEGACIES, where)
    elif isinstance(card.get("legacy", 0), bool) or card.get("legacy", 0) != 0:
        yield Fault(f"{where}.legacy", f"only legacy cards have a legacy value, a {kind} has none")


def _age_faults(card: Mapping[str, Any], where: str) -> Iterator[Fault]:
    ages = card.get("ages", list(AGES))
    if not isinstance(ages, list) or not ages:
        yield Fault(f"{where}.ages", f"must be a list of one or more of {', '.join(AGES)}, not {shown(ages)}")
        return
    strange = [age for age in ages if age not in AGES]
    if strange:
        yield Fault(f"{where}.ages", f"unknown age {shown(strange[0])} (ages are {', '.join(AGES)})")
    elif len(set(ages)) < len(ages):
        yield Fault(f"{where}.ages", "names an age twice")
    elif set(ages) == {AGES[0], AGES[2]}:
        yield Fault(f"{where}.ages", "ages must follow each other: a card cannot rest in the middle age")


def _whole_faults(card: Mapping[str, Any], name: str, limits: tuple[int, int], where: str) -> Iterator[Fault]:
    value = card.get(name, limits[0])
    if isinstance(value, bool) or not isinstance(value, int):
        yield Fault(f"{where}.{name}", f"must be a whole number, not {shown(value)}")
    elif not limits[0] <= value <= limits[1]:
        yield Fault(f"{where}.{name}", f"must be {limits[0]} to {limits[1]}, not {shown(value)}")


def _text_faults(
    data: Mapping[str, Any], name: str, where: str, most: int, may_be_empty: bool = False
) -> Iterator[Fault]:
    text = data.get(name)
    if not isinstance(text, str):
        yield Fault(where, f"must be a text, not {shown(text)}" if name in data else "is missing")
    elif not text.strip() and not may_be_empty:
        yield Fault(where, "must not be empty")
    elif len(text) > most:
        yield Fault(where, f"must have at most {most} characters, not {len(text)}")
    elif any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        yield Fault(where, f"{shown(text)} holds a control character")


def _code_faults(cards: Sequence[tuple[Side, int, Any]]) -> Iterator[Fault]:
    first: dict[str, str] = {}
    for side, number, card in cards:
        code = card.get("code") if isinstance(card, Mapping) else None
        if isinstance(code, str) and code in first:
            yield Fault(f"{side}[{number}].code", f"{first[code]} has the code {shown(code)} already")
        elif isinstance(code, str):
            first[code] = f"{side}[{number}]"


def _is_code(code: object) -> bool:
    return isinstance(code, str) and CODE.fullmatch(code) is not None and code != NOTHING


# -- whether it can be played ------------------------------------------------------------------------------------------


def _play_faults(data: Mapping[str, Any]) -> Iterator[Fault]:
    for side in Side:
        cards = data[side]
        n = sum(card.get("copies", 1) for card in cards)
        if n > MOST_CARDS:
            yield Fault(side, f"must have at most {MOST_CARDS} cards, not {n}")
        for age, name in enumerate(AGES, start=1):
            yield from _age_play_faults([c for c in cards if name in c.get("ages", AGES)], side, age)


def _age_play_faults(usable: Sequence[Mapping[str, Any]], side: Side, age: int) -> Iterator[Fault]:
    """Whether the cards usable in an age make hands and melds."""
    turn = 1 + (age - 1) * RULES.turns // len(AGES)
    hand, name = RULES.hand_size(side, turn), AGES[age - 1]
    stay = Counter({card["code"]: card.get("copies", 1) for card in usable if not card.get("unique", False)})
    if stay.total() < hand:
        yield Fault(
            side,
            f"too few cards to fill the hand in the {name} age: {stay.total()} usable cards stay in play "
            f"(unique ones leave it), and the hand holds {hand}",
        )
    if not any(card["force"] > 0 for card in usable):
        yield Fault(side, f"no meld with force is possible in the {name} age: no usable card has a force above 0")
