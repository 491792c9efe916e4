"""What a policy would do in one auction with each of many hands: the kernels' own decision, asked again and again.

This is the only compiled function outside `kernels`. It calls into that file, and Numba, which looks at one file only,
could not tell when what it kept on disk of this one is out of date: so it is compiled anew in each process that asks,
which takes about a second.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.compiler import compiled_anew
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import Start, blank_work
from byzanz_lab.simulation.running import Brain

Array = NDArray[Any]


def decide_bids(start: Array, hands: Array, of: Array, values: Array, work: Array, board: Array, out: Array) -> None:
    """What the seat on the move does in an auction, with each of these hands.

    Parameters
    ----------
    start
        Board of the moment.
    hands
        ``int64[n]``, packed hands of that seat.
    of, values
        Policies, see `kernels.decide`; that of the seat values hands.
    work, board
        Scratch; of the shape of ``start``.
    out
        ``int64[n, 2]``: type of action, packed cards.
    """
    seat = start[k.TO_MOVE]
    row = values[of[seat], k.stage_of(start)]
    for i in range(hands.shape[0]):
        for j in range(start.shape[0]):
            board[j] = start[j]
        board[k.HAND + seat] = hands[i]
        out[i, 0], out[i, 1] = k.decide_bid(board, row, work, seat)


@lru_cache(maxsize=1)
def _decide_bids() -> Any:
    return compiled_anew(decide_bids)


def bids_with(start: Start, hands: NDArray[np.int64], brain: Brain) -> NDArray[np.int64]:
    """Type of action and packed cards, ``int64[n, 2]``, that the seat on the move answers an auction with.

    Parameters
    ----------
    start
        A moment of an auction.
    hands
        ``int64[n]``, packed hands of the seat on the move, whose policy must not leave things to chance.
    brain
        Who plays.
    """
    out = np.empty((len(hands), 2), np.int64)
    _decide_bids()(start.board, hands, brain.of, brain.values, blank_work(), start.board.copy(), out)
    return out
