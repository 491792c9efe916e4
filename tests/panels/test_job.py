"""Background work: it can be stopped at once and replaced, late results are dropped, and errors are shown."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from byzanz_lab.panels.job import Job


class Gate:
    """Work that goes on step by step, when a test lets it."""

    def __init__(self, steps: int = 3) -> None:
        self.steps, self.begun = steps, threading.Event()
        self.go = threading.Semaphore(0)

    def __call__(self, stop: threading.Event) -> Iterator[tuple[float, int]]:
        for step in range(self.steps):
            self.begun.set()
            assert self.go.acquire(timeout=30)
            yield (step + 1) / self.steps, step

    def open(self) -> None:
        for _ in range(self.steps):
            self.go.release()


@pytest.fixture
def results() -> list[tuple[int, bool]]:
    return []


@pytest.fixture
def job() -> Iterator[Job]:
    job = Job(every=0)
    yield job
    job.close()
    job.join(30)


def keep(results: list[Any]) -> Any:
    return lambda result, final: results.append((result, final))


def test_every_result_is_handed_on_and_the_last_one_once_more_as_final(job: Job, results: list[Any]) -> None:
    gate = Gate()
    job.start(gate, keep(results))
    assert job.state == "running"
    gate.open()
    assert job.join(30) == "done"
    assert results == [(0, False), (1, False), (2, False), (2, True)]
    assert job.progress == 1.0


def test_partial_results_are_thinned_out_but_the_last_one_is_never_lost(results: list[Any]) -> None:
    job, gate = Job(every=1e6), Gate(50)
    job.start(gate, keep(results))
    gate.open()
    job.join(30)
    assert results == [(0, False), (49, True)]


def test_stop_answers_while_the_thread_still_works_and_what_comes_later_is_dropped(
    job: Job, results: list[Any]
) -> None:
    gate = Gate()
    job.start(gate, keep(results))
    assert gate.begun.wait(30)
    job.stop()
    assert job.state == "stopped"  # without waiting: the gate is shut, so the thread cannot have ended
    gate.open()
    assert job.join(30) == "stopped"
    assert results == []


def test_new_work_takes_the_place_of_old_work(job: Job, results: list[Any]) -> None:
    old, new = Gate(), Gate(1)
    job.start(old, keep(results))
    assert old.begun.wait(30)
    job.start(new, lambda result, final: results.append(("new", final)))
    old.open()
    new.open()
    assert job.join(30) == "done"
    assert results == [("new", False), ("new", True)]


def test_work_is_told_to_stop(job: Job) -> None:
    seen = threading.Event()

    def work(stop: threading.Event) -> Iterator[tuple[float, int]]:
        assert stop.wait(30)
        seen.set()
        yield 1.0, 0

    job.start(work, keep([]))
    job.stop()
    job.join(30)
    assert seen.is_set()


@pytest.mark.parametrize(
    ("error", "shown"),
    [(ValueError("the market is shut"), "the market is shut"), (KeyError("Wi4"), "KeyError: 'Wi4'")],
)
def test_an_error_is_kept_and_never_printed(
    job: Job, error: Exception, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(stop: threading.Event) -> Iterator[tuple[float, int]]:
        yield 0.5, 1
        raise error

    job.start(work, keep([]))
    assert job.join(30) == "error"
    assert job.error == shown
    assert capsys.readouterr() == ("", "")


def test_an_error_in_what_shows_the_results_is_kept_too(job: Job) -> None:
    def broken(result: int, final: bool) -> None:
        raise RuntimeError("no chart")

    job.start(lambda stop: iter([(1.0, 1)]), broken)
    assert job.join(30) == "error"
    assert job.error == "RuntimeError: no chart"


def test_new_work_forgets_an_old_error(job: Job) -> None:
    job.start(lambda stop: (1 / 0 for _ in range(1)), keep([]))  # type: ignore[misc]
    assert job.join(30) == "error"
    job.start(lambda stop: iter([(1.0, 1)]), keep([]))
    assert (job.join(30), job.error) == ("done", "")


def test_whoever_listens_is_told_of_every_state(job: Job) -> None:
    states: list[str] = []
    job.observe(lambda change: states.append(change["new"]), "state")
    job.start(lambda stop: iter([(1.0, 1)]), keep([]))
    job.join(30)
    assert states == ["running", "done"]


def test_a_closed_job_leaves_no_thread_and_tells_nobody(results: list[Any]) -> None:
    job, gate, states = Job(), Gate(), []
    job.observe(lambda change: states.append(change["new"]), "state")
    job.start(gate, keep(results))
    job.close()
    gate.open()
    job.join(30)
    assert results == []
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("byzanz-job")]
    job.start(lambda stop: iter([(1.0, 1)]), keep([]))
    job.join(30)
    assert states == ["running", "stopped"]
