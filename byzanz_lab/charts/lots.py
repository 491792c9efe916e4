"""What winning a lot changes, world by world: not the mean alone, but how often it is better, equal and worse.

A mean gain of half a point may come from half a point nearly always or from five points now and then. The bars show in
how many of the worlds winning at one price brings how much more than passing in the same world.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import plotly.graph_objects as go

from byzanz_lab.advice.lots import LotValue
from byzanz_lab.advice.render import OBJECTIVE_WORDS
from byzanz_lab.charts.drawing import PER_CENT, axis_title, means, spoken
from byzanz_lab.charts.theme import GREEN, SCHEMES, VERMILLION, dressed, faint

SIDES: Final = {"better": (GREEN, "/"), "no change": ("#808080", ""), "worse": (VERMILLION, "x")}
"""Colour and pattern of the bars."""


def plot_lot_distribution(lot: LotValue, total: int | None = None, *, scheme: str = "neutral") -> go.Figure:
    """Draw how much winning at one price changes, as shares of the worlds.

    Parameters
    ----------
    lot
        What `lot_value` answered; its objective is drawn.
    total
        The price; by default the reservation price, or the lowest price where there is none.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Raises
    ------
    ValueError
        If the seat cannot win at this price, or nothing was played out.

    Examples
    --------
    >>> from byzanz_lab import load_sample, lot_value
    >>> figure = plot_lot_distribution(lot_value(load_sample("auction"), budget=64), total=3)
    >>> [trace.type for trace in figure.data][:1]
    ['bar']
    """
    totals = [price.total for price in lot.prices]
    asked = total if total is not None else totals[0] if lot.reservation_price is None else lot.reservation_price
    gains = lot.distribution(asked)
    estimate = lot.prices[totals.index(asked)].value[lot.objective]
    (mean,) = means([estimate], lot.objective)
    values, counts = np.unique(np.round((100 if lot.objective in PER_CENT else 1) * gains, 6), return_counts=True)
    shares = 100 * counts / counts.sum()
    figure = go.Figure()
    said = []
    for side, chosen in {"worse": values < 0, "no change": values == 0, "better": values > 0}.items():
        colour, pattern = SIDES[side]
        said.append(f"{side} in {shares[chosen].sum():.0f} %")
        figure.add_bar(
            x=values[chosen].tolist(),
            y=shares[chosen].tolist(),
            name=f"{side}: {shares[chosen].sum():.0f} %",
            marker={
                "color": faint(colour, 0.5),
                "line": {"color": colour, "width": 1.2},
                "pattern": {"shape": pattern},
            },
            hovertemplate="%{x:+g}: %{y:.1f} % of the worlds<extra></extra>",
        )
    line = SCHEMES.get(scheme, SCHEMES["neutral"]).line
    figure.add_vline(x=mean, line={"color": line, "width": 2, "dash": "dot"})
    figure.add_annotation(
        text=f"mean {spoken(estimate, lot.objective, True)}",
        x=mean, y=1, yref="paper", yanchor="bottom", showarrow=False,
    )  # fmt: skip
    figure.update_xaxes(title_text=axis_title(lot.objective, "passing"))
    figure.update_yaxes(title_text="worlds (%)", rangemode="tozero")
    figure.update_layout(bargap=0.15)
    seat = lot.position.seat
    view = (
        f"The view of seat {seat}: {OBJECTIVE_WORDS[lot.objective]} over passing, world by world, {len(gains):,} worlds"
    )
    words = f"{view}. Mean {spoken(estimate, lot.objective, True)}; {', '.join(said)} of the worlds."
    return dressed(figure, f"Winning {lot.lot} at {asked}: the change for seat {seat}", view, words, scheme=scheme)
