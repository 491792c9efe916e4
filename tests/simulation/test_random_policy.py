"""The random policy does nothing illegal, and everything that is legal now and then."""

from __future__ import annotations

from collections import Counter

import pytest

from byzanz_lab.game.actions import Bid, Decline, Pass, Sell
from byzanz_lab.game.position import observe
from byzanz_lab.game.state import State
from byzanz_lab.simulation.policies import RandomPolicy
from tests.simulation.games import moments


def small_enough(state: State) -> bool:
    """Whether each of the legal actions can be expected within a few thousand tries."""
    return state.to_move is not None and 2 <= len(state.legal_actions()) <= 24


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_every_choice_is_legal(seats: int) -> None:
    for state in moments(seats):
        if state.to_move is not None:
            position = observe(state, state.to_move)
            legal = set(position.legal_actions())
            assert {RandomPolicy().choose(position, seed) for seed in range(60)} <= legal


@pytest.mark.parametrize("seats", [3, 5])
def test_every_legal_action_has_some_chance(seats: int) -> None:
    """Few choices of each phase, tried until each has come up."""
    by_phase: dict[str, list[State]] = {}
    for state in filter(small_enough, moments(seats)):
        by_phase.setdefault(state.phase, []).append(state)
    assert len(by_phase) >= 4
    for states in by_phase.values():
        for state in states[:2]:
            position = observe(state, state.to_move or 0)
            wanted = set(position.legal_actions())
            seen: Counter[object] = Counter()
            for seed in range(6000):
                seen[RandomPolicy().choose(position, seed)] += 1
                if seen.keys() >= wanted:
                    break
            assert seen.keys() == wanted, (state.phase, wanted - seen.keys())


def test_it_passes_more_often_than_not() -> None:
    state = next(
        s for s in moments(4) if s.phase == "auction" and s.table.high_bid == 0 and s.hands[s.to_move or 0].goods > 2
    )
    position = observe(state, state.to_move or 0)
    chosen = [RandomPolicy().choose(position, seed) for seed in range(2000)]
    assert 0.5 < sum(isinstance(action, Pass) for action in chosen) / 2000 <= 0.85
    assert any(isinstance(action, Bid) for action in chosen)


def test_it_sells_and_declines_too() -> None:
    kinds = set()
    for seats in (3, 4, 5, 6):
        for state in moments(seats):
            if state.to_move is not None:
                position = observe(state, state.to_move)
                kinds |= {type(RandomPolicy().choose(position, seed)) for seed in range(20)}
    assert {Sell, Decline, Pass, Bid} <= kinds
