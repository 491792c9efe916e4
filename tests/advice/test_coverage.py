"""95 % intervals cover the truth in 93 to 97 % of repeated runs.

The truth is exact: a late position where all worlds can be listed, asked again and again as if they could not.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from byzanz_lab.advice.advise import trial_for
from byzanz_lab.advice.exact import enumerate_trial
from byzanz_lab.advice.options import candidates_for
from byzanz_lab.advice.trial import PlayoutTrial
from byzanz_lab.evaluation import Comparison, compare
from byzanz_lab.evaluation.enumeration import Enumeration
from byzanz_lab.game.position_text import parse_position
from byzanz_lab.simulation.playouts import OBJECTIVES
from byzanz_lab.simulation.policies import policies_for
from tests.advice.positions import STEADY

RUNS = 1200  # three times 400, so that chance alone seldom takes a true 95 % out of the range
WORLDS = 256
LATE = (
    "byzanz 3 seats; you are seat 0; round 8; phase auction; to move 0; hand Sp1 Sp2 Sp3 Sp4 Wi1 Wi2 Wi3; "
    "lot Gr1 Ol1 Ol2 Wo1 Wo4 D; gone 6xCl1 3xCl2 Cl3 2xCl4 4xGr1 5xGr2 2xGr3 2xGr4 4xOl1 3xOl2 3xOl3 5xSp1 4xSp2 "
    "2xSp3 Sp4 4xWi1 Wi2 Wi3 2xWi4 3xWo1 3xWo2 2xWo3 Wo4 12xD; seat 0: known Sp1 Sp2 Sp3 Sp4 Wi1 Wi2 Wi3, profit 23; "
    "seat 1: known Gr1 Gr3 Ol1 Ol2 Ol4 Wi1 Wo1, unknown 0, profit 22; "
    "seat 2: known 2xWi2 Wi3 2xWo2 Wo3, unknown 0, profit 25"
)


@cache
def _trial(seed: int) -> PlayoutTrial:
    """Three seats, the first lot of the last round: passing, and the three lowest bids."""
    position = parse_position(LATE)
    players = policies_for(STEADY, 3)
    options = [group[0] for group in candidates_for(position, STEADY).groups[:4]]
    return trial_for(position, options, players, seed)


@cache
def _truth() -> Enumeration:
    """Exact: 440 worlds, and whoever passes wins about every other time."""
    exact = enumerate_trial(_trial(0), "profit")
    assert exact is not None and exact.worlds == 440
    assert 0.2 < exact.estimate(0, "win").mean < 0.8
    return exact


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
    for other in (1, 2, 3):
        truth = exact.estimate(other, name).mean - exact.estimate(0, name).mean
        found = [run.difference(other, 0, name).interval() for run in _runs(racing)]
        covered = _covered(found, truth)
        # A difference that ended because it was clear carries a wider interval, for having been looked at so often.
        assert 0.93 <= covered <= (0.99 if racing else 0.97), (other, covered)


def test_what_is_called_worse_is_worse() -> None:
    """In fewer than 2 % of runs an action that is truly the best is called worse."""
    exact = _truth()
    values = [exact.estimate(i).mean for i in range(4)]
    best = {i for i, value in enumerate(values) if value >= max(values) - 1e-9}
    wrong = sum(any(run.verdicts()[i] == "worse" for i in best) for run in _runs(True))
    assert wrong / RUNS < 0.02
