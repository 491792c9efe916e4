"""Playouts as a trial that `byzanz_lab.evaluation` can run: lines of forced first actions, tried in common worlds.

The trial is data: arrays, policies and a seed, so it can be sent to other processes. World ``w`` is the same for every
line and depends on the seed and its number alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.advice.behaviour import Belief
from byzanz_lab.evaluation import Sample
from byzanz_lab.game.actions import Action
from byzanz_lab.game.cards import Cards
from byzanz_lab.simulation.encoding import Start, encode_action
from byzanz_lab.simulation.playouts import OBJECTIVES, Outcomes, play_out
from byzanz_lab.simulation.policies import CompiledPolicy, brain_for
from byzanz_lab.simulation.running import run
from byzanz_lab.simulation.seeds import PLAY, world_seeds

UNITS = {"profit": "points", "margin": "points", "win": "share", "lot": "share"}
"""Unit of each outcome."""


@dataclass(frozen=True, eq=False)
class PlayoutTrial:
    """What comes of each line for one seat.

    Attributes
    ----------
    start
        Where playouts begin.
    lines
        ``int64[n_lines, n_actions, 3]``, forced first actions.
    lengths
        ``int64[n_lines]``, how many of them count.
    prices
        ``int64[n_lines]``, the total bid by a line; -1 where it bids nothing. Outcome ``lot`` is 1 in a world where the
        seat wins the lot on the table at that price, and for a line without a bid where it wins it at all.
    seat
        Point of view.
    policies
        One a seat.
    seed
        Root of all random numbers.
    belief
        Where worlds come from, if not all are as likely.
    """

    start: Start
    lines: NDArray[np.int64]
    lengths: NDArray[np.int64]
    prices: NDArray[np.int64]
    seat: int
    policies: tuple[CompiledPolicy, ...]
    seed: int
    block_size: int = 64
    belief: Belief | None = None
    outcomes: ClassVar[tuple[str, ...]] = (*OBJECTIVES, "lot")
    units: ClassVar[tuple[str, ...]] = tuple(UNITS[name] for name in outcomes)

    @property
    def n_options(self) -> int:
        """Number of lines."""
        return len(self.lines)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the worlds of one block with each of the lines asked for."""
        chosen = list(options)
        return Sample(self.values(self.play(block * self.block_size, self.block_size, chosen), chosen))

    def values(self, played: Outcomes, options: Sequence[int]) -> NDArray[np.float64]:
        """Outcomes ``[n_options, n_worlds, 4]`` of what was played, in the order of `outcomes`."""
        prices = self.prices[list(options)]
        won = (played.lots[..., 0] == self.seat) & ((prices < 0) | (played.lots[..., 1] == prices))
        values = np.concatenate([played.objectives(self.seat), won[..., None]], axis=-1)
        return np.ascontiguousarray(values.transpose(1, 0, 2))

    def play(self, first: int, n: int, options: Sequence[int]) -> Outcomes:
        """Raw outcomes of worlds ``first`` … ``first + n - 1``."""
        chosen = list(options)
        lines, lengths = self.lines[chosen], self.lengths[chosen]
        if self.belief is None:
            return play_out(self.start, lines, lengths, self.policies, self.seed, first, n)
        worlds, play = self.belief.worlds(first, n), world_seeds(self.seed, first, n, PLAY)
        return Outcomes(*run(self.start, brain_for(self.policies), play, worlds=worlds, lines=(lines, lengths))[:3])


def line_of(seat: int, actions: Sequence[Action], market: Cards) -> NDArray[np.int64]:
    """Forced actions of one seat, one after the other: ``int64[n_actions, 3]``."""
    return np.stack([encode_action(seat, action, market) for action in actions])
