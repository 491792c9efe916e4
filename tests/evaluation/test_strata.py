"""Every prefix of the worlds is balanced, any piece can be had alone, and each point is uniform."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from byzanz_lab.evaluation import balanced_uniforms, permutations

SEEDS = st.integers(0, 2**64)
SIZES = st.sampled_from([1, 2, 8, 16, 64, 256])


@given(SEEDS, st.integers(1, 12), st.integers(0, 600), SIZES, st.integers(0, 6))
def test_every_prefix_is_balanced_in_every_dimension(seed: int, dims: int, count: int, size: int, digits: int) -> None:
    digits = min(digits, size.bit_length() - 1)
    u = balanced_uniforms(seed, dims, 0, count, size)
    for column in (u * 2**digits).astype(int).T:
        held = np.bincount(column, minlength=2**digits)
        assert held.max(initial=0) - held.min(initial=count) <= 1
        assert held.sum() == count


@given(SEEDS, SIZES, st.integers(0, 50))
def test_the_first_two_dimensions_are_balanced_jointly(seed: int, size: int, batch: int) -> None:
    u = balanced_uniforms(seed, 2, batch * size, size, size)
    digits = size.bit_length() - 1
    for first in range(digits + 1):
        cells = (u * [2**first, 2 ** (digits - first)]).astype(int)
        assert len({tuple(cell) for cell in cells.tolist()}) == size


@given(SEEDS, st.integers(1, 5), st.integers(0, 300), st.integers(0, 200), SIZES)
def test_any_piece_can_be_had_without_the_rest(seed: int, dims: int, start: int, count: int, size: int) -> None:
    whole = balanced_uniforms(seed, dims, 0, start + count, size)
    piece = balanced_uniforms(seed, dims, start, count, size)
    assert piece.shape == (count, dims)
    np.testing.assert_array_equal(piece, whole[start:])


def test_each_point_of_a_batch_is_uniform_over_the_scrambles() -> None:
    u = balanced_uniforms(7, 3, 0, 4000 * 8, 8).reshape(4000, 8, 3)
    assert (u >= 0).all()
    assert (u < 1).all()
    p = [stats.kstest(u[:, point, dim], "uniform").pvalue for point, dim in itertools.product(range(8), range(3))]
    assert min(p) > 0.001 / 24
    # so is where two points lie relative to the parts that balance keeps them in
    within = (u[:, :, 0] * 8) % 1
    assert stats.kstest(within[:, 0], "uniform").pvalue > 0.001
    assert abs(np.corrcoef(within[:, 0], within[:, 1])[0, 1]) < 0.06


def test_means_are_unbiased_and_far_less_noisy() -> None:
    def f(x: Any) -> Any:
        return np.exp(x[..., 0]) * (1 + (x[..., 1] > 0.3)) + x[..., 2] * x[..., 3]

    truth = (np.e - 1) * 1.7 + 0.25
    batches = f(balanced_uniforms(11, 4, 0, 2000 * 64).reshape(2000, 64, 4)).mean(axis=1)
    plain = f(np.random.default_rng(11).random((2000, 64, 4))).mean(axis=1)
    assert abs(batches.mean() - truth) < 3 * batches.std() / 2000**0.5
    assert batches.var() < plain.var() / 20


def test_different_seeds_and_batches_differ() -> None:
    u = balanced_uniforms(1, 1, 0, 64 * 3)
    assert len(np.unique(u)) == 192
    assert not np.isin(balanced_uniforms(2, 1, 0, 64), u).any()


def test_numbers_are_written_down() -> None:
    """The sequence is part of every saved result: it may not change."""
    assert balanced_uniforms(2024, 2, 62, 3).tolist() == [
        [0.2093950140020251, 0.7977907847063492],
        [0.6288121336849418, 0.09770976727583425],
        [0.12380904477931853, 0.45826895636951237],
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((-1, 1, 0, 1), "seed, start and count are 0 or more"),
        ((1, 0, 0, 1), "n_dims 1 to 21201"),
        ((1, 1, -1, 1), "start -1"),
        ((1, 1, 0, 1, 48), "a batch is a power of two, not 48"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        balanced_uniforms(*arguments)


@given(st.integers(1, 12), st.data())
def test_rows_are_permutations(items: int, data: st.DataObject) -> None:
    draws = data.draw(st.integers(0, items))
    u = np.random.default_rng(items).random((20, draws))
    order = permutations(u, items)
    assert (np.sort(order, axis=1) == np.arange(items)).all()


def test_all_permutations_are_equally_likely() -> None:
    order = permutations(np.random.default_rng(0).random((12_000, 4)), 4)
    held = np.unique(order, axis=0, return_counts=True)[1]
    assert len(held) == 24
    assert stats.chisquare(held).pvalue > 0.001


def test_balanced_numbers_make_balanced_permutations() -> None:
    order = permutations(balanced_uniforms(5, 3, 0, 64 * 5), 8)
    for prefix in range(1, 320):
        held = np.bincount(order[:prefix, 0], minlength=8)
        assert held.max() - held.min() <= 1


@pytest.mark.parametrize("uniforms", [[[0.5, 1.0]], [[-0.1, 0.2]], [[float("nan"), 0.2]]])
def test_numbers_outside_the_unit_interval_are_refused(uniforms: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"uniform numbers lie in \[0, 1\)"):
        permutations(uniforms, 4)


def test_more_draws_than_items_are_refused() -> None:
    with pytest.raises(ValueError, match=r"2 items cannot be drawn with uniform numbers of shape \(1, 3\)"):
        permutations([[0.1, 0.2, 0.3]], 2)
