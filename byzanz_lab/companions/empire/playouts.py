"""Playouts: worlds played to the end by policies, and what came of them.

``play_out`` plays every line (the position's decision, forced) in every world: the same worlds and the same luck for
each line, so that differences between lines are paired (common random numbers). ``play_games`` plays whole games.
``determinize`` deals worlds that fit what a seat knows: uniformly over all ways that fit, which is the exact belief
before any inference from behaviour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire import kernels as k
from byzanz_lab.companions.empire.actions import Action
from byzanz_lab.companions.empire.cards import Deck, Heap, heap, minus
from byzanz_lab.companions.empire.chance import Seeded
from byzanz_lab.companions.empire.encoding import (
    MAX_LOG,
    blank_game,
    cards_of,
    decode_action,
    encode,
    encode_action,
    encode_new_game,
)
from byzanz_lab.companions.empire.policies import CompiledPolicy, Policy, policies_for, tables_for
from byzanz_lab.companions.empire.position import Position, observe, require_position
from byzanz_lab.companions.empire.record import Record, Recorder
from byzanz_lab.companions.empire.rules import RULES, Side
from byzanz_lab.companions.empire.seeds import world_seeds
from byzanz_lab.companions.empire.state import State
from byzanz_lab.companions.empire.table import Phase

Policies = CompiledPolicy | Sequence[CompiledPolicy] | None
"""One policy a seat; one for both; the default."""


@dataclass(frozen=True)
class Games:
    """How whole games went.

    Attributes
    ----------
    results
        ``int32[n_games, 4]``: legacy of seat 0 and seat 1, territory, turns played.
    turns
        ``int32[n_games, 12, 6]``: number of the turn, force of the Emperor, force of the Foes, territory before and
        after, legacy tokens that the Emperor gained; zeros where a game was over.
    """

    results: NDArray[np.int32]
    turns: NDArray[np.int32]


def play_games(deck: Deck, n: int, seed: int = 1, policies: Policies = None, emperor: int = 0, first: int = 0) -> Games:
    """Play whole games, ``n`` of them, with seat ``emperor`` as the first Emperor. Releases the GIL."""
    start, tables = begin(encode_new_game(emperor), policies, deck)
    results = np.zeros((n, 4), np.int32)
    turns = np.zeros((n, RULES.turns, k.LOG_ROOM), np.int32)
    with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit states are meant to wrap
        k.self_play(
            blank_game(deck, k.SHORT_LOG), start, start.usable.copy(), start.dead.copy(), world_seeds(seed, first, n),
            tables, results, turns,
        )  # fmt: skip
    return Games(results, turns[:, :, 1:7])


def begin(start: k.Start, policies: Policies, deck: Deck) -> tuple[k.Start, NDArray[np.float32]]:
    """A start that says which policy plays which seat, and the policies' tables."""
    tables, seats = tables_for(policies_for(policies), deck)
    store = start.store.copy()
    store[k.HEAD, k.POLICY : k.POLICY + 2] = seats
    return start._replace(store=store), tables


def play_out(
    position: Position, actions: Sequence[Action], n: int, seed: int = 1, policies: Policies = None, first: int = 0
) -> NDArray[np.int32]:
    """Play out a position once for each action in each world. Releases the GIL.

    Parameters
    ----------
    position
        What the seat on the move knows.
    actions
        Its decisions to try; legal ones.
    n, seed, first
        Number of worlds, root of the random numbers, number of the first world.
    policies
        Who plays the seats afterwards.

    Returns
    -------
    numpy.ndarray
        ``int32[n, n_actions, 4]``: legacy of seat 0 and seat 1, territory, turns.
    """
    deck = require_position(position).table.deck
    lines = np.array([encode_action(deck, action) for action in actions], np.int32).reshape(-1, k.LINE)
    start, tables = begin(encode(position), policies, deck)
    out = np.zeros((n, len(lines), 4), np.int32)
    with np.errstate(over="ignore"):
        k.play_worlds(
            blank_game(deck), start, start.usable.copy(), start.dead.copy(), world_seeds(seed, first, n), lines, tables,
            out,
        )  # fmt: skip
    return out


def determinize(position: Position, n: int, seed: int = 1, first: int = 0) -> tuple[State, ...]:
    """Deal the hidden cards ``n`` times, uniformly over all ways that fit; world ``i`` is the same whatever ``n``.

    Raises
    ------
    TypeError
        If it is given a State: that would be looking at the cards.
    """
    rivals = deal_rivals(position, n, seed, first)
    return tuple(_world(position, rival, Seeded(seed + first + i)) for i, rival in enumerate(rivals))


def deal_rivals(position: Position, n: int, seed: int = 1, first: int = 0) -> list[Heap]:
    """The cards that the rival holds in ``n`` worlds; those of `determinize`."""
    start, deck = encode(position), position.table.deck
    hands, sizes = np.zeros((n, k.HAND), np.int32), np.zeros(n, np.int32)
    with np.errstate(over="ignore"):
        k.deal_worlds(
            blank_game(deck), start, start.usable.copy(), start.dead.copy(), world_seeds(seed, first, n), hands, sizes
        )
    cards = cards_of(deck)
    return [heap(cards[card].code for card in hand[:size]) for hand, size in zip(hands, sizes, strict=True)]


def _world(position: Position, rival: Sequence[str], chance: Seeded) -> State:
    """One world as a whole State; a meld that the rival has chosen is not known, and so chosen again."""
    table, seat = position.table, position.seat
    laid: tuple[str | None, str | None] = (None, None)
    if table.phase is Phase.PASS and seat == table.emperor and rival:
        laid = (rival[0], None) if seat else (None, rival[0])
        rival = rival[1:]
    if table.phase is Phase.MELD:
        table = replace(table, to_move=table.foe)
    hands = (position.hand, heap(rival)) if seat == 0 else (heap(rival), position.hand)
    hidden = (*rival, *(card for card in laid if card is not None))
    piles = []
    for side in Side:
        unseen = position.unseen(side).elements()
        piles.append(heap(unseen) if side is position.side else minus(unseen, minus(hidden, position.rival_known)))
    return State(table, hands, (None, None), laid, (piles[0], piles[1]), ((), ()), chance)


def play_logged(deck: Deck, seed: int, policies: Policies = None, emperor: int = 0) -> tuple[Record, Games]:
    """One whole game, played by the kernels and written down as a Record, with the kernels' own outcome.

    The Record has no result: its replay through the readable rules gives one. That the two agree is what keeps both
    forms of the rules one.
    """
    start, tables = begin(encode_new_game(emperor), policies, deck)
    game, results = blank_game(deck, MAX_LOG), np.zeros((1, 4), np.int32)
    with np.errstate(over="ignore"):
        k.deal_world(game, start, start.usable.copy(), start.dead.copy(), world_seeds(seed, 0, 1)[0])
        k.play_on(game, tables)
        k.write_result(game.store, results[0])
    rows = game.log[: game.store[k.HEAD, k.N_LOG]]
    cards = cards_of(deck)
    draws = [tuple(cards[row[2]].code for row in rows if row[0] == k.LOGGED_DRAW and row[1] == s) for s in (0, 1)]
    moves = [(int(row[1]), decode_action(deck, int(row[0]), row[2:])) for row in rows if row[0] < k.LOGGED_DRAW]
    names = tuple(policy.name for policy in policies_for(policies))
    turns = rows[rows[:, 0] == k.LOGGED_TURN, 1:7]
    return Record(deck, emperor, (draws[0], draws[1]), tuple(moves), names), Games(results, turns[None])


def play_game(policies: Sequence[Policy], state: State, seed: int = 1) -> Record:
    """Let policies play a game from its beginning; each is given its seat's Position only.

    Parameters
    ----------
    policies
        One a seat, compiled or written in Python.
    state
        As `new_game` makes it.
    seed
        Root of the random numbers of policies that use them: decision ``i`` gets a seed of its own.

    Raises
    ------
    IllegalAction
        If a policy names an action that is not allowed.
    """
    recorder = Recorder(state, [policy.name for policy in policies])
    decision = 0
    while state.to_move is not None:
        own_seed = int(world_seeds(seed, decision, 1)[0, 0])
        state = recorder.apply(policies[state.to_move].choose(observe(state, state.to_move), own_seed))
        decision += 1
    return recorder.record()
