"""The one call into the compiled playouts, so that there is one thing to compile, to keep on disk and to load.

Whatever is played goes through `run`: worlds that are dealt or listed, whole games that are written down, and a single
decision, which is a game whose log is full after one action.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import Start, blank_work

NO_LINE = np.zeros((1, 1, k.ACTION_SIZE), np.int64), np.zeros(1, np.int64)
"""One line without any forced action, and its length."""


class Brain(NamedTuple):
    """Policies as kernels take them.

    Attributes
    ----------
    of
        ``int64[n_seats]``, which policy plays a seat; ``kernels.RANDOM`` for the random one.
    values
        ``int32[n, 9, 2088]``, what policies value, see `ValuePolicy.values`.
    """

    of: NDArray[np.int64]
    values: NDArray[np.int32]


class Played(NamedTuple):
    """What came of playouts; see `Outcomes` for the first three.

    Attributes
    ----------
    profits, ties, lots
        ``int16[n_worlds, n_lines, …]``.
    log
        ``int64[n, 3]``, seat, type and packed cards of each action of the last game, as far as there was room.
    """

    profits: NDArray[np.int16]
    ties: NDArray[np.int16]
    lots: NDArray[np.int16]
    log: NDArray[np.int64]


def run(
    start: Start,
    brain: Brain,
    play_seeds: NDArray[np.uint64],
    deal_seeds: NDArray[np.uint64] | None = None,
    worlds: tuple[NDArray[np.int64], NDArray[np.int8]] | None = None,
    lines: tuple[NDArray[np.int64], NDArray[np.int64]] = NO_LINE,
    log_rows: int = 0,
) -> Played:
    """Play lines in worlds to the end. Releases the GIL.

    Parameters
    ----------
    start
        Where playouts begin.
    brain
        Who plays.
    play_seeds, deal_seeds
        ``uint64[n_worlds]``, a random state a world for the policies, and for dealing it.
    worlds
        Instead of ``deal_seeds``: packed hands ``[n_worlds, n_seats]`` and kinds ``[n_worlds, deck_left]``.
    lines
        ``int64[n_lines, n_actions, 3]`` forced first actions, and how many of them count.
    log_rows
        Room for so many actions; a game ends when it is full.
    """
    n, n_lines = len(play_seeds), len(lines[0])
    none = np.empty((0, start.seats), np.int64), np.empty((1, start.deck_left), np.int8)
    profits, ties, lots = (np.empty((n, n_lines, width), np.int16) for width in (start.seats, start.seats, 2))
    board, log = start.board.copy(), np.empty((log_rows, k.ACTION_SIZE), np.int64)
    with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit states are meant to wrap
        k.play_worlds(
            start.board, start.unknown, start.pool, *(worlds or none), play_seeds if deal_seeds is None else deal_seeds,
            play_seeds, *lines, *brain, start.pool.copy(), np.ones(1, np.uint64), blank_work(),
            board, log, profits, ties, lots,
        )  # fmt: skip
    return Played(profits, ties, lots, log[: board[k.N_LOG]])
