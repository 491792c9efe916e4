"""OpenSpiel's search for games with hidden cards, as a policy of ours.

Information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) grows one tree over many worlds, with a
node for each information state. ``SearchPolicy`` hands it what a seat knows and nothing else, so that it can sit in a
tournament beside the adviser. The search is OpenSpiel's own, `open_spiel.python.algorithms.ismcts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from byzanz_lab.game.actions import Action
from byzanz_lab.game.position import Position
from byzanz_lab.game.rules import Rules
from byzanz_lab.interop.choices import Composition, Word
from byzanz_lab.interop.evaluator import PlayoutEvaluator
from byzanz_lab.interop.openspiel import ByzanzGame, ByzanzState, load
from byzanz_lab.interop.rewards import check_reward
from byzanz_lab.interop.tree import Node
from byzanz_lab.policy import Traits
from byzanz_lab.simulation.encoding import require_position


@dataclass(frozen=True)
class SearchPolicy:
    """Plays what information set Monte Carlo tree search finds best.

    Parameters
    ----------
    simulations
        Walks down the tree for each choice, 1 or more; an action takes one choice or several.
    exploration
        Constant of the upper confidence bound, in units of the objective.
    objective
        ``profit``, ``margin`` or ``win``.
    compiled
        Whether leaves are valued by compiled playouts (`evaluator.PlayoutEvaluator`), or by random play.
    name
        Short name.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> position = load_sample("market")
    >>> position.can(SearchPolicy(simulations=20).choose(position, seed=1))
    True
    """

    simulations: int
    exploration: float = 10.0
    objective: str = "profit"
    compiled: bool = True
    name: str = "ismcts"
    source: ClassVar[str] = "information set Monte Carlo tree search, as OpenSpiel has it"

    def __post_init__(self) -> None:
        check_reward(self.objective)
        if not isinstance(self.simulations, int) or self.simulations < 1:
            raise ValueError(f"a search needs 1 simulation or more, not {self.simulations!r}")
        if not self.exploration > 0:
            raise ValueError(f"exploration must be positive, not {self.exploration!r}")

    @property
    def traits(self) -> Traits:
        """It counts cards, knows what was shown of rivals' hands, and samples worlds by the seed."""
        return Traits(stochastic=True, counts_cards=True, reads_rivals=True)

    def choose(self, position: Position, seed: int = 0) -> Action:
        """What looks best for ``position.seat``, which must be on the move; see `Policy.choose`."""
        if not require_position(position).is_to_move:
            raise ValueError(f"seat {position.seat} is not on the move")
        worlds = _Worlds(position, self.objective, seed)
        after: Composition | Action = Composition.of(position.legal_actions())
        while isinstance(after, Composition):
            choice = after.choices[0] if len(after.choices) == 1 else self._search(worlds, after.chosen, seed)
            after = after.choose(choice)
        return after

    def _search(self, worlds: _Worlds, chosen: Word, seed: int) -> int:
        from open_spiel.python.algorithms.ismcts import ISMCTSBot
        from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

        random = np.random.RandomState((seed + len(chosen)) % 2**32)
        evaluator = PlayoutEvaluator(self.objective, seed=seed) if self.compiled else RandomRolloutEvaluator(1, random)
        bot = ISMCTSBot(worlds.game, evaluator, self.exploration, self.simulations, random_state=random)
        bot.set_resampler(lambda state, player: worlds.next(chosen))
        return int(bot.step(worlds.next(chosen)))


class _Worlds:
    """Fresh worlds that fit a position, as states of OpenSpiel's."""

    def __init__(self, position: Position, reward: str, seed: int) -> None:
        self.game = _game(position.rules, reward)
        self._position, self._seed, self._number = position, seed, 0

    def next(self, chosen: Word) -> ByzanzState:
        """Another world, in which the seat has made these choices."""
        node = Node.at(self._position, self._seed, self._number)
        self._number += 1
        for choice in chosen:
            node = node.after(choice)
        state: Any = self.game.new_initial_state()
        state.node = node
        return state


@lru_cache(maxsize=16)
def _game(rules: Rules, reward: str) -> ByzanzGame:
    return load(rules.seats, reward=reward, **rules.variant)
