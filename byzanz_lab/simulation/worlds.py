"""Worlds: full assignments of the hidden cards that fit what a seat knows.

``determinize`` deals the unseen cards at random into the unknown parts of the rivals' hands, the deck and the removed
cards, uniformly over all ways that fit. That is the exact belief before any inference from behaviour: multivariate
hypergeometric (ruling *perfect-recall*). Cards that were shown and taken back, such as those of an open bid, stay
where they were seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.state import State
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import Start, encode
from byzanz_lab.simulation.seeds import DEAL, world_seeds


@dataclass(frozen=True)
class Worlds:
    """A sample of worlds.

    Attributes
    ----------
    position
        The Position they fit.
    hands
        ``int8[n_worlds, n_seats, 25]``, cards in hand; an open bid is not in hand.
    decks
        ``int8[n_worlds, deck_left]``, kinds in drawing order.
    removed
        ``int8[n_worlds, 25]``, removed cards.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> worlds = determinize(load_sample("closing"), 2)
    >>> len(worlds), worlds.state(0).phase is load_sample("closing").phase
    (2, True)
    """

    position: Position
    hands: NDArray[np.int8]
    decks: NDArray[np.int8]
    removed: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.hands)

    def state(self, world: int) -> State:
        """One world as a whole State that can be played on."""
        hands = tuple(Cards.from_counts(counts) for counts in self.hands[world].tolist())
        deck = tuple(self.decks[world].tolist())
        return State(self.position.table, hands, deck, Cards.from_counts(self.removed[world].tolist()))


def determinize(position: Position, n: int, seed: int = 1, first: int = 0) -> Worlds:
    """Deal the hidden cards ``n`` times, uniformly over all assignments that fit.

    Parameters
    ----------
    position
        What the seat knows.
    n
        Number of worlds, at least 1.
    seed
        Root of the random numbers; world ``i`` is the same whatever ``n`` and ``first``.
    first
        Number of the first world.

    Raises
    ------
    TypeError
        If it is given a State: that would be looking at the cards.
    ValueError
        If ``n`` is not positive.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> position = load_sample("auction")
    >>> worlds = determinize(position, 100, seed=1)
    >>> worlds.hands.shape, worlds.decks.shape
    ((100, 4, 25), (100, 61))
    >>> all(worlds.state(i).hands[0] == position.hand for i in range(100))  # what the seat sees is the same in each
    True
    """
    start = encode(position)
    if n < 1:
        raise ValueError(f"the number of worlds must be at least 1, not {n}")
    return Worlds(position, *deal_counts(start, world_seeds(seed, first, n, DEAL)))


def deal_counts(start: Start, seeds: NDArray[np.uint64]) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """Counts ``hands[n, n_seats, 25]``, kinds ``decks[n, deck_left]`` and counts ``removed[n, 25]`` for given seeds."""
    hands = np.empty((len(seeds), *start.known.shape), np.int8)
    decks = np.empty((len(seeds), start.deck_left), np.int8)
    removed = np.empty((len(seeds), start.known.shape[1]), np.int8)
    with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit states are meant to wrap
        rng, cards = np.ones(1, np.uint64), start.pool.copy()
        k.deal_worlds(start.known, start.unknown, start.pool, cards, rng, seeds, hands, decks, removed)
    return hands, decks, removed
