"""Lesson 4: values are those of the toolkit, and its claims about options and aims hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom

from byzanz_lab import advise, lot_value
from byzanz_lab.charts import describe
from byzanz_lab.teaching import lots as lesson
from tests.teaching.verdicts import check_exercise


def test_how_often_winning_is_worse() -> None:
    found = lot_value(lesson.position(), budget=1000, seed=1)
    shares = {price: np.mean(found.distribution(price) < 0) for price in (3, 7)}
    gains = found.distribution(7)
    wrong = [
        (np.mean(gains <= 0), "not worse"),
        (np.mean(gains > 0), "are better"),
        (shares[3], "price of 3"),
        (0.9, "below nought"),
        (58, "lies from 0 to 1"),
    ]
    check_exercise(lesson.first, shares[7], wrong)
    again = lot_value(lesson.position(), budget=1000, seed=2)
    assert lesson.first.check(np.mean(again.distribution(7) < 0)).right  # other worlds do as well


def test_what_a_pair_is_worth() -> None:
    unseen = 112 - 4 - 5 - 2
    wine, dealers = 16 - 2, 16 - 1
    chance, only_wine = (1 - hypergeom(unseen, k, 4).pmf(0) for k in (wine + dealers, wine))
    wrong = [
        (chance, "That is the chance"),
        (4 * only_wine, "not the only card"),
        (16 * (wine + dealers) / unseen, "second set"),
        (4 * (1 - chance), "nothing fits"),
        (6 * chance, "not the sum"),
        (1.5, "completes the set"),
    ]
    check_exercise(lesson.second, 4 * chance, wrong)


def test_points_and_wins_ask_for_different_choices() -> None:
    found = advise(lesson.last_round())
    assert found.is_exact  # no error that could hide behind the claim
    by_profit, by_wins = found.best.action, found.with_objective("win").best.action
    assert by_profit != by_wins
    assert found.row(by_profit).verdicts["win"] == "worse"
    other = next(row.action for row in found.rows if row.action not in (by_profit, by_wins))
    wrong = [(by_profit, "most points"), (other, "another objective"), ("bid D", "do not allow"), ("x", "cannot be")]
    check_exercise(lesson.third, by_wins, wrong)


def test_options_lose_their_worth() -> None:
    figure = lesson.plot_options(["D", "Wi4 Wi3", "Wi4 Wi3 D"])
    assert [trace.name for trace in figure.data] == ["D", "Wi4 Wi3", "Wi4 Wi3 D"]
    for trace in figure.data:
        assert list(trace.y) == sorted(trace.y, reverse=True)
    assert [trace.y[-1] for trace in figure.data] == [0, 0, 4]
    assert "0.00 at the end" in describe(figure)


def test_lots_are_compared_for_one_seat() -> None:
    lots = ["Sp3 2xSp2 D Cl2", "Sp3 2xSp2 Gr1 Cl2"]
    frame = lesson.compare_lots(lesson.position(), lots, price=3, worlds=256)
    with_dealer, without = frame["gain at 3"]
    assert with_dealer > without
    direct = lot_value(lesson.position(), budget=256, seed=1)
    assert with_dealer == pytest.approx(direct.prices[3].value["profit"].mean, abs=0.0051)
    assert list(frame.index) == ["Cl2 2xSp2 Sp3 D", "Cl2 Gr1 2xSp2 Sp3"]
