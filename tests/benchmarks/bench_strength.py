"""How strong the policies and the adviser are, in duplicate tournaments: each figure with its error and number.

Run by hand: ``python -m tests.benchmarks.bench_strength [PART ...] [--games N] [--worlds N] [--file FILE]``. The parts
are

``learned``
    The learned policy alone against tables of greedy, first and tuned default policies, at 3 to 6 seats.
``characters``
    Every character alone against a table of learned ones, at 3 to 6 seats: none may get more than its share.
``opener``
    What the seat that opens the first auction is worth among equals.
``adviser``
    The adviser against learned ones, at 4 seats, with so many worlds a decision.
``forecast``
    Price forecasts: how often a lot that will go for at most some price "with 75 to 85 %" does, told what was done
    before or not, at 3 to 6 seats.
``second``
    How many worlds the adviser looks at in one second of one core, and how many decisions are settled early.

Every deal is played from every seat, and the deal is the unit of all errors. ``--file`` keeps the adviser's games, so
that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from typing import Final

from byzanz_lab.advice.advise import advise
from byzanz_lab.advice.adviser_policy import AdviserPolicy
from byzanz_lab.advice.behaviour import Deed, deeds_of
from byzanz_lab.advice.options import candidates_for
from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.evaluation import Estimate
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation.characters import CHARACTERS, character_named
from byzanz_lab.simulation.learned import learned_policy
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import Policy, default_policy, greedy_policy
from byzanz_lab.simulation.training.generations import FIRST
from tests.advice.priced_lots import kept, priced_lots, promises

SEATS: Final = (3, 4, 5, 6)
TARGETS: Final = {"greedy": 0.75, "first": 0.5}
"""Share of the wins that the learned policy is to reach at four seats."""

BANDS: Final = ((0.15, 0.25), (0.45, 0.55), (0.75, 0.85), (0.9, 0.99))
"""Chances that forecasts are looked at with."""
FORECAST_WORLDS: Final = 400
TIMED: Final = 512
"""Worlds of a decision that is timed."""


def figure(what: str, found: Estimate, games: int, note: str = "") -> None:
    """Print one figure."""
    scale, unit, digits = (100.0, "%", 1) if found.unit == "share" else (1.0, "points", 2)
    value, error, low, high = (f"{scale * x:z.{digits}f}" for x in (found.mean, found.se, *found.interval()))
    size = f"{found.n:,} deals, {games:,} games{'; ' + note if note else ''}"
    print(f"{what:<58} {value:>5} ± {error} {unit} (s.e.), 95 %: {low} to {high}, {size}", flush=True)


def alone(policy: Policy, rival: Policy, seats: int, games: int, seed: int, path: Path | None = None) -> Estimate:
    """Share of the wins of one policy alone against a table of another."""
    lineup = [policy.name, *[rival.name] * (seats - 1)]
    tournament = Tournament([policy, rival], seats=seats, games=games, seed=seed, lineups=[lineup])
    return tournament.run(path, workers=1).against(policy.name, rival.name)


def learned(args: argparse.Namespace) -> None:
    """The learned policy against simpler ones."""
    for seats in SEATS:
        for rival in (greedy_policy(), FIRST, default_policy()):
            found = alone(learned_policy(seats), rival, seats, args.games, args.seed)
            target = TARGETS.get(rival.name) if seats == 4 else None
            note = f"fair is {1 / seats:.1%}"
            if target is not None:
                note += f", target {target:.0%} {'reached' if found.mean >= target else 'NOT reached'}"
            figure(f"{seats} seats: learned against {seats - 1} {rival.name}", found, found.n * seats, note)


def characters(args: argparse.Namespace) -> None:
    """Every character against the learned policy."""
    beaten = []
    for seats in SEATS:
        for name in CHARACTERS:
            if name != "learned":
                found = alone(character_named(name, seats), learned_policy(seats), seats, args.games, args.seed)
                figure(f"{seats} seats: {name} against {seats - 1} learned", found, found.n * seats)
                if found.interval()[1] > 1 / seats:
                    beaten.append(f"{name} at {seats} seats")
    print(f"characters that beat the learned policy, or may: {', '.join(beaten) or 'none'}")


def opener(args: argparse.Namespace) -> None:
    """What the first seat is worth among equals."""
    for seats in SEATS:
        found = Tournament([learned_policy(seats)], seats=seats, games=args.games * seats, seed=args.seed).run()
        profits = found.profits[:, 0, 0].astype(float)
        ahead = Estimate.from_samples(profits[:, 0] - profits[:, 1:].mean(axis=1), "points")
        note = f"fair is {1 / seats:.1%}"
        figure(f"{seats} seats: opener among learned ones, wins", found.seat(0), found.deals, note)
        figure(f"{seats} seats: opener among learned ones, profit over the others", ahead, found.deals)


def forecasts(args: argparse.Namespace) -> None:
    """How often price forecasts come true."""
    for seats in SEATS:
        for told in (False, True):
            lots = priced_lots(learned_policy(seats), seats, args.forecast_games, args.seed)
            found = promises(lots, FORECAST_WORLDS, told)
            for low, high in BANDS:
                said, came, se, n = kept(found, low, high)
                note = ""
                if told and (low, high) == (0.75, 0.85):
                    note = f"; target 75 to 85 % {'reached' if low <= came <= high else 'NOT reached'}"
                who = "told what was done before" if told else "told nothing"
                print(
                    f"{seats} seats, forecasts {who}: of {n:,} that said {low:.0%} to {high:.0%} ({said:.1%} in the "
                    f"mean) {came:.1%} ± {se:.1%} (s.e.) came true{note}",
                    flush=True,
                )
            lots_seen = len({promise.lot for promise in found})
            score = sum((promise.said - promise.came) ** 2 for promise in found) / lots_seen
            print(f"    squared error a lot, summed over prices: {score:.3f} ({lots_seen:,} lots)")


def adviser_of(args: argparse.Namespace) -> AdviserPolicy:
    """The adviser that the arguments ask for."""
    playing = {"learned": learned_policy(4), "default": default_policy()}[args.playing]
    return AdviserPolicy(
        worlds=args.worlds, workers=1, playing=playing, objective=args.objective, remembers=not args.forget
    )


def adviser(args: argparse.Namespace) -> None:
    """The adviser against learned ones."""
    before = time.process_time()
    found = alone(adviser_of(args), learned_policy(4), 4, args.adviser_games, args.seed, args.file)
    seconds = time.process_time() - before
    reached = found.mean >= 0.4 and found.interval()[0] > 0.33
    note = f"target 40 % and lower bound 33 % {'reached' if reached else 'NOT reached'}; {seconds:.0f} s of processor"
    memory = "uniform" if args.forget else "weighted"
    what = f"adviser ({args.worlds} {memory} worlds, {args.objective}, {args.playing} plays out) against 3 learned"
    figure(what, found, found.n * 4, note)


def second(args: argparse.Namespace) -> None:
    """How much one second of thought is: by processor time, so that a busy machine does not count as a slow one."""
    playing = adviser_of(args).playing
    worlds, settled = [], []
    for position, seen in decisions(args.decisions):
        found = []
        for racing in (False, True):
            told = () if args.forget else seen
            begun = time.process_time()
            advice = advise(
                position, TIMED, objective=args.objective, policies=playing, seen=told, workers=1, racing=racing
            )
            found.append((advice, time.process_time() - begun))
        (whole, seconds), (raced, _) = found
        worlds.append(whole.comparison.worlds / seconds)
        settled.append(raced.is_exact or raced.comparison.stopped == "clear")
    print(
        f"one second of one core, {len(worlds)} decisions, all choices tried in every world: {median(worlds):,.0f} "
        f"worlds in the middle, {min(worlds):,.0f} to {max(worlds):,.0f}; {mean(settled):.0%} were settled within "
        f"{TIMED} worlds"
    )


def decisions(n: int) -> list[tuple[Position, tuple[Deed, ...]]]:
    """Decisions with a choice, with what was seen before, spread over games among learned ones at four seats."""
    found: list[tuple[Position, tuple[Deed, ...]]] = []
    for seed in range(1, 100):
        record = play_game([learned_policy(4)] * 4, new_game(Rules.for_seats(4), seed), seed)
        for turn in list(record.states())[seed % 7 :: 17]:
            if turn.seat == turn.state.to_move:
                position = observe(turn.state, turn.seat)
                if len(candidates_for(position, learned_policy(4)).groups) > 1:
                    found.append((position, deeds_of(record, turn.number)))
                if len(found) == n:
                    return found
    return found


PARTS: Final[dict[str, Callable[[argparse.Namespace], None]]] = {
    "learned": learned,
    "characters": characters,
    "opener": opener,
    "adviser": adviser,
    "forecast": forecasts,
    "second": second,
}


def main() -> None:
    """Print the figures of the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--games", type=int, default=8000, help="of each figure between compiled policies")
    parser.add_argument("--adviser-games", type=int, default=100)
    parser.add_argument("--forecast-games", type=int, default=150)
    parser.add_argument("--worlds", type=int, default=256, help="of the adviser, a decision")
    parser.add_argument("--objective", choices=["profit", "margin", "win"], default="win")
    parser.add_argument("--playing", choices=["learned", "default"], default="learned", help="who plays its worlds out")
    parser.add_argument("--forget", action="store_true", help="the adviser draws no conclusions from what was done")
    parser.add_argument("--decisions", type=int, default=24, help="timed by the part second")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--file", type=Path, help="keeps the adviser's games")
    args = parser.parse_args()
    unknown = [part for part in args.parts if part not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]!r} (parts are {', '.join(PARTS)})")
    for part in args.parts or PARTS:
        PARTS[part](args)


if __name__ == "__main__":
    main()
