"""How an estimate settles: the leading choices beside the one that is best in the end, as worlds are added.

Bands shrink with the root of the number of worlds: four times the worlds halve them. Two choices whose bands still
overlap the line of the best cannot be told apart yet, and it is seen here how many more worlds that would take.
"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from byzanz_lab.advice.advise import Advice
from byzanz_lab.advice.render import OBJECTIVE_WORDS
from byzanz_lab.charts.drawing import axis_title, halves, known_objective, means, spoken
from byzanz_lab.charts.theme import SCHEMES, SERIES, dressed, faint

MOST_TICKS = 5
MOST = 4
"""Choices that are drawn beside the best."""


def plot_convergence(
    steps: Sequence[Advice], *, objective: str | None = None, most: int = MOST, scheme: str = "neutral"
) -> go.Figure:
    """Draw how far the leading choices were behind, as worlds were added.

    Parameters
    ----------
    steps
        Two or more states of the same advice, each extended from the one before (`Advice.extend`).
    objective
        ``profit``, ``margin`` or ``win``; by default the one of the last.
    most
        Choices to draw beside the best, 1 to 6.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Raises
    ------
    ValueError
        If there are fewer than two states or choices, they are about different choices, or the answer is exact.

    Examples
    --------
    >>> from byzanz_lab import advise, load_sample
    >>> advice = advise(load_sample("market"), 64, racing=False)
    >>> figure = plot_convergence([advice, advice.extend(64)])
    >>> [trace.type for trace in figure.data][:1]
    ['scatter']
    """
    _check(steps, most)
    name = known_objective(objective, steps[-1].objective)
    last = steps[-1].comparison
    best, *others = last.ranking(name)
    rows = steps[-1].rows
    figure = go.Figure()
    worlds = [step.comparison.worlds for step in steps]
    said = []
    for series, i in zip(SERIES, others[:most], strict=False):
        gaps = [step.comparison.difference(i, best, name) for step in steps]
        middle, wide = means(gaps, name), [half or 0.0 for half in halves(gaps, name)]
        figure.add_scatter(
            x=[*worlds, *reversed(worlds)],
            y=[*(m + w for m, w in zip(middle, wide, strict=True)), *(m - w for m, w in _backwards(middle, wide))],
            fill="toself", fillcolor=faint(series.colour, 0.15), mode="none",
            name=f"{rows[i].label}, 95 %", hoverinfo="skip", showlegend=False,
        )  # fmt: skip
        figure.add_scatter(
            x=worlds,
            y=middle,
            mode="lines+markers",
            line={"color": series.colour, "dash": series.dash, "width": 2},
            marker={"symbol": series.symbol, "size": 7, "color": series.colour},
            name=rows[i].label,
            hovertext=[f"{rows[i].label}: {spoken(gap, name, True)}<br>{gap.n:,} worlds" for gap in gaps],
            hoverinfo="text",
        )
        said.append(
            f"{rows[i].label} {spoken(gaps[0], name, True)} at first, {spoken(gaps[-1], name, True)} in the end"
        )
    ticks = worlds[:: max(1, len(worlds) // MOST_TICKS)]
    line = {"color": SCHEMES.get(scheme, SCHEMES["neutral"]).line, "width": 2, "dash": "dash"}
    figure.add_hline(y=0, line=line)
    figure.update_xaxes(
        title_text="worlds played so far", type="log", tickvals=ticks, ticktext=[f"{n:,}" for n in ticks]
    )
    figure.update_yaxes(title_text=axis_title(name, "the best"))
    seat = steps[-1].position.seat
    view = f"The view of seat {seat}: {OBJECTIVE_WORDS[name]} beside {rows[best].label}, best in the end"
    view += f", 95\u00a0% intervals, {worlds[-1]:,} worlds"
    words = f"{view}. From {worlds[0]:,} to {worlds[-1]:,} worlds: {'; '.join(said)}."
    return dressed(figure, f"How the advice to seat {seat} has settled", view, words, scheme=scheme)


def _backwards(middle: list[float], wide: list[float]) -> list[tuple[float, float]]:
    return list(zip(reversed(middle), reversed(wide), strict=True))


def _check(steps: Sequence[Advice], most: int) -> None:
    if len(steps) < 2:
        raise ValueError(f"it takes two or more states of the advice to see it settle, not {len(steps)}")
    if not 1 <= most <= len(SERIES):
        raise ValueError(f"1 to {len(SERIES)} choices can be drawn beside the best, not {most}")
    if any(step.is_exact for step in steps):
        raise ValueError("this advice is exact, all worlds were listed: there is nothing that settles")
    if len(steps[-1].options) < 2:
        raise ValueError("there is only one choice, so there is nothing to compare")
    if any(step.options != steps[-1].options or step.position != steps[-1].position for step in steps):
        raise ValueError("the states are about different choices; extend the same advice")
    worlds = [step.comparison.worlds for step in steps]
    if worlds != sorted(set(worlds)) or not worlds[0]:
        raise ValueError("the numbers of worlds must rise from state to state")
