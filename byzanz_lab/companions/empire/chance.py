"""How cards are drawn: at random from a seed, or as a record says.

A deck is a heap from which cards are drawn at random. That is the same as a shuffled pile from which they are drawn in
order, and nothing needs to be said about shuffling: a pile that is refilled, or that new cards are shuffled into, is
simply a larger heap. What comes up is the business of a `Chance`, which is told how many cards were drawn from that
deck before, so that draw number 7 of a deck takes the same luck whatever the players do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from byzanz_lab.companions.empire.cards import Heap
from byzanz_lab.companions.empire.rules import Side

_MASK: Final = 2**64 - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15


class Chance(Protocol):
    """Decides which card is drawn."""

    def pick(self, side: Side, pile: Heap, drawn: int) -> str:
        """The next card of a deck, out of a pile that is not empty, after so many draws from this deck."""
        ...


@dataclass(frozen=True, slots=True)
class Seeded:
    """Draws at random; the same seed draws the same.

    Parameters
    ----------
    seed
        Any whole number.
    """

    seed: int

    def pick(self, side: Side, pile: Heap, drawn: int) -> str:
        """The next card of a deck."""
        luck = _mix(_mix(self.seed & _MASK) + (2 * drawn + side.number + 1) * _GOLDEN)
        return pile[(luck * len(pile)) >> 64]


class NotAsRecorded(ValueError):
    """A record draws a card that cannot come up, or ends before a card must be drawn."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Draws what a record says.

    Parameters
    ----------
    draws
        Per side (Byzantine, Foes), the cards in the order in which they were drawn.
    """

    draws: tuple[tuple[str, ...], tuple[str, ...]]

    def pick(self, side: Side, pile: Heap, drawn: int) -> str:
        """The next card of a deck.

        Raises
        ------
        NotAsRecorded
            If there is none in the record, or it is not in the pile.
        """
        cards = self.draws[side.number]
        if drawn >= len(cards):
            raise NotAsRecorded(f"a card must be drawn from the {side} deck, but the record has only {drawn} draws")
        if cards[drawn] not in pile:
            raise NotAsRecorded(f"draw {drawn} from the {side} deck is {cards[drawn]!r}, which is not in the pile")
        return cards[drawn]


def _mix(x: int) -> int:
    """One step of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x + _GOLDEN) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)
