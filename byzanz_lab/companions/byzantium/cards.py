"""The 24 cards that are placed, and sets of them.

Two suits are used, a red and a black one. Both aces lie on the table from the start; what is shuffled are the cards 2
to 10, jack, queen and king of each. A single card is written as its code: ``"R7"``, ``"B10"``, ``"RK"``. `Cards` is a
set of them (no card exists twice), written in the same order always: black before red, low before high.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, overload

from byzanz_lab.safe_json import shown

COLOURS: Final = {"B": "black", "R": "red"}
"""Letter of a colour -> its name."""

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""Ranks, lowest first; the aces lie on the table."""

CARDS: Final = tuple(colour + rank for colour in COLOURS for rank in RANKS)
"""Codes of all cards; a card's place here is its number, 0 to 23."""

N_CARDS: Final = len(CARDS)
NUMBER: Final = {code: number for number, code in enumerate(CARDS)}
"""Code -> number."""

_RANK_NAMES: Final = {"J": "jack", "Q": "queen", "K": "king"}
_RANK_WORDS: Final = {rank.lower(): rank for rank in RANKS} | {name: rank for rank, name in _RANK_NAMES.items()}
_RANK_WORDS.update({"t": "10", "ten": "10"})
_COLOUR_WORDS: Final = {word: letter for letter, name in COLOURS.items() for word in (letter.lower(), name)}
_CARD: Final = re.compile(r"(red|black|r|b)\s*(10|[2-9]|jack|queen|king|ten|[tjqk])(?![0-9a-z])", re.IGNORECASE)


def colour_of(card: str) -> str:
    """The colour's letter, ``"B"`` or ``"R"``."""
    return card[0]


def rank_of(card: str) -> int:
    """How high a card is: 2 to 10, jack 11, queen 12, king 13."""
    return NUMBER[card] % len(RANKS) + 2


def name_of(card: str) -> str:
    """The card in words.

    Examples
    --------
    >>> name_of("RK"), name_of("B10")
    ('red king', 'black 10')
    """
    rank = card[1:]
    return f"{COLOURS[card[0]]} {_RANK_NAMES.get(rank, rank)}"


def parse_card(text: str) -> str:
    """Read one card, in any case, as a code or in words; returns its code.

    Raises
    ------
    ValueError
        If it is no card.

    Examples
    --------
    >>> parse_card("rt"), parse_card("Black Queen")
    ('R10', 'BQ')
    """
    if isinstance(text, str) and text in NUMBER:
        return text
    match = _CARD.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"unknown card {shown(text)}; cards are written like R7, B10 or RK")
    return _code(match)


def _code(match: re.Match[str]) -> str:
    return _COLOUR_WORDS[match[1].lower()] + _RANK_WORDS[match[2].lower()]


class Cards:
    """A set of cards.

    Parameters
    ----------
    cards
        A text such as ``"B2 R10 red king"``, with blanks or commas between cards, or the cards' codes one by one.

    Raises
    ------
    ValueError
        If something is no card, or stands there twice.

    Examples
    --------
    >>> hand = Cards("R7 B10 black 2")
    >>> hand
    Cards('B2 B10 R7')
    >>> len(hand), "R7" in hand, hand - Cards("R7")
    (3, True, Cards('B2 B10'))
    """

    __slots__ = ("mask",)
    mask: int
    """Bit ``i`` is set if card number ``i`` is there."""

    def __init__(self, cards: str | Iterable[str] = ()) -> None:
        if isinstance(cards, Cards):
            mask = cards.mask
        else:
            mask = 0
            for code in _codes_in(cards) if isinstance(cards, str) else map(parse_card, cards):
                bit = 1 << NUMBER[code]
                if mask & bit:
                    raise ValueError(f"the card {code} stands there twice")
                mask |= bit
        object.__setattr__(self, "mask", mask)

    @classmethod
    def from_mask(cls, mask: int) -> Cards:
        """Make a set from its bits, 0 to ``2**24 - 1``."""
        if not 0 <= mask < 1 << N_CARDS:
            raise ValueError(f"there are {N_CARDS} cards, so {mask:#x} is no set of them")
        cards = cls.__new__(cls)
        object.__setattr__(cards, "mask", int(mask))
        return cards

    def codes(self) -> list[str]:
        """The codes, black before red, low before high."""
        return [code for number, code in enumerate(CARDS) if self.mask >> number & 1]

    def of_colour(self, colour: str) -> Cards:
        """Those of one colour, ``"B"`` or ``"R"``."""
        return Cards.from_mask(self.mask & _COLOUR_MASK[colour])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Cards cannot be changed")

    def __reduce__(self) -> tuple[type[Cards], tuple[str]]:
        return Cards, (str(self),)

    def __iter__(self) -> Iterator[str]:
        return iter(self.codes())

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        return isinstance(card, str) and card in NUMBER and bool(self.mask >> NUMBER[card] & 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash((Cards, self.mask))

    def __le__(self, other: Cards) -> bool:
        return self.mask & ~other.mask == 0

    def __add__(self, other: Cards) -> Cards:
        if self.mask & other.mask:
            raise ValueError(f"{self & other} would be there twice")
        return Cards.from_mask(self.mask | other.mask)

    def __sub__(self, other: Cards) -> Cards:
        if not other <= self:
            raise ValueError(f"{other.monus(self)} cannot be taken out of {self}")
        return Cards.from_mask(self.mask ^ other.mask)

    def __and__(self, other: Cards) -> Cards:
        return Cards.from_mask(self.mask & other.mask)

    def __or__(self, other: Cards) -> Cards:
        return Cards.from_mask(self.mask | other.mask)

    def monus(self, other: Cards) -> Cards:
        """Take away those that are there."""
        return Cards.from_mask(self.mask & ~other.mask)

    def __str__(self) -> str:
        return " ".join(self.codes()) or "-"

    def __repr__(self) -> str:
        return f"Cards({'' if not self else repr(str(self))})"


def _codes_in(text: str) -> Iterator[str]:
    rest = text.strip()
    if rest == "-":
        return
    at = 0
    for match in _CARD.finditer(rest):
        if rest[at : match.start()].strip(" ,\t\n"):
            break
        yield _code(match)
        at = match.end()
    left = rest[at:].strip(" ,\t\n")
    if left:
        raise ValueError(f"unknown card {shown(left.split()[0].rstrip(','))}; cards are written like R7, B10 or RK")


_COLOUR_MASK: Final = {
    colour: sum(1 << number for number, code in enumerate(CARDS) if code[0] == colour) for colour in COLOURS
}
ALL_CARDS: Final = Cards(CARDS)
"""The whole deck."""


@overload
def cards_or_none(cards: None) -> None: ...
@overload
def cards_or_none(cards: Cards | str | Iterable[str]) -> Cards: ...
def cards_or_none(cards: Cards | str | Iterable[str] | None) -> Cards | None:
    """Cards of anything that can be read as such; ``None`` stays ``None``."""
    return None if cards is None else Cards(cards)
