"""The default policy plays better than the greedy one, and that better than chance, at every table size."""

from __future__ import annotations

import pytest

from byzanz_lab.simulation.policies import RandomPolicy, default_policy, greedy_policy, policy_named
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
