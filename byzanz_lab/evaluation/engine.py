"""Running a comparison: hand out blocks, merge what comes back, look at the checkpoints.

Everything that decides, the merging and the checkpoints, happens here, in the order of the blocks.  The workers only
play, and sum up what they played.  Blocks are handed out before it is known whether a checkpoint will drop options;
what was then played too much is left out when it is merged, so that speed costs no reproducibility.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple, SupportsIndex

import numpy as np

from byzanz_lab.evaluation import controls as control_variates
from byzanz_lab.evaluation.budget import Budget, Cancellable
from byzanz_lab.evaluation.comparison import Comparison, Stopped
from byzanz_lab.evaluation.halving import Halving, halving_schedule
from byzanz_lab.evaluation.moments import Moments
from byzanz_lab.evaluation.progress import Progress, Reporter, seconds_left
from byzanz_lab.evaluation.spread import in_order
from byzanz_lab.evaluation.stopping import FIRST_WORLDS, Plan, Race, first_checkpoint
from byzanz_lab.evaluation.trial import Floats, Sample, Shape, Trial, checked

PILOT_WORLDS = control_variates.PILOT_WORLDS


class Played(NamedTuple):
    """What a worker sends back of a block: sums or, as long as coefficients are not known, the sample itself."""

    options: tuple[int, ...]
    sample: Sample | None
    now: Moments | None = None
    plain: Moments | None = None


def summary(sample: Sample, shape: Shape, options: Sequence[int], coefficients: Floats | None) -> Played:
    """Sum up a block: corrected outcomes of batches and, where that is not the same, plain outcomes of worlds."""
    values = sample.values
    if coefficients is not None:
        if sample.controls is None or sample.controls.shape[2] != coefficients.shape[1]:
            raise ValueError("all blocks of a trial have the same number of controls, or none")
        values = control_variates.adjust(values, sample.controls, coefficients[list(options)])
    now = Moments.of(values, options, shape.n_options, shape.batch_size)
    plain = None
    if sample.controls is not None or shape.batch_size > 1:
        plain = Moments.of(sample.values, options, shape.n_options)
    return Played(tuple(options), None, now, plain)


def play(
    trial: Trial, shape: Shape, block: int, options: tuple[int, ...], coefficients: Floats | None, raw: bool
) -> Played:
    """Play one block; this is what runs on the workers."""
    sample = checked(trial(block, options), shape, block, options)
    return Played(options, sample) if raw else summary(sample, shape, options, coefficients)


class Tally:
    """The state of a run between two blocks.

    Parameters
    ----------
    trial, shape
        What is tried.
    leading
        Number of the leading outcome.
    plan
        Which options go on after how many blocks.
    """

    def __init__(self, trial: Trial, shape: Shape, leading: int, plan: Plan) -> None:
        self.trial, self.shape, self.leading, self.plan = trial, shape, leading, plan
        self.now = Moments.zero(shape.n_options, len(shape.outcomes))
        self.plain: Moments | None = None
        self.coefficients: Floats | None = None
        self.controlled: bool | None = None
        self.pilot: list[Sample] = []
        self.pilot_blocks = first_checkpoint(shape, PILOT_WORLDS)
        self.alive = tuple(range(shape.n_options))
        self.blocks = self.playouts = 0

    def call(self, block: int) -> tuple[Callable[..., Played], tuple[object, ...]]:
        """Return the work of a block, for the options alive now."""
        raw = self.coefficients is None and self.controlled is not False
        return play, (self.trial, self.shape, block, self.alive, self.coefficients, raw)

    def add(self, part: Played) -> None:
        """Take in the next block."""
        sample = part.sample
        if self.controlled is None and sample is not None:
            self._begin(sample.controls is not None)
        if sample is not None:
            if (sample.controls is not None) != self.controlled:
                raise ValueError("all blocks of a trial have the same number of controls, or none")
            part = summary(sample, self.shape, part.options, self.coefficients)
        assert part.now is not None
        more, plain = part.now, part.plain
        if part.options != self.alive:
            more, plain = more.only(self.alive), plain and plain.only(self.alive)
        self.now = self.now.merge(more)
        if plain is not None:
            self.plain = plain if self.plain is None else self.plain.merge(plain)
        self.blocks += 1
        self.playouts += len(self.alive) * self.shape.block_size
        if sample is not None and self.controlled and self.coefficients is None:
            self.pilot.append(sample)
            if len(self.pilot) == self.pilot_blocks:
                self._end_pilot()

    def _begin(self, controlled: bool) -> None:
        self.controlled = controlled
        if controlled and isinstance(self.plan, Race):
            self.plan = Race(self.plan.racing, self.pilot_blocks)
        if controlled and isinstance(self.plan, Halving) and self.plan.ends[0] < self.pilot_blocks:
            worlds = self.pilot_blocks * self.shape.block_size
            raise ValueError(
                f"with control variates, the first round of halving takes {worlds} worlds an option or more"
            )

    def _end_pilot(self) -> None:
        values = np.concatenate([sample.values for sample in self.pilot], axis=1)
        luck = np.concatenate([sample.controls for sample in self.pilot if sample.controls is not None], axis=1)
        self.coefficients = control_variates.fit(values, luck)
        corrected = control_variates.split_adjust(values, luck, self.shape.batch_size)
        self.now = Moments.zero(self.shape.n_options, len(self.shape.outcomes))
        for block in np.split(corrected, len(self.pilot), axis=1):
            self.now = self.now.merge(Moments.of(block, self.alive, self.shape.n_options, self.shape.batch_size))
        self.pilot.clear()

    def leading_se(self) -> float:
        """Return the standard error of the difference between the two leading options (of the mean, for one option)."""
        order = sorted(self.alive, key=lambda i: (-self.now.mean[i, i, self.leading], i))
        n, _, m2 = self.now.pair(order[0], (order * 2)[1], self.leading)
        return math.sqrt(m2 / (n - 1) / n) if n > 1 else math.inf

    def decide(self, target_se: float | None) -> Stopped | None:
        """Drop options if this is a checkpoint, and say whether the run is over."""
        if self.plan.is_checkpoint(self.blocks):
            self.alive = self.plan.survivors(self.now, self.leading, self.alive, self.shape)
            if self.plan.racing and len(self.alive) == 1 < self.shape.n_options:
                return "clear"
            if target_se is not None and self.leading_se() <= target_se:
                return "accurate enough"
        return None

    def comparison(self, seconds: float, stopped: Stopped) -> Comparison:
        """Freeze the state."""
        names = ("shape", "plan", "now", "plain", "coefficients", "controlled", "alive", "blocks", "playouts", "trial")
        state = {name: getattr(self, name) for name in names}
        return Comparison(leading=self.shape.outcomes[self.leading], seconds=seconds, stopped=stopped, **state)


def compare(
    trial: Trial,
    budget: Budget | SupportsIndex,
    *,
    leading: str | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Cancellable | None = None,
    racing: bool = True,
) -> Comparison:
    """Compare the options of a trial over common worlds.

    Parameters
    ----------
    trial
        What to try; see `Trial`.
    budget
        What may be spent; a whole number is a number of worlds.
    leading
        The outcome that decides what is dropped and when to stop; the first one if not given.
    executor
        Where the blocks are played; threads on all cores if not given.  It is not shut down.
    workers
        Number of threads, or of the executor's workers where it cannot be asked.
    progress
        A function that is handed a `Progress` at most ten times a second and at the end, or True for a bar.
    cancel
        A switch such as `Cancel` or `threading.Event`; once it is set the run ends and hands back what it has.
    racing
        Whether to drop options that are clearly worse, and to end when one is left.

    Returns
    -------
    The comparison, which depends on the trial and on the number of worlds alone, not on the executor or the workers.

    Raises
    ------
    ValueError
        If the trial breaks its promises, or an argument is out of range.
    KeyboardInterrupt
        On Ctrl-C, after everything that was started here has ended.
    """
    shape = Shape.of(trial)
    plan = Race(racing, first_checkpoint(shape, FIRST_WORLDS))
    tally = Tally(trial, shape, shape.outcome(leading, shape.outcomes[0]), plan)
    return run(tally, Budget.of(budget), 0.0, executor, workers, progress, cancel)


def halve(
    trial: Trial,
    worlds: int,
    *,
    leading: str | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Cancellable | None = None,
) -> Comparison:
    """Spend a fixed number of playouts on the contenders, by sequential halving.

    Parameters
    ----------
    trial, leading, executor, workers, progress, cancel
        As for `compare`.
    worlds
        Worlds to hand out, each counted once for every option that plays it; see `halving_schedule`.

    Returns
    -------
    The comparison.  It cannot be extended: a larger total has another schedule.
    """
    shape = Shape.of(trial)
    schedule = halving_schedule(shape.n_options, worlds, shape.block_size)
    plan = Halving.of(schedule, shape.block_size, first_checkpoint(shape, FIRST_WORLDS))
    tally = Tally(trial, shape, shape.outcome(leading, shape.outcomes[0]), plan)
    return run(tally, Budget(worlds=plan.last * shape.block_size), 0.0, executor, workers, progress, cancel)


def resume(
    done: Comparison,
    budget: Budget | SupportsIndex,
    trial: Trial | None = None,
    *,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Cancellable | None = None,
) -> Comparison:
    """Extend a comparison; see `Comparison.extend`."""
    trial = done.trial if trial is None else trial
    if trial is None:
        raise ValueError("this comparison was read from a file; to extend it, hand in its trial")
    if Shape.of(trial) != done.shape:
        raise ValueError(f"this is another trial: {Shape.of(trial)}, not {done.shape}")
    if done.plan.last is not None:
        raise ValueError("halving has spent its fixed budget; run it again with a larger one")
    tally = Tally(trial, done.shape, done.shape.outcomes.index(done.leading), done.plan)
    piloting = done.controlled and done.coefficients is None
    if not piloting:  # a pilot that was cut short is played again: its samples were not kept
        for name in ("now", "plain", "coefficients", "controlled", "alive", "blocks", "playouts"):
            setattr(tally, name, getattr(done, name))
    result = run(tally, Budget.of(budget), done.seconds, executor, workers, progress, cancel, done.blocks)
    return result if result.blocks >= done.blocks else replace(done, seconds=result.seconds, stopped="cancelled")


def run(
    tally: Tally,
    budget: Budget,
    spent: float,
    executor: Executor | None,
    workers: int | None,
    progress: Callable[[Progress], object] | bool | None,
    cancel: Cancellable | None,
    before: int = 0,
) -> Comparison:
    """Play blocks until something ends the run; `before` blocks and `spent` seconds were there already."""
    begin = time.perf_counter()
    size = tally.shape.block_size
    last = None if budget.worlds is None else math.ceil((before * size + budget.worlds) / size)
    reporter = Reporter(progress)

    def seconds() -> float:
        return time.perf_counter() - begin

    def cancelled() -> bool:
        return cancel is not None and cancel.is_set()

    def time_is_up() -> bool:
        return budget.seconds is not None and tally.blocks > before and seconds() >= budget.seconds

    def state() -> Progress:
        se = tally.leading_se() if tally.blocks else math.inf
        new, now = (tally.blocks - before) * size, seconds()
        left = seconds_left(budget, max(new, 0), tally.blocks * size, se, now)
        fraction = None if left is None else now / (now + left) if now + left > 0 else 1.0
        return Progress(tally.blocks * size, tally.playouts, se if math.isfinite(se) else None, now, left, fraction)

    stopped = tally.decide(budget.target_se) if tally.blocks else None
    try:
        if stopped is None:
            blocks = in_order(
                tally.call,
                tally.blocks,
                last,
                executor=executor,
                workers=workers,
                cancelled=cancelled,
                time_is_up=time_is_up,
            )
            with closing(blocks):
                for part in blocks:
                    tally.add(part)
                    stopped = tally.decide(budget.target_se)
                    if stopped:
                        break
                    reporter.report(state)
        if stopped is None:
            finished = last is not None and tally.blocks >= last
            stopped = "cancelled" if cancelled() and not finished else "out of budget"
        reporter.report(state, last=True)
    finally:
        reporter.close()
    return tally.comparison(spent + seconds(), stopped)
