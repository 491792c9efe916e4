"""A number that says how sure it is.

The mean of a sample is worth little without its standard error, and a standard error is worth little without the number
of observations behind it: with five of them, "mean ± 2 standard errors" covers the truth in 88 % of cases, not in 95 %.
An `Estimate` therefore keeps mean, standard error and number together, with the unit and the thing it is an estimate
of, and its intervals use Student's t with the degrees of freedom that the observations really had (Student 1908).

Three things need care, and have their field here.  Values that are shares, from 0 to 1, have a mean that is skewed near
the ends: a chance that came up in 190 of 192 worlds has a standard error near 0 and is far from certain.  With `share`
set the interval is Wilson's ("Probable inference", Journal of the American Statistical Association 22, 1927), which
stays inside 0 to 1.  Worlds that were drawn *together* (stratified, see
`byzanz_lab.evaluation.strata`) are not independent of each other; then `df` counts the independent batches, not the
worlds.  And a number found by enumeration is no estimate at all: `exact` is set and the standard error is 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and the number of observations behind it.

    Parameters
    ----------
    mean
        The estimated value, in `unit`; NaN if and only if there are no observations.
    se
        Standard error of the mean, in `unit`, 0 or more; infinite while there are too few observations to tell.
    n
        Number of observations (worlds), 0 or more.
    unit
        Unit of mean and se, for instance ``"profit"``.
    of
        What is estimated, and from whose point of view.
    exact
        True for a value found by enumeration; its standard error is 0.
    df
        Degrees of freedom of `se`; ``n - 1`` unless given.
    share
        True for the mean of values from 0 to 1, such as chances; not for differences of such means.

    Raises
    ------
    ValueError
        If the numbers cannot belong to an estimate.

    Examples
    --------
    >>> str(Estimate(0.8, 0.1, 400, unit="profit"))
    '+0.80 ± 0.20 profit'
    >>> Estimate.exactly(1.5, unit="profit").interval()
    (1.5, 1.5)
    """

    mean: float
    se: float
    n: int
    unit: str = ""
    of: str = ""
    exact: bool = False
    df: int | None = None
    share: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", float(self.mean))
        object.__setattr__(self, "se", float(self.se))
        if self.n < 0:
            raise ValueError(f"an estimate cannot rest on {self.n} observations")
        if math.isnan(self.mean) != (self.n == 0) or math.isinf(self.mean):
            raise ValueError(f"an estimate from {self.n} observations cannot have the mean {self.mean}")
        if not self.se >= 0:
            raise ValueError(f"a standard error is 0 or more, not {self.se}")
        if self.exact and (self.se or not self.n):
            raise ValueError(f"an exact value has standard error 0, not {self.se}, and n of 1 or more, not {self.n}")

    @classmethod
    def from_samples(cls, x: npt.ArrayLike, unit: str = "", of: str = "") -> Estimate:
        """Estimate the mean of independent observations.

        Parameters
        ----------
        x
            Observations, any shape, at least one.
        unit, of
            As in the class.

        Examples
        --------
        >>> Estimate.from_samples([1.0, 2.0, 3.0])
        Estimate(mean=2.0, se=0.5773502691896258, n=3, unit='', of='', exact=False, df=None, share=False)
        """
        sample = np.asarray(x, dtype=np.float64).ravel()
        if not sample.size:
            raise ValueError("an estimate needs at least one observation")
        se = float(sample.std(ddof=1)) / math.sqrt(sample.size) if sample.size > 1 else math.inf
        return cls(float(sample.mean()), se, int(sample.size), unit, of)

    @classmethod
    def exactly(cls, value: float, n: int = 1, unit: str = "", of: str = "") -> Estimate:
        """Return a value found by enumerating `n` cases, without error."""
        return cls(value, 0.0, n, unit, of, exact=True)

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the standard error."""
        return max(self.n - 1, 0) if self.df is None else self.df

    def half_width(self, level: float = 0.95) -> float:
        """Half the width of the two-sided interval at `level` (strictly between 0 and 1), in `unit`."""
        if not 0 < level < 1:
            raise ValueError(f"a level of confidence lies strictly between 0 and 1, not at {level}")
        if self.exact or math.isinf(self.se) or not self.degrees:
            return 0.0 if self.exact or self.se == 0 else math.inf
        student = float(special.stdtrit(self.degrees, 0.5 + level / 2))
        if not self.share:
            return student * self.se
        n, z2 = self.degrees + 1, student**2
        return student / (n + z2) * math.sqrt((n * self.se) ** 2 + z2 / 4)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Two-sided interval that covers the true mean in a share `level` of repetitions, in `unit`.

        Examples
        --------
        >>> low, high = Estimate(1.0, 0.0, 100, share=True).interval()  # came up every time, and yet
        >>> round(low, 2), round(high, 2)
        (0.96, 1.0)
        """
        half, middle = self.half_width(level), self.mean
        if self.share and not self.exact and math.isfinite(half):
            n, z2 = self.degrees + 1, float(special.stdtrit(self.degrees, 0.5 + level / 2)) ** 2
            middle = (n * self.mean + z2 / 2) / (n + z2)
            return max(middle - half, 0.0), min(middle + half, 1.0)
        return middle - half, middle + half

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        if not self.n:
            return f"unknown{unit} (no worlds yet)"
        if self.exact:
            return f"{self.mean:+z.2f}{unit} (exact)"
        half = self.half_width()
        if math.isinf(half):
            return f"{self.mean:+z.2f} ± ?{unit}"
        # Two significant digits of the half width: more would be noise, fewer would hide the progress of a run.
        digits = 2 if half == 0 else min(max(1 - math.floor(math.log10(half)), 0), 9)
        return f"{self.mean:+z.{digits}f} ± {half:.{digits}f}{unit}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values; what JSON cannot say (NaN, infinity) becomes None."""
        return {
            "mean": self.mean if self.n else None,
            "se": self.se if math.isfinite(self.se) else None,
            "n": self.n,
            "unit": self.unit,
            "of": self.of,
            "exact": self.exact,
            "df": self.df,
            "share": self.share,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Estimate:
        """Build the estimate that `to_dict` wrote; raises ValueError naming what is missing."""
        try:
            mean, se, n = data["mean"], data["se"], int(data["n"])
        except KeyError as missing:
            raise ValueError(f"an estimate needs mean, se and n; {missing} is missing") from None
        mean, se = math.nan if mean is None else float(mean), math.inf if se is None else float(se)
        more = {"unit": str(data.get("unit", "")), "of": str(data.get("of", ""))}
        return cls(
            mean,
            se,
            n,
            **more,
            exact=bool(data.get("exact", False)),
            df=data.get("df"),
            share=bool(data.get("share", False)),
        )
