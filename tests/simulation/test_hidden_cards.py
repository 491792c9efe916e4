"""A policy's choice does not change when cards that its seat cannot know change places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import observe
from byzanz_lab.game.state import State
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.encoding import decode_action, encode, pack_counts
from byzanz_lab.simulation.policies import CompiledPolicy, brain_for
from byzanz_lab.simulation.running import run
from byzanz_lab.simulation.seeds import PLAY, world_seeds
from byzanz_lab.simulation.worlds import determinize
from tests.simulation.games import HOARDER, POLICIES, moments

SEATS = (3, 4, 5, 6)
EVERYBODY = (*POLICIES, HOARDER)


def in_kernel(state: State, hands: np.ndarray, deck: np.ndarray, policy: CompiledPolicy, seed: int) -> str:
    """What the seat on the move does in a kernel that holds this whole world."""
    start = encode(observe(state, state.to_move or 0))
    brain, seeds = brain_for((policy,) * start.seats), world_seeds(seed, 0, 1, PLAY)
    log = run(start, brain, seeds, worlds=(hands[None], deck[None]), log_rows=1).log
    return str(decode_action(*log[0, 1:].tolist()))


@pytest.mark.parametrize("policy", EVERYBODY, ids=lambda policy: policy.name)
@pytest.mark.parametrize("seats", SEATS)
def test_choices_in_kernels_do_not_depend_on_hidden_cards(seats: int, policy: CompiledPolicy) -> None:
    moved = 0
    for number, state in enumerate(moments(seats)):
        if state.to_move is None:
            continue
        position = observe(state, state.to_move)
        worlds = determinize(position, 4, seed=number)
        choice = str(policy.choose(position, number))
        for w in range(len(worlds)):
            assert in_kernel(state, pack_counts(worlds.hands[w]), worlds.decks[w], policy, number) == choice
            moved += worlds.state(w).hands != state.hands
    assert moved > 50, "hidden cards hardly ever changed places, so this shows nothing"


@pytest.mark.parametrize("seats", SEATS)
def test_choices_from_a_position_do_not_depend_on_hidden_cards(seats: int) -> None:
    """Two States that a seat cannot tell apart give it equal Positions, and so equal choices."""
    phases = set()
    for number, state in enumerate(moments(seats)):
        for seat in range(seats):
            position = observe(state, seat)
            other = determinize(position, 1, seed=number).state(0)
            assert observe(other, seat) == position
            if seat == state.to_move:
                phases.add(state.phase)
                for policy in EVERYBODY:
                    assert policy.choose(observe(other, seat), 3) == policy.choose(position, 3)
    assert phases >= set(Phase) - {Phase.OVER, Phase.LAST_LOT}


@pytest.mark.parametrize("policy", EVERYBODY, ids=lambda policy: policy.name)
def test_policies_refuse_a_state(policy: CompiledPolicy) -> None:
    state = moments(4)[0]
    with pytest.raises(TypeError, match=r"a Position is needed .* not State"):
        policy.choose(state)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Position is needed"):
        determinize(state, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Position is needed"):
        encode(state)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", EVERYBODY, ids=lambda policy: policy.name)
def test_only_the_seat_on_the_move_chooses(policy: CompiledPolicy) -> None:
    state = moments(4)[0]
    assert state.to_move is not None
    with pytest.raises(ValueError, match=f"it is the turn of seat {state.to_move}, not of seat"):
        policy.choose(observe(state, (state.to_move + 1) % 4))


def test_a_policy_that_looked_would_be_caught() -> None:
    """The same comparison fails when what the seat knows itself does change."""
    differs = 0
    for state in moments(4):
        if state.to_move is not None and state.phase is Phase.AUCTION:
            position = observe(state, state.to_move)
            bare = replace(position, hand=Cards())
            differs += POLICIES[0].choose(bare) != POLICIES[0].choose(position)
    assert differs > 0
