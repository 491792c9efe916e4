"""What the lot will go for: the price's distribution, and the chance that each bid wins it."""

from __future__ import annotations

import plotly.graph_objects as go

from byzanz_lab.advice.forecast import Forecast
from byzanz_lab.charts.theme import BLUE, VERMILLION, dressed, faint


def plot_forecast(forecast: Forecast, *, scheme: str = "neutral") -> go.Figure:
    """Draw the prices a lot may go for as bars, and the chance to get it at each bid as a line.

    Parameters
    ----------
    forecast
        What `forecast` found.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Examples
    --------
    >>> from byzanz_lab import forecast, load_sample
    >>> figure = plot_forecast(forecast(load_sample("opening"), worlds=64))
    >>> [trace.type for trace in figure.data][:1]
    ['bar']
    """
    table = forecast.to_frame()
    figure = go.Figure()
    figure.add_bar(
        x=table["total"].tolist(),
        y=(100 * table["goes_for"]).tolist(),
        name="the lot goes for",
        marker={"color": faint(BLUE, 0.55), "line": {"color": BLUE, "width": 1}},
    )
    chances = [forecast.wins_at(bid) for bid in forecast.bids]
    figure.add_scatter(
        x=list(forecast.bids),
        y=[100 * chance.mean for chance in chances],
        error_y={"type": "data", "array": [100 * chance.half_width() for chance in chances], "color": VERMILLION},
        mode="lines+markers",
        line={"color": VERMILLION, "width": 2.5, "dash": "dash"},
        marker={"symbol": "square", "size": 8},
        name="this bid wins it",
    )
    figure.update_xaxes(title_text="total of the bid, or price", dtick=1)
    figure.update_yaxes(title_text="chance (%)", range=[0, 104])
    seat = forecast.position.seat
    view = (
        f"The view of seat {seat}: 95\u00a0% intervals, {forecast.worlds:,} worlds, everybody bids as the policy does"
    )
    said = "; ".join(f"{bid}: {100 * c.mean:.0f} %" for bid, c in zip(forecast.bids, chances, strict=True))
    words = f"{view}. {forecast.sentence} Chance that a bid wins: {said}."
    return dressed(figure, f"What the lot {forecast.position.lot} goes for", view, words, scheme=scheme)
