"""The standings over a game, action by action: who led when, and where the game was decided.

Profits are public to anyone who kept count (ruling *set-profit*), so this is what all at the table could see.
"""

from __future__ import annotations

from html import escape

import plotly.graph_objects as go

from byzanz_lab.charts.theme import SCHEMES, SERIES, dressed
from byzanz_lab.game.record import Record


def plot_standings(record: Record, *, scheme: str = "neutral") -> go.Figure:
    """Draw the profits of all seats over a game, finished or not.

    Parameters
    ----------
    record
        The game.
    scheme
        ``neutral``, ``light`` or ``dark``, see `byzanz_lab.charts.theme`.

    Returns
    -------
    plotly.graph_objects.Figure
        Not shown yet; `describe` gives what it says in words.

    Raises
    ------
    InvalidRecord
        If an action of the record is not allowed.

    Examples
    --------
    >>> from byzanz_lab import Rules, default_policy, new_game, play_game
    >>> record = play_game([default_policy()] * 3, new_game(Rules.for_seats(3), seed=1))
    >>> figure = plot_standings(record)
    >>> [trace.type for trace in figure.data][:1]
    ['scatter']
    """
    turns = list(record.states())
    final = record.replay()
    tables = [*(turn.state.table for turn in turns), final.table]
    names = [f"seat {seat}" + (f" ({name})" if name else "") for seat, name in enumerate(_names(record))]
    deeds = ["the deal", *(f"{names[turn.seat]}: {turn.action}" for turn in turns)]
    figure = go.Figure()
    for seat, name in enumerate(names):
        series = SERIES[seat]
        figure.add_scatter(
            x=list(range(len(tables))),
            y=[table.profits[seat] for table in tables],
            mode="lines",
            line={"color": series.colour, "dash": series.dash, "width": 2.5, "shape": "hv"},
            name=escape(name, quote=False),
            hovertext=[escape(f"{name}: {t.profits[seat]} points", quote=False) + f"<br>{escape(deed, quote=False)}"
                       for t, deed in zip(tables, deeds, strict=True)],
            hoverinfo="text",
        )  # fmt: skip
    starts = [at for at, table in enumerate(tables) if at == 0 or table.round != tables[at - 1].round]
    line = {"color": SCHEMES.get(scheme, SCHEMES["neutral"]).grid, "width": 1}
    for number, at in enumerate(starts, start=1):
        figure.add_vline(x=at, line=line)
        figure.add_annotation(
            text=f"{number}", x=at, y=1, yref="paper", xanchor="left", yanchor="bottom", showarrow=False
        )
    figure.update_xaxes(title_text="actions taken (numbers above: rounds)", range=[0, max(len(turns), 1)])
    figure.update_yaxes(title_text="profit (points)", rangemode="tozero")
    standing = ", ".join(f"{name} {profit}" for name, profit in zip(names, final.scores, strict=True))
    ended = "unfinished" if not final.is_over else "won by " + " and ".join(names[s] for s in final.result().winners)
    view = f"What all at the table could see: profits after each of {len(turns)} actions; {ended}"
    return dressed(figure, "Standings over the game", view, f"{view}. In the end: {standing}.", scheme=scheme)


def _names(record: Record) -> tuple[str, ...]:
    return record.names or ("",) * record.rules.seats
