"""Byzanz as an OpenSpiel game, ``pyspiel.load_game("python_byzanz(players=4)")`` once this module is imported.

The deal and the lots are chance nodes, card by card (`tree`); actions are named choice by choice (`choices`), so one
action of the game is a few actions of OpenSpiel. Variants of the rules are parameters, such as
``python_byzanz(players=5,hand_limit=8)``; ``reward`` is ``profit``, ``margin`` or ``win``, paid at the end.

The information state is everything that a seat has seen and done, in its order. The observation is the row that
`observation.observation_table` explains: what a seat has to know to play on, without how it came about.

Searches written in Python work: ``open_spiel.python.algorithms.ismcts.ISMCTSBot`` resamples by this game's
``resample_from_infostate``. OpenSpiel's compiled searches cannot, they do not ask games in Python for it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error.name} is missing: this game needs OpenSpiel, pip install 'byzanz-lab[openspiel]' brings it "
        "where there are wheels of it (Linux on x86-64)",
        name=error.name,
    ) from None

from byzanz_lab.game.cards import KINDS, N_KINDS
from byzanz_lab.game.rules import Rules
from byzanz_lab.interop.choices import CHOICES, listed
from byzanz_lab.interop.observation import observation, observation_table
from byzanz_lab.interop.rewards import most_choices, reward_range, rewards_of
from byzanz_lab.interop.tree import N_CHOICES, Node, code_name

__all__ = ["GAME_TYPE", "ByzanzGame", "ByzanzObserver", "ByzanzState", "load"]

_VARIANTS = {field.name: field.default for field in fields(Rules) if field.name != "seats"}
_PRIVATE = ("hand", "unseen", "selling", "chosen")
"""Blocks of an observation that only the seat itself knows."""

GAME_TYPE = pyspiel.GameType(
    short_name="python_byzanz",
    long_name="Byzanz",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=3,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"players": 4, "reward": "profit", **_VARIANTS},
)
"""What OpenSpiel knows of the game before it is loaded."""


class ByzanzGame(pyspiel.Game):
    """Byzanz under one set of rules.

    Parameters
    ----------
    params
        ``players``, ``reward``, and variants of `Rules`; the usual ones where left out.

    Raises
    ------
    ValueError
        If a value is out of range.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**GAME_TYPE.parameter_specification, **(params or {})}
        variants = {name: given[name] for name in _VARIANTS}
        self.rules = Rules.for_seats(given["players"], **variants)
        self.reward = given["reward"]
        low, high = reward_range(self.rules, self.reward)
        info = pyspiel.GameInfo(
            num_distinct_actions=N_CHOICES,
            max_chance_outcomes=N_KINDS,
            num_players=self.rules.seats,
            min_utility=low,
            max_utility=high,
            max_game_length=most_choices(self.rules),
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> ByzanzState:
        """The moment before the deal."""
        return ByzanzState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Cards that are dealt or come up in lots."""
        return self.rules.seats * self.rules.start_hand + self.rules.cards_auctioned

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ByzanzObserver:
        """What looks at a state from the chair of a seat."""
        return ByzanzObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class ByzanzState(pyspiel.State):
    """One moment of a game, for OpenSpiel; made by `ByzanzGame.new_initial_state`.

    Attributes
    ----------
    node
        The moment as `tree.Node`.
    """

    def __init__(self, game: ByzanzGame) -> None:
        super().__init__(game)
        self.reward = game.reward
        self.node = Node.root(game.rules)
        self._retelling: list[int] = []

    def current_player(self) -> int:
        """The seat that chooses, or OpenSpiel's number for chance or the end."""
        if self._retelling:
            return self._retelling[-1]
        if self.node.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.node.seat is None else self.node.seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.choices)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Kinds of card that can come, and how likely each is."""
        return self.node.outcomes()

    def _apply_action(self, action: int) -> None:
        if self._retelling:
            self._retelling.pop()
        else:
            self.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return KINDS[action] if player == pyspiel.PlayerId.CHANCE else CHOICES[action]

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return not self._retelling and self.node.is_over

    def returns(self) -> list[float]:
        """Per seat, what the game was worth; nothing before it has ended."""
        if not self.node.is_over or self.node.state is None:
            return [0.0] * self.node.rules.seats
        return list(rewards_of(self.node.state.result(), self.reward))

    def resample_from_infostate(self, player: int, sampler: Any) -> ByzanzState:
        """A state at which this seat has seen the same, the rest dealt anew; see `tree.Node.resampled`.

        Parameters
        ----------
        player
            The seat that looks.
        sampler
            Gives a random number from 0 to 1 at each call.
        """
        node = self.node.resampled(player, int(sampler() * (1 << 53)))
        history = [(item.player, item.action) for item in self.full_history()]
        forgotten = 0 if player == self.node.seat else len(self.node.chosen(self.current_player()))
        deals = [(int(pyspiel.PlayerId.CHANCE), kind) for kind in node.dealt]
        told = [*deals, *history[len(deals) : len(history) - forgotten]]
        state = self.get_game().new_initial_state()
        state._retelling = [who for who, _ in reversed(told)]  # OpenSpiel keeps the history, and learns it only so
        for _, action in told:
            state.apply_action(action)
        state.node = node
        return state

    def __str__(self) -> str:
        node = self.node
        drawn = [KINDS[kind] for kind in node.drawn]
        chosen = listed(node.composing.chosen) if node.composing else "none"
        played = " ".join(code_name(code, node.rules) for code in node.played)
        hands = " / ".join(map(str, node.hands_dealt))
        return f"dealt {hands}; played {played or '-'}; drawn {' '.join(drawn) or '-'}; chosen {chosen}"


class ByzanzObserver:
    """What a seat sees of a state, as numbers and as a text; as OpenSpiel wants it.

    Parameters
    ----------
    game
        The game that is looked at.
    kind
        OpenSpiel's ``IIGObservationType``: with perfect recall everything that was seen and done, without it what has
        to be known to play on; each with or without what is public, and what the seat alone knows.
    params
        There are none.

    Attributes
    ----------
    tensor
        ``float32[n]``, filled by `set_from`.
    dict
        Its parts by name.
    """

    def __init__(self, game: ByzanzGame, kind: Any, params: Any = None) -> None:
        if params:
            raise ValueError(f"this observer has no parameters, not {params}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("there is no observation that shows all hands")
        self.rules, self.kind = game.rules, kind
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        sizes: dict[str, int] = {}
        if kind.perfect_recall:
            if self._own:
                sizes |= {"dealt": N_KINDS, "chosen": self.rules.n_cards + 1}  # more than one action can name
            if kind.public_info:
                sizes["played"] = most_choices(self.rules) + self.rules.cards_auctioned
        else:
            kept = {True: self._own, False: bool(kind.public_info)}
            self._kept = np.array([kept[entry.block in _PRIVATE] for entry in observation_table(self.rules)])
            sizes["observation"] = int(self._kept.sum())
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        ends = np.cumsum(list(sizes.values()))
        self.dict = {name: self.tensor[end - size : end] for (name, size), end in zip(sizes.items(), ends, strict=True)}

    def set_from(self, state: ByzanzState, player: int) -> None:
        """Fill `tensor` with what a seat sees."""
        self.tensor.fill(0)
        node = state.node
        if not self.kind.perfect_recall:
            position = node.position(player)
            if position is not None:
                self.tensor[:] = observation(position, node.chosen(player))[self._kept]
            return
        seen = node.seen(player)
        for name, values in (("played", seen.played), ("chosen", seen.chosen)):
            if name in self.dict:
                self.dict[name][: len(values)] = np.array(values, np.float32) + 1
        if self._own:
            self.dict["dealt"][:] = seen.dealt.counts

    def string_from(self, state: ByzanzState, player: int) -> str:
        """What a seat sees, in words."""
        node = state.node
        parts = []
        if self.kind.perfect_recall:
            seen = node.seen(player)
            if self._own:
                parts.append(f"seat {player}; dealt {seen.dealt}; chosen {listed(seen.chosen)}")
            if self.kind.public_info:
                parts.append(" ".join(code_name(code, self.rules) for code in seen.played))
            return "; ".join(parts)
        position = node.position(player)
        if position is None:
            return f"dealt {node.hands_dealt[player]}" if self._own else "dealing"
        if self._own and self.kind.public_info:
            return f"{position}; chosen {listed(node.chosen(player))}"
        if self._own:
            return f"hand {position.hand}; chosen {listed(node.chosen(player))}"
        return repr(position.table) if self.kind.public_info else ""


def load(seats: int = 4, **options: Any) -> ByzanzGame:
    """The game, by the names that the rest of byzanz_lab uses.

    Parameters
    ----------
    seats
        Number of players, 3 to 6.
    **options
        ``reward``, and variants of the rules.

    Examples
    --------
    >>> game = load(5, hand_limit=8)
    >>> game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes()
    (5, 37, 25)
    """
    return pyspiel.load_game(GAME_TYPE.short_name, {"players": seats, **options})


pyspiel.register_game(GAME_TYPE, ByzanzGame)
