"""Playing the blocks of a tournament: the same deals for every line-up, in every rotation of the seats.

Duplicate play takes most of the luck of the cards out of a comparison: whoever sits in a seat gets the same hand and
meets the same lots. Line-ups of compiled policies run through the kernels; if a policy is written in Python, or thinks
for itself, the game goes move by move, and each policy is handed its own seat's Position only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.advice.behaviour import Deed, Remembering
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import tie_cards
from byzanz_lab.game.state import State, deal
from byzanz_lab.game.table import IllegalAction
from byzanz_lab.simulation.encoding import encode_deal
from byzanz_lab.simulation.playouts import self_play
from byzanz_lab.simulation.policies import CompiledPolicy, Policy, RandomPolicy, ValuePolicy
from byzanz_lab.simulation.seeds import DEAL, PLAY, world_seeds
from byzanz_lab.simulation.worlds import deal_counts

COMPILED_DEALS = 16
"""Deals of a block that kernels play."""
MOST_ACTIONS = 4000
"""More than a game can have: a policy that sells nothing and never ends is stopped here."""

Shorts = NDArray[np.int16]


@dataclass(frozen=True)
class Plan:
    """What is played; it is sent to the workers.

    Attributes
    ----------
    rules
        Of all games.
    policies
        Who takes part.
    lineups
        Who sits at a table together, as places in ``policies``; a policy may hold several places.
    seed
        Root of the deals and of all choices.
    """

    rules: Rules
    policies: tuple[Policy, ...]
    lineups: tuple[tuple[int, ...], ...]
    seed: int

    @property
    def block_deals(self) -> int:
        """Deals of a block: the work that is handed out, and kept in a file, in one piece."""
        return COMPILED_DEALS if all(map(is_compiled, self.policies)) else 1


def is_compiled(policy: Policy) -> bool:
    """Whether kernels can play it."""
    return isinstance(policy, (RandomPolicy, ValuePolicy))


def seatings(lineup: Sequence[int], block: int) -> list[tuple[int, ...]]:
    """Who sits where, ``[rotation][seat]``, in one block: all rotations of a circular order that changes by the block.

    Rotating alone would leave every policy with the same neighbours all the time.
    """
    rest = list(permutations(lineup[1:]))[block % factorial(len(lineup) - 1)]
    circle = (lineup[0], *rest)
    return [circle[-turn:] + circle[:-turn] if turn else circle for turn in range(len(circle))]


def play_block(plan: Plan, block: int) -> tuple[Shorts, Shorts]:
    """Play one block.

    Returns
    -------
    profits, ties
        ``int16[n_deals, n_lineups, n_rotations, n_seats]``: points, and cards that count for the tie-break.
    """
    n, seats = plan.block_deals, plan.rules.seats
    profits = np.empty((n, len(plan.lineups), seats, seats), np.int16)
    ties = np.empty_like(profits)
    for number, lineup in enumerate(plan.lineups):
        played: dict[tuple[int, ...], tuple[Shorts, Shorts]] = {}
        for turn, sitting in enumerate(seatings(lineup, block)):
            if sitting not in played:
                players = tuple(plan.policies[i] for i in sitting)
                played[sitting] = _play_deals(plan.rules, players, plan.seed, block * n, n)
            profits[:, number, turn], ties[:, number, turn] = played[sitting]
    return profits, ties


def _play_deals(rules: Rules, players: tuple[Policy, ...], seed: int, first: int, n: int) -> tuple[Shorts, Shorts]:
    """Points and tie-break cards ``[n_deals, n_seats]`` of deals ``first`` … with these players in the seats."""
    compiled = tuple(player for player in players if isinstance(player, CompiledPolicy))
    if len(compiled) == len(players):
        out = self_play(rules, n, seed, compiled, first)
        return out.profits[:, 0], out.ties[:, 0]
    ends = [play_through(players, numbered_deal(rules, seed, first + i), seed, first + i) for i in range(n)]
    profits = [end.scores for end in ends]
    ties = [[tie_cards(hand, rules) for hand in end.hands] for end in ends]
    return np.array(profits, np.int16), np.array(ties, np.int16)


def numbered_deal(rules: Rules, seed: int, number: int) -> State:
    """Deal ``number`` of a seed: the same cards that the kernels deal in that world."""
    counts, deck, removed = (
        cards[0].tolist() for cards in deal_counts(encode_deal(rules), world_seeds(seed, number, 1, DEAL))
    )
    return deal(rules, [Cards.from_counts(hand) for hand in counts], deck, Cards.from_counts(removed))


def play_through(players: Sequence[Policy], state: State, seed: int, number: int) -> State:
    """Let players play a game to its end, each by what its seat can see; those that remember are told what was done.

    Raises
    ------
    ValueError
        If one names an action that is not allowed, or the game does not end.
    """
    root = int(world_seeds(seed, number, 1, PLAY)[0])
    seen: list[Deed] = []
    remember = {seat: player for seat, player in enumerate(players) if isinstance(player, Remembering)}
    for decision, own_seed in enumerate(world_seeds(root, 0, MOST_ACTIONS, PLAY)):
        seat = state.to_move
        if seat is None:
            return state
        player = players[seat]
        position = observe(state, seat)
        if seat in remember:
            action = remember[seat].choose_after(tuple(seen), position, int(own_seed))
        else:
            action = player.choose(position, int(own_seed))
        seen.append(Deed(state.table, seat, action))
        try:
            state = state.apply(action)
        except (IllegalAction, AttributeError) as fault:
            raise ValueError(f"policy {player.name!r}, decision {decision} of deal {number}: {fault}") from None
    raise ValueError(f"deal {number} did not end within {MOST_ACTIONS} actions")
