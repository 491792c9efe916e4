"""Characters: opponents with habits one can name, for play and for teaching.

Each is a few numbers on top of `ValuePolicy`, so kernels can play it. They are not meant to be strong; the learned one
is. What a table of each is worth against each other is a question for `byzanz_lab.advice.tournament`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.simulation.learned import learned_policy
from byzanz_lab.simulation.policies import (
    MAX_DEALERS,
    N_STAGES,
    CompiledPolicy,
    RandomPolicy,
    ValuePolicy,
    greedy_policy,
)


@dataclass(frozen=True)
class Cautious(ValuePolicy):
    """Counts only what is nearly sure, likes cash, and would rather let a lot go than pay too much."""

    name: str = "cautious"
    pair: float = 0.4
    single: float = 0.1
    money: float = 0.08
    patience: float = 2.2
    source: ClassVar[str] = "the player who never overpays, and often gets what nobody wants"


@dataclass(frozen=True)
class SetCollector(ValuePolicy):
    """Sees a set in every pair and half of one in every card, and pays for it."""

    name: str = "set-collector"
    pair: float = 0.95
    single: float = 0.45
    dealer: float = 0.5
    patience: float = 1.0
    fade: float = 0.2
    source: ClassVar[str] = "the player who cannot let a matching card go"


@dataclass(frozen=True)
class LowLotWaiter(ValuePolicy):
    """Lets the big lots go, to take a small one for little and to pick from the market first."""

    name: str = "low-lot-waiter"
    source: ClassVar[str] = "ruling market-order: the lowest offer card picks first"

    def hold_table(self) -> NDArray[np.float64]:
        """Waiting brings a lot while the lot is big, and next to nothing when it is small."""
        return np.tile(np.array([0.0, 0.0, 0.5, 2.0, 5.0, 6.0, 7.0]), (N_STAGES, 1))


@dataclass(frozen=True)
class DealerHunter(ValuePolicy):
    """Goes after dealers: they complete any set, and three of them are the best set there is."""

    name: str = "dealer-hunter"
    pair: float = 0.4
    source: ClassVar[str] = "ruling set-profit: three dealers score 5"

    def dealers_table(self) -> NDArray[np.float64]:
        """Each dealer is worth half a set of three, as long as there is a round to come."""
        table = np.tile(2.5 * np.arange(MAX_DEALERS), (N_STAGES, 1))
        table[0] = ValuePolicy.dealers_table(self)[0]
        return table


CHARACTERS: Final[dict[str, Callable[[int], CompiledPolicy]]] = {
    "random": lambda seats: RandomPolicy(),
    "greedy": lambda seats: greedy_policy(),
    "cautious": lambda seats: Cautious(),
    "set-collector": lambda seats: SetCollector(),
    "low-lot-waiter": lambda seats: LowLotWaiter(),
    "dealer-hunter": lambda seats: DealerHunter(),
    "learned": learned_policy,
}
"""By name, what makes a character for a number of seats."""


def characters(seats: int = 4) -> tuple[CompiledPolicy, ...]:
    """All characters, for a table of 3 to 6 seats.

    Examples
    --------
    >>> [policy.name for policy in characters()][:3]
    ['random', 'greedy', 'cautious']
    """
    return tuple(make(seats) for make in CHARACTERS.values())


def character_named(name: str, seats: int = 4) -> CompiledPolicy:
    """A character by its name.

    Raises
    ------
    ValueError
        If there is none of that name.

    Examples
    --------
    >>> character_named("cautious").patience
    2.2
    """
    if name not in CHARACTERS:
        raise ValueError(f"unknown character {name!r} (characters are {', '.join(CHARACTERS)})")
    return CHARACTERS[name](seats)
