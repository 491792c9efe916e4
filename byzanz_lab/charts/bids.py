"""The bid curve: what bidding each total brings, what winning at it is worth, and where passing is as good.

It answers "how high?". For each total stands what bidding it brings (from `advise`), what winning the lot at it brings
(from `lot_value`), or both, beside the line of passing. Where winning falls below that line lies the reservation price.
Differences to passing are paired, so a bar that stays clear of the line means what it seems to mean. Below, on an axis
of its own, stands the chance that the bid wins the lot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from byzanz_lab.advice.advise import Advice
from byzanz_lab.advice.lots import LotValue
from byzanz_lab.advice.render import OBJECTIVE_WORDS
from byzanz_lab.charts.drawing import axis_title, basis, ends, error_bars, known_objective, means, spoken
from byzanz_lab.charts.theme import BLUE, GREEN, PURPLE, SCHEMES, VERMILLION, dressed, faint
from byzanz_lab.evaluation import Estimate
from byzanz_lab.game.actions import Bid, Pass

MARKS: Final = {"best": ("diamond", 14), "level": ("circle", 10), "worse": ("circle-open", 9)}
"""Marker and its size by verdict."""
LEGEND: Final = {"best": "best choice", "level": "level with the best", "worse": "worse"}
"""What the markers are called."""


@dataclass(frozen=True)
class Curve:
    """The numbers behind a bid curve, by rising total.

    Attributes
    ----------
    totals
        What each point comes to as a bid.
    values
        What it brings; over passing, or at the end of the game.
    paid
        What it is paid with.
    passing
        What passing brings at the end of the game; ``None`` when values are gains over passing.
    chances
        Chance that the seat wins the lot; empty where winning is supposed.
    verdicts
        ``best``, ``level`` or ``worse``; empty where winning is supposed.
    """

    totals: tuple[int, ...]
    values: tuple[Estimate, ...]
    paid: tuple[str, ...]
    passing: Estimate | None
    chances: tuple[Estimate, ...] = ()
    verdicts: tuple[str, ...] = ()


def bid_curve(advice: Advice, objective: str, over_passing: bool = True) -> Curve:
    """What bidding each total brings.

    Raises
    ------
    ValueError
        If there is no bid among the choices.
    """
    rows = [(i, row) for i, row in enumerate(advice.rows) if isinstance(row.action, Bid)]
    if not rows:
        raise ValueError(f"there is no bid to draw: the decision is {advice.position.phase}; see plot_choices")
    passing = next(i for i, row in enumerate(advice.rows) if isinstance(row.action, Pass))
    compared = advice.comparison
    return Curve(
        totals=tuple(row.total or 0 for _, row in rows),
        values=tuple(
            compared.difference(i, passing, objective) if over_passing else row.estimates[objective] for i, row in rows
        ),
        paid=tuple(row.label for _, row in rows),
        passing=None if over_passing else advice.rows[passing].estimates[objective],
        chances=tuple(row.lot for _, row in rows if row.lot is not None),
        verdicts=tuple(row.verdicts[objective] for _, row in rows),
    )


def winning_curve(lot: LotValue, objective: str, over_passing: bool = True) -> Curve:
    """What winning the lot at each total brings."""
    values = [
        price.value[objective] if over_passing else lot.comparison.estimate(i, objective)
        for i, price in enumerate(lot.prices, start=1)
    ]
    return Curve(
        totals=tuple(price.total for price in lot.prices),
        values=tuple(values),
        paid=tuple(
            f"win at {price.total} with {price.cards}" if price.cards else "win it free" for price in lot.prices
        ),
        passing=None if over_passing else lot.passing[objective],
    )


def plot_bid_curve(
    answer: Advice | LotValue,
    lot: LotValue | None = None,
    *,
    objective: str | None = None,
    over_passing: bool = True,
    scheme: str = "neutral",
) -> go.Figure:
    """Draw what each bid brings, what winning the lot is worth at each price, or both.

    Parameters
    ----------
    answer
        What `advise` or `lot_value` answered.
    lot
        With advice, also what `lot_value` answered for the same position.
    objective
        ``profit``, ``margin`` or ``win``; by default the one of the answer.
    over_passing
        Gains over passing, paired, with passing as the line at nought; otherwise what the seat ends with, and passing
        with its own band.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Raises
    ------
    ValueError
        If there is no bid to draw, nothing was played out, or the two answers are about different positions.

    Examples
    --------
    >>> from byzanz_lab import advise, load_sample, lot_value
    >>> position = load_sample("auction")
    >>> figure = plot_bid_curve(advise(position, 64), lot_value(position, budget=64))
    >>> [trace.type for trace in figure.data][:1]
    ['scatter']
    """
    advice, lot = (answer, lot) if isinstance(answer, Advice) else (None, answer)
    name = known_objective(objective, answer.objective)
    if advice is not None:
        advice = advice.with_objective(name)
    if lot is not None:
        lot = replace(lot, objective=name)
    if advice is not None and lot is not None and lot.position != advice.position:
        raise ValueError("the advice and the worth of the lot are about different positions")
    bids = bid_curve(advice, name, over_passing) if advice is not None else None
    wins = winning_curve(lot, name, over_passing) if lot is not None else None
    curves = [curve for curve in (bids, wins) if curve is not None]
    figure = _axes(name, over_passing, with_chances=bids is not None)
    _draw_passing(
        figure,
        curves,
        "passing" + (": best choice" if advice and not isinstance(advice.best.action, Bid) else ""),
        name,
        scheme,
    )
    if lot is not None and wins is not None:
        _draw_winning(figure, wins, name)
        _draw_reservation(figure, lot, curves)
    if bids is not None:
        _draw_bids(figure, bids, name)
        _draw_chances(figure, bids)
    title = f"What winning {lot.lot} is worth to" if lot is not None and advice is None else "What each bid brings"
    seat = answer.position.seat
    words = f"{OBJECTIVE_WORDS[name]}{' over passing' if over_passing else ''}"
    rest = basis(*(one.comparison for one in (advice, lot) if one is not None))
    view = f"The view of seat {seat}: {words}, {rest}"
    said = [one.sentence for one in (advice, lot) if one is not None]
    said += [_in_words(curve, name, what) for curve, what in ((bids, "Bidding"), (wins, "Winning")) if curve]
    return dressed(figure, f"{title} seat {seat}", view, f"{view}. {' '.join(said)}", scheme=scheme)


def _axes(name: str, over_passing: bool, with_chances: bool) -> go.Figure:
    rows = 2 if with_chances else 1
    heights = [0.74, 0.26] if with_chances else None
    figure = make_subplots(rows=rows, cols=1, shared_xaxes=True, row_heights=heights, vertical_spacing=0.06)
    figure.update_yaxes(title_text=axis_title(name, "passing" if over_passing else None), row=1, col=1)
    if with_chances:
        figure.update_yaxes(title_text="lot won (%)", range=[0, 112], tickvals=[0, 50, 100], row=2, col=1)
    figure.update_xaxes(title_text="total of the bid (value of its goods)", row=rows, col=1)
    return figure


def _draw_passing(figure: go.Figure, curves: list[Curve], label: str, name: str, scheme: str) -> None:
    """The line of passing; with its band where it is not the zero of the scale."""
    totals = [total for curve in curves for total in curve.totals]
    left, right = min(totals) - 0.6, max(totals) + 0.6
    passing = curves[0].passing
    level = 0.0 if passing is None else means([passing], name)[0]
    if passing is not None:
        low, high = ends([passing], name)[0]
        figure.add_scatter(
            x=[left, right, right, left],
            y=[low, low, high, high],
            fill="toself",
            fillcolor=faint("#808080", 0.22),
            mode="none",
            name="passing, 95 %",
            hoverinfo="skip",
            showlegend=False,
        )
    hover = "passing: the zero of this scale" if passing is None else f"pass: {spoken(passing, name, False)}"
    figure.add_scatter(
        x=[left, right],
        y=[level, level],
        mode="lines",
        line={"color": SCHEMES.get(scheme, SCHEMES["neutral"]).line, "width": 2, "dash": "dash"},
        name=label,
        hovertext=[hover, hover],
        hoverinfo="text",
    )
    figure.update_xaxes(range=[left, right], dtick=1 if right - left <= 18 else 2, tick0=0)


def _draw_winning(figure: go.Figure, curve: Curve, name: str) -> None:
    """What winning is worth, in a band of 95 % intervals."""
    band = ends(curve.values, name)
    figure.add_scatter(
        x=[*curve.totals, *reversed(curve.totals)],
        y=[*(high for _, high in band), *(low for low, _ in reversed(band))],
        fill="toself",
        fillcolor=faint(GREEN),
        mode="none",
        name="winning, 95 %",
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(
        x=curve.totals,
        y=means(curve.values, name),
        mode="lines+markers",
        line={"color": GREEN, "width": 2},
        marker={"symbol": "square", "size": 7, "color": GREEN},
        name="winning at this price",
        hovertext=_hovers(curve, name),
        hoverinfo="text",
    )


def _draw_reservation(figure: go.Figure, lot: LotValue, curves: list[Curve]) -> None:
    """A vertical line at the reservation price, over a strip of the prices that it may be."""
    price, (low, high) = lot.reservation_price, lot.reservation_range
    if price is None or high is None:
        return
    totals = [total for curve in curves for total in curve.totals]
    line = {"color": VERMILLION, "width": 2, "dash": "dot"}
    across = {"xref": "x", "yref": "y domain", "y0": 0, "y1": 1, "layer": "below"}
    figure.add_shape(type="line", x0=price, x1=price, line=line, name="reservation price", **across)
    start = min(totals) if low is None else low
    strip = {"fillcolor": faint(VERMILLION, 0.08), "line": {"width": 0}}
    figure.add_shape(type="rect", x0=start, x1=high, name="reservation range", **strip, **across)
    place = (price - min(totals)) / max(1, max(totals) - min(totals))
    figure.add_annotation(
        text=f"reservation price {reservation_words(lot)}",
        x=price,
        y=1,
        xref="x",
        yref="y domain",
        yanchor="bottom",
        xanchor="left" if place < 0.4 else "center" if place < 0.6 else "right",  # never out of a narrow window
        showarrow=False,
        font={"color": VERMILLION},
    )


def reservation_words(lot: LotValue) -> str:
    """The reservation price with what it may be: ``6 (0 to 7)``; "none" where no price is worth it."""
    price, (low, high) = lot.reservation_price, lot.reservation_range
    texts = ["none" if one is None else str(one) for one in (price, low, high)]
    return texts[0] if low == high else f"{texts[0]} ({texts[1]} to {texts[2]})"


def _draw_bids(figure: go.Figure, curve: Curve, name: str) -> None:
    """A marker and an error bar a bid; the marker says how it compares with the best choice."""
    y, hovers = means(curve.values, name), _hovers(curve, name)
    for verdict, (symbol, size) in MARKS.items():
        at = [i for i, found in enumerate(curve.verdicts) if found == verdict]
        if not at:
            continue
        figure.add_scatter(
            x=[curve.totals[i] for i in at],
            y=[y[i] for i in at],
            error_y=error_bars([curve.values[i] for i in at], name, BLUE),
            mode="markers",
            marker={"symbol": symbol, "size": size, "color": BLUE, "line": {"color": BLUE, "width": 2}},
            name=LEGEND[verdict],
            hovertext=[hovers[i] for i in at],
            hoverinfo="text",
        )


def _draw_chances(figure: go.Figure, curve: Curve) -> None:
    """The chance that each bid wins the lot, on its own axis."""
    figure.add_bar(
        x=curve.totals,
        y=means(curve.chances, "lot"),
        error_y=error_bars(curve.chances, "lot", PURPLE) | {"thickness": 1.2, "width": 3},
        width=0.55,
        marker={"color": faint(PURPLE, 0.45), "line": {"color": PURPLE, "width": 1.2}, "pattern": {"shape": "/"}},
        name="chance to win the lot",
        hovertext=[
            f"bid {t}: wins the lot {spoken(c, 'lot', False)}" for t, c in zip(curve.totals, curve.chances, strict=True)
        ],
        hoverinfo="text",
        showlegend=False,
        row=2,
        col=1,
    )


def _hovers(curve: Curve, name: str) -> list[str]:
    over = " over passing" if curve.passing is None else ""
    return [
        f"{paid}: {spoken(value, name, curve.passing is None)}{over}<br>{value.n:,} worlds"
        for paid, value in zip(curve.paid, curve.values, strict=True)
    ]


def _in_words(curve: Curve, name: str, what: str) -> str:
    """All numbers of a curve, for those who cannot see it."""
    over = ", over passing" if curve.passing is None else f", where passing brings {spoken(curve.passing, name, False)}"
    pairs = zip(curve.totals, curve.values, strict=True)
    return f"{what}{over}: " + "; ".join(f"{t}: {spoken(v, name, curve.passing is None)}" for t, v in pairs) + "."
