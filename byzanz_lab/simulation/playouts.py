"""Playouts: worlds played to the end by policies, and what came of them.

``play_out`` plays every line (a few forced first actions, usually one) in every world: the same worlds and the same
random choices for each line, so that differences between lines are paired (common random numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import observe
from byzanz_lab.game.record import Record, Recorder
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, deal
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import (
    MAX_LOG,
    Start,
    blank_work,
    counts_of,
    decode_action,
    encode_deal,
    scratch_like,
)
from byzanz_lab.simulation.enumerate import AllWorlds
from byzanz_lab.simulation.policies import CompiledPolicy, Policy, brain_for, policies_for
from byzanz_lab.simulation.seeds import DEAL, PLAY, world_seeds
from byzanz_lab.simulation.worlds import deal_states

OBJECTIVES = ("profit", "margin", "win")
"""What a seat may care for: its points, its lead over the best rival in points, its share of the win."""


@dataclass(frozen=True)
class Outcomes:
    """How playouts ended.

    Attributes
    ----------
    profits
        ``int16[n_worlds, n_lines, n_seats]``, points.
    ties
        ``int16[n_worlds, n_lines, n_seats]``, cards that count for the tie-break.
    lots
        ``int16[n_worlds, n_lines, 2]``: seat that won the first lot to be settled (-1: none was), and its price.
    """

    profits: NDArray[np.int16]
    ties: NDArray[np.int16]
    lots: NDArray[np.int16]

    def win_shares(self) -> NDArray[np.float64]:
        """``float64[n_worlds, n_lines, n_seats]``: 1 for a lone winner, shared when equal (ruling *tie*)."""
        rank = self.profits.astype(np.int32) * 256 + self.ties
        winners = rank == rank.max(axis=-1, keepdims=True)
        return np.asarray(winners / winners.sum(axis=-1, keepdims=True))

    def objectives(self, seat: int) -> NDArray[np.float64]:
        """``float64[n_worlds, n_lines, 3]`` for one seat, in the order of `OBJECTIVES`."""
        own = self.profits[..., seat].astype(float)
        rivals = np.delete(self.profits, seat, axis=-1).max(axis=-1)
        return np.stack([own, own - rivals, self.win_shares()[..., seat]], axis=-1)


def play_out(
    start: Start,
    lines: NDArray[np.uint16],
    lengths: NDArray[np.int64],
    policies: Sequence[CompiledPolicy],
    seed: int,
    first: int,
    n: int,
) -> Outcomes:
    """Play lines in worlds ``first`` … ``first + n - 1`` to the end. Releases the GIL.

    Parameters
    ----------
    start
        Where playouts begin, see `encode`.
    lines, lengths
        ``uint16[n_lines, n_actions, 9]`` forced first actions (see `encode_action`), and how many of them count.
    policies
        One a seat.
    seed, first, n
        Root seed, first world and number of worlds.
    """
    seats = len(start.unknown)
    out = _no_outcomes(n, len(lines), seats)
    with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit states are meant to wrap
        k.play_worlds(
            start.game, start.unknown, start.pool, start.pool.copy(), start.game.hands.copy(),
            world_seeds(seed, first, n, DEAL), world_seeds(seed, first, n, PLAY),
            lines, lengths, brain_for(tuple(policies)), scratch_like(start), blank_work(),
            out.profits, out.ties, out.lots,
        )  # fmt: skip
    return out


def play_listed(
    start: Start,
    worlds: AllWorlds,
    lines: NDArray[np.uint16],
    lengths: NDArray[np.int64],
    policies: Sequence[CompiledPolicy],
) -> Outcomes:
    """As `play_out`, in listed worlds; policies that choose at random would choose the same in each."""
    out = _no_outcomes(len(worlds.weights), len(lines), len(start.unknown))
    with np.errstate(over="ignore"):
        k.play_listed(
            start.game, worlds.hands, worlds.decks, lines, lengths,
            brain_for(tuple(policies)), scratch_like(start), blank_work(), out.profits, out.ties, out.lots,
        )  # fmt: skip
    return out


def _no_outcomes(n_worlds: int, n_lines: int, seats: int) -> Outcomes:
    shape = (n_worlds, n_lines)
    return Outcomes(
        np.empty((*shape, seats), np.int16), np.empty((*shape, seats), np.int16), np.empty((*shape, 2), np.int16)
    )


NO_LINE = np.zeros((1, 1, k.ACTION_SIZE), np.uint16)
"""One line without any forced action."""


def self_play(
    rules: Rules, n: int, seed: int = 1, policies: Sequence[CompiledPolicy] | None = None, first: int = 0
) -> Outcomes:
    """Whole games from the deal, ``n`` of them, one line each."""
    start = encode_deal(rules)
    return play_out(start, NO_LINE, np.zeros(1, np.int64), policies_for(policies, rules.seats), seed, first, n)


def play_logged(
    rules: Rules, seed: int, policies: Sequence[CompiledPolicy] | None = None, start_player: int = 0
) -> tuple[Record, Outcomes]:
    """One whole game, played by the kernels and written down as a Record, with the kernels' own outcome.

    The Record's result comes from replaying it through the readable rules, the Outcomes from the kernels: that the two
    agree is what keeps both forms of the rules one.
    """
    start, players = encode_deal(rules, start_player), policies_for(policies, rules.seats)
    hands, decks, removed = deal_states(start, world_seeds(seed, 0, 1, DEAL))
    game = scratch_like(start, log_rows=MAX_LOG)
    game.hands[:], game.deck[:], game.rng[0] = hands[0], decks[0], world_seeds(seed, 0, 1, PLAY)[0]
    with np.errstate(over="ignore"):
        k.play_on(game, brain_for(players), blank_work())
    moves = [decode_action(row) for row in game.log[: game.head[k.N_LOG]]]
    dealt = [Cards.from_counts(counts) for counts in counts_of(hands[0]).tolist()]
    initial = deal(rules, dealt, decks[0].tolist(), Cards.from_counts(counts_of(removed[0]).tolist()), start_player)
    record = Record.from_game(initial, moves, [policy.name for policy in players])
    profits = game.seats[k.PROFIT][None, None].astype(np.int16)
    dealers = 0 if rules.tie_counts_dealers else game.hands[:, k.DEALERS].astype(np.int64)
    ties = (game.seats[k.SIZE] - dealers)[None, None].astype(np.int16)
    return record, Outcomes(profits, ties, np.array([[[-1, 0]]], np.int16))


def play_game(policies: Sequence[Policy], state: State, seed: int = 1) -> Record:
    """Let policies play a game on from a State that is at its beginning; each is given its seat's Position only.

    Parameters
    ----------
    policies
        One a seat, compiled or written in Python.
    state
        Usually `new_game`.
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
        own_seed = int(world_seeds(seed, decision, 1, PLAY)[0])
        state = recorder.apply(policies[state.to_move].choose(observe(state, state.to_move), own_seed))
        decision += 1
    return recorder.record()
