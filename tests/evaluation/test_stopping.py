"""Equal options are told apart in under 2 % of whole runs, however often one looks; different ones soon."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from byzanz_lab.evaluation.moments import Moments
from byzanz_lab.evaluation.stopping import (
    ERROR,
    Race,
    beyond,
    clearly_above,
    early_stop,
    first_checkpoint,
    next_checkpoint,
    threshold,
)
from byzanz_lab.evaluation.trial import Shape

Array = npt.NDArray[np.float64]
FIRST = 64


def looks(worlds: int) -> list[int]:
    """All numbers of worlds, one a block, at which decisions are taken."""
    found = [FIRST]
    while (after := next_checkpoint(FIRST, found[-1])) <= worlds:
        found.append(after)
    return found


def separated(x: Array, at: list[int]) -> npt.NDArray[np.bool_]:
    """Of runs ``x[runs, options, worlds]``: whether any two options are told apart at any look."""
    n = np.array(at)
    total = np.cumsum(x, axis=-1)[..., n - 1] / n
    own = np.cumsum(x * x, axis=-1)[..., n - 1] / n - total**2
    found = np.zeros(len(x), dtype=bool)
    for i, j in itertools.combinations(range(x.shape[1]), 2):
        d = x[:, i] - x[:, j]
        mean = np.cumsum(d, axis=-1)[..., n - 1] / n
        m2 = np.maximum(np.cumsum(d * d, axis=-1)[..., n - 1] - n * mean**2, 0)
        found |= (beyond(n, mean, m2, (own[:, i] + own[:, j]) / 2, FIRST, x.shape[1]) > 0).any(axis=-1)
    return found


def rate(draw: Callable[[np.random.Generator, int], Array], runs: int, seed: int = 0) -> float:
    """Share of runs in which options are told apart."""
    rng = np.random.default_rng(seed)
    parts = [separated(x := draw(rng, 100), looks(x.shape[-1])) for _ in range(runs // 100)]
    return float(np.mean(parts))


@pytest.mark.parametrize("correlation", [0.0, 0.7, 0.98])
def test_two_equal_options_are_told_apart_in_under_2_percent_of_runs(correlation: float) -> None:
    def draw(rng: np.random.Generator, runs: int) -> Array:
        shared, own = rng.normal(size=(runs, 1, 4096)), rng.normal(size=(runs, 2, 4096))
        return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own

    assert rate(draw, 4000) < ERROR


@pytest.mark.parametrize("options", [3, 8])
def test_so_are_any_two_of_several_equal_options(options: int) -> None:
    def draw(rng: np.random.Generator, runs: int) -> Array:
        return rng.normal(size=(runs, 1, 2048)) + rng.normal(size=(runs, options, 2048))

    assert rate(draw, 2000) < ERROR


@pytest.mark.parametrize("chance", [0.003, 0.01, 0.03, 0.1, 0.3])
@pytest.mark.parametrize("size", [1.0, 3.0])
def test_a_rare_large_difference_balanced_by_a_frequent_small_one_is_no_proof(chance: float, size: float) -> None:
    """Two options are often equal but for one kind of world; until it is met, they differ by a constant."""

    def draw(rng: np.random.Generator, runs: int) -> Array:
        x = np.repeat(rng.normal(size=(runs, 1, 2048)), 2, axis=1)
        x[:, 0] += size * ((rng.random((runs, 2048)) < chance) - chance)
        return x

    assert rate(draw, 2000) < ERROR


def test_skewed_outcomes_are_told_apart_in_under_2_percent_of_runs() -> None:
    def draw(rng: np.random.Generator, runs: int) -> Array:
        return np.stack(
            [rng.exponential(size=(runs, 2048)), np.ones((runs, 2048)) + rng.normal(0, 0.3, (runs, 2048))], 1
        )

    assert rate(draw, 4000) < ERROR


def test_a_win_or_loss_outcome_is_told_apart_in_under_2_percent_of_runs() -> None:
    def draw(rng: np.random.Generator, runs: int) -> Array:
        return (rng.random((runs, 2, 2048)) < 0.15).astype(np.float64)

    assert rate(draw, 4000) < ERROR


def test_the_naive_rule_would_separate_many_times_as_many() -> None:
    """The lesson of the module: 2.33 standard errors, looked at after every world, are no 1 % test."""
    d = np.random.default_rng(1).normal(size=(2000, 2048))
    n = np.arange(1, 2049)
    mean = np.cumsum(d, axis=1) / n
    se = np.sqrt((np.cumsum(d * d, axis=1) / n - mean**2) / np.maximum(n - 1, 1))
    naive = (np.abs(mean)[:, FIRST:] > 2.33 * se[:, FIRST:]).any(axis=1).mean()
    assert naive > 0.09


@pytest.mark.parametrize(("gap", "power"), [(0.1, 0.85), (0.2, 1.0)])
def test_a_true_difference_is_found(gap: float, power: float) -> None:
    def draw(rng: np.random.Generator, runs: int) -> Array:
        x = np.sqrt(0.7) * rng.normal(size=(runs, 1, 2048)) + np.sqrt(0.3) * rng.normal(size=(runs, 2, 2048))
        x[:, 0] += gap
        return x

    assert rate(draw, 500) >= power


def test_thresholds_grow_with_looks_and_with_options_but_slowly() -> None:
    n = np.array([64, 256, 1024, 10**6, 10**9])
    assert (np.diff(threshold(n[1:], 64)) > 0).all()
    assert (threshold(n, 64, 50) > threshold(n, 64, 2)).all()
    assert threshold(n, 64, 50).max() < 8
    # Robbins' formula, written out: r = 16, error 2 % over 3 pairs, at n = 256.
    assert threshold(np.array([256]), 64, 3)[0] == pytest.approx(
        (272 / 256 * np.log(272 / 16 / (0.02 / 3) ** 2)) ** 0.5
    )


def test_the_threshold_is_taken_to_students_t() -> None:
    n, mean, m2, none = np.array([64]), np.array([1.0]), np.array([63 * 64.0]), np.array([0.0])
    wanted = 1.0 - stats.t.isf(stats.norm.sf(threshold(n, 64)), 63)
    assert beyond(n, mean, m2, none, 64, 2) == pytest.approx(wanted)


def test_nothing_is_clear_before_the_first_checkpoint() -> None:
    x = np.zeros((2, 63, 1))
    x[0] = 100.0
    moments = Moments.of(x, [0, 1], 2)
    assert not clearly_above(moments, 0, FIRST).any()
    more = moments.merge(Moments.of(x[:, :1], [0, 1], 2))
    assert clearly_above(more, 0, FIRST).tolist() == [[False, True], [False, False]]


def test_options_that_are_the_same_in_every_world_are_never_told_apart() -> None:
    x = np.repeat(np.random.default_rng(0).normal(size=(1, 1000, 1)), 3, axis=0)
    assert not clearly_above(Moments.of(x, range(3), 3), 0, FIRST).any()


def test_of_one_option_nothing_is_above_anything() -> None:
    assert clearly_above(Moments.of(np.ones((1, 100, 1)), [0], 1), 0, FIRST).tolist() == [[False]]


def test_checkpoints_are_a_fixed_table() -> None:
    found = list(itertools.accumulate(range(20), lambda at, _: next_checkpoint(2, at), initial=0))[1:]
    assert found == [2, 3, 4, 5, 7, 9, 12, 15, 19, 24, 30, 38, 48, 60, 75, 94, 118, 148, 185, 232]
    race = Race(True, 2)
    assert [blocks for blocks in range(50) if race.is_checkpoint(blocks)] == found[:13]


@pytest.mark.parametrize(
    ("block_size", "batch_size", "blocks"), [(1, 1, 64), (32, 1, 2), (50, 1, 2), (1000, 1, 1), (64, 32, 8), (8, 2, 8)]
)
def test_the_first_look_has_64_worlds_and_16_observations(block_size: int, batch_size: int, blocks: int) -> None:
    assert first_checkpoint(Shape(2, ("x",), block_size, batch_size, ("",))) == blocks


def test_a_race_drops_what_is_clearly_worse_and_nothing_else() -> None:
    rng = np.random.default_rng(4)
    x = (
        rng.normal(size=(1, 256, 1))
        + 0.2 * rng.normal(size=(4, 256, 1))
        + np.array([0.0, 1.0, 1.0, -2.0])[:, None, None]
    )
    shape = Shape(4, ("x",), 64, 1, ("",))
    moments = Moments.of(x, range(4), 4)
    assert Race(True, 1).survivors(moments, 0, range(4), shape) == (1, 2)
    assert Race(False, 1).survivors(moments, 0, range(4), shape) == (0, 1, 2, 3)


def covered(gap: float, correlation: float, allowance: Callable[[float], float], runs: int = 2000) -> float:
    """Share of raced runs of two options whose interval for the difference covers the gap."""
    rng = np.random.default_rng(11)
    n, hits = np.array(looks(2048)), []
    for _ in range(runs // 100):
        # In units of the outcome's standard deviation; the difference has variance 2 (1 - correlation).
        d = rng.normal(gap, np.sqrt(2 * (1 - correlation)), size=(100, n[-1]))
        mean = np.cumsum(d, axis=1)[:, n - 1] / n
        m2 = np.cumsum(d * d, axis=1)[:, n - 1] - n * mean**2
        excess = beyond(n, mean, m2, np.array(1.0), FIRST, 2)
        clear = (excess > 0).any(axis=1)
        end = np.where(clear, (excess > 0).argmax(axis=1), len(n) - 1)
        run = np.arange(100)
        extra = [allowance(x) if c else 0.0 for x, c in zip(excess[run, end], clear, strict=True)]
        half = stats.t.ppf(0.975, n[end] - 1) * np.sqrt(m2[run, end] / (n[end] - 1) / n[end]) * np.hypot(1.0, extra)
        hits += (np.abs(mean[run, end] - gap) <= half).tolist()
    return float(np.mean(hits))


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_with_the_allowance_for_early_stops_intervals_cover_whatever_the_gap(correlation: float) -> None:
    gaps = np.array([0.02, 0.05, 0.08, 0.12, 0.2, 0.4]) * np.sqrt(2 * (1 - correlation))
    shares = [covered(gap, correlation, early_stop) for gap in gaps]
    assert 0.93 <= min(shares) <= max(shares) <= 0.98
    assert min(covered(gap, correlation, lambda excess: 0.0) for gap in gaps) < 0.925


def test_the_allowance_fades_with_the_margin() -> None:
    allowances = [early_stop(x) for x in (-np.inf, -1.0, 0.0, 0.5, 2.0, np.inf)]
    assert allowances[:3] == [0.7] * 3
    assert allowances == sorted(allowances, reverse=True)
    assert allowances[-1] == 0.0
