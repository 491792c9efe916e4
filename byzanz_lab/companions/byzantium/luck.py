"""How often solitaire can be won, and how much of that is luck.

``win_rates`` plays whole deals with policies and gives the chance of placing all 24 cards, with an interval that also
holds for rare events (see `byzanz_lab.evaluation.estimate`). ``luck_and_skill`` puts a ladder beside it, over the same
deals: the policies, the adviser who plays out worlds, and the clairvoyant who knows the order of the deck. What the
clairvoyant cannot place was bad luck; the step from the adviser to him is the price of not knowing; the steps below are
skill.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from html import escape
from typing import ClassVar, SupportsIndex

import numpy as np

from byzanz_lab.companions.byzantium.advice import AdviserPolicy
from byzanz_lab.companions.byzantium.playouts import play_alone, play_deal, solitaire_deal
from byzanz_lab.companions.byzantium.policies import (
    CompiledPolicy,
    Policy,
    RandomPolicy,
    WeighedPolicy,
    built_in_policies,
)
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.solver import solve
from byzanz_lab.companions.byzantium.trials import ALONE, ALONE_UNITS, PoliciesTrial, outcomes_alone
from byzanz_lab.evaluation import Budget, Comparison, Estimate, Progress, Sample, compare
from byzanz_lab.evaluation.budget import Cancellable

CLAIRVOYANT = "clairvoyant"


@dataclass(frozen=True, eq=False)
class Ladder:
    """Players of solitaire compared over the same deals.

    Attributes
    ----------
    names
        The players, in the order in which they were given.
    comparison
        What came out; outcomes are those of `trials.ALONE`, and perhaps ``"bound"``.
    """

    names: tuple[str, ...]
    comparison: Comparison

    @property
    def deals(self) -> int:
        """How many deals each has played."""
        return self.comparison.worlds

    def placed(self, name: str) -> Estimate:
        """The mean number of cards that a player places."""
        return self.comparison.estimate(self._at(name), "placed")

    def wins(self, name: str) -> int:
        """How many deals a player has won."""
        return round(self.comparison.estimate(self._at(name), "all 24").mean * self.deals)

    def chance(self, name: str, level: float = 0.95) -> tuple[float, float, float]:
        """The chance of placing all 24 cards: estimate, and the ends of its interval at ``level``."""
        share = self.comparison.estimate(self._at(name), "all 24")
        return share.mean, *share.interval(level)

    def step(self, name: str, other: str) -> Estimate:
        """How many cards more a player places than another, paired over the deals."""
        return self.comparison.difference(self._at(name), self._at(other), "placed")

    def _at(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"there is no player {name!r}; there are {', '.join(self.names)}")
        return self.names.index(name)

    def rows(self) -> list[dict[str, object]]:
        """One row a player: name, cards placed, wins, chance and its interval."""
        rows = []
        for name in self.names:
            chance, low, high = self.chance(name)
            placed = self.placed(name)
            rows.append(
                {"player": name, "placed": placed, "wins": self.wins(name), "chance": chance, "low": low, "high": high}
            )
        return rows

    def _lines(self) -> list[list[str]]:
        lines = []
        for name in self.names:
            chance, low, high = self.chance(name)
            placed = self.placed(name)
            cells = [f"{placed.mean:.2f} ± {placed.half_width():.2f}", f"{chance:.2%}", f"{low:.2%} to {high:.2%}"]
            lines.append([name, *cells])
        return lines

    def __str__(self) -> str:
        table = [["player", "cards placed", "all 24", "95 % interval"], *self._lines()]
        widths = [max(len(line[column]) for line in table) for column in range(4)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in table]
        return "\n".join([f"{self.deals} deals", *(line.rstrip() for line in lines)])

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{h}</th>' for h in ("player", "cards placed", "all 24", "95 % interval"))
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in self._lines()
        )
        head = f"<caption>{self.deals} deals of solitaire</caption><thead><tr>{heads}</tr></thead>"
        return f"<table>{head}<tbody>{rows}</tbody></table>"


@dataclass(frozen=True)
class LadderTrial:
    """Options are players of whole deals; the last one is the clairvoyant, if ``nodes`` is not 0.

    Parameters
    ----------
    rules
        The rules of solitaire.
    policies
        The players, compiled or not.
    nodes
        What the clairvoyant may look at in a deal, see `solve`; 0 leaves him out.
    seed
        Root of the random numbers.
    block_size
        Deals a block.
    """

    rules: Rules
    policies: tuple[Policy, ...]
    nodes: int
    seed: int = 1
    block_size: int = 8
    outcomes: ClassVar[tuple[str, ...]] = (*ALONE, "bound")
    units: ClassVar[tuple[str, ...]] = (*ALONE_UNITS, "cards")

    @property
    def n_options(self) -> int:
        """Number of players."""
        return len(self.policies) + (self.nodes > 0)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the deals of a block; for the clairvoyant, the bound is what is proven."""
        worlds = range(block * self.block_size, (block + 1) * self.block_size)
        placed, bound = np.zeros((2, len(options), self.block_size), np.int64)
        for row, option in enumerate(options):
            if option == len(self.policies):
                solved = [solve(solitaire_deal(self.rules, self.seed, w), None, self.nodes) for w in worlds]
                placed[row] = [solution.placed for solution in solved]
                bound[row] = [solution.bound for solution in solved]
            else:
                placed[row] = bound[row] = self._played(self.policies[option], worlds)
        return Sample(np.concatenate([outcomes_alone(placed), bound[..., None].astype(float)], axis=-1))

    def _played(self, policy: Policy, worlds: range) -> list[int]:
        if isinstance(policy, (RandomPolicy, WeighedPolicy)):
            return [int(n) for n in play_alone(self.rules, [policy], self.seed, worlds[0], len(worlds))[:, 0]]
        deals = [(solitaire_deal(self.rules, self.seed, w), self.seed + w) for w in worlds]
        return [len(play_deal([policy], state, seed).replay().tableau) for state, seed in deals]


def win_rates(
    policies: Sequence[CompiledPolicy] | None = None,
    budget: Budget | SupportsIndex = 20_000,
    *,
    rules: Rules | None = None,
    seed: int = 1,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Cancellable | None = None,
) -> Ladder:
    """Play whole deals of solitaire with compiled policies.

    Parameters
    ----------
    policies
        Who plays; all built-in policies when left out.
    budget
        What may be spent; a whole number is a number of deals.
    rules
        The rules of solitaire, with variants.
    seed
        Root of the random numbers.
    executor, workers, progress, cancel
        As for `byzanz_lab.evaluation.compare`.

    Examples
    --------
    >>> ladder = win_rates(budget=2000)
    >>> [name for name in ladder.names if ladder.chance(name)[1] > 0.05]
    ['greedy', 'default']
    """
    players = tuple(built_in_policies() if policies is None else policies)
    trial = PoliciesTrial(_alone(rules), players, seed)
    found = compare(
        trial, budget, racing=False, executor=executor, workers=workers, progress=progress, cancel=cancel
    )  # fmt: skip
    return Ladder(_names(players), found)


def luck_and_skill(
    budget: Budget | SupportsIndex = 48,
    *,
    policies: Sequence[Policy] | None = None,
    rules: Rules | None = None,
    nodes: int = 20_000_000,
    seed: int = 1,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Cancellable | None = None,
) -> Ladder:
    """Compare policies, the adviser and the clairvoyant over the same deals of solitaire.

    Parameters
    ----------
    budget
        What may be spent; a whole number is a number of deals. A deal takes some tenths of a second.
    policies
        Who plays; the built-in policies and the adviser when left out.
    rules
        The rules of solitaire, with variants.
    nodes
        What the clairvoyant may look at in a deal, see `solve`.
    seed
        Root of the random numbers.
    executor, workers, progress, cancel
        As for `byzanz_lab.evaluation.compare`.

    Returns
    -------
    The players, the clairvoyant last; the mean of the outcome ``"bound"`` is what is proven of him.
    """
    players = tuple((*built_in_policies(), AdviserPolicy()) if policies is None else policies)
    trial = LadderTrial(_alone(rules), players, nodes, seed)
    found = compare(
        trial, budget, racing=False, executor=executor, workers=workers, progress=progress, cancel=cancel
    )  # fmt: skip
    return Ladder((*_names(players), CLAIRVOYANT), found)


def _alone(rules: Rules | None) -> Rules:
    rules = Rules(1) if rules is None else rules
    if not rules.is_solitaire:
        raise ValueError(f"this is about solitaire, not about {rules.players} players")
    return rules


def _names(players: Sequence[Policy]) -> tuple[str, ...]:
    names = tuple(player.name for player in players)
    if len(set(names)) < len(names) or CLAIRVOYANT in names:
        raise ValueError(f"players need different names, not {', '.join(names)}")
    return names
