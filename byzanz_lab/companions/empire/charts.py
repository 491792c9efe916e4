"""The equilibrium of a meld game as a figure: how often each meld is played, and what it loses alone."""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import Final

import plotly.graph_objects as go

from byzanz_lab.charts.theme import BLUE, SERIES, dressed, faint
from byzanz_lab.companions.empire.mixed_strategy import Equilibrium
from byzanz_lab.companions.empire.telling import label

MOST: Final = 12
"""Melds that are drawn, those played most often first, then those that are least exploitable."""
WIDTH: Final = 34
"""Letters in a line of a label, so that telephones keep room for the figure."""


def plot_equilibrium(game: Equilibrium, *, scheme: str = "neutral") -> go.Figure:
    """Draw for each candidate meld its chance in the mixed strategy, and how much it loses when it is played alone.

    Parameters
    ----------
    game
        What `equilibrium` found.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `byzanz_lab.charts.describe` gives what it says in words.
    """
    deck, unit = game.position.table.deck, game.secures.unit
    rows = sorted(game.rows(), key=lambda row: (-row["chance"], row["exploited"].mean))[:MOST][::-1]
    names = ["<br>".join(wrap(escape(label(deck, row["action"]), quote=False), WIDTH)) for row in rows]
    chances = [100 * row["chance"] for row in rows]
    lost = [row["exploited"] for row in rows]
    figure = go.Figure()
    figure.add_bar(
        x=chances,
        y=names,
        orientation="h",
        name="chance in the mixed strategy",
        marker={"color": faint(BLUE, 0.5), "line": {"color": BLUE, "width": 1}},
        hovertemplate="%{y}: played in %{x:.1f} %<extra></extra>",
    )
    figure.add_scatter(
        x=[value.mean for value in lost],
        y=names,
        xaxis="x2",
        mode="markers",
        name=f"lost if played alone and seen through ({unit}, 95 %)",
        marker={"color": SERIES[1].colour, "symbol": SERIES[1].symbol, "size": 9},
        error_x={"type": "data", "array": [value.half_width() for value in lost], "color": SERIES[1].colour},
        customdata=[[str(value)] for value in lost],
        hovertemplate="%{y}: loses %{customdata[0]}<extra></extra>",
    )
    figure.update_layout(
        xaxis={"domain": [0, 0.46], "title": {"text": "chance (%)"}, "rangemode": "tozero"},
        xaxis2={"domain": [0.54, 1], "title": {"text": f"loses ({unit})"}, "anchor": "y"},
        height=160 + 44 * len(rows),
    )
    title = "A meld that nobody can see through"
    left = len(game.candidates) - len(rows)
    view = f"The mixed strategy secures {game.secures}" + (f"; {left} more candidates are not drawn" if left else "")
    said = "; ".join(
        f"{label(deck, row['action'])}: {row['chance']:.0%}, loses {row['exploited']}" for row in reversed(rows)
    )
    return dressed(figure, title, view, f"{title}. {view}. {said}.", scheme=scheme)
