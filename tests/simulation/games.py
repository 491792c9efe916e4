"""Games and positions for the tests of the simulation: mixed policies, variants and seat counts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.playouts import Outcomes, play_logged
from byzanz_lab.simulation.policies import CompiledPolicy, RandomPolicy, ValuePolicy, default_policy, greedy_policy
from tests.game.random_play import ALL_VARIANTS

POLICIES: tuple[CompiledPolicy, ...] = (default_policy(), greedy_policy(), RandomPolicy())
HOARDER = ValuePolicy("hoarder", pair=0.9, single=0.6, dealer=1.6, money=0.2, patience=0.0, fade=0.1)
"""A policy unlike the built-in ones, so that nothing is tested with their numbers alone."""


class Mix(NamedTuple):
    """Who plays what."""

    rules: Rules
    policies: tuple[CompiledPolicy, ...]
    start_player: int
    seed: int

    def play(self) -> tuple[Record, Outcomes]:
        """The game, played by the kernels."""
        return play_logged(self.rules, self.seed, self.policies, self.start_player)


def mixes(seats: int, n: int, first: int = 0, policies: tuple[CompiledPolicy, ...] = POLICIES) -> Iterator[Mix]:
    """Mixes of policies; every other one under the plain rules, the rest under all combinations of variants in turn."""
    for seed in range(first, first + n):
        rng = random.Random(1000 * seats + seed)
        variants = ALL_VARIANTS[seed // 2 % len(ALL_VARIANTS)] if seed % 2 else {}
        players = tuple(rng.choice(policies) for _ in range(seats))
        yield Mix(Rules.for_seats(seats, **variants), players, rng.randrange(seats), seed)


@cache
def moments(seats: int, games: int = 6) -> tuple[State, ...]:
    """Moments of a few mixed games: for every phase the same number, as far as there are so many."""
    found: dict[Phase, list[State]] = {}
    for mix in mixes(seats, games, first=50_000, policies=(*POLICIES, HOARDER)):
        for turn in mix.play()[0].states():
            found.setdefault(turn.state.phase, []).append(turn.state)
    rng = random.Random(seats)
    return tuple(state for states in found.values() for state in rng.sample(states, min(12, len(states))))


def goods_of(cards: Cards) -> Cards:
    """All but the dealers."""
    return cards - cards.group("D")
