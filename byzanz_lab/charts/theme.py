"""How all charts look: colours, second signs, letters, and what a chart says to those who cannot see it.

Colours are those of Okabe and Ito ("Color Universal Design", 2008), which colour-blind readers can tell apart; each
comes with a marker and a dash of its own, so that a chart reads in grey too. The background is transparent, because a
chart stands on pages of any colour: in the scheme ``neutral`` letters and grid are of a grey that reads on white and on
black, ``light`` and ``dark`` are for pages that know what they are. Nothing is ever loaded from the network.
"""

from __future__ import annotations

import textwrap
from html import escape
from typing import Any, Final, NamedTuple

import plotly.graph_objects as go

BLUE: Final = "#0072B2"
GREEN: Final = "#009E73"
VERMILLION: Final = "#D55E00"
PURPLE: Final = "#CC79A7"
ORANGE: Final = "#E69F00"
SKY: Final = "#56B4E9"


class Series(NamedTuple):
    """How one series of numbers is drawn: no two are alike in any of the three."""

    colour: str
    symbol: str
    dash: str


SERIES: Final = (
    Series(BLUE, "circle", "solid"),
    Series(VERMILLION, "square", "dash"),
    Series(GREEN, "diamond", "dot"),
    Series(PURPLE, "triangle-up", "dashdot"),
    Series(ORANGE, "cross", "longdash"),
    Series(SKY, "x", "longdashdot"),
)
"""One a series; six, so that every seat has its own."""


class Scheme(NamedTuple):
    """Colours of what is no data."""

    ink: str
    grid: str
    line: str


SCHEMES: Final = {
    "neutral": Scheme("#797979", "rgba(128,128,128,0.28)", "rgba(128,128,128,0.75)"),
    "light": Scheme("#1f2328", "#d8dee4", "#6e7781"),
    "dark": Scheme("#e6edf3", "#3a424c", "#8b949e"),
}
"""By the page that a chart stands on."""

TITLE_WIDTH: Final = 40
"""Characters of a title's line that fit a window of 390 pixels."""
SUBTITLE_WIDTH: Final = 54
"""Characters of a subtitle's line that fit it."""
FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
CONFIG: Final[dict[str, Any]] = {
    "displaylogo": False,
    "responsive": True,
    "showSendToCloud": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d"],
}
"""For ``figure.show(config=CONFIG)`` and ``figure.to_html(config=CONFIG)``."""


def dressed(
    figure: go.Figure, title: str, view: str, description: str, *, scheme: str = "neutral", height: int = 480
) -> go.Figure:
    """Give a finished figure its title, its look, and its words.

    Parameters
    ----------
    figure
        Traces and axes; it is changed, and handed back.
    title
        What it shows, as plain text.
    view
        From whose point of view, and with what error bars, as plain text.
    description
        The text alternative: what the chart says, as plain text; see `describe`.
    scheme
        ``neutral``, ``light`` or ``dark``.
    height
        In pixels; the width is that of the page.

    Raises
    ------
    ValueError
        If there is no such scheme.
    """
    headline, below = lines_of(title, TITLE_WIDTH), lines_of(view, SUBTITLE_WIDTH)
    n_lines = (headline.count("<br>") + 1, below.count("<br>") + 1)
    figure.update_layout(
        title={
            "text": f"<b>{headline}</b>",
            "font": {"size": 16},
            "subtitle": {"text": below, "font": {"size": 13}},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "yref": "container",
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 12, "l": 12},
        },
        meta={"description": description},
        autosize=True,
        height=height + 22 * n_lines[0] + 17 * n_lines[1],
        margin={"l": 12, "r": 12, "t": 34 + 22 * n_lines[0] + 17 * n_lines[1], "b": 12},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": FONT, "size": 13},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        modebar={"remove": ["sendChartToCloud"]},
        hovermode="closest",
        dragmode="zoom",
        template=None,
    )
    figure.update_xaxes(automargin=True, showline=True, ticks="outside", zeroline=False, showgrid=True)
    figure.update_yaxes(automargin=True, showline=True, ticks="outside", zeroline=False, showgrid=True)
    return coloured(figure, scheme)


def coloured(figure: go.Figure, scheme: str) -> go.Figure:
    """Change the letters and grid of a figure to another scheme; it is changed, and handed back.

    Raises
    ------
    ValueError
        If there is no such scheme.
    """
    if scheme not in SCHEMES:
        raise ValueError(f"unknown scheme {scheme!r} (schemes are {', '.join(SCHEMES)})")
    look = SCHEMES[scheme]
    figure.update_layout(
        font={"color": look.ink},
        title={"font": {"color": look.ink}, "subtitle": {"font": {"color": look.ink}}},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": look.line, "activecolor": look.ink},
    )
    axis = {"title": {"font": {"size": 13}}, "gridcolor": look.grid, "linecolor": look.line, "tickcolor": look.line}
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    return figure


def describe(figure: go.Figure) -> str:
    """The text alternative of a chart of this package: what it shows, in words and numbers.

    Raises
    ------
    ValueError
        If the figure has none.

    Examples
    --------
    >>> from byzanz_lab import load_sample, plot_purses
    >>> describe(plot_purses(load_sample("auction")))[:36]
    'Who could pay how much: view of seat'
    """
    meta = figure.layout.meta
    text = meta.get("description") if isinstance(meta, dict) else None
    if not isinstance(text, str):
        raise ValueError("this figure does not say what it shows; it is none of byzanz_lab.charts")
    return text


def lines_of(text: str, width: int) -> str:
    """Plain text as lines for plotly, which reads a little HTML and wraps nothing by itself."""
    return "<br>".join(escape(line, quote=False) for line in textwrap.wrap(text, width)) or escape(text)


def faint(colour: str, opacity: float = 0.2) -> str:
    """A colour such as ``#0072B2`` that lets through what is behind it."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
