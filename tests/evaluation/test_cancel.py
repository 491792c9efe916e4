"""Cancelling and Ctrl-C end a run at once and leave no thread or process behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from byzanz_lab.evaluation import Budget, Cancel, Progress, Sample, compare
from tests.evaluation.trials import Slow, numbers

ENDLESS = Budget(worlds=10**12)


@pytest.mark.parametrize("switch", [Cancel(), threading.Event()])
def test_cancelling_hands_back_what_there_is(switch: Any) -> None:
    before = set(threading.enumerate())
    throw = switch.cancel if isinstance(switch, Cancel) else switch.set
    result = compare(Slow(0.01), ENDLESS, cancel=switch, progress=lambda state: throw(), racing=False)
    assert result.stopped == "cancelled"
    assert result.worlds >= 1
    assert set(threading.enumerate()) == before
    assert numbers(result.extend(5)) == numbers(compare(Slow(0.0), result.worlds + 5, racing=False)) | {
        "stopped": "out of budget"
    }


@dataclass(frozen=True)
class Stuck:
    """A trial that never ends by itself."""

    begun: threading.Event
    release: threading.Event
    block_size: int = 1
    n_options: int = 2
    outcomes: tuple[str, ...] = ("profit",)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        self.begun.set()
        self.release.wait()
        return Sample(np.zeros((len(options), 1, 1)))


def test_on_an_executor_of_the_callers_not_even_the_block_under_way_is_waited_for() -> None:
    stop, begun, release = Cancel(), threading.Event(), threading.Event()

    def throw() -> None:
        begun.wait()
        stop.cancel()

    with ThreadPoolExecutor(2) as pool:
        thrower = threading.Thread(target=throw)
        thrower.start()
        result = compare(Stuck(begun, release), ENDLESS, executor=pool, cancel=stop)
        # We got here although no block has ended: nothing was waited for.
        assert not release.is_set()
        assert (result.stopped, result.worlds) == ("cancelled", 0)
        release.set()
        thrower.join()


def test_on_processes() -> None:
    stop = Cancel()
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        result = compare(
            Slow(0.01), ENDLESS, executor=pool, cancel=stop, progress=lambda state: stop.cancel(), racing=False
        )
        assert result.stopped == "cancelled"
        assert pool.submit(abs, -3).result() == 3  # it is the caller's, and stays usable
    assert multiprocessing.active_children() == []


SCRIPT = """
import multiprocessing, sys, threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from byzanz_lab.evaluation import compare
from tests.evaluation.trials import Slow

if __name__ == "__main__":
    pool = None
    if sys.argv[1] == "threads":
        pool = ThreadPoolExecutor(2)
    seen = []

    def tell(state):
        if not seen:
            seen.append(state)
            print("begun", flush=True)

    try:
        compare(Slow(0.02), 10**12, executor=pool, progress=tell, racing=False)
    except KeyboardInterrupt:
        if pool is not None:
            pool.shutdown()
        left = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
        print("interrupted", left, multiprocessing.active_children(), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send Ctrl-C to a single process")
@pytest.mark.parametrize("where", ["own", "threads"])
def test_ctrl_c_is_raised_after_everything_has_ended(where: str) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, where],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    run.send_signal(signal.SIGINT)
    shown, errors = run.communicate(timeout=60)
    assert (shown, run.returncode) == ("interrupted [] []\n", 0), errors


def test_a_switch_is_looked_at_while_a_block_is_under_way() -> None:
    """No block but the first few ever ends by itself within the run: the run must not wait for the next one."""
    stop, seen = Cancel(), list[Progress]()
    timer = threading.Timer(0.1, stop.cancel)
    timer.start()
    begun, release = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        result = compare(Stuck(begun, release), ENDLESS, executor=pool, cancel=stop, progress=seen.append)
        release.set()
    timer.join()
    assert result.stopped == "cancelled"
    assert [state.worlds for state in seen] == [0]
