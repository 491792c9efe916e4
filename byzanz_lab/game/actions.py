"""The decisions a seat can make, and their one text form each.

An action is one of eight small frozen values. It does not name the seat: who acts is given to `State.apply`, and is on
the move by default. ``parse_action`` and ``format_action`` are exact inverses; ``action_to_dict`` and
``action_from_dict`` read and write the form that records use, with the seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from byzanz_lab.game.cards import GOOD_NAMES, GROUPS, KINDS, Cards, kind_of
from byzanz_lab.safe_json import shown


@dataclass(frozen=True, slots=True, repr=False)
class _CardsAction:
    cards: Cards

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", Cards(self.cards))
        if not self.cards:
            raise ValueError(f"{type(self).__name__.lower()} needs at least one card")

    def __str__(self) -> str:
        return f"{type(self).__name__.lower()} {self.cards}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.cards)!r})"


class Bid(_CardsAction):
    """Add these goods cards from the hand to the open bid (rulings *raise-adds*, *bid-beats*).

    Examples
    --------
    >>> str(Bid("Wo3 Sp2")), Bid("Wo3 Sp2").cards.total
    ('bid Sp2 Wo3', 5)
    """

    __slots__ = ()


class Sell(_CardsAction):
    """Sell one set of three from the hand (ruling *sell-any-time*).

    Examples
    --------
    >>> str(Sell("Wi4 Wi2 D"))
    'sell Wi2 Wi4 D'
    """

    __slots__ = ()


class Discard(_CardsAction):
    """Drop cards, seen by all, because the hand is over its limit (rulings *hand-limit*, *discard-open*).

    Examples
    --------
    >>> str(Discard("Gr1 Cl1"))
    'discard Cl1 Gr1'
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True, repr=False)
class _PlainAction:
    def __str__(self) -> str:
        return type(self).__name__.lower()

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Pass(_PlainAction):
    """Leave this auction for good and take the open bid back (ruling *pass-final*).

    Examples
    --------
    >>> str(Pass())
    'pass'
    """

    __slots__ = ()


class Decline(_PlainAction):
    """Take no group of the market (variant ``may_decline_market``).

    Examples
    --------
    >>> str(Decline())
    'decline'
    """

    __slots__ = ()


class Done(_PlainAction):
    """Finish the closing sale (ruling *closing-sale*).

    Examples
    --------
    >>> str(Done())
    'done'
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Tax:
    """Put this card of the lot into the market and keep the rest (rulings *tax*, *last-lot*).

    Examples
    --------
    >>> str(Tax("D"))
    'tax D'
    """

    card: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "card", KINDS[kind_of(self.card)])

    def __str__(self) -> str:
        return f"tax {self.card}"

    def __repr__(self) -> str:
        return f"Tax({self.card!r})"


@dataclass(frozen=True, slots=True)
class Take:
    """Take a whole group out of the market: a good, or ``"D"`` for the dealers (ruling *market-order*).

    Examples
    --------
    >>> str(Take("Wi"))
    'take Wi'
    """

    good: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "good", _group_of(self.good))

    def __str__(self) -> str:
        return f"take {self.good}"

    def __repr__(self) -> str:
        return f"Take({self.good!r})"


Action = Bid | Pass | Tax | Take | Decline | Sell | Discard | Done
"""Any decision."""

_WITH_CARDS: Final[dict[str, type[Bid] | type[Sell] | type[Discard]]] = {"bid": Bid, "sell": Sell, "discard": Discard}
_PLAIN: Final[dict[str, type[Pass] | type[Decline] | type[Done]]] = {"pass": Pass, "decline": Decline, "done": Done}
_FIELDS: Final = {"bid": "cards", "sell": "cards", "discard": "cards", "tax": "card", "take": "good"}
_GROUP_WORDS: Final = {word: code for code in GROUPS for word in (code.lower(), GOOD_NAMES[code])} | {"dealers": "D"}


def format_action(action: Action) -> str:
    """The text form, such as ``"bid Cl1 Sp2"`` or ``"take Wi"``.

    Examples
    --------
    >>> format_action(Bid("Sp2 Cl1"))
    'bid Cl1 Sp2'
    """
    return str(action)


def parse_action(text: str) -> Action:
    """Read the text form of an action, in any case.

    Raises
    ------
    ValueError
        If the text names no action, or its cards cannot be read.

    Examples
    --------
    >>> parse_action("bid 2xSp1 cl4")
    Bid('Cl4 2xSp1')
    >>> parse_action(str(Tax("D")))
    Tax('D')
    """
    word, _, rest = text.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    if word in _PLAIN and not rest:
        return _PLAIN[word]()
    if word in _WITH_CARDS:
        return _WITH_CARDS[word](Cards.parse(rest))
    if word == "tax":
        return Tax(rest)
    if word == "take":
        return Take(rest)
    raise ValueError(f"unknown action {text[:60]!r} (bid, pass, tax, take, decline, sell, discard, done)")


def action_to_dict(seat: int, action: Action) -> dict[str, Any]:
    """The form of a record: ``{"player": 0, "type": "bid", "cards": ["Cl1", "Sp2"]}``."""
    entry: dict[str, Any] = {"player": seat, "type": type(action).__name__.lower()}
    if isinstance(action, _CardsAction):
        entry["cards"] = action.cards.codes()
    elif isinstance(action, Tax):
        entry["card"] = action.card
    elif isinstance(action, Take):
        entry["good"] = action.good
    return entry


def action_from_dict(entry: Mapping[str, Any]) -> tuple[int, Action]:
    """Read one entry of a record: cards as exact codes, fields as `action_to_dict` writes them and no others.

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
        raise ValueError(f"an action is an object with player and type, not {type(entry).__name__}")
    seat, kind = entry.get("player"), entry.get("type")
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise ValueError(f"an action needs a player number, not {shown(seat)}")
    if not isinstance(kind, str):
        raise ValueError(f"an action needs a type, not {shown(kind)}")
    field = _FIELDS.get(kind)
    extra = [name for name in entry if name not in ("player", "type", field)]
    if extra and (field or kind in _PLAIN):
        raise ValueError(f"unknown field {shown(extra[0])} in a {kind} action")
    if kind in _PLAIN:
        return seat, _PLAIN[kind]()
    value = entry.get(field) if field else None
    if field == "cards":
        if not isinstance(value, list):
            raise ValueError(f"a {kind} needs a list of cards, not {shown(value)}")
        return seat, _WITH_CARDS[kind](Cards.from_codes(value))
    if field == "card":
        if value not in KINDS:
            raise ValueError(f"a {kind} needs a card such as 'Wi4', not {shown(value)}")
        return seat, Tax(value)
    if field == "good":
        if value not in GROUPS:
            raise ValueError(f"a {kind} needs a group ({' '.join(GROUPS)}), not {shown(value)}")
        return seat, Take(value)
    raise ValueError(f"unknown action type {shown(kind)}")


def _group_of(word: str) -> str:
    code = _GROUP_WORDS.get(str(word).strip().lower())
    if code is None:
        raise ValueError(f"unknown group {shown(word)} (groups are {' '.join(GROUPS)})")
    return code
