"""Exact answers late in the game: every world that fits, each with its weight.

At the last market, the last lots and the closing sale few cards are hidden. If all worlds can be listed, and nobody who
plays them out chooses at random, the comparison is a plain expectation and carries no error. It is exact *given* the
policies that play on; in the closing sale those play perfectly.
"""

from __future__ import annotations

import time

import numpy as np

from byzanz_lab.advice.trial import PlayoutTrial
from byzanz_lab.evaluation.enumeration import Enumeration
from byzanz_lab.simulation.enumerate import all_worlds
from byzanz_lab.simulation.playouts import play_listed

MOST_PLAYOUTS = 20_000
"""Worlds times options beyond which sampling answers sooner."""


def enumerate_trial(trial: PlayoutTrial, leading: str) -> Enumeration | None:
    """Compare the lines of a trial in all worlds, or return ``None`` where they are too many or chance is at play."""
    if any(policy.traits.stochastic for policy in trial.policies):
        return None
    begun = time.perf_counter()
    worlds = all_worlds(trial.start, MOST_PLAYOUTS // trial.n_options)
    if worlds is None:
        return None
    outcomes = play_listed(trial.start, worlds, trial.lines, trial.lengths, trial.policies)
    values = np.ascontiguousarray(trial.values(outcomes, range(trial.n_options)))
    weights = worlds.weights
    if trial.belief is not None:
        weights = weights * trial.belief.relative_likelihoods(worlds.hands)
        weights = weights / weights.sum()
    seconds = time.perf_counter() - begun
    return Enumeration.of(values, weights, trial.outcomes, trial.units, leading, seconds)
