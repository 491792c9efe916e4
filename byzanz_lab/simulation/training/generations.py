"""Generations of the learned policy: each plays, learns from its games, and is measured against those before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.rules import Rules
from byzanz_lab.simulation.learned import HandWeights, LearnedPolicy
from byzanz_lab.simulation.playouts import self_play
from byzanz_lab.simulation.policies import N_STAGES, CompiledPolicy, ValuePolicy, greedy_policy
from byzanz_lab.simulation.training.moments import self_play_moments
from byzanz_lab.simulation.training.regression import blended, fit


@dataclass(frozen=True)
class FirstPolicy(ValuePolicy):
    """Numbers that were guessed: what the first generation learns from, and all are measured against."""

    name: str = "first"
    pair: float = 0.55
    single: float = 0.2
    dealer: float = 0.9
    money: float = 0.02
    patience: float = 0.35
    fade: float = 0.5
    source: ClassVar[str] = "a guess, that later numbers are measured against"

    def hold_table(self) -> NDArray[np.float64]:
        """What waiting brings: a share of half the cards of the lot."""
        half = np.array([0.0, 0.0, *(offer / 2 for offer in range(2, 7))])
        return np.tile(self.patience * half, (N_STAGES, 1))


FIRST: Final = FirstPolicy()
GAMES: Final = 800
"""Games of a generation."""
GENERATIONS: Final = 8
KEEP: Final = 0.4
"""Share of the old numbers that is kept."""
DEALS: Final = 400
"""Deals, each in all rotations, behind a measured strength."""
MEASURING: Final = 0x5EED
"""Turns a seed into that of the deals for measuring."""


@dataclass(frozen=True)
class Generation:
    """One generation at one number of seats.

    Attributes
    ----------
    number
        From 1.
    policy
        How it plays.
    explained
        Share of the variance of points to come that its fit explained.
    wins
        By rival (``greedy``, ``first``, ``previous``): share of the wins of one seat against a table of them, and its
        standard error; among equals one by the number of seats.
    """

    number: int
    policy: LearnedPolicy
    explained: float
    wins: dict[str, tuple[float, float]]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, without the numbers it plays by."""
        wins = {name: [round(x, 4) for x in pair] for name, pair in self.wins.items()}
        return {"generation": self.number, "explained": round(self.explained, 4), "wins": wins}


def train(
    seats: int, seed: int = 1, generations: int = GENERATIONS, games: int = GAMES, deals: int = DEALS
) -> Iterator[Generation]:
    """Train at one number of seats, generation by generation.

    Parameters
    ----------
    seats
        3 to 6.
    seed
        Root of all games: the same numbers every time.
    generations, games
        How many, and of how many games each.
    deals
        Deals, in all rotations, behind each measured strength.

    Raises
    ------
    ValueError
        If the number of seats is none.
    """
    rules = Rules.for_seats(seats)
    policy: ValuePolicy = FIRST
    weights: HandWeights | None = None
    for number in range(1, generations + 1):
        before = policy
        found = fit(self_play_moments(policy, rules, games, seed + number), policy, rules)
        weights = blended(weights, found, KEEP)
        learner = LearnedPolicy(f"generation {number}", seats=seats, learned=weights)
        policy = learner
        rivals = {"greedy": greedy_policy(), "first": FIRST, "previous": before}
        wins = {name: wins_alone(learner, rival, rules, deals, seed ^ MEASURING) for name, rival in rivals.items()}
        yield Generation(number, learner, found.explained, wins)


def wins_alone(
    policy: CompiledPolicy, rival: CompiledPolicy, rules: Rules, deals: int, seed: int
) -> tuple[float, float]:
    """Share of the wins of one policy alone against a table of a rival, and its standard error.

    Every deal is played with the policy in each seat; the deal is the unit.
    """
    shares = np.zeros(deals)
    for seat in range(rules.seats):
        players = [policy if s == seat else rival for s in range(rules.seats)]
        shares += self_play(rules, deals, seed, players).win_shares()[:, 0, seat] / rules.seats
    return float(shares.mean()), float(shares.std(ddof=1)) / sqrt(deals)
