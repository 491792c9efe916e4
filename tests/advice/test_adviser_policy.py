"""The adviser as a player: legal, repeatable with worlds, stronger than what it thinks with, blind to hidden cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from byzanz_lab.advice.advise import advise
from byzanz_lab.advice.adviser_policy import AdviserPolicy
from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.evaluation import Budget
from byzanz_lab.game.position import observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation.contract import check_answer
from byzanz_lab.simulation.learned import learned_policy
from byzanz_lab.simulation.policies import RandomPolicy, default_policy, greedy_policy
from tests.advice.positions import DECISIONS, sample

QUICK = AdviserPolicy(worlds=64, workers=1)


@pytest.mark.parametrize("name", DECISIONS)
def test_it_does_what_advice_says_is_best(name: str) -> None:
    position = sample(name)
    best = advise(position, Budget(worlds=64), 5, workers=1).best.action
    assert QUICK.choose(position, 5) == best


@pytest.mark.parametrize("name", DECISIONS)
def test_it_keeps_the_contract_at_every_decision(name: str) -> None:
    check_answer(QUICK, sample(name), seed=3)


def test_the_number_of_workers_makes_no_difference() -> None:
    position = sample("auction")
    assert QUICK.choose(position, 2) == replace(QUICK, workers=3).choose(position, 2)


def test_a_single_choice_is_not_thought_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last card of a lot to be taxed, the only group of a market: no playout is spent on it."""

    def refuse(*args: object, **how: object) -> None:
        raise AssertionError("thought about the only choice")

    state = new_game(Rules.for_seats(4), 5)
    policy = default_policy()
    asked = 0
    while state.to_move is not None:
        position = observe(state, state.to_move)
        if len(position.legal_actions()) == 1:
            with monkeypatch.context() as patch:
                patch.setattr("byzanz_lab.advice.adviser_policy.advise", refuse)
                assert QUICK.choose(position) == position.legal_actions()[0]
            asked += 1
        state = state.apply(policy.choose(position))
    assert asked


def test_seconds_are_a_budget_too() -> None:
    position = sample("market")
    assert position.can(AdviserPolicy(seconds=0.05).choose(position))


@pytest.mark.long
def test_thinking_beats_what_it_thinks_with() -> None:
    """Playouts by a policy improve on that policy: the adviser leads three greedy players by far."""
    greedy = greedy_policy()
    adviser = AdviserPolicy(worlds=32, workers=1, playing=greedy)
    result = Tournament([adviser, greedy], games=32, lineups=[["adviser", *["greedy"] * 3]]).run(workers=1)
    gap = result.difference("adviser", "greedy", "profit")
    assert gap.mean > 0 and gap.interval()[0] > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "at least one of worlds"),
        ({"worlds": 0}, "1 world or more"),
        ({"seconds": -1}, "above 0"),
        ({"worlds": 8, "objective": "luck"}, "unknown objective 'luck'"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        AdviserPolicy(**arguments)


def test_it_is_asked_about_positions_on_the_move_only() -> None:
    state = new_game(Rules.for_seats(4), 5)
    with pytest.raises(TypeError, match="a Position is needed"):
        QUICK.choose(state)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="it is the turn of seat 0"):
        QUICK.choose(observe(state, 1))


def test_anything_that_kernels_play_can_do_the_playing_out() -> None:
    position = sample("market")
    for playing in (learned_policy(position.rules.seats), RandomPolicy(), None):
        assert position.can(replace(QUICK, playing=playing).choose(position))
