"""Every choice of a decision beside the best: how far behind, and how surely.

For decisions that are no bids: a tax card, a group of the market, a sale, what to drop. Each dot is the paired
difference to the choice that looks best, with its 95 % interval; an interval that reaches the line of the best means
that the two cannot be told apart yet.
"""

from __future__ import annotations

import textwrap
from html import escape

import plotly.graph_objects as go

from byzanz_lab.advice.advise import Advice
from byzanz_lab.advice.render import OBJECTIVE_WORDS
from byzanz_lab.advice.rows import Row
from byzanz_lab.charts.bids import LEGEND, MARKS
from byzanz_lab.charts.drawing import axis_title, basis, error_bars, known_objective, means, spoken
from byzanz_lab.charts.theme import BLUE, SCHEMES, dressed
from byzanz_lab.evaluation import Estimate

LABEL_WIDTH = 20
"""Characters of a label's line; what is longer goes on below."""


def plot_choices(advice: Advice, *, objective: str | None = None, scheme: str = "neutral") -> go.Figure:
    """Draw how far each choice is behind the best.

    Parameters
    ----------
    advice
        What `advise` answered, about any decision.
    objective
        ``profit``, ``margin`` or ``win``; by default the one of the advice.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Raises
    ------
    ValueError
        If nothing was played out.

    Examples
    --------
    >>> from byzanz_lab import advise, load_sample
    >>> figure = plot_choices(advise(load_sample("market"), 64))
    >>> [trace.type for trace in figure.data][:1]
    ['scatter']
    """
    name = known_objective(objective, advice.objective)
    advice = advice.with_objective(name)
    rows = sorted(advice.rows, key=lambda row: -means([_gap(row, name)], name)[0])
    labels = {id(row): _label(row) for row in rows}
    figure = go.Figure()
    for verdict, (symbol, size) in MARKS.items():
        chosen = [row for row in rows if row.verdicts[name] == verdict]
        if not chosen:
            continue
        gaps = [_gap(row, name) for row in chosen]
        figure.add_scatter(
            x=means(gaps, name),
            y=[labels[id(row)] for row in chosen],
            error_x=error_bars(gaps, name, BLUE),
            mode="markers",
            marker={"symbol": symbol, "size": size, "color": BLUE, "line": {"color": BLUE, "width": 2}},
            name=LEGEND[verdict],
            hovertext=[_hover(row, name) for row in chosen],
            hoverinfo="text",
        )
    line = {"color": SCHEMES.get(scheme, SCHEMES["neutral"]).line, "width": 2, "dash": "dash"}
    figure.add_vline(x=0, line=line)
    figure.update_xaxes(title_text=axis_title(name, "the best"))
    order = [labels[id(row)] for row in rows]
    figure.update_yaxes(categoryorder="array", categoryarray=order, range=[len(rows) - 0.5, -0.5])
    seat = advice.position.seat
    view = f"The view of seat {seat}: {OBJECTIVE_WORDS[name]} beside the best, {basis(advice.comparison)}"
    said = "; ".join(f"{row.label}: {_said(row, name)}" for row in rows)
    words = f"{view}. {advice.sentence} Behind the best: {said}."
    return dressed(
        figure, f"What each choice brings seat {seat}", view, words, scheme=scheme, height=150 + 38 * len(rows)
    )


def _gap(row: Row, name: str) -> Estimate:
    """The difference to the best; for the best itself nought, without error, over its own worlds."""
    gap = row.to_best[name]
    own = row.estimates[name]
    return gap if gap is not None else Estimate.exactly(0.0, own.n, own.unit) if own.n else own


def _label(row: Row) -> str:
    return "<br>".join(escape(line, quote=False) for line in textwrap.wrap(row.label, LABEL_WIDTH))


def _said(row: Row, name: str) -> str:
    gap = row.to_best[name]
    return "the best" if gap is None else spoken(gap, name, True)


def _hover(row: Row, name: str) -> str:
    own = row.estimates[name]
    brings = f"{spoken(own, name, False)} at the end, {own.n:,} worlds"
    return f"{escape(row.label, quote=False)}: {_said(row, name)}<br>{brings}"
