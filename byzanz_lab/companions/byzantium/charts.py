"""Luck and skill at solitaire as a figure: how often each player places all 24 cards."""

from __future__ import annotations

from html import escape

import plotly.graph_objects as go

from byzanz_lab.charts.theme import BLUE, dressed
from byzanz_lab.companions.byzantium.luck import Ladder


def plot_ladder(ladder: Ladder, *, scheme: str = "neutral") -> go.Figure:
    """Draw the chance of placing all 24 cards for each player, with its 95 % interval.

    Parameters
    ----------
    ladder
        What `win_rates` or `luck_and_skill` found.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `byzanz_lab.charts.describe` gives what it says in words.
    """
    names = [escape(name, quote=False) for name in ladder.names]
    chances = [tuple(100 * share for share in ladder.chance(name)) for name in ladder.names]
    placed = [f"{ladder.placed(name).mean:.2f} ± {ladder.placed(name).half_width():.2f}" for name in ladder.names]
    figure = go.Figure()
    figure.add_scatter(
        x=[mean for mean, _, _ in chances],
        y=names,
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [high - mean for mean, _, high in chances],
            "arrayminus": [mean - low for mean, low, _ in chances],
            "color": BLUE,
            "thickness": 2,
        },
        mode="markers",
        marker={"symbol": "circle", "size": 11, "color": BLUE},
        customdata=placed,
        hovertemplate="%{y}: all 24 in %{x:.2f} % of the deals<br>%{customdata} cards placed<extra></extra>",
        showlegend=False,
    )
    figure.update_xaxes(title_text="all 24 cards placed (% of the deals)", range=[-2, 102])
    figure.update_yaxes(range=[len(names) - 0.5, -0.5])
    view = f"solitaire, 95\u00a0% intervals over the same {ladder.deals:,} deals"
    rows = zip(ladder.names, chances, placed, strict=True)
    said = "; ".join(f"{n}: {mean:.1f} % ({low:.1f} to {high:.1f}), {p} cards" for n, (mean, low, high), p in rows)
    return dressed(figure, "Luck and skill", view, f"{view}. {said}.", scheme=scheme, height=120 + 36 * len(names))
