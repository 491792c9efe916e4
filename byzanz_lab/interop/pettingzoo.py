"""Byzanz as a PettingZoo environment.

``env(seats=4)`` is an AEC environment: agents ``seat_0``, ``seat_1``, … name their actions choice by choice out of a
fixed list (`choices.CHOICES`), with an action mask. An observation is a dictionary: ``observation``, the row that
`observation.observation_table` explains, and ``action_mask``. Both are made from what the agent's seat knows.

There are two ways to take turns. With ``turns="due"`` only the seat that has to decide is asked; it may sell as well,
and that is enough to play well, for selling early never brings more profit than selling at the next limit or at the
end. With ``turns="all"`` every seat is asked in every cycle, so that sets can be sold out of turn too (ruling
*sell-any-time*); who has nothing to do, waits. That is the form that can be played in parallel (``parallel_env``).

The reward is given once, at the end: ``profit`` in points, ``margin`` over the best rival, or share of the ``win``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

try:
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import aec_to_parallel
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error.name} is missing: this environment needs PettingZoo, pip install 'byzanz-lab[rl]' brings it",
        name=error.name,
    ) from None

from byzanz_lab.game.actions import Action, Sell
from byzanz_lab.game.position import observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import IllegalAction, Phase
from byzanz_lab.interop.choices import CHOICES, WAIT, Composition, Word, listed, named
from byzanz_lab.interop.observation import observation, observation_table
from byzanz_lab.interop.rewards import check_reward, rewards_of
from byzanz_lab.safe_json import shown

__all__ = ["ByzanzEnv", "env", "parallel_env", "raw_env"]

_TURNS: Final = ("due", "all")
_ILLEGAL: Final = ("raise", "ignore")
_MODES: Final = ("ansi", "human")


class ByzanzEnv(AECEnv):
    """The environment without PettingZoo's checks around it; see `env` for its parameters."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo reads it from the class)
        "name": "byzanz_v1",
        "render_modes": list(_MODES),
        "is_parallelizable": True,
    }

    def __init__(
        self,
        seats: int = 4,
        *,
        reward: str = "profit",
        turns: str = "due",
        illegal: str = "raise",
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **variants: Any,
    ) -> None:
        super().__init__()
        self.rules = Rules.for_seats(seats, **variants)
        self.reward = check_reward(reward)
        self.turns, self.illegal = _one_of("turns", turns, _TURNS), _one_of("illegal", illegal, _ILLEGAL)
        self.render_mode = None if render_mode is None else _one_of("render_mode", render_mode, _MODES)
        if max_cycles is not None and (not isinstance(max_cycles, int) or max_cycles < 1):
            raise ValueError(f"max_cycles must be a whole number from 1, or None, not {shown(max_cycles)}")
        self.max_cycles = max_cycles
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        table = observation_table(self.rules)
        low, high = (np.array([getattr(entry, end) for entry in table], np.float32) for end in ("low", "high"))
        self.observation_spaces = {
            agent: Dict({"observation": Box(low, high), "action_mask": Box(0, 1, (len(CHOICES),), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(len(CHOICES)) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None

    # -- what PettingZoo asks for ------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Space[Any]:
        """What observations of this agent look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The choices, the same for all agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Shuffle and deal a new game.

        Parameters
        ----------
        seed
            The same seed deals the same games, this one and those after it.
        options
            ``{"start_player": seat}``, who opens the first auction; seat 0 when left out. What other options there are
            is passed over: PettingZoo wants environments to bear options that they do not know.
        """
        start = (options or {}).get("start_player", 0)
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.begin(new_game(self.rules, int(self._random.integers(2**63)), start))

    def begin(self, state: State) -> None:
        """Go on from a State of your own, of the same rules, instead of a shuffled deal."""
        if state.rules != self.rules:
            raise ValueError(f"this environment plays {self.rules}, not {state.rules}")
        self._state = state
        self._chosen: list[Word] = [()] * self.rules.seats
        self._compositions: dict[int, Composition] = {}
        self._cycles = 0
        self._due = state.to_move
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0 if self.turns == "all" else state.to_move or 0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent's seat knows, and what it may choose."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(CHOICES), np.int8)
        mask[list(self.choices(seat))] = 1
        return {"observation": observation(observe(self._state, seat), self._chosen[seat]), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Let the agent whose turn it is make a choice."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._choose(seat, action)
        self._go_on(seat)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """What the agent whose turn it is sees, in words: as a text (``ansi``), or printed (``human``)."""
        if self.render_mode is None:
            raise ValueError(f"nothing is shown without a render_mode ({' or '.join(_MODES)})")
        seat = self.possible_agents.index(self.agent_selection)
        named_so_far = listed(self._chosen[seat])
        text = f"{observe(self._state, seat)} | chosen: {named_so_far} | choices: {listed(self.choices(seat))}"
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing to close."""

    # -- turns -------------------------------------------------------------------------------------------------------

    def choices(self, seat: int) -> Word:
        """What a seat may choose now, ascending."""
        due = self._due == seat and self._state.to_move is not None
        if self.turns == "due" and not due:
            return (WAIT,)
        found = self._composition(seat).choices
        return found if due and seat == self._state.to_move else (*found, WAIT)

    def _composition(self, seat: int) -> Composition:
        if seat not in self._compositions:
            actions: tuple[Action, ...] = () if self._state.is_over else self._state.legal_actions(seat)
            if seat != self._due and self._state.phase is not Phase.CLOSING:
                actions = tuple(action for action in actions if isinstance(action, Sell))  # its turn comes next cycle
            self._compositions[seat] = Composition.of(actions, self._chosen[seat])
        return self._compositions[seat]

    def _choose(self, seat: int, choice: int | None) -> None:
        legal = self.choices(seat)
        if choice not in legal:
            if self.illegal == "ignore":
                return
            what = repr(choice) if choice is None else named(int(choice))
            raise IllegalAction(f"seat {seat} cannot choose {what} now, only: {listed(legal)}")
        if choice == WAIT:
            return
        after = self._composition(seat).choose(int(choice))
        if isinstance(after, Composition):
            self._chosen[seat], self._compositions[seat] = after.chosen, after
        else:
            self._state = self._state.apply(after, seat)
            self._chosen[seat], self._compositions = (), {}

    def _go_on(self, seat: int) -> None:
        """Give the turn on; at the end of a cycle, see whether the game has ended or is cut off."""
        last = self.turns == "due" or seat == self.rules.seats - 1
        if not last:
            self.agent_selection = self.possible_agents[seat + 1]
            return
        self._cycles += 1
        if self._due != self._state.to_move:
            self._due, self._compositions = self._state.to_move, {}
        self.agent_selection = self.possible_agents[0 if self.turns == "all" or self._due is None else self._due]
        if self._state.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            worth = rewards_of(self._state.result(), self.reward)
            self.rewards = dict(zip(self.agents, worth, strict=True))
        elif self._cycles == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)


def raw_env(seats: int = 4, **options: Any) -> ByzanzEnv:
    """As `env`, without PettingZoo's checks around it."""
    return ByzanzEnv(seats, **options)


def env(seats: int = 4, **options: Any) -> AECEnv:
    """A game of Byzanz for PettingZoo.

    Parameters
    ----------
    seats
        Number of agents, 3 to 6.
    reward
        ``"profit"``, ``"margin"`` or ``"win"``, see `rewards`; given to each agent at the end of the game.
    turns
        ``"due"``: only the seat that has to decide is asked. ``"all"``: every seat in every cycle.
    illegal
        What happens on a choice that the mask excludes: ``"raise"`` an `IllegalAction`, or ``"ignore"`` it; then
        nothing changes, and the turn is over.
    max_cycles
        Cut the game off after so many cycles; a cycle is one choice, of the seat to decide or of every seat.
    render_mode
        ``"ansi"``, ``"human"``, or ``None`` to show nothing.
    **variants
        Fields in which the rules differ from the default, such as ``hand_limit=8``; see `Rules`.

    Raises
    ------
    ValueError
        If a parameter or a variant is unknown or out of range.

    Examples
    --------
    >>> game = env(seats=3, hand_limit=8)
    >>> game.reset(seed=7)
    >>> seen, reward, termination, truncation, info = game.last()
    >>> [CHOICES[choice] for choice in seen["action_mask"].nonzero()[0]]
    ['Cl3', 'Wi2', 'Wo2', 'pass']
    """
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(seats, **options)))


def parallel_env(seats: int = 4, **options: Any) -> ParallelEnv:
    """The same game, all agents choosing at once; parameters as `env`, with ``turns="all"``."""
    if options.setdefault("turns", "all") != "all":
        raise ValueError('agents that choose at once are all asked: turns must be "all"')
    return aec_to_parallel(env(seats, **options))


def _one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"{name} must be {' or '.join(known)}, not {shown(value)}")
    return value
