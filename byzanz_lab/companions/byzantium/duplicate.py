"""Who plays better: duplicate tournaments of two to four players.

Every deal is played once from each seat: the contender takes one seat after another, the same rival policy all others,
and what counts is the mean over the seats. So the luck of the cards and of the seat falls on all contenders alike, and
since all of them play the same deals, their differences are paired (duplicate, as in bridge). `tournament` stops when
the best contender is clear or the budget is spent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from html import escape
from typing import ClassVar, SupportsIndex

import numpy as np

from byzanz_lab.companions.byzantium import kernels as k
from byzanz_lab.companions.byzantium.cards import CARDS, Cards
from byzanz_lab.companions.byzantium.encoding import (
    WORK,
    Ints,
    board_of,
    card_of,
    card_rows,
    lay_out,
    ranks_of,
    root_of,
)
from byzanz_lab.companions.byzantium.playouts import POLICY_CHOOSES, play_deal
from byzanz_lab.companions.byzantium.policies import CompiledPolicy, Policy, RandomPolicy, WeighedPolicy, brain_for
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, deal
from byzanz_lab.companions.byzantium.tableau import Tableau
from byzanz_lab.companions.byzantium.trials import TOGETHER, TOGETHER_UNITS, outcomes_together
from byzanz_lab.evaluation import Budget, Comparison, Estimate, Progress, Sample, compare
from byzanz_lab.evaluation.budget import Cancellable


def numbered_deal(rules: Rules, seed: int, number: int) -> State:
    """A deal of two to four by its number; the seat to the left of seat ``players - 1``, seat 0, begins."""
    (row,) = _shuffled(seed, number, 1)
    cards = [card_of(*card) for card in row.tolist()]
    hands = [Cards(cards[rules.dealt * seat :][: rules.dealt]) for seat in range(rules.players)]
    return deal(rules, hands, dealer=rules.players - 1)


def play_deals(rules: Rules, policies: Sequence[CompiledPolicy], seed: int, first: int, n: int) -> Ints:
    """Deals ``first`` … ``first + n - 1`` of `numbered_deal`, played by the kernels.

    Returns
    -------
    numpy.ndarray
        ``int64[n, n_seats]``: cards left in hand.
    """
    decks = _shuffled(seed, first, n)
    bits = 1 << decks[..., 1]
    worlds = np.zeros((n, rules.players, 2), np.int64)
    for seat in range(rules.players):
        mine = slice(rules.dealt * seat, rules.dealt * (seat + 1))
        for colour in range(2):
            worlds[:, seat, colour] = np.where(decks[:, mine, 0] == colour, bits[:, mine], 0).sum(axis=1)
    start, scratch = lay_out(Tableau.empty(rules)), lay_out(Tableau.empty(rules))
    out = np.zeros((n, 1, rules.players), np.int64)
    with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit states are meant to wrap
        k.play_worlds(
            start, scratch, board_of(rules), brain_for(tuple(policies)), worlds, np.arange(rules.players),
            np.array(ranks_of(Cards(CARDS)), np.int64), root_of(seed), first,
            np.array([[0, 0, POLICY_CHOOSES]], np.int64), np.zeros(WORK, np.int64), out,
        )  # fmt: skip
    return out[:, 0]


def _shuffled(seed: int, first: int, n: int) -> Ints:
    decks = np.tile(card_rows(CARDS), (n, 1, 1))
    with np.errstate(over="ignore"):
        k.shuffle_worlds(decks, 0, root_of(seed), first, np.ones(k.GAME_BITS, np.uint64))
    return decks


@dataclass(frozen=True)
class DuplicateTrial:
    """Options are contenders; a world is a deal, played with the contender in each seat in turn."""

    rules: Rules
    contenders: tuple[Policy, ...]
    rivals: Policy
    seed: int = 1
    block_size: int = 4
    outcomes: ClassVar[tuple[str, ...]] = TOGETHER
    units: ClassVar[tuple[str, ...]] = TOGETHER_UNITS

    @property
    def n_options(self) -> int:
        """Number of contenders."""
        return len(self.contenders)

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the deals of a block."""
        first, n = block * self.block_size, self.block_size
        values = np.zeros((len(options), n, len(TOGETHER)))
        for row, option in enumerate(options):
            for seat in range(self.rules.players):
                players = [self.rivals] * self.rules.players
                players[seat] = self.contenders[option]
                values[row] += outcomes_together(self._left(players, first, n), seat) / self.rules.players
        return Sample(values)

    def _left(self, players: Sequence[Policy], first: int, n: int) -> Ints:
        compiled = [policy for policy in players if isinstance(policy, (RandomPolicy, WeighedPolicy))]
        if len(compiled) == len(players):
            return play_deals(self.rules, compiled, self.seed, first, n)
        results = []
        for number in range(first, first + n):
            record = play_deal(players, numbered_deal(self.rules, self.seed, number), self.seed + number)
            results.append(record.replay().scores)
        return np.array(results, np.int64)


@dataclass(frozen=True, eq=False)
class Tournament:
    """What a tournament found out.

    Attributes
    ----------
    trial
        What was played.
    comparison
        The contenders compared.
    """

    trial: DuplicateTrial
    comparison: Comparison

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the contenders."""
        return tuple(policy.name for policy in self.trial.contenders)

    def estimate(self, name: str, outcome: str | None = None) -> Estimate:
        """How a contender does against the rivals, in the mean over deals and seats."""
        if name not in self.names:
            raise ValueError(f"there is no contender {name!r}; there are {', '.join(self.names)}")
        return self.comparison.estimate(self.names.index(name), outcome)

    def _lines(self) -> list[list[str]]:
        verdicts = self.comparison.verdicts()
        return [
            [self.names[i], *(str(self.comparison.estimate(i, outcome)) for outcome in TOGETHER), verdicts[i]]
            for i in self.comparison.ranking()
        ]

    def __str__(self) -> str:
        rules, rivals = self.trial.rules, self.trial.rivals.name
        head = f"{self.comparison.worlds} deals of {rules.players}, each from every seat, against {rivals}, ± 95 %"
        return "\n".join([head, *("  ".join(line) for line in self._lines())])

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{head}</th>' for head in ("contender", *TOGETHER, "verdict"))
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in self._lines()
        )
        caption = escape(str(self).splitlines()[0])
        return f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def tournament(
    rules: Rules,
    contenders: Sequence[Policy],
    rivals: Policy,
    budget: Budget | SupportsIndex = 100,
    *,
    seed: int = 1,
    racing: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Cancellable | None = None,
) -> Tournament:
    """Compare contenders over duplicate deals.

    Parameters
    ----------
    rules
        A table of two to four.
    contenders
        The policies to compare, with different names.
    rivals
        Who sits in all other seats.
    budget
        What may be spent; a whole number is a number of deals.
    seed
        Root of the random numbers.
    racing, executor, workers, progress, cancel
        As for `byzanz_lab.evaluation.compare`.

    Raises
    ------
    ValueError
        If one plays alone, or two contenders have the same name.

    Examples
    --------
    >>> from byzanz_lab.companions.byzantium.policies import greedy_policy, random_policy
    >>> result = tournament(Rules(4), [greedy_policy()], random_policy(), 400)
    >>> result.estimate("greedy", "win").interval()[0] > 0.25
    True
    """
    if rules.is_solitaire:
        raise ValueError("a tournament needs two to four players; compare policies alone with win_rates")
    names = [policy.name for policy in contenders]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"a tournament needs contenders with different names, not {names}")
    compiled = all(isinstance(policy, (RandomPolicy, WeighedPolicy)) for policy in (*contenders, rivals))
    trial = DuplicateTrial(rules, tuple(contenders), rivals, seed, 100 if compiled else 2)
    found = compare(
        trial, budget, racing=racing, executor=executor, workers=workers, progress=progress, cancel=cancel
    )  # fmt: skip
    return Tournament(trial, found)
