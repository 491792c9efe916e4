"""Byzantine Empire, Lloyd Krassner's duel for two, playable and analysed.

Two players take turns as the Emperor and as the Foes of the Byzantine Empire. The words are those of Byzanz: a `State`
is the whole truth, a `Position` what one seat knows of it, and only a Position may be given to a policy or an adviser.
The cards are data: `default_deck` ships with the package, `read_deck` reads another.

What is listed here can be had from the package itself, and is loaded when it is first asked for.

>>> from byzanz_lab.companions import empire
>>> empire.default_deck()
<Deck 'Porphyra': 62 Byzantine and 62 Foe cards>
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same names as below, for type checkers and editors; a test compares the two
    from byzanz_lab.companions.empire.actions import (
        HandOver as HandOver,
        Meld as Meld,
        Negotiate as Negotiate,
        Redraw as Redraw,
        Replace as Replace,
        format_action as format_action,
        parse_action as parse_action,
    )
    from byzanz_lab.companions.empire.advice import (
        Advice as Advice,
        AdviserPolicy as AdviserPolicy,
        advise as advise,
    )
    from byzanz_lab.companions.empire.balance import (
        Balance as Balance,
        measure as measure,
    )
    from byzanz_lab.companions.empire.calibration import (
        Calibration as Calibration,
        calibrate as calibrate,
        forecast as forecast,
    )
    from byzanz_lab.companions.empire.cards import (
        Card as Card,
        Deck as Deck,
    )
    from byzanz_lab.companions.empire.contract import (
        check_game as check_game,
        check_policy as check_policy,
    )
    from byzanz_lab.companions.empire.deck_file import (
        default_deck as default_deck,
        dumps_deck as dumps_deck,
        loads_deck as loads_deck,
        read_deck as read_deck,
    )
    from byzanz_lab.companions.empire.duplicate import (
        Tournament as Tournament,
        tournament as tournament,
    )
    from byzanz_lab.companions.empire.fault import (
        InvalidDeck as InvalidDeck,
        InvalidPosition as InvalidPosition,
    )
    from byzanz_lab.companions.empire.matrix_game import (
        Solution as Solution,
        cut as cut,
        dominators as dominators,
        solve as solve,
    )
    from byzanz_lab.companions.empire.mixed_strategy import (
        Equilibrium as Equilibrium,
        equilibrium as equilibrium,
    )
    from byzanz_lab.companions.empire.playouts import (
        determinize as determinize,
        play_game as play_game,
        play_games as play_games,
        play_out as play_out,
    )
    from byzanz_lab.companions.empire.policies import (
        Policy as Policy,
        RandomPolicy as RandomPolicy,
        TabledPolicy as TabledPolicy,
        default_policy as default_policy,
        greedy_policy as greedy_policy,
        policy_named as policy_named,
    )
    from byzanz_lab.companions.empire.position import (
        Position as Position,
        observe as observe,
    )
    from byzanz_lab.companions.empire.position_text import (
        format_position as format_position,
    )
    from byzanz_lab.companions.empire.record import (
        Record as Record,
        Recorder as Recorder,
        read_records as read_records,
    )
    from byzanz_lab.companions.empire.rules import (
        Kind as Kind,
        Rules as Rules,
        Side as Side,
    )
    from byzanz_lab.companions.empire.state import (
        Result as Result,
        State as State,
        new_game as new_game,
    )
    from byzanz_lab.companions.empire.table import (
        IllegalAction as IllegalAction,
        Phase as Phase,
    )

_HERE = "byzanz_lab.companions.empire"
_NAMES = {
    "actions": ["format_action", "HandOver", "Meld", "Negotiate", "parse_action", "Redraw", "Replace"],
    "advice": ["Advice", "advise", "AdviserPolicy"],
    "balance": ["Balance", "measure"],
    "calibration": ["calibrate", "Calibration", "forecast"],
    "cards": ["Card", "Deck"],
    "contract": ["check_game", "check_policy"],
    "deck_file": ["default_deck", "dumps_deck", "loads_deck", "read_deck"],
    "duplicate": ["Tournament", "tournament"],
    "fault": ["InvalidDeck", "InvalidPosition"],
    "matrix_game": ["cut", "dominators", "Solution", "solve"],
    "mixed_strategy": ["Equilibrium", "equilibrium"],
    "playouts": ["determinize", "play_game", "play_games", "play_out"],
    "policies": ["default_policy", "greedy_policy", "Policy", "policy_named", "RandomPolicy", "TabledPolicy"],
    "position": ["observe", "Position"],
    "position_text": ["format_position"],
    "record": ["Record", "Recorder", "read_records"],
    "rules": ["Kind", "Rules", "Side"],
    "state": ["new_game", "Result", "State"],
    "table": ["IllegalAction", "Phase"],
}
"""Module -> the public names that it defines."""

_HOME = {name: f"{_HERE}.{module}" for module, names in _NAMES.items() for name in names}

__all__ = [*_HOME]  # noqa: PLE0604 (all of them are strings)


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
