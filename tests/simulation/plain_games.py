"""Plays games and deals worlds, and prints what came of them: run with and without Numba by the tests.

``python -m tests.simulation.plain_games SEEDS`` prints one line of JSON, so that two processes can be compared.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from byzanz_lab.simulation.playouts import play_out
    from byzanz_lab.simulation.worlds import determinize

from byzanz_lab.advice.trial import line_of
from byzanz_lab.game.position import observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation.encoding import encode
from byzanz_lab.simulation.policies import default_policy
from byzanz_lab.simulation.running import NO_LINE
from tests.simulation.games import HOARDER, POLICIES, mixes


def played(seeds: int) -> dict[str, Any]:
    """Whole games by every policy at every table size, one action each from a position, worlds, and outcomes."""
    out: dict[str, Any] = {"games": [], "choices": [], "worlds": [], "outcomes": []}
    for seats in (3, 4, 5, 6):
        for mix in mixes(seats, seeds, first=7000, policies=(*POLICIES, HOARDER)):
            record, outcomes = mix.play()
            out["games"].append([record.dumps(), outcomes.ties.tolist(), outcomes.lots.tolist()])
        position = observe(new_game(Rules.for_seats(seats), seed=seats), 0)
        out["choices"] += [str(policy.choose(position, seed)) for policy in (*POLICIES, HOARDER) for seed in range(4)]
        worlds = determinize(position, 3, seed=2)
        out["worlds"].append([worlds.hands.tolist(), worlds.decks.tolist(), worlds.removed.tolist()])
        line = line_of(0, [position.legal_actions()[1]], position.market)[None]
        for lines in (NO_LINE, (line, NO_LINE[1] + 1)):
            done = play_out(encode(position), *lines, (default_policy(),) * seats, 5, 0, 2)
            out["outcomes"].append([done.profits.tolist(), done.ties.tolist(), done.lots.tolist()])
    return out


if __name__ == "__main__":
    result = played(int(sys.argv[1]))
    result["warnings"] = [str(warning.message) for warning in caught]
    result["numba"] = "numba" in sys.modules and sys.modules["numba"] is not None
    print(json.dumps(result))
