"""Least squares: what each feature of a hand, and each standing in a round, was worth in the games played.

For every number of rounds to come, the points that seats made from a moment to the end are explained by the features of
their hands (`FEATURES`) and by their standing, one constant each. Hands being equal, the constant of those who wait for
the next lot less that of those who have just won this one is what letting it go is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.rules import Rules
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.learned import (
    CLOSING,
    N_FEATURES,
    N_OFFERS,
    HandWeights,
    dealer_features,
    goods_features,
)
from byzanz_lab.simulation.policies import N_STAGES, ValuePolicy
from byzanz_lab.simulation.training.moments import WAITING, Moments

RIDGE: Final = 1e-3
"""Keeps features that never occur at 0."""

Floats = NDArray[np.float64]


class Fit(NamedTuple):
    """What least squares found.

    Attributes
    ----------
    weights, hold
        As in `HandWeights`, as arrays.
    explained
        Share of the variance of the points to come that hands and standings explain, 0 to 1.
    """

    weights: Floats
    hold: Floats
    explained: float


def fit(moments: Moments, policy: ValuePolicy, rules: Rules) -> Fit:
    """Fit the points made to hands and standings.

    Parameters
    ----------
    moments
        Of games of these rules.
    policy
        Puts the dealers of each hand to its goods, where the value of the hand is greatest.
    rules
        Of the games.
    """
    weights, hold = np.zeros((N_STAGES, N_FEATURES)), np.zeros((N_STAGES, N_OFFERS))
    goods, dealers = policy.goods_table(), policy.dealers_table()
    weights[0], left_over, total = CLOSING, 0.0, 0.0
    for stage in range(1, rules.rounds + 1):
        rows = moments.stages == stage
        standings, points = moments.standings[rows], moments.points[rows]
        kinds = np.unique(standings)
        features = hand_features(moments.hands[rows], goods[stage], dealers[stage])
        columns = np.hstack([standings[:, None] == kinds, features])
        solution = np.linalg.solve(columns.T @ columns + RIDGE * np.eye(columns.shape[1]), columns.T @ points)
        weights[stage] = solution[len(kinds) :]
        hold[stage] = _hold(dict(zip(kinds.tolist(), solution.tolist(), strict=False)), rules.offers)
        left_over += float(((points - columns @ solution) ** 2).sum())
        total += float(((points - points.mean()) ** 2).sum())
    weights[rules.rounds + 1 :], hold[rules.rounds + 1 :] = weights[rules.rounds], hold[rules.rounds]
    return Fit(weights, hold, 1 - left_over / total)


def _hold(constants: Mapping[int, float], offers: Sequence[int]) -> Floats:
    """What letting the lot of each offer card go is worth, ``[7]``; 0 for cards that are not bid for.

    Where the last lot needs no decision (5 and 6 seats), the next standing after the lot before it is having it.
    """
    out = np.zeros(N_OFFERS)
    for offer, following in pairwise(offers):
        waiting = constants.get(WAITING + following, constants.get(following, 0.0))
        out[offer] = waiting - constants[offer]
    return out


def hand_features(hands: NDArray[np.int64], goods: Floats, dealers: Floats) -> Floats:
    """Features of packed hands, ``[n, 10]`` in the order of `FEATURES`.

    Parameters
    ----------
    hands
        ``int64[n]``, see `kernels`.
    goods, dealers
        ``[3, 504]`` and ``[17]``, by which dealers are put to goods.
    """
    features, _ = goods_features()
    states = hands[:, None] >> k.BITS * np.arange(k.N_GOODS) & k.MASK
    held = hands >> k.TOP
    share = share_dealers(states, held, goods, dealers)
    of_goods = features[:, share, states].sum(axis=2).T
    return np.hstack([of_goods, dealer_features()[:, held - share.sum(axis=1)].T])


def share_dealers(
    states: NDArray[np.int64], held: NDArray[np.int64], goods: Floats, dealers: Floats
) -> NDArray[np.int64]:
    """How many dealers each good of each hand gets, ``int64[n, 6]``, so that the value is greatest.

    Good by good the best value with each number of dealers used so far is kept, for all hands at once.
    """
    n, most = len(states), int(held.max(initial=0))
    best = np.full((n, most + 1), float(k.NEVER))
    best[:, 0] = 0.0
    used = np.zeros((k.N_GOODS, n, most + 1), np.int64)
    for good in range(k.N_GOODS):
        ways = np.full((k.SHARE + 1, n, most + 1), 2.0 * k.NEVER)
        for share in range(min(k.SHARE, most) + 1):
            ways[share, :, share:] = best[:, : most + 1 - share] + goods[share, states[:, good], None]
        used[good], best = ways.argmax(axis=0), ways.max(axis=0)
    over = held[:, None] - np.arange(most + 1)
    whole = np.where(over >= 0, best + dealers[np.maximum(over, 0)], 2.0 * k.NEVER)
    left, rows = whole.argmax(axis=1), np.arange(n)
    out = np.zeros((n, k.N_GOODS), np.int64)
    for good in range(k.N_GOODS - 1, -1, -1):
        out[:, good] = used[good, rows, left]
        left = left - out[:, good]
    return out


def blended(old: HandWeights | None, new: Fit, keep: float) -> HandWeights:
    """The new numbers, with a share of the old ones kept; 0 to 1."""
    if old is None:
        return HandWeights.of(new.weights, new.hold)
    share = keep * np.array(old.weights) + (1 - keep) * new.weights
    return HandWeights.of(share, keep * np.array(old.hold) + (1 - keep) * new.hold)
