"""Solitaire with the order known, against trying everything; what was proven and what was not."""

from __future__ import annotations

import pytest

from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.solver import Solution, solve
from byzanz_lab.companions.byzantium.state import State, new_game
from tests.companions.byzantium.play import random_states


def most(state: State) -> int:
    """The most cards that can lie at the end, by trying everything."""
    if state.is_over:
        return len(state.tableau)
    return max(most(state.apply(action)) for action in state.legal_actions())


VARIANTS = [Rules(1), Rules(1, direction_per_branch=True), Rules(1, stop_at_first_misfit=True)]


@pytest.mark.parametrize("rules", VARIANTS, ids=repr)
def test_the_solver_finds_what_trying_everything_finds(rules: Rules) -> None:
    answers = set()
    for seed in range(25):
        states = [state for state in random_states(rules, seed) if len(state.deck) == 5]
        if states:
            solution = solve(states[0])
            assert solution.placed == solution.bound == most(states[0])
            answers.add(len(states[0].deck) + 1 - (solution.placed - len(states[0].tableau)))
    assert len(answers) > 2, "cards left over, from none to several"


def test_its_line_can_be_replayed_and_ends_as_it_says() -> None:
    for seed in (2, 4, 7):
        state = new_game(Rules(1), seed)
        solution = solve(state)
        for action in solution.actions:
            state = state.apply(action)
        assert state.is_over
        assert len(state.tableau) == solution.placed


def test_a_win_and_a_deal_that_nobody_can_win() -> None:
    assert solve(new_game(Rules(1), 4)).placed == 24
    lost = solve(new_game(Rules(1), 7))
    assert (lost.placed, lost.bound, lost.is_proven) == (23, 23, True)
    assert str(lost) == "23 cards can be placed, and no more"


def test_where_it_has_to_stop_it_gives_its_best_and_a_bound() -> None:
    state = new_game(Rules(1), 7)
    short = solve(state, nodes=10)
    assert short.placed <= 23 < short.bound == 24
    assert not short.is_proven
    assert str(short) == f"{short.placed} cards can be placed, and no more than 24"
    assert len(short.actions) == 24
    again = solve(state, nodes=10)
    assert (again.actions, again.nodes) == (short.actions, short.nodes), "a limit on nodes is the same everywhere"
    assert solve(state, seconds=1e-6).bound == 24


@pytest.mark.parametrize("stop", [False, True])
def test_a_deal_that_is_over_is_solved(stop: bool) -> None:
    state = list(random_states(Rules(1, stop_at_first_misfit=stop), 3))[-1]
    assert solve(state).placed == len(state.tableau)


def test_luck_only_gets_worse_as_cards_are_placed_badly() -> None:
    values = [solve(state).placed for state in list(random_states(Rules(1), 9))[::4]]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1]


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(ValueError, match="only solitaire can be solved with the order known, not a deal of 2"):
        solve(new_game(Rules(2), 1))
    for limit in ({"seconds": 0}, {"nodes": -1}):
        with pytest.raises(ValueError, match="must be above 0"):
            solve(new_game(Rules(1), 1), **limit)  # type: ignore[arg-type]


def test_a_solution_that_is_proven_says_so() -> None:
    assert Solution(23, 23, (), 1, 0.0).is_proven
    assert not Solution(23, 24, (), 1, 0.0).is_proven


def test_mirrors_do_not_hide_anything() -> None:
    # the first card south or west instead of north or east gives the same answer
    for seed in (7, 8):
        state = new_game(Rules(1), seed)
        answers = {solve(state.apply(action)).placed for action in state.legal_actions()}
        assert answers == {solve(state).placed}
