"""Rules of play: what a seat does, given what it knows.

A ``Policy`` sees a `Position` and names an action. The built-in ones are compiled, so that whole games can be played
out by the thousand; used on a Position they run the very same code. ``RandomPolicy`` does anything legal. A
``TabledPolicy`` looks up what its total of force is worth: it melds all it has, less what its tables say is better held
back, with the monuments that are worth the force they cost.

The tables of the greedy policy count a point of force as much as a legacy token. Those of the default policy come from
a small game that can be solved: in each turn both sides bring a force drawn from how strong melds were in games of the
greedy policy with the same deck, and nothing is decided. Backward over the turns this gives what a level of territory
is worth to the Emperor; one step forward, what a force is worth. It is one step of policy improvement (Howard 1960) on
a simplified game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire import kernels as k
from byzanz_lab.companions.empire.actions import Action
from byzanz_lab.companions.empire.cards import Card, Deck
from byzanz_lab.companions.empire.encoding import blank_game, cards_of, decode_action, encode
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.rules import AGES, RULES, Kind, Side
from byzanz_lab.companions.empire.seeds import world_seeds
from byzanz_lab.policy import PolicyOf, Traits


@runtime_checkable
class Policy(PolicyOf[Position, Action], Protocol):
    """A rule of play. It is given a `Position` and never a State."""


class _Compiled:
    """Shared by the policies that kernels can play."""

    def choose(self, position: Position, seed: int = 0) -> Action:
        """The action of ``position.seat``, by the same code that plays it out.

        Raises
        ------
        TypeError
            If it is given anything but a Position.
        ValueError
            If another seat is on the move.
        """
        start = encode(position)
        deck = position.table.deck
        game, tables = blank_game(deck), tables_for((self, self), deck)[0]
        with np.errstate(over="ignore"):
            k.deal_world(game, start, start.usable.copy(), start.dead.copy(), world_seeds(seed, 0, 1)[0])
            game.store[k.HEAD, k.STAGE] = start.forced
            choice = k.decide(game, tables)
        row = k.MELDS + 1 if start.forced == k.NEGOTIATE else k.HANDS + position.side.number
        cards = [card for at, card in enumerate(game.store[row, : k.HAND]) if choice >> at & 1]
        return decode_action(deck, start.forced, [len(cards), *cards])


@dataclass(frozen=True)
class RandomPolicy(_Compiled):
    """Any legal action, each with some chance."""

    name: str = "random"
    traits: ClassVar[Traits] = Traits(stochastic=True)
    source: ClassVar[str] = "the weakest opponent one can think of; a yardstick"


@dataclass(frozen=True)
class TabledPolicy(_Compiled):
    """Melds what its tables of values say is worth most.

    Parameters
    ----------
    name
        Short name.
    looks_ahead
        Whether it values force by what it does to the rest of the game, and not for its own sake.
    bar
        Cards are redrawn if their worth is below so many times the average card of their side and age.
    envoy
        Force that a negotiation card is worth beyond its own.
    legacy
        Force that a legacy token is worth when a card is judged in hand.
    patience
        Force is held back if that promises so many legacy tokens more.
    """

    name: str = "default"
    looks_ahead: bool = True
    bar: float = 0.6
    envoy: float = 2.0
    legacy: float = 3.0
    patience: float = 0.02
    traits: ClassVar[Traits] = Traits()
    source: ClassVar[str] = "as much force as pays, by backward induction over turns and territory; tuned by self-play"

    def worth(self, card: Card, age: int) -> float:
        """Value of a card in hand, in points of force."""
        if not card.usable(age):
            return 0.0
        return card.force + self.legacy * card.legacy + self.envoy * (card.kind is Kind.NEGOTIATION)

    def average(self, deck: Deck, side: Side, age: int) -> float:
        """Worth of the average card that can be used."""
        usable = [(card, card.copies) for card in deck.of_side(side) if card.usable(age)]
        return sum(self.worth(card, age) * n for card, n in usable) / sum(n for _, n in usable)


def greedy_policy() -> TabledPolicy:
    """Melds all the force it has; a legacy token counts as much as a point of force."""
    return TabledPolicy("greedy", looks_ahead=False, bar=0.9, envoy=1.5, legacy=2.0)


def default_policy() -> TabledPolicy:
    """The policy that plays out worlds unless another is named."""
    return TabledPolicy()


CompiledPolicy = RandomPolicy | TabledPolicy
"""Policies that kernels can play."""

BUILT_IN: Final = ("default", "greedy", "random")
"""Names of the built-in policies."""


def policy_named(name: str) -> CompiledPolicy:
    """A built-in policy by its name.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    policies = {policy.name: policy for policy in (default_policy(), greedy_policy(), RandomPolicy())}
    if name not in policies:
        raise ValueError(f"unknown policy {name!r} (policies are {', '.join(policies)})")
    return policies[name]


def policies_for(policies: CompiledPolicy | Sequence[CompiledPolicy] | None) -> tuple[CompiledPolicy, CompiledPolicy]:
    """One policy a seat: the default, one for both, or as given.

    Raises
    ------
    ValueError
        If the number of policies is not two.
    """
    if policies is None:
        return default_policy(), default_policy()
    if isinstance(policies, (RandomPolicy, TabledPolicy)):
        return policies, policies
    if len(policies) != 2:
        raise ValueError(f"2 seats need 2 policies, not {len(policies)}")
    return policies[0], policies[1]


@lru_cache(maxsize=32)
def tables_for(
    policies: tuple[CompiledPolicy, CompiledPolicy], deck: Deck
) -> tuple[NDArray[np.float32], tuple[int, int]]:
    """Tables of the policies that play the seats, and which of them plays which seat.

    Returns
    -------
    tuple
        ``float32[n, 277, 320]``, laid out as `kernels` says; and two numbers of policies.
    """
    for policy in policies:
        if not isinstance(policy, (RandomPolicy, TabledPolicy)):
            raise TypeError(f"{getattr(policy, 'name', policy)!r} cannot be compiled for playouts")
    different = list(dict.fromkeys(policies))
    tables = np.zeros((len(different), k.BRAIN_ROWS, k.BRAIN_ROOM), np.float32)
    for table, policy in zip(tables, different, strict=True):
        if isinstance(policy, TabledPolicy):
            _fill(table, policy, deck)
    return tables, (different.index(policies[0]), different.index(policies[1]))


def _fill(table: NDArray[np.float32], policy: TabledPolicy, deck: Deck) -> None:
    table[0, k.P_KIND], table[0, k.P_ENVOY] = k.TABLED, policy.envoy
    for age in range(1, len(AGES) + 1):
        table[k.BY_AGE + age - 1, : len(deck.cards)] = [policy.worth(card, age) for card in cards_of(deck)]
        for side in Side:
            at = k.P_BAR + len(AGES) * side.number + age - 1
            table[0, at] = policy.bar * policy.average(deck, side, age)
    forces, differences = np.arange(k.FORCES) - k.FORCE_ZERO, np.arange(k.DIFFERENCES) - k.DIFFERENCE_ZERO
    by_level = table[k.BY_LEVEL : k.BY_AGE].reshape(RULES.turns + 1, k.LEVELS, k.BRAIN_ROOM)
    if policy.looks_ahead:
        hope, after = looking_ahead(deck)
        by_level[:, :, : k.IDEAL] = np.concatenate([hope[:, 0], hope[:, 1]], axis=-1)
        by_level[:, :, k.AFTER :] = after
    else:
        by_level[:, :, : k.IDEAL] = np.concatenate([forces, forces])
        by_level[:, :, k.AFTER :] = differences
    for side in Side:
        at = k.FORCES * side.number
        hoped = by_level[:, :, k.HOPE + at : k.HOPE + at + k.FORCES]
        by_level[:, :, k.IDEAL + at : k.IDEAL + at + k.FORCES] = _ideals(hoped, policy.patience)


def _ideals(hope: NDArray[np.float32], patience: float) -> NDArray[np.int64]:
    """Where, up to each place, what is hoped for is highest; the place itself unless that is more by ``patience``."""
    place = np.broadcast_to(np.arange(hope.shape[-1]), hope.shape)
    highest = np.maximum.accumulate(hope, axis=-1)
    best = np.maximum.accumulate(np.where(hope == highest, place, 0), axis=-1)
    return np.where(highest > hope + patience, best, place)


@lru_cache(maxsize=32)
def forces_seen(deck: Deck, games: int = 2000, seed: int = 20) -> NDArray[np.float64]:
    """How strong melds are when the greedy policy plays both seats.

    Returns
    -------
    numpy.ndarray
        ``float64[side, age, force]``: shares of melds by total force, which is looked up at ``FORCE_ZERO + force``.
    """
    from byzanz_lab.companions.empire.playouts import play_games  # playouts need policies

    turns = play_games(deck, games, seed, greedy_policy()).turns
    shares = np.zeros((2, len(AGES), k.FORCES))
    for turn in range(RULES.turns):
        played = turns[turns[:, turn, 0] > 0, turn]
        for side in Side:
            at = np.clip(k.FORCE_ZERO + played[:, 1 + side.number], 0, k.FORCES - 1)
            shares[side.number, RULES.age(turn + 1) - 1] += np.bincount(at, minlength=k.FORCES)
    for age in range(len(AGES)):
        if not shares[0, age].any():  # no game went on so long: as strong as in the age before
            shares[:, age] = shares[:, age - 1]
    return shares / shares.sum(axis=-1, keepdims=True)


@lru_cache(maxsize=32)
def looking_ahead(deck: Deck) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What a force, and what an outcome, is worth to the rest of the game, in legacy tokens of difference.

    Returns
    -------
    tuple of numpy.ndarray
        ``hope[turn, side, territory, force]`` to the side that brings the force, against a force drawn from
        `forces_seen`; ``after[turn, territory, difference]`` to the Emperor, once the difference is known.
    """
    shares, levels = forces_seen(deck), RULES.most_territory + 1
    differences = np.arange(k.DIFFERENCES) - k.DIFFERENCE_ZERO
    forces = np.arange(k.FORCES) - k.FORCE_ZERO
    hope = np.zeros((RULES.turns + 1, 2, levels, k.FORCES))
    after = np.zeros((RULES.turns + 1, levels, k.DIFFERENCES))
    value = np.zeros(levels)  # to the Emperor of the turn after, by territory
    apart = np.clip(forces[:, None] - forces + k.DIFFERENCE_ZERO, 0, k.DIFFERENCES - 1)  # [Emperor's, Foes']
    for turn in range(RULES.turns, 0, -1):
        age = RULES.age(turn) - 1
        before = np.arange(levels)[:, None]
        left = np.minimum(before + differences, RULES.most_territory)
        goes_on = np.sign(left - before) - value[np.maximum(left, 0)]  # the roles change: what he gains, I lose
        outcome = np.where(left <= 0, -RULES.collapse_cost, goes_on)
        after[turn] = outcome
        by_forces = outcome[:, apart]  # [territory, Emperor's force, Foes' force]
        hope[turn, 0] = by_forces @ shares[1, age]
        hope[turn, 1] = -(shares[0, age] @ by_forces)
        value = hope[turn, 0] @ shares[0, age]
    return hope, after
