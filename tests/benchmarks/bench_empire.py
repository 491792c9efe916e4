"""Figures of Byzantine Empire: speed, strength, calibration, and what the meld game is worth. Printed, never asserted.

``python -m tests.benchmarks.bench_empire`` prints them all; words after it pick some (``speed``, ``advice``,
``tournaments``, ``calibration``, ``melds``). Tournaments take some minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np

from byzanz_lab.companions.empire.advice import AdviserPolicy, advise
from byzanz_lab.companions.empire.calibration import calibrate
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.duplicate import tournament
from byzanz_lab.companions.empire.meld_game import candidates
from byzanz_lab.companions.empire.mixed_strategy import equilibrium
from byzanz_lab.companions.empire.playouts import play_games
from byzanz_lab.companions.empire.policies import BUILT_IN, default_policy, policy_named
from byzanz_lab.companions.empire.position import Position, observe
from byzanz_lab.companions.empire.state import new_game
from byzanz_lab.companions.empire.table import Phase
from byzanz_lab.companions.empire.trials import ActionsTrial
from byzanz_lab.evaluation import Budget, Estimate, compare


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


def moments(phase: Phase, games: int, step: int = 5) -> Iterator[Position]:
    """Every so many decisions of a phase in games of the default policy."""
    policy, number = default_policy(), 0
    for seed in range(games):
        state = new_game(seed=seed)
        while state.to_move is not None:
            position = observe(state, state.to_move)
            if state.phase is phase:
                number += 1
                if number % step == 0:
                    yield position
            state = state.apply(policy.choose(position))


def advice() -> None:
    """How long advice of 200 worlds takes, and how many playouts fit into a second."""
    for phase in (Phase.REDRAW, Phase.MELD, Phase.NEGOTIATION, Phase.PASS):
        positions = list(moments(phase, 2))
        begin = time.process_time()
        found = [advise(position, 200, workers=1) for position in positions]
        spent = (time.process_time() - begin) / len(positions)
        options = np.mean([len(one.options) for one in found])
        print(f"advice: {phase:12} 200 worlds, {options:5.0f} options in {spent:.2f} s of processor time")
    for phase in (Phase.REDRAW, Phase.MELD):
        begin = time.perf_counter()
        one = advise(next(moments(phase, 1, 1)), Budget(seconds=1.0))
        print(f"advice: {phase:12} in {time.perf_counter() - begin:.2f} s: {one.result.playouts} playouts, {one.basis}")


def tournaments() -> None:
    """The adviser, and the adviser that mixes, against the built-in policies; then the built-in ones at length."""
    for rival in BUILT_IN:
        contenders = [AdviserPolicy(), AdviserPolicy(mixes=True, name="mixing"), default_policy()]
        print(tournament(contenders, policy_named(rival), 24, workers=1), flush=True)
    for rival in BUILT_IN:
        print(tournament([policy_named(name) for name in BUILT_IN if name != rival], policy_named(rival), 20_000))


def calibration() -> None:
    """Whether forecasts of the default policy come true."""
    print(calibrate(2000, 256), flush=True)


def melds() -> None:
    """How well the meld game knows what melds are worth, and what is lost by comparing its candidates only."""
    off, lost, gained, mixed = [], [], [], 0
    for position in moments(Phase.MELD, 5, 7):
        policy, actions = default_policy(), position.legal_actions()
        trial = ActionsTrial(position, actions, (policy, policy), 9, 64)
        whole = compare(trial, 512, racing=False)
        kept = [actions.index(meld) for meld in dict.fromkeys([*candidates(position), policy.choose(position)])]
        best = whole.best()
        near = max(kept, key=lambda i: whole.now.mean[i, i, 0])
        lost.append(whole.now.mean[best, best, 0] - whole.now.mean[near, near, 0])
        found = equilibrium(position)
        mixed += not found.is_pure
        gained.append(next(iter(found.exploited.values())).mean)
        usual = policy.choose(position)
        off.append(found.exploited[usual].mean if usual in found.exploited else np.nan)
    known = [value for value in off if not np.isnan(value)]
    for said, values in (
        ("best meld of all over the best candidate, by the same 512 worlds, which flatters the best of many", lost),
        (f"lost by the least exploitable meld (a mixture is better in {mixed} positions)", gained),
        ("lost by the default policy's meld where it is a candidate", known),
    ):
        print(f"melds: {len(values)} positions, {said}: {Estimate.from_samples(values, 'tokens')}", flush=True)


if __name__ == "__main__":
    for figure in (speed, advice, calibration, melds, tournaments):
        if len(sys.argv) == 1 or figure.__name__ in sys.argv[1:]:
            figure()
