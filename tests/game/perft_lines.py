"""Counting lines of play, with either implementation of the rules."""

from __future__ import annotations

from copy import deepcopy

from byzanz_lab.game.state import State
from tests.reference.naive import Naive


def lines(state: State, depth: int) -> int:
    """How many ways there are to play the next ``depth`` actions; any seat may act, in turn or out of turn."""
    moves = [(seat, action) for seat in range(state.rules.seats) for action in state.legal_actions(seat)]
    if depth == 1:
        return len(moves)
    return sum(lines(state.apply(action, seat), depth - 1) for seat, action in moves)


def naive_lines(game: Naive, depth: int) -> int:
    """The same, by the naive rules."""
    moves = [(seat, text) for seat in range(game.seats) for text in game.legal(seat)]
    if depth == 1:
        return len(moves)
    total = 0
    for seat, text in moves:
        after = deepcopy(game)
        after.play(seat, text)
        total += naive_lines(after, depth - 1)
    return total
