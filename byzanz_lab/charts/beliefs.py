"""What a seat can know of hidden cards: where each kind may lie, and who could pay how much.

Before any inference from behaviour these chances are exact, so nothing here has an error bar: the unseen cards are
spread at random over the rivals' hands, the deck and the removed cards.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import plotly.graph_objects as go

from byzanz_lab.advice.beliefs import expected_counts, purse
from byzanz_lab.charts.theme import SCHEMES, SERIES, dressed
from byzanz_lab.game.cards import GOOD_NAMES, GROUPS, KINDS
from byzanz_lab.game.position import Position
from byzanz_lab.simulation.encoding import require_position

EXACT: Final = "exact chances, nothing inferred from behaviour"


def plot_beliefs(position: Position, *, by: str = "kind", scheme: str = "neutral") -> go.Figure:
    """Draw how many cards of each kind or group are expected in each hidden place.

    Parameters
    ----------
    position
        What the seat knows.
    by
        ``kind`` for a row a kind, ``group`` for a row a good and one for the dealers.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Raises
    ------
    TypeError
        If it is given a State.
    ValueError
        If ``by`` is neither.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> figure = plot_beliefs(load_sample("auction"), by="group")
    >>> [trace.type for trace in figure.data][:1]
    ['heatmap']
    """
    if by not in ("kind", "group"):
        raise ValueError(f"beliefs are drawn by 'kind' or by 'group', not by {by!r}")
    table = expected_counts(position)
    if by == "group":
        table = table.groupby([kind.rstrip("1234") for kind in KINDS]).sum().loc[list(GROUPS)]
    rivals = [place for place in table.columns if place.startswith("seat")]
    names = [GOOD_NAMES.get(row, row) for row in table.index]
    figure = go.Figure()
    figure.add_heatmap(
        z=table.to_numpy().round(4).tolist(),
        x=[place.replace(" ", "<br>") for place in table.columns],
        y=names,
        colorscale="Cividis",
        zmin=0,
        zmax=max(float(table[rivals].to_numpy().max()), 1.0),  # the deck has more of everything; its colour may top out
        showscale=False,  # each cell has its number
        texttemplate="%{z:.1f}",
        hovertemplate="%{y}, %{x}: %{z:.2f} cards expected<extra></extra>",
        xgap=2,
        ygap=1,
    )
    figure.update_xaxes(side="bottom", tickangle=0)
    figure.update_yaxes(autorange="reversed", type="category")
    title = f"What may lie where: view of seat {position.seat}"
    view = f"Expected number of cards, {EXACT}; cards that a rival is known to hold are counted in"
    most = [f"{place}: {names[int(np.argmax(table[place]))]} {table[place].max():.1f}" for place in table.columns]
    totals = [f"{place} {table[place].sum():.0f}" for place in table.columns]
    words = f"{title}. {view}. Cards in all: {', '.join(totals)}. Most expected: {'; '.join(most)}."
    return dressed(figure, title, view, words, scheme=scheme, height=130 + (20 if by == "kind" else 34) * len(table))


def plot_purses(position: Position, *, scheme: str = "neutral") -> go.Figure:
    """Draw for each rival the chance that it could bid a total or more.

    Parameters
    ----------
    position
        What the seat knows.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Raises
    ------
    TypeError
        If it is given a State.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> figure = plot_purses(load_sample("auction"))
    >>> [trace.type for trace in figure.data][:1]
    ['scatter']
    """
    figure, said = go.Figure(), []
    require_position(position)
    for seat in range(position.rules.seats):
        if seat == position.seat:
            continue
        found = purse(position, seat)
        totals = list(range(int(found.first + len(found.chances)) + 1))
        chances = [100 * found.at_least(total) for total in totals]
        series = SERIES[seat]
        figure.add_scatter(
            x=totals,
            y=chances,
            mode="lines+markers",
            line={"color": series.colour, "dash": series.dash, "width": 2},
            marker={"symbol": series.symbol, "size": 7, "color": series.colour},
            name=f"seat {seat}",
            hovertext=[f"seat {seat} can pay {b}: {c:.0f} %" for b, c in zip(totals, chances, strict=True)],
            hoverinfo="text",
        )
        even = max((b for b, c in zip(totals, chances, strict=True) if c >= 50), default=0)
        said.append(f"seat {seat} {found.mean:.1f} on average, {even} or more with an even chance")
    if position.high_bid:
        line = {"color": SCHEMES.get(scheme, SCHEMES["neutral"]).line, "width": 2, "dash": "dash"}
        figure.add_vline(x=position.high_bid, line=line)
        figure.add_annotation(
            text="highest bid", x=position.high_bid, y=1, yref="paper", yanchor="bottom", showarrow=False
        )
    figure.update_xaxes(title_text="total of a bid (value of its goods)", rangemode="tozero")
    figure.update_yaxes(title_text="chance to afford it (%)", range=[0, 104])
    title = f"Who could pay how much: view of seat {position.seat}"
    view = f"Goods in hand and in the open bid, {EXACT}"
    return dressed(figure, title, view, f"{title}. {view}. {'; '.join(said)}.", scheme=scheme)
