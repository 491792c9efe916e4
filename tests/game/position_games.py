"""States and positions that the position tests look into: every phase, every table size, with and without variants."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import strategies as st

from byzanz_lab.game.cards import KINDS, Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.state import State
from byzanz_lab.game.table import Phase
from tests.game.random_play import random_game

GAMES = 5
"""Games at each table size."""


@cache
def states() -> tuple[State, ...]:
    """All states of a few games at each table size."""
    return tuple(played.after for seats in (3, 4, 5, 6) for seed in range(GAMES) for played in random_game(seats, seed))


@cache
def states_in(phase: Phase, most: int = 60) -> tuple[State, ...]:
    """Some states of one phase, from all over the games."""
    found = [state for state in states() if state.phase is phase]
    return tuple(random.Random(str(phase)).sample(found, min(most, len(found))))


def positions_in(phase: Phase, most: int = 60) -> list[Position]:
    """What a seat sees in these states: the one on the move or another, by turns."""
    return [observe(state, number % state.rules.seats) for number, state in enumerate(states_in(phase, most))]


def observed() -> st.SearchStrategy[Position]:
    """What any seat sees in any phase; each phase comes up as often as the others."""
    return st.builds(
        lambda phase, number, seat: observe(
            (pool := states_in(phase))[number % len(pool)], seat % pool[number % len(pool)].rules.seats
        ),
        st.sampled_from(Phase),
        st.integers(0, 10_000),
        st.integers(0, 5),
    )


def deal_again(state: State, seat: int, rng: random.Random) -> State:
    """The same moment with all cards that this seat cannot know dealt out anew."""
    assert state.removed is not None
    table = state.table
    rivals = [s for s in range(state.rules.seats) if s != seat]
    hidden = [code for s in rivals for code in (state.hands[s] - table.known[s]).codes()]
    hidden += [*state.removed.codes(), *(KINDS[kind] for kind in state.deck)]
    rng.shuffle(hidden)
    hands = list(state.hands)
    for s in rivals:
        n = table.sizes[s] - len(table.known[s])
        hands[s], hidden = table.known[s] + Cards(hidden[:n]), hidden[n:]
    removed, deck = Cards(hidden[: state.rules.removed]), hidden[state.rules.removed :]
    return State(table, tuple(hands), tuple(map(KINDS.index, deck)), removed)
