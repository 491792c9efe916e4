"""Matrix games: known solutions, the proof that comes with each, and cutting that changes no value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.companions.empire.matrix_game import Floats, cut, dominators, secured, solve

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


@st.composite
def games(draw: st.DrawFn) -> list[Floats]:
    """Games of small whole numbers, so that rows are often dominated or equal, with one to three cases."""
    rows = draw(st.integers(1, 5))
    widths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    numbers = st.integers(-3, 3)
    return [
        np.array(draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=rows, max_size=rows)), float)
        for n in widths
    ]


def test_matching_pennies_is_played_half_and_half() -> None:
    solution = solve([np.array([[1.0, -1], [-1, 1]])])
    assert solution.rows == pytest.approx([0.5, 0.5])
    assert solution.columns[0] == pytest.approx([0.5, 0.5])
    assert solution.value == pytest.approx(0, abs=1e-9)


def test_uneven_pennies_make_the_other_indifferent() -> None:
    a, b, c, d = 3.0, -1.0, -2.0, 1.0  # a 2 × 2 game without a saddle point has these closed forms
    solution = solve([np.array([[a, b], [c, d]])])
    total = a + d - b - c
    assert solution.rows == pytest.approx([(d - c) / total, (a - b) / total])
    assert solution.columns[0] == pytest.approx([(d - b) / total, (a - c) / total])
    assert solution.value == pytest.approx((a * d - b * c) / total)


def test_rock_paper_scissors_is_played_by_thirds_and_any_pure_choice_loses_one() -> None:
    solution = solve([ROCK_PAPER_SCISSORS])
    assert solution.rows == pytest.approx([1 / 3] * 3)
    assert solution.value == pytest.approx(0, abs=1e-9)
    for pure in np.eye(3):
        assert secured([ROCK_PAPER_SCISSORS], pure).tolist() == [-1]


def test_a_dominated_row_is_not_played_and_is_cut() -> None:
    game = np.vstack([ROCK_PAPER_SCISSORS, [-1.0, -1, 0]])  # rock is never worse than the last row
    assert solve([game]).rows[3] == 0
    assert dominators(game).tolist() == [0, 1, 2, 0]
    assert cut([game]).rows.tolist() == [0, 1, 2]


def test_cutting_goes_on_as_long_as_it_helps() -> None:
    game = np.array([[2.0, 5, 1], [1, 4, 0], [3, 0, 0]])  # the third column, then the first row, decides
    left = cut([game])
    assert (left.rows.tolist(), left.columns[0].tolist()) == ([0], [2])
    assert solve([game]).value == pytest.approx(1)


def test_a_secret_of_the_other_is_worth_something_to_him() -> None:
    cases = [np.array([[1.0, 0], [0, 0]]), np.array([[0.0, 0], [0, 1]])]
    assert solve(cases).value == pytest.approx(0, abs=1e-9)  # in each case he has a column that costs nothing
    uninformed = solve([(cases[0] + cases[1]) / 2])
    assert uninformed.value == pytest.approx(0.25)


def test_cases_count_by_their_weights() -> None:
    cases = [np.array([[4.0], [0.0]]), np.array([[0.0], [1.0]])]
    assert solve(cases, [0.1, 0.9]).value == pytest.approx(0.9)
    assert solve(cases, [0.5, 0.5]).rows.tolist() == [1, 0]


@given(games())
@settings(max_examples=60)
def test_both_strategies_prove_each_other_best(game: list[Floats]) -> None:
    solution = solve(game)
    assert solution.rows.sum() == pytest.approx(1) and (solution.rows >= 0).all()
    assert secured(game, solution.rows).mean() == pytest.approx(solution.value, abs=1e-7)
    assert solution.conceded == pytest.approx(solution.value, abs=1e-7)


@given(games())
@settings(max_examples=60)
def test_the_cut_game_has_the_value_of_the_uncut_one(game: list[Floats]) -> None:
    left = cut(game)
    assert solve(left.payoffs).value == pytest.approx(solve(game).value, abs=1e-7)
    for case, kept, columns in zip(game, left.payoffs, left.columns, strict=True):
        assert (case[np.ix_(left.rows, columns)] == kept).all()


@given(games())
def test_a_dominator_is_nowhere_worse_and_itself_not_dominated(game: list[Floats]) -> None:
    joined = np.hstack(game)
    by = dominators(joined)
    assert (by[by] == by).all()
    assert (joined[by] >= joined).all()
    kept = np.flatnonzero(by == np.arange(len(by)))
    for i in kept:
        assert not any((joined[j] >= joined[i]).all() for j in kept if j != i)


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(ValueError, match="a case, and each case a row and a column or more"):
        solve([])
    with pytest.raises(ValueError, match="a case, and each case a row and a column or more"):
        solve([np.zeros((2, 0))])
    with pytest.raises(ValueError, match="all cases have the same rows"):
        solve([np.zeros((2, 1)), np.zeros((3, 1))])
    with pytest.raises(ValueError, match="payoffs are finite numbers"):
        solve([np.array([[np.nan]])])
    with pytest.raises(ValueError, match="2 cases need so many chances that add up to 1"):
        solve([np.zeros((1, 1))] * 2, [0.5, 0.6])
