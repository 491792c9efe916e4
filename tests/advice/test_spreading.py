"""Advice is bit-equal whatever the executor, and can be stopped at once."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from byzanz_lab.advice import advise
from byzanz_lab.evaluation import Cancel
from tests.advice.positions import sample

WORLDS = 512


def _answer(executor: Executor | None = None) -> str:
    return json.dumps(advise(sample("market"), WORLDS, seed=3, executor=executor).to_dict(timing=False))


def test_threads_and_spawned_processes_give_the_same_numbers() -> None:
    alone = _answer()
    with ThreadPoolExecutor(3) as threads:
        assert _answer(threads) == alone
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert _answer(processes) == alone


def test_loky_gives_the_same_numbers() -> None:
    loky = pytest.importorskip("loky", reason="the extra [cluster] is not installed")
    with loky.ProcessPoolExecutor(2) as executor:
        assert _answer(executor) == _answer()


def test_a_dask_cluster_gives_the_same_numbers() -> None:
    distributed = pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert _answer(client.get_executor()) == _answer()


PROGRAM = """
import json, sys
from byzanz_lab.advice import advise
from tests.advice.positions import sample
print(json.dumps(advise(sample("market"), 512, seed=3, workers=int(sys.argv[1])).to_dict(timing=False)))
"""


@pytest.mark.parametrize(("workers", "hash_seed"), [("1", "0"), ("2", "1")])
def test_a_fresh_process_gives_the_same_numbers(workers: str, hash_seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
    done = subprocess.run([sys.executable, "-c", PROGRAM, workers], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == _answer()


def test_cancelling_ends_a_long_run_with_what_it_has() -> None:
    threads_before = threading.active_count()
    cancel = Cancel()
    threading.Timer(0.5, cancel.cancel).start()
    begun = time.monotonic()
    advice = advise(sample("auction"), 10_000_000, cancel=cancel, racing=False)
    assert advice.comparison.stopped == "cancelled"
    assert 0 < advice.comparison.worlds < 10_000_000 and time.monotonic() - begun < 30
    assert threading.active_count() <= threads_before
