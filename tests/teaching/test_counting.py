"""Lesson 3: its answers are those of an independent count, and its chart shows what it is given."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import hypergeom

from byzanz_lab.advice.beliefs import count_in_next_lot, purse
from byzanz_lab.charts import describe
from byzanz_lab.simulation.worlds import determinize
from byzanz_lab.teaching import counting
from tests.teaching.verdicts import check_exercise

UNSEEN = 112 - 4 - 5 - 2
"""All cards but the own hand, the lot and two open bids."""


def test_spice_in_the_next_lot() -> None:
    spice = 16 - 1 - 3
    none = comb(UNSEEN - spice, 4) / comb(UNSEEN, 4)
    wrong = [
        (none, "there is none"),
        (hypergeom(UNSEEN, spice, 4).pmf(1), "exactly one"),
        (1 - (1 - spice / UNSEEN) ** 4, "one card less"),
        (1 - comb(96, 4) / comb(112, 4), "all 112 cards"),
        (0.9, "none of the cards"),
        (40.2, "lies from 0 to 1"),
    ]
    check_exercise(counting.first, 1 - none, wrong)


def test_a_dealer_among_three_rivals() -> None:
    one, two = (1 - hypergeom(UNSEEN, 15, n).pmf(0) for n in (4, 3))
    right = 1 - hypergeom(UNSEEN, 15, 10).pmf(0)
    wrong = [
        (1.0, "must not be added"),
        (1 - (1 - one) * (1 - two) ** 2, "did not know of each other"),
        (1 - right, "none of them"),
        (one, "seat 1 alone"),
        (two, "one rival alone"),
        (0.6, "Lay the unknown cards"),
    ]
    check_exercise(counting.second, right, wrong)


def test_the_richest_of_three() -> None:
    worlds = determinize(counting.position(), 5000, seed=9)
    bid = counting.purses(worlds)
    right = (bid[:, 1:].max(axis=1) >= 9).mean()
    shut = (bid - [0, 0, 1, 2])[:, 1:].max(axis=1) >= 9
    wrong = [(shut.mean(), "open bid"), ((bid[:, 1] >= 9).mean(), "richest counts"), (0.9, "In each world")]
    check_exercise(counting.third, right, wrong)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_sampled_purses_agree_with_the_formula(seat: int) -> None:
    n = 4000
    sampled = counting.purses(determinize(counting.position(), n, seed=3))[:, seat]
    exact = purse(counting.position(), seat)
    assert abs(sampled.mean() - exact.mean) < 4.5 * exact.sd / np.sqrt(n)


def test_the_chart_puts_worlds_beside_the_formula() -> None:
    exact = count_in_next_lot(counting.position(), "D")
    figure = counting.plot_sampled(exact, [0, 0, 0, 1])
    bars, marks = figure.data
    assert list(bars.y) == pytest.approx(100 * exact.chances)
    assert list(marks.y) == [75, 25, 0, 0, 0]
    assert "0: 52.0 %, sampled 75.0 %" in describe(figure)


def test_the_slips_are_far_enough_from_the_answer_to_be_told() -> None:
    values = [counting.spice_to_come(), counting._with_replacement(), counting._whole_pack()]
    assert all(abs(a - b) > 0.004 for a, b in combinations(values, 2))
