"""The default policy plays better than the greedy one, and that better than chance, at every table size."""

from __future__ import annotations

import pytest

from byzanz_lab.simulation.characters import characters
from byzanz_lab.simulation.learned import LearnedPolicy, learned_policy
from byzanz_lab.simulation.policies import RandomPolicy, default_policy, greedy_policy, policies_for, policy_named
from tests.simulation.tournaments import one_against

SEATS = (3, 4, 5, 6)
DEALS = 150


@pytest.mark.parametrize("seats", SEATS)
def test_default_beats_greedy(seats: int) -> None:
    """An equal player would win one game in ``seats``; twice that, beyond all doubt (45 % at four seats and more)."""
    assert one_against(default_policy(), greedy_policy(), seats, DEALS).above(max(0.45, 2 / seats))
    assert not one_against(greedy_policy(), default_policy(), seats, DEALS).above(0.2 / seats)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("policy", [default_policy(), greedy_policy()], ids=lambda policy: policy.name)
def test_both_beat_random(seats: int, policy: object) -> None:
    assert one_against(policy, RandomPolicy(), seats, DEALS).above(0.85)  # type: ignore[arg-type]


def test_a_policy_among_its_like_wins_its_share() -> None:
    share = one_against(default_policy(), default_policy(), 4, DEALS)
    assert share.wins == pytest.approx(0.25)


def test_policies_are_known_by_name() -> None:
    assert [policy_named(name) for name in ("default", "greedy", "random")] == [
        default_policy(), greedy_policy(), RandomPolicy(),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="unknown policy 'clever'"):
        policy_named("clever")


@pytest.mark.parametrize("seats", SEATS)
def test_what_was_learned_for_a_table_is_played_at_it(seats: int) -> None:
    """By name, or made for another table: it changes over to what it learned for this one."""
    learned = policy_named("learned", seats)
    assert learned == learned_policy(seats) and learned in characters(seats)
    assert policies_for(learned_policy(4), seats) == (learned_policy(seats),) * seats
    mixed = policies_for([learned_policy(3), *[greedy_policy()] * (seats - 1)], seats)
    assert mixed == (learned_policy(seats), *[greedy_policy()] * (seats - 1))


def test_what_was_learned_for_one_table_only_is_not_played_at_another() -> None:
    own = LearnedPolicy("own", seats=4, learned=learned_policy(4).hand_weights)
    assert policies_for(own, 4) == (own,) * 4
    with pytest.raises(ValueError, match="'own' has learned for 4 seats only, not for 5"):
        policies_for(own, 5)
