"""Lesson 5: guesses are honest, the highest is not, and what is said about prices and payments holds."""

from __future__ import annotations

import numpy as np
import pytest

from byzanz_lab import lot_value
from byzanz_lab.charts import describe
from byzanz_lab.teaching import bidding as lesson
from tests.teaching.verdicts import check_exercise

NOISE = np.random.default_rng(2).normal(size=4001)


def test_guesses_are_right_on_average_and_the_highest_is_not() -> None:
    errors = lesson.guesses(NOISE, bidders=4, worlds=16)
    sd = NOISE.std() / 4
    assert abs(errors.mean()) < 4.5 * sd / np.sqrt(errors.size)
    assert errors.std() == pytest.approx(sd, rel=0.02)
    second, highest = np.sort(errors, axis=1)[:, -2:].mean(axis=0) / sd
    assert highest == pytest.approx(1.0294, abs=0.02)  # of four normal errors; tables of order statistics
    assert second == pytest.approx(lesson.second_of(4), abs=0.02)
    assert (errors == lesson.guesses(NOISE, bidders=4, worlds=16)).all()


def test_expected_order_statistics() -> None:
    known = {2: -0.5642, 3: 0.0, 4: 0.2970, 5: 0.4950}  # Harter, Biometrika 48 (1961)
    assert {n: round(lesson.second_of(n), 4) + 0.0 for n in known} == pytest.approx(known, abs=1e-4)


def test_what_shading_does() -> None:
    errors = lesson.guesses(NOISE, bidders=4)
    sd = errors.std()
    naive, alone, together = (
        lesson.shaded_gain(errors, shade, all_shade) for shade, all_shade in [(0, False), (sd, False), (sd, True)]
    )
    assert naive.interval()[1] < 0  # who bids what he guesses loses
    assert naive.mean == pytest.approx(-lesson.second_of(4) * sd / 4, abs=4 * naive.se)
    assert alone.mean > naive.mean and abs(alone.mean) < 0.02
    assert together.mean == pytest.approx((sd - lesson.second_of(4) * sd) / 4, abs=4 * together.se)


def test_equal_bids_draw_lots() -> None:
    errors = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 2.0, 0.0], [3.0, 2.0, 2.0]])
    assert lesson.shaded_gain(errors, 0).mean == pytest.approx((-1 / 2 - 1 / 3 + 0 - 2) / 4)


def test_the_charts_say_what_they_show() -> None:
    curse = lesson.plot_curse(lesson.guesses(NOISE, bidders=4))
    assert "the highest, which wins: +0.2" in describe(curse)
    shading = lesson.plot_shading(NOISE, [(2, False), (4, True)])
    assert [trace.name for trace in shading.data] == ["2 bidders, you alone", "4 bidders, all shade"]
    assert "without shading" in describe(shading)


def test_the_reservation_price() -> None:
    found = lot_value(lesson.position(lesson.OTHER_HAND), budget=1000, seed=1)
    low, high = found.reservation_range
    assert low is not None and high is not None
    assert all(lesson.first.check(price).right for price in range(low, high + 1))
    wrong = [(found.prices[-1].total, "all you could pay"), (6, "will go for"), (1, "line of passing"), (2.5, "whole")]
    check_exercise(lesson.first, found.reservation_price, wrong)


def test_how_many_bidders_it_takes() -> None:
    sizes = np.random.default_rng(3).normal(size=(20_000, 6))
    seconds = {n: np.sort(sizes[:, :n], axis=1)[:, -2] for n in range(2, 7)}
    clear = [n for n, x in seconds.items() if x.mean() > 4 * x.std() / np.sqrt(len(x))]
    wrong = [(2, "lower one"), (3, "in the middle"), (5, "second highest"), (1, "does not")]
    check_exercise(lesson.second, min(clear), wrong)


def test_paying_with_stock() -> None:
    ways = lesson.ways_to_pay(lesson.paying(), lesson.TO_PAY)
    verdicts = lesson.compare_payments(lesson.paying(), lesson.TO_PAY).verdicts()
    assert "worse" in verdicts
    right = next(cards for cards, verdict in zip(ways, verdicts, strict=True) if verdict == "best")
    worse = next(cards for cards, verdict in zip(ways, verdicts, strict=True) if verdict == "worse")
    wrong = [
        (worse, "half of a set"),
        ("Wo4 Gr1", "come to 5"),
        ("Sp4", "You hold"),
        (right + lesson.Cards("D"), "Dealers"),
    ]
    check_exercise(lesson.third, right, wrong)
    table = lesson.payments(lesson.paying(), lesson.TO_PAY)
    assert table.index[0] == str(right) and set(table["verdict"]) <= {"best", "worse", "level with the best"}
    with pytest.raises(ValueError, match="come to 40"):
        lesson.payments(lesson.paying(), 40)
