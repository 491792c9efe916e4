"""What is compared: options that all face the same worlds.

A *trial* is the only thing this package knows of a game.  It is called with the number of a block of worlds and the
options to try in them, and returns what came out.  Three promises make everything else possible:

1. **Common random numbers.**  World ``w`` is the same whichever option is tried in it.  The difference between two
   options is then a mean of *paired* differences, from which the luck that both share is gone: with a correlation of
   0.9 between their outcomes a tenth of the worlds does (Glasserman & Yao, "Some guidelines and guarantees for common
   random numbers", Management Science 38, 1992).
2. **Addressable worlds.**  World ``w`` depends on its number alone: not on what was played before, where, or by whom.
   So blocks can be played anywhere and in any order, and a run can be taken up again.
3. **Options do not disturb each other.**  The outcome of an option in a world does not depend on which other options
   were asked for in the same call.

A trial is sent to other processes by pickling, so it is best a module-level frozen dataclass with ``__call__``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What came out of one block.

    Parameters
    ----------
    values
        Outcomes ``[n_options_asked, n_worlds, n_outcomes]``, in the order in which the options were asked for.
    controls
        Control variates ``[n_options_asked, n_worlds, n_controls]`` or None: quantities of each world whose expectation
        is known to be 0, such as the luck of the draw; see `byzanz_lab.evaluation.controls`.
    """

    values: Floats
    controls: Floats | None = None


@runtime_checkable
class Trial(Protocol):
    """Options that can be tried in numbered blocks of common worlds.

    It may also have ``batch_size``, a divisor of `block_size`: the number of consecutive worlds that were drawn
    together (stratified) and are independent of all other such batches.  It is 1, independent worlds, unless given.
     And it may have ``units``, one for each outcome; the unit "share" says that values lie between 0 and 1.
    """

    @property
    def n_options(self) -> int:
        """Number of options, 1 or more; they are numbered from 0."""
        ...

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Names of the outcomes, for instance ``("profit", "win")``."""
        ...

    @property
    def block_size(self) -> int:
        """Number of worlds in a block; block ``b`` holds the worlds from ``b * block_size`` on."""
        ...

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the worlds of one block with each of the options (ascending)."""
        ...


@dataclass(frozen=True, slots=True)
class Shape:
    """The numbers of a trial that a result has to remember.

    Parameters
    ----------
    n_options, outcomes, block_size, batch_size, units
        As in `Trial`.
    """

    n_options: int
    outcomes: tuple[str, ...]
    block_size: int
    batch_size: int
    units: tuple[str, ...]

    @classmethod
    def of(cls, trial: Trial) -> Shape:
        """Read and check the shape of a trial; raises ValueError naming what is wrong with it."""
        outcomes = tuple(trial.outcomes)
        units = tuple(getattr(trial, "units", ("",) * len(outcomes)))
        shape = cls(int(trial.n_options), outcomes, int(trial.block_size), int(getattr(trial, "batch_size", 1)), units)
        if shape.n_options < 1:
            raise ValueError(f"a trial needs 1 option or more, not {shape.n_options}")
        if not outcomes or len(set(outcomes)) < len(outcomes):
            raise ValueError(f"a trial needs one or more different outcomes, not {outcomes!r}")
        if len(units) != len(outcomes):
            raise ValueError(f"a trial with the outcomes {outcomes!r} needs as many units, not {units!r}")
        if shape.block_size < 1:
            raise ValueError(f"a block holds 1 world or more, not {shape.block_size}")
        if shape.batch_size < 1 or shape.block_size % shape.batch_size:
            raise ValueError(f"batches of {shape.batch_size} worlds do not fill a block of {shape.block_size}")
        return shape

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "n_options": self.n_options,
            "outcomes": list(self.outcomes),
            "block_size": self.block_size,
            "batch_size": self.batch_size,
            "units": list(self.units),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Shape:
        """Build the shape that `to_dict` wrote."""
        numbers = (int(data[name]) for name in ("n_options", "block_size", "batch_size"))
        n_options, block_size, batch_size = numbers
        return cls(n_options, tuple(data["outcomes"]), block_size, batch_size, tuple(data["units"]))

    def outcome(self, name: str | None, leading: str) -> int:
        """Return the number of an outcome by name, `leading` where there is no name."""
        name = leading if name is None else name
        try:
            return self.outcomes.index(name)
        except ValueError:
            raise ValueError(f"there is no outcome {name!r}; there is {', '.join(map(repr, self.outcomes))}") from None

    def option(self, option: int) -> int:
        """Check the number of an option."""
        if not 0 <= option < self.n_options:
            raise ValueError(f"there is no option {option!r}; they are numbered 0 to {self.n_options - 1}")
        return int(option)


def checked(sample: Sample, shape: Shape, block: int, options: Sequence[int]) -> Sample:
    """Return the sample as float64 arrays, having made sure that it has the promised shape and finite numbers."""
    where = f"block {block} of the trial"
    values = np.asarray(sample.values, dtype=np.float64)
    wanted = (len(options), shape.block_size, len(shape.outcomes))
    if values.shape != wanted:
        raise ValueError(f"{where} gave values of shape {values.shape}, not {wanted} [options, worlds, outcomes]")
    if not np.isfinite(values).all():
        raise ValueError(f"{where} gave values that are not finite")
    if sample.controls is None:
        return Sample(values)
    controls = np.asarray(sample.controls, dtype=np.float64)
    if controls.ndim != 3 or controls.shape[:2] != wanted[:2] or not controls.shape[2]:
        raise ValueError(f"{where} gave controls of shape {controls.shape}, not {wanted[:2]} and one or more controls")
    if not np.isfinite(controls).all():
        raise ValueError(f"{where} gave controls that are not finite")
    return Sample(values, controls)
