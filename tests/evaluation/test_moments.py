"""Merged moments are those of all observations together, pair by pair."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from byzanz_lab.evaluation.moments import Moments

OUTCOMES = 2
VALUES = st.floats(-1000, 1000, width=32)


@st.composite
def blocks(draw: st.DrawFn) -> list[np.ndarray[Any, np.dtype[np.float64]]]:
    k = draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=5))
    return [draw(hnp.arrays(np.float64, (k, size, OUTCOMES), elements=VALUES)) for size in sizes]


def merged(parts: list[Any], k: int) -> Moments:
    total = Moments.zero(k, OUTCOMES)
    for part in parts:
        total = total.merge(Moments.of(part, range(k), k))
    return total


def close(a: Moments, b: Moments) -> None:
    np.testing.assert_array_equal(a.count, b.count)
    np.testing.assert_allclose(a.mean, b.mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(a.m2, b.m2, rtol=1e-9, atol=1e-6)


@given(blocks())
def test_merging_gives_what_numpy_gives_on_all_raw_values(parts: list[Any]) -> None:
    x = np.concatenate(parts, axis=1)
    k, n, _ = x.shape
    total = merged(parts, k)
    for i, j, o in itertools.product(range(k), range(k), range(OUTCOMES)):
        values = x[i, :, o] if i == j else x[i, :, o] - x[j, :, o]
        count, mean, m2 = total.pair(i, j, o)
        assert count == n
        assert mean == pytest.approx(values.mean(), rel=1e-9, abs=1e-9)
        assert m2 == pytest.approx(values.var() * n, rel=1e-9, abs=1e-6)


@given(blocks(), st.data())
def test_merging_is_associative_in_effect(parts: list[Any], data: st.DataObject) -> None:
    k = parts[0].shape[0]
    cut = data.draw(st.integers(0, len(parts)))
    close(merged(parts, k), merged(parts[:cut], k).merge(merged(parts[cut:], k)))


@given(blocks())
def test_merging_with_nothing_changes_no_bit(parts: list[Any]) -> None:
    k = parts[0].shape[0]
    total, nothing = merged(parts, k), Moments.zero(k, OUTCOMES)
    for same in (total.merge(nothing), nothing.merge(total)):
        assert same.to_dict() == total.to_dict()


@given(blocks(), st.data())
def test_leaving_options_out_afterwards_or_before_is_the_same_to_the_last_bit(
    parts: list[Any], data: st.DataObject
) -> None:
    x = parts[0]
    k = x.shape[0]
    some = sorted(data.draw(st.sets(st.integers(0, k - 1), min_size=1)))
    before = Moments.of(x[some], some, k)
    after = Moments.of(x, range(k), k).only(some)
    assert before.to_dict() == after.to_dict()


@pytest.mark.parametrize(("k", "n", "m"), [(2, 1000, 1), (30, 64, 3), (7, 257, 2), (100, 8, 1), (3, 10_000, 1)])
def test_leaving_out_is_exact_for_large_blocks_too(k: int, n: int, m: int) -> None:
    x = np.random.default_rng(k).normal(size=(k, n, m))
    for some in ([0], [k - 1], list(range(0, k, 2))):
        assert Moments.of(x[some], some, k).to_dict() == Moments.of(x, range(k), k).only(some).to_dict()


def test_equal_options_differ_by_exactly_nothing() -> None:
    x = np.random.default_rng(1).normal(size=(1, 500, 1)).repeat(2, axis=0)
    assert Moments.of(x, [0, 1], 2).pair(0, 1, 0) == (500, 0.0, 0.0)


def test_a_large_common_offset_costs_no_digits() -> None:
    x = np.random.default_rng(2).normal(size=(1, 10_000, 1))
    parts = np.split(x + 1e9, 100, axis=1)
    total = Moments.zero(1, 1)
    for part in parts:
        total = total.merge(Moments.of(part, [0], 1))
    assert total.pair(0, 0, 0)[2] == pytest.approx(x.var() * x.size, rel=1e-5)


def test_the_pair_changes_its_sign_with_its_order() -> None:
    x = np.array([[[1.0], [2.0]], [[5.0], [9.0]]])
    moments = Moments.of(x, [0, 1], 2)
    assert moments.pair(0, 1, 0) == (2, -5.5, 4.5)
    assert moments.pair(1, 0, 0) == (2, 5.5, 4.5)


def test_a_batch_is_one_observation() -> None:
    x = np.random.default_rng(5).normal(size=(3, 24, 2))
    means = x.reshape(3, 6, 4, 2).mean(axis=2)
    batched = Moments.of(x, range(3), 3, batch_size=4)
    close(batched, Moments.of(means, range(3), 3))
    assert batched.count[0, 2] == 6


def test_options_that_end_early_keep_the_worlds_they_share() -> None:
    x = np.random.default_rng(6).normal(size=(3, 50, 1))
    total = Moments.of(x[:, :20], [0, 1, 2], 3).merge(Moments.of(x[[0, 2], 20:], [0, 2], 3))
    assert total.pair(0, 2, 0)[0] == 50
    count, mean, m2 = total.pair(0, 1, 0)
    d = x[0, :20, 0] - x[1, :20, 0]
    assert (count, mean, m2) == (20, pytest.approx(d.mean()), pytest.approx(d.var() * 20))
    assert total.pair(1, 1, 0)[:2] == (20, pytest.approx(x[1, :20, 0].mean()))


@given(blocks())
def test_through_json_and_back_exactly(parts: list[Any]) -> None:
    k = parts[0].shape[0]
    total = merged(parts, k)
    back = Moments.from_dict(json.loads(json.dumps(total.to_dict())), OUTCOMES)
    assert back.to_dict() == total.to_dict()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"count": [1, 2]}, "cannot have count"),
        ({"mean": [[1.0]] * 3}, "cannot have mean"),
        ({"m2": [[-1.0, 0.0]] * 3}, "m2 holds numbers that are negative or not finite"),
        ({"mean": [[float("nan"), 0.0]] * 3}, "mean holds numbers that are negative or not finite"),
    ],
)
def test_moments_that_cannot_be_are_refused(change: dict[str, Any], sentence: str) -> None:
    data = Moments.zero(2, OUTCOMES).to_dict() | change
    with pytest.raises(ValueError, match=sentence):
        Moments.from_dict(data, OUTCOMES)
