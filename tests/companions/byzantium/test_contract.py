"""Every set of rules keeps its promises; a naive second reading of the rules agrees; a broken game would be found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from byzanz_lab.companions.byzantium.cards import CARDS, Cards
from byzanz_lab.companions.byzantium.contract import check_game, check_moment
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, new_game
from tests.companions.byzantium.naive import Board, all_paths
from tests.companions.byzantium.play import ALL_RULES, moments


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_the_game_keeps_its_promises(rules: Rules) -> None:
    check_game(rules, deals=1, seed=17)


@given(moments())
@settings(max_examples=60)
def test_a_naive_reading_of_the_rules_agrees(state: State) -> None:
    board = Board(2, 3, state.rules.direction_per_branch)
    board.cards = dict(state.tableau.filled)
    for card in [*CARDS[::3], *state.table.unplaced]:
        for path in all_paths():
            assert (state.tableau.why_not(card, path) == "") == board.allows(card, path), (card, path)


def broken(state: State) -> list[tuple[State, str]]:
    """States that break a promise each, and the promise."""
    table = state.table
    return [
        (replace(state, kitty=Cards()), "there are 24 cards"),
        (replace(state, table=replace(table, sizes=(9, 10))), "sizes are those of the hands"),
        (
            replace(state, table=replace(table, barred=(state.hands[0], Cards()))),
            "no hand holds what its passes rule out",
        ),
        (replace(state, table=replace(table, passes=7)), "has no faults"),
    ]


def test_a_broken_game_would_be_found() -> None:
    state = new_game(Rules(2), 1)
    check_moment(state)
    for wrong, promise in broken(state):
        with pytest.raises(AssertionError, match=promise):
            check_moment(wrong)
