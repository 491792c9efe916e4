"""Blocks of work on many cores or machines, handed back in order.

Any `concurrent.futures.Executor` will do: threads (compiled code runs without the interpreter's lock), processes, loky,
a Dask cluster through ``Client.get_executor()``.  Results are taken strictly in the order of the blocks, so nothing
that is computed from them depends on who finished first.  Only a few blocks for each worker are under way at a time:
memory stays bounded, and little is lost when a run ends.

When the time is up, blocks that have not begun are withdrawn and those under way are waited for and used.  On
cancelling, on Ctrl-C and on errors nothing is used any more: what has not begun is withdrawn at once, and threads that
were started here are gone before control goes back to the caller.  An executor that was handed in stays the caller's,
and stays open.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")

POLL = 0.05
"""Seconds between two looks at the cancel switch while a block is under way."""

AHEAD = 3
"""Blocks under way for each worker."""


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def workers_of(executor: Executor | None) -> int:
    """Return how many blocks an executor works on at a time, as far as it can be known from outside."""
    found = getattr(executor, "_max_workers", None)
    client = getattr(executor, "_client", None)  # Dask's ClientExecutor
    if found is None and client is not None:
        found = sum(client.nthreads().values())
    return found if isinstance(found, int) and found > 0 else usable_cores()


def in_order(
    call: Callable[[int], tuple[Callable[..., T], tuple[Any, ...]]],
    first: int,
    last: int | None,
    *,
    executor: Executor | None,
    workers: int | None,
    cancelled: Callable[[], bool],
    time_is_up: Callable[[], bool],
) -> Generator[T, None, None]:
    """Yield the results of numbered blocks in order, working on several at a time.

    Parameters
    ----------
    call
        Gives for a block's number the function to run and its arguments; called just before the block is handed out.
    first, last
        Blocks ``first`` to ``last - 1``; no end if `last` is None.
    executor
        Where to run; threads of our own if None.
    workers
        Number of threads, or of the executor's workers where it cannot be asked.
    cancelled
        Looked at every `POLL` seconds; ends everything at once.
    time_is_up
        Looked at as often; ends the handing out of blocks.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"it takes 1 worker or more, not {workers}")
    workers = workers or workers_of(executor)
    pool = executor if executor is not None else ThreadPoolExecutor(workers, "byzanz-evaluation")
    pending: dict[int, Future[T]] = {}
    handed_out, closing = first, False
    try:
        for block in range(first, last) if last is not None else count(first):
            while not closing and handed_out < block + AHEAD * workers and (last is None or handed_out < last):
                if cancelled():
                    return
                function, arguments = call(handed_out)
                pending[handed_out] = pool.submit(function, *arguments)
                handed_out += 1
            if block not in pending:
                return
            future = pending[block]
            while not future.done():
                wait([future], timeout=POLL)
                if cancelled():
                    return
                if not closing and time_is_up():
                    closing = True
                    withdraw(pending)
            if cancelled() or future.cancelled():
                return
            del pending[block]
            yield future.result()
            if not closing and time_is_up():
                closing = True
                withdraw(pending)
    finally:
        withdraw(pending)
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)


def withdraw(pending: dict[int, Future[T]]) -> None:
    """Cancel what has not begun, last first, so that what remains has no gaps."""
    for block in sorted(pending, reverse=True):
        pending[block].cancel()
