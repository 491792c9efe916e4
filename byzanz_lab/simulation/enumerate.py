"""All worlds that fit, with their weights, where they are few.

Late in a game little is hidden: a rival's last unknown cards, the next lot. Then every assignment can be listed once,
weighted by the number of ways in which single cards lie so, and an expectation over worlds is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.cards import Cards
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import Start, pack_counts

MOST_WORLDS = 20_000
"""More are not listed: sampling is then quicker for any error that matters."""


@dataclass(frozen=True)
class AllWorlds:
    """Every distinct assignment of the hidden cards.

    Attributes
    ----------
    hands
        ``int64[n, n_seats]``, packed hands.
    decks
        ``int8[n, deck_left]``, kinds in drawing order, sorted within each lot.
    weights
        ``float64[n]``, chances; they add up to 1.
    """

    hands: NDArray[np.int64]
    decks: NDArray[np.int8]
    weights: NDArray[np.float64]


def all_worlds(start: Start, most: int = MOST_WORLDS) -> AllWorlds | None:
    """List all worlds, or return ``None`` where there are more than ``most``.

    The order of the cards within one lot does not matter, nor which cards are left over as removed; neither is told
    apart.
    """
    pool = np.bincount(start.pool, minlength=len(Cards().counts))
    hidden = [seat for seat, n in enumerate(start.unknown) if n]
    sizes = (*(int(start.unknown[seat]) for seat in hidden), *_lots_to_come(start))
    if count_assignments(tuple(int(n) for n in pool if n), sizes, most) > most:
        return None
    hands: list[NDArray[np.int64]] = []
    decks: list[list[int]] = []
    weights: list[int] = []
    for places, ways in _assignments(pool, sizes):
        hand = start.board[k.HAND : k.HAND + start.seats].copy()
        for seat, counts in zip(hidden, places, strict=False):
            hand[seat] += pack_counts(counts)
        hands.append(hand)
        decks.append([kind for lot in places[len(hidden) :] for kind in np.repeat(np.arange(len(lot)), lot).tolist()])
        weights.append(ways)
    total = sum(weights)
    return AllWorlds(
        np.stack(hands),
        np.array(decks, np.int8).reshape(len(decks), start.deck_left),
        np.array([ways / total for ways in weights]),
    )


def count_assignments(copies: tuple[int, ...], sizes: tuple[int, ...], most: int) -> int:
    """Number of ways to fill places of these sizes with multisets from kinds with these copies.

    Kind by kind, over how much room each place has left; gives up, with a number above ``most``, where that would be
    long itself.

    Examples
    --------
    >>> count_assignments((2, 1), (1, 1), 100)  # aa, ab, ba
    3
    """
    if prod(n + 1 for n in sizes) > most:
        return most + 1
    ways: dict[tuple[int, ...], int] = {sizes: 1}
    for n in copies:
        grown: dict[tuple[int, ...], int] = {}
        for room, number in ways.items():
            for left in _after_kind(room, n):
                grown[left] = grown.get(left, 0) + number
        ways = grown
        if len(ways) > most:
            return most + 1
    return ways.get((0,) * len(sizes), 0)


def _after_kind(room: tuple[int, ...], copies: int) -> Iterator[tuple[int, ...]]:
    if not room:
        yield ()
        return
    for n in range(min(room[0], copies) + 1):
        for rest in _after_kind(room[1:], copies - n):
            yield (room[0] - n, *rest)


def _lots_to_come(start: Start) -> tuple[int, ...]:
    """Sizes of the lots that the deck still holds, in order."""
    board = start.board
    offers = [int(n) for n in board[k.R_OFFERS : k.R_OFFERS + start.seats]]
    per_round, rounds_left = sum(offers), int(board[k.R_ROUNDS] - board[k.ROUND])
    rest = start.deck_left - per_round * rounds_left
    this_round: list[int] = []
    for size in reversed(offers):
        if rest >= size + sum(this_round):
            this_round.insert(0, size)
    return (*this_round, *offers * rounds_left)


def _assignments(pool: NDArray[np.int64], sizes: tuple[int, ...]) -> Iterator[tuple[list[NDArray[np.int64]], int]]:
    """Multisets for the places in turn, and in how many ways single cards lie so."""
    if not sizes:
        yield [], 1
        return
    for counts, ways in _multisets(pool, sizes[0]):
        for rest, more in _assignments(pool - counts, sizes[1:]):
            yield [counts, *rest], ways * more


def _multisets(pool: NDArray[np.int64], n: int, kind: int = 0) -> Iterator[tuple[NDArray[np.int64], int]]:
    if n == 0:
        yield np.zeros_like(pool), 1
        return
    if kind == len(pool) or pool[kind:].sum() < n:
        return
    for number in range(min(n, int(pool[kind])) + 1):
        for counts, ways in _multisets(pool, n - number, kind + 1):
            counts[kind] = number
            yield counts, ways * comb(int(pool[kind]), number)
