"""OpenSpiel's search as a policy keeps what every policy must, and sees a Position only."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel has no wheels for this platform or Python")

from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.interop.search import SearchPolicy
from byzanz_lab.interop.tree import Node
from byzanz_lab.simulation.contract import check_answer, check_description
from tests.game.position_games import states


def decisions(every: int) -> list[Position]:
    """What the seat on the move sees, all over some games, under all kinds of variants."""
    return [observe(state, state.to_move) for state in states()[::every] if state.to_move is not None]


@pytest.mark.parametrize("reward", ["profit", "win"])
def test_it_keeps_the_contract_of_policies_in_every_phase_and_variant(reward: str) -> None:
    policy = SearchPolicy(simulations=4, objective=reward, exploration=1.0)
    check_description(policy)
    for position in decisions(every=211):
        check_answer(policy, position, seed=3)


def test_random_playouts_are_the_other_way_to_value_leaves() -> None:
    position = max(decisions(every=37), key=lambda position: position.round)
    check_answer(SearchPolicy(simulations=2, compiled=False), position)


def test_it_bids_for_a_lot_that_makes_a_rich_set() -> None:
    position = Position.at_table(
        3, hand="Wi4 Wi3 D Cl1", lot="2xD Wi4 Sp4 Sp3 Sp2", passed=[1, 2], bids={}, to_move=0, round=1
    )
    assert str(SearchPolicy(simulations=60).choose(position, seed=2)).startswith("bid")


def test_a_tree_that_begins_in_the_middle_of_a_game_fits_what_the_seat_knows() -> None:
    for number, position in enumerate(decisions(every=173)):
        node = Node.at(position, 1, number)
        assert node.position(position.seat) == position
        assert sum(node.left) == position.deck_left + position.rules.removed
        assert node.seen(position.seat) == (position.hand, (), ())
        with pytest.raises(ValueError, match="does not begin with the deal"):
            node.resampled(position.seat, 1)


def test_bad_arguments_and_hidden_cards_are_refused() -> None:
    state = new_game(Rules.for_seats(3), 1)
    with pytest.raises(TypeError, match="not State"):
        SearchPolicy(simulations=1).choose(state)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seat 1 is not on the move"):
        SearchPolicy(simulations=1).choose(observe(state, 1))
    with pytest.raises(ValueError, match="1 simulation or more"):
        SearchPolicy(simulations=0)
    with pytest.raises(ValueError, match="exploration must be positive"):
        SearchPolicy(simulations=1, exploration=0)
    with pytest.raises(ValueError, match="unknown reward"):
        SearchPolicy(simulations=1, objective="gold")
