"""Policies: they keep the contract, differ in strength, and their tables are what they claim to be."""

from __future__ import annotations

import numpy as np
import pytest

from byzanz_lab.companions.empire import kernels as k
from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.chance import Recorded
from byzanz_lab.companions.empire.contract import check_policy
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.playouts import play_game, play_games, play_logged
from byzanz_lab.companions.empire.policies import (
    CompiledPolicy,
    Policy,
    RandomPolicy,
    TabledPolicy,
    default_policy,
    forces_seen,
    greedy_policy,
    looking_ahead,
    policies_for,
    policy_named,
    tables_for,
)
from byzanz_lab.companions.empire.position import Position, observe
from byzanz_lab.companions.empire.rules import RULES
from byzanz_lab.companions.empire.state import new_game
from tests.companions.empire.moments import SMALL, moment

# -- policies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["default", "greedy", "random"])
def test_policies_keep_the_contract(name: str) -> None:
    policy = policy_named(name)
    assert isinstance(policy, Policy) and policy.source and policy.traits.stochastic == (name == "random")
    for seed in range(2):
        assert check_policy(policy, seed, SMALL).result is not None
        assert check_policy(policy, seed).result is not None


def test_policies_beat_random_and_the_default_beats_greedy() -> None:
    def lead(first: CompiledPolicy, second: CompiledPolicy) -> tuple[float, float]:
        games = 1500
        one = play_games(default_deck(), games, 3, [first, second], emperor=0).results
        other = play_games(default_deck(), games, 3, [second, first], emperor=0).results
        duplicate = (one[:, 0] - one[:, 1] + other[:, 1] - other[:, 0]) / 2
        return float(duplicate.mean()), float(duplicate.std() / np.sqrt(games))

    mean, se = lead(greedy_policy(), RandomPolicy())
    assert mean > 5 + 4 * se
    mean, se = lead(default_policy(), greedy_policy())
    assert mean > 3 * se


def test_policies_play_the_same_alone_and_in_playouts() -> None:
    deck, policy = SMALL, default_policy()
    record, _ = play_logged(deck, 8, policy)
    for step in record.states():
        assert policy.choose(observe(step.state, step.seat)) == step.action
    chance = Recorded(record.draws)
    again = play_game([policy, policy], new_game(deck, emperor=0, chance=chance))
    assert again.moves == record.moves


def test_policies_are_named_and_counted() -> None:
    with pytest.raises(ValueError, match=r"unknown policy 'good' \(policies are default, greedy, random\)"):
        policy_named("good")
    assert policies_for(None) == (default_policy(), default_policy())
    with pytest.raises(ValueError, match="2 seats need 2 policies, not 1"):
        policies_for([default_policy()])
    with pytest.raises(TypeError, match="cannot be compiled for playouts"):
        tables_for(("me", default_policy()), default_deck())  # type: ignore[arg-type]


def test_random_does_everything_that_is_legal() -> None:
    state = moment("general envoy 2xguard", "huns raiders coup")
    position = observe(state, 1)
    chosen = {RandomPolicy().choose(position, seed) for seed in range(300)}
    assert chosen == set(position.legal_actions())


def test_default_holds_back_nothing_that_would_win_the_last_turn() -> None:
    position = Position.at_table("foes", "huns emirs 2xraiders", deck=SMALL, turn=12)
    assert default_policy().choose(position) == Meld("huns emirs 2xraiders")


def test_default_builds_where_it_costs_less_than_it_brings() -> None:
    position = Position.at_table("byzantine", "church icon general 2xguard levy", deck=SMALL, turn=12)
    assert default_policy().choose(position) == Meld("church icon general 2xguard levy")


def test_forces_seen_are_shares_of_melds() -> None:
    shares = forces_seen(SMALL)
    assert np.allclose(shares.sum(axis=-1), 1) and (shares >= 0).all()
    forces = shares @ (np.arange(k.FORCES) - k.FORCE_ZERO)
    assert ((forces > 4) & (forces < 20)).all()


def test_looking_ahead_is_backward_induction() -> None:
    hope, after = looking_ahead(SMALL)
    zero, last = k.DIFFERENCE_ZERO, RULES.turns
    assert after[last, 5, zero + 1] == 1 and after[last, 5, zero] == 0 and after[last, 5, zero - 1] == -1
    assert after[last, 5, zero - 5] == -RULES.collapse_cost and after[last, 20, zero + 3] == 0
    shares = forces_seen(SMALL)[:, 2]

    def value(territory: int, turn: int) -> float:
        return float(shares[0] @ hope[turn, 0, territory])

    assert after[last - 1, 5, zero + 2] == pytest.approx(1 - value(7, last))
    assert after[last - 1, 5, zero - 9] == -RULES.collapse_cost
    by_hand = sum(p * after[last, 5, np.clip(zero + 4 - (f - k.FORCE_ZERO), 0, 63)] for f, p in enumerate(shares[1]))
    assert hope[last, 0, 5, k.FORCE_ZERO + 4] == pytest.approx(by_hand)


def test_tables_tell_which_force_is_ideal() -> None:
    tables, _ = tables_for((TabledPolicy(patience=0.0), TabledPolicy(patience=0.0)), SMALL)
    for row in tables[0, k.BY_LEVEL : k.BY_AGE : 17]:
        hope, ideal = row[k.HOPE : k.HOPE + k.FORCES], row[k.IDEAL : k.IDEAL + k.FORCES].astype(int)
        assert all(hope[at] == hope[: place + 1].max() and at <= place for place, at in enumerate(ideal))
