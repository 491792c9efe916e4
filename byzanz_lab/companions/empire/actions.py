"""The decisions of the two players, and their one text form each.

An action is one of five small frozen values. It does not name the seat: who acts is given to `State.apply`, and is on
the move by default. ``parse_action`` and ``format_action`` are exact inverses; ``action_to_dict`` and
``action_from_dict`` read and write the form that records use, with the seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from byzanz_lab.companions.empire.cards import CODE, NOTHING, Heap, format_heap, heap, parse_heap
from byzanz_lab.safe_json import shown


@dataclass(frozen=True, slots=True, repr=False)
class _CardsAction:
    cards: Heap

    def __init__(self, cards: str | Iterable[str] = ()) -> None:
        object.__setattr__(self, "cards", parse_heap(cards or NOTHING) if isinstance(cards, str) else heap(cards))

    def __str__(self) -> str:
        return f"{type(self).__name__.lower()} {format_heap(self.cards)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({format_heap(self.cards)!r})"


class Redraw(_CardsAction):
    """Replace these cards of the hand, none or up to four, by drawn ones."""

    __slots__ = ()


class Meld(_CardsAction):
    """Meld these cards of the hand, or none (rulings *meld*, *empty-meld*)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, repr=False)
class _CardAction:
    card: str | None = None

    def __post_init__(self) -> None:
        if self.card is not None and not CODE.fullmatch(self.card):
            raise ValueError(f"{shown(self.card)} cannot be a card; cards are called by codes such as 'tagmata'")

    def __str__(self) -> str:
        return f"{_WORDS[type(self)]} {self.card or NOTHING}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.card!r})"


class Negotiate(_CardAction):
    """Take this northern or southern foe out of the revealed Foe meld, or none (ruling *negotiation*)."""

    __slots__ = ()


class Replace(_CardAction):
    """Put this northern or southern foe from the hand where one was taken out, or none (ruling *negotiation*)."""

    __slots__ = ()


class HandOver(_CardAction):
    """Keep this one card of those left, discard the others, and pass it to the opponent (ruling *passed-card*)."""

    __slots__ = ()

    def __post_init__(self) -> None:
        if self.card is None:
            raise ValueError("whoever has cards left passes one of them")
        super().__post_init__()


Action = Redraw | Meld | Negotiate | Replace | HandOver
"""Any decision."""

_WITH_CARDS: Final[dict[str, type[Redraw] | type[Meld]]] = {"redraw": Redraw, "meld": Meld}
_WITH_CARD: Final[dict[str, type[Negotiate] | type[Replace] | type[HandOver]]] = {
    "negotiate": Negotiate,
    "replace": Replace,
    "pass": HandOver,
}
_WORDS: Final[dict[type, str]] = {kind: word for word, kind in (_WITH_CARDS | _WITH_CARD).items()}


def format_action(action: Action) -> str:
    """The text form, such as ``"meld belisarius 2xdromons"`` or ``"negotiate nothing"``."""
    return str(action)


def parse_action(text: str) -> Action:
    """Read the text form of an action, in any case.

    Raises
    ------
    ValueError
        If the text names no action, or its cards cannot be read.

    Examples
    --------
    >>> parse_action("meld 2x Dromons, Belisarius")
    Meld('belisarius 2xdromons')
    >>> parse_action("negotiate nothing")
    Negotiate(None)
    >>> parse_action(str(Redraw()))
    Redraw('nothing')
    """
    word, _, rest = text.strip().partition(" ")
    word = word.lower()
    if word in _WITH_CARDS:
        return _WITH_CARDS[word](parse_heap(rest or NOTHING))
    if word in _WITH_CARD:
        cards = parse_heap(rest or NOTHING)
        if len(cards) > 1:
            raise ValueError(f"{word} names one card, not {len(cards)}")
        return _WITH_CARD[word](cards[0] if cards else None)
    raise ValueError(f"unknown action {shown(text)} ({', '.join(_WITH_CARDS | _WITH_CARD)})")


def action_to_dict(seat: int, action: Action) -> dict[str, Any]:
    """The form of a record: ``{"player": 0, "type": "meld", "cards": ["belisarius", "dromons"]}``."""
    entry: dict[str, Any] = {"player": seat, "type": _WORDS[type(action)]}
    if isinstance(action, _CardsAction):
        return entry | {"cards": list(action.cards)}
    return entry | {"card": action.card}


def action_from_dict(entry: object) -> tuple[int, Action]:
    """Read one entry of a record: the fields that `action_to_dict` writes, and no others.

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
    if isinstance(seat, bool) or seat not in (0, 1) or not isinstance(seat, int):
        raise ValueError(f"an action needs player 0 or 1, not {shown(seat)}")
    if not isinstance(kind, str) or kind not in _WITH_CARDS | _WITH_CARD:
        raise ValueError(f"unknown action type {shown(kind)} ({', '.join(_WITH_CARDS | _WITH_CARD)})")
    field = "cards" if kind in _WITH_CARDS else "card"
    extra = [name for name in entry if name not in ("player", "type", field)]
    if extra:
        raise ValueError(f"unknown field {shown(extra[0])} in a {kind} action")
    if field not in entry:
        raise ValueError(f"a {kind} action has no field {field!r}")
    value = entry[field]
    if kind in _WITH_CARDS:
        if not isinstance(value, list) or not all(isinstance(code, str) and CODE.fullmatch(code) for code in value):
            raise ValueError(f"a {kind} needs a list of cards, not {shown(value)}")
        return seat, _WITH_CARDS[kind](tuple(value))
    if value is not None and not isinstance(value, str):
        raise ValueError(f"a {kind} needs a card or null, not {shown(value)}")
    return seat, _WITH_CARD[kind](value)
