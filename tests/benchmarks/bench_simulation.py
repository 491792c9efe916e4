"""How fast worlds are dealt and played, and where the time goes.

Run by hand: ``python -m tests.benchmarks.bench_simulation``. Times are processor time of this process, medians over
several runs; numbers mean little unless the machine is idle.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from byzanz_lab.game.position import observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import blank_work, encode
from byzanz_lab.simulation.playouts import play_logged, self_play
from byzanz_lab.simulation.policies import RandomPolicy, brain_for, default_policy, greedy_policy
from byzanz_lab.simulation.worlds import determinize

ROOT = Path(__file__).resolve().parents[2]
POLICIES = (default_policy(), greedy_policy(), RandomPolicy())
START = """
import resource, time
begun = time.process_time()
from byzanz_lab.simulation.playouts import self_play
from byzanz_lab.game.rules import Rules
imported = time.process_time()
self_play(Rules.for_seats(4), 1)
print(imported - begun, time.process_time() - imported, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def seconds(work: Callable[[], object], runs: int = 7) -> float:
    """Median processor time of a piece of work."""
    work()
    times = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return median(times)


def fresh(cache: str) -> tuple[float, float, float]:
    """Import, first game and peak memory of a process of its own."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)}
    said = subprocess.run([sys.executable, "-c", START], check=True, capture_output=True, text=True, env=environment)
    first, game, peak = map(float, said.stdout.split())
    return first, game, peak


def profile(n: int = 60) -> None:
    """How often each kind of decision comes up in a game, and what it costs to take it."""
    policy, names = default_policy(), ("auction", "tax", "last_lot", "hand_limit", "market", "closing")
    boards: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for seed in range(n):
        for turn in play_logged(Rules.for_seats(4), seed)[0].states():
            boards[turn.state.phase].append(encode(observe(turn.state, turn.state.to_move or 0)).board)
    (of, values), rng, work = brain_for((policy,) * 4), np.ones(1, np.uint64), blank_work()
    call = seconds(lambda: [k.purse_of(0) for _ in range(20_000)]) / 20_000
    print("\nkind of decision  a game   µs each (a call from Python, of about", f"{call * 1e6:.1f} µs, included)")
    for name in names:
        if boards[name]:
            taken = seconds(lambda name=name: [k.decide(b, of, values, rng, work) for b in boards[name]])
            print(f"{name:<16}  {len(boards[name]) / n:>6.1f}  {taken / len(boards[name]) * 1e6:>8.2f}")


def main() -> None:
    """Print the tables."""
    print(f"load: {os.getloadavg()[0]:.1f}")
    print(f"{'games a second':<16}" + "".join(f"{seats:>9} seats" for seats in (3, 4, 5, 6)))
    for policy in POLICIES:
        speeds = [
            2000 / seconds(lambda s=s, p=policy: self_play(Rules.for_seats(s), 2000, 1, (p,) * s)) for s in (3, 4, 5, 6)
        ]
        print(f"{policy.name:<16}" + "".join(f"{speed:>15,.0f}" for speed in speeds))
    position = observe(new_game(Rules.for_seats(4), 1), 0)
    print(f"worlds a second, as counts: {20_000 / seconds(lambda: determinize(position, 20_000)):,.0f}")
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold", "warm"):
            first, game, peak = fresh(cache)
            print(f"{name} start: import {first:.2f} s, first game {game:.2f} s, peak {peak:.0f} MB")
    print(f"peak of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    profile()


if __name__ == "__main__":
    main()
