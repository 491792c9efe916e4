"""Standings of a tournament: each policy's share of the wins, with its error, beside a fair share."""

from __future__ import annotations

from html import escape

import plotly.graph_objects as go

from byzanz_lab.advice.tournament_result import Standings
from byzanz_lab.charts.drawing import error_bars, means
from byzanz_lab.charts.theme import BLUE, SCHEMES, dressed


def plot_tournament(standings: Standings, *, scheme: str = "neutral") -> go.Figure:
    """Draw the share of the wins of each policy.

    Parameters
    ----------
    standings
        What a tournament found.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Examples
    --------
    >>> from byzanz_lab import Tournament, default_policy, greedy_policy
    >>> figure = plot_tournament(Tournament([default_policy(), greedy_policy()], games=64).run())
    >>> [trace.type for trace in figure.data][:1]
    ['scatter']
    """
    rows = standings.ranking
    wins = [row.wins for row in rows]
    figure = go.Figure()
    figure.add_scatter(
        x=means(wins, "win"),
        y=[escape(row.name, quote=False) for row in rows],
        error_x=error_bars(wins, "win", BLUE),
        mode="markers",
        marker={"symbol": "circle", "size": 11, "color": BLUE},
        name="wins",
        showlegend=False,
    )
    line = {"color": SCHEMES.get(scheme, SCHEMES["neutral"]).line, "width": 2, "dash": "dash"}
    figure.add_vline(x=100 * standings.fair_share, line=line)
    figure.update_xaxes(title_text="wins of one seat (%)", rangemode="tozero")
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5])
    view = f"95\u00a0% intervals over {standings.deals:,} deals; dashed: a fair share"
    said = "; ".join(f"{row.name}: {100 * row.wins.mean:.1f} % ± {100 * row.wins.half_width():.1f}" for row in rows)
    words = f"{view}, {standings.fair_share:.0%}. {standings.sentence} Wins: {said}."
    return dressed(figure, "Who wins how often", view, words, scheme=scheme, height=150 + 38 * len(rows))
