"""Ratings: strength as one number a player, from who won at which table.

The model is Luce's choice axiom (R. D. Luce, "Individual Choice Behavior", 1959), which Bradley and Terry had for two
players: at a table the chance of each player to win is proportional to a strength of its own, ``exp(rating)``. It is
the first step of the Plackett-Luce model for whole rankings. Ratings are where the likelihood of all results is
greatest; they are shown on the scale of chess (A. E. Elo, "The Rating of Chessplayers", 1978), on which 400 points are
odds of ten to one, and their mean is 0.

Two things keep the numbers honest. Results at tables that shared their luck, such as one deal played in several
seatings, belong to one *cluster*, and the standard errors count clusters, not tables (the sandwich estimator: P. J.
Huber 1967, clustered by K.-Y. Liang and S. L. Zeger 1986). And a player that always wins would have an infinite
rating; one imagined draw of every player against an average one keeps it finite, and is too little to matter otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize

from byzanz_lab.evaluation.estimate import Estimate

Floats = npt.NDArray[np.float64]

ELO = 400 / math.log(10)
"""Points of the chess scale for one unit of log-odds."""
PRIOR_GAMES = 1.0
"""Imagined games of each player against an average one, half of them won."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Strengths of players that sat at common tables.

    Parameters
    ----------
    values
        Ratings ``[n_players]`` in Elo points; their mean is 0.
    covariance
        Of the ratings ``[n_players, n_players]``, in squared Elo points.
    n
        Number of clusters behind them.
    """

    values: Floats
    covariance: Floats
    n: int

    def estimate(self, player: int) -> Estimate:
        """Rating of one player, against the mean of all."""
        se = math.sqrt(max(float(self.covariance[player, player]), 0.0)) if self.n > 1 else math.inf
        return Estimate(float(self.values[player]), se, self.n, "Elo", "rating against the mean of all")

    def difference(self, player: int, other: int) -> Estimate:
        """How much higher one player is rated than another."""
        c = self.covariance
        variance = float(c[player, player] + c[other, other] - 2 * c[player, other])
        se = math.sqrt(max(variance, 0.0)) if self.n > 1 else math.inf
        return Estimate(float(self.values[player] - self.values[other]), se, self.n, "Elo", "difference of ratings")


def choice_ratings(tables: Sequence[Sequence[int]], wins: npt.ArrayLike, games: int = 1) -> Ratings:
    """Rate players by maximum likelihood under Luce's model.

    Parameters
    ----------
    tables
        For each kind of table, the players that sit at it, numbered from 0; a player may hold several places.
    wins
        ``[n_clusters, n_tables, n_players]``: in each cluster and kind of table, how often each player won, draws
        shared; for every cluster and table they add up to `games`.
    games
        Games a cluster and table.

    Raises
    ------
    ValueError
        If the numbers do not fit together.

    Examples
    --------
    One player wins three games out of four against another: odds of three to one.

    >>> rated = choice_ratings([(0, 1)], [[[3.0, 1.0]]] * 1000, games=4)
    >>> round(rated.difference(0, 1).mean), round(400 * math.log10(3))
    (191, 191)
    """
    won = np.asarray(wins, dtype=np.float64)
    if not len(tables):
        raise ValueError("it takes 1 table or more to rate players")
    if won.ndim != 3 or won.shape[1] != len(tables) or not won.shape[0] or not won.shape[2]:
        raise ValueError(f"wins have the shape [clusters, tables, players], not {won.shape}, for {len(tables)} tables")
    if not np.allclose(won.sum(axis=2), games):
        raise ValueError(f"in every cluster the wins at a table add up to the {games} games played there")
    places = np.zeros(won.shape[1:])
    for number, table in enumerate(tables):
        for player in table:
            if not 0 <= player < won.shape[2]:
                raise ValueError(f"table {number} has a player {player}, they are numbered 0 to {won.shape[2] - 1}")
            places[number, player] += 1
    return _fitted(places, won, games)


def _fitted(places: Floats, won: Floats, games: int) -> Ratings:
    n, _, players = won.shape
    total = won.sum(axis=0)

    def minus_log_likelihood(r: Floats) -> float:
        chances = np.log(places @ np.exp(r))
        prior = PRIOR_GAMES / 2 * (np.logaddexp(0, r) + np.logaddexp(0, -r)).sum()
        return float(games * n * chances.sum() - (total @ r).sum() + prior)

    def gradient(r: Floats) -> Floats:
        return np.asarray(games * n * _chances(places, r).sum(axis=0) - total.sum(axis=0) + PRIOR_GAMES * _tilt(r))

    def hessian(r: Floats) -> Floats:
        p = _chances(places, r)
        inner = np.diag(p.sum(axis=0)) - p.T @ p
        return np.asarray(games * n * inner + PRIOR_GAMES * np.diag(0.25 - _tilt(r) ** 2))

    found = optimize.minimize(minus_log_likelihood, np.zeros(players), jac=gradient, hess=hessian, method="trust-exact")
    scores = won.sum(axis=1) - games * _chances(places, found.x).sum(axis=0)  # a row a cluster
    inverse = np.linalg.inv(hessian(found.x))
    covariance = inverse @ (scores.T @ scores) @ inverse * (n / max(n - 1, 1))
    centred = np.eye(players) - 1 / players
    return Ratings(ELO * (centred @ found.x), ELO**2 * (centred @ covariance @ centred.T), n)


def _chances(places: Floats, r: Floats) -> Floats:
    """Chance of each player to win at each table."""
    weights = places * np.exp(r)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _tilt(r: Floats) -> Floats:
    """Chance to beat an average player, less one half."""
    return np.asarray(0.5 * np.tanh(r / 2))
