"""What the views share: their program and style, the deck as they draw it, and messages that never raise.

A view is an `anywidget.AnyWidget` that draws one trait, ``view``, and sends messages back. It holds no rules and no
state of the game. No build step: the program is a few plain files in ``static``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from importlib.resources import files
from typing import Any, Final

import anywidget
import ipywidgets as w
import traitlets as t

from byzanz_lab.game.cards import COLOURS, GOOD_NAMES, KINDS

Message = Mapping[str, Any]

DARK_LETTERS: Final = ("Gr",)
"""Groups whose colour is too light for white letters."""


def program(*names: str) -> str:
    """Some files of ``static``, one after the other."""
    folder = files("byzanz_lab.panels").joinpath("static")
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in names)


def deck() -> list[list[str]]:
    """Code, name, colour and colour of the letters of each kind."""
    found = []
    for code in KINDS:
        group = code.rstrip("1234")
        name = f"{GOOD_NAMES[group]} {code[len(group) :]}".strip()
        found.append([code, name, COLOURS[group], "#000" if group in DARK_LETTERS else "#fff"])
    return found


class View(anywidget.AnyWidget):
    """Base of the views.

    Parameters
    ----------
    answer
        Called with each message from the page. What it raises is told to ``fail``.
    fail
        Called with what went wrong, in a sentence.
    """

    _css = program("panels.css")
    view = t.Dict(help="All that is drawn.").tag(sync=True)
    deck: t.List[list[str]] = t.List(help="See `deck`.").tag(sync=True)
    words = t.Unicode("", help="Text alternative of the figure beside it.").tag(sync=True)
    dark = t.Bool(None, allow_none=True, help="Whether the page is dark, as far as it has said.").tag(sync=True)

    def __init__(self, answer: Callable[[Message], object], fail: Callable[[str], object], **traits: Any) -> None:
        super().__init__(deck=deck(), **traits)
        self._answer, self._fail = answer, fail
        self.on_msg(self._hear)

    def _hear(self, _: Any, content: Any, buffers: Any) -> None:
        if not isinstance(content, Mapping):
            return
        if content.get("do") == "hello":  # the page has missed what this is
            self.send_state()
            return
        try:
            self._answer(content)
        except Exception as error:  # what a callback raises is seen by nobody
            text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            self._fail(text)

    def retire(self) -> None:
        """Draw nothing any more and let go of whoever answered, but stay open; see `advisor`."""
        self._answer = self._fail = _nobody
        self.unobserve_all()
        self.view = {}

    def close(self) -> None:
        """Take it away, and let go of whoever answered."""
        self._answer = self._fail = _nobody
        take_away(self, super().close)


def take_away(widget: w.DOMWidget, close: Callable[[], object] | None = None) -> None:
    """Close a widget with its layout, which ipywidgets would keep for ever.

    Parameters
    ----------
    widget
        What to close.
    close
        How, where the widget's own ``close`` is what calls this.
    """
    layout = widget.layout
    (close or widget.close)()
    if isinstance(layout, w.Layout):  # a figure's is something else
        layout.close()


def _nobody(_: object) -> None:
    """Answer nothing."""


def with_fallback(bundle: Any, html: str, text: str) -> Any:
    """A widget's display bundle, with HTML and text for pages that have no kernel."""
    data, meta = bundle if isinstance(bundle, tuple) else (bundle, {})
    data = {**(data or {}), "text/html": html, "text/plain": text}
    return (data, meta) if isinstance(bundle, tuple) else data


def paragraph(text: str) -> str:
    """Plain text as a paragraph."""
    return f"<p>{escape(text)}</p>"
