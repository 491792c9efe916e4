"""Playouts: worlds played to the end by policies, and what came of them.

Every line (a first action, or a policy) is played in every world: the same worlds and the same random choices for each
line, so that differences between lines are paired (common random numbers). ``play_logged`` writes a playout down as a
`Record`: replayed through the readable rules, it must lead to the same end, and that is what keeps both forms of the
rules one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from byzanz_lab.companions.byzantium import kernels as k
from byzanz_lab.companions.byzantium.actions import Action
from byzanz_lab.companions.byzantium.cards import CARDS
from byzanz_lab.companions.byzantium.encoding import (
    MAX_LOG,
    WORK,
    Ints,
    Start,
    board_of,
    card_rows,
    decode_action,
    encode_action,
    lay_out,
    order_of,
    ranks_of,
    root_of,
)
from byzanz_lab.companions.byzantium.policies import CompiledPolicy, Policy, brain_for, lines_for, policies_for
from byzanz_lab.companions.byzantium.position import observe
from byzanz_lab.companions.byzantium.record import Record, Recorder
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, deal
from byzanz_lab.companions.byzantium.tableau import Tableau
from byzanz_lab.companions.byzantium.worlds import deal_hands

POLICY_CHOOSES = -2
"""In the place of a slot: the policy chooses the first action too."""


def play_out_alone(
    start: Start, slots: Sequence[str | None], policies: Sequence[CompiledPolicy], seed: int, first: int, n: int
) -> Ints:
    """Play lines in worlds ``first`` … ``first + n - 1`` to the end, alone. Releases the GIL.

    Parameters
    ----------
    start
        Where playouts begin, see `encode`.
    slots
        Per line, where the drawn card goes; ``None`` to let the policy choose.
    policies
        Per line, who plays.
    seed, first, n
        Root seed, first world and number of worlds.

    Returns
    -------
    numpy.ndarray
        ``int64[n, n_lines]``: cards on the table at the end.
    """
    order = order_of(start.rules)
    lines = np.array([-1 if slot is None else order.index(slot) for slot in slots])
    lying = int(start.game.bits[k.FILLED]).bit_count()
    return lying + _alone(start.rules, start.game, start.deck, 1, lines, policies, seed, first, n)


def play_alone(rules: Rules, policies: Sequence[CompiledPolicy], seed: int, first: int, n: int) -> Ints:
    """Whole deals of solitaire ``first`` … ``first + n - 1``, each played by each policy; see `deck_of_world`.

    Returns
    -------
    numpy.ndarray
        ``int64[n, n_policies]``: cards placed.
    """
    game = lay_out(Tableau.empty(rules))
    return _alone(rules, game, card_rows(CARDS), 0, np.full(len(policies), -1), policies, seed, first, n)


def _alone(
    rules: Rules,
    game: k.Game,
    cards: Ints,
    fixed: int,
    lines: Ints,
    policies: Sequence[CompiledPolicy],
    seed: int,
    first: int,
    n: int,
) -> Ints:
    kinds, weights = lines_for(policies)
    scratch = game._replace(bits=game.bits.copy(), ints=game.ints.copy(), log=np.zeros((0, 4), np.int64))
    out = np.zeros((n, len(lines)), np.int64)
    with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit states are meant to wrap
        k.play_worlds_alone(
            game, scratch, board_of(rules), cards, min(fixed, len(cards)), rules.stop_at_first_misfit,
            root_of(seed), first, lines, kinds, weights, cards.copy(), np.zeros(WORK, np.int64), out,
        )  # fmt: skip
    return out


def deck_of_world(seed: int, world: int) -> tuple[str, ...]:
    """The drawing order of a whole deal of solitaire, by its number."""
    deck = card_rows(CARDS)
    with np.errstate(over="ignore"):
        k.shuffle_world(deck, 0, root_of(seed), world, np.ones(k.GAME_BITS, np.uint64))
    return tuple(CARDS[colour * k.N_RANKS + rank] for colour, rank in deck.tolist())


def play_out(
    start: Start, actions: Sequence[Action | None], policies: Sequence[CompiledPolicy], seed: int, first: int, n: int
) -> Ints:
    """Play lines in worlds ``first`` … ``first + n - 1`` to the end, two to four players. Releases the GIL.

    Parameters
    ----------
    start
        Where playouts begin, see `encode`.
    actions
        Per line, the first action; ``None`` to let the policy choose.
    policies
        One a seat.
    seed, first, n
        Root seed, first world and number of worlds.

    Returns
    -------
    numpy.ndarray
        ``int64[n, n_lines, n_seats]``: cards left in hand.
    """
    worlds, _ = deal_hands(start, n, seed, first)
    rows = [(0, 0, POLICY_CHOOSES) if action is None else encode_action(action, start.rules) for action in actions]
    out = np.zeros((n, len(rows), start.rules.players), np.int64)
    with np.errstate(over="ignore"):
        k.play_worlds(
            start.game, start.scratch(), board_of(start.rules), brain_for(tuple(policies)), worlds, start.owners,
            start.unplaced, root_of(seed), first, np.array(rows, np.int64), np.zeros(WORK, np.int64), out,
        )  # fmt: skip
    return out


def play_logged(
    state: State, policies: CompiledPolicy | Sequence[CompiledPolicy] | None = None, seed: int = 1
) -> tuple[Record, tuple[int, ...]]:
    """One deal, played by the kernels from its beginning and written down, with their own count of cards left."""
    rules = state.rules
    players = policies_for(policies, rules.players)
    game, board, work = lay_out(state.tableau, MAX_LOG), board_of(rules), np.zeros(WORK, np.int64)
    with np.errstate(over="ignore"):
        game.bits[k.RNG] = k.world_state(root_of(seed), 0, 2)
        if rules.is_solitaire:
            deck, weights = card_rows([*state.hands[0], *state.deck]), np.array(players[0].weights)
            stop = rules.stop_at_first_misfit
            placed = k.play_alone(game, board, deck, stop, players[0].kind, weights, work, -1)
            left: tuple[int, ...] = (rules.win - int(placed),)
        else:
            game.hands[:] = [ranks_of(hand) for hand in state.hands]
            game.ints[k.TO_MOVE] = state.to_move or 0
            unplaced = np.array(ranks_of(state.table.unplaced), np.int64)
            k.play_on(game, board, brain_for(players), unplaced, work)
            counts = np.zeros(rules.players, np.int64)
            k.sizes_of(game, board, counts)
            left = tuple(counts.tolist())
    recorder = Recorder(state, [policy.name for policy in players])
    for seat, *row in game.log[: game.ints[k.N_LOG]].tolist():
        recorder.apply(decode_action(row, rules), seat)
    return recorder.record(), left


def play_deal(policies: Sequence[Policy], state: State, seed: int = 1) -> Record:
    """Let policies play a deal from its beginning; each is given its seat's Position only.

    Parameters
    ----------
    policies
        One a seat, compiled or written in Python.
    state
        Usually `new_game`.
    seed
        Root of the random numbers of policies that use them: decision ``i`` gets seed ``1000 * seed + i``.

    Raises
    ------
    IllegalAction
        If a policy names an action that is not allowed.
    """
    recorder = Recorder(state, [policy.name for policy in policies])
    decision = 0
    while state.to_move is not None:
        chosen = policies[state.to_move].choose(observe(state, state.to_move), 1000 * seed + decision)
        state = recorder.apply(chosen)
        decision += 1
    return recorder.record()


def solitaire_deal(rules: Rules, seed: int, world: int) -> State:
    """The beginning of a whole deal of solitaire, by its number; `play_alone` plays the same ones."""
    return deal(rules, deck=deck_of_world(seed, world))
