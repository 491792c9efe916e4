"""Byzantium, Toby Ord's tableau game for one to four players.

Two aces lie crossed in the middle; the other cards of a red and a black suit are put to them, side by side and without
touching anything else, in four trees that each run upwards or downwards only. Alone, one tries to place all 24;
together, one tries to be left with few cards while the others are left with many.

The rules are in `geometry` (where cards can lie), `tableau` (what may be put there) and `state`; what is listed here
can be had from the package itself, and is loaded when it is first asked for.

>>> from byzanz_lab.companions import byzantium
>>> len(byzantium.Rules(1).geometry.slots)
44
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same names as below, for type checkers and editors; a test compares the two
    from byzanz_lab.companions.byzantium.actions import (
        Pass as Pass,
        Place as Place,
        format_action as format_action,
        parse_action as parse_action,
    )
    from byzanz_lab.companions.byzantium.advice import (
        Advice as Advice,
        AdviserPolicy as AdviserPolicy,
        advise as advise,
    )
    from byzanz_lab.companions.byzantium.cards import (
        Cards as Cards,
    )
    from byzanz_lab.companions.byzantium.contract import (
        check_game as check_game,
        check_policy as check_policy,
    )
    from byzanz_lab.companions.byzantium.duplicate import (
        Tournament as Tournament,
        tournament as tournament,
    )
    from byzanz_lab.companions.byzantium.endgame import (
        exact_endgame as exact_endgame,
        solve_endgame as solve_endgame,
    )
    from byzanz_lab.companions.byzantium.geometry import (
        Geometry as Geometry,
        geometry_of as geometry_of,
    )
    from byzanz_lab.companions.byzantium.luck import (
        Ladder as Ladder,
        luck_and_skill as luck_and_skill,
        win_rates as win_rates,
    )
    from byzanz_lab.companions.byzantium.playouts import (
        play_deal as play_deal,
        play_logged as play_logged,
        solitaire_deal as solitaire_deal,
    )
    from byzanz_lab.companions.byzantium.policies import (
        Policy as Policy,
        RandomPolicy as RandomPolicy,
        WeighedPolicy as WeighedPolicy,
        built_in_policies as built_in_policies,
        default_policy as default_policy,
        greedy_policy as greedy_policy,
        policy_named as policy_named,
        random_policy as random_policy,
        roomy_policy as roomy_policy,
    )
    from byzanz_lab.companions.byzantium.position import (
        InvalidPosition as InvalidPosition,
        Position as Position,
        observe as observe,
    )
    from byzanz_lab.companions.byzantium.position_text import (
        format_position as format_position,
        parse_position as parse_position,
    )
    from byzanz_lab.companions.byzantium.record import (
        InvalidRecord as InvalidRecord,
        Record as Record,
        Recorder as Recorder,
        read_records as read_records,
        write_records as write_records,
    )
    from byzanz_lab.companions.byzantium.rules import (
        Rules as Rules,
    )
    from byzanz_lab.companions.byzantium.solver import (
        Solution as Solution,
        solve as solve,
    )
    from byzanz_lab.companions.byzantium.state import (
        Result as Result,
        State as State,
        deal as deal,
        new_game as new_game,
        standings as standings,
    )
    from byzanz_lab.companions.byzantium.table import (
        IllegalAction as IllegalAction,
    )
    from byzanz_lab.companions.byzantium.tableau import (
        Tableau as Tableau,
        parse_tableau as parse_tableau,
    )
    from byzanz_lab.companions.byzantium.worlds import (
        Worlds as Worlds,
        determinize as determinize,
    )

_HERE = "byzanz_lab.companions.byzantium"
_NAMES = {
    "actions": ["format_action", "parse_action", "Pass", "Place"],
    "advice": ["Advice", "advise", "AdviserPolicy"],
    "cards": ["Cards"],
    "contract": ["check_game", "check_policy"],
    "endgame": ["exact_endgame", "solve_endgame"],
    "geometry": ["Geometry", "geometry_of"],
    "luck": ["Ladder", "luck_and_skill", "win_rates"],
    "playouts": ["play_deal", "play_logged", "solitaire_deal"],
    "policies": [
        "built_in_policies",
        "default_policy",
        "greedy_policy",
        "Policy",
        "policy_named",
        "random_policy",
        "RandomPolicy",
        "roomy_policy",
        "WeighedPolicy",
    ],
    "position": ["InvalidPosition", "observe", "Position"],
    "position_text": ["format_position", "parse_position"],
    "record": ["InvalidRecord", "read_records", "Record", "Recorder", "write_records"],
    "rules": ["Rules"],
    "solver": ["Solution", "solve"],
    "state": ["deal", "new_game", "Result", "standings", "State"],
    "table": ["IllegalAction"],
    "tableau": ["parse_tableau", "Tableau"],
    "duplicate": ["Tournament", "tournament"],
    "worlds": ["determinize", "Worlds"],
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
