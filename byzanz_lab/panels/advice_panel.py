"""The panel that says what to do: in a sentence, in a table and in a figure, growing while it thinks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import ipywidgets as w
import plotly.graph_objects as go

from byzanz_lab.charts.bids import plot_bid_curve
from byzanz_lab.charts.choices import plot_choices
from byzanz_lab.charts.convergence import plot_convergence
from byzanz_lab.charts.lots import plot_lot_distribution
from byzanz_lab.charts.markets import plot_market_values
from byzanz_lab.charts.theme import dressed
from byzanz_lab.game.actions import Bid
from byzanz_lab.panels.live import LiveFigure
from byzanz_lab.panels.session import Session
from byzanz_lab.panels.still import still
from byzanz_lab.panels.thinking import Answer
from byzanz_lab.panels.views import Message, View, paragraph, program, take_away, with_fallback

OBJECTIVES: Final = [["profit", "most profit"], ["margin", "biggest lead"], ["win", "best chance to win"]]
TIMES: Final = [["1", "1 second"], ["4", "4 seconds"], ["15", "15 seconds"], ["60", "a minute"], ["300", "5 minutes"]]
FIGURE_EVERY: Final = 0.5
"""Least number of seconds between two changes of the figure while it thinks."""


class AdviceView(View):
    """All of the panel but the figure."""

    _esm = program("dom.js", "advice.js")


class AdvicePanel(w.VBox):
    """Advice on the position of a session.

    Parameters
    ----------
    session
        What it shows; a new one if not given.
    figure
        A figure of a panel that has retired, to be used again; a new one if not given.

    Attributes
    ----------
    figure
        The `LiveFigure`; its ``widget`` is the only figure widget of the panel.
    chart
        Name of the chart that is shown, one of those of `charts_of`; empty for the first.
    """

    _open = False

    def __init__(self, session: Session | None = None, figure: LiveFigure | None = None) -> None:
        self.session = Session() if session is None else session
        self.chart = ""
        self._drawn: tuple[Any, ...] = ()
        self._drawn_at = 0.0
        self._words = ""
        self.figure = LiveFigure(_no_figure(), ready=False) if figure is None else figure
        if figure is not None:
            figure.show(_no_figure())
        view = answer_view(self.session, self.chart) | self.figure.caption
        self.bar = AdviceView(self._hear_page, self.session.fail, view=view, words=self.figure.words)
        super().__init__([self.bar], _dom_classes=["bz-panel", "bz-advice-panel"])
        self.session.observe(self._draw, "revision")
        self.bar.observe(self._on_theme, "dark")
        self._draw(None)
        self._open = True

    def retire(self) -> None:
        """Listen to nobody any more; the figure can be handed on."""
        if self._open:
            self._open = False
            self.session.unobserve(self._draw, "revision")
            self.bar.retire()
            self.children = (self.bar,)  # the figure may be shown elsewhere, and closed there

    def close(self) -> None:
        """Take it away with all its parts; the session stays."""
        self.retire()
        if self.comm is not None and hasattr(self, "figure"):
            self.bar.close()
            self.figure.close()
        take_away(self, super().close)

    # -- shown -------------------------------------------------------------------------------------------------------

    def _draw(self, _: Any) -> None:
        with self.session.lock:
            self._draw_figure()
            if self.session.state == "running" or self.session.answer is not None:
                self.figure.put_into(self)
            view = answer_view(self.session, self.chart)
            self.bar.view = view | self.figure.caption

    def _draw_figure(self) -> None:
        answer = self.session.answer
        charts = charts_of(answer)
        name = self.chart if self.chart in charts else next(iter(charts), "")
        state = (answer, name, self.session.stale)
        if state == self._drawn:
            return
        busy = self.session.state == "running" and self._drawn[1:] == state[1:]
        if busy and time.monotonic() - self._drawn_at < FIGURE_EVERY:
            return
        self._drawn, self._drawn_at = state, time.monotonic()
        self.figure.show(charts[name](answer) if charts else _no_figure())
        self.figure.faint(self.session.stale)
        self.bar.words = self.figure.words

    def _on_theme(self, _: Any) -> None:
        with self.session.lock:
            if self.bar.dark is not None:
                self.figure.theme(self.bar.dark)
                self.bar.view = self.bar.view | self.figure.caption

    # -- told --------------------------------------------------------------------------------------------------------

    def _hear_page(self, message: Message) -> None:
        session, what = self.session, message.get("do")
        if what == "figure":
            self.figure.show_again(self)
        elif what == "think":
            session.think()
        elif what == "stop":
            session.stop()
        elif what == "more":
            session.think_longer()
        elif what == "set" and message["field"] == "objective":
            session.objective = str(message["text"])
        elif what == "set" and message["field"] == "seconds":
            session.seconds = float(message["text"])
            self._draw(None)
        elif what == "set" and message["field"] == "chart":
            self.chart = str(message["text"])
            self._draw(None)

    def to_html(self) -> str:
        """The answer as HTML that needs no kernel: a sentence, a figure, a table."""
        answer = self.session.answer
        if answer is None:
            return paragraph("Nothing has been worked out yet.")
        stale = paragraph("This is about the position before the last change.") if self.session.stale else ""
        values = answer.lot or answer.market
        extra = values._repr_html_() if values is not None else ""
        return f"{stale}{still(answer.advice)}{answer.advice._repr_html_()}{extra}"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        answer = self.session.answer
        text = "AdvicePanel(no answer yet)" if answer is None else f"AdvicePanel({answer.advice.sentence!r})"
        return with_fallback(super()._repr_mimebundle_(**kwargs), self.to_html(), text)


def charts_of(answer: Answer | None) -> dict[str, Callable[[Answer], go.Figure]]:
    """The charts that there are for an answer, by name, the most telling one first."""
    if answer is None or not answer.advice.comparison.worlds:
        return {}
    found: dict[str, Callable[[Answer], go.Figure]] = {}
    if any(isinstance(row.action, Bid) for row in answer.advice.rows):
        found["bid curve"] = lambda a: plot_bid_curve(a.advice, a.lot)
    found["choices"] = lambda a: plot_choices(a.advice)
    if answer.lot is not None:
        found["worth of the lot, world by world"] = lambda a: plot_lot_distribution(a.lot)  # type: ignore[arg-type]
    if answer.market is not None:
        found["worth of the market"] = lambda a: plot_market_values(a.market)  # type: ignore[arg-type]
    if len(answer.steps) > 1 and len(answer.advice.rows) > 1 and not answer.advice.is_exact:
        found["how it settles"] = lambda a: plot_convergence((*a.steps, a.advice))
    return found


def answer_view(session: Session, chart: str) -> dict[str, Any]:
    """All that the view draws, as plain values."""
    answer: Answer | None = session.answer
    charts = list(charts_of(answer))
    values = None if answer is None else answer.lot or answer.market
    times = TIMES if any(float(key) == session.seconds for key, _ in TIMES) else [
        [f"{session.seconds:g}", f"{session.seconds:g} seconds"], *TIMES]  # fmt: skip
    return {
        "state": session.state,
        "progress": session.progress,
        "problem": session.problem,
        "status": status(session),
        "so_far": "" if answer is None or session.stale else f"{answer.advice.comparison.worlds:,} worlds so far",
        "error": session.error,
        "stale": session.stale,
        "can_extend": answer is not None and not session.stale and not session.problem,
        "objective": session.objective,
        "objectives": OBJECTIVES,
        "seconds": f"{session.seconds:g}",
        "times": times,
        "sentence": "" if answer is None else answer.advice.sentence,
        "also": also(answer),
        "table": "" if answer is None else answer.advice._repr_html_(),
        "values": "" if values is None else values._repr_html_(),
        "values_title": "What the lot is worth at each price" if answer and answer.lot else "What each group is worth",
        "chart": chart if chart in charts else next(iter(charts), ""),
        "charts": [[name, name] for name in charts],
    }


def status(session: Session) -> str:
    """What goes on, in a sentence."""
    answer = session.answer
    if session.state == "running":
        return "Thinking …" if answer is not None else "Getting ready; the very first time takes some 20 seconds …"
    if session.problem:
        return session.problem
    if answer is None:
        return "Ready: press Advise." if session.state != "stopped" else "Stopped before there was an answer."
    if session.stale:
        return "The position has changed: press Advise."
    if session.state == "stopped":
        return "Stopped. This is the answer so far."
    return "Nothing could change this answer any more." if answer.is_settled else "Done. More time makes it surer."


def also(answer: Answer | None) -> str:
    """What the lot or the market is worth, in a sentence."""
    if answer is None:
        return ""
    if answer.lot is not None:
        return answer.lot.sentence
    if answer.market is not None:
        best = answer.market.best(answer.position.seat)
        return f"Of the market, {best.cards} is worth most to you, if you pick next."
    return ""


def _no_figure() -> go.Figure:
    words = "There is no figure yet: nothing has been worked out."
    figure = dressed(go.Figure(), "The view of your seat", "Nothing has been worked out yet", words, height=60)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure
