"""Rules of play: what a seat does, given what it knows.

A ``Policy`` sees a `Position` and names an action. The built-in ones are compiled, so that whole games can be played
out by the thousand; used on a Position they run the very same code. ``RandomPolicy`` does anything legal. A
``ValuePolicy`` puts a number on any hand, good by good, and does in every phase what leaves the best hand: the tables
it looks numbers up in are made here from a few parameters.

The value of a good's cards with dealers put to them is what its sets score, plus what is begun: the next card that
would head a set, times the chance that the set will come about (``pair`` with two of its three cards there, ``single``
with one), plus ``money`` for each point of cash. Chances grow with the rounds still to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.actions import Action
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.rules import Rules
from byzanz_lab.policy import PolicyOf, Traits
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import decode_action, encode, pack, require_position
from byzanz_lab.simulation.running import Brain, run
from byzanz_lab.simulation.seeds import PLAY, world_seeds

N_STAGES = 9
"""Rounds to come, 0 to 8."""
MAX_DEALERS = 17
PICK = 0.8
"""Cards that picking earlier from the market is worth."""


@runtime_checkable
class Policy(PolicyOf[Position, Action], Protocol):
    """A rule of play. It is given a `Position` and never a State.

    Examples
    --------
    >>> isinstance(default_policy(), Policy), isinstance("pass", Policy)
    (True, False)
    """


class _Compiled:
    """Shared by the policies that kernels can play."""

    def at(self, seats: int) -> Self:
        """The same policy at a table of so many seats; most play alike at all of them."""
        return self

    def choose(self, position: Position, seed: int = 0) -> Action:
        """The action of ``position.seat``, by the same code that plays it out.

        Raises
        ------
        TypeError
            If it is given anything but a Position.
        ValueError
            If another seat is on the move.
        """
        if require_position(position).to_move != position.seat:
            raise ValueError(f"it is the turn of seat {position.to_move}, not of seat {position.seat}")
        start = encode(position)
        world = start.board[None, k.HAND : k.HAND + start.seats], np.zeros((1, start.deck_left), np.int8)
        brain = brain_for((self,) * start.seats)
        played = run(start, brain, world_seeds(seed, 0, 1, PLAY), worlds=world, log_rows=1)
        return decode_action(*played.log[0, 1:].tolist())


@dataclass(frozen=True)
class RandomPolicy(_Compiled):
    """Any legal action, each with some chance; it passes more often than not, and sells at the hand limit if it can."""

    name: str = "random"
    traits: ClassVar[Traits] = Traits(stochastic=True)
    source: ClassVar[str] = "the weakest opponent one can think of; a yardstick"


@dataclass(frozen=True)
class ValuePolicy(_Compiled):
    """Does in every phase what leaves the most valuable hand.

    Parameters
    ----------
    name
        Short name.
    pair, single
        Chance that a set with two, or one, of its three cards there will come about in the end, when many rounds are
        to come; 0 to 1.
    dealer
        Value of a dealer that is put to nothing, in points.
    money
        Value of one point of cash kept in hand.
    patience
        What losing an auction brings all the same, in points a card: the lots still to come this round are smaller, but
        cost less, and who wins one of them picks earlier from the market, which counts for another `PICK` cards.
    fade
        How fast chances shrink towards the end: with ``s`` rounds to come they are ``1 - fade ** s``; 0 to 1.
    """

    name: str = "default"
    pair: float = 0.68
    single: float = 0.4
    dealer: float = 1.45
    money: float = 0.01
    patience: float = 0.9
    fade: float = 0.33
    traits: ClassVar[Traits] = Traits()
    source: ClassVar[str] = "sets made, sets begun and dealers, with what waiting brings; numbers tuned by self-play"

    def hand_value(self, hand: Cards, rounds_to_come: int) -> float:
        """What a hand is worth to this policy, in points.

        Parameters
        ----------
        hand
            Any cards.
        rounds_to_come
            0 to 8, the round that is under way included while its auctions run.
        """
        worth = k.hand_value.py_func(pack(hand), _row(self, rounds_to_come), [0] * k.USED)
        return float(worth) / k.POINT

    def goods_table(self) -> NDArray[np.float64]:
        """Value of one good's cards: ``float64[9, 3, 504]`` by rounds to come, dealers put to them, and state."""
        feats = _features()
        chance = (1 - self.fade ** np.arange(N_STAGES))[:, None, None]
        begun = feats.next_head * (self.pair * (feats.rest == 2) + self.single * (feats.rest == 1))
        cash = self.money * feats.cash * (np.arange(N_STAGES) > 0)[:, None, None]
        return np.where(feats.possible, feats.points + chance * begun + cash, k.NEVER)

    def dealers_table(self) -> NDArray[np.float64]:
        """Value of dealers put to nothing: ``float64[9, 17]`` by rounds to come and number."""
        n = np.arange(MAX_DEALERS)
        chance = (1 - self.fade ** np.arange(N_STAGES))[:, None]
        return Rules.dealer_set_profit * (n // Rules.set_size) + chance * self.dealer * (n % Rules.set_size)

    def hold_table(self) -> NDArray[np.float64]:
        """What waiting brings: ``float64[9, 7]`` by rounds to come and offer card."""
        mean_of_smaller = np.arange(7) / 2
        return np.tile(self.patience * (mean_of_smaller + PICK), (N_STAGES, 1))

    def values(self) -> NDArray[np.int32]:
        """All that kernels look up: ``int32[9, 2088]`` by rounds to come, in thousandths of a point."""
        out = np.zeros((N_STAGES, k.VALUES_SIZE), np.int32)
        goods = np.zeros((N_STAGES, k.MASK + 1, k.PER_STATE))
        goods[:, : k.N_STATES, : k.SHARE + 1] = self.goods_table().transpose(0, 2, 1)
        out[:, : k.DEALERS_AT] = _whole(goods).reshape(N_STAGES, -1)
        out[:, k.DEALERS_AT : k.DEALERS_AT + MAX_DEALERS] = _whole(self.dealers_table())
        out[:, k.WAIT_AT : k.WAIT_AT + 7] = _whole(self.hold_table())
        return out


@lru_cache(maxsize=64)
def _row(policy: ValuePolicy, rounds_to_come: int) -> list[int]:
    """Values as plain numbers, for plain Python: quicker for one hand than loading compiled code."""
    return policy.values()[rounds_to_come].tolist()


def _whole(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.maximum(np.rint(points * k.POINT), k.NEVER).astype(np.int32)


def greedy_policy() -> ValuePolicy:
    """Values a hand by what it could sell now, and bids while the lot adds more than the payment costs.

    Examples
    --------
    >>> pair = Cards("Wi4 Wi3")
    >>> greedy_policy().hand_value(pair, rounds_to_come=3), default_policy().hand_value(pair, rounds_to_come=3) > 2
    (0.0, True)
    """
    return ValuePolicy("greedy", pair=0, single=0, dealer=0, money=0, patience=0)


def default_policy() -> ValuePolicy:
    """The policy that plays out worlds unless another is named.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> str(default_policy().choose(load_sample("market"))).split()[0]
    'take'
    """
    return ValuePolicy()


def policy_named(name: str, seats: int = 4) -> RandomPolicy | ValuePolicy:
    """A built-in policy by its name: the default one, or one of the characters, the learned one among them.

    Parameters
    ----------
    name
        As in tables and files.
    seats
        Seats at the table, 3 to 6. The learned policy has learned for each number on its own, and one that was made
        for another number changes over at the table (see `policies_for`).

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    from byzanz_lab.simulation.characters import CHARACTERS  # builds on this module

    if name == "default":
        return default_policy()
    if name not in CHARACTERS:
        raise ValueError(f"unknown policy {name!r} (policies are default, {', '.join(CHARACTERS)})")
    return CHARACTERS[name](seats)


CompiledPolicy = RandomPolicy | ValuePolicy
"""Policies that kernels can play."""


@lru_cache(maxsize=32)
def brain_for(policies: tuple[CompiledPolicy, ...]) -> Brain:
    """Tables of the policies that play the seats, one policy a seat, laid out for the kernels."""
    for policy in policies:
        if not isinstance(policy, (RandomPolicy, ValuePolicy)):
            raise TypeError(f"{getattr(policy, 'name', policy)!r} cannot be compiled for playouts")
    valued = list(dict.fromkeys(policy for policy in policies if isinstance(policy, ValuePolicy)))
    of = [valued.index(policy) if isinstance(policy, ValuePolicy) else k.RANDOM for policy in policies]
    values = [policy.values() for policy in valued] or [np.zeros((N_STAGES, k.VALUES_SIZE), np.int32)]
    return Brain(np.array(of, np.int64), np.stack(values))


@dataclass(frozen=True)
class _Features:
    """Arrays ``[3, 504]``: dealers put to a good, and state of the good."""

    points: NDArray[np.float64]
    rest: NDArray[np.int64]
    next_head: NDArray[np.int64]
    cash: NDArray[np.int64]
    possible: NDArray[np.bool_]


@lru_cache(maxsize=1)
def _features() -> _Features:
    shape = (3, k.N_STATES)
    points, rest, head, cash = (np.zeros(shape, np.int64) for _ in range(4))
    possible = np.ones(shape, bool)
    for state in range(k.N_STATES):
        counts = (state % 7, state // 7 % 6, state // 42 % 4, state // 168)
        cards = [value for value in (4, 3, 2, 1) for _ in range(counts[value - 1])]
        for dealers in range(3):
            sets = min(len(cards), (len(cards) + dealers) // Rules.set_size)
            left = cards[sets:]
            points[dealers, state] = sum(cards[:sets])
            cash[dealers, state] = sum(cards)
            rest[dealers, state] = min(2, len(cards) + dealers - Rules.set_size * sets)
            head[dealers, state] = left[0] if left else 0
            possible[dealers, state] = bool(cards) or dealers == 0
    return _Features(points.astype(float), rest, head, cash, possible)


def policies_for(policies: CompiledPolicy | Sequence[CompiledPolicy] | None, seats: int) -> tuple[CompiledPolicy, ...]:
    """One policy a seat: the default, one for all, or as given, each as it plays at a table of this size.

    Raises
    ------
    ValueError
        If the number of policies is not the number of seats, or one cannot play at such a table.
    """
    if policies is None:
        return (default_policy(),) * seats
    if isinstance(policies, (RandomPolicy, ValuePolicy)):
        return (policies.at(seats),) * seats
    if len(policies) != seats:
        raise ValueError(f"{seats} seats need {seats} policies, not {len(policies)}")
    return tuple(policy.at(seats) for policy in policies)
