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

from typing import Any, Final

from byzanz_lab.companions.empire.actions import Action, action_from_dict
from byzanz_lab.companions.empire.cards import Deck
from byzanz_lab.companions.empire.position_json import check_deck
from byzanz_lab.companions.empire.rules import RULES, Side
from byzanz_lab.companions.empire.state import Result
from byzanz_lab.json_fields import format_fields, list_field, number_field, object_field, winners_field
from byzanz_lab.safe_json import shown

FORMAT: Final = "byzantine-empire-record"
VERSION: Final = 1
_REQUIRED: Final = ("format", "version", "deck", "emperor", "draws", "actions")
_OPTIONAL: Final = ("names", "result")
_RESULT: Final = ("legacy", "territory", "turns", "winners")
_MANY: Final = 10_000
"""More than any number in a result can be."""


def fields_from_dict(data: object, deck: Deck) -> dict[str, Any]:
    """Read the fields of a record, as keyword arguments for `Record`.

    Raises
    ------
    ValueError
        If a field is missing, unknown, or not what it should be.
    """
    format_fields(data, "a record", FORMAT, VERSION)
    record = object_field(data, "a record", _REQUIRED, _OPTIONAL)
    check_deck(record["deck"], deck)
    draws = object_field(record["draws"], "draws", tuple(Side))
    return {
        "deck": deck,
        "emperor": number_field(record["emperor"], "emperor", 0, 1),
        "draws": tuple(_codes(draws[side], f"draws of the {side} deck", deck) for side in Side),
        "moves": tuple(_move(index, entry) for index, entry in enumerate(list_field(record["actions"], "actions"))),
        "names": tuple(list_field(record["names"], "names", 2)) if "names" in record else (),
        "result": _result(record["result"]) if "result" in record else None,
    }


def result_to_dict(result: Result) -> dict[str, Any]:
    """The field ``result`` of a record."""
    return {
        "legacy": list(result.legacy),
        "territory": result.territory,
        "turns": result.turns,
        "winners": list(result.winners),
    }


def _result(value: object) -> Result:
    fields = object_field(value, "the result", _RESULT)
    legacy = [number_field(n, "a number in legacy", 0, _MANY) for n in list_field(fields["legacy"], "legacy", 2)]
    return Result(
        (legacy[0], legacy[1]),
        number_field(fields["territory"], "territory", -_MANY, RULES.most_territory),
        number_field(fields["turns"], "turns", 1, RULES.turns),
        winners_field(fields["winners"], 2),
    )


def _move(index: int, entry: object) -> tuple[int, Action]:
    try:
        return action_from_dict(entry)
    except ValueError as error:
        raise ValueError(f"action {index}: {error}") from None


def _codes(value: object, what: str, deck: Deck) -> tuple[str, ...]:
    codes = list_field(value, what)
    for code in codes:
        if not isinstance(code, str) or code not in deck:
            raise ValueError(f"{what}: {shown(code)} is no card of the deck {shown(deck.name)}")
    return tuple(codes)
