"""Playouts: worlds played to the end by policies, and what came of them.

``play_out`` plays every line (a few forced first actions, usually one) in every world: the same worlds and the same
random choices for each line, so that differences between lines are paired (common random numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.actions import Action
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import observe
from byzanz_lab.game.record import Record, Recorder
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, deal
from byzanz_lab.simulation.encoding import Start, decode_action, encode_deal, pack
from byzanz_lab.simulation.enumerate import AllWorlds
from byzanz_lab.simulation.policies import CompiledPolicy, Policy, brain_for, policies_for
from byzanz_lab.simulation.running import NO_LINE, run
from byzanz_lab.simulation.seeds import DEAL, PLAY, world_seeds
from byzanz_lab.simulation.worlds import deal_counts

OBJECTIVES = ("profit", "margin", "win")
"""What a seat may care for: its points, its lead over the best rival in points, its share of the win."""
MAX_LOG = 4000
"""More actions than a game can have."""


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
    lines: NDArray[np.int64],
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
        ``int64[n_lines, n_actions, 3]`` forced first actions (see `encode_action`), and how many of them count.
    policies
        One a seat.
    seed, first, n
        Root seed, first world and number of worlds.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> from byzanz_lab.simulation.encoding import encode
    >>> players = policies_for(None, 4)
    >>> played = play_out(encode(load_sample("auction")), *NO_LINE, players, seed=1, first=0, n=8)
    >>> played.profits.shape  # worlds, lines, seats
    (8, 1, 4)
    """
    play, dealt = (world_seeds(seed, first, n, purpose) for purpose in (PLAY, DEAL))
    return Outcomes(*run(start, brain_for(tuple(policies)), play, dealt, lines=(lines, lengths))[:3])


def play_listed(
    start: Start,
    worlds: AllWorlds,
    lines: NDArray[np.int64],
    lengths: NDArray[np.int64],
    policies: Sequence[CompiledPolicy],
) -> Outcomes:
    """As `play_out`, in listed worlds; policies that choose at random would choose the same in each."""
    play = np.ones(len(worlds.weights), np.uint64)
    listed = worlds.hands, worlds.decks
    return Outcomes(*run(start, brain_for(tuple(policies)), play, worlds=listed, lines=(lines, lengths))[:3])


def log_line(
    start: Start,
    hands: NDArray[np.int64],
    deck: NDArray[np.int8],
    policies: Sequence[CompiledPolicy],
    seed: int = 1,
    line: NDArray[np.int64] | None = None,
) -> tuple[list[tuple[int, Action]], Outcomes]:
    """Play one line in one world, and tell what the policies did after it.

    Parameters
    ----------
    start
        Where the playout begins, see `encode`.
    hands, deck
        The world: packed hands ``[n_seats]``, kinds ``[deck_left]`` in drawing order.
    policies, seed
        One policy a seat; root of the random numbers of those that choose at random.
    line
        ``int64[n_actions, 3]``, forced first actions, if any.
    """
    lines = NO_LINE if line is None else (line[None], np.array([len(line)], np.int64))
    play, worlds = world_seeds(seed, 0, 1, PLAY), (hands[None], deck[None])
    *outcomes, log = run(start, brain_for(tuple(policies)), play, worlds=worlds, lines=lines, log_rows=MAX_LOG)
    return [(seat, decode_action(what, cards)) for seat, what, cards in log.tolist()], Outcomes(*outcomes)


def self_play(
    rules: Rules, n: int, seed: int = 1, policies: Sequence[CompiledPolicy] | None = None, first: int = 0
) -> Outcomes:
    """Whole games from the deal, ``n`` of them, one line each."""
    start = encode_deal(rules)
    return play_out(start, *NO_LINE, policies_for(policies, rules.seats), seed, first, n)


def play_logged(
    rules: Rules, seed: int, policies: Sequence[CompiledPolicy] | None = None, start_player: int = 0
) -> tuple[Record, Outcomes]:
    """One whole game, played by the kernels and written down as a Record, with the kernels' own outcome.

    The Record's result comes from replaying it through the readable rules, the Outcomes from the kernels: that the two
    agree is what keeps both forms of the rules one.
    """
    start, players = encode_deal(rules, start_player), policies_for(policies, rules.seats)
    counts, deck, removed = (cards[0] for cards in deal_counts(start, world_seeds(seed, 0, 1, DEAL)))
    hands = [Cards.from_counts(hand) for hand in counts.tolist()]
    moves, outcomes = log_line(start, np.array([pack(hand) for hand in hands]), deck, players, seed)
    initial = deal(rules, hands, deck.tolist(), Cards.from_counts(removed.tolist()), start_player)
    return Record.from_game(initial, moves, [policy.name for policy in players]), outcomes


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

    Examples
    --------
    >>> from byzanz_lab import new_game
    >>> from byzanz_lab.simulation.policies import default_policy, greedy_policy
    >>> record = play_game([greedy_policy(), *[default_policy()] * 2], new_game(Rules.for_seats(3), seed=1))
    >>> record.names, record.result == record.replay().result()
    (('greedy', 'default', 'default'), True)
    """
    recorder = Recorder(state, [policy.name for policy in policies])
    decision = 0
    while state.to_move is not None:
        own_seed = int(world_seeds(seed, decision, 1, PLAY)[0])
        state = recorder.apply(policies[state.to_move].choose(observe(state, state.to_move), own_seed))
        decision += 1
    return recorder.record()
