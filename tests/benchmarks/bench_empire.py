"""Figures of Byzantine Empire: speed, strength, calibration. Printed, never asserted.

``python -m tests.benchmarks.bench_empire`` prints them all; words after it pick some (``speed`` …).
"""

from __future__ import annotations

import sys
import time

from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.playouts import play_games
from byzanz_lab.companions.empire.policies import BUILT_IN, policy_named


def speed() -> None:
    """Whole games a second and core, in processor time; the best of many short runs, as other work disturbs them."""
    deck, games = default_deck(), 1000
    for name in BUILT_IN:
        play_games(deck, 10, 1, policy_named(name))
        best = float("inf")
        for run in range(40):
            begin = time.process_time()
            play_games(deck, games, run, policy_named(name))
            best = min(best, time.process_time() - begin)
        print(f"speed: {name:8} {games / best:10,.0f} games a second and core")


if __name__ == "__main__":
    for figure in (speed,):
        if len(sys.argv) == 1 or figure.__name__ in sys.argv[1:]:
            figure()
