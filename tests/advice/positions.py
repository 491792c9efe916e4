"""Positions that advice is asked about: the shipped samples, and late moments of games played by policies."""

from __future__ import annotations

import json
from functools import cache

from byzanz_lab import resources
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.position_json import position_from_dict
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import ValuePolicy

STEADY = ValuePolicy("steady", pair=0.55, single=0.2, dealer=0.9, money=0.02, patience=0.35, fade=0.5)
"""A policy of fixed numbers, so that the games of these tests stay what they are when the default is tuned."""

DECISIONS = ("auction", "opening", "tax", "last_lot", "hand_limit", "market", "closing")


@cache
def sample(name: str) -> Position:
    """A shipped sample position."""
    path = next(path for path in resources.samples() if path.stem == f"sample_{name}")
    return position_from_dict(json.loads(path.read_text()))


@cache
def game_states(seats: int, seed: int) -> tuple[State, ...]:
    """The states of a game by `STEADY`, those in which a decision was taken."""
    record = play_game([STEADY] * seats, new_game(Rules.for_seats(seats), seed), seed)
    return tuple(turn.state for turn in record.states())


def late(seats: int, seed: int, phase: str, deck_left: int) -> Position:
    """The first moment of the last round with this decision and this many cards in the deck."""
    for state in game_states(seats, seed):
        table = state.table
        if table.round == state.rules.rounds and str(table.phase) == phase and table.deck_left <= deck_left:
            assert state.to_move is not None
            return observe(state, state.to_move)
    raise AssertionError(f"no {phase} with {deck_left} cards left in game {seed} of {seats} seats")
