"""The adviser against OpenSpiel's search for games with hidden cards, at equal time, four seats, duplicate deals.

Run by hand: ``python -m tests.benchmarks.bench_openspiel [--deals N] [--worlds N] [--random-playouts]``. The search
gets as many simulations as take the processor time that the adviser takes: both are timed over a first deal, which does
not count. Each deal is played with either of them alone against three of the other, from every seat; what is
independent are the deals, and they are the n of the intervals. Both judge by points.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

from byzanz_lab.advice.adviser_policy import AdviserPolicy
from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.advice.tournament_result import Standings
from byzanz_lab.game.actions import Action
from byzanz_lab.game.position import Position
from byzanz_lab.interop.search import SearchPolicy

SEATS = 4


@dataclass(frozen=True)
class Timed:
    """A policy, and the processor time that each of its decisions took."""

    player: Any
    spent: list[float] = field(default_factory=list, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the policy."""
        return str(self.player.name)

    @property
    def source(self) -> str:
        """Where the policy comes from."""
        return str(self.player.source)

    @property
    def traits(self) -> Any:
        """What the policy says of itself."""
        return self.player.traits

    def choose(self, position: Position, seed: int = 0) -> Action:
        """What the policy does."""
        begun = time.process_time()
        action: Action = self.player.choose(position, seed)
        self.spent.append(time.process_time() - begun)
        return action

    @property
    def mean(self) -> float:
        """Seconds a decision."""
        return sum(self.spent) / len(self.spent)


def play(players: tuple[Timed, Timed], deals: int, seed: int) -> Standings:
    """Let them play, and say how long they took."""
    for player in players:
        player.spent.clear()
    games = deals * 2 * SEATS
    standings = Tournament(players, seats=SEATS, games=games, seed=seed, lineups="duels").run(workers=1)
    for player in players:
        print(f"{player.name}: {player.mean * 1000:.0f} ms of processor time a decision, {len(player.spent)} decisions")
    return standings


def main() -> None:
    """Play, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=12)
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--exploration", type=float, default=10.0)
    parser.add_argument("--random-playouts", action="store_true")
    given = parser.parse_args()

    def search(simulations: int) -> SearchPolicy:
        return SearchPolicy(simulations, exploration=given.exploration, compiled=not given.random_playouts)

    adviser, guess = Timed(AdviserPolicy(worlds=given.worlds, workers=1)), 1 if given.random_playouts else 20
    trial = Timed(search(guess))
    play((adviser, trial), 1, seed=76)
    simulations = max(1, round(guess * adviser.mean / trial.mean))
    print(f"from here on: {given.worlds} worlds a decision against {simulations} simulations a choice")
    standings = play((adviser, Timed(search(simulations))), given.deals, seed=77)
    print(standings)
    print("means with 95 % intervals:")
    for outcome in ("win", "profit"):
        for one, other in (("adviser", "ismcts"), ("ismcts", "adviser")):
            found = standings.against(one, other, outcome)
            print(f"{one} alone against three {other}: {outcome} {found}, {found.n} deals")
        found = standings.difference("adviser", "ismcts", outcome)
        print(f"adviser over ismcts, paired by deal: {outcome} {found}, {found.n} deals")


if __name__ == "__main__":
    main()
