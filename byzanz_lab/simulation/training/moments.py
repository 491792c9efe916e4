"""Moments of games that a policy plays against itself: hands, how they stand in the round, and what came of them.

A moment is noted for every seat that is still waiting when a lot is drawn, and once for every seat that has won a lot,
when the next one is drawn or the market opens.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.rules import Rules
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import Start, encode_deal, pack_counts
from byzanz_lab.simulation.learned import LearnedPolicy
from byzanz_lab.simulation.policies import ValuePolicy, brain_for
from byzanz_lab.simulation.running import run
from byzanz_lab.simulation.seeds import DEAL, PLAY, world_seeds
from byzanz_lab.simulation.worlds import deal_counts

WAITING: Final = 10
"""Standing of a seat that waits for the lot of offer card ``o``: ``WAITING + o``; of one that has won it: ``o``."""
MAX_LOG: Final = 4000


class Moments(NamedTuple):
    """What was noted, a row a moment and seat.

    Attributes
    ----------
    stages
        ``int64[n]``, rounds to come, the present one included.
    standings
        ``int64[n]``, see `WAITING`.
    hands
        ``int64[n]``, packed hands (see `kernels`).
    points
        ``float64[n]``, points made from there to the end.
    """

    stages: NDArray[np.int64]
    standings: NDArray[np.int64]
    hands: NDArray[np.int64]
    points: NDArray[np.float64]


def self_play_moments(policy: ValuePolicy | LearnedPolicy, rules: Rules, games: int, seed: int) -> Moments:
    """Let a policy play games against itself, and note their moments.

    Parameters
    ----------
    policy
        Who sits in all seats.
    rules, games, seed
        Of the games; game ``i`` of a seed is always the same.
    """
    start, brain, rows = encode_deal(rules), brain_for((policy,) * rules.seats), list[tuple[int, int, int, int]]()
    for number in range(games):
        play, dealt = (world_seeds(seed, number, 1, purpose) for purpose in (PLAY, DEAL))
        played = run(start, brain, play, dealt, log_rows=MAX_LOG)
        rows += _moments_of_game(start, dealt, played.log.tolist(), played.profits[0, 0].tolist())
    stages, standings, hands, points = np.array(rows, np.int64).T
    return Moments(stages, standings, hands, points.astype(float))


def _moments_of_game(
    start: Start, dealt: NDArray[np.uint64], log: list[list[int]], profits: list[int]
) -> list[tuple[int, int, int, int]]:
    """Replay a game by its log, and note its moments."""
    counts, decks, _ = deal_counts(start, dealt)
    board, deck, seats = start.board.copy(), decks[0], start.seats
    board[k.HAND : k.HAND + seats] = pack_counts(counts[0])
    k.draw_lot(board, deck, int(board[k.TO_MOVE]))
    rows: list[tuple[int, int, int, int]] = []
    last, noted = (0, 0), set[int]()
    for seat, what, cards in log:
        at = (int(board[k.ROUND]), int(board[k.WON]))
        opens = board[k.PHASE] in (k.AUCTION, k.LAST_LOT) or (board[k.PHASE] == k.MARKET_OPEN and not board[k.PICKED])
        if opens and at != last:
            noted = noted if at[0] == last[0] else set()
            rows += _standing_now(board.tolist(), profits, noted)
            last = at
        k.apply(board, deck, seat, what, cards)
    return rows


def _standing_now(board: list[int], profits: list[int], noted: set[int]) -> list[tuple[int, int, int, int]]:
    """A row a seat that has not been noted since it won a lot; those that have are added to ``noted``."""
    rows, won = [], board[k.WON]
    for s in range(board[k.R_SEATS]):
        offer = board[k.OFFER + s]
        if s not in noted:
            standing = offer or WAITING + board[k.R_OFFERS + won]
            stage = board[k.R_ROUNDS] - board[k.ROUND] + 1
            rows.append((stage, standing, board[k.HAND + s], profits[s] - board[k.PROFIT + s]))
        if offer:
            noted.add(s)
    return rows
