"""Hidden is hidden: cards that a seat cannot know change nothing in what it is told."""

from __future__ import annotations

import json

import pytest

from byzanz_lab.advice import advise, lot_value, market_values
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.worlds import determinize
from tests.advice.positions import game_states, sample


def test_states_that_differ_in_hidden_cards_give_bit_equal_advice(decision: Position) -> None:
    worlds = determinize(decision, 40, seed=11)
    states = [worlds.state(i) for i in range(40)]
    different = [state for state in states if (state.hands, state.deck) != (states[0].hands, states[0].deck)]
    if len(decision.unseen) > decision.removed_left:
        assert different, "the worlds should differ in what is hidden"
    views = [observe(state, decision.seat) for state in (states[0], *different[-2:])]
    assert all(view == decision for view in views)
    answers = {json.dumps(advise(view, 128).to_dict(timing=False)) for view in views}
    assert len(answers) == 1


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_in_whole_games_no_seat_hears_of_hidden_cards(seats: int) -> None:
    for state in game_states(seats, 7)[5::45]:
        seat = state.to_move
        assert seat is not None
        position = observe(state, seat)
        other = determinize(position, 1, seed=3).state(0)
        assert observe(other, seat) == position
        assert advise(observe(other, seat), 64).to_dict(timing=False) == advise(position, 64).to_dict(timing=False)


@pytest.mark.parametrize("ask", [lot_value, market_values])
def test_values_do_not_depend_on_hidden_cards_either(ask: object) -> None:
    position = sample("auction" if ask is lot_value else "market")
    other = observe(determinize(position, 5, seed=2).state(4), position.seat)
    assert str(ask(position, budget=128)) == str(ask(other, budget=128))  # type: ignore[operator]


@pytest.mark.parametrize("ask", [lot_value, market_values])
def test_values_refuse_a_state(ask: object) -> None:
    state = next(state for state in game_states(4, 7) if state.phase is Phase.MARKET)
    with pytest.raises(TypeError, match="not State"):
        ask(state)  # type: ignore[operator]
