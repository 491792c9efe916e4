"""How far a run is, for people who wait.

A run reports at most ten times a second, so that reporting costs nothing, and once more at its end.  The seconds left
are an extrapolation: worlds so far per second against the worlds still allowed, the square of the standard error still
to be gained, or simply the clock, whichever comes first.  A run that becomes clear ends sooner.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from byzanz_lab.evaluation.budget import Budget

EVERY = 0.1
"""Seconds between two reports."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a run.

    Parameters
    ----------
    worlds, playouts
        Worlds and playouts so far.
    leading_se
        Standard error of the difference between the two leading options (of the mean, for one option); None so far.
    seconds, seconds_left
        Seconds since the start and, as far as known, to the end; None where there is no telling.
    fraction
        Share of the run that is done, 0 to 1; None where there is no telling.
    """

    worlds: int
    playouts: int
    leading_se: float | None
    seconds: float
    seconds_left: float | None
    fraction: float | None


def seconds_left(budget: Budget, new_worlds: int, worlds: int, se: float | None, seconds: float) -> float | None:
    """Extrapolate the seconds to the end of a run.

    Parameters
    ----------
    budget
        What the run may spend.
    new_worlds, worlds
        Worlds of this run, and including those that it started with.
    se
        Standard error that `budget.target_se` is about, if known.
    seconds
        Seconds of this run so far.

    Examples
    --------
    >>> seconds_left(Budget(worlds=400), 100, 100, None, 2.0)
    6.0
    >>> seconds_left(Budget(target_se=0.1), 100, 100, 0.2, 2.0)  # half the error takes four times the worlds
    6.0
    """
    left = [] if budget.seconds is None else [budget.seconds - seconds]
    if new_worlds and seconds > 0:
        each = seconds / new_worlds
        if budget.worlds is not None:
            left.append((budget.worlds - new_worlds) * each)
        if budget.target_se is not None and se is not None and math.isfinite(se):
            left.append(worlds * ((se / budget.target_se) ** 2 - 1) * each)
    return max(min(left), 0.0) if left else None


class Reporter:
    """Hands `Progress` to a callback or a bar, now and then.

    Parameters
    ----------
    progress
        A callback, True for a progress bar, or None or False for silence.
    clock
        Seconds; replaced in tests.
    """

    def __init__(
        self, progress: Callable[[Progress], object] | bool | None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise TypeError(f"progress is a function, True or None, not {progress!r}")
        self._bar = Bar() if progress is True else None
        self._call: Callable[[Progress], object] | None = self._bar if self._bar else (progress or None)  # type: ignore[assignment]
        self._clock = clock
        self._next = -math.inf

    def report(self, make: Callable[[], Progress], last: bool = False) -> None:
        """Report if it is time to, or if this is the last report."""
        if self._call is None:
            return
        now = self._clock()
        if last or now >= self._next:
            self._next = now + EVERY
            self._call(make())

    def close(self) -> None:
        """Finish the bar, if there is one."""
        if self._bar is not None:
            self._bar.close()


class Bar:
    """A progress bar by tqdm, in terminals and notebooks."""

    def __init__(self) -> None:
        self._bar: Any = bar_class()(total=100, bar_format="{l_bar}{bar}| {postfix}", leave=False)

    def __call__(self, state: Progress) -> None:
        """Show a state."""
        if state.fraction is not None:
            self._bar.n = round(100 * state.fraction)
        parts = [f"{state.worlds:,} worlds", f"{state.playouts:,} playouts"]
        if state.leading_se is not None:
            parts.append(f"standard error {state.leading_se:.2g}")
        if state.seconds_left is not None:
            parts.append(f"{state.seconds_left:.0f} s left")
        self._bar.set_postfix_str(", ".join(parts), refresh=False)
        self._bar.refresh()

    def close(self) -> None:
        """Take the bar away."""
        self._bar.close()


def bar_class() -> type[Any]:
    """Return tqdm's bar for notebooks inside a kernel that can show widgets, and its bar for terminals elsewhere."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is not None and importlib.util.find_spec("ipywidgets"):
        from tqdm.notebook import tqdm
    else:
        from tqdm.std import tqdm
    # tqdm's monitor is a thread that outlives the bar; we refresh the bar ourselves and leave none behind.
    return type("Bar", (tqdm,), {"monitor_interval": 0})
