"""The advisor as panels: click the cards in, read what to do, play a game, look at the chances.

Everything that a panel knows and does is in a plain object without any display, a `Session` or a `Game`, that a
notebook cell or a test can use as well. The panels only show it and pass clicks on. Names are loaded when they are
asked for, so that the command line stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from byzanz_lab.panels.session import Session as Session

_HOMES = {"Session": "session", "Advisor": "advisor", "show": "advisor"}
__all__ = ["Session"]


def __getattr__(name: str) -> object:
    """Load a name from its module, the first time that it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
