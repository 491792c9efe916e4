"""A figure that is shown once and then changed in place, all at once.

Each `FigureWidget` carries 5 MB of program to the browser and is never quite collected, so a panel has one, for good,
and only when there is something to be seen. The program is brought in after the widget has started (``figure.js``),
because a page gives each widget two seconds to start, and is deaf to one that was late.
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
import traitlets as t

from byzanz_lab.charts.theme import CONFIG, coloured, describe
from byzanz_lab.panels.views import program, take_away

POOL: Final = {"heatmap": 1, "bar": 3, "scatter": 14}
"""Traces of each type, enough for any chart of the package."""
TOP: Final = 34
"""Margin above a figure without title, in pixels."""
KEPT: Final = frozenset({"type", "uid", "visible"})
"""Properties of a pooled trace that are not those of the trace that it shows."""


class _Figure(go.FigureWidget):
    """A figure widget that starts before its program has been read."""

    _esm = program("figure.js")
    _program = t.Unicode(str(go.FigureWidget._esm)).tag(sync=True)  # the text of plotly's own


class LiveFigure:
    """One figure widget, and the figure that it shows.

    Parameters
    ----------
    figure
        What to show first.
    pool
        Traces by type that there is room for.
    dark
        Whether the page is dark; ``None`` while that is not known.
    ready
        Whether to make the widget at once, not when it is put into a box.

    Attributes
    ----------
    widget
        The widget, with the class ``bz-figure``; ``None`` as long as nobody needs it.
    dark
        Whether the page is dark; ``None`` while that is not known.
    title, below
        Title and subtitle, as HTML: they stand beside the figure, where lines break as the window asks.
    words
        The text alternative.
    stamp
        Rises with each figure, which carries it: so a page can see whether it has missed one.
    """

    def __init__(
        self, figure: go.Figure, pool: Mapping[str, int] = POOL, dark: bool | None = None, ready: bool = True
    ) -> None:
        self.dark, self.stamp, self.pool = dark, 0, pool
        self.is_faint = False
        self.widget: Any = None
        self._laid = self._take(figure)
        if ready:
            self._make()

    def _make(self) -> None:
        traces = [{"type": kind, "visible": False} for kind, n in self.pool.items() for _ in range(n)]
        blank = go.Figure(traces, skip_invalid=False)
        _lay_over(blank, self._laid)
        self.widget = _Figure(blank)
        self.widget._config = CONFIG | {"displayModeBar": False}
        self.widget.add_class("bz-figure")
        self.faint(self.is_faint)

    @property
    def caption(self) -> dict[str, Any]:
        """What the view beside it draws and compares."""
        return {"figure": self.title, "below": self.below, "stamp": self.stamp, "live": self.widget is not None}

    def show(self, figure: go.Figure) -> None:
        """Show another figure, in one batch.

        Raises
        ------
        ValueError
            If there are not enough traces of a type in the pool.
        """
        self._laid = self._take(figure)
        if self.widget is not None:
            with self.widget.batch_update():
                _lay_over(self.widget, self._laid)
            self._save()

    def theme(self, dark: bool) -> None:
        """Change letters and grid to those of a light or a dark page."""
        if dark != self.dark:
            self.dark = dark
            self.show(self._shown)

    def faint(self, on: bool) -> None:
        """Whether it is about something that has changed since, and looks like it."""
        self.is_faint = on
        if self.widget is not None:
            (self.widget.add_class if on else self.widget.remove_class)("bz-stale-figure")

    def put_into(self, box: w.Box) -> None:
        """Make it the last child of a box, unless it is."""
        if self.widget is None:
            self._make()
        if self.widget not in box.children:
            box.children = (*box.children, self.widget)

    def show_again(self, box: w.Box) -> None:
        """For a page on which it has not come up, or has missed something: a new widget in the same box."""
        former, self.widget = self.widget, None
        if former is not None:
            box.children = tuple(child for child in box.children if child is not former)
            _let_go(former)
            self.put_into(box)

    def close(self) -> None:
        """Take the widget away, and let go of what it holds."""
        former, self.widget = self.widget, None
        if former is not None:
            _let_go(former)

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


def _let_go(widget: go.FigureWidget) -> None:
    """Close a widget, which is never quite collected, without what it holds."""
    widget._widget_data, widget._widget_layout = [], {}
    take_away(widget)


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
