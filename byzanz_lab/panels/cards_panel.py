"""The panel of chances, for teaching: what the next lot may bring, who can pay how much, and how that is worked out.

All chances are exact, from the view of one seat, before anything is inferred from how the others behave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

import ipywidgets as w
import plotly.graph_objects as go

from byzanz_lab.advice.beliefs import (
    Distribution,
    count_in_hand,
    count_in_next_lot,
    next_lot_size,
    pair_in_hand,
    purse,
)
from byzanz_lab.charts.beliefs import plot_beliefs, plot_purses
from byzanz_lab.charts.theme import dressed
from byzanz_lab.game.cards import GOOD_NAMES, GOODS, GROUPS, KINDS
from byzanz_lab.game.position import Position
from byzanz_lab.panels.live import LiveFigure
from byzanz_lab.panels.session import Session
from byzanz_lab.panels.views import Message, View, paragraph, program, take_away, with_fallback

CHARTS: Final[dict[str, Callable[[Position], go.Figure]]] = {
    "where the cards may lie, by good": lambda position: plot_beliefs(position, by="group"),
    "where the cards may lie, by card": plot_beliefs,
    "who can pay how much": plot_purses,
}
MOST_COUNTED: Final = 3
NEXT_LOT: Final = "lot"


class CardsView(View):
    """All of the panel but the figure."""

    _esm = program("dom.js", "cards.js")


class CardsPanel(w.VBox):
    """The chances in the position of a session.

    Parameters
    ----------
    session
        Whose last valid position it shows; a new one if not given.
    figure
        A figure of a panel that has retired, to be used again; a new one if not given.
    waits
        Whether its figure waits until somebody looks at it, see `look`.

    Attributes
    ----------
    figure
        The `LiveFigure`; its ``widget`` is the only figure widget of the panel.
    """

    _open = False

    def __init__(self, session: Session | None = None, figure: LiveFigure | None = None, waits: bool = False) -> None:
        self.session = Session() if session is None else session
        self.chosen = {"what": "Wi", "where": NEXT_LOT, "chart": next(iter(CHARTS))}
        self._shown: Any = None
        self._looked = not waits
        position = self.session.position
        self._drawn = (position, self.chosen["chart"])
        first = _no_figure() if position is None else CHARTS[self.chosen["chart"]](position)
        self.figure = LiveFigure(first, ready=False) if figure is None else figure
        if figure is not None:
            figure.show(first)
        view = cards_view(self.session, self.chosen) | self.figure.caption
        self.bar = CardsView(self._hear_page, self.session.fail, view=view, words=self.figure.words)
        super().__init__([self.bar], _dom_classes=["bz-panel"])
        self.session.observe(self._draw, "revision")
        self.bar.observe(self._on_theme, "dark")
        self._draw(None)
        self._open = True

    def look(self) -> None:
        """Somebody looks at it: have the figure made."""
        with self.session.lock:
            self._looked, self._shown = True, None
            self._draw(None)

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

    def _draw(self, _: Any) -> None:
        with self.session.lock:
            position = self.session.position
            state = (position, self.session.is_valid, self.session.error, *self.chosen.values())
            if state == self._shown:
                return
            self._shown = state
            drawn = (position, self.chosen["chart"])
            if position is not None and self._drawn != drawn:
                self._drawn = drawn
                self.figure.show(CHARTS[self.chosen["chart"]](position))
            if self._looked and position is not None:
                self.figure.put_into(self)
            self.bar.words = self.figure.words
            view = cards_view(self.session, self.chosen)
            self.bar.view = view | self.figure.caption

    def _on_theme(self, _: Any) -> None:
        with self.session.lock:
            if self.bar.dark is not None:
                self.figure.theme(self.bar.dark)
                self.bar.view = self.bar.view | self.figure.caption

    def _hear_page(self, message: Message) -> None:
        if message.get("do") == "figure":
            self.figure.show_again(self)
            return
        field, text = str(message.get("field")), str(message.get("text"))
        if message.get("do") != "set" or field not in self.chosen:
            return
        if field == "chart" and text not in CHARTS:
            raise ValueError(f"there is no chart {text[:40]!r}")
        if field == "what" and text not in (*GROUPS, *KINDS):
            raise ValueError(f"there is no kind or group {text[:40]!r}")
        self.chosen[field] = text
        self._draw(None)

    def to_html(self) -> str:
        """The chances as HTML that needs no kernel."""
        position = self.session.position
        if position is None:
            return paragraph("No position has been entered yet.")
        return lot_table(position) + purse_table(position) + pair_table(position)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_fallback(super()._repr_mimebundle_(**kwargs), self.to_html(), "CardsPanel()")


def cards_view(session: Session, chosen: dict[str, str]) -> dict[str, Any]:
    """All that the view draws, as plain values."""
    position: Position | None = session.position
    if position is None:
        note = "Enter a position first, in the tab Advice: the chances follow from what your seat has seen."
        empty = dict.fromkeys(("lot", "purses", "pairs", "formula"), "")
        return {**chosen, **empty, "note": note, "error": "", "ready": False, "whats": [], "wheres": [], "charts": []}
    rivals = [seat for seat in range(position.rules.seats) if seat != position.seat]
    wheres = [[NEXT_LOT, "the next lot"]] if next_lot_size(position) else []
    wheres += [[str(seat), f"the hand of seat {seat}"] for seat in rivals]
    where = chosen["where"] if chosen["where"] in [key for key, _ in wheres] else wheres[0][0]
    return {
        **chosen,
        "where": where,
        "note": "" if session.is_valid else "This is about the last position that had no faults.",
        "error": session.error,
        "ready": True,
        "lot": lot_table(position),
        "purses": purse_table(position),
        "pairs": pair_table(position),
        "whats": [[group, f"{GOOD_NAMES[group]}, any" if group != "D" else "dealers"] for group in GROUPS]
        + [[kind, kind] for kind in KINDS if kind != "D"],
        "wheres": wheres,
        "formula": _distribution(position, chosen["what"], where)._repr_html_(),
        "charts": [[name, name] for name in CHARTS],
    }


def _distribution(position: Position, what: str, where: str) -> Distribution:
    return count_in_next_lot(position, what) if where == NEXT_LOT else count_in_hand(position, int(where), what)


def lot_table(position: Position) -> str:
    """Chances that the next lot brings so many cards of each good, as an HTML table."""
    size = next_lot_size(position)
    if not size:
        return paragraph("No further lot will be drawn.")
    rows = []
    for group in GROUPS:
        found = count_in_next_lot(position, group)
        chances = [_per_cent(found.at_least(n)) if n <= size else "" for n in range(1, MOST_COUNTED + 1)]
        rows.append([GOOD_NAMES[group], *chances, f"{found.mean:.2f}"])
    head = ["", *(f"{n} or more" for n in range(1, MOST_COUNTED + 1)), "expected"]
    return _table(
        f"The next lot: {size} {'card' if size == 1 else 'cards'}, as seat {position.seat} sees it", head, rows
    )


def purse_table(position: Position) -> str:
    """What each rival could bid in all, and with what chance, as an HTML table."""
    high = position.high_bid
    totals = [high + step for step in (1, 2, 4, 6, 8)]
    rows = []
    for seat in range(position.rules.seats):
        if seat != position.seat:
            found = purse(position, seat)
            rows.append([f"seat {seat}", f"{found.mean:.1f}", *(_per_cent(found.at_least(total)) for total in totals)])
    head = ["", "on average", *(f"{total} or more" for total in totals)]
    return _table(f"Who can pay how much, as seat {position.seat} sees it", head, rows)


def pair_table(position: Position) -> str:
    """Chances that each rival holds two or more cards of a good, as an HTML table."""
    rivals = [seat for seat in range(position.rules.seats) if seat != position.seat]
    rows = [
        [GOOD_NAMES[good], *(_per_cent(pair_in_hand(position, seat, good).exactly(1)) for seat in rivals)]
        for good in GOODS
    ]
    rows.append(["any good", *(_per_cent(pair_in_hand(position, seat).exactly(1)) for seat in rivals)])
    head = ["", *(f"seat {seat}" for seat in rivals)]
    return _table(f"Who holds a pair, as seat {position.seat} sees it", head, rows)


def _per_cent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr><th scope='row'>{escape(row[0])}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in row[1:])}</tr>"
        for row in rows
    )
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _no_figure() -> go.Figure:
    words = "There is no figure yet: no position has been entered."
    figure = dressed(go.Figure(), "The view of your seat", "No position has been entered yet", words, height=60)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure
