"""Trials with known answers, and executors that misbehave on purpose."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

import numpy as np

from byzanz_lab.evaluation import Comparison, Sample, balanced_uniforms


@dataclass(frozen=True)
class Normal:
    """Normal outcomes with standard deviation 1 whose luck is partly shared by all options."""

    means: tuple[float, ...]
    seed: int = 0
    correlation: float = 0.5
    block_size: int = 32
    outcomes: tuple[str, ...] = ("profit", "win")
    units: tuple[str, ...] = ("coins", "")

    @property
    def n_options(self) -> int:
        return len(self.means)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        rng = np.random.default_rng([self.seed, block])
        shared = rng.normal(size=(1, self.block_size, len(self.outcomes)))
        own = rng.normal(size=(self.n_options, self.block_size, len(self.outcomes)))
        luck = np.sqrt(self.correlation) * shared + np.sqrt(1 - self.correlation) * own
        return Sample((luck + np.array(self.means)[:, None, None])[list(options)])


@dataclass(frozen=True)
class Lucky:
    """Outcomes that owe most of their variance to measured luck, in a way of its own for each option."""

    means: tuple[float, ...]
    seed: int = 0
    block_size: int = 32
    batch_size: int = 1
    outcomes: tuple[str, ...] = ("profit",)

    @property
    def n_options(self) -> int:
        return len(self.means)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        rng = np.random.default_rng([self.seed, block])
        draws = rng.normal(size=(self.n_options, self.block_size, 2))
        common = rng.exponential(size=(1, self.block_size, 1)) - 1
        luck = np.concatenate((draws, common + np.zeros((self.n_options, 1, 1))), axis=2)
        weights = np.array([[2.0, -1.0, 1.0 + i] for i in range(self.n_options)])
        values = np.einsum("iwc,ic->iw", luck, weights) + np.array(self.means)[:, None]
        # The square makes the relation crooked, so that coefficients fitted on their own worlds would be biased.
        values += 0.5 * (luck[:, :, 0] ** 2 - 1) + rng.normal(size=values.shape)
        rows = list(options)
        return Sample(values[rows][..., None], luck[rows])


@dataclass(frozen=True)
class Spread:
    """Outcomes that depend smoothly on stratified numbers, plus some noise of their own."""

    means: tuple[float, ...]
    seed: int = 0
    block_size: int = 64
    batch_size: int = 32
    outcomes: tuple[str, ...] = ("profit",)

    @property
    def n_options(self) -> int:
        return len(self.means)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        u = balanced_uniforms(self.seed, 2, block * self.block_size, self.block_size, self.batch_size)
        rng = np.random.default_rng([self.seed, block])
        shape = np.stack([(3 + i) * (u[:, 0] - 0.5) + 2 * (u[:, 1] > 0.5) - 1 for i in range(self.n_options)])
        values = shape + np.array(self.means)[:, None] + 0.3 * rng.normal(size=shape.shape)
        return Sample(values[list(options)][..., None])


@dataclass(frozen=True)
class Slow:
    """Plain Python that takes its time; one world a block."""

    seconds: float = 0.05
    block_size: int = 1
    n_options: int = 2
    outcomes: tuple[str, ...] = ("profit",)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        end, spins = time.perf_counter() + self.seconds, 0
        while time.perf_counter() < end:
            spins += 1
        luck = random.Random(block).gauss(0, 1)
        return Sample(np.full((len(options), 1, 1), luck))


@dataclass(frozen=True)
class Broken:
    """A trial of which one block goes wrong."""

    make: Callable[[int, Sequence[int]], Sample]
    block_size: int = 4
    n_options: int = 2
    outcomes: tuple[str, ...] = ("profit",)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        return self.make(block, options)


class Inline(Executor):
    """Runs everything at once, in the calling thread."""

    _max_workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Shuffled(Executor):
    """Finishes work in random order: always some of what is waiting, never what came first if it can help it."""

    _max_workers = 3

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self._change = threading.Condition()
        self._open = True
        self.finished: list[int] = []
        self.most = 0
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self._change:
            self._waiting.append((future, lambda: (args, fn(*args, **kwargs))))
            self.most = max(self.most, len(self._waiting))
            self._change.notify()
        return future

    def _work(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or not self._open)
                if not self._waiting:
                    return
                self._change.wait(0.001)  # let some more work pile up
                at = self._random.randrange(1, len(self._waiting)) if len(self._waiting) > 1 else 0
                future, work = self._waiting.pop(at)
            if future.set_running_or_notify_cancel():
                args, result = work()
                self.finished.append(next((arg for arg in args if type(arg) is int), -1))
                future.set_result(result)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._change:
            self._open = False
            self._change.notify()
        self._thread.join()


def numbers(result: Comparison) -> dict[str, Any]:
    """Everything a comparison holds but the time it took."""
    data = result.to_dict()
    del data["seconds"]
    return data
