"""What a comparison says of its options, and why it ended."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

from byzanz_lab.evaluation import Budget, Cancel, Comparison, Sample, compare
from byzanz_lab.evaluation.stopping import early_stop
from tests.evaluation.trials import Broken, Inline, Lucky, Normal, Slow, Spread, numbers


def raw(trial: Normal, worlds: int) -> np.ndarray:
    """All values of the first worlds, straight from the trial: ``[options, worlds, outcomes]``."""
    blocks = range(worlds // trial.block_size)
    return np.concatenate([trial(block, range(trial.n_options)).values for block in blocks], axis=1)


def test_estimates_and_paired_differences_are_those_of_the_raw_values() -> None:
    trial = Normal((0.0, 0.1, 0.2), seed=3)
    result = compare(trial, 640, racing=False)
    x = raw(trial, 640)
    for i, (o, name) in itertools.product(range(3), enumerate(trial.outcomes)):
        estimate = result.estimate(i, name)
        assert estimate.mean == pytest.approx(x[i, :, o].mean())
        assert estimate.se == pytest.approx(x[i, :, o].std(ddof=1) / 640**0.5)
        assert (estimate.n, estimate.df, estimate.unit, estimate.of) == (640, 639, trial.units[o], name)
    for i, j in itertools.permutations(range(3), 2):
        d = x[i, :, 1] - x[j, :, 1]
        difference = result.difference(i, j, "win")
        assert difference.mean == pytest.approx(d.mean())
        assert difference.se == pytest.approx(d.std(ddof=1) / 640**0.5)
        assert difference.of == f"win, option {i} over option {j}"


def test_pairing_makes_the_error_of_a_difference_smaller_than_either() -> None:
    result = compare(Normal((0.0, 0.0), correlation=0.95), 640, racing=False)
    assert result.difference(0, 1).se < result.estimate(0).se / 2


def test_differences_of_dropped_options_are_over_the_worlds_that_both_have_seen() -> None:
    trial = Normal((0.0, 0.02, -1.0), seed=8)
    result = compare(trial, 1280)
    n = result.estimate(2).n
    assert result.alive == (0, 1)
    assert n < 1280 == result.worlds
    x = raw(trial, n)
    d = x[1, :, 0] - x[2, :, 0]
    assert result.difference(1, 2).mean == pytest.approx(d.mean())
    assert result.difference(1, 2).n == n
    plain = d.std(ddof=1) / n**0.5
    assert plain <= result.difference(1, 2).se <= plain * math.hypot(1, early_stop(0.0))
    assert result.playouts == n * 3 + (1280 - n) * 2


def test_a_clear_best_ends_the_run() -> None:
    result = compare(Normal((0.0, 0.5, 0.0)), Budget(worlds=100_000))
    assert result.stopped == "clear"
    assert result.worlds < 2000
    assert (result.best(), result.verdicts()) == (1, ("worse", "best", "worse"))


def test_equal_options_are_level_and_use_the_budget() -> None:
    result = compare(Normal((0.0, 0.0, -1.0)), 3200)
    assert (result.stopped, result.worlds) == ("out of budget", 3200)
    assert sorted(result.verdicts()[:2]) == ["best", "level"]
    assert result.verdicts()[2] == "worse"


def test_without_racing_every_option_gets_all_worlds() -> None:
    result = compare(Normal((0.0, 3.0)), 640, racing=False)
    assert (result.stopped, result.playouts, result.verdicts()) == ("out of budget", 1280, ("worse", "best"))


def test_a_target_error_ends_the_run_at_the_first_checkpoint_that_meets_it() -> None:
    trial = Normal((0.0, 0.0), seed=1, correlation=0.0)
    result = compare(trial, Budget(worlds=10**6, target_se=0.05))
    assert result.stopped == "accurate enough"
    assert result.difference(0, 1).se <= 0.05
    checkpoint = result.blocks
    before = max(b for b in range(checkpoint) if result.plan.is_checkpoint(b))
    assert compare(trial, before * trial.block_size).difference(0, 1).se > 0.05


def test_for_one_option_the_target_is_about_its_mean() -> None:
    result = compare(Normal((2.0,)), Budget(worlds=10**6, target_se=0.04))
    assert result.stopped == "accurate enough"
    assert 0.03 < result.estimate(0).se <= 0.04
    assert (result.best(), result.verdicts(), result.ranking()) == (0, ("best",), (0,))


def test_the_budget_of_seconds_ends_the_run() -> None:
    result = compare(Slow(0.001), Budget(seconds=0.1))
    assert result.stopped == "out of budget"
    assert result.worlds >= 1
    assert result.seconds >= 0.1


def test_at_least_one_block_is_played_however_little_time_there_is() -> None:
    assert compare(Slow(0.01), Budget(seconds=1e-9), workers=1).worlds >= 1


def test_worlds_are_rounded_up_to_whole_blocks() -> None:
    assert compare(Normal((0.0, 0.0), block_size=100), 101).worlds == 200


def test_a_run_that_is_cancelled_at_once_has_nothing_to_say() -> None:
    stop = Cancel()
    stop.cancel()
    result = compare(Normal((0.0, 1.0)), 64, cancel=stop)
    assert (result.stopped, result.worlds, result.playouts) == ("cancelled", 0, 0)
    assert result.verdicts() == ("level", "level")
    assert str(result.estimate(0)) == "unknown coins (no worlds yet)"
    assert math.isnan(result.difference(0, 1).mean)
    assert Comparison.from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False))).to_dict() == result.to_dict()
    assert numbers(result.extend(640, trial=Normal((0.0, 1.0)))) == numbers(compare(Normal((0.0, 1.0)), 640))


def test_rate_and_cost_are_told() -> None:
    result = compare(Normal((0.0, 0.0)), 640, racing=False)
    assert result.playouts == 1280
    assert result.playouts_per_second == pytest.approx(1280 / result.seconds)


def test_each_outcome_has_a_best_of_its_own() -> None:
    def opposed(block: int, options: object) -> Sample:
        x = np.random.default_rng(block).normal(size=(1, 64, 2))
        return Sample(x + np.array([[[0.0, 1.0]], [[1.0, 0.0]]]))

    trial = Broken(opposed, block_size=64, outcomes=("profit", "win"))
    result = compare(trial, 640, racing=False, leading="win")
    assert (result.best(), result.best("win"), result.best("profit")) == (0, 0, 1)
    assert result.verdicts("profit") == ("worse", "best")
    # With racing, option 1 is dropped for its wins; it still is the one with the better profit.
    raced = compare(trial, 640, leading="win")
    assert (raced.stopped, raced.alive) == ("clear", (0,))
    assert (raced.best("profit"), raced.verdicts("profit")) == (1, ("worse", "best"))


def test_an_option_with_lucky_early_worlds_is_not_ranked_by_them() -> None:
    """Option 1 is always 1 below option 0, but all early worlds are rich, and it sees only those."""

    def rich_first(block: int, options: object) -> Sample:
        rich = 10.0 if block < 4 else 0.0
        luck = np.random.default_rng(block).normal(size=64)
        every = np.stack([luck + rich, luck + rich - 1, luck + rich + 0.001 * (-1.0) ** np.arange(64)])
        return Sample(every[list(options), :, None])  # type: ignore[call-overload]

    result = compare(Broken(rich_first, block_size=64, n_options=3), 6400)
    assert 1 not in result.alive
    assert result.estimate(1).mean > result.estimate(0).mean
    assert result.ranking()[2] == 1


def test_ties_go_to_the_lower_number() -> None:
    trial = Broken(lambda block, options: Sample(np.ones((3, 8, 1))), block_size=8, n_options=3)
    result = compare(trial, 800)
    assert (result.ranking(), result.verdicts()) == ((0, 1, 2), ("best", "level", "level"))


@pytest.mark.parametrize("trial", [Normal((0.0, 0.1, -1.0)), Lucky((0.0, 0.1, -3.0)), Spread((0.0, 0.1, -1.0))])
@pytest.mark.parametrize("worlds", [64, 1280])
def test_through_json_and_back_exactly(trial: Normal, worlds: int) -> None:
    result = compare(trial, worlds)
    text = json.dumps(result.to_dict(), allow_nan=False)
    back = Comparison.from_dict(json.loads(text), trial)
    assert json.dumps(back.to_dict(), allow_nan=False) == text
    assert back.ranking() == result.ranking()
    assert back.verdicts() == result.verdicts()
    assert back.difference(0, 2) == result.difference(0, 2)
    assert numbers(back.extend(640)) == numbers(result.extend(640))


@pytest.mark.parametrize("missing", ["shape", "now", "alive", "plan"])
def test_a_file_that_is_no_comparison_is_refused(missing: str) -> None:
    data = compare(Normal((0.0, 1.0)), 64).to_dict()
    del data[missing]
    with pytest.raises(ValueError, match=f"this is no saved comparison: '{missing}'"):
        Comparison.from_dict(data)


def test_a_loaded_comparison_needs_its_own_trial_to_go_on() -> None:
    result = Comparison.from_dict(compare(Normal((0.0, 0.01)), 64).to_dict())
    with pytest.raises(ValueError, match="to extend it, hand in its trial"):
        result.extend(64)
    with pytest.raises(ValueError, match="this is another trial"):
        result.extend(64, trial=Normal((0.0, 0.01, 0.02)))


def test_it_can_be_read() -> None:
    assert "trial=" not in repr(compare(Normal((0.0, 1.0)), 64, executor=Inline()))
