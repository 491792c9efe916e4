"""Worlds that are spread evenly: stratification at every prefix.

Of a hundred random worlds a rival holds a dealer in 40, of another hundred in 31; that difference is noise, and it can
be avoided by letting the worlds take turns.  Worlds are made of uniform numbers, and here these come from a Sobol
sequence: in each dimension, every aligned run of ``2**j`` points has exactly one in each of the ``2**j`` equal parts of
the unit interval, for every j.  So *each prefix* is as balanced as its length allows, and a run can end anywhere.  GNU
Backgammon's rollouts rotate their first dice for the same reason.

The points are scrambled: in each dimension their binary digits are multiplied by a random lower triangular matrix and
shifted at random (Matoušek, "On the L2-discrepancy for anchored boxes", Journal of Complexity 14, 1998).  The balance
stays, and each single point becomes uniform, so means are unbiased (Owen, "Randomly permuted (t,m,s)-nets and
(t,s)-sequences", in *Monte Carlo and Quasi-Monte Carlo Methods in Scientific Computing*, Springer 1995).

**What about the standard error?**  The points of one scramble repel each other; their mean is better than the spread of
the points suggests, and the usual formula would not see it.  So every batch of worlds, a power of two, is scrambled
anew and independently of all others, and the standard error is taken from the means of whole batches: the trial says so
by its ``batch_size``.  Within a batch the gain grows with its size, but there should be 16 batches or more for an error
that means something; 16 to 64 worlds a batch serve most runs.
"""

from __future__ import annotations

import operator
from functools import lru_cache
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from byzanz_lab.evaluation.trial import Floats

BITS = 53
"""Binary digits of the uniform numbers, all that a float64 in [0, 1) holds evenly."""

MAX_DIMS = 21_201
"""Dimensions for which SciPy has Sobol's direction numbers (Joe & Kuo 2008)."""


def balanced_uniforms(
    seed: SupportsIndex,
    n_dims: SupportsIndex,
    start: SupportsIndex,
    count: SupportsIndex,
    batch_size: SupportsIndex = 64,
) -> Floats:
    """Return the uniform numbers of the worlds ``start`` to ``start + count - 1``.

    Parameters
    ----------
    seed
        Root seed, 0 or more.
    n_dims
        Uniform numbers of a world, 1 to 21,201; the first ones are best spread jointly, so what matters most comes
        first.
    start, count
        Which worlds, 0 or more; any piece can be had without the rest.
    batch_size
        Worlds that share a scramble, a power of two: the ``batch_size`` of the trial.

    Returns
    -------
    ``[count, n_dims]`` in [0, 1), multiples of ``2**-53``.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> u = balanced_uniforms(seed=1, n_dims=2, start=0, count=8)
    >>> sorted((u[:, 0] * 8).astype(int).tolist())  # one in each eighth
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    seed, n_dims, start, count, size = (operator.index(x) for x in (seed, n_dims, start, count, batch_size))
    if min(seed, start, count) < 0 or not 1 <= n_dims <= MAX_DIMS:
        given = f"seed {seed}, start {start}, count {count}, n_dims {n_dims}"
        raise ValueError(f"seed, start and count are 0 or more, n_dims 1 to {MAX_DIMS}; not {given}")
    if size < 1 or size & (size - 1):
        raise ValueError(f"a batch is a power of two, not {size}: only then is it balanced as a whole")
    first, end = start // size, -(-(start + count) // size)
    batches = [scrambled(seed, batch, n_dims, size) for batch in range(first, end)]
    points = np.concatenate(batches) if batches else np.empty((0, n_dims))
    return points[start - first * size :][:count]


def scrambled(seed: int, batch: int, n_dims: int, size: int) -> Floats:
    """Return the points of one batch, ``[size, n_dims]``, which depend on `seed` and `batch` alone."""
    digits = size.bit_length() - 1
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(batch,)))
    shift = rng.integers(0, 1 << BITS, size=n_dims, dtype=np.uint64)
    columns = rng.integers(0, 1 << BITS, size=(digits, n_dims), dtype=np.uint64)
    points = np.broadcast_to(shift, (size, n_dims)).copy()
    for digit, (column, present) in enumerate(zip(columns, sobol_digits(n_dims, digits), strict=True)):
        # A column of a lower triangular matrix with ones on its diagonal: the digit itself, and random later ones.
        place = BITS - 1 - digit
        points ^= present * ((column >> np.uint64(digit + 1)) | np.uint64(1 << place))
    return np.asarray(points * 2.0**-BITS, dtype=np.float64)


@lru_cache(maxsize=32)
def sobol_digits(n_dims: int, digits: int) -> npt.NDArray[np.uint64]:
    """Return the binary digits of the first ``2**digits`` plain Sobol points, most significant first.

    The axes are ``[digits, 2**digits, n_dims]``.
    """
    from scipy.stats import qmc  # takes most of a second to import

    points = qmc.Sobol(n_dims, scramble=False).random_base2(digits)
    whole = (points * 2.0**digits).astype(np.uint64)
    places = np.arange(digits, dtype=np.uint64)[::-1, None, None]
    result = (whole >> places) & np.uint64(1)
    result.flags.writeable = False
    return np.asarray(result)


def permutations(uniforms: npt.ArrayLike, n_items: SupportsIndex) -> npt.NDArray[np.int64]:
    """Return permutations whose first places are drawn with the uniform numbers given, the Fisher-Yates shuffle.

    Balanced numbers make balanced permutations: each item comes first in a fair share of every prefix of the worlds.

    Parameters
    ----------
    uniforms
        ``[n_worlds, n_draws]`` in [0, 1); `n_draws` is at most `n_items`.
    n_items
        Number of items, 1 or more.

    Returns
    -------
    ``[n_worlds, n_items]``: each row is a permutation of 0 to ``n_items - 1``, of which the first `n_draws` places are
    a random draw without putting back; the others are not shuffled.

    Examples
    --------
    >>> permutations([[0.0, 0.0], [0.99, 0.5]], 4)
    array([[0, 1, 2, 3],
           [3, 2, 1, 0]])
    """
    u = np.asarray(uniforms, dtype=np.float64)
    n_items = operator.index(n_items)
    if u.ndim != 2 or u.shape[1] > n_items or n_items < 1:
        raise ValueError(f"{n_items} items cannot be drawn with uniform numbers of shape {u.shape} [worlds, draws]")
    if not ((u >= 0) & (u < 1)).all():
        raise ValueError("uniform numbers lie in [0, 1)")
    order: npt.NDArray[Any] = np.tile(np.arange(n_items), (len(u), 1))
    world = np.arange(len(u))
    for place in range(u.shape[1]):
        chosen = place + (u[:, place] * (n_items - place)).astype(np.int64)
        order[world, chosen], order[:, place] = order[:, place].copy(), order[world, chosen]
    return order
