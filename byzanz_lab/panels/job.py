"""Long work behind a panel: one background thread at a time, that can be stopped, replaced and waited for.

The kernel stays free for other cells, because the work runs in a thread of its own and compiled code lets the others
run. A job that is stopped answers at once: what its thread still finishes afterwards carries an old run number and is
dropped. Nothing is ever printed, because output from threads goes astray in notebooks: what goes wrong stands in the
trait ``error``.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

import traitlets as t

State = Literal["idle", "running", "done", "stopped", "error"]
STATES: Final = ("idle", "running", "done", "stopped", "error")
EVERY: Final = 0.1
"""Seconds between two partial results that are handed on."""

Work = Callable[[threading.Event], Iterator[tuple[float, Any]]]
"""Yields (share done, result so far), and ends soon after the event is set."""


class Job(t.HasTraits):
    """At most one piece of work at a time, in a thread of its own.

    Parameters
    ----------
    lock
        Held while results are handed on and traits change; share it with whatever else changes the same things.
    every
        Least number of seconds between two partial results that are handed on.

    Examples
    --------
    >>> job, got = Job(), []
    >>> job.start(lambda stop: iter([(0.5, "half"), (1.0, "all")]), lambda result, final: got.append(result))
    >>> job.join()
    'done'
    >>> got[-1]
    'all'
    """

    state = t.Enum(STATES, "idle", help="What it is doing, or how its last work ended.")
    progress = t.Float(0.0, help="Share of the work that is done, 0 to 1.")
    error = t.Unicode("", help="What went wrong, in a sentence; empty for nothing.")

    def __init__(self, lock: threading.RLock | None = None, every: float = EVERY) -> None:
        super().__init__()
        self.lock = threading.RLock() if lock is None else lock
        self._every = every
        self._stop = threading.Event()
        self._run = 0
        self._threads: list[threading.Thread] = []

    @property
    def is_running(self) -> bool:
        """Whether there is work under way that is still wanted."""
        return bool(self.state == "running")

    def start(self, work: Work, on_result: Callable[[Any, bool], object]) -> None:
        """Begin some work; what was under way is dropped.

        Parameters
        ----------
        work
            A function of an event that yields (share done, result so far). It must look at the event often.
        on_result
            Called with each result and whether it is the last, in the worker's thread, holding ``lock``.
        """
        with self.lock:
            self._stop.set()
            self._stop = threading.Event()
            self._run += 1
            self.set_trait("error", "")
            self.progress = 0.0
            self.state = "running"
            arguments = (work, on_result, self._stop, self._run)
            thread = threading.Thread(target=self._main, args=arguments, name=f"byzanz-job-{self._run}", daemon=True)
            self._threads = [*(one for one in self._threads if one.is_alive()), thread]
            thread.start()

    def stop(self) -> None:
        """Stop at once: results so far are kept by whoever got them, later ones are dropped."""
        with self.lock:
            self._stop.set()
            if self.is_running:
                self._run += 1
                self.state = "stopped"

    def join(self, timeout: float | None = None) -> str:
        """Wait until no thread is left; returns the state. Not to be called while holding ``lock``."""
        end = None if timeout is None else time.monotonic() + timeout
        for thread in list(self._threads):
            thread.join(None if end is None else max(0.0, end - time.monotonic()))
        return str(self.state)

    def close(self) -> None:
        """Stop, and let go of everybody who listens."""
        self.stop()
        self.unobserve_all()

    def _main(self, work: Work, on_result: Callable[[Any, bool], object], stop: threading.Event, run: int) -> None:
        begun, handed_on, last = False, -math.inf, None
        try:
            for share, result in work(stop):
                begun, last = True, result
                if stop.is_set():
                    return
                if time.monotonic() - handed_on >= self._every:
                    handed_on = time.monotonic()
                    if not self._hand_on(run, share, result, on_result):
                        return
            with self.lock:
                if run == self._run:
                    if begun:
                        on_result(last, True)
                    self.progress, self.state = 1.0, "done"
        except Exception as error:  # a traceback in a thread is seen by nobody
            with self.lock:
                if run == self._run:
                    self.error = f"{type(error).__name__}: {error}" if not isinstance(error, ValueError) else str(error)
                    self.state = "error"

    def _hand_on(self, run: int, share: float, result: Any, on_result: Callable[[Any, bool], object]) -> bool:
        """Hand on a partial result, unless it is of an old run; says whether it was wanted."""
        with self.lock:
            if run != self._run:
                return False
            self.progress = min(max(share, 0.0), 1.0)
            on_result(result, False)
            return run == self._run
