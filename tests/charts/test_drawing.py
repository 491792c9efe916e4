"""Scales, units and error bars."""

from __future__ import annotations

import math
from itertools import product

import pytest

from byzanz_lab import Estimate
from byzanz_lab.charts.drawing import axis_title, basis, ends, error_bars, halves, means, spoken
from tests.charts.answers import OBJECTIVES, advice, lot

SURE, UNSURE, UNKNOWN = Estimate(0.25, 0.1, 400), Estimate(0.5, math.inf, 1), Estimate(math.nan, math.inf, 0)


def test_shares_are_drawn_in_per_cent_and_points_as_they_are() -> None:
    assert means([SURE], "win") == means([SURE], "lot") == [25.0]
    assert means([SURE], "profit") == means([SURE], "margin") == [0.25]
    low, high = SURE.interval()
    assert ends([SURE], "win") == [(pytest.approx(100 * low), pytest.approx(100 * high))]
    assert ends([SURE], "profit") == [(low, high)]


def test_a_bar_reaches_to_both_ends_of_the_interval() -> None:
    share = Estimate(0.99, 0.005, 400, share=True)
    low, high = share.interval()
    bars = error_bars([share], "win", "#000000")
    assert bars["array"] == [pytest.approx(100 * (high - 0.99))]
    assert bars["arrayminus"] == [pytest.approx(100 * (0.99 - low))]
    assert bars["array"] != [pytest.approx(bars["arrayminus"][0])]  # no share is above 1
    assert not bars["symmetric"]


def test_a_number_without_a_known_error_has_no_bar() -> None:
    assert ends([UNSURE], "profit") == [(0.5, 0.5)]
    assert halves([UNSURE, SURE], "win") == [None, pytest.approx(100 * SURE.half_width())]
    bars = error_bars([UNSURE, SURE], "profit", "#000000")
    for side in ("array", "arrayminus"):
        assert bars[side] == [0.0, pytest.approx(SURE.half_width())]


def test_an_unknown_number_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="no world has been played out"):
        means([SURE, UNKNOWN], "profit")


@pytest.mark.parametrize(("name", "over"), list(product(OBJECTIVES, [None, "passing"])))
def test_axes_have_units(name: str, over: str | None) -> None:
    title = axis_title(name, over)
    assert title.endswith({True: "(%)", False: "(% points)"}[over is None] if name == "win" else "(points)")
    assert over is None or "over passing" in title


def test_spoken_numbers_have_signs_where_they_are_differences() -> None:
    assert spoken(Estimate.exactly(1.5), "profit", difference=True) == "+1.50 points"
    assert spoken(Estimate.exactly(1.5), "profit", difference=False) == "1.50 points"
    assert spoken(Estimate.exactly(-0.25), "win", difference=True) == "-25.0 %"


def test_what_numbers_rest_on() -> None:
    assert basis(advice().comparison, lot().comparison) == "95\u00a0% intervals, 128 worlds"
    assert basis(advice("market").comparison, lot(64).comparison) == "95\u00a0% intervals, 128 and 64 worlds"
    assert basis(advice("closing").comparison) == "exact, the only world"
