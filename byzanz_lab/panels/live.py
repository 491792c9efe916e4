"""A figure that is shown once and then changed in place, all at once.

Each `FigureWidget` carries 5 MB of program to the browser and is never quite collected, so a panel has one, for good.
It holds a pool of traces of each type; ``show`` lays any figure of `byzanz_lab.charts` over them in one batch, which is
one message. The state that a page reload, a second view or Voilà reads is refreshed after each batch: the widget itself
does that only when it is the whole result of a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

import ipywidgets as w
import plotly.graph_objects as go

from byzanz_lab.charts.theme import CONFIG, coloured, describe
from byzanz_lab.panels.views import take_away

POOL: Final = {"heatmap": 1, "bar": 3, "scatter": 14}
"""Traces of each type, enough for any chart of the package."""
TOP: Final = 34
"""Margin above a figure without title, in pixels."""
KEPT: Final = frozenset({"type", "uid", "visible"})
"""Properties of a pooled trace that are not those of the trace that it shows."""


class LiveFigure:
    """One figure widget, and the figure that it shows.

    Parameters
    ----------
    figure
        What to show first.
    pool
        Traces by type that there is room for.

    Attributes
    ----------
    widget
        The widget, to be put into a box. It has the class ``bz-figure``.
    dark
        Whether the page is dark; ``None`` while that is not known.
    title, below
        Title and subtitle, as HTML: they stand beside the figure, where lines break as the window asks.
    words
        The text alternative.
    stamp
        Rises with each figure, which carries it: so a page can see whether it has missed one.
    """

    def __init__(self, figure: go.Figure, pool: Mapping[str, int] = POOL, dark: bool | None = None) -> None:
        self.dark, self.stamp = dark, 0
        figure = self._take(figure)
        traces = [{"type": kind, "visible": False} for kind, n in pool.items() for _ in range(n)]
        blank = go.Figure(traces, skip_invalid=False)
        _lay_over(blank, figure)
        self.widget = go.FigureWidget(blank)
        self.widget._config = CONFIG | {"displayModeBar": False}
        self.widget.add_class("bz-figure")

    @property
    def caption(self) -> dict[str, Any]:
        """What the view beside it draws and compares."""
        return {"figure": self.title, "below": self.below, "stamp": self.stamp}

    def show(self, figure: go.Figure) -> None:
        """Show another figure, in one batch.

        Raises
        ------
        ValueError
            If there are not enough traces of a type in the pool.
        """
        figure = self._take(figure)
        with self.widget.batch_update():
            _lay_over(self.widget, figure)
        self._save()

    def theme(self, dark: bool) -> None:
        """Change letters and grid to those of a light or a dark page."""
        if dark != self.dark:
            self.dark = dark
            self.show(self._shown)

    def show_again(self, box: w.Box) -> None:
        """For a page that has missed what the figure holds: tell it, and draw it anew in its box."""
        self.widget.send_state(["_widget_data", "_widget_layout", "_config"])
        children = box.children
        box.children = tuple(child for child in children if child is not self.widget)
        box.children = children

    def close(self) -> None:
        """Take the widget away, and let go of what it holds."""
        self.widget._widget_data, self.widget._widget_layout = [], {}
        take_away(self.widget)

    def _take(self, figure: go.Figure) -> go.Figure:
        """A copy for this page: in its colours, with title and subtitle taken out."""
        self._shown, self.words = figure, describe(figure)
        title, margin = figure.layout.title, figure.layout.margin.t
        self.title, self.below = _plain(title.text), _plain(title.subtitle.text)
        figure = go.Figure(figure)
        figure.update_layout(title=None, margin_t=TOP, height=figure.layout.height - max(0, margin - TOP))
        if self.dark is not None:
            coloured(figure, "dark" if self.dark else "light")
        figure.layout.title = None
        self.stamp += 1
        figure.layout.meta = {**figure.layout.meta, "stamp": self.stamp}
        return figure

    def _save(self) -> None:
        self.widget._widget_data = deepcopy(self.widget._data)
        self.widget._widget_layout = deepcopy(self.widget._layout_obj._props)


def _plain(text: str | None) -> str:
    """A title's text on one line; what is left is escaped text, and bold letters."""
    return (text or "").replace("<br>", " ")


def _lay_over(target: go.Figure, figure: go.Figure) -> None:
    """Give the pooled traces of ``target`` and its layout what ``figure`` has, and hide the traces left over."""
    free: dict[str, Iterator[Any]] = {
        kind: iter([trace for trace in target.data if trace.type == kind]) for kind in {t.type for t in target.data}
    }
    used = set()
    for trace in figure.data:
        slot = next(free.get(trace.type, iter(())), None)
        if slot is None:
            raise ValueError(f"the live figure has no room for another trace of type {trace.type!r}")
        _change(slot, slot.to_plotly_json(), trace.to_plotly_json(), KEPT)
        used.add(slot.uid if slot.uid else id(slot))
        if slot.visible is not True:
            slot.visible = True
    for slot in target.data:
        if (slot.uid if slot.uid else id(slot)) not in used and slot.visible is not False:
            slot.visible = False
    _change(target.layout, target.layout.to_plotly_json(), figure.layout.to_plotly_json(), frozenset())


def _change(target: Any, old: Mapping[str, Any], new: Mapping[str, Any], kept: frozenset[str]) -> None:
    """Set what differs, by the names of the outermost properties."""
    for name in sorted((set(old) | set(new)) - kept):
        before, after = old.get(name), new.get(name)
        if not _same(before, after):
            target[name] = after


def _same(one: Any, other: Any) -> bool:
    """Whether two values of a property are the same; nothing set is the same as an empty list or text."""
    try:
        return bool(one == other) or (_is_empty(one) and _is_empty(other))
    except ValueError:  # arrays
        return False


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (dict, list, tuple, str)) and not value)
