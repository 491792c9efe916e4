"""Ratings: the right numbers, honest errors, and refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from byzanz_lab.evaluation.ratings import choice_ratings

STRENGTHS = np.array([0.8, 0.1, -0.3, -0.6])
"""True ratings in natural units; their mean is 0."""
TABLES = [(0, 1, 2), (1, 2, 3), (0, 0, 3)]


def played(rng: np.random.Generator, clusters: int, luck: float = 0.0) -> np.ndarray:
    """Wins ``[n_clusters, n_tables, n_players]`` of two games a table; with luck, the second repeats the first."""
    wins = np.zeros((clusters, len(TABLES), len(STRENGTHS)))
    for number, table in enumerate(TABLES):
        weights = np.exp(STRENGTHS[list(table)])
        first, second = rng.choice(table, size=(2, clusters), p=weights / weights.sum())
        second = np.where(rng.random(clusters) < luck, first, second)
        for winner in (first, second):
            wins[np.arange(clusters), number, winner] += 1
    return wins


def test_two_players_are_rated_by_their_odds() -> None:
    rated = choice_ratings([(0, 1)], np.tile([[3.0, 1.0]], (5000, 1, 1)), games=4)
    assert rated.difference(0, 1).mean == pytest.approx(400 * math.log10(3), abs=0.1)
    assert rated.values.sum() == pytest.approx(0, abs=1e-9)


def test_several_places_at_a_table_count_as_so_many_chances() -> None:
    """One seat out of three against two of an equal: a third of the wins is what equals get."""
    rated = choice_ratings([(0, 1, 1)], np.tile([[1.0, 2.0]], (1000, 1, 1)), games=3)
    assert rated.difference(0, 1).mean == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("luck", [0.0, 0.9], ids=["independent games", "games that repeat each other"])
def test_intervals_hold_the_truth_as_often_as_they_say(luck: float) -> None:
    """Clusters are the unit, so games that repeat each other do not make ratings look surer than they are."""
    rng, right, n = np.random.default_rng(5), 0, 300
    truth = 400 / math.log(10) * (STRENGTHS[0] - STRENGTHS[3])
    for _ in range(n):
        low, high = choice_ratings(TABLES, played(rng, 150, luck), games=2).difference(0, 3).interval()
        right += low <= truth <= high
    assert 0.91 * n <= right <= 0.985 * n


def test_a_player_that_always_wins_has_a_finite_rating() -> None:
    rated = choice_ratings([(0, 1)], np.tile([[1.0, 0.0]], (50, 1, 1)))
    assert 400 < rated.difference(0, 1).mean < 4000
    assert np.isfinite(rated.covariance).all()


def test_errors_of_differences_take_in_what_both_share() -> None:
    rated = choice_ratings(TABLES, played(np.random.default_rng(1), 400), games=2)
    direct, back = rated.difference(0, 1), rated.difference(1, 0)
    assert direct.mean == pytest.approx(-back.mean) and direct.se == pytest.approx(back.se)
    assert direct.mean == pytest.approx(rated.estimate(0).mean - rated.estimate(1).mean)
    assert rated.n == direct.n == 400


@pytest.mark.parametrize(
    ("tables", "wins", "games", "words"),
    [
        ([(0, 1)], [[1.0, 0.0]], 1, "shape"),
        ([(0, 1)], [[[1.0, 0.5]]], 1, "add up"),
        ([(0, 2)], [[[1.0, 0.0]]], 1, "numbered 0 to 1"),
        ([], np.zeros((3, 0, 2)), 1, "1 table or more"),
    ],
)
def test_what_does_not_fit_is_refused(tables: list[tuple[int, ...]], wins: object, games: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        choice_ratings(tables, wins, games)  # type: ignore[arg-type]
