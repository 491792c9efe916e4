"""What is compared: first actions over common worlds, and whole policies over common deals.

Each trial keeps the three promises of `byzanz_lab.evaluation.trial`: a world depends on its number alone, all options
face the same worlds, and they do not disturb each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.byzantium.actions import Action, Place
from byzanz_lab.companions.byzantium.encoding import Ints, Start, encode
from byzanz_lab.companions.byzantium.playouts import play_alone, play_out, play_out_alone
from byzanz_lab.companions.byzantium.policies import CompiledPolicy
from byzanz_lab.companions.byzantium.position import Position
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.evaluation import Sample

ALONE = ("placed", "all 24")
"""What one may care for alone: cards on the table at the end, and whether all are."""
ALONE_UNITS = ("cards", "share")
TOGETHER = ("margin", "points", "win")
"""What a seat may care for: its lead over the best rival, its own points, its share of the win (ruling *score*)."""
TOGETHER_UNITS = ("cards", "cards", "share")


@lru_cache(maxsize=32)
def start_of(position: Position) -> Start:
    """Where playouts of a position begin; kept, since every block of a trial asks for it."""
    return encode(position)


def outcomes_alone(placed: Ints) -> NDArray[np.float64]:
    """``float64[..., 2]`` in the order of `ALONE`, from numbers of cards placed."""
    return np.stack([placed, placed == Rules.win], axis=-1).astype(float)


def outcomes_together(left: Ints, seat: int) -> NDArray[np.float64]:
    """``float64[..., 3]`` for one seat in the order of `TOGETHER`, from cards left ``[..., n_seats]``.

    Points are minus the cards left, so that more is better for every outcome.
    """
    own = left[..., seat]
    rivals = np.delete(left, seat, axis=-1).min(axis=-1)
    winners = left == left.min(axis=-1, keepdims=True)
    share = winners[..., seat] / winners.sum(axis=-1)
    return np.stack([rivals - own, -own, share], axis=-1).astype(float)


@dataclass(frozen=True)
class PlacesTrial:
    """Options are slots for the card that was drawn, alone.

    Parameters
    ----------
    position
        What the player knows.
    actions
        The options.
    policy
        Who plays on.
    seed
        Root of the random numbers.
    block_size
        Worlds a block.
    """

    position: Position
    actions: tuple[Action, ...]
    policy: CompiledPolicy
    seed: int = 1
    block_size: int = 128
    outcomes: ClassVar[tuple[str, ...]] = ALONE
    units: ClassVar[tuple[str, ...]] = ALONE_UNITS

    @property
    def n_options(self) -> int:
        """Number of options."""
        return len(self.actions)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the worlds of a block."""
        asked = [self.actions[option] for option in options]
        slots = [action.slot if isinstance(action, Place) else None for action in asked]
        players = [self.policy] * len(slots)
        first, n = block * self.block_size, self.block_size
        placed = play_out_alone(start_of(self.position), slots, players, self.seed, first, n)
        return Sample(outcomes_alone(placed).swapaxes(0, 1))


@dataclass(frozen=True)
class ActionsTrial:
    """Options are cards and slots, with two to four players.

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
    policies: tuple[CompiledPolicy, ...]
    seed: int = 1
    block_size: int = 32
    outcomes: ClassVar[tuple[str, ...]] = TOGETHER
    units: ClassVar[tuple[str, ...]] = TOGETHER_UNITS

    @property
    def n_options(self) -> int:
        """Number of options."""
        return len(self.actions)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the worlds of a block."""
        asked = [self.actions[option] for option in options]
        first, n = block * self.block_size, self.block_size
        left = play_out(start_of(self.position), asked, self.policies, self.seed, first, n)
        return Sample(outcomes_together(left, self.position.seat).swapaxes(0, 1))


@dataclass(frozen=True)
class PoliciesTrial:
    """Options are policies, compared over whole deals of solitaire."""

    rules: Rules
    policies: tuple[CompiledPolicy, ...]
    seed: int = 1
    block_size: int = 500
    outcomes: ClassVar[tuple[str, ...]] = ALONE
    units: ClassVar[tuple[str, ...]] = ALONE_UNITS

    @property
    def n_options(self) -> int:
        """Number of options."""
        return len(self.policies)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the deals of a block."""
        asked = [self.policies[option] for option in options]
        placed = play_alone(self.rules, asked, self.seed, block * self.block_size, self.block_size)
        return Sample(outcomes_alone(placed).swapaxes(0, 1))
