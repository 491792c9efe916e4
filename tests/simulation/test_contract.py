"""The contract that every policy keeps: ours do, and each way to break it is noticed."""

from __future__ import annotations

from itertools import count

import pytest

from byzanz_lab.game.actions import Action, Pass, Sell, Take
from byzanz_lab.game.position import Position
from byzanz_lab.policy import Traits
from byzanz_lab.simulation.characters import characters
from byzanz_lab.simulation.contract import ContractBroken, check_policy
from byzanz_lab.simulation.policies import CompiledPolicy, default_policy

TIMES = count()


class Plain:
    """Takes the first legal action; what it says about itself is true."""

    name, source = "plain", "a test"
    traits = Traits()

    def choose(self, position: Position, seed: int = 0) -> Action:
        legal = position.legal_actions()
        return next((action for action in legal if isinstance(action, Sell)), legal[0])


class Illegal(Plain):
    def choose(self, position: Position, seed: int = 0) -> Action:
        return Take("Wi")


class NoAction(Plain):
    def choose(self, position: Position, seed: int = 0) -> Action:
        return "pass"  # type: ignore[return-value]


class Fickle(Plain):
    traits = Traits(stochastic=True)

    def choose(self, position: Position, seed: int = 0) -> Action:
        legal = position.legal_actions()
        return legal[next(TIMES) % len(legal)]


class SecretlyRandom(Plain):
    def choose(self, position: Position, seed: int = 0) -> Action:
        legal = position.legal_actions()
        return legal[seed % len(legal)]


class SecretCounter(Plain):
    def choose(self, position: Position, seed: int = 0) -> Action:
        legal = position.legal_actions()
        return legal[-1] if len(position.gone) > 6 else legal[0]


class SecretReader(Plain):
    def choose(self, position: Position, seed: int = 0) -> Action:
        legal = position.legal_actions()
        rivals = (cards for seat, cards in enumerate(position.known) if seat != position.seat)
        return legal[-1] if any(rivals) else legal[0]


class Nameless(Plain):
    name = " "


class Traitless(Plain):
    traits = "greedy"  # type: ignore[assignment]


class Open(Plain):
    """As the secret ones, but it says so."""

    traits = Traits(stochastic=True, counts_cards=True, reads_rivals=True)

    def choose(self, position: Position, seed: int = 0) -> Action:
        legal = position.legal_actions()
        return legal[(seed + len(position.gone) + sum(map(len, position.known))) % len(legal)]


@pytest.mark.parametrize("policy", [default_policy(), *characters()], ids=lambda policy: policy.name)
def test_every_policy_of_the_package_keeps_the_contract(policy: CompiledPolicy) -> None:
    check_policy(policy, seats=(3, 4, 5, 6), games=1)


@pytest.mark.parametrize("variant", [{"hand_limit": 8}, {"may_decline_market": True}, {"last_card_to_hand": True}])
def test_variants_can_be_asked_for(variant: dict) -> None:
    check_policy(characters(5)[-1], seats=[5], games=1, variant=variant)


@pytest.mark.parametrize("policy", [Plain(), Open()], ids=lambda policy: type(policy).__name__)
def test_policies_in_python_keep_it_if_they_are_what_they_say(policy: Plain) -> None:
    check_policy(policy, seats=(3, 6), games=1)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Illegal(), "does what is not allowed: .*the market is not open"),
        (NoAction(), "does what is not allowed"),
        (Fickle(), "answers the same position and seed in two ways"),
        (SecretlyRandom(), "is said to leave nothing to chance, and uses the seed"),
        (SecretCounter(), "is said not to count cards, and uses which cards are gone"),
        (SecretReader(), "is said not to read rivals, and uses their known cards"),
        (Nameless(), "the name of a policy is a printable text"),
        (Traitless(), "the traits of policy 'plain' are Traits"),
        (object(), "is no policy: it has no name"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_each_way_to_break_it_is_noticed(policy: Plain, words: str) -> None:
    with pytest.raises(ContractBroken, match=words):
        check_policy(policy, seats=[4], games=2)


def test_a_game_without_end_is_noticed() -> None:
    """Nobody can play on for ever by the rules; so the limit is lowered to below what a game needs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("byzanz_lab.simulation.contract.MOST_ACTIONS", 20)
        with pytest.raises(ContractBroken, match="does not come to an end"):
            check_policy(Plain(), seats=[4], games=1)


def test_what_is_broken_names_the_position() -> None:
    with pytest.raises(ContractBroken, match=r"position: .*auction"):
        check_policy(Illegal(), seats=[4], games=1)


def test_passing_for_ever_is_allowed() -> None:
    class Passer(Plain):
        def choose(self, position: Position, seed: int = 0) -> Action:
            return Pass() if position.can(Pass()) else super().choose(position, seed)

    check_policy(Passer(), seats=[4], games=1)
