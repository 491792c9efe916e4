"""A fixed budget is spent on the contenders, by a table that is written out here."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.evaluation import compare, halve, halving_schedule
from byzanz_lab.evaluation.halving import Halving, Round, plan_from_dict
from tests.evaluation.trials import Inline, Lucky, Normal, numbers


def test_the_schedule_written_out() -> None:
    assert halving_schedule(2, 1000) == (Round(2, 500),)
    assert halving_schedule(3, 1200) == (Round(3, 200), Round(2, 300))
    assert halving_schedule(8, 2400) == (Round(8, 100), Round(4, 200), Round(2, 400))
    assert halving_schedule(9, 9000) == (Round(9, 250), Round(5, 450), Round(3, 750), Round(2, 1125))
    assert halving_schedule(20, 20_000, block_size=32) == (
        Round(20, 192),
        Round(10, 384),
        Round(5, 800),
        Round(3, 1312),
        Round(2, 1984),
    )


@given(st.integers(2, 200), st.integers(1, 10**6), st.integers(1, 100))
def test_the_total_is_never_exceeded_and_nearly_used(n_options: int, total: int, block_size: int) -> None:
    least = n_options * block_size * math.ceil(math.log2(n_options))
    if total < least:
        with pytest.raises(ValueError, match=rf"takes {least} worlds, not {total}"):
            halving_schedule(n_options, total, block_size)
        return
    rounds = halving_schedule(n_options, total, block_size)
    assert len(rounds) == math.ceil(math.log2(n_options))
    assert rounds[0].contenders == n_options
    assert all(b.contenders == (a.contenders + 1) // 2 for a, b in pairwise(rounds))
    assert all(r.worlds % block_size == 0 and r.worlds > 0 for r in rounds)
    spent = sum(r.contenders * r.worlds for r in rounds)
    unused = sum(r.contenders * block_size for r in rounds) + len(rounds)
    assert total - unused < spent <= total


def test_one_option_is_no_choice() -> None:
    with pytest.raises(ValueError, match="halving needs 2 options or more, not 1"):
        halving_schedule(1, 100)


def test_a_run_follows_the_schedule() -> None:
    trial = Normal((0.0, 1.0, 2.0, -1.0, 3.0, 0.5, 2.9, -2.0), block_size=10)
    result = halve(trial, 2400)
    assert sorted((int(result.now.count[i, i]) for i in range(8)), reverse=True) == [
        700,
        700,
        300,
        300,
        100,
        100,
        100,
        100,
    ]
    assert result.playouts == 8 * 100 + 4 * 200 + 2 * 400
    assert result.alive == (4, 6)
    assert result.stopped == "out of budget"
    assert result.best() == 4


def test_an_option_out_of_the_race_is_worse_only_if_that_is_clear() -> None:
    result = halve(Normal((0.0, 0.0, 0.0, -5.0), seed=3), 4 * 64 * 2)
    assert len(result.alive) == 2
    assert sorted(result.verdicts()) == ["best", "level", "level", "worse"]


def test_it_finds_the_best_of_a_few_contenders_more_often_than_equal_shares_do() -> None:
    means, worlds, runs = (0.0,) * 13 + (1.0, 1.0, 1.15), 64, 200
    trials = [Normal(means, seed, block_size=16, outcomes=("profit",), units=("",)) for seed in range(runs)]
    halved = sum(halve(trial, 16 * worlds, executor=Inline()).best() == 15 for trial in trials)
    shared = sum(compare(trial, worlds, racing=False, executor=Inline()).best() == 15 for trial in trials)
    assert halved > shared + 0.1 * runs


def test_workers_change_nothing() -> None:
    trial = Normal((0.0, 0.1, 0.2, 0.3, 0.4), block_size=8)
    assert numbers(halve(trial, 3000, workers=1)) == numbers(halve(trial, 3000, workers=3))


def test_a_plan_survives_json() -> None:
    plan = Halving.of(halving_schedule(8, 2400), 10, first=7)
    assert plan == Halving(ends=(10, 30, 70), keeps=(4, 2, 2), first=7)
    assert plan_from_dict(plan.to_dict()) == plan


def test_what_is_spent_by_plan_cannot_be_extended() -> None:
    with pytest.raises(ValueError, match="halving has spent its fixed budget"):
        halve(Normal((0.0, 1.0)), 1000).extend(100)


def test_an_unknown_plan_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no plan 'thirds'"):
        plan_from_dict({"plan": "thirds"})


def test_with_controls_the_first_round_is_long_enough_for_the_pilot() -> None:
    with pytest.raises(ValueError, match="first round of halving takes 128 worlds an option or more"):
        halve(Lucky((0.0, 1.0, 2.0, 3.0)), 4 * 64 * 2)
    assert halve(Lucky((0.0, 1.0, 2.0, 3.0)), 4 * 128 * 2).best() == 3
