"""95 % intervals cover the truth in 93 to 97 % of repeated runs: paired, raced, corrected and stratified ones.

Of 400 runs with a true coverage of 95 %, one in 15 would fall outside these bounds by chance; of 1000, one in 270.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from byzanz_lab.evaluation import Comparison, Estimate, compare, halve
from tests.evaluation.trials import Inline, Lucky, Normal, Spread

RUNS = 1000


def coverage(run: Callable[[int], Comparison], means: tuple[float, ...]) -> dict[str, float]:
    """Share of runs whose intervals cover, for each option's mean and for each difference between neighbours."""
    covered: dict[str, list[bool]] = {}

    def look(name: str, estimate: Estimate, truth: float) -> None:
        low, high = estimate.interval()
        covered.setdefault(name, []).append(low <= truth <= high)

    for seed in range(RUNS):
        result = run(seed)
        for i, mean in enumerate(means):
            look(f"option {i}", result.estimate(i), mean)
            for j in range(i):
                look(f"{i} over {j}", result.difference(i, j), mean - means[j])
    return {name: float(np.mean(hits)) for name, hits in covered.items()}


def holds(found: dict[str, float]) -> None:
    assert {name: share for name, share in found.items() if not 0.93 <= share <= 0.97} == {}


def normal(means: tuple[float, ...], seed: int, block_size: int = 64) -> Normal:
    return Normal(means, seed, block_size=block_size, outcomes=("profit",), units=("",))


def test_paired_runs() -> None:
    means = (0.0, 0.1)
    holds(coverage(lambda seed: compare(normal(means, seed), 512, racing=False, executor=Inline()), means))


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.3])
def test_raced_runs_whether_they_end_by_budget_or_by_being_clear(gap: float) -> None:
    means = (0.0, gap)
    holds(coverage(lambda seed: compare(normal(means, seed), 1024, executor=Inline()), means))


def test_corrected_runs() -> None:
    means = (0.0, 0.5)
    holds(
        coverage(lambda seed: compare(Lucky(means, seed, block_size=64), 512, racing=False, executor=Inline()), means)
    )


def test_corrected_runs_that_are_all_pilot() -> None:
    means = (0.0, 0.5)
    holds(
        coverage(lambda seed: compare(Lucky(means, seed, block_size=64), 128, racing=False, executor=Inline()), means)
    )


def test_stratified_runs() -> None:
    means = (0.0, 0.1)
    trials = [Spread(means, seed, block_size=256) for seed in range(RUNS)]
    holds(coverage(lambda seed: compare(trials[seed], 512, racing=False, executor=Inline()), means))


def test_stratified_worlds_taken_for_independent_ones_would_be_called_far_too_unsure() -> None:
    """The lesson of batches: without them, intervals are several times too wide."""
    means = (0.0, 0.1)
    honest = compare(Spread(means, 1, block_size=256), 4096, racing=False).difference(1, 0)
    naive = Spread(means, 1, block_size=256)
    object.__setattr__(naive, "batch_size", 32)
    result = compare(naive, 4096, racing=False)
    assert result.plain is not None
    n, _, m2 = result.plain.pair(1, 0, 0)
    assert (m2 / (n - 1) / n) ** 0.5 > 1.2 * honest.se
    assert result.gain == pytest.approx(m2 / (n - 1) / n / honest.se**2)


def test_halved_runs_for_the_options_that_were_played_to_the_end() -> None:
    means = (0.0, 0.0, 0.6, 0.6)
    hits = []
    for seed in range(RUNS):
        result = halve(normal(means, seed), 4 * 2 * 128, executor=Inline())
        if result.alive == (2, 3):
            low, high = result.difference(3, 2).interval()
            hits.append(low <= 0.0 <= high)
    assert len(hits) > 0.9 * RUNS
    assert 0.93 <= np.mean(hits) <= 0.97
