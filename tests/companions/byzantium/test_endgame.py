"""Endgames of two to four, against trying everything in every world."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from byzanz_lab.companions.byzantium.actions import Action
from byzanz_lab.companions.byzantium.cards import Cards
from byzanz_lab.companions.byzantium.endgame import dead_cards, exact_endgame, list_worlds, solve_endgame
from byzanz_lab.companions.byzantium.position import observe
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, new_game
from tests.companions.byzantium.play import random_states
from tests.companions.byzantium.test_playouts import all_worlds


def margin(left: tuple[int, ...], seat: int) -> int:
    return min(points for other, points in enumerate(left) if other != seat) - left[seat]


def perfect(state: State) -> tuple[int, ...]:
    """Cards left if everybody plays for his margin, then for few cards, by trying everything."""
    if state.to_move is None:
        return state.scores
    seat = state.to_move
    ends = [perfect(state.apply(action)) for action in state.legal_actions()]
    return max(ends, key=lambda left: (margin(left, seat), -left[seat] if len(left) > 2 else 0))


def late_states(players: int, cards: int, many: int) -> list[State]:
    found = []
    for seed in range(60):
        for state in random_states(Rules(players), seed):
            if sum(state.table.sizes) == cards and state.to_move is not None and len(state.legal_actions()) > 1:
                found.append(state)
                break
    return found[:many]


def test_two_players_get_the_margin_that_trying_everything_gives() -> None:
    margins = set()
    for state in late_states(2, 5, 12):
        seat = state.to_move or 0
        for action, left in solve_endgame(state).items():
            assert margin(left, seat) == margin(perfect(state.apply(action)), seat)
            margins.add(margin(left, seat))
    assert len(margins) > 3


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_get_a_best_end_for_each(players: int) -> None:
    for state in late_states(players, 5, 6):
        seat = state.to_move or 0
        for action, left in solve_endgame(state).items():
            expected = perfect(state.apply(action))
            # others may be indifferent between ends; the seat that has just decided is not
            if len({end[seat] for end in all_ends(state.apply(action))}) == 1:
                assert left[seat] == expected[seat]
        assert set(solve_endgame(state)) == set(state.legal_actions())


def all_ends(state: State) -> list[tuple[int, ...]]:
    """Every end that a deal can still have."""
    if state.is_over:
        return [state.scores]
    return [end for action in state.legal_actions() for end in all_ends(state.apply(action))]


def test_dead_cards_can_never_be_placed() -> None:
    some = False
    for state in late_states(3, 6, 6):
        dead = dead_cards(state.tableau, state.table.unplaced)
        placed = {card for card in dead if can_ever_come(state, card)}
        assert not placed
        some |= bool(dead)
    assert some


def can_ever_come(state: State, card: str) -> bool:
    """Whether some order of placing, by anybody, brings the card to the table."""
    if state.tableau.slots_for(card):
        return True
    others = state.table.unplaced.monus(Cards([card])).codes()
    for other in others:
        for slot in state.tableau.slots_for(other):
            table = replace(state.table, tableau=state.tableau.place(other, slot))
            if can_ever_come(replace(state, table=table), card):
                return True
    return False


@pytest.mark.parametrize("players", [2, 3, 4])
def test_listed_worlds_are_all_worlds_with_dead_cards_not_told_apart(players: int) -> None:
    fewer = False
    for state in late_states(players, 7, 8):
        position = observe(state, state.to_move or 0)
        listed = list_worlds(position)
        assert listed is not None
        dead = dead_cards(position.tableau, position.table.unplaced)
        groups: dict[tuple[int, ...], int] = {}
        for world in all_worlds(position):
            key = tuple(hand.monus(dead).mask for hand in world)
            groups[key] = groups.get(key, 0) + 1
        chances = {}
        for hands, chance in zip(listed.hands.tolist(), listed.chances.tolist(), strict=True):
            cards = [Cards.from_mask(black | red << 12) for black, red in hands]
            assert [len(hand) for hand in cards] == [each.size for each in position.bins]
            assert not any(hand & each.barred for hand, each in zip(cards, position.bins, strict=True))
            chances[tuple(hand.monus(dead).mask for hand in cards)] = chance
        total = sum(groups.values())
        assert chances.keys() == groups.keys()
        assert all(chances[key] == pytest.approx(groups[key] / total) for key in groups)
        fewer |= len(listed) < total
    assert fewer


def test_an_exact_answer_is_the_mean_over_all_worlds() -> None:
    state = late_states(2, 4, 1)[0]
    position = observe(state, state.to_move or 0)
    exact = exact_endgame(position)
    assert exact is not None
    rival = 1 - position.seat
    for option, action in enumerate(position.legal_actions()):
        margins = []
        for hand, kitty in all_worlds(position):
            hands = [hand if seat == rival else position.hand for seat in range(2)]
            world = State(state.table, tuple(hands), kitty, ())
            margins.append(margin(perfect(world.apply(action)), position.seat))
        assert exact.estimate(option, "margin").mean == pytest.approx(np.mean(margins))
        assert exact.estimate(option).exact


def test_it_gives_up_where_it_would_take_too_long() -> None:
    early = new_game(Rules(2), 1)
    assert list_worlds(observe(early, 1)) is None
    assert exact_endgame(observe(early, 1)) is None
    late = late_states(2, 8, 1)[0]
    position = observe(late, late.to_move or 0)
    assert exact_endgame(position, nodes=5) is None
    with pytest.raises(ValueError, match="given up after 5 states"):
        solve_endgame(late, nodes=5)


def test_what_is_no_endgame_is_refused() -> None:
    alone, over = new_game(Rules(1), 1), list(random_states(Rules(2), 1))[-1]
    for state in (alone, over):
        with pytest.raises(ValueError, match="for a seat on the move, with two to four players"):
            solve_endgame(state)
        with pytest.raises(ValueError, match="for the seat on the move, with two to four players"):
            exact_endgame(observe(state, 0))
    with pytest.raises(TypeError, match="a Position is needed"):
        exact_endgame(over)  # type: ignore[arg-type]
    actions: dict[Action, tuple[int, ...]] = solve_endgame(late_states(4, 5, 1)[0])
    assert all(len(left) == 4 for left in actions.values())
