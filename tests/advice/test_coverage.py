"""95 % intervals cover the truth in 93 to 97 % of repeated runs.

The truth is a long run. Outcomes must not be too lopsided: where nearly all worlds end the same and a few do not, an
interval by the standard error of the mean covers less than it says until many of those few have been seen.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from byzanz_lab.advice.advise import trial_for
from byzanz_lab.advice.options import candidates_for
from byzanz_lab.advice.trial import PlayoutTrial
from byzanz_lab.evaluation import Comparison, compare
from byzanz_lab.simulation.playouts import OBJECTIVES
from byzanz_lab.simulation.policies import policies_for
from tests.advice.positions import STEADY, sample

RUNS = 1200  # three times 400, so that chance alone seldom takes a true 95 % out of the range
WORLDS = 256
LONG = 150_000


@cache
def _trial(seed: int) -> PlayoutTrial:
    """Three ways to pick from the market in the middle of a game."""
    position = sample("market")
    options = [group[0] for group in candidates_for(position, STEADY).groups[:3]]
    return trial_for(position, options, policies_for(STEADY, position.rules.seats), seed)


@cache
def _truth() -> Comparison:
    """A long run on worlds of its own: its error is a twentieth of that of the runs that are judged by it."""
    return compare(_trial(0), LONG, racing=False)


@cache
def _runs(racing: bool) -> tuple[Comparison, ...]:
    return tuple(compare(_trial(1000 + i), WORLDS, racing=racing, workers=1) for i in range(RUNS))


def _covered(found: list[tuple[float, float]], truth: float) -> float:
    return float(np.mean([low <= truth <= high for low, high in found]))


@pytest.mark.parametrize("racing", [False, True])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_intervals_of_an_action_cover_the_truth(name: str, racing: bool) -> None:
    truth = _truth().estimate(0, name).mean
    found = [run.estimate(0, name).interval() for run in _runs(racing)]
    assert 0.93 <= _covered(found, truth) <= 0.97


@pytest.mark.parametrize("racing", [False, True])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_intervals_of_paired_differences_cover_the_truth(name: str, racing: bool) -> None:
    exact = _truth()
    for other in (1, 2):
        truth = exact.estimate(other, name).mean - exact.estimate(0, name).mean
        found = [run.difference(other, 0, name).interval() for run in _runs(racing)]
        covered = _covered(found, truth)
        # A difference that ended because it was clear carries a wider interval, for having been looked at so often.
        assert 0.93 <= covered <= (0.99 if racing else 0.97), (other, covered)


def test_what_is_called_worse_is_worse() -> None:
    """In fewer than 2 % of runs an action that is truly the best is called worse."""
    exact = _truth()
    values = [exact.estimate(i).mean for i in range(3)]
    best = {i for i, value in enumerate(values) if value >= max(values) - 1e-9}
    wrong = sum(any(run.verdicts()[i] == "worse" for i in best) for run in _runs(True))
    assert wrong / RUNS < 0.02
