"""Who plays better: duplicate tournaments of two.

Every game is played twice, with the same luck of the decks: the contender is the first Emperor once and the second one
once, and what counts is the mean. So the luck of the draws and of the seat falls on all contenders alike, and since all
of them play the same games against the same rival, their differences are paired (duplicate, as in bridge).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from html import escape
from typing import ClassVar, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.cards import Deck
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.playouts import play_game, play_games
from byzanz_lab.companions.empire.policies import Policy, RandomPolicy, TabledPolicy
from byzanz_lab.companions.empire.seeds import world_seeds
from byzanz_lab.companions.empire.state import new_game
from byzanz_lab.companions.empire.trials import OUTCOMES, UNITS, outcomes_of
from byzanz_lab.evaluation import Budget, Comparison, Estimate, Progress, Sample, compare
from byzanz_lab.evaluation.budget import Cancellable


@dataclass(frozen=True)
class DuplicateTrial:
    """Options are contenders; a world is the luck of a game, played from both seats.

    Parameters
    ----------
    contenders
        The policies to compare.
    rival
        Whom they play.
    deck
        The cards.
    seed
        Root of the random numbers.
    block_size
        Games a block.
    """

    contenders: tuple[Policy, ...]
    rival: Policy
    deck: Deck
    seed: int = 1
    block_size: int = 1
    outcomes: ClassVar[tuple[str, ...]] = OUTCOMES
    units: ClassVar[tuple[str, ...]] = UNITS

    @property
    def n_options(self) -> int:
        """Number of contenders."""
        return len(self.contenders)

    @property
    def is_compiled(self) -> bool:
        """Whether kernels can play all of it; their games are others than those of policies in Python."""
        return all(isinstance(policy, (RandomPolicy, TabledPolicy)) for policy in (*self.contenders, self.rival))

    def __call__(self, block: int, options: Sequence[int]) -> Sample:
        """Play the games of a block."""
        first, n = block * self.block_size, self.block_size
        values = np.zeros((len(options), n, len(OUTCOMES)))
        for row, option in enumerate(options):
            for seat in (0, 1):
                players = [self.rival, self.rival]
                players[seat] = self.contenders[option]
                values[row] += outcomes_of(self._results(players, first, n), seat) / 2
        return Sample(values)

    def _results(self, players: Sequence[Policy], first: int, n: int) -> NDArray[np.int32]:
        compiled = [policy for policy in players if isinstance(policy, (RandomPolicy, TabledPolicy))]
        if self.is_compiled:
            return play_games(self.deck, n, self.seed, compiled, first=first).results
        results = []
        for number in range(first, first + n):
            luck = int(world_seeds(self.seed, number, 1)[0, 0])
            ended = play_game(players, new_game(self.deck, luck, emperor=0), luck).result
            assert ended is not None  # a game is played to its end
            results.append([*ended.legacy, ended.territory, ended.turns])
        return np.array(results, np.int32)


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
        """How a contender does against the rival, in the mean over games and seats."""
        return self.comparison.estimate(self._place(name), outcome)

    def difference(self, name: str, other: str, outcome: str | None = None) -> Estimate:
        """How much better a contender does than another, over the same games."""
        return self.comparison.difference(self._place(name), self._place(other), outcome)

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"there is no contender {name!r}; there are {', '.join(self.names)}")
        return self.names.index(name)

    def _lines(self) -> list[list[str]]:
        verdicts = self.comparison.verdicts()
        return [
            [self.names[i], *(str(self.comparison.estimate(i, outcome)) for outcome in OUTCOMES), verdicts[i]]
            for i in self.comparison.ranking()
        ]

    @property
    def basis(self) -> str:
        """In a few words, what the numbers rest on."""
        return f"{self.comparison.worlds} games, each from both seats, against {self.trial.rival.name}, ± 95 %"

    def __str__(self) -> str:
        return "\n".join([self.basis, *("  ".join(line) for line in self._lines())])

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{head}</th>' for head in ("contender", *OUTCOMES, "verdict"))
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in self._lines()
        )
        caption = escape(self.basis)
        return f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def tournament(
    contenders: Sequence[Policy],
    rival: Policy,
    budget: Budget | SupportsIndex = 100,
    *,
    deck: Deck | None = None,
    seed: int = 1,
    racing: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Cancellable | None = None,
) -> Tournament:
    """Compare contenders over duplicate games.

    Parameters
    ----------
    contenders
        The policies to compare, with different names.
    rival
        Whom they play.
    budget
        What may be spent; a whole number is a number of games, each of which is played twice.
    deck
        The cards; the deck that ships with the package if not given.
    seed
        Root of the random numbers.
    racing, executor, workers, progress, cancel
        As for `byzanz_lab.evaluation.compare`.

    Raises
    ------
    ValueError
        If two contenders have the same name, or there is none.

    Examples
    --------
    >>> from byzanz_lab.companions.empire.policies import greedy_policy
    >>> result = tournament([greedy_policy()], RandomPolicy(), 400)
    >>> result.estimate("greedy", "win").interval()[0] > 0.5
    True
    """
    names = [policy.name for policy in contenders]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"a tournament needs contenders with different names, not {names}")
    trial = DuplicateTrial(tuple(contenders), rival, default_deck() if deck is None else deck, seed)
    if trial.is_compiled:
        trial = DuplicateTrial(trial.contenders, rival, trial.deck, seed, block_size=100)
    found = compare(
        trial, budget, racing=racing, executor=executor, workers=workers, progress=progress, cancel=cancel
    )  # fmt: skip
    return Tournament(trial, found)
