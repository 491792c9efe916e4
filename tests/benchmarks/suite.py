"""Sixty positions with long-run answers, kept as data, and how they were made.

``python -m tests.benchmarks.suite`` makes ``suite.json`` anew (minutes on two cores); ``bench_regret.py`` asks the
adviser about them. A position is a line of text; its answer is the long-run value of every candidate action, with the
standard error of its difference to the best, under the policy whose numbers stand in the file.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from byzanz_lab.advice.advise import trial_for
from byzanz_lab.advice.exact import enumerate_trial
from byzanz_lab.advice.options import candidates_for
from byzanz_lab.evaluation import Budget, compare
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.position_text import format_position
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import default_policy, policies_for

PATH = Path(__file__).parent / "suite.json"
WANTED = {"auction": 7, "tax": 3, "hand_limit": 2, "market": 2, "closing": 1}
"""Positions of each kind for each number of seats: 15, so 60 in all. Last lots count as tax."""


def positions(seats: int) -> list[Position]:
    """Decisions with a choice, spread over the rounds of several games."""
    found: list[Position] = []
    count: Counter[str] = Counter()
    for seed in range(1, 40):
        game = play_game([default_policy()] * seats, new_game(Rules.for_seats(seats), seed), seed)
        for number, turn in enumerate(game.states()):
            kind = str(turn.state.phase).replace("last_lot", "tax")
            due = number % 29 == seed % 29 or kind == "closing" or (kind == "hand_limit" and number % 3 == 0)
            if due and turn.seat == turn.state.to_move and count[kind] < WANTED.get(kind, 0):
                position = observe(turn.state, turn.seat)
                if len(candidates_for(position, default_policy()).groups) > 1:
                    found.append(position)
                    count[kind] += 1
        if count == WANTED:
            return found
    raise RuntimeError(f"not enough decisions with {seats} seats: {dict(count)}")


def answer(position: Position, worlds: int) -> dict[str, Any]:
    """Long-run value of every candidate action, all ways to pay included."""
    players = policies_for(None, position.rules.seats)
    candidates = candidates_for(position, players[position.seat])
    options = [option for group in candidates.groups for option in group]
    trial = trial_for(position, options, players, seed=20_000_101)
    found = enumerate_trial(trial, "profit") or compare(trial, Budget(worlds=worlds), leading="profit")
    best = found.best()
    rows = {}
    for i, option in enumerate(options):
        gap = None if i == best else found.difference(i, best)
        rows[str(option.action)] = [0.0, 0.0] if gap is None else [round(gap.mean, 4), round(gap.se, 4)]
    return {"position": format_position(position), "worlds": found.worlds, "to_best": rows}


def main() -> None:
    """Make the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=200_000)
    worlds = parser.parse_args().worlds
    entries = []
    for seats in (3, 4, 5, 6):
        for position in positions(seats):
            entries.append(answer(position, worlds))
            print(seats, position.phase, entries[-1]["worlds"], flush=True)
    policy = asdict(default_policy())
    PATH.write_text(json.dumps({"policy": policy, "entries": entries}, indent=0) + "\n")


if __name__ == "__main__":
    main()
