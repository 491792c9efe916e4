"""Solitaire with the order of the deck known: the most cards that anybody could have placed.

Nobody plays like this, but it tells luck from skill: what even a clairvoyant player cannot place was bad luck, and what
he can place and the player did not is what playing without knowledge costs. `solve` searches all ways to place the
cards. It asks whether all of them can be placed; if not, whether all but one can; and so on. Every "no" is a proof that
no more can be placed, the first "yes" comes with a line of play that can be replayed. If the search has to stop before,
the answer is the best line found so far and the bound proven so far.

The search is depth first. It is cut where fewer cards have room or an open slot than would be needed, where a tableau
with the same future was found wanting before (a transposition table with keys of 128 bits, so that a false match is far
less likely than a fault of the machine), and where a mirror shows what was tried already.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Final

import numpy as np

from byzanz_lab.companions.byzantium import kernels as k
from byzanz_lab.companions.byzantium.actions import Action
from byzanz_lab.companions.byzantium.encoding import (
    Ints,
    board_of,
    card_rows,
    colour_and_rank,
    decode_action,
    lay_out,
)
from byzanz_lab.companions.byzantium.state import State

TABLE_SIZE: Final = 1 << 18
"""Entries of the transposition table, a power of 2; 17 bytes each."""
LOOK: Final = 2000
"""Tableaux that each of the short looks for a first line may cost."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a clairvoyant player can reach.

    Attributes
    ----------
    placed
        Cards on the table at the end of the best line found, those that lay there before included.
    bound
        No play can bring more cards to the table than this; proven.
    actions
        The best line found: actions from the given state to the end of the deal.
    nodes
        Tableaux that the search looked at.
    seconds
        Wall time.
    """

    placed: int
    bound: int
    actions: tuple[Action, ...]
    nodes: int
    seconds: float

    @property
    def is_proven(self) -> bool:
        """Whether the best line is proven best."""
        return self.placed == self.bound

    def __str__(self) -> str:
        if self.is_proven:
            return f"{self.placed} cards can be placed, and no more"
        return f"{self.placed} cards can be placed, and no more than {self.bound}"


def solve(state: State, seconds: float | None = 10.0, nodes: int | None = None) -> Solution:
    """Find the most cards that can be placed at solitaire when the order of the deck is known.

    Parameters
    ----------
    state
        Any moment of a deal of solitaire, hidden order included.
    seconds
        Wall time after which to give up proving; ``None`` for no limit. What this limit cut short depends on the
        machine.
    nodes
        Tableaux after which to give up proving: a limit that does not depend on the machine.

    Raises
    ------
    ValueError
        If it is no solitaire, or a limit is not above 0.

    Examples
    --------
    >>> from byzanz_lab.companions.byzantium.state import Rules, new_game
    >>> print(solve(new_game(Rules(1), seed=4)))
    24 cards can be placed, and no more
    """
    if not state.rules.is_solitaire:
        raise ValueError(f"only solitaire can be solved with the order known, not a deal of {state.rules.players}")
    for name, limit in (("seconds", seconds), ("nodes", nodes)):
        if limit is not None and not limit > 0:
            raise ValueError(f"{name} must be above 0, not {limit!r}")
    begin = time.perf_counter()
    attempts = _Attempts(state)
    left, line = attempts.first()
    proven = 0
    attempts.allow(nodes)
    timer = threading.Timer(seconds or threading.TIMEOUT_MAX, attempts.give_up)
    timer.daemon = True
    timer.start()
    try:
        while proven < left:
            answer = attempts.run(proven)
            if answer < 0:
                break
            if answer > 0:
                left, line = proven, attempts.line()
            else:
                proven += 1
    finally:
        timer.cancel()
    actions, final = _played(state, line)
    bound = len(state.tableau) + attempts.n - proven
    return Solution(len(final.tableau), bound, actions, attempts.nodes, time.perf_counter() - begin)


class _Attempts:
    """Attempts to place all cards but so many, which share their transposition table as far as they can.

    With ``stop_at_first_misfit`` all but so many means the first ones: a shorter deck, of which every card must fit.
    """

    def __init__(self, state: State) -> None:
        self.deck = card_rows([*state.hands[0], *state.deck])
        self.n, self.stop = len(self.deck), state.rules.stop_at_first_misfit
        self.game, self.board = lay_out(state.tableau), board_of(state.rules)
        self.control = np.zeros(k.CONTROL_SIZE, np.int64)
        self.search = _search(self.game, self.deck, self.control)

    @property
    def nodes(self) -> int:
        """Tableaux looked at so far."""
        return int(self.control[k.NODES])

    def allow(self, nodes: int | None) -> None:
        """Set how many more tableaux may be looked at."""
        self.control[k.LIMIT] = np.iinfo(np.int64).max if nodes is None else self.nodes + nodes

    def give_up(self) -> None:
        """End the attempt under way, from another thread."""
        self.control[k.STOP] = 1

    def run(self, left: int) -> int:
        """Try to place all cards but ``left``: 1 done, 0 impossible, -1 gave up."""
        if self.stop:
            self.search = _search(self.game, self.deck[: self.n - left], self.control)
        with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit keys are meant to wrap
            return int(k.place_all(self.search, self.board, 0 if self.stop else left))

    def line(self) -> list[int]:
        """Slots of the attempt that was done, -1 for a card laid aside."""
        return [int(slot) for slot in self.search.found]

    def first(self) -> tuple[int, list[int]]:
        """A good line to fall back on, and how many cards it leaves: short attempts, the most ambitious first."""
        for left in range(self.n + 1):
            self.allow(LOOK if left < self.n else None)
            if self.run(left) > 0:
                break
        line = self.line()
        return self.n - sum(slot >= 0 for slot in line), line


def _search(game: k.Game, deck: Ints, control: Ints) -> k.Search:
    n = len(deck)
    rest = np.zeros((n + 1, 2), np.int64)
    for i in range(n - 1, -1, -1):
        rest[i] = rest[i + 1]
        rest[i, deck[i, 0]] |= 1 << deck[i, 1]
    bits, ints = np.zeros((n + 1, k.GAME_BITS), np.uint64), np.zeros((n + 1, k.INTS_SIZE), np.int64)
    bits[0], ints[0] = game.bits, game.ints
    return k.Search(
        deck=deck,
        rest=rest,
        bits=bits,
        ints=ints,
        hands=np.zeros((0, 2), np.int64),
        log=np.zeros((0, 4), np.int64),
        line=np.full(n, -1),
        found=np.full(n, -1),
        scratch=np.zeros((n, 2), np.uint64),
        tried=np.zeros(n, np.uint64),
        notes=np.zeros((n + 1, 2), np.int64),
        keys=np.zeros((TABLE_SIZE, 2), np.uint64),
        failed=np.full(TABLE_SIZE, -1, np.int8),
        control=control,
    )


def _played(state: State, line: list[int]) -> tuple[tuple[Action, ...], State]:
    """Replay the slots of a line by the rules, and whatever comes after it: its actions and the last state."""
    actions: list[Action] = []
    while not state.is_over:
        (card,) = state.hands[0]
        action = state.legal_actions()[0]
        if len(actions) < len(line):
            action = decode_action((*colour_and_rank(card), line[len(actions)]), state.rules)
        actions.append(action)
        state = state.apply(action)
    return tuple(actions), state
