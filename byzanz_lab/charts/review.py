"""The course of a reviewed game: what each seat could expect, from before the deal to the result.

Steps at draws are luck, steps at actions are play. The decisions that cost most are marked.
"""

from __future__ import annotations

from html import escape

import plotly.graph_objects as go

from byzanz_lab.advice.review import Review
from byzanz_lab.advice.review_render import draw_label, who
from byzanz_lab.advice.review_values import Change
from byzanz_lab.charts.drawing import axis_title
from byzanz_lab.charts.theme import SERIES, dressed

MARKED = 5
"""Costliest decisions that are marked."""


def plot_review(review: Review, *, scheme: str = "neutral") -> go.Figure:
    """Draw the value of a game for each reviewed seat, event by event.

    Parameters
    ----------
    review
        What `review` found.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Examples
    --------
    >>> from byzanz_lab import Rules, default_policy, new_game, play_game, review
    >>> record = play_game([default_policy()] * 3, new_game(Rules.for_seats(3), seed=1))
    >>> figure = plot_review(review(record, worlds=2))
    >>> [trace.type for trace in figure.data][:1]
    ['scatter']
    """
    scale = 100.0 if review.objective == "win" else 1.0
    events = ["before the deal", *(_event(review, change) for change in review.course.changes)]
    figure = go.Figure()
    for seat in review.seats:
        series = SERIES[seat]
        figure.add_scatter(
            x=list(range(len(events))),
            y=(scale * review.values(seat)).tolist(),
            mode="lines",
            line={"color": series.colour, "dash": series.dash, "width": 2.5, "shape": "hv"},
            name=escape(f"seat {who(review, seat)}", quote=False),
            hovertext=[escape(event, quote=False) for event in events],
            hoverinfo="text+y",
        )
    _mark_worst(figure, review, scale)
    figure.update_xaxes(title_text="events of the game")
    figure.update_yaxes(title_text=axis_title(review.objective))
    view = "all hands known" if review.view is None else f"as seat {review.view} could know"
    below = f"Expected {review.objective} if the policies play on; {view}; {review.worlds:,} worlds a moment"
    return dressed(figure, "The course of the game", below, f"{below}. {review.sentence}", scheme=scheme)


def _mark_worst(figure: go.Figure, review: Review, scale: float) -> None:
    """Mark the costliest decisions where they were taken."""
    at = {c.number: step for step, c in enumerate(review.course.changes, start=1) if c.seat is not None}
    for judged in review.worst[:MARKED]:
        figure.add_scatter(
            x=[at[judged.number]],
            y=[scale * float(review.values(judged.seat)[at[judged.number]])],
            mode="markers",
            marker={"symbol": "x", "size": 12, "color": SERIES[judged.seat].colour},
            name=judged.word,
            showlegend=False,
            hovertext=[escape(f"{judged.word}: {judged.label} instead of {judged.best_label}", quote=False)],
            hoverinfo="text",
        )


def _event(review: Review, change: Change) -> str:
    if change.seat is None:
        return draw_label(change)
    return f"seat {who(review, change.seat)}: {change.action}"
