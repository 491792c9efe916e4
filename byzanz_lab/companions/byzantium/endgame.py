"""Endgames with few cards, solved instead of estimated.

With all hands open a deal can be played out perfectly: with two players by alpha-beta search for the margin, with more
by max^n, where each plays for its own margin (see `kernels`). `solve_endgame` does so for a `State`.

A seat does not see the other hands. `exact_endgame` therefore lists *all* worlds that fit a `Position`, with how often
each comes up, solves each of them for every action, and takes the exact mean. Cards that fit nowhere any more are alike
and are not told apart, so that late in a deal few worlds are left. There is no error of sampling in the answer, but one
of principle unless only one world is left: in every world the players are supposed to know it (strategy fusion).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from byzanz_lab.companions.byzantium import kernels as k
from byzanz_lab.companions.byzantium.actions import Action
from byzanz_lab.companions.byzantium.belief import ways_table
from byzanz_lab.companions.byzantium.cards import Cards
from byzanz_lab.companions.byzantium.encoding import (
    Ints,
    Start,
    board_of,
    cards_of,
    encode,
    encode_action,
    lay_out,
    ranks_of,
)
from byzanz_lab.companions.byzantium.position import Position, observe, require_position
from byzanz_lab.companions.byzantium.state import State
from byzanz_lab.companions.byzantium.tableau import Tableau
from byzanz_lab.companions.byzantium.trials import TOGETHER, TOGETHER_UNITS, outcomes_together
from byzanz_lab.evaluation.enumeration import Enumeration

LEVELS: Final = 130
"""More actions than a deal can still have: every card, and passes between."""
MOST_WORLDS: Final = 500
"""More worlds than this are not listed."""
MOST_NODES: Final = 1_000_000
"""States looked at before an exact answer is given up, some tenths of a second's work."""


@dataclass(frozen=True)
class ListedWorlds:
    """All worlds that fit a Position, those that differ in dead cards only taken together.

    Attributes
    ----------
    hands
        ``int64[n_worlds, n_bins, 2]``: ranks a colour in each bin; dead cards are dealt in one way that fits.
    chances
        ``float64[n_worlds]``: the chance of each, adding up to 1.
    """

    hands: Ints
    chances: np.ndarray[tuple[int], np.dtype[np.float64]]

    def __len__(self) -> int:
        return len(self.hands)


def dead_cards(tableau: Tableau, cards: Cards) -> Cards:
    """Those of the cards that can never be placed any more, whoever holds them and whatever is placed before.

    Two black cards are compared with what the open slots take and with what could lie beyond them.
    """
    game, board = lay_out(tableau), board_of(tableau.rules)
    rest, some = np.array(ranks_of(cards), np.int64), np.zeros(2, np.int64)
    k.some_day(game, board, rest, some)
    return cards.monus(cards_of(some))


def list_worlds(position: Position, most: int = MOST_WORLDS) -> ListedWorlds | None:
    """List all worlds with their chances; ``None`` if there are more than ``most``."""
    bins, unseen = position.bins, position.unseen
    dead = dead_cards(position.tableau, position.table.unplaced) & unseen
    cards = [*unseen.monus(dead), *dead]  # live ones first: worlds are told apart by them
    n_live = len(unseen) - len(dead)
    ways = ways_table(cards, bins)
    sizes = [each.size for each in bins]
    found: list[tuple[list[int], int]] = []

    def count(at: int, left: Sequence[int]) -> int:
        return ways[at][left[0]][left[1] if len(left) > 1 else 0]

    def spread(at: int, left: list[int], owners: list[int]) -> bool:
        """Deal the card number ``at`` on; dead cards go to the first bin that leaves a way."""
        if at == len(cards) or not count(at, left):
            if at == len(cards):
                found.append((owners, total_at_dead[0]))
            return len(found) <= most
        if at == n_live:
            total_at_dead[0] = count(at, left)
        for b, each in enumerate(bins):
            if left[b] and cards[at] not in each.barred:
                less = [size - (i == b) for i, size in enumerate(left)]
                if not count(at + 1, less):
                    continue
                if not spread(at + 1, less, [*owners, b]):
                    return False
                if at >= n_live:
                    break
        return True

    total_at_dead = [1]
    if not spread(0, sizes, []):
        return None
    hands = np.zeros((len(found), len(bins), 2), np.int64)
    for w, (owners, _) in enumerate(found):
        for b in range(len(bins)):
            hands[w, b] = ranks_of(Cards([card for card, owner in zip(cards, owners, strict=True) if owner == b]))
    weights = np.array([weight for _, weight in found], float)
    return ListedWorlds(hands, weights / weights.sum())


def exact_endgame(
    position: Position,
    actions: Sequence[Action] | None = None,
    most_worlds: int = MOST_WORLDS,
    nodes: int = MOST_NODES,
    seconds: float | None = None,
) -> Enumeration | None:
    """Compare actions over all worlds, each played on perfectly with open hands.

    Parameters
    ----------
    position
        What the seat on the move knows.
    actions
        The options; all legal actions when left out.
    most_worlds, nodes, seconds
        When to give up: too many worlds, states looked at, wall time.

    Returns
    -------
    The exact comparison of `TOGETHER`, leading outcome ``"margin"``; ``None`` if it was given up.

    Raises
    ------
    TypeError
        If it is handed a State.
    ValueError
        If another seat is on the move, or one plays alone.
    """
    if not require_position(position).is_to_move or position.rules.is_solitaire:
        raise ValueError("an endgame is solved for the seat on the move, with two to four players")
    begin = time.perf_counter()
    worlds = list_worlds(position, most_worlds)
    if worlds is None:
        return None
    options = position.legal_actions() if actions is None else tuple(actions)
    left = _solved(encode(position), worlds.hands, options, nodes, seconds)
    if left is None:
        return None
    values = outcomes_together(left, position.seat).swapaxes(0, 1)
    spent = time.perf_counter() - begin
    return Enumeration.of(values, worlds.chances, TOGETHER, TOGETHER_UNITS, seconds=spent)


def solve_endgame(state: State, nodes: int = 100_000_000) -> dict[Action, tuple[int, ...]]:
    """How the deal ends after each legal action if everybody sees all cards and plays perfectly.

    Parameters
    ----------
    state
        Any moment of a deal of two to four, best with few cards left.
    nodes
        States looked at before giving up.

    Returns
    -------
    dict
        Action -> cards left, one a seat. With two players only the difference is sure: there may be another line with
        the same margin. With more, everybody plays for his margin over the best rival, then for few cards left, then
        takes the first such action.

    Raises
    ------
    ValueError
        If the deal is over, one plays alone, or the search took too long.
    """
    if state.to_move is None or state.rules.is_solitaire:
        raise ValueError("an endgame is solved for a seat on the move, with two to four players")
    position = observe(state, state.to_move)
    start, actions = encode(position), state.legal_actions()
    bins = [state.kitty if owner < 0 else state.hands[owner] for owner in start.owners.tolist()]
    left = _solved(start, np.array([[ranks_of(cards) for cards in bins]], np.int64), actions, nodes, None)
    if left is None:
        raise ValueError(f"the search was given up after {nodes} states; try later in the deal")
    return {action: tuple(left[0, i].tolist()) for i, action in enumerate(actions)}


def _solved(start: Start, worlds: Ints, actions: Sequence[Action], nodes: int, seconds: float | None) -> Ints | None:
    """Cards left ``int64[n_worlds, n_actions, n_seats]`` after each action with perfect play, or None if given up."""
    n = start.rules.players
    search = k.Endgame(
        bits=np.ones((LEVELS, k.GAME_BITS), np.uint64),
        ints=np.zeros((LEVELS, k.INTS_SIZE), np.int64),
        hands=np.zeros((LEVELS, n, 2), np.int64),
        log=np.zeros((0, 4), np.int64),
        unplaced=np.zeros((LEVELS, 2), np.int64),
        left=np.zeros((LEVELS, n), np.int64),
        notes=np.zeros((LEVELS, k.NOTES_SIZE), np.int64),
        control=np.array([0, nodes, 0], np.int64),
    )
    search.bits[0], search.ints[0], search.hands[0] = start.game.bits, start.game.ints, start.game.hands
    search.unplaced[0] = start.unplaced
    lines = np.array([encode_action(action, start.rules) for action in actions], np.int64)
    out = np.zeros((len(worlds), len(lines), n), np.int64)
    board = board_of(start.rules)
    k.solve_worlds(search, board, worlds[:0], start.owners, lines, out[:0])  # compiling is not thinking
    timer = threading.Timer(seconds or threading.TIMEOUT_MAX, _give_up, [search.control])
    timer.daemon = True
    timer.start()
    try:
        done = k.solve_worlds(search, board, worlds, start.owners, lines, out)
    finally:
        timer.cancel()
    return out if done == len(worlds) else None


def _give_up(control: Ints) -> None:
    control[k.STOP] = 1
