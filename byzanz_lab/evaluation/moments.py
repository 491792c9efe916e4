"""Sums that are enough: means, variances and paired differences, block by block.

To say how sure the difference between two options is, one needs the variance of their *paired* difference; it cannot
be had from the two variances.  `Moments` therefore keeps, for every pair of options, the number of common observations,
the mean difference and the sum of squared deviations from it; the pair of an option with itself stands for the option
alone.  Blocks are merged with the formula of Chan, Golub & LeVeque ("Algorithms for computing the sample variance",
The American Statistician 37, 1983), which does not lose digits as sums of squares do.

Floating-point addition is not associative.  Merging strictly in the order of the blocks makes the result the same to
the last bit however the work was spread.

An *observation* is a world, or a batch of worlds drawn together: the mean of a stratified batch has the right
expectation, and batches are independent of each other, so the spread *between* batches tells the true error, while the
spread between single worlds would not (batch means; Owen, "Scrambled net variance for integrals of smooth functions",
Annals of Statistics 25, 1997).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz_lab.evaluation.trial import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Counts, means and squared deviations of every option and every pair of options.

    Only entries ``[i, j]`` with ``i <= j`` are used.

    Parameters
    ----------
    count
        ``[n_options, n_options]``, int64: observations that both options have.
    mean
        ``[n_options, n_options, n_outcomes]``: on the diagonal the mean of the option, above it the mean of first minus
        second.
    m2
        The same shape: sums of squared deviations from `mean`, 0 or more.
    """

    count: npt.NDArray[np.int64]
    mean: Floats
    m2: Floats

    @classmethod
    def zero(cls, n_options: int, n_outcomes: int) -> Moments:
        """Return the moments of no observations at all."""
        shape = (n_options, n_options, n_outcomes)
        return cls(np.zeros(shape[:2], np.int64), np.zeros(shape), np.zeros(shape))

    @classmethod
    def of(cls, values: Floats, options: Sequence[int], n_options: int, batch_size: int = 1) -> Moments:
        """Return the moments of one block.

        Parameters
        ----------
        values
            ``[len(options), n_worlds, n_outcomes]``.
        options
            Which of the `n_options` options the rows are, ascending.
        n_options
            Number of options in the result.
        batch_size
            Number of consecutive worlds that make one observation; a divisor of ``n_worlds``.
        """
        asked, n_worlds, n_outcomes = values.shape
        # Observations last and contiguous: NumPy then sums each row alike, whatever other rows there are.
        x = np.ascontiguousarray(values.transpose(0, 2, 1))
        if batch_size > 1:
            x = x.reshape(asked, n_outcomes, n_worlds // batch_size, batch_size).sum(-1) / batch_size
        n = x.shape[-1]
        result = cls.zero(n_options, n_outcomes)
        rows = np.asarray(options, dtype=np.intp)
        room = np.empty_like(x)
        for at, row in enumerate(rows):
            pairs = room[at:]  # the option itself, and what it has over each later one
            pairs[0] = x[at]
            np.subtract(x[at], x[at + 1 :], out=pairs[1:])
            means = pairs.sum(-1) / n
            pairs -= means[..., None]
            np.square(pairs, out=pairs)
            result.count[row, rows[at:]] = n
            result.mean[row, rows[at:]] = means
            result.m2[row, rows[at:]] = pairs.sum(-1)
        return result

    def merge(self, later: Moments) -> Moments:
        """Return the moments of both sets of observations together."""
        count = self.count + later.count
        share = (later.count / np.maximum(count, 1))[..., None]
        step = later.mean - self.mean
        between = np.square(step) * (self.count[..., None] * share)
        return Moments(count, self.mean + step * share, self.m2 + later.m2 + between)

    def only(self, options: Sequence[int]) -> Moments:
        """Return the same moments without the observations of all other options."""
        keep = np.zeros(self.count.shape[0], dtype=bool)
        keep[list(options)] = True
        both = keep[:, None] & keep
        mean, m2 = (np.where(both[..., None], x, 0.0) for x in (self.mean, self.m2))
        return Moments(np.where(both, self.count, 0), mean, m2)

    def pair(self, option: int, other: int, outcome: int) -> tuple[int, float, float]:
        """Return number, mean and sum of squared deviations of ``option - other`` (or of one option)."""
        i, j = min(option, other), max(option, other)
        mean = float(self.mean[i, j, outcome])
        return int(self.count[i, j]), mean if option <= other else -mean, float(self.m2[i, j, outcome])

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values: the upper triangle, row by row."""
        upper = np.triu_indices(self.count.shape[0])
        return {
            "n_options": int(self.count.shape[0]),
            "count": self.count[upper].tolist(),
            "mean": self.mean[upper].tolist(),
            "m2": self.m2[upper].tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], n_outcomes: int) -> Moments:
        """Build the moments that `to_dict` wrote; raises ValueError if they do not fit together."""
        k = int(data["n_options"])
        result = cls.zero(k, n_outcomes)
        upper = np.triu_indices(k)
        for name, target in (("count", result.count), ("mean", result.mean), ("m2", result.m2)):
            numbers = np.asarray(data[name], dtype=target.dtype)
            if numbers.shape != target[upper].shape:
                raise ValueError(f"moments of {k} options and {n_outcomes} outcomes cannot have {name} {numbers.shape}")
            if not np.isfinite(numbers).all() or (name != "mean" and (numbers < 0).any()):
                raise ValueError(f"moments: {name} holds numbers that are negative or not finite")
            target[upper] = numbers
        return result
