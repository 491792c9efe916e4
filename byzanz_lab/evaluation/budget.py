"""How much may be spent, and how to stop sooner.

More worlds always help, but with diminishing returns: four times the worlds halve the standard error.  A `Budget`
therefore has three limits, and the first one reached ends a run: a number of worlds, a number of seconds, and an
accuracy beyond which nobody cares.  `Cancel` is the button next to it: a run looks at it many times a second, and hands
back what it has.
"""

from __future__ import annotations

import math
import numbers
import operator
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, SupportsIndex


class Cancellable(Protocol):
    """Anything that can say that a run is no longer wanted; `threading.Event` is one."""

    def is_set(self) -> bool:
        """Tell whether to stop."""
        ...


class Cancel:
    """A switch that ends a run from another thread; thrown once, it stays thrown.

    Examples
    --------
    >>> stop = Cancel()
    >>> stop.is_set()
    False
    >>> stop.cancel()
    >>> stop.is_set()
    True
    """

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the run to stop; it hands back what it has."""
        self._event.set()

    __call__ = cancel

    def is_set(self) -> bool:
        """Tell whether `cancel` was called."""
        return self._event.is_set()


@dataclass(frozen=True, slots=True)
class Budget:
    """Worlds, seconds, target standard error: whichever is reached first ends a run.

    Parameters
    ----------
    worlds
        Number of worlds, 1 or more; rounded up to whole blocks of the trial.
    seconds
        Wall time in seconds, more than 0; blocks under way at that moment are finished, and at least one block is
        played.
    target_se
        Standard error, more than 0, in the unit of the leading outcome: of the paired difference between the two
        leading options, or of the mean where there is one option.

    Raises
    ------
    ValueError
        If no limit is given, or one is out of range.

    Examples
    --------
    >>> Budget(worlds=1000, seconds=2.0)
    Budget(worlds=1000, seconds=2.0, target_se=None)
    >>> Budget.of(1000)
    Budget(worlds=1000, seconds=None, target_se=None)
    """

    worlds: int | None = None
    seconds: float | None = None
    target_se: float | None = None

    def __post_init__(self) -> None:
        if self.worlds is None and self.seconds is None and self.target_se is None:
            raise ValueError("a budget needs at least one of worlds, seconds and target_se")
        if self.worlds is not None:
            try:
                object.__setattr__(self, "worlds", whole_number(self.worlds))
            except TypeError:
                raise ValueError(f"worlds is a whole number, not {self.worlds!r}") from None
            if self.worlds < 1:
                raise ValueError(f"a budget needs 1 world or more, not {self.worlds}")
        for name in ("seconds", "target_se"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < float(value) < math.inf:
                raise ValueError(f"{name} is a finite number above 0, not {value!r}")
            object.__setattr__(self, name, float(value))

    @classmethod
    def of(cls, budget: Budget | SupportsIndex) -> Budget:
        """Take a budget as it is, and a whole number as a number of worlds.

        A bare float is refused: 2.0 could be seconds, 1e4 could be worlds, and a guess would cost hours.
        """
        if isinstance(budget, Budget):
            return budget
        try:
            return cls(worlds=whole_number(budget))
        except TypeError:
            raise ValueError(
                f"a budget is a Budget or a whole number of worlds, not {budget!r}; "
                "say what it counts, for instance Budget(seconds=2.0)"
            ) from None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"worlds": self.worlds, "seconds": self.seconds, "target_se": self.target_se}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Budget:
        """Build the budget that `to_dict` wrote."""
        return cls(data.get("worlds"), data.get("seconds"), data.get("target_se"))


def whole_number(x: SupportsIndex) -> int:
    """Return a whole number of any type as an int; raises TypeError for anything else, True and False included."""
    if isinstance(x, bool):
        raise TypeError(f"{x} is no number")
    return operator.index(x)
