"""The decisions a player can make, and their one text form each.

One places a card or, when none can be placed, passes; alone, passing lays the drawn card aside. ``parse_action`` and
``format_action`` are exact inverses; ``action_to_dict`` and ``action_from_dict`` read and write the form of records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from byzanz_lab.companions.byzantium.cards import parse_card
from byzanz_lab.companions.byzantium.tableau import parse_path
from byzanz_lab.safe_json import shown


@dataclass(frozen=True, slots=True)
class Place:
    """Put a card from the hand into a slot (rulings *slots*, *geometry*, *colour*, *direction*)."""

    card: str
    slot: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "card", parse_card(self.card))
        object.__setattr__(self, "slot", parse_path(self.slot))

    def __str__(self) -> str:
        return f"place {self.card} {self.slot}"

    def __repr__(self) -> str:
        return f"Place({self.card!r}, {self.slot!r})"


@dataclass(frozen=True, slots=True)
class Pass:
    """Place nothing, because nothing can be placed (rulings *must-place*, *solitaire*)."""

    def __str__(self) -> str:
        return "pass"


Action = Place | Pass
"""Any decision."""


def format_action(action: Action) -> str:
    """The text form, ``"place R7 EN"`` or ``"pass"``."""
    return str(action)


def parse_action(text: str) -> Action:
    """Read the text form of an action, in any case.

    Raises
    ------
    ValueError
        If the text names no action.

    Examples
    --------
    >>> parse_action("place r7 en")
    Place('R7', 'EN')
    >>> parse_action(str(Pass()))
    Pass()
    """
    words = text.split() if isinstance(text, str) else []
    if [word.lower() for word in words] == ["pass"]:
        return Pass()
    if len(words) >= 3 and words[0].lower() == "place":
        return Place(" ".join(words[1:-1]), words[-1])
    raise ValueError(f"unknown action {shown(text)}; actions are written like 'place R7 EN' or 'pass'")


def action_to_dict(seat: int, action: Action) -> dict[str, Any]:
    """The form of a record: ``{"player": 0, "type": "place", "card": "R7", "slot": "EN"}``."""
    if isinstance(action, Place):
        return {"player": seat, "type": "place", "card": action.card, "slot": action.slot}
    return {"player": seat, "type": "pass"}


def action_from_dict(entry: object) -> tuple[int, Action]:
    """Read one entry of a record: exactly the fields that `action_to_dict` writes.

    Returns
    -------
    tuple of int and Action
        The seat and what it did.

    Raises
    ------
    ValueError
        If a field is missing, unknown, or not what it should be.
    """
    if not isinstance(entry, Mapping):
        raise ValueError(f"an action is an object with player and type, not {shown(entry)}")
    seat, kind = entry.get("player"), entry.get("type")
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise ValueError(f"an action needs a player number, not {shown(seat)}")
    if kind not in ("place", "pass"):
        raise ValueError(f"unknown action type {shown(kind)}")
    fields = ("card", "slot") if kind == "place" else ()
    for name in entry:
        if name not in ("player", "type", *fields):
            raise ValueError(f"unknown field {shown(name)} in a {kind} action")
    if kind == "pass":
        return seat, Pass()
    card, slot = entry.get("card"), entry.get("slot")
    action = Place(card, slot)  # type: ignore[arg-type]  # it refuses what is no text
    if (card, slot) != (action.card, action.slot):
        raise ValueError(
            f"a record has exact codes: {action.card} and {action.slot}, not {shown(card)} and {shown(slot)}"
        )
    return seat, action
