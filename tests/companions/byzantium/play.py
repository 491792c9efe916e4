"""Deals played at random, and moments taken from them, for the tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, new_game

ALL_RULES = [
    *(Rules(players) for players in (1, 2, 3, 4)),
    Rules(1, stop_at_first_misfit=True),
    Rules(1, direction_per_branch=True),
    Rules(3, direction_per_branch=True, card=(5, 7)),
]


def random_states(rules: Rules, seed: int) -> Iterator[State]:
    """All moments of one deal, the end included."""
    state, choose = new_game(rules, seed, dealer=seed % rules.players), random.Random(seed)
    yield state
    while not state.is_over:
        state = state.apply(choose.choice(state.legal_actions()))
        yield state


@st.composite
def moments(draw: st.DrawFn, players: tuple[int, ...] = (1, 2, 3, 4)) -> State:
    """Some moment of some deal."""
    rules = draw(st.sampled_from([rules for rules in ALL_RULES if rules.players in players]))
    states = list(random_states(rules, draw(st.integers(0, 10_000))))
    return states[draw(st.integers(0, len(states) - 1))]
