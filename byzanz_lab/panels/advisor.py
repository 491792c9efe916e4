"""The advisor: position and advice side by side, a game to play, and the chances, in tabs.

Running its cell again leaves one working advisor: the one that the same cell made before retires. Its threads end, it
listens to nobody, and its figures, the heavy part, are used again. Its widgets stay open, because JupyterLab lets all
widgets of a page share one subshell of the kernel, and takes that away from the new ones when it closes the old ones.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

import ipywidgets as w

from byzanz_lab.game.position import Position
from byzanz_lab.panels.advice_panel import AdvicePanel
from byzanz_lab.panels.cards_panel import CardsPanel
from byzanz_lab.panels.play_panel import PlayPanel
from byzanz_lab.panels.position_panel import PositionPanel
from byzanz_lab.panels.session import Session
from byzanz_lab.panels.views import take_away, with_fallback

TABS = ("Advice", "Play", "Cards")

_made: dict[str, tuple[str, list[weakref.ref[Advisor]]]] = {}
"""Cell -> the run of the cell, and the advisors that this run made."""


class Advisor(w.VBox):
    """Everything on one page: click the cards in, read what to do.

    Parameters
    ----------
    position
        Where to begin: a `Position`, a `Session` to share, or nothing for an empty table of four.
    **settings
        ``seconds``, ``worlds``, ``seed``, ``objective`` of a new `Session`.

    Attributes
    ----------
    session
        What it knows; a cell can use it as well.
    entry, advice, play, cards
        The panels.

    Raises
    ------
    TypeError
        If it is given anything else, a State for instance.
    """

    _open = False
    advice: AdvicePanel
    cards: CardsPanel

    def __init__(self, position: Position | Session | None = None, **settings: Any) -> None:
        self.session = position if isinstance(position, Session) else Session(position, **settings)
        self._shared = position is self.session
        former = _retire_former(self)
        figures = (None, None) if former is None else (former.advice.figure, former.cards.figure)
        self.entry, self.advice = PositionPanel(self.session), AdvicePanel(self.session, figures[0])
        self.play, self.cards = PlayPanel(), CardsPanel(self.session, figures[1], waits=True)
        self.play.on_advise(self._advise_on)
        self.both = w.Box([self.entry, self.advice], _dom_classes=["bz-both"])
        self.tabs = w.Tab([self.both, self.play, self.cards], titles=TABS)
        self.tabs.observe(self._on_tab, "selected_index")
        super().__init__([self.tabs], _dom_classes=["bz-advisor"])
        self._open = True

    def retire(self) -> None:
        """End its threads and listen to nobody any more."""
        if self._open:
            self._open = False
            for panel in (self.entry, self.advice, self.play, self.cards):
                panel.retire()
            if not self._shared:
                self.session.close()

    def close(self) -> None:
        """Take everything away: widgets, listeners, threads."""
        if self.comm is not None and hasattr(self, "cards"):
            self.retire()
            for panel in (self.entry, self.advice, self.play, self.cards):
                panel.close()
            for box in (self.both, self.tabs):
                take_away(box)
        take_away(self, super().close)

    def _on_tab(self, change: Any) -> None:
        if change["new"] == TABS.index("Cards"):
            self.cards.look()

    def _advise_on(self, position: Position) -> None:
        """Take a moment of the game that is played over into the advice tab."""
        self.session.load(position)
        self.tabs.selected_index = 0
        self.session.think()

    def to_html(self) -> str:
        """Position and advice as HTML that needs no kernel."""
        session = self.session
        position = session.position._repr_html_() if session.is_valid else "<p>No position has been entered yet.</p>"
        return f"<div>{position}{self.advice.to_html()}</div>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_fallback(
            super()._repr_mimebundle_(**kwargs), self.to_html(), f"Advisor({self.session.to_text()!r})"
        )


def show(position: Position | Session | None = None, **settings: Any) -> Advisor:
    """Make an `Advisor` and hand it back, for the last line of a cell."""
    return Advisor(position, **settings)


def _retire_former(new: Advisor) -> Advisor | None:
    """Retire what an earlier run of this cell made, and give one of those; outside a notebook there are no cells."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell, run = (parent or {}).get("metadata", {}).get("cellId"), (parent or {}).get("header", {}).get("msg_id", "")
    if not cell:
        return None
    before, made = _made.get(cell, ("", []))
    former = [one for one in (ref() for ref in made) if one is not None and one._open] if before != run else []
    for one in former:
        one.retire()
    _made[cell] = (run, [*(made if before == run else []), weakref.ref(new)])
    return former[-1] if former else None
