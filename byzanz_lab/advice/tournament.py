"""Tournaments: which policy is stronger, by how much, and how sure that is.

Every deal is played in all rotations of the seats and by every line-up (*duplicate play*), so the luck of the cards is
shared out evenly and cancels in differences. What is independent are the deals, so the deal is the unit of all standard
errors. At four seats a fair share of the wins is 25 %.

The result is a function of the policies, the seed and the number of games alone: the same, bit for bit, on any number
of workers, and whether it was played in one go or taken up again from a file. Policies that think by the clock are
the exception.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from math import ceil
from pathlib import Path
from typing import Any, Final

import numpy as np

from byzanz_lab.advice.tournament_file import Log
from byzanz_lab.advice.tournament_play import Plan, Shorts, play_block
from byzanz_lab.advice.tournament_result import Standings
from byzanz_lab.evaluation.budget import Budget, Cancellable, whole_number
from byzanz_lab.evaluation.progress import Progress, Reporter, seconds_left
from byzanz_lab.evaluation.spread import in_order
from byzanz_lab.game.rules import Rules
from byzanz_lab.simulation.policies import Policy
from byzanz_lab.simulation.seeds import root_state

FIELD: Final = "field"
DUELS: Final = "duels"


@dataclass(frozen=True)
class Tournament:
    """A tournament that can be run.

    Parameters
    ----------
    policies
        Who takes part: built-in policies, or your own. Their names must differ.
    seats
        Seats at a table, 3 to 6.
    games
        Least number of games in all; rounded up so that every deal is played in all rotations by every line-up.
    seed
        Root of the deals and of all choices.
    executor
        Where games are played: any `concurrent.futures.Executor`; threads if not given. Python policies need processes
        to gain from it, and can then only be sent there if they can be pickled.
    lineups
        Who sits together. ``"field"``: each choice of as many policies as there are seats; with fewer policies than
        seats, all ways to fill the table in which each sits at least once. ``"duels"``: each policy alone against a
        table of each other one. Or a list of line-ups, each with one name a seat.
    variant
        Fields of `Rules` that differ from the default.

    Raises
    ------
    ValueError
        If an argument is out of range, or there is nobody of a name.
    TypeError
        If one of the policies is none.

    Examples
    --------
    >>> from byzanz_lab.simulation.policies import RandomPolicy, greedy_policy
    >>> standings = Tournament([greedy_policy(), RandomPolicy()], games=600, lineups="duels").run()
    >>> standings.best, standings.row("greedy").wins.mean > 0.45  # of two seats in four, so at most 0.5
    ('greedy', True)

    A policy of your own is a class with a name, traits, a source and ``choose``, which is given a Position; whether it
    keeps what every policy must is tested by `byzanz_lab.simulation.contract.check_policy`:

    >>> from byzanz_lab.game.actions import Pass
    >>> from byzanz_lab.policy import Traits
    >>> from byzanz_lab.simulation.contract import check_policy
    >>> class Shy:
    ...     name, traits, source = "shy", Traits(), "passes when it may, else follows another"
    ...     def choose(self, position, seed=0):
    ...         return Pass() if position.can(Pass()) else greedy_policy().choose(position, seed)
    >>> check_policy(Shy(), seats=[4], games=1)
    >>> Tournament([Shy(), RandomPolicy()], games=4, lineups=[["shy", "random", "random", "random"]]).run().games
    4
    """

    policies: Sequence[Policy]
    seats: int = 4
    games: int = 1000
    seed: int = 1
    executor: Executor | None = field(default=None, compare=False, repr=False)
    lineups: str | Sequence[Sequence[str]] = FIELD
    variant: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "policies", tuple(self.policies))
        _check_policies(self.policies)
        try:
            games = whole_number(self.games)
        except TypeError:
            raise ValueError(f"games is a whole number, not {self.games!r}") from None
        if games < 1:
            raise ValueError(f"a tournament needs 1 game or more, not {games}")
        root_state(self.seed)
        object.__setattr__(self, "games", games)
        object.__setattr__(self, "plan", self._plan())

    plan: Plan = field(init=False, repr=False, compare=False)
    """What the workers are told."""

    def _plan(self) -> Plan:
        rules = Rules.for_seats(self.seats, **self.variant)
        names = [policy.name for policy in self.policies]
        if isinstance(self.lineups, str):
            lineups = _lineups(self.lineups, len(names), rules.seats)
        else:
            lineups = tuple(_numbers(lineup, names, rules.seats) for lineup in self.lineups)
        if not lineups:
            raise ValueError("a tournament needs one line-up or more")
        absent = set(range(len(names))) - {i for lineup in lineups for i in lineup}
        if absent:
            raise ValueError(f"policy {names[min(absent)]!r} is in no line-up")
        return Plan(rules, tuple(self.policies), lineups, self.seed)

    @property
    def blocks(self) -> int:
        """Number of blocks in which the games are played."""
        return ceil(self.games / (self.plan.block_deals * self._games_a_deal))

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.blocks * self.plan.block_deals

    @property
    def _games_a_deal(self) -> int:
        return len(self.plan.lineups) * self.plan.rules.seats

    def run(
        self,
        path: str | Path | None = None,
        *,
        workers: int | None = None,
        progress: Callable[[Progress], object] | bool | None = None,
        cancel: Cancellable | None = None,
    ) -> Standings:
        """Play.

        Parameters
        ----------
        path
            A file of JSON lines in which every finished block is kept. If it holds blocks of this tournament, only the
            others are played; with more ``games`` than before it goes on.
        workers
            Number of threads, or of the executor's workers where it cannot be asked.
        progress
            A function that is handed a `Progress` (worlds are deals, playouts are games), or True for a bar.
        cancel
            A switch such as `Cancel`; once it is set the run ends and hands back what it has.

        Raises
        ------
        ValueError
            If the file holds something else, a policy does what is not allowed, or it was cancelled before any deal
            was finished.
        """
        log = Log(path, self.plan) if path is not None else None
        blocks = log.blocks[: self.blocks] if log else []
        try:
            self._play(blocks, log, workers, progress, cancel)
        finally:
            if log:
                log.close()
        if not blocks:
            raise ValueError("the tournament was cancelled before a deal was finished")
        profits, ties = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return Standings(self.plan, profits, ties)

    def _play(
        self,
        blocks: list[tuple[Shorts, Shorts]],
        log: Log | None,
        workers: int | None,
        progress: Callable[[Progress], object] | bool | None,
        cancel: Cancellable | None,
    ) -> None:
        """Play the blocks that are missing, and put each into the list and the log as it comes."""
        before, begun, reporter = len(blocks), time.perf_counter(), Reporter(progress)
        new = Budget(worlds=max(self.blocks - before, 1) * self.plan.block_deals)

        def state() -> Progress:
            deals, now = len(blocks) * self.plan.block_deals, time.perf_counter() - begun
            left = seconds_left(new, deals - before * self.plan.block_deals, deals, None, now)
            return Progress(deals, deals * self._games_a_deal, None, now, left, len(blocks) / self.blocks)

        done = in_order(
            lambda block: (play_block, (self.plan, block)),
            before,
            self.blocks,
            executor=self.executor,
            workers=workers,
            cancelled=lambda: cancel is not None and cancel.is_set(),
            time_is_up=lambda: False,
        )
        try:
            with closing(done):
                for profits, ties in done:
                    if log:
                        log.add(len(blocks), profits, ties)
                    blocks.append((profits, ties))
                    reporter.report(state)
            reporter.report(state, last=True)
        finally:
            reporter.close()


def _check_policies(policies: Sequence[Policy]) -> None:
    if not policies:
        raise ValueError("a tournament needs one policy or more")
    for policy in policies:
        if isinstance(policy, type) or not isinstance(policy, Policy):
            raise TypeError(f"{policy!r} is no policy: it needs name, traits, source and choose(position, seed)")
    names = [policy.name for policy in policies]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two policies are named {twice!r}; give one of them another name")


def _lineups(kind: str, n: int, seats: int) -> tuple[tuple[int, ...], ...]:
    if kind == DUELS and n > 1:
        return tuple((a, *(b,) * (seats - 1)) for a in range(n) for b in range(n) if a != b)
    if kind not in (FIELD, DUELS):
        raise ValueError(f"unknown line-ups {kind!r} (they are {FIELD}, {DUELS}, or a list with one name a seat)")
    if n >= seats:
        return tuple(combinations(range(n), seats))
    return tuple(table for table in combinations_with_replacement(range(n), seats) if len(set(table)) == n)


def _numbers(lineup: Sequence[str], names: Sequence[str], seats: int) -> tuple[int, ...]:
    if isinstance(lineup, str) or len(lineup) != seats:
        raise ValueError(f"a line-up has one name for each of the {seats} seats, not {lineup!r}")
    for name in lineup:
        if name not in names:
            raise ValueError(f"nobody in the tournament is named {name!r} (there are {', '.join(names)})")
    return tuple(names.index(name) for name in lineup)
