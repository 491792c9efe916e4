"""Random numbers that depend on a root seed and the number of the world, and on nothing else.

Every world has 64-bit states of its own, so results are the same for one, two or seven workers, in any order.
"""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.kernels import STREAMS

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
PER_WORLD: Final = 1 + STREAMS
"""States of a world: one to deal it, the others for the luck of the game."""


def root_state(seed: int) -> np.uint64:
    """A 64-bit state from any whole number, large or negative ones included."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"a seed is a whole number, not {type(seed).__name__}")
    digest = hashlib.blake2b(str(int(seed)).encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def world_seeds(seed: int, first: int, n: int) -> NDArray[np.uint64]:
    """States for worlds ``first`` … ``first + n - 1``: SplitMix64 of the counter (Steele, Lea and Flood 2014).

    Returns
    -------
    numpy.ndarray
        ``uint64[n, 4]``, none of them 0.
    """
    with np.errstate(over="ignore"):
        counter = np.arange(first * PER_WORLD, (first + n) * PER_WORLD, dtype=np.uint64)
        x = root_state(seed) + (counter + np.uint64(1)) * _GOLDEN
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x = x ^ (x >> np.uint64(31))
    return np.where(x == 0, _GOLDEN, x).reshape(n, PER_WORLD)
