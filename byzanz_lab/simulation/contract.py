"""What every policy must keep, as a test that any policy can be put to: ours, and yours.

``check_policy`` plays games with a policy in all seats, at tables of all sizes, and looks at every answer: whether it
is allowed, whether it is the same when asked again, and whether the declared `Traits` are true. A policy that says that
it does not count cards must answer the same if it had not seen which cards are gone; one that says that it does not
read rivals, the same if nothing were known of their hands; one that says that it leaves nothing to chance, the same
under every seed.

Examples
--------
>>> from byzanz_lab.game.actions import Pass
>>> class Shy:
...     name, source, traits = "shy", "passes when it may", Traits()
...     def choose(self, position, seed=0):
...         return Pass() if position.can(Pass()) else position.legal_actions()[-1]
>>> check_policy(Shy(), seats=[4], games=1)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from byzanz_lab.game.actions import Action
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import IllegalAction
from byzanz_lab.policy import Traits
from byzanz_lab.simulation.policies import Policy

MOST_ACTIONS: Final = 4000
"""More than a game can have."""
OTHER_SEEDS: Final = (1, 2, 0x7FFF_FFFF_FFFF_FFFF)


class ContractBroken(AssertionError):
    """A policy does not keep what every policy must; the message says what, and where."""


def check_policy(
    policy: Policy,
    seats: Iterable[int] = (3, 4, 5, 6),
    games: int = 2,
    seed: int = 1,
    variant: Mapping[str, Any] | None = None,
) -> None:
    """Put a policy to the test.

    Parameters
    ----------
    policy
        Any object with ``name``, ``traits``, ``source`` and ``choose(position, seed)``.
    seats
        Table sizes to try.
    games
        Games at each, 1 or more.
    seed
        Root of the deals.
    variant
        Fields of `Rules` that differ from the default.

    Raises
    ------
    ContractBroken
        At the first thing that a policy must not do; it is an `AssertionError`, so that test runners show it.

    Examples
    --------
    >>> from byzanz_lab import greedy_policy
    >>> check_policy(greedy_policy(), seats=[3], games=1)  # nothing is said: it keeps the contract
    """
    check_description(policy)
    for n in seats:
        rules = Rules.for_seats(n, **dict(variant or {}))
        for number in range(games):
            for position in positions_of(policy, new_game(rules, seed + number), seed):
                check_answer(policy, position, seed)


def check_description(policy: Policy) -> None:
    """Check what a policy says about itself."""
    for field in ("name", "traits", "source", "choose"):
        if not hasattr(policy, field):
            raise ContractBroken(f"{policy!r} is no policy: it has no {field}")
    for field in ("name", "source"):
        text = getattr(policy, field)
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            raise ContractBroken(f"the {field} of a policy is a printable text, not {text!r}")
    if not isinstance(policy.traits, Traits):
        raise ContractBroken(f"the traits of policy {policy.name!r} are Traits(...), not {policy.traits!r}")


def positions_of(policy: Policy, state: State, seed: int) -> Iterator[Position]:
    """Let a policy play a game in all seats, and hand out the Position of each decision before it is taken."""
    for _ in range(MOST_ACTIONS):
        if state.to_move is None:
            return
        position = observe(state, state.to_move)
        yield position
        state = state.apply(_legal_answer(policy, position, seed))
    raise ContractBroken(
        f"policy {policy.name!r} does not come to an end: {MOST_ACTIONS} actions, and the game goes on"
    )


def check_answer(policy: Policy, position: Position, seed: int = 0) -> None:
    """Check what a policy answers in one Position."""
    answer = _legal_answer(policy, position, seed)
    again = replace(position, hand=Cards.parse(str(position.hand)))
    if _legal_answer(policy, again, seed) != answer:
        raise ContractBroken(_where(policy, position, "answers the same position and seed in two ways"))
    if not policy.traits.stochastic:
        for other in OTHER_SEEDS:
            if _legal_answer(policy, position, other) != answer:
                raise ContractBroken(_where(policy, position, "is said to leave nothing to chance, and uses the seed"))
    if not policy.traits.counts_cards and _legal_answer(policy, without_gone(position), seed) != answer:
        raise ContractBroken(_where(policy, position, "is said not to count cards, and uses which cards are gone"))
    if not policy.traits.reads_rivals and _legal_answer(policy, without_known(position), seed) != answer:
        raise ContractBroken(_where(policy, position, "is said not to read rivals, and uses their known cards"))


def without_gone(position: Position) -> Position:
    """The same moment, had the seat not seen which cards left the game."""
    return replace(position, table=replace(position.table, gone=Cards()))


def without_known(position: Position) -> Position:
    """The same moment, if nothing were known of the rivals' hands."""
    known = tuple(cards if seat == position.seat else Cards() for seat, cards in enumerate(position.table.known))
    return replace(position, table=replace(position.table, known=known))


def _legal_answer(policy: Policy, position: Position, seed: int) -> Action:
    action = policy.choose(position, seed)
    try:
        position.verify(action)
    except (IllegalAction, AttributeError, TypeError) as fault:
        raise ContractBroken(_where(policy, position, f"does what is not allowed: {fault}")) from None
    return action


def _where(policy: Policy, position: Position, what: str) -> str:
    return f"policy {policy.name!r} {what}; position: {position}"
