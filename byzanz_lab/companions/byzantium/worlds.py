"""Worlds: full assignments of the hidden cards that fit what a seat knows.

``determinize`` spreads the unseen cards at random over the rivals' hands and the kitty or, alone, shuffles them into a
deck, evenly over all ways that fit: no hand receives a card that its owner's passes rule out. That is the exact belief
before anything is read from how the others play (see `belief`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.byzantium import kernels as k
from byzanz_lab.companions.byzantium.cards import Cards
from byzanz_lab.companions.byzantium.encoding import Ints, Start, card_of, cards_of, encode, root_of
from byzanz_lab.companions.byzantium.position import Position
from byzanz_lab.companions.byzantium.state import State


@dataclass(frozen=True)
class Worlds:
    """A sample of worlds.

    Attributes
    ----------
    position
        The Position they fit.
    owners
        ``int64[n_bins]``, the seats of the bins (-1: the kitty); none alone.
    hands
        ``int64[n_worlds, n_bins, 2]``, ranks a colour in each bin, as masks.
    decks
        ``int64[n_worlds, deck_left, 2]``: alone, colour and rank of the cards in drawing order.
    """

    position: Position
    owners: Ints
    hands: Ints
    decks: Ints

    def __len__(self) -> int:
        return len(self.hands)

    def state(self, world: int) -> State:
        """One world as a whole State that can be played on."""
        position = self.position
        if position.rules.is_solitaire:
            deck = tuple(card_of(*row) for row in self.decks[world].tolist())
            return State(position.table, (position.hand,), Cards(), deck)
        bins = {int(owner): cards_of(ranks) for owner, ranks in zip(self.owners, self.hands[world], strict=True)}
        hands = tuple(bins.get(seat, position.hand) for seat in range(position.rules.players))
        return State(position.table, hands, bins.get(-1, Cards()), ())


def determinize(position: Position, n: int, seed: int = 1, first: int = 0) -> Worlds:
    """Lay the hidden cards ``n`` times, evenly over all ways that fit.

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
    >>> from byzanz_lab.companions.byzantium.position import observe
    >>> from byzanz_lab.companions.byzantium.state import Rules, new_game
    >>> worlds = determinize(observe(new_game(Rules(2), seed=1), seat=0), 3)
    >>> [len(worlds.state(i).kitty) for i in range(3)]
    [4, 4, 4]
    """
    start = encode(position)
    if n < 1:
        raise ValueError(f"the number of worlds must be at least 1, not {n}")
    if position.rules.is_solitaire:
        return Worlds(position, start.owners, np.zeros((n, 0, 2), np.int64), _decks(start, n, seed, first))
    return Worlds(position, start.owners, deal_hands(start, n, seed, first)[0], np.zeros((n, 0, 2), np.int64))


def deal_hands(start: Start, n: int, seed: int, first: int) -> tuple[Ints, Ints]:
    """Ranks ``int64[n, n_bins, 2]`` of each bin, and ``int64[n, n_unseen]``, the bin of each unseen card."""
    hands = np.zeros((n, len(start.bins), 2), np.int64)
    dealt = np.zeros((n, len(start.pool)), np.int64)
    scratch = np.zeros(max(len(start.bins), 1), np.int64), np.ones(k.GAME_BITS, np.uint64)
    with np.errstate(over="ignore"):
        k.deal_worlds(start.pool, start.bins, start.barred, start.ways, root_of(seed), first, scratch, hands, dealt)
    return hands, dealt


def _decks(start: Start, n: int, seed: int, first: int) -> NDArray[np.int64]:
    fixed = min(1, len(start.deck))
    decks = np.tile(start.deck, (n, 1, 1))
    bits = np.ones(k.GAME_BITS, np.uint64)
    with np.errstate(over="ignore"):
        k.shuffle_worlds(decks, fixed, root_of(seed), first, bits)
    return decks[:, fixed:]
