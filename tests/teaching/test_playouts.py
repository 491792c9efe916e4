"""Lesson 6: what is said about errors, pairing, stratifying and stopping is measured here too."""

from __future__ import annotations

import numpy as np
import pytest

from byzanz_lab import advise
from byzanz_lab.advice.beliefs import expected_counts
from byzanz_lab.charts import describe
from byzanz_lab.game.cards import VALUES
from byzanz_lab.teaching import playouts as lesson
from tests.teaching.verdicts import check_exercise


@pytest.fixture(scope="module")
def found() -> np.ndarray:
    return lesson.distances()


def test_how_many_worlds_are_needed() -> None:
    advice = advise(lesson.position(), 1024, seed=1, racing=False)
    gap = advice.comparison.difference(1, 0)
    right = 1024 * (gap.half_width() / 0.05) ** 2
    wrong = [
        (1024 * gap.half_width() / 0.05, "square root"),
        (1024 * (gap.se / 0.05) ** 2, "1.96 of them"),
        (1024 * (advice.comparison.estimate(1).half_width() / 0.05) ** 2, "an error of its own"),
        (200_000, "its square"),
    ]
    check_exercise(lesson.first, right, wrong)
    assert lesson.first.check(1.08 * right).right


def test_what_pairing_saves() -> None:
    advice = advise(lesson.position(), 1024, seed=1, racing=False)
    one, other, gap = advice.comparison.estimate(1), advice.comparison.estimate(0), advice.comparison.difference(1, 0)
    right = (one.se**2 + other.se**2) / gap.se**2
    assert right > 1.4
    check_exercise(lesson.second, right, [(right**0.5, "errors differ"), (1 / right, "other way"), (9, "the squares")])
    table = lesson.pairing(advice)
    assert len(table) == len(advice.rows) - 1
    factor = table["worlds saved (factor)"]
    assert (factor > 1).all() and ((table["correlation"] > 0) == (factor > 1)).all()


def test_stratified_samples_are_right_and_nearer() -> None:
    shares = expected_counts(lesson.position())["deck"]
    truth = 4 * (shares.to_numpy() @ np.array(VALUES)) / shares.sum()
    spread = {}
    for stratified in (False, True):
        means = lesson.means_of_samples(64, 400, stratified)
        spread[stratified] = means.std(ddof=1)
        assert abs(means.mean() - truth) < 4.5 * means.std(ddof=1) / 20
    assert spread[True] < spread[False] / 3
    assert "both are right on average" in describe(lesson.plot_stratifying(samples=100))


def test_a_single_look_keeps_its_promise(found: np.ndarray) -> None:
    assert (found[:, -1] > 1.96).mean() == pytest.approx(0.05, abs=4.5 * np.sqrt(0.05 * 0.95 / len(found)))


def test_many_looks_do_not(found: np.ndarray) -> None:
    peeking = lesson.false_alarms(found, 1.96)
    again = np.mean([(pair[15:] > 1.96).any() for pair in found])
    assert peeking[-1] == pytest.approx(again) and again > 0.4
    assert (np.diff(peeking) >= 0).all()
    worlds, careful = lesson.careful_alarms(found)
    assert worlds[0] == 64 and worlds[-1] <= 1000 and careful[-1] <= 0.02  # what evaluation.stopping promises
    wrong = [(0.05, "one look"), (1.0, "not every pair"), (peeking[84], "first hundred"), (0.7, "limit is passed")]
    check_exercise(lesson.third, again, wrong)
    fresh = lesson.false_alarms(lesson.distances(2000, seed=5), 1.96)[-1]
    assert lesson.third.check(fresh).right  # other random numbers do as well


def test_the_chart_of_early_stops() -> None:
    figure = lesson.plot_peeking()
    ends = [trace.y[-1] for trace in figure.data]
    assert ends[0] > 40 > 10 > ends[1] > ends[2]
    assert "the toolkit's rule: 0." in describe(figure)
