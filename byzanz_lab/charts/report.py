"""Advice on a page of its own: one HTML file that needs no network, no kernel and no installation to be read.

The page says what to do, draws it, lists every number, shows the position that was asked about, and says what the
numbers mean and what they do not. It is light or dark as the reader's system is, and fits a telephone. Everything
that is not the page's own text is escaped, and the page forbids itself to load anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

import plotly.graph_objects as go

from byzanz_lab import __version__
from byzanz_lab.advice.advise import Advice
from byzanz_lab.advice.lots import LotValue
from byzanz_lab.advice.render import OBJECTIVE_WORDS
from byzanz_lab.charts.bids import plot_bid_curve
from byzanz_lab.charts.choices import plot_choices
from byzanz_lab.charts.report_page import NOTES, STYLE, page
from byzanz_lab.charts.theme import CONFIG, describe
from byzanz_lab.game.actions import Bid

PAGE_CONFIG: Final = CONFIG | {"displayModeBar": False}
"""Of figures on a page: no row of buttons over them."""


def advice_report(advice: Advice, lot: LotValue | None = None, *, names: Sequence[str] = ()) -> str:
    """A page about one decision.

    Parameters
    ----------
    advice
        What `advise` answered.
    lot
        For a bid, also what `lot_value` answered for the same position.
    names
        Per seat, a name; empty for none.

    Returns
    -------
    str
        A whole HTML document, about 5 MB because it carries the program that draws.

    Raises
    ------
    ValueError
        If the number of names is not the number of seats, nothing was played out, or the two answers are about
        different positions.

    Examples
    --------
    >>> from byzanz_lab import advise, load_sample
    >>> html = advice_report(advise(load_sample("market"), budget=64))
    >>> html[:15], "http-equiv" in html
    ('<!DOCTYPE html>', True)
    """
    seats = advice.position.rules.seats
    if names and len(names) != seats:
        raise ValueError(f"{seats} seats need {seats} names, not {len(names)}")
    seat = advice.position.seat
    heading = f"What should seat {seat} do?"
    figures = _figures(advice, lot)
    body = [
        f"<header><p class='kind'>Byzanz advice</p><h1>{escape(heading)}</h1>{_names(names, seat)}"
        f"<p class='answer'><strong>{escape(advice.sentence)}</strong></p></header>",
        *(_figure_html(figure, number) for number, figure in enumerate(figures)),
        f"<section class='choices'><h2>All choices</h2>{advice._repr_html_()}</section>",
        _lot_html(lot) if lot is not None else "",
        f"<section><h2>The position</h2><div class='wide'>{advice.position._repr_html_()}</div></section>",
        NOTES,
        _made_of(advice),
    ]
    return page(f"Byzanz: {heading}", STYLE, "\n".join(body))


def _figures(advice: Advice, lot: LotValue | None) -> list[go.Figure]:
    if any(isinstance(row.action, Bid) for row in advice.rows):
        return [plot_bid_curve(advice, lot)]
    return [plot_choices(advice)]


def _figure_html(figure: go.Figure, number: int) -> str:
    """One figure with its words; only the first carries the program that draws."""
    figure.update_layout(dragmode=False)  # so that a finger on it scrolls the page
    drawn = figure.to_html(
        full_html=False,
        include_plotlyjs=number == 0,
        include_mathjax=False,
        config=PAGE_CONFIG,
        div_id=f"figure-{number}",
    )
    words = escape(describe(figure), quote=True)
    return (
        f'<figure><div role="img" aria-label="{words}">{drawn}</div>'
        "<noscript><p>Drawing needs JavaScript; the numbers stand in the table.</p></noscript></figure>"
    )


def _names(names: Sequence[str], seat: int) -> str:
    if not any(names):
        return ""
    cells = "".join(
        f"<li>seat {i}{' (asks)' if i == seat else ''}: <bdi>{escape(name) or '—'}</bdi></li>"
        for i, name in enumerate(names)
    )
    return f"<ul class='names'>{cells}</ul>"


def _lot_html(lot: LotValue) -> str:
    return f"<section><h2>What the lot is worth</h2><div class='wide'>{lot._repr_html_()}</div></section>"


def _made_of(advice: Advice) -> str:
    """What it takes to get the same numbers again."""
    players = ", ".join(dict.fromkeys(policy.name for policy in advice.policies))
    facts = (
        f"objective: {OBJECTIVE_WORDS[advice.objective]}; seed {advice.seed}; {advice.comparison.worlds:,} worlds; "
        f"played out by: {players}; byzanz_lab {__version__}"
    )
    return (
        f"<footer><p>{escape(facts)}</p><details><summary>The position as text</summary>"
        f"<pre>{escape(str(advice.position))}</pre></details></footer>"
    )
