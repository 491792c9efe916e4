"""A position as it is being entered: texts, field by field, whether or not they make sense yet.

A ``Draft`` maps field names to the texts that stand in the controls. The names are those of `Position.at_table`, with a
seat where there is one value a seat (``bids[2]``), so that each `Fault` finds its control. What is left out is empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.fault import Fault, InvalidPosition
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_setup import build
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase

Draft = Mapping[str, str]
"""Field name -> what was typed or chosen."""

MOST_SEATS: Final = 6
CARD_FIELDS: Final = ("hand", "lot", "market", "gone")
CARDS_PER_SEAT: Final = ("bids", "known")
NUMBERS_PER_SEAT: Final = ("offers", "unknown", "profits")
FLAGS: Final = tuple(name for name in Rules.variant_names() if name != "hand_limit")
SEAT_LISTS: Final = ("passed", "done")
FIELDS: Final = frozenset(
    {"rules", "hand_limit", *FLAGS, "seat", "phase", "to_move", "round", "picked", *CARD_FIELDS, *SEAT_LISTS}
    | {f"{name}[{seat}]" for name in (*CARDS_PER_SEAT, *NUMBERS_PER_SEAT) for seat in range(MOST_SEATS)}
)
"""All names that a draft may have."""
LONGEST: Final = 2000
"""Characters kept of one field."""


def blank(seats: int = 4) -> dict[str, str]:
    """A table at which nothing has been entered yet."""
    return {"rules": str(seats), "seat": "0", "phase": "auction", "round": "1"}


def draft_of(position: Position) -> dict[str, str]:
    """A draft that says all that a position says; the inverse of `read`."""
    table, rules = position.table, position.rules
    draft = {
        "rules": str(rules.seats),
        "seat": str(position.seat),
        "phase": str(table.phase),
        "to_move": "" if table.to_move is None else str(table.to_move),
        "round": str(table.round),
        "picked": str(table.picked) if table.phase in (Phase.MARKET, Phase.HAND_LIMIT) else "",
        "hand_limit": str(rules.hand_limit) if "hand_limit" in rules.variant else "",
        "hand": _text(position.hand),
        "lot": _text(table.lot),
        "market": _text(table.market),
        "gone": _text(table.gone),
        "passed": " ".join(map(str, table.passes)),
        "done": " ".join(map(str, table.done)),
    }
    draft |= {flag: "yes" for flag in FLAGS if getattr(rules, flag)}
    for seat in range(rules.seats):
        draft[f"bids[{seat}]"] = _text(table.bids[seat])
        draft[f"known[{seat}]"] = _text(table.known[seat])
        draft[f"offers[{seat}]"] = str(table.offers[seat] or "")
        draft[f"profits[{seat}]"] = str(table.profits[seat] or "")
        draft[f"unknown[{seat}]"] = "" if seat == position.seat else str(position.unknown[seat])
    return {field: text for field, text in draft.items() if text}


def parts_of(draft: Draft) -> dict[str, Any]:
    """The keyword arguments of `Position.at_table` that a draft stands for; what cannot be read is left as it is."""
    parts: dict[str, Any] = {
        "rules": _number(draft.get("rules", "")),
        "variant": {flag: True for flag in FLAGS if draft.get(flag)},
        "seat": _number(draft.get("seat", "")) if draft.get("seat") else 0,
        "phase": draft.get("phase") or "auction",
        "round": _number(draft.get("round", "")) if draft.get("round") else 1,
    }
    if draft.get("hand_limit"):
        parts["variant"]["hand_limit"] = _number(draft["hand_limit"])
    for field in ("to_move", "picked"):
        if draft.get(field):
            parts[field] = _number(draft[field])
    parts |= {field: draft.get(field, "") for field in CARD_FIELDS}
    for field in SEAT_LISTS:
        words = draft.get(field, "").replace(",", " ").split()
        if words:
            parts[field] = [_number(word) for word in words]
    for field in (*CARDS_PER_SEAT, *NUMBERS_PER_SEAT):
        values = {seat: draft.get(f"{field}[{seat}]", "") for seat in range(_seats(draft))}
        read = str if field in CARDS_PER_SEAT else _number
        found = {seat: read(text) for seat, text in values.items() if text.strip()}
        if found:
            parts[field] = found
    return parts


def read(draft: Draft) -> tuple[Position | None, tuple[Fault, ...]]:
    """The position that a draft describes, or everything that is wrong with it."""
    try:
        return build(parts_of(draft)), ()
    except InvalidPosition as error:
        return None, error.faults


def faults_by_field(faults: tuple[Fault, ...]) -> dict[str, list[str]]:
    """Messages by the name of the control that they belong to."""
    found: dict[str, list[str]] = {}
    for fault in faults:
        found.setdefault(fault.field, []).append(fault.message)
    return found


def cards_in(draft: Draft, field: str) -> Cards | None:
    """The cards of one field; ``None`` where they cannot be read."""
    try:
        return Cards(draft.get(field, ""))
    except ValueError:
        return None


def places(draft: Draft) -> list[str]:
    """Fields whose cards this seat can see; of its own hand, ``known`` says what the others know."""
    seats, own = range(_seats(draft)), draft.get("seat", "0")
    known = [f"known[{seat}]" for seat in seats if str(seat) != own]
    return [*CARD_FIELDS, *(f"bids[{seat}]" for seat in seats), *known]


def unseen(draft: Draft) -> list[int]:
    """How many cards of each of the 25 kinds lie in no field yet; below 0 where more are entered than exist."""
    left = list(Rules.copies)
    for field in places(draft):
        cards = cards_in(draft, field)
        if cards is not None:
            left = [have - used for have, used in zip(left, cards.counts, strict=True)]
    return left


def code_of(position: Position, objective: str = "profit", seed: int = 1, worlds: int = 1000) -> str:
    """Python that makes the same position and asks for the same advice."""
    parts = parts_of(draft_of(position))
    rules = parts.pop("rules")
    usual = {"variant": {}, "seat": 0, "phase": "auction", "round": 1, "to_move": position.seat}
    usual |= dict.fromkeys(CARD_FIELDS, "")
    lines = [
        f"    {name}={value!r},".replace("'", '"')  # card texts hold no quotes
        for name, value in parts.items()
        if value != usual.get(name, object())
    ]
    given = "" if objective == "profit" else f', objective="{objective}"'
    head = "from byzanz_lab import Position, advise\n\nposition = Position.at_table(\n"
    call = f"advice = advise(position, budget={worlds}, seed={seed}{given})\nadvice\n"
    return head + "\n".join([f"    {rules},", *lines]) + f"\n)\n{call}"


def _text(cards: Cards) -> str:
    return str(cards) if cards else ""


def _number(text: str) -> int | str:
    """A whole number, or the text as it is, for `build` to refuse."""
    stripped = text.strip()
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) <= 6 else text


def _seats(draft: Draft) -> int:
    number = _number(draft.get("rules", ""))
    return number if isinstance(number, int) and number in range(3, MOST_SEATS + 1) else MOST_SEATS
