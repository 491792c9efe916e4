"""Cards and decks: data, not rules.

The published rules say which types of cards there are, and no more; so the cards come from a file (`deck_file`). A
`Card` is one line of it, with as many copies as it says, and is called by its *code*: a short word in small letters,
such as ``belisarius``, that stands in actions, records and positions. A heap of cards, such as a hand, is a sorted
tuple of codes, written with a count where there are several: ``belisarius 2x tagmata`` as ``"belisarius 2xtagmata"``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from byzanz_lab.companions.empire.rules import AGES, MELD_LIMITS, Kind, Side
from byzanz_lab.safe_json import shown

Heap = tuple[str, ...]
"""Codes of cards, sorted; one entry a card."""

CODE: Final = re.compile(r"[a-z][a-z0-9-]{0,23}")
"""What the code of a card looks like."""

NOTHING: Final = "nothing"
"""How texts say that no card is meant; no card has this code."""


@dataclass(frozen=True, slots=True)
class Card:
    """One line of a deck file.

    Attributes
    ----------
    code
        Short word by which actions and files call it.
    name
        What people read on it. It comes from a file: escape it before it goes into HTML.
    kind
        Its type, which says what it may be melded with.
    side
        The deck it belongs to.
    force
        What it adds to its meld.
    ages
        The ages it is usable in, 1 to 3, without gaps.
    unique
        Removed from play once it was melded.
    legacy
        Legacy tokens the Emperor gets for melding it; 0 but on legacy cards.
    copies
        How many of it are in the deck.
    """

    code: str
    name: str
    kind: Kind
    side: Side
    force: int
    ages: tuple[int, ...] = (1, 2, 3)
    unique: bool = False
    legacy: int = 0
    copies: int = 1

    def usable(self, age: int) -> bool:
        """Whether it can be used in an age."""
        return age in self.ages

    @property
    def joins(self) -> int:
        """The age with which it joins its deck (ruling *age-cards*)."""
        return self.ages[0]

    def describe(self) -> str:
        """What is on it, in words: ``"Belisarius (leader, force 3, early age, unique)"``."""
        said = [str(self.kind), f"force {self.force}"]
        if self.legacy:
            said.append(f"legacy {self.legacy}")
        if len(self.ages) < len(AGES):
            said.append(" and ".join(AGES[age - 1] for age in self.ages) + " age")
        return f"{self.name} ({', '.join([*said, 'unique'] if self.unique else said)})"


@dataclass(frozen=True, repr=False)
class Deck:
    """All cards of both sides. Use `deck_file.default_deck` or `deck_file.read_deck` to get one.

    Attributes
    ----------
    name
        What people call it.
    cards
        The cards, Byzantine ones first, in the order of the file.
    description
        A sentence or two on where it comes from.
    """

    name: str
    cards: tuple[Card, ...]
    description: str = ""

    def __repr__(self) -> str:
        n = {side: self.size(side) for side in Side}
        return f"<Deck {self.name!r}: {n[Side.BYZANTINE]} Byzantine and {n[Side.FOES]} Foe cards>"

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __getitem__(self, code: str) -> Card:
        """The card with a code; KeyError if there is none."""
        return self._by_code[code]

    def __contains__(self, code: object) -> bool:
        return code in self._by_code

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    @cached_property
    def _by_code(self) -> dict[str, Card]:
        return {card.code: card for card in self.cards}

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits that tell decks with different cards apart; records and positions carry them."""
        lines: list[list[Any]] = [
            [c.side, c.code, c.kind, c.force, list(c.ages), c.unique, c.legacy, c.copies] for c in self.cards
        ]
        return hashlib.sha256(json.dumps(sorted(lines)).encode()).hexdigest()[:16]

    def of_side(self, side: Side) -> tuple[Card, ...]:
        """The cards of one deck."""
        return tuple(card for card in self.cards if card.side is side)

    def size(self, side: Side) -> int:
        """Number of cards of one deck, copies counted."""
        return sum(card.copies for card in self.of_side(side))

    def joining(self, side: Side, age: int) -> Heap:
        """The cards that join a deck when an age starts (ruling *age-cards*)."""
        return heap(c.code for c in self.of_side(side) if c.joins == age for _ in range(c.copies))

    def in_play(self, side: Side, age: int) -> Counter[str]:
        """How many copies of each card of a deck have joined it by an age; those removed since are counted too."""
        return Counter({c.code: c.copies for c in self.of_side(side) if c.joins <= age})

    def names(self, codes: Iterable[str]) -> str:
        """The names of some cards, for people: ``"Belisarius, 2 × Tagmata"``."""
        counted = Counter(codes)
        said = [f"{n} × {self[code].name}" if n > 1 else self[code].name for code, n in sorted(counted.items())]
        return ", ".join(said) or "no cards"

    def force(self, codes: Iterable[str]) -> int:
        """Total force of some cards."""
        return sum(self[code].force for code in codes)

    def legacy(self, codes: Iterable[str]) -> int:
        """Total legacy value of some cards."""
        return sum(self[code].legacy for code in codes)


def heap(codes: Iterable[str]) -> Heap:
    """The same cards in the one order that heaps are kept in."""
    return tuple(sorted(codes))


def minus(cards: Iterable[str], taken: Iterable[str]) -> Heap:
    """The cards that are left when some are taken away; those that are not there are ignored."""
    return heap((Counter(cards) - Counter(taken)).elements())


def format_heap(cards: Iterable[str]) -> str:
    """Cards as a text.

    Examples
    --------
    >>> format_heap(("tagmata", "belisarius", "tagmata"))
    'belisarius 2xtagmata'
    >>> format_heap(())
    'nothing'
    """
    counted = Counter(cards)
    return " ".join(f"{n}x{code}" if n > 1 else code for code, n in sorted(counted.items())) or NOTHING


def parse_heap(text: str) -> Heap:
    """Read what `format_heap` writes, in any case; words may be separated by commas too, and counts by a blank.

    Raises
    ------
    ValueError
        If a word cannot be the code of a card.

    Examples
    --------
    >>> parse_heap("2x tagmata, Belisarius")
    ('belisarius', 'tagmata', 'tagmata')
    """
    words = re.sub(r"(\d+)\s*[x×]\s*", r"\1x", text.lower().replace(",", " ")).split()
    if words == [NOTHING]:
        return ()
    codes: list[str] = []
    for word in words:
        count, _, code = word.partition("x") if re.match(r"\d+x", word) else ("1", "", word)
        if not CODE.fullmatch(code) or code == NOTHING:
            raise ValueError(f"{shown(word)} cannot be a card; cards are called by codes such as 'tagmata'")
        if len(count) > 2 or not int(count):
            raise ValueError(f"there are not so many cards: {shown(word)}")
        codes += [code] * int(count)
    return heap(codes)


def kinds_of(side: Side) -> tuple[Kind, ...]:
    """The types of cards of one deck."""
    return tuple(MELD_LIMITS[side])
