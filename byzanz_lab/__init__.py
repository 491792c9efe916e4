"""A notebook toolkit for the auction card game Byzanz: what a lot is worth, what to bid, and how sure that is.

What is listed here can be had from ``byzanz_lab`` itself. Each name is loaded when it is first asked for, so that
``import byzanz_lab`` stays quick: neither the compiler behind the playouts nor a display library is loaded before
something needs it.

>>> import byzanz_lab
>>> byzanz_lab.Cards("Wi4 2xSp1 D").total
6
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same names as below, for type checkers and editors; a test compares the two
    from byzanz_lab.game.cards import Cards as Cards
    from byzanz_lab.game.rules import Rules as Rules

__version__ = "0.1.0"

_HOME = {
    "Cards": "byzanz_lab.game.cards",
    "Rules": "byzanz_lab.game.rules",
}
"""Public name -> the module that defines it."""

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 (all of them are strings)


def __getattr__(name: str) -> object:
    """Load a public name from its module, the first time that it is asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not, and the module's own."""
    return sorted({*globals(), *_HOME})
