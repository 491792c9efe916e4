"""Where the hidden cards may lie, counted exactly.

The unseen cards lie in a few *bins*: the rivals' hands and, with two players, the kitty. A bin holds a known number of
cards and cannot hold some of them, since a player who passed could place nothing (ruling *must-place*). All ways to
spread the cards over the bins are equally likely before anything is read from how the others play. How many there are
follows from a small table, card by card, and the same table lets one draw from them evenly (see `worlds`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial
from typing import Final

from byzanz_lab.companions.byzantium.cards import Cards

MOST_BINS: Final = 3


@dataclass(frozen=True, slots=True)
class Bin:
    """A place for unseen cards: how many it holds, and which it cannot hold."""

    size: int
    barred: Cards


def ways_table(cards: Sequence[str], bins: Sequence[Bin]) -> list[list[list[int]]]:
    """Count the ways to spread cards over at most three bins, card by card.

    Returns
    -------
    list
        ``ways[i][a][b]``: in how many ways the cards from number ``i`` on fill the bins when the first still takes
        ``a``, the second ``b``, and the third whatever is left of them.

    Examples
    --------
    >>> table = ways_table(["B2", "B3", "R2"], [Bin(1, Cards("B2")), Bin(2, Cards())])
    >>> table[0][1][2]
    2
    """
    padded = [*bins, *[Bin(0, Cards())] * (MOST_BINS - len(bins))]
    first, second, third = padded
    n = len(cards)
    ways = [[[0] * (second.size + 1) for _ in range(first.size + 1)] for _ in range(n + 1)]
    ways[n][0][0] = 1
    for i in range(n - 1, -1, -1):
        free = [cards[i] not in each.barred for each in padded]
        for a in range(first.size + 1):
            for b in range(second.size + 1):
                c = n - i - a - b
                if not 0 <= c <= third.size:
                    continue
                after = ways[i + 1]
                total = after[a][b] if c and free[2] else 0
                total += after[a - 1][b] if a and free[0] else 0
                total += after[a][b - 1] if b and free[1] else 0
                ways[i][a][b] = total
    return ways


def count_ways(unseen: Cards, bins: Sequence[Bin], deck: int) -> int:
    """How many ways there are for the unseen cards to lie: in bins, or in a deck of so many cards in any order."""
    if not bins:
        return factorial(deck)
    sizes = [each.size for each in bins] + [0]
    if sum(sizes) != len(unseen):
        return 0
    return ways_table(unseen.codes(), bins)[0][sizes[0]][sizes[1]]
