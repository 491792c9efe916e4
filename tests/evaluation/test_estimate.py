"""A mean never travels without its standard error, its number of observations and its unit."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from byzanz_lab.evaluation import Estimate

FINITE = st.floats(-1e6, 1e6)


def test_from_samples_is_the_textbook_formula() -> None:
    x = np.array([3.0, 5.0, 10.0, 2.0])
    estimate = Estimate.from_samples(x, unit="profit", of="seat 0")
    assert estimate.mean == 5.0
    assert estimate.se == pytest.approx(stats.sem(x))
    assert (estimate.n, estimate.unit, estimate.of, estimate.exact) == (4, "profit", "seat 0", False)


@pytest.mark.parametrize("n", [2, 5, 30, 1000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_the_interval_is_students(n: int, level: float) -> None:
    low, high = Estimate(1.0, 0.5, n).interval(level)
    wanted = stats.t.interval(level, n - 1, loc=1.0, scale=0.5)
    assert (low, high) == pytest.approx(wanted)


def test_intervals_of_five_observations_cover_in_95_of_100_repetitions() -> None:
    rng = np.random.default_rng(3)
    runs = [Estimate.from_samples(x) for x in rng.normal(7.0, 2.0, size=(4000, 5))]
    covered = np.mean([low <= 7.0 <= high for low, high in (run.interval() for run in runs)])
    normal = np.mean([abs(run.mean - 7.0) <= 1.96 * run.se for run in runs])
    assert 0.94 < covered < 0.96
    assert normal < 0.90  # what two standard errors would have given


def test_given_degrees_of_freedom_are_used_instead_of_n() -> None:
    by_batches = Estimate(0.0, 1.0, 1024, df=15)
    assert by_batches.half_width() == pytest.approx(stats.t.ppf(0.975, 15))
    assert by_batches.half_width() > Estimate(0.0, 1.0, 1024).half_width()


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.8, 0.1, 100_000), "+0.80 ± 0.20"),
        (Estimate(-1.0, 0.1, 100_000, unit="profit"), "-1.00 ± 0.20 profit"),
        (Estimate(0.80345, 0.006, 100_000), "+0.803 ± 0.012"),
        (Estimate(10.34, 0.6, 100_000), "+10.3 ± 1.2"),
        (Estimate(1234.5, 60, 100_000), "+1234 ± 118"),
        (Estimate(-0.001, 0.1, 100_000), "+0.00 ± 0.20"),
        (Estimate(2.0, 0.0, 64), "+2.00 ± 0.00"),
        (Estimate(2.0, math.inf, 1), "+2.00 ± ?"),
        (Estimate(math.nan, math.inf, 0, unit="profit"), "unknown profit (no worlds yet)"),
        (Estimate.exactly(0.5, n=12, unit="profit"), "+0.50 profit (exact)"),
    ],
)
def test_the_text_shows_two_digits_of_the_half_width(estimate: Estimate, text: str) -> None:
    assert str(estimate) == text


def test_an_exact_value_has_no_error() -> None:
    exact = Estimate.exactly(2.5, n=6, unit="profit", of="last lot")
    assert (exact.mean, exact.se, exact.n, exact.exact) == (2.5, 0.0, 6, True)
    assert exact.interval(0.999) == (2.5, 2.5)


def test_one_observation_says_nothing_about_its_error() -> None:
    one = Estimate.from_samples([4.0])
    assert one.interval() == (-math.inf, math.inf)


@pytest.mark.parametrize("hits", [0, 3, 10_000, 19_999, 20_000])
def test_the_interval_of_a_share_is_wilsons(hits: int) -> None:
    """With so many observations Student's quantile is the normal one."""
    n = 20_000
    x = np.repeat([1.0, 0.0], [hits, n - hits])
    share = dataclasses.replace(Estimate.from_samples(x), share=True)
    wanted = stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
    assert share.interval() == pytest.approx((wanted.low, wanted.high), abs=2e-6)


def test_rare_chances_are_covered_where_mean_and_error_would_miss_them() -> None:
    hits = np.random.default_rng(5).binomial(150, 0.01, size=4000)
    plain = [Estimate.from_samples(np.repeat([1.0, 0.0], [h, 150 - h])) for h in range(20)]
    shares = [dataclasses.replace(estimate, share=True) for estimate in plain]
    covered = [
        np.mean([low <= 0.01 <= high for low, high in (kind[h].interval() for h in hits)]) for kind in (plain, shares)
    ]
    assert covered[0] < 0.85
    assert covered[1] > 0.93


@given(FINITE, st.floats(0, 1e6), st.integers(1, 10**9), st.text(), st.text(), st.none() | st.integers(0, 1000))
def test_through_json_and_back(mean: float, se: float, n: int, unit: str, of: str, df: int | None) -> None:
    estimate = Estimate(mean, se, n, unit, of, df=df)
    assert Estimate.from_dict(json.loads(json.dumps(estimate.to_dict(), allow_nan=False))) == estimate


@pytest.mark.parametrize("estimate", [Estimate(2.0, math.inf, 1), Estimate.exactly(3.0, n=4)])
def test_infinite_errors_and_exactness_survive_json(estimate: Estimate) -> None:
    assert Estimate.from_dict(json.loads(json.dumps(estimate.to_dict(), allow_nan=False))) == estimate


def test_nothing_at_all_survives_json() -> None:
    back = Estimate.from_dict(json.loads(json.dumps(Estimate(math.nan, math.inf, 0).to_dict(), allow_nan=False)))
    assert math.isnan(back.mean)
    assert (back.se, back.n) == (math.inf, 0)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Estimate(1.0, -0.1, 5), "a standard error is 0 or more, not -0.1"),
        (lambda: Estimate(1.0, math.nan, 5), "a standard error is 0 or more, not nan"),
        (lambda: Estimate(1.0, 0.1, -5), "an estimate cannot rest on -5 observations"),
        (lambda: Estimate(math.nan, 0.1, 5), "an estimate from 5 observations cannot have the mean nan"),
        (lambda: Estimate(1.0, 0.1, 0), "an estimate from 0 observations cannot have the mean 1.0"),
        (lambda: Estimate(1.0, 0.1, 5, exact=True), "an exact value has standard error 0, not 0.1"),
        (lambda: Estimate.from_samples([]), "an estimate needs at least one observation"),
        (lambda: Estimate(1.0, 0.1, 5).interval(95), "a level of confidence lies strictly between 0 and 1, not at 95"),
        (lambda: Estimate.from_dict({"mean": 1.0, "n": 3}), "an estimate needs mean, se and n; 'se' is missing"),
    ],
)
def test_what_cannot_be_an_estimate_is_refused(make: object, sentence: str) -> None:
    with pytest.raises(ValueError, match="^" + sentence.replace("(", r"\(")):
        make()  # type: ignore[operator]
