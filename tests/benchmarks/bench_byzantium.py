"""Figures of Byzantium: how fast, how strong, how much of solitaire is luck. Printed, never asserted.

``python -m tests.benchmarks.bench_byzantium [speed] [solitaire] [tournaments]`` takes some minutes for everything on
one core; rates are medians per second of processor time, so that other work on the machine distorts them less.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median

from byzanz_lab.companions.byzantium.advice import AdviserPolicy, advise
from byzanz_lab.companions.byzantium.duplicate import Tournament, tournament
from byzanz_lab.companions.byzantium.encoding import encode
from byzanz_lab.companions.byzantium.luck import luck_and_skill, win_rates
from byzanz_lab.companions.byzantium.playouts import play_alone, play_out
from byzanz_lab.companions.byzantium.policies import built_in_policies, policies_for, policy_named
from byzanz_lab.companions.byzantium.position import observe
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.solver import solve
from byzanz_lab.companions.byzantium.state import new_game
from byzanz_lab.evaluation import Budget


def rate(work: Callable[[int], object], n: int) -> float:
    """Units of work per second of processor time, the median of seven tries."""
    work(1)
    rates = []
    for _ in range(7):
        begin = time.process_time()
        work(n)
        rates.append(n / (time.process_time() - begin))
    return median(rates)


def speed() -> None:
    """Playouts, advice and the solver."""
    fastest = 0.0
    for policy in built_in_policies():
        found = rate(lambda n, policy=policy: play_alone(Rules(1), [policy], 1, 0, n), 20_000)  # type: ignore[misc]
        fastest = fastest or found
        share = f"{fastest / found:.2f} times the work of {built_in_policies()[0].name} play"
        print(f"solitaire playouts, {policy.name}: {found:,.0f} a second and core, {share}")
    for players in (2, 3, 4):
        state = new_game(Rules(players), 1)
        start, policies = encode(observe(state, state.to_move or 0)), policies_for(None, players)
        found = rate(lambda n, s=start, p=policies: play_out(s, [None], p, 1, 0, n), 2_000)  # type: ignore[misc]
        print(f"whole deals of {players}, default: {found:,.0f} a second and core")
    for players in (1, 2, 3, 4):
        state = new_game(Rules(players), 2)
        begin = time.perf_counter()
        advice = advise(observe(state, state.to_move or 0), Budget(seconds=1.0))
        print(f"first advice of {players} in {time.perf_counter() - begin:.2f} s: {advice.basis}, best {advice.best}")
    begin, nodes, proven = time.process_time(), 0, 0
    for seed in range(100):
        solution = solve(new_game(Rules(1), 1000 + seed), seconds=None)
        nodes, proven = nodes + solution.nodes, proven + solution.is_proven
    spent = time.process_time() - begin
    pace = f"{nodes / spent:,.0f} tableaux a second"
    print(f"solver: {proven} of 100 deals proven in {spent:.1f} s of processor time, {pace}")


def solitaire() -> None:
    """How often it can be won, and by whom."""
    for variant in ({}, {"stop_at_first_misfit": True}, {"direction_per_branch": True}):
        print(variant or "usual rules")
        print(win_rates(budget=50_000, rules=Rules(1, **variant)))
    print(luck_and_skill(200))


def tournaments() -> None:
    """The policies and the adviser against others, each deal from every seat."""
    for players in (2, 3, 4):
        for name in ("random", "greedy"):
            rivals = policy_named(name, players)
            tell(tournament(Rules(players), built_in_policies(players), rivals, 2_000))
            tell(tournament(Rules(players), [AdviserPolicy(worlds=64)], rivals, 24))


def tell(found: Tournament) -> None:
    """A line a contender: margin and share of the win, with standard errors and the number of deals."""
    players, deals = found.trial.rules.players, found.comparison.worlds
    for name in found.names:
        margin, win = found.estimate(name, "margin"), found.estimate(name, "win")
        print(
            f"{players} players, {name} against {found.trial.rivals.name}: margin {margin.mean:+.2f} cards "
            f"(s.e. {margin.se:.2f}), share of the win {win.mean:.3f} (s.e. {win.se:.3f}), fair {1 / players:.3f}; "
            f"n = {deals} deals, each from {players} seats",
            flush=True,
        )


if __name__ == "__main__":
    parts = {"speed": speed, "solitaire": solitaire, "tournaments": tournaments}
    for part in sys.argv[1:] or parts:
        parts[part]()
