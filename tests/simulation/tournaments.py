"""One policy among others, over the same deals from every seat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from byzanz_lab.game.rules import Rules
from byzanz_lab.simulation.playouts import self_play
from byzanz_lab.simulation.policies import CompiledPolicy


class Share(NamedTuple):
    """How often one seat wins (ties split), with standard error, over so many deals; and its points a game."""

    wins: float
    se: float
    deals: int
    points: float

    def above(self, share: float, errors: float = 4) -> bool:
        """Whether it wins more often than this by that many standard errors."""
        return self.wins - errors * self.se > share


def one_against(policy: CompiledPolicy, rivals: CompiledPolicy, seats: int, deals: int, seed: int = 1) -> Share:
    """A policy plays each deal from every seat, all others are played by the rivals' policy."""
    wins, points = np.zeros(deals), np.zeros(deals)
    for seat in range(seats):
        players = tuple(policy if other == seat else rivals for other in range(seats))
        done = self_play(Rules.for_seats(seats), deals, seed, players).objectives(seat)[:, 0]
        wins, points = wins + done[:, 2] / seats, points + done[:, 0] / seats
    return Share(float(wins.mean()), float(wins.std(ddof=1) / np.sqrt(deals)), deals, float(points.mean()))
