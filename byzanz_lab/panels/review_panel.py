"""The panel that goes through a finished game: what was played, what was best, what it cost, and what was luck.

A record is opened as a file, or handed over. Decisions are stepped through one by one, on the table as their seat saw
it; the chart shows the whole game, with a line at the decision that is looked at.
"""

from __future__ import annotations

from html import escape
from typing import Any, Final

import ipywidgets as w
import plotly.graph_objects as go

from byzanz_lab.advice.render import number, signed
from byzanz_lab.advice.review import Review
from byzanz_lab.advice.review_decisions import Judged
from byzanz_lab.advice.review_page import review_page
from byzanz_lab.advice.review_render import ACCOUNT_HEAD, about, account_rows, draw_label, html_table, sentence, who
from byzanz_lab.advice.review_values import Change
from byzanz_lab.charts.review import plot_review
from byzanz_lab.charts.theme import dressed
from byzanz_lab.game.record import Record
from byzanz_lab.panels.live import LiveFigure
from byzanz_lab.panels.review_session import OPEN, SHOWN, ReviewSession
from byzanz_lab.panels.views import Message, View, paragraph, program, take_away, with_fallback

FILE: Final = "byzanz-review.html"
OBJECTIVES: Final = [["profit", "profit"], ["margin", "lead over the best rival"], ["win", "share of the win"]]
WORLDS: Final = [["32", "quick (32 worlds)"], ["128", "good (128)"], ["512", "sure (512)"], ["2048", "surer (2048)"]]


class ReviewView(View):
    """All of the panel but the figure."""

    _esm = program("dom.js", "review.js")


class ReviewPanel(w.VBox):
    """A game gone through, decision by decision.

    Parameters
    ----------
    record
        The game: a `Record`, a `ReviewSession` to share, or nothing, to open a file.
    **settings
        ``worlds``, ``seed`` of a new `ReviewSession`.

    Attributes
    ----------
    session
        What it knows; a cell can use it as well.
    figure
        The `LiveFigure`; its ``widget`` is the only figure widget of the panel.

    Raises
    ------
    TypeError
        If it is given anything else.
    """

    _open = False

    def __init__(self, record: Record | ReviewSession | None = None, **settings: Any) -> None:
        self.session = record if isinstance(record, ReviewSession) else ReviewSession(record, **settings)
        self._shared = record is self.session
        self._drawn: tuple[Any, ...] = ()
        self._course: go.Figure | None = None
        self.figure = LiveFigure(_no_figure())
        self.bar = ReviewView(self._hear_page, self.session.fail)
        super().__init__([self.bar, self.figure.widget])
        self.add_class("bz-panel")
        self.session.observe(self._draw, "revision")
        self.bar.observe(self._on_theme, "dark")
        self._draw(None)
        self._open = True

    def retire(self) -> None:
        """Listen to nobody any more, and end the work unless the session was handed in."""
        if self._open:
            self._open = False
            self.session.unobserve(self._draw, "revision")
            self.bar.retire()
            if not self._shared:
                self.session.close()

    def close(self) -> None:
        """Take it away with all its parts."""
        self.retire()
        if self.comm is not None and hasattr(self, "figure"):
            self.bar.close()
            self.figure.close()
        take_away(self, super().close)

    # -- shown -------------------------------------------------------------------------------------------------------

    def _draw(self, _: Any) -> None:
        with self.session.lock:
            self._draw_figure()
            self.bar.words = self.figure.words
            self.bar.view = review_view(self.session) | self.figure.caption | {"id": f"bz{self.bar.model_id or ''}"}

    def _draw_figure(self) -> None:
        review, judged = self.session.review, self.session.current
        state = (review, judged)
        if state == self._drawn:
            return
        if review is not None and (not self._drawn or review is not self._drawn[0]):
            self._course = plot_review(review)
        self._drawn = state
        figure = _no_figure() if review is None or self._course is None else go.Figure(self._course)
        if review is not None and judged is not None:
            figure.add_vline(x=step_of(review, judged), line={"color": "#808080", "width": 2, "dash": "dot"})
        self.figure.show(figure)

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
        elif what == "json":
            session.load_json(str(message["text"]))
        elif what == "fail":
            session.fail(str(message["text"])[:300])
        elif what == "start":
            session.start()
        elif what == "stop":
            session.stop()
        elif what == "step":
            session.step(int(message["by"]))
        elif what == "set" and message["field"] == "place":
            session.go(int(message["text"]))
        elif what == "set":
            session.settle(str(message["field"]), str(message["text"]))
        elif what == "save" and session.review is not None:
            self.bar.send({"do": "download", "name": FILE, "text": review_page(session.review), "type": "text/html"})

    def to_html(self) -> str:
        """The review as HTML that needs no kernel."""
        review = self.session.review
        return paragraph("No game has been reviewed yet.") if review is None else str(review._repr_html_())

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        review = self.session.review
        text = "ReviewPanel(no review yet)" if review is None else f"ReviewPanel({review.sentence!r})"
        return with_fallback(super()._repr_mimebundle_(**kwargs), self.to_html(), text)


def review_view(session: ReviewSession) -> dict[str, Any]:
    """All that the view draws, as plain values."""
    review, record = session.review, session.record
    worlds = str(session.worlds)
    sizes = WORLDS if any(worlds == key for key, _ in WORLDS) else [[worlds, f"{worlds} worlds"], *WORLDS]
    return {
        "state": session.state,
        "progress": session.progress,
        "status": status(session),
        "error": session.error,
        "ready": record is not None,
        "reviewed": review is not None,
        "view": session.view,
        "views": [[key, "everybody, with open cards" if key == OPEN else _seat(record, key)] for key in session.views],
        "objective": session.objective,
        "objectives": OBJECTIVES,
        "worlds": worlds,
        "sizes": sizes,
        "only": session.only,
        "shown": [list(pair) for pair in SHOWN.items()],
        "sentence": "" if review is None else sentence(review),
        "accounts": "" if review is None else _accounts(review),
        "about": "" if review is None else about(review),
        "place": session.place,
        "places": [[str(i), _place(review, judged)] for i, judged in enumerate(session.decisions)] if review else [],
        **_decision(session),
    }


def status(session: ReviewSession) -> str:
    """What goes on, in a sentence."""
    record = session.record
    if session.state == "running":
        return "Going through the game …"
    if record is None:
        return "Open the file of a recorded game."
    if session.review is None:
        done = "" if record.result is not None else ", not finished"
        game = f"A game of {record.rules.seats} seats, {len(record.moves)} actions{done}"
        return f"{game}: press Review." if session.state != "stopped" else f"{game}. Stopped."
    if not session.decisions:
        return "There is no such decision."
    return f"Decision {session.place + 1} of {len(session.decisions)}"


def step_of(review: Review, judged: Judged) -> int:
    """Where on the axis of the chart a decision was taken."""
    changes = review.course.changes
    return next(step for step, c in enumerate(changes, 1) if c.seat is not None and c.number == judged.number)


def _decision(session: ReviewSession) -> dict[str, Any]:
    """The decision that is looked at."""
    review, judged, draw = session.review, session.current, session.draw
    if review is None or judged is None:
        return dict.fromkeys(("title", "played", "best", "loss", "word", "position", "luck"), "")
    same = judged.best == judged.action
    rounds = review.record.rules.rounds
    return {
        "title": f"Action {judged.number}, round {judged.position.round} of {rounds}: seat {who(review, judged.seat)}",
        "played": judged.label,
        "best": "the same" if same else judged.best_label,
        "loss": number(judged.loss, review.objective) + ("" if review.objective == "win" else " points"),
        "level": judged.is_level and not same,
        "word": judged.word,
        "position": judged.position._repr_html_(),
        "luck": "" if draw is None else _luck(review, draw),
    }


def _luck(review: Review, draw: Change) -> str:
    rows = [
        [f"seat {who(review, seat)}", signed(review.luck_of(draw, seat), review.objective)] for seat in review.seats
    ]
    return html_table(f"Luck of the last draw: {draw_label(draw)}", ("", review.objective), rows)


def _place(review: Review, judged: Judged) -> str:
    return f"{judged.number}: seat {who(review, judged.seat)}, {judged.label} ({judged.word})"


def _seat(record: Record | None, seat: str) -> str:
    name = record.names[int(seat)] if record is not None and record.names else ""
    return f"seat {seat} {name}".strip() + ", by what it could know"


def _accounts(review: Review) -> str:
    return html_table("Where each result came from", ACCOUNT_HEAD, account_rows(review))


def _no_figure() -> go.Figure:
    words = "There is no figure yet: no game has been reviewed."
    figure = dressed(go.Figure(), "The course of the game", escape("No game has been reviewed yet"), words, height=60)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure
