"""Zero-sum games that are given by their payoffs: solved, cut by dominance, and checked.

The *row* player chooses a row, the *column* player a column, at the same moment; the row player receives what stands
there, and the other one pays it. By the minimax theorem (von Neumann 1928) there is a mixed strategy, a chance for each
row, that secures the value of the game whatever the other one does, and one for the columns that concedes no more.
`solve` finds both with a linear program.

The column player may have a secret: then there are several *cases*, each with its own payoffs and columns and a weight,
and only he knows which is true. The row player has one strategy for all cases, the column player one in each. A single
matrix is a game with one case.

A row that is nowhere better than another one is *dominated* and need not be played: without it the value stays the same
(the other row can be played in its place). `cut` leaves such rows and columns out until there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SAME: Final = 1e-12
"""Payoffs that differ by no more count as equal when dominance is looked for."""
UNPLAYED: Final = 1e-9
"""Chances below this are rounding of the linear program."""


@dataclass(frozen=True, eq=False)
class Solution:
    """Optimal play of both.

    Attributes
    ----------
    value
        What the row player receives on average when both play it.
    rows
        ``float64[n_rows]``: chance of each row; they add up to 1.
    columns
        A case: chance of each column in it.
    conceded
        The most that the row player can receive against `columns`. It equals `value`, but for rounding: that is the
        proof that both are optimal.
    """

    value: float
    rows: Floats
    columns: tuple[Floats, ...]
    conceded: float


@dataclass(frozen=True, eq=False)
class Cut:
    """What is left of a game without dominated rows and columns.

    Attributes
    ----------
    rows
        Numbers of the rows that are left, ascending.
    columns
        A case: numbers of the columns that are left, ascending.
    payoffs
        The payoffs that are left, a case.
    """

    rows: Ints
    columns: tuple[Ints, ...]
    payoffs: tuple[Floats, ...]


def solve(payoffs: Sequence[Floats], weights: Sequence[float] | None = None) -> Solution:
    """Solve a zero-sum game.

    Parameters
    ----------
    payoffs
        A case: ``float64[n_rows, n_columns]``, what the row player receives. All have the same rows.
    weights
        Chance of each case; all the same if not given.

    Raises
    ------
    ValueError
        If there is nothing to choose, or the weights are no chances.

    Examples
    --------
    >>> pennies = np.array([[1.0, -1.0], [-1.0, 1.0]])
    >>> solution = solve([pennies])
    >>> solution.rows.tolist(), round(solution.value, 9) + 0.0
    ([0.5, 0.5], 0.0)
    """
    from scipy.optimize import linprog  # takes a while to load

    cases = [np.asarray(case, dtype=np.float64) for case in payoffs]
    chances = _chances(cases, weights)
    n_rows, n_cases = len(cases[0]), len(cases)
    # Unknowns are the chance of each row, then what is secured in each case; their weighted sum is made large.
    bounds = np.concatenate(
        [np.hstack([-case.T, np.tile(np.eye(n_cases)[at], (case.shape[1], 1))]) for at, case in enumerate(cases)]
    )
    found = linprog(
        np.concatenate([np.zeros(n_rows), -chances]),
        A_ub=bounds,
        b_ub=np.zeros(len(bounds)),
        A_eq=np.concatenate([np.ones(n_rows), np.zeros(n_cases)])[None],
        b_eq=[1.0],
        bounds=[(0, None)] * n_rows + [(None, None)] * n_cases,
        method="highs",
    )
    if not found.success:
        raise ValueError(f"the linear program was not solved: {found.message}")
    rows = _mixture(found.x[:n_rows])
    duals = np.split(-found.ineqlin.marginals, np.cumsum([case.shape[1] for case in cases])[:-1])
    columns = tuple(_mixture(dual) for dual in duals)
    conceded = sum(chance * (case @ column) for chance, case, column in zip(chances, cases, columns, strict=True))
    return Solution(float(chances @ secured(cases, rows)), rows, columns, float(np.max(conceded)))


def secured(payoffs: Sequence[Floats], rows: Floats) -> Floats:
    """What a mixed strategy of the row player receives in each case, if the other one knows it and plays best.

    Examples
    --------
    >>> secured([np.array([[1.0, -1.0], [-1.0, 1.0]])], np.array([0.75, 0.25])).tolist()
    [-0.5]
    """
    return np.array([float((rows @ case).min()) for case in payoffs])


def dominators(matrix: Floats) -> Ints:
    """For each row, one that is nowhere worse and is itself not dominated; the row itself where there is none.

    Of equal rows the first one stands for all.

    Parameters
    ----------
    matrix
        ``float64[n_rows, n_columns]``; more is better.

    Examples
    --------
    >>> dominators(np.array([[1.0, 2.0], [1.0, 1.0], [3.0, 0.0], [1.0, 2.0]])).tolist()
    [0, 0, 2, 0]
    """
    n = len(matrix)
    by = np.arange(n)
    # Better sums first: a row can only be dominated by one of a higher sum, or by an equal one that stands before it.
    order = sorted(range(n), key=lambda i: (-float(matrix[i].sum()), i))
    kept: list[int] = []
    for i in order:
        if kept:
            better = (matrix[kept] >= matrix[i] - SAME).all(axis=1)
            if better.any():
                by[i] = kept[int(np.argmax(better))]
                continue
        kept.append(i)
    return by


def cut(payoffs: Sequence[Floats]) -> Cut:
    """Leave out dominated rows and columns until there are none; the value of the game stays the same.

    A column is dominated within its case by one that never costs the column player more.

    Examples
    --------
    >>> left = cut([np.array([[3.0, 1.0, 4.0], [2.0, 0.0, 9.0], [1.0, 0.0, 2.0]])])
    >>> left.rows.tolist(), left.columns[0].tolist()
    ([0], [1])
    """
    cases = [np.asarray(case, dtype=np.float64) for case in payoffs]
    rows, columns = np.arange(len(cases[0])), [np.arange(case.shape[1]) for case in cases]
    while True:
        before = len(rows) + sum(map(len, columns))
        left = [case[np.ix_(rows, at)] for case, at in zip(cases, columns, strict=True)]
        columns = [at[_undominated(-case.T)] for case, at in zip(left, columns, strict=True)]
        joined = np.hstack([case[np.ix_(rows, at)] for case, at in zip(cases, columns, strict=True)])
        rows = rows[_undominated(joined)]
        if len(rows) + sum(map(len, columns)) == before:
            kept = tuple(case[np.ix_(rows, at)] for case, at in zip(cases, columns, strict=True))
            return Cut(rows, tuple(columns), kept)


def _undominated(matrix: Floats) -> NDArray[np.bool_]:
    return dominators(matrix) == np.arange(len(matrix))


def _mixture(chances: Floats) -> Floats:
    played = np.where(chances < UNPLAYED, 0.0, chances)
    if not played.any():  # a case of no weight: whatever is played there costs nothing
        played = np.eye(1, len(played))[0]
    return played / played.sum()


def _chances(cases: Sequence[Floats], weights: Sequence[float] | None) -> Floats:
    if not cases or any(case.ndim != 2 or 0 in case.shape for case in cases):
        raise ValueError("a game needs a case, and each case a row and a column or more")
    if len({len(case) for case in cases}) > 1:
        raise ValueError("all cases have the same rows")
    if not all(np.isfinite(case).all() for case in cases):
        raise ValueError("payoffs are finite numbers")
    chances = np.full(len(cases), 1 / len(cases)) if weights is None else np.asarray(weights, dtype=np.float64)
    if chances.shape != (len(cases),) or (chances < 0).any() or not np.isclose(chances.sum(), 1.0):
        raise ValueError(f"{len(cases)} cases need so many chances that add up to 1")
    return chances
