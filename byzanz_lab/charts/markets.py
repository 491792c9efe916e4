"""What each group of the market is worth to each seat that has still to pick, side by side.

It answers "what will be left for me?": a group that is worth much to the seats before will be gone. The worth of a
group to a rival is an estimate over worlds that the asking seat believes in, and no look into the rival's hand.
"""

from __future__ import annotations

from html import escape

import plotly.graph_objects as go

from byzanz_lab.advice.markets import MarketValues
from byzanz_lab.advice.render import OBJECTIVE_WORDS
from byzanz_lab.charts.drawing import axis_title, error_bars, known_objective, means, spoken
from byzanz_lab.charts.theme import SCHEMES, SERIES, dressed
from byzanz_lab.game.cards import GOOD_NAMES

SPREAD = 0.7
"""Share of a group's band that its marks take up."""


def plot_market_values(values: MarketValues, *, objective: str | None = None, scheme: str = "neutral") -> go.Figure:
    """Draw the worth of each group to each seat, over taking nothing.

    Parameters
    ----------
    values
        What `market_values` answered.
    objective
        ``profit``, ``margin`` or ``win``; by default the one of the answer.
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
    >>> from byzanz_lab import load_sample, market_values
    >>> figure = plot_market_values(market_values(load_sample("market"), budget=64))
    >>> [trace.type for trace in figure.data][:1]
    ['scatter']
    """
    name = known_objective(objective, values.objective)
    groups, seats, own = values.market.groups(), values.order, values.position.seat
    figure = go.Figure()
    said = []
    for place, seat in enumerate(seats):
        found = [values.of(seat, good).value[name] for good in groups]
        series, label = SERIES[seat], f"seat {seat}{' (you)' if seat == own else ''}"
        shift = SPREAD * ((place + 0.5) / len(seats) - 0.5)
        figure.add_scatter(
            x=means(found, name),
            y=[at + shift for at in range(len(groups))],
            error_x=error_bars(found, name, series.colour),
            mode="markers",
            marker={"symbol": series.symbol, "size": 11, "color": series.colour},
            name=f"{place + 1}. {label}",
            hovertext=[
                f"{GOOD_NAMES[good]} to {label}: {spoken(one, name, True)}"
                for good, one in zip(groups, found, strict=True)
            ],
            hoverinfo="text",
        )
        said += [f"{good} to {label} {spoken(one, name, True)}" for good, one in zip(groups, found, strict=True)]
    figure.add_vline(x=0, line={"color": SCHEMES.get(scheme, SCHEMES["neutral"]).line, "width": 2, "dash": "dash"})
    texts = [f"{escape(GOOD_NAMES[good])}<br>{escape(str(values.market.group(good)))}" for good in groups]
    figure.update_xaxes(title_text=axis_title(name, "nothing"))
    figure.update_yaxes(tickvals=list(range(len(groups))), ticktext=texts, range=[len(groups) - 0.5, -0.5])
    title = f"Worth of each group, seen by seat {own}"
    worlds = f"95\u00a0% intervals, {values.worlds:,} worlds a seat"
    view = f"{OBJECTIVE_WORDS[name].capitalize()} over taking nothing, {worlds}; seats in the order in which they pick"
    words = f"{title}. {view}. {'; '.join(said)}."
    height = 150 + len(groups) * max(40, 18 * len(seats))
    return dressed(figure, title, view, words, scheme=scheme, height=height)
