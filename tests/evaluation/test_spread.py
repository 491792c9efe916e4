"""Blocks come back in order, few are under way at a time, and the time that is up ends the handing out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from byzanz_lab.evaluation.spread import AHEAD, in_order, usable_cores, workers_of
from tests.evaluation.trials import Inline, Shuffled


def square(block: int) -> int:
    return block * block


def run(
    executor: Executor | None,
    *,
    first: int = 0,
    last: int | None = 40,
    workers: int | None = None,
    work: Callable[[int], int] = square,
    cancelled: Callable[[], bool] = lambda: False,
    time_is_up: Callable[[], bool] = lambda: False,
) -> Iterator[int]:
    return in_order(
        lambda block: (work, (block,)),
        first,
        last,
        executor=executor,
        workers=workers,
        cancelled=cancelled,
        time_is_up=time_is_up,
    )


def test_results_come_in_order_whoever_finishes_first() -> None:
    shuffled = Shuffled(seed=1)
    assert list(run(shuffled)) == [block * block for block in range(40)]
    shuffled.shutdown()
    assert sorted(shuffled.finished) == list(range(40))
    assert shuffled.finished != sorted(shuffled.finished)


def test_few_blocks_are_under_way_at_a_time() -> None:
    shuffled = Shuffled(seed=2)
    blocks = run(shuffled, last=None)
    for _ in range(50):
        next(blocks)
    blocks.close()  # type: ignore[attr-defined]
    shuffled.shutdown()
    assert shuffled.most <= AHEAD * 3
    assert len(shuffled.finished) <= 50 + AHEAD * 3


def test_our_own_threads_are_as_many_as_asked_for_and_end() -> None:
    before, seen = set(threading.enumerate()), set()

    def work(block: int) -> int:
        seen.add(threading.current_thread())
        return block

    assert list(run(None, workers=2, work=work)) == list(range(40))
    assert 1 <= len(seen) <= 2
    assert set(threading.enumerate()) == before


def test_no_workers_are_refused() -> None:
    with pytest.raises(ValueError, match="it takes 1 worker or more, not 0"):
        next(run(None, workers=0))


def test_an_executor_that_is_handed_in_stays_open() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert len(list(run(pool))) == 40
        assert pool.submit(square, 3).result() == 9


def test_the_number_of_workers_is_asked_for_where_it_can_be() -> None:
    with ThreadPoolExecutor(5) as pool:
        assert workers_of(pool) == 5
    assert workers_of(None) == usable_cores() >= 1


class Queue(Executor):
    """Runs nothing until told to."""

    _max_workers = 2

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []
        self.work: list[Callable[[], Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.futures.append(Future())
        self.work.append(lambda: fn(*args, **kwargs))
        return self.futures[-1]


def test_when_the_time_is_up_what_is_under_way_is_used_and_the_rest_withdrawn() -> None:
    queue = Queue()

    def time_is_up() -> bool:
        for future in queue.futures[:3]:
            future.set_running_or_notify_cancel()
        return True

    def work_a_little() -> bool:
        running = [at for at, future in enumerate(queue.futures) if future.running()]
        if running:
            queue.futures[running[-1]].set_result(queue.work[running[-1]]())
        return False

    assert list(run(queue, last=None, time_is_up=time_is_up, cancelled=work_a_little)) == [0, 1, 4]
    assert len(queue.futures) == AHEAD * 2
    assert all(future.cancelled() for future in queue.futures[3:])


def test_on_cancelling_nothing_is_waited_for() -> None:
    queue, asked = Queue(), iter([False] * 10 + [True] * 100)
    blocks = run(queue, last=None, cancelled=lambda: next(asked))
    assert list(blocks) == []  # although no block ever ended
    assert all(future.cancelled() for future in queue.futures)


def test_an_error_withdraws_what_has_not_begun() -> None:
    queue = Queue()
    blocks = run(queue)
    threading.Timer(0.01, lambda: queue.futures[0].set_exception(RuntimeError("no more cards"))).start()
    with pytest.raises(RuntimeError, match="no more cards"):
        list(blocks)
    assert all(future.cancelled() for future in queue.futures[1:])


def test_blocks_can_start_anywhere_and_there_may_be_none() -> None:
    assert list(run(Inline(), first=5, last=8)) == [25, 36, 49]
    assert list(run(Inline(), first=8, last=8)) == []
