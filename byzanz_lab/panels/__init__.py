"""The advisor as panels: click the cards in, read what to do, play a game, look at the chances.

Everything that a panel knows and does is in a plain object without any display, a `Session` or a `Game`, that a
notebook cell or a test can use as well. The panels only show it and pass clicks on. Names are loaded when they are
asked for, so that the command line stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from byzanz_lab.panels.advice_panel import AdvicePanel as AdvicePanel
    from byzanz_lab.panels.advisor import Advisor as Advisor, show as show
    from byzanz_lab.panels.cards_panel import CardsPanel as CardsPanel
    from byzanz_lab.panels.game import Game as Game
    from byzanz_lab.panels.play_panel import PlayPanel as PlayPanel
    from byzanz_lab.panels.position_panel import PositionPanel as PositionPanel
    from byzanz_lab.panels.review_panel import ReviewPanel as ReviewPanel
    from byzanz_lab.panels.review_session import ReviewSession as ReviewSession
    from byzanz_lab.panels.session import Session as Session

_HOMES = {
    "AdvicePanel": "advice_panel",
    "Advisor": "advisor",
    "CardsPanel": "cards_panel",
    "Game": "game",
    "PlayPanel": "play_panel",
    "PositionPanel": "position_panel",
    "ReviewPanel": "review_panel",
    "ReviewSession": "review_session",
    "Session": "session",
    "show": "advisor",
}
__all__ = [
    "AdvicePanel",
    "Advisor",
    "CardsPanel",
    "Game",
    "PlayPanel",
    "PositionPanel",
    "ReviewPanel",
    "ReviewSession",
    "Session",
    "show",
]


def __getattr__(name: str) -> object:
    """Load a name from its module, the first time that it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
