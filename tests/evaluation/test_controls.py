"""Control variates take known luck out of differences, keep means unbiased, and say what they gained."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import optimize

from byzanz_lab.evaluation import Sample, compare
from byzanz_lab.evaluation.controls import OWN, adjust, fit, rounded, split_adjust
from tests.evaluation.trials import Broken, Inline, Lucky, Normal


def sample(seed: int, worlds: int = 200) -> Sample:
    return Lucky((0.0, 0.0, 0.0), seed, block_size=worlds)(0, (0, 1, 2))


def variance_left(coefficients: np.ndarray, values: np.ndarray, controls: np.ndarray) -> float:
    """What the fit promises to make small, written out pair by pair."""
    x = adjust(values, controls, coefficients)[:, :, 0]
    pairs = sum((x[i] - x[j]).var() for i, j in itertools.combinations(range(len(x)), 2)) / len(x)
    return float(pairs + OWN * x.var(axis=1).sum())


def test_no_other_coefficients_leave_less_variance_in_the_differences() -> None:
    s = sample(1)
    assert s.controls is not None
    ours = fit(s.values, s.controls)
    found = optimize.minimize(lambda b: variance_left(b.reshape(ours.shape), s.values, s.controls), np.zeros(ours.size))
    assert variance_left(ours, s.values, s.controls) == pytest.approx(found.fun, rel=1e-6)
    assert ours.ravel() == pytest.approx(found.x, abs=1e-3)


def test_differences_come_out_better_than_from_each_option_fitted_alone() -> None:
    """Luck that an option shares with the others' noise must not be corrected away for it alone."""
    rng = np.random.default_rng(5)
    shared, luck = rng.normal(size=(1, 4000)), rng.normal(size=(2, 4000))
    controls = (0.6 * shared + luck)[..., None]
    values = (3 * shared + 0.5 * luck + 0.1 * rng.normal(size=(2, 4000)))[..., None]
    together = adjust(values, controls, fit(values, controls))
    alone = np.stack([adjust(values[[i]], controls[[i]], fit(values[[i]], controls[[i]]))[0] for i in range(2)])
    assert (together[0] - together[1]).var() < (alone[0] - alone[1]).var() / 10


def test_a_control_that_never_varies_counts_for_nothing() -> None:
    s = sample(2)
    assert s.controls is not None
    dead = s.controls.copy()
    dead[..., 1] = 0.1
    coefficients = fit(s.values, dead)
    assert (coefficients[:, 1] == 0).all()
    assert np.isfinite(coefficients).all()


def test_twin_controls_share_the_coefficient() -> None:
    s = sample(3)
    assert s.controls is not None
    twins = np.concatenate((s.controls, s.controls), axis=2)
    left = [variance_left(fit(s.values, c), s.values, c) for c in (twins, s.controls)]
    assert left[0] == pytest.approx(left[1], rel=1e-4)


def test_coefficients_are_rounded_beyond_the_reach_of_linear_algebra() -> None:
    x = np.array([1 / 3, -12345.678, 0.0, 1e-9])
    assert (rounded(x * (1 + 1e-13)) == rounded(x)).all()
    assert rounded(x) == pytest.approx(x, rel=2.0**-15)


def test_each_half_of_a_pilot_is_corrected_by_the_other() -> None:
    s = sample(4, worlds=60)
    assert s.controls is not None
    corrected = split_adjust(s.values, s.controls, batch_size=20)
    first, second = slice(0, 20), slice(20, 60)
    for here, there in ((first, second), (second, first)):
        wanted = adjust(s.values[:, here], s.controls[:, here], fit(s.values[:, there], s.controls[:, there]))
        np.testing.assert_array_equal(corrected[:, here], wanted)


def test_correcting_by_the_own_worlds_is_biased_and_by_the_other_half_is_not() -> None:
    rng = np.random.default_rng(6)
    own, split = [], []
    for _ in range(4000):
        luck = rng.exponential(size=(1, 16, 1)) - 1
        values = luck**2 + rng.normal(size=(1, 16, 1))  # mean 1
        own.append(adjust(values, luck, fit(values, luck)).mean())
        split.append(split_adjust(values, luck, 1).mean())
    assert np.mean(own) < 1 - 0.2
    assert abs(np.mean(split) - 1) < 3 * np.std(split) / 4000**0.5


def test_the_gain_is_the_ratio_of_variances_over_repeated_runs() -> None:
    """What one run reports as its gain is what controls are really worth from run to run."""
    plain, corrected, gains = [], [], []
    for seed in range(200):
        trial = Lucky((0.0, 0.3), seed)
        result = compare(trial, 512, racing=False, executor=Inline())
        assert result.plain is not None
        plain.append(result.plain.pair(1, 0, 0)[1])
        corrected.append(result.difference(1, 0).mean)
        gains.append(result.gain)
    assert np.var(plain) / np.var(corrected) == pytest.approx(np.median(gains), rel=0.35)
    assert np.median(gains) > 4
    assert abs(np.mean(corrected) - 0.3) < 3 * np.std(corrected) / 200**0.5


def test_without_controls_and_strata_there_is_no_gain() -> None:
    assert compare(Normal((0.0, 0.1)), 256).gain == 1.0


def test_useless_controls_are_reported_as_useless() -> None:
    def noise(block: int, options: object) -> Sample:
        rng = np.random.default_rng(block)
        return Sample(rng.normal(size=(2, 64, 1)), rng.normal(size=(2, 64, 4)))

    result = compare(Broken(noise, block_size=64), 2048, racing=False, workers=1)
    assert 0.85 < result.gain < 1.02


def test_nothing_is_corrected_before_the_pilot_is_complete() -> None:
    trial = Lucky((0.0, 0.3))
    short, full = compare(trial, 96), compare(trial, 128)
    assert (short.coefficients, short.gain, short.verdicts()) == (None, 1.0, ("level", "best"))
    assert full.coefficients is not None
    values = np.concatenate([trial(block, (0, 1)).values for block in range(3)], axis=1)
    assert short.estimate(0).mean == pytest.approx(values[0].mean())


def test_coefficients_stay_frozen() -> None:
    trial = Lucky((0.0, 0.3, 0.1))
    at_once, later = compare(trial, 128, racing=False), compare(trial, 4096, racing=False)
    np.testing.assert_array_equal(at_once.coefficients, later.coefficients)


@pytest.mark.parametrize("odd", [0, 3, 70])
def test_a_trial_has_controls_always_or_never(odd: int) -> None:
    def sometimes(block: int, options: object) -> Sample:
        x = np.random.default_rng(block).normal(size=(2, 4, 1))
        return Sample(x, None if block == odd else x)

    with pytest.raises(ValueError, match="all blocks of a trial have the same number of controls, or none"):
        compare(Broken(sometimes), 400, racing=False, workers=1)
