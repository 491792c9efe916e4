"""What a node of the tree is worth, by one compiled playout: for searches that ask for an evaluator.

OpenSpiel's searches value a leaf by playing on at random. Random players of Byzanz pay too much and sell too little,
and a game of theirs takes tens of milliseconds; a playout by this package's policies is wiser and much faster. An
evaluator has the two functions that ``open_spiel.python.algorithms.mcts.Evaluator`` has, and needs no OpenSpiel itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from byzanz_lab.game.position import observe
from byzanz_lab.interop.rewards import check_reward, rewards_of
from byzanz_lab.interop.tree import Node
from byzanz_lab.simulation.encoding import encode, pack
from byzanz_lab.simulation.playouts import OBJECTIVES, Outcomes
from byzanz_lab.simulation.policies import CompiledPolicy, brain_for, policies_for
from byzanz_lab.simulation.running import run


class PlayoutEvaluator:
    """Values a state by playing it to the end once.

    Parameters
    ----------
    reward
        ``"profit"``, ``"margin"`` or ``"win"``: that of the game that is searched.
    policies
        Who plays, one a seat; the best that there are when left out.
    seed
        Root of all random numbers.
    """

    def __init__(self, reward: str = "profit", policies: Sequence[CompiledPolicy] | None = None, seed: int = 1) -> None:
        self._reward = check_reward(reward)
        self._policies = policies
        self._random = np.random.default_rng(seed)

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """All choices alike; at a chance node, how likely each card is."""
        if state.is_chance_node():
            return list(state.chance_outcomes())
        choices = state.legal_actions()
        return [(choice, 1 / len(choices)) for choice in choices]

    def evaluate(self, state: Any) -> list[float]:
        """Per seat, what the game was worth after one playout.

        Parameters
        ----------
        state
            An `openspiel.ByzanzState`; it stays as it is. An action that is not complete is completed at random.
        """
        node = self._decided(state.node)
        truth = node.state
        assert truth is not None
        if truth.to_move is None:
            return list(rewards_of(truth.result(), self._reward))
        start = encode(observe(truth, truth.to_move))
        deck = np.repeat(np.arange(len(node.left), dtype=np.int8), node.left)
        self._random.shuffle(deck)
        hands = np.array([[pack(hand) for hand in truth.hands]], np.int64)
        seeds = self._random.integers(1, 2**63, 1, np.uint64)
        brain = brain_for(policies_for(self._policies, node.rules.seats))
        played = Outcomes(*run(start, brain, seeds, worlds=(hands, deck[None, : start.deck_left]))[:3])
        return [
            float(played.objectives(seat)[0, 0, OBJECTIVES.index(self._reward)]) for seat in range(node.rules.seats)
        ]

    def _decided(self, node: Node) -> Node:
        """Draw and choose on at random to the next moment at which no action is half named."""
        while not node.is_over and (node.is_chance or (node.composing and node.composing.chosen)):
            if node.is_chance:
                kinds, chances = zip(*node.outcomes(), strict=True)
                node = node.after(int(self._random.choice(kinds, p=chances)))
            else:
                node = node.after(int(self._random.choice(node.choices)))
        return node
