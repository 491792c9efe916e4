"""Positions as the small arrays that the compiled kernels work on, and back.

``encode`` turns a `Position` into a `Start`: what is known, the pool of unseen cards, and the bins among which they are
to be spread. Nothing hidden can enter, because a Position holds nothing hidden; a `State` is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.byzantium import kernels as k
from byzanz_lab.companions.byzantium.actions import Action, Pass, Place
from byzanz_lab.companions.byzantium.belief import ways_table
from byzanz_lab.companions.byzantium.cards import CARDS, NUMBER, Cards
from byzanz_lab.companions.byzantium.geometry import TREE_COLOUR, Geometry
from byzanz_lab.companions.byzantium.position import Position, require_position
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.tableau import Tableau

MAX_LOG: Final = 160
"""Rows of a log: more actions than a deal can have."""
WORK: Final = (4, 3)
"""Shape of the kernels' scratch space."""
Ints = NDArray[np.int64]


def slot_order(geometry: Geometry) -> tuple[str, ...]:
    """Paths in the order in which the kernels number them: those without conflicts, then corner by corner."""
    corners: list[set[str]] = []
    for path, others in geometry.conflicts.items():
        group = {path, *others} if others else set()
        joined = [corner for corner in corners if corner & group]
        corners = [corner for corner in corners if not corner & group]
        if group:
            corners.append(group.union(*joined))
    corners.sort(key=lambda corner: min(map(geometry.paths.index, corner)))
    alone = [path for path in geometry.slots if not geometry.conflicts[path]]
    return (*alone, *(path for corner in corners for path in geometry.slots if path in corner))


@lru_cache(maxsize=16)
def order_of(rules: Rules) -> tuple[str, ...]:
    """The kernels' numbering of the slots, see `slot_order`."""
    return slot_order(rules.geometry)


@lru_cache(maxsize=16)
def board_of(rules: Rules) -> k.Board:
    """What the geometry and the rules fix, laid out for the kernels."""
    geometry, order = rules.geometry, order_of(rules)
    number = {path: i for i, path in enumerate(order)}
    slots, bits = np.zeros((k.N_SLOTS, k.SLOTS_SIZE), np.int64), np.zeros((k.N_SLOTS, k.BITS_SIZE), np.uint64)
    for i, path in enumerate(order):
        children = [number[child] for child in geometry.children(path)]
        side = ("S" in path) + 2 * ("W" in path)
        slots[i, : k.KIDS] = "NESW".index(path[0]), len(path), number.get(path[:-1], -1), side, len(children)
        slots[i, k.KIDS : k.KIDS + len(children)] = children
        closed = {other for rival in geometry.conflicts[path] for other in order if other.startswith(rival)}
        below = {other for other in order if other != path and other.startswith(path)}
        bits[i] = [sum(1 << number[other] for other in others) for others in ({path}, closed, below)]
    spines = [
        sum(1 << i for i, path in enumerate(order) if not geometry.conflicts[path] and TREE_COLOUR[path[0]] == colour)
        for colour in "BR"
    ]
    ranks = range(k.N_RANKS)
    sides = [[k.FULL & ~((2 << rank) - 1) for rank in ranks], [(1 << rank) - 1 for rank in ranks]]
    corners = [order[first : first + 8] for first in range(k.N_SLOTS - 8 * k.N_CORNERS, k.N_SLOTS, 8)]
    return k.Board(
        slots=slots,
        bits=bits,
        sides=np.array(sides, np.int64),
        pop=np.array([ranks.bit_count() for ranks in range(k.FULL + 1)], np.uint8),
        comb=np.array([sum((ranks >> i & 1) << 4 * i for i in range(6)) for ranks in range(64)], np.int64),
        room=np.array([_corner_room(geometry, corner) for corner in corners], np.uint8),
        facts=np.array([rules.direction_per_branch, *spines, *(number[tree] for tree in TREE_COLOUR)], np.int64),
    )


def _corner_room(geometry: Geometry, corner: tuple[str, ...]) -> list[int]:
    """For each set of free slots of a corner, how many cards at most fit into it together.

    A slot whose parent stands in the same corner needs that parent, unless it is filled already: then it is not free.
    """
    sets = []
    for chosen in range(256):
        paths = [path for i, path in enumerate(corner) if chosen >> i & 1]
        if not any(b in geometry.conflicts[a] for a, b in combinations(paths, 2)):
            sets.append((chosen, paths))
    room = []
    for free in range(256):
        inside = {path for i, path in enumerate(corner) if free >> i & 1}
        fitting = [
            len(paths)
            for chosen, paths in sets
            if chosen & ~free == 0 and all(path[:-1] in paths or path[:-1] not in inside for path in paths)
        ]
        room.append(max(fitting))
    return room


def card_of(colour: int, rank: int) -> str:
    """A card's code from the kernels' colour and rank."""
    return CARDS[int(colour) * k.N_RANKS + int(rank)]


def colour_and_rank(card: str) -> tuple[int, int]:
    """The kernels' colour and rank of a card."""
    return divmod(NUMBER[card], k.N_RANKS)


def ranks_of(cards: Cards) -> tuple[int, int]:
    """Ranks a colour, as masks."""
    return cards.mask & k.FULL, cards.mask >> k.N_RANKS


def cards_of(ranks: Any) -> Cards:
    """The cards of ranks a colour."""
    return Cards.from_mask(int(ranks[0]) | int(ranks[1]) << k.N_RANKS)


def card_rows(cards: list[str] | tuple[str, ...]) -> Ints:
    """``int64[n, 2]``: colour and rank of each card."""
    return np.array([colour_and_rank(card) for card in cards], np.int64).reshape(-1, 2)


def blank_game(rules: Rules, log_rows: int = 0) -> k.Game:
    """An empty game of the right shape."""
    return k.Game(
        bits=np.ones(k.GAME_BITS, np.uint64),
        ints=np.zeros(k.INTS_SIZE, np.int64),
        hands=np.zeros((rules.players, 2), np.int64),
        log=np.zeros((log_rows, 4), np.int64),
    )


def lay_out(tableau: Tableau, log_rows: int = 0) -> k.Game:
    """A game with these cards on the table and nothing in hand."""
    rules = tableau.rules
    game, board = blank_game(rules, log_rows), board_of(rules)
    k.clear_tableau(game, board)
    for path, card in tableau.filled.items():
        k.put(game, board, order_of(rules).index(path), colour_and_rank(card)[1])
    return game


@dataclass(frozen=True)
class Start:
    """Where playouts begin.

    Attributes
    ----------
    rules
        The rules of the game.
    game
        Arrays with what is known; the known hand is in it, the others are empty.
    deck
        ``int64[n, 2]``: alone, the drawn card, then the cards of the deck in no particular order.
    pool
        ``int64[n, 2]``: unseen cards, with two to four players.
    bins, owners
        Sizes of the bins and the seats that they belong to (-1: the kitty).
    barred
        ``bool[n_bins, n]``: cards that a bin cannot hold.
    ways
        ``int64[n + 1, a, b]``, see `belief.ways_table`.
    unplaced
        ``int64[2]``: ranks a colour of all cards in hands, kitty and deck.
    """

    rules: Rules
    game: k.Game
    deck: Ints
    pool: Ints
    bins: Ints
    owners: Ints
    barred: NDArray[np.bool_]
    ways: Ints
    unplaced: Ints

    def scratch(self, log_rows: int = 0) -> k.Game:
        """A game of the same shape to play in."""
        return blank_game(self.rules, log_rows)


def encode(position: Position) -> Start:
    """Lay out a Position for playouts.

    Raises
    ------
    TypeError
        If it is given anything but a Position.
    """
    table, rules = require_position(position).table, position.rules
    game = lay_out(table.tableau)
    game.ints[[k.TO_MOVE, k.PASSES, k.OVER]] = table.to_move or 0, table.passes, table.is_over
    unseen = position.unseen.codes()
    bins = () if rules.is_solitaire else position.bins
    if not rules.is_solitaire:
        game.hands[position.seat] = ranks_of(position.hand)
    rivals = [seat for seat in range(rules.players) if seat != position.seat]
    return Start(
        rules=rules,
        game=game,
        deck=card_rows([*position.hand, *unseen]) if rules.is_solitaire else card_rows([]),
        pool=card_rows(unseen),
        bins=np.array([each.size for each in bins], np.int64),
        owners=np.array([*rivals, -1][: len(bins)], np.int64),
        barred=np.array([[card in each.barred for card in unseen] for each in bins], bool).reshape(
            len(bins), len(unseen)
        ),
        ways=np.array(ways_table(unseen, bins) if bins else [[[0]]], np.int64),
        unplaced=np.array(ranks_of(table.unplaced), np.int64),
    )


def encode_action(action: Action, rules: Rules) -> tuple[int, int, int]:
    """Colour, rank and slot of an action; the slot of a pass is -1."""
    if isinstance(action, Place):
        return *colour_and_rank(action.card), order_of(rules).index(action.slot)
    return 0, 0, -1


def decode_action(row: Sequence[int] | Ints, rules: Rules) -> Action:
    """The action of a colour, a rank and a slot (-1: a pass)."""
    colour, rank, slot = map(int, row)
    return Pass() if slot < 0 else Place(card_of(colour, rank), order_of(rules)[slot])


def root_of(seed: int) -> np.uint64:
    """The 64-bit root of all random numbers that belong to a seed.

    Raises
    ------
    ValueError
        If it is no whole number of 0 or more.
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ValueError(f"a seed is a whole number of 0 or more, not {seed!r}")
    return np.uint64(np.random.SeedSequence(int(seed)).generate_state(1, np.uint64)[0])
