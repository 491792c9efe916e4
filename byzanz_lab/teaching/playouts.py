"""Lesson 6, how many playouts are enough: standard errors, pairing, stratifying, and what comes of stopping too early.

The experiments use the toolkit's own statistics (`byzanz_lab.evaluation`), so what they show is what it does. Pairing
takes out the luck that two choices share; stratifying deals worlds that take turns instead of leaving that to chance.
Looking again and again at a difference, and stopping when it looks clear, finds differences where there are none.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from byzanz_lab.advice.advise import Advice, advise
from byzanz_lab.advice.beliefs import next_lot_size
from byzanz_lab.charts.theme import SERIES, dressed, faint
from byzanz_lab.evaluation import Estimate, balanced_uniforms, permutations
from byzanz_lab.evaluation.stopping import FIRST_WORLDS, next_checkpoint, threshold
from byzanz_lab.exercises import Slip, number
from byzanz_lab.game.cards import VALUES
from byzanz_lab.teaching.counting import position

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

WORLDS: Final = 1024
GOAL: Final = 0.05
"""Half width of the interval that the first exercise asks for, in points."""
RIVAL: Final = 1
"""The choice that the exercises compare with passing, by its number in the advice: the lowest bid."""
FIRST_LOOK: Final = 16
MOST: Final = 1000
PAIRS: Final = 4000
TWO_SIDED: Final = 1.96
"""Standard errors of a 95 % interval from many worlds."""


@cache
def advice() -> Advice:
    """What the lesson's notebook computes: no choice is dropped, so all have seen the same worlds."""
    return advise(position(), WORLDS, seed=1, racing=False)


def pairing(found: Advice) -> pd.DataFrame:
    """Say for each choice how much pairing helps to tell it from the best.

    Returns
    -------
    DataFrame
        A row a choice but the best: standard error of the difference if the choices had been played in worlds of their
        own, and in common worlds, in points; correlation; and how many times as many worlds the former would need.
    """
    import pandas as pd

    comparison = found.comparison
    best, rows = comparison.best(), []
    for i, row in enumerate(found.rows):
        if i == best:
            continue
        own, other, paired = comparison.estimate(i), comparison.estimate(best), comparison.difference(i, best)
        apart = np.hypot(own.se, other.se)
        correlation = (apart**2 - paired.se**2) / (2 * own.se * other.se)
        rows.append((row.label, apart, paired.se, correlation, (apart / paired.se) ** 2))
    columns = ["choice", "error, worlds of its own", "error, common worlds", "correlation", "worlds saved (factor)"]
    return pd.DataFrame(rows, columns=columns).set_index("choice").round(3)


def money_of_next_lot(uniforms: Floats) -> Floats:
    """Draw the next lot of `position` with the uniform numbers of each world, and count its value as money.

    Parameters
    ----------
    uniforms
        ``float64[n_worlds, 4]`` in [0, 1).

    Returns
    -------
    ``float64[n_worlds]``

    Examples
    --------
    >>> money_of_next_lot(np.zeros((1, 4)))  # the four lowest of the unseen cards: dealers
    array([0.])
    """
    counts = position().unseen.counts
    values = np.sort(np.repeat(VALUES, counts))  # by value, so that a number's size says something about the card
    size = next_lot_size(position())
    drawn = permutations(uniforms, len(values))[:, :size]
    return np.asarray(values[drawn].sum(axis=1), dtype=float)


def means_of_samples(worlds: int, samples: int, stratified: bool, seed: int = 1) -> Floats:
    """Estimate the mean value of the next lot again and again, each time from new worlds.

    Parameters
    ----------
    worlds
        Worlds a sample, a power of two.
    samples
        How many samples.
    stratified
        Whether the worlds of a sample are spread evenly.
    seed
        Root of the random numbers.

    Returns
    -------
    ``float64[samples]``
    """
    n, dims = worlds * samples, next_lot_size(position())
    if stratified:
        uniforms = balanced_uniforms(seed, dims, 0, n, batch_size=worlds)
    else:
        uniforms = np.random.default_rng(seed).random((n, dims))
    return np.asarray(money_of_next_lot(uniforms).reshape(samples, worlds).mean(axis=1))


def plot_stratifying(worlds: int = 64, samples: int = 1000, *, scheme: str = "neutral") -> go.Figure:
    """Draw how the means of samples scatter, with worlds at random and with worlds spread evenly."""
    drawn = {
        name: means_of_samples(worlds, samples, name == "spread evenly") for name in ("at random", "spread evenly")
    }
    low, high = (edge(values) for edge, values in zip((np.min, np.max), [drawn["at random"]] * 2, strict=True))
    edges = np.linspace(low, high, 45)
    figure, said = go.Figure(), []
    for series, (name, values) in zip(SERIES, drawn.items(), strict=False):
        shares, _ = np.histogram(values, edges)
        figure.add_scatter(
            x=((edges[:-1] + edges[1:]) / 2).tolist(), y=(100 * shares / samples).tolist(), mode="lines",
            fill="tozeroy", fillcolor=faint(series.colour, 0.25),
            line={"color": series.colour, "dash": series.dash, "shape": "hvh"},
            name=f"{name}: sd {values.std(ddof=1):.3f}", hoverinfo="skip",
        )  # fmt: skip
        said.append(f"worlds {name}: mean {values.mean():.3f}, sd {values.std(ddof=1):.3f}")
    figure.update_xaxes(title_text=f"mean of {worlds} worlds (value of the next lot as money)")
    figure.update_yaxes(title_text="samples (%)", rangemode="tozero")
    view = f"{samples:,} samples of {worlds} worlds each; both are right on average"
    return dressed(figure, "How far a sample's mean may be off", view, f"{view}. {'; '.join(said)}.", scheme=scheme)


def distances(pairs: int = PAIRS, most: int = MOST, seed: int = 1) -> Floats:
    """Differences between equal choices: how many standard errors from nought, after each world.

    Returns
    -------
    ``float64[pairs, most]``
        Absolute mean difference over its standard error after 1, 2, … worlds; 0 where there is no error yet.
    """
    steps = np.random.default_rng(seed).standard_normal((pairs, most))
    n = np.arange(1, most + 1)
    mean = np.cumsum(steps, axis=1) / n
    variance = (np.cumsum(steps**2, axis=1) - n * mean**2) / np.maximum(n - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.abs(mean) / np.sqrt(variance / n)
    found[:, 0] = 0.0
    return np.asarray(found)


def false_alarms(found: Floats, limit: float, first: int = FIRST_LOOK) -> Floats:
    """Share of equal pairs that are called different so far, if one looks after every world.

    Parameters
    ----------
    found
        What `distances` gives.
    limit
        Standard errors beyond which a difference is called one.
    first
        Worlds before the first look.

    Returns
    -------
    ``float64[most - first + 1]``
        After ``first``, ``first + 1``, … worlds.
    """
    return np.asarray(np.maximum.accumulate(found[:, first - 1 :] > limit, axis=1).mean(axis=0))


def careful_alarms(found: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The same by the toolkit's rule: few looks, and a limit that knows of them.

    Returns
    -------
    tuple
        Worlds at each look, and the share of equal pairs that are called different so far.
    """
    looks = [FIRST_WORLDS]
    while (following := next_checkpoint(FIRST_WORLDS, looks[-1])) <= found.shape[1]:
        looks.append(following)
    at = np.array(looks)
    beyond = found[:, at - 1] > threshold(at, FIRST_WORLDS)
    return at, np.asarray(np.maximum.accumulate(beyond, axis=1).mean(axis=0))


def plot_peeking(*, scheme: str = "neutral") -> go.Figure:
    """Draw in how many of `PAIRS` pairs of equal choices a difference is found, by rule of stopping."""
    found = distances()
    worlds = np.arange(FIRST_LOOK, MOST + 1)
    looks, careful = careful_alarms(found)
    lines = {
        f"every world, {TWO_SIDED} errors": (worlds, false_alarms(found, TWO_SIDED)),
        "every world, 3 errors": (worlds, false_alarms(found, 3.0)),
        "the toolkit's rule": (looks, careful),
    }
    figure, said = go.Figure(), []
    for series, (name, (x, shares)) in zip(SERIES, lines.items(), strict=False):
        figure.add_scatter(
            x=x.tolist(), y=(100 * shares).tolist(), name=name, mode="lines",
            line={"color": series.colour, "dash": series.dash, "shape": "hv"},
            hovertemplate="%{x} worlds: %{y:.1f} %<extra></extra>",
        )  # fmt: skip
        said.append(f"{name}: {100 * shares[-1]:.1f} % in the end")
    figure.add_hline(y=5, line={"color": "#797979", "dash": "dash", "width": 1.5})
    ticks = [16, 50, 100, 200, 500, 1000]
    figure.update_xaxes(
        title_text="worlds played so far", type="log", tickvals=ticks, ticktext=[f"{n:,}" for n in ticks]
    )
    figure.update_yaxes(title_text="equal pairs called different (%)", rangemode="tozero")
    view = f"{PAIRS:,} pairs of choices that are exactly equal; dashed: the 5 % that one look promises"
    return dressed(figure, "Stopping too early", view, f"{view}. {'; '.join(said)}.", scheme=scheme)


def _gap() -> Estimate:
    return advice().comparison.difference(RIVAL, 0)


def _needed(now: float) -> float:
    gap = _gap()
    return gap.n * (now / GOAL) ** 2


def _saved() -> float:
    comparison = advice().comparison
    return (comparison.estimate(RIVAL).se ** 2 + comparison.estimate(0).se ** 2) / _gap().se ** 2


@cache
def _peeking() -> float:
    return float(false_alarms(distances(), TWO_SIDED)[-1])


first = number(
    "a number of worlds, right to a tenth",
    lambda: _needed(_gap().half_width()),
    lambda: 0.1 * _needed(_gap().half_width()),
    "Compare the half width that you have with the one that you want; its square goes with one over the worlds.",
    slips=[
        Slip(lambda: _gap().n * _gap().half_width() / GOAL, "The error shrinks with the square root of the worlds."),
        Slip(lambda: _needed(_gap().se), "That makes the standard error so small. The ± is 1.96 of them."),
        Slip(
            lambda: _needed(advice().comparison.estimate(RIVAL).half_width()),
            "That is for the mean of one choice. The difference of two has an error of its own.",
        ),
    ],
    least=1,
    why="And that for a difference that nobody will notice in play. Decide what it is worth before you compute.",
)
"""Worlds for a half width of `GOAL`."""

second = number(
    "a factor, right to a tenth of it",
    _saved,
    lambda: 0.1 * _saved(),
    "Worlds needed go with the square of the standard error. Compare the squares, with and without pairing.",
    slips=[
        Slip(lambda: _saved() ** 0.5, "By that factor the errors differ. How many worlds is that?"),
        Slip(lambda: 1 / _saved(), "The other way round: without pairing one needs more worlds, not fewer."),
    ],
    least=0,
    why="Common worlds cost nothing, and take out the luck that both choices share.",
)
"""How many times as many worlds without pairing."""

third = number(
    "a share from 0 to 1, right to 0.04",
    _peeking,
    0.04,
    "Draw many pairs without any difference, and count in how many the limit is passed at some moment.",
    slips=[
        Slip(lambda: 0.05, "That is the chance at one look. Somebody who looks a thousand times has many chances."),
        Slip(lambda: 1.0, "Looks at nearly the same worlds say nearly the same; not every pair goes wrong."),
        Slip(
            lambda: float(false_alarms(distances(), TWO_SIDED, FIRST_LOOK)[100 - FIRST_LOOK]),
            "That is what it comes to after the first hundred worlds.",
        ),
    ],
    least=0,
    most=1,
    why="The longer one plays, the more: with no end, nearly every equal pair would be called different one day.",
)
"""Share of equal pairs that are called different."""
