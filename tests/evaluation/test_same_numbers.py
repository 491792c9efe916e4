"""The same seed gives the same numbers to the last bit, wherever it was played and however often it was cut."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.evaluation import Budget, Cancel, Comparison, compare
from tests.evaluation.trials import Inline, Lucky, Normal, Shuffled, Spread, numbers

TRIALS = [
    Normal((0.0, 0.05, 0.1, -0.4, -0.7)),
    Lucky((0.0, 0.05, 0.1, -1.5, -4.0), batch_size=4),
    Spread((0.0, 0.02, 0.04, -0.5, -1.0), block_size=32, batch_size=16),
]
WORLDS = 2400
names = pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: type(trial).__name__)


@contextmanager
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


@contextmanager
def loky() -> Iterator[Executor]:
    found = pytest.importorskip("loky", reason="loky is not installed; it comes with byzanz-lab[cluster]")
    pool = found.ProcessPoolExecutor(2)
    yield pool
    pool.shutdown(wait=True, kill_workers=True)


@contextmanager
def dask() -> Iterator[Executor]:
    found = pytest.importorskip("distributed", reason="Dask is not installed; it comes with byzanz-lab[cluster]")
    with (
        found.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        found.Client(cluster) as client,
    ):
        yield client.get_executor()


@contextmanager
def shuffled() -> Iterator[Executor]:
    pool = Shuffled(seed=7)
    yield pool
    pool.shutdown()


@names
@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_on_any_number_of_threads(trial: Normal, workers: int) -> None:
    alone = compare(trial, WORLDS, executor=Inline())
    assert len(alone.alive) < 5  # the race did drop some
    assert numbers(compare(trial, WORLDS, workers=workers)) == numbers(alone)


@pytest.mark.parametrize("elsewhere", [processes, loky, dask, shuffled, lambda: ThreadPoolExecutor(4)])
def test_on_any_executor(elsewhere: Any) -> None:
    with elsewhere() as pool:
        for trial in TRIALS:
            assert numbers(compare(trial, WORLDS, executor=pool)) == numbers(compare(trial, WORLDS, executor=Inline()))


@names
@given(cuts=st.lists(st.integers(1, 30), min_size=1, max_size=4), workers=st.integers(1, 3))
@settings(max_examples=12)
def test_extended_is_the_same_as_longer(trial: Normal, cuts: list[int], workers: int) -> None:
    result = compare(trial, cuts[0] * trial.block_size, workers=workers)
    for cut in cuts[1:]:
        result = result.extend(cut * trial.block_size, workers=workers)
    assert numbers(result) == numbers(compare(trial, sum(cuts) * trial.block_size, executor=Inline()))


@names
def test_saved_loaded_and_extended_is_the_same_as_longer(trial: Normal) -> None:
    for worlds in (trial.block_size, 960):
        saved = json.dumps(compare(trial, worlds).to_dict())
        result = Comparison.from_dict(json.loads(saved)).extend(WORLDS - worlds, trial)
        assert numbers(result) == numbers(compare(trial, WORLDS))


def test_a_smaller_target_goes_on_where_a_larger_one_stopped() -> None:
    trial = Normal((0.0, 0.0, -0.2))
    rough = compare(trial, Budget(worlds=10**6, target_se=0.05))
    fine = rough.extend(Budget(target_se=0.02))
    assert rough.stopped == fine.stopped == "accurate enough"
    assert numbers(fine) == numbers(compare(trial, Budget(target_se=0.02)))
    assert numbers(rough.extend(Budget(target_se=0.05))) == numbers(rough)


def test_what_was_clear_stays_as_it_is() -> None:
    trial = Normal((0.0, 1.0))
    clear = compare(trial, 10**6)
    assert clear.stopped == "clear"
    assert numbers(clear.extend(10**6)) == numbers(clear)


def test_a_run_out_of_time_goes_on_to_the_same_numbers() -> None:
    trial = TRIALS[1]
    part = compare(trial, Budget(worlds=WORLDS, seconds=1e-9))
    assert part.worlds < WORLDS
    whole = part.extend(WORLDS - part.worlds)
    assert numbers(whole) == numbers(compare(trial, WORLDS))


def test_a_pilot_that_is_cut_short_twice_loses_nothing() -> None:
    trial, stop = TRIALS[1], Cancel()
    part = compare(trial, 64)
    stop.cancel()
    again = part.extend(640, cancel=stop)
    assert (again.worlds, again.stopped) == (64, "cancelled")
    hasty = part.extend(Budget(worlds=640, seconds=1e-9))
    assert hasty.worlds > 64
    assert numbers(again.extend(WORLDS - 64)) == numbers(compare(trial, WORLDS))


SCRIPT = """
import json, sys
from byzanz_lab.evaluation import compare
from tests.evaluation.test_same_numbers import TRIALS, WORLDS
from tests.evaluation.trials import numbers
compare(TRIALS[0], 320)
print(json.dumps([numbers(compare(trial, WORLDS)) for trial in TRIALS]))
"""


@pytest.mark.parametrize(("hash_seed", "threads"), [("0", "1"), ("12345", "4")])
def test_in_a_fresh_process_with_any_hash_seed_and_thread_count(hash_seed: str, threads: str) -> None:
    setting = {"PYTHONHASHSEED": hash_seed, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
    shown = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=os.environ | setting, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout) == [numbers(compare(trial, WORLDS)) for trial in TRIALS]
