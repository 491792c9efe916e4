"""Answers without error: options compared over all cases, each with its weight.

Where the cases are few enough to list, nothing needs to be estimated. An `Enumeration` answers the same questions as a
`Comparison` in the same words, with `Estimate`s that are exact: standard error 0, and ``n`` the number of cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from byzanz_lab.evaluation.comparison import Verdict
from byzanz_lab.evaluation.estimate import Estimate
from byzanz_lab.evaluation.trial import Floats

SAME = 1e-9
"""Means that differ by no more are equal: rounding in sums of a few thousand terms."""


@dataclass(frozen=True, slots=True, eq=False)
class Enumeration:
    """Options compared over all cases.

    Parameters
    ----------
    outcomes, units
        Names of the outcomes, and their units.
    leading
        Name of the outcome that ranks the options unless another is asked for.
    means
        Expected outcomes ``[n_options, n_outcomes]``.
    worlds
        Number of cases.
    seconds
        Wall time spent.

    Examples
    --------
    >>> values = np.array([[[1.0], [3.0]], [[2.0], [2.5]]])  # 2 options in 2 cases
    >>> found = Enumeration.of(values, [0.25, 0.75], ("profit",), ("points",))
    >>> found.verdicts(), str(found.difference(0, 1))
    (('best', 'worse'), '+0.12 points (exact)')
    """

    outcomes: tuple[str, ...]
    units: tuple[str, ...]
    leading: str
    means: Floats
    worlds: int
    seconds: float = 0.0

    @classmethod
    def of(
        cls,
        values: Floats,
        weights: npt.ArrayLike,
        outcomes: Sequence[str],
        units: Sequence[str],
        leading: str | None = None,
        seconds: float = 0.0,
    ) -> Enumeration:
        """Take the expectation of outcomes ``[n_options, n_cases, n_outcomes]`` over cases with these chances.

        Raises
        ------
        ValueError
            If the shapes do not fit, or the chances do not add up to 1.
        """
        chances = np.asarray(weights, dtype=np.float64)
        if values.ndim != 3 or values.shape[1:] != (len(chances), len(outcomes)):
            raise ValueError(
                f"outcomes of shape {values.shape} do not fit {len(chances)} cases and {len(outcomes)} outcomes"
            )
        if not np.isclose(chances.sum(), 1.0) or (chances < 0).any():
            raise ValueError(f"the chances of the cases add up to {chances.sum()}, not to 1")
        means = np.einsum("kwm,w->km", values, chances)
        leading = outcomes[0] if leading is None else leading
        return cls(tuple(outcomes), tuple(units), leading, means, len(chances), seconds)

    @property
    def stopped(self) -> Literal["exact"]:
        """Why it ended: all cases were looked at."""
        return "exact"

    @property
    def playouts(self) -> int:
        """Cases times options."""
        return self.worlds * len(self.means)

    @property
    def playouts_per_second(self) -> float:
        """Playouts a second of wall time."""
        return self.playouts / self.seconds if self.seconds > 0 else float("nan")

    @property
    def gain(self) -> float:
        """Variance without help over variance now; nothing is left to gain."""
        return 1.0

    def estimate(self, option: int, outcome: str | None = None) -> Estimate:
        """Expected outcome of an option."""
        at = self._outcome(outcome)
        return Estimate.exactly(float(self.means[option, at]), self.worlds, self.units[at], self.outcomes[at])

    def difference(self, option: int, other: int, outcome: str | None = None) -> Estimate:
        """How much more an option gives than another."""
        if option == other:
            raise ValueError(f"option {option} cannot be compared with itself")
        at = self._outcome(outcome)
        of = f"{self.outcomes[at]}, option {option} over option {other}"
        value = float(self.means[option, at] - self.means[other, at])
        return Estimate.exactly(0.0 if abs(value) <= SAME else value, self.worlds, self.units[at], of)

    def ranking(self, outcome: str | None = None) -> tuple[int, ...]:
        """All options, best first; equal ones by number."""
        column = self.means[:, self._outcome(outcome)]
        return tuple(sorted(range(len(column)), key=lambda i: (-round(float(column[i]) / SAME), i)))

    def best(self, outcome: str | None = None) -> int:
        """The best option, the first of equal ones."""
        return self.ranking(outcome)[0]

    def verdicts(self, outcome: str | None = None) -> tuple[Verdict, ...]:
        """Say of each option whether it is best, level with the best (equal to it), or worse."""
        column, best = self.means[:, self._outcome(outcome)], self.best(outcome)
        verdicts: list[Verdict] = ["level" if column[best] - value <= SAME else "worse" for value in column]
        verdicts[best] = "best"
        return tuple(verdicts)

    def extend(self, *_: object, **__: object) -> Enumeration:
        """Itself: there is nothing to add."""
        return self

    def only(self, options: Sequence[int]) -> Enumeration:
        """The same answer for some of the options, renumbered in this order."""
        means = self.means[list(options)]
        return Enumeration(self.outcomes, self.units, self.leading, means, self.worlds, self.seconds)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "plan": "exact",
            "outcomes": list(self.outcomes),
            "units": list(self.units),
            "leading": self.leading,
            "means": self.means.tolist(),
            "worlds": self.worlds,
            "seconds": self.seconds,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Enumeration:
        """Build what `to_dict` wrote; raises ValueError saying what does not fit."""
        try:
            means = np.asarray(data["means"], dtype=np.float64)
            outcomes, units = tuple(map(str, data["outcomes"])), tuple(map(str, data["units"]))
            leading, worlds, seconds = str(data["leading"]), int(data["worlds"]), float(data["seconds"])
        except (KeyError, TypeError, ValueError) as fault:
            raise ValueError(f"an exact comparison cannot be read: {type(fault).__name__} {fault}") from None
        if means.ndim != 2 or means.shape[1] != len(outcomes) or len(units) != len(outcomes) or leading not in outcomes:
            raise ValueError(f"an exact comparison of shape {means.shape} does not fit {len(outcomes)} outcomes")
        return cls(outcomes, units, leading, means, worlds, seconds)

    def _outcome(self, name: str | None) -> int:
        name = self.leading if name is None else name
        if name not in self.outcomes:
            raise ValueError(f"there is no outcome {name!r}; there is {', '.join(map(repr, self.outcomes))}")
        return self.outcomes.index(name)
