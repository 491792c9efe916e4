"""Rules of play: what a seat does, given what it knows.

A ``Policy`` sees a `Position` and names an action. The built-in ones are compiled, so that whole deals can be played
out by the hundred thousand; used on a Position they run the very same code. ``random_policy`` does anything legal. All
others weigh six features of what an action leaves (see `WeighedPolicy`) and take the action with the highest sum; equal
ones go to the slot and the card that come first in the kernels' numbering.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.byzantium import kernels as k
from byzanz_lab.companions.byzantium.actions import Action, Pass
from byzanz_lab.companions.byzantium.encoding import WORK, board_of, decode_action, encode, ranks_of, root_of
from byzanz_lab.companions.byzantium.position import Position, require_position
from byzanz_lab.policy import PolicyOf, Traits


@runtime_checkable
class Policy(PolicyOf[Position, Action], Protocol):
    """A rule of play. It is given a `Position` and never a State."""


class _Compiled:
    """Shared by the policies that kernels can play."""

    @property
    def kind(self) -> int:
        """Kind of policy, for the kernels."""
        return k.RANDOM

    @property
    def weights(self) -> tuple[float, ...]:
        """Weights of the features, for the kernels."""
        return (0.0,) * k.N_FEATURES

    def choose(self, position: Position, seed: int = 0) -> Action:
        """The action of ``position.seat``, by the same code that plays it out.

        Raises
        ------
        TypeError
            If it is given anything but a Position.
        ValueError
            If another seat is on the move.
        """
        if not require_position(position).is_to_move:
            raise ValueError(f"it is the turn of seat {position.to_move}, not of seat {position.seat}")
        start, rules = encode(position), position.rules
        game, work = start.game, np.zeros(WORK, np.int64)
        cards = np.array(ranks_of(position.hand), np.int64)
        unseen = np.array(ranks_of(position.unseen), np.int64)
        own, others = (cards | unseen, 0 * unseen) if rules.is_solitaire else (cards.copy(), unseen)
        with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit states are meant to wrap
            game.bits[k.RNG] = k.world_state(root_of(seed), 0, 2)
            weights = np.array(self.weights)
            found = k.choose(game, board_of(rules), cards, own, others, self.kind, weights, work[3])
        return decode_action(work[3], rules) if found else Pass()


@dataclass(frozen=True)
class RandomPolicy(_Compiled):
    """Any legal action, all equally likely."""

    name: str = "random"
    traits: ClassVar[Traits] = Traits(stochastic=True)
    source: ClassVar[str] = "the weakest player one can think of; a yardstick"


@dataclass(frozen=True)
class WeighedPolicy(_Compiled):
    """Takes the action after which the weighed sum of six features is highest.

    "Own" cards are those in hand; alone, all that are still to come. "Unseen" ones are all that may be in rivals'
    hands.

    Parameters
    ----------
    name
        Short name.
    own_fit, own_ways
        Weight of each own card that would still fit somewhere, and of each slot in which one would fit.
    unseen_fit, unseen_ways
        The same for unseen cards; below 0 to shut them out.
    room
        Weight of each further card for which the tableau has room at most, by geometry alone.
    slots_left
        Weight of each slot that is neither filled nor closed.
    source
        Where the idea comes from.
    """

    name: str
    own_fit: float = 0.0
    own_ways: float = 0.0
    unseen_fit: float = 0.0
    unseen_ways: float = 0.0
    room: float = 0.0
    slots_left: float = 0.0
    source: str = "made by hand"
    traits: ClassVar[Traits] = Traits(counts_cards=True)

    @property
    def kind(self) -> int:
        """Kind of policy, for the kernels."""
        return k.WEIGHED

    @property
    def weights(self) -> tuple[float, ...]:
        """Weights of the features, for the kernels."""
        return (self.own_fit, self.own_ways, self.unseen_fit, self.unseen_ways, self.room, self.slots_left)


CompiledPolicy = RandomPolicy | WeighedPolicy
"""Policies that kernels can play."""

_ROOMY: Final = WeighedPolicy("roomy", slots_left=1.0, source="closes as few slots as possible, whatever the cards")
_GREEDY: Final = WeighedPolicy("greedy", own_ways=1.0, source="keeps as many ways to place its cards as possible")
_TUNED: Final = "what may be placed next, own cards for and unseen ones against; weights by search over duplicate deals"
_DEFAULTS: Final = {
    1: WeighedPolicy(
        "default",
        own_fit=1.0,
        own_ways=0.2,
        room=0.6,
        slots_left=0.25,
        source="keeps as many cards placeable as possible, then ways and room; weights by search over solitaire deals",
    ),
    2: WeighedPolicy("default", 0.4, 0.4, -0.7, -0.23, slots_left=-0.55, source=_TUNED),
    3: WeighedPolicy("default", 1.0, 0.2, -0.6, -0.1, source=_TUNED),
    4: WeighedPolicy("default", 1.1, 0.9, -0.44, -0.24, 0.43, -0.25, source=_TUNED),
}
"""Number of players -> the policy that plays out worlds."""


def random_policy() -> RandomPolicy:
    """Any legal action."""
    return RandomPolicy()


def roomy_policy() -> WeighedPolicy:
    """Closes as few slots as possible."""
    return _ROOMY


def greedy_policy() -> WeighedPolicy:
    """Keeps as many ways to place its own cards as possible."""
    return _GREEDY


def default_policy(players: int = 1) -> WeighedPolicy:
    """The policy that plays out worlds of so many players unless another is named."""
    return _DEFAULTS[players]


def policy_named(name: str, players: int = 1) -> CompiledPolicy:
    """A built-in policy by its name, for so many players.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    built_in = {policy.name: policy for policy in built_in_policies(players)}
    if name not in built_in:
        raise ValueError(f"unknown policy {name!r} (policies are {', '.join(built_in)})")
    return built_in[name]


def built_in_policies(players: int = 1) -> tuple[CompiledPolicy, ...]:
    """All built-in policies for so many players, weakest at solitaire first."""
    return RandomPolicy(), _ROOMY, _GREEDY, _DEFAULTS[players]


def lines_for(policies: Sequence[CompiledPolicy]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Kinds ``int64[n]`` and weights ``float64[n, 6]`` of policies, for the kernels.

    Raises
    ------
    TypeError
        If one of them is not compiled.
    """
    for policy in policies:
        if not isinstance(policy, (RandomPolicy, WeighedPolicy)):
            raise TypeError(f"{getattr(policy, 'name', policy)!r} cannot be compiled for playouts")
    return np.array([policy.kind for policy in policies]), np.array([policy.weights for policy in policies], float)


@lru_cache(maxsize=32)
def brain_for(policies: tuple[CompiledPolicy, ...]) -> k.Brain:
    """The policies that play the seats, one a seat, laid out for the kernels."""
    different = list(dict.fromkeys(policies))
    kinds, weights = lines_for(different)
    return k.Brain(np.array([different.index(policy) for policy in policies]), kinds, weights)


def policies_for(policies: CompiledPolicy | Sequence[CompiledPolicy] | None, n: int) -> tuple[CompiledPolicy, ...]:
    """One policy a seat: the default, one for all, or as given.

    Raises
    ------
    ValueError
        If the number of policies is not the number of seats.
    """
    if policies is None:
        return (default_policy(n),) * n
    if isinstance(policies, (RandomPolicy, WeighedPolicy)):
        return (policies,) * n
    if len(policies) != n:
        raise ValueError(f"{n} seats need {n} policies, not {len(policies)}")
    return tuple(policies)
