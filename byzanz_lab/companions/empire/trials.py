"""What is compared: the decisions of one seat, over common worlds.

A trial keeps the three promises of `byzanz_lab.evaluation.trial`: a world depends on its number alone, all options face
the same worlds with the same luck of the decks, and they do not disturb each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.actions import Action
from byzanz_lab.companions.empire.playouts import play_out
from byzanz_lab.companions.empire.policies import CompiledPolicy
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.evaluation import Sample

OUTCOMES: Final = ("lead", "win")
"""What a seat may care for: legacy tokens more than the rival at the end, and its share of the win (ruling
*final-tie*)."""
UNITS: Final = ("tokens", "share")

PLAYOUTS_A_BLOCK: Final = 4096
"""A block holds about so many playouts: long enough to be worth handing out, short enough to stop in time."""
BLOCK_SIZES: Final = (16, 256)


def share_of_win(lead: NDArray[np.generic]) -> NDArray[np.float64]:
    """Share of the win by the lead in legacy tokens: 1, one half, or 0 (ruling *final-tie*)."""
    return (np.sign(lead).astype(float) + 1) / 2


def outcomes_of(results: NDArray[np.int32], seat: int) -> NDArray[np.float64]:
    """``float64[..., 2]`` for one seat in the order of `OUTCOMES`, from results ``[..., 4]`` of playouts."""
    lead = (results[..., seat] - results[..., 1 - seat]).astype(float)
    return np.stack([lead, share_of_win(lead)], axis=-1)


def block_size(options: int) -> int:
    """Worlds in a block, by the number of options."""
    return int(np.clip(PLAYOUTS_A_BLOCK // max(options, 1), *BLOCK_SIZES))


@dataclass(frozen=True)
class ActionsTrial:
    """Options are decisions of the seat on the move.

    Parameters
    ----------
    position
        What the seat knows.
    actions
        The options.
    policies
        Who plays on, one a seat.
    seed
        Root of the random numbers.
    block_size
        Worlds a block.
    """

    position: Position
    actions: tuple[Action, ...]
    policies: tuple[CompiledPolicy, CompiledPolicy]
    seed: int = 1
    block_size: int = 64
    outcomes: ClassVar[tuple[str, ...]] = OUTCOMES
    units: ClassVar[tuple[str, ...]] = UNITS

    @property
    def n_options(self) -> int:
        """Number of options."""
        return len(self.actions)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the worlds of a block."""
        asked = [self.actions[option] for option in options]
        first = block * self.block_size
        results = play_out(self.position, asked, self.block_size, self.seed, self.policies, first)
        return Sample(outcomes_of(results, self.position.seat).swapaxes(0, 1))
