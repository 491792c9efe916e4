"""Self-play studies: very many whole games by compiled policies, as one small table.

A hundred thousand games are played in blocks on all cores, and kept as a row for each seat of each game, 16 bytes a
row. Game ``i`` of a seed is the same whatever the number of games and workers, so a study can be gone on with, and
anybody can repeat it to the bit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from byzanz_lab.evaluation.budget import whole_number
from byzanz_lab.evaluation.progress import Progress, Reporter
from byzanz_lab.evaluation.spread import in_order
from byzanz_lab.game.rules import Rules
from byzanz_lab.simulation.playouts import Outcomes, self_play
from byzanz_lab.simulation.policies import CompiledPolicy, policies_for

if TYPE_CHECKING:
    import pandas as pd

BLOCK: Final = 500
"""Games that are played in one piece."""


def self_play_frame(
    seats: int = 4,
    games: int = 1000,
    *,
    seed: int = 1,
    policies: CompiledPolicy | Sequence[CompiledPolicy] | None = None,
    first: int = 0,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    **variants: Any,
) -> pd.DataFrame:
    """Let policies play whole games, and say how each ended for each seat.

    Parameters
    ----------
    seats
        Seats at the table, 3 to 6.
    games
        Number of games, 1 or more.
    seed
        Root of the deals and of all choices.
    policies
        Who plays: one policy for all seats, or one a seat; the best that there is when left out.
    first
        Number of the first game: to go on where another study of the same seed ended.
    workers
        Threads; one a core when left out. The table is the same for any number.
    progress
        A function that is handed a `Progress` (worlds and playouts are games), or True for a bar.
    **variants
        Fields in which the rules differ from the default, such as ``hand_limit=8``.

    Returns
    -------
    pandas.DataFrame
        Columns ``game``, ``seat`` (0 opens the first auction), ``policy``, ``profit`` in points, ``margin`` over the
        best rival in points, ``tie_cards`` (cards that count for the tie-break) and ``win``, the share of the win.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> table = self_play_frame(3, games=100, seed=5, workers=1)
    >>> len(table), float(table.groupby("game")["win"].sum().max())
    (300, 1.0)
    """
    rules = Rules.for_seats(seats, **variants)
    players = policies_for(policies, rules.seats)
    games, first = whole_number(games), whole_number(first)
    if games < 1 or first < 0:
        raise ValueError(f"a study needs 1 game or more, from game 0 on, not {games} from {first}")
    profits, ties = np.empty((games, rules.seats), np.int16), np.empty((games, rules.seats), np.int16)
    _play(rules, players, seed, first, (profits, ties), workers, progress)
    frame = _table(profits, ties, players, first)
    frame.attrs = {
        "what": "self-play",
        "units": "profit and margin in points, win in shares of the win",
        "seats": rules.seats,
        "variant": rules.variant,
        "seed": int(seed),
    }
    return frame


def _play(
    rules: Rules,
    players: Sequence[CompiledPolicy],
    seed: int,
    first: int,
    into: tuple[np.ndarray, np.ndarray],
    workers: int | None,
    progress: Callable[[Progress], object] | bool | None,
) -> None:
    """Play all games, block by block, into the two arrays ``int16[n_games, n_seats]``."""
    games, done = len(into[0]), 0
    begun, reporter = time.perf_counter(), Reporter(progress)

    def block(number: int) -> tuple[Callable[..., Outcomes], tuple[Any, ...]]:
        at = number * BLOCK
        return self_play, (rules, min(BLOCK, games - at), seed, players, first + at)

    def state() -> Progress:
        now = time.perf_counter() - begun
        return Progress(done, done, None, now, now / done * (games - done) if done else None, done / games)

    blocks = in_order(
        block,
        0,
        -(-games // BLOCK),
        executor=None,
        workers=workers,
        cancelled=lambda: False,
        time_is_up=lambda: False,
    )
    try:
        with closing(blocks):
            for played in blocks:
                n = len(played.profits)
                into[0][done : done + n], into[1][done : done + n] = played.profits[:, 0], played.ties[:, 0]
                done += n
                reporter.report(state)
        reporter.report(state, last=True)
    finally:
        reporter.close()


def _table(profits: np.ndarray, ties: np.ndarray, players: Sequence[CompiledPolicy], first: int) -> pd.DataFrame:
    """A row for each seat of each game."""
    import pandas as pd

    games, seats = profits.shape
    names = list(dict.fromkeys(player.name for player in players))
    who = np.array([names.index(player.name) for player in players], np.int8)
    ranked = np.sort(profits, axis=1)
    rivals = np.where(profits == ranked[:, -1:], ranked[:, -2:-1], ranked[:, -1:])  # equals lead by nought
    shares = Outcomes(profits[:, None], ties[:, None], np.empty(0, np.int16)).win_shares()[:, 0]
    return pd.DataFrame(
        {
            "game": np.repeat(np.arange(first, first + games, dtype=np.int32), seats),
            "seat": np.tile(np.arange(seats, dtype=np.int8), games),
            "policy": pd.Categorical.from_codes(np.tile(who, games), pd.Index(names)),
            "profit": profits.ravel(),
            "margin": (profits - rivals).ravel(),
            "tie_cards": ties.ravel(),
            "win": shares.astype(np.float32).ravel(),
        }
    )
