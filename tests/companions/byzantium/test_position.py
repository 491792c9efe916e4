"""What one seat knows: nothing hidden, all that passes told; positions set up at a table, as text and as JSON."""

from __future__ import annotations

import json
import pickle
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.companions.byzantium.actions import Pass
from byzanz_lab.companions.byzantium.belief import Bin, count_ways, ways_table
from byzanz_lab.companions.byzantium.cards import ALL_CARDS, Cards
from byzanz_lab.companions.byzantium.position import InvalidPosition, Position, observe, require_position
from byzanz_lab.companions.byzantium.position_text import load_position, parse_position
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, new_game
from tests.companions.byzantium.play import moments, random_states


@given(moments(players=(2, 3, 4)), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_a_view_does_not_depend_on_how_the_hidden_cards_lie(state: State, shuffle: Any) -> None:
    for seat in range(state.rules.players):
        hidden = observe(state, seat).unseen.codes()
        shuffle.shuffle(hidden)
        hands, at = [], 0
        for other, hand in enumerate(state.hands):
            hands.append(hand if other == seat else Cards(hidden[at : at + len(hand)]))
            at += 0 if other == seat else len(hand)
        other_truth = State(state.table, tuple(hands), Cards(hidden[at:]), ())
        assert observe(other_truth, seat) == observe(state, seat)


def test_alone_a_view_does_not_depend_on_the_order_of_the_deck() -> None:
    state = new_game(Rules(1), 3)
    assert observe(State(state.table, state.hands, state.kitty, state.deck[::-1]), 0) == observe(state, 0)


def test_a_state_is_no_position() -> None:
    with pytest.raises(TypeError, match="a Position is needed"):
        require_position(new_game(Rules(2), 1))


@pytest.mark.parametrize("seat", [2, -1, True, "0"])
def test_there_is_no_view_of_a_seat_that_does_not_exist(seat: Any) -> None:
    with pytest.raises(ValueError, match="there is no seat"):
        observe(new_game(Rules(2), 1), seat)


@given(moments())
@settings(max_examples=40)
def test_positions_are_read_as_they_were_written(state: State) -> None:
    for seat in range(state.rules.players):
        position = observe(state, seat)
        assert eval(repr(position), {"parse_position": parse_position}) == position
        assert load_position(json.dumps(position.to_dict())) == position == pickle.loads(pickle.dumps(position))


# -- how many worlds ---------------------------------------------------------------------------------------------------


@given(st.data())
@settings(max_examples=40)
def test_worlds_are_counted_as_if_they_were_listed(data: st.DataObject) -> None:
    cards = data.draw(st.sets(st.sampled_from(ALL_CARDS.codes()), min_size=1, max_size=7).map(sorted))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(cards)), min_size=2, max_size=2)))
    sizes = [cuts[0], cuts[1] - cuts[0], len(cards) - cuts[1]]
    bars = [data.draw(st.sets(st.sampled_from(cards), max_size=2).map(Cards)) for _ in sizes]
    spread = {
        (first, second)
        for first in combinations(cards, sizes[0])
        for second in combinations([card for card in cards if card not in first], sizes[1])
    }
    fitting = 0
    for first, second in spread:
        third = [card for card in cards if card not in first + second]
        fitting += not any(set(bar) & set(hand) for bar, hand in zip(bars, (first, second, third), strict=True))
    bins = [Bin(size, bar) for size, bar in zip(sizes, bars, strict=True)]
    assert count_ways(Cards(cards), bins, 0) == ways_table(cards, bins)[0][sizes[0]][sizes[1]] == fitting


def test_alone_the_worlds_are_the_orders_of_the_deck() -> None:
    state = list(random_states(Rules(1), 4))[-5]
    assert observe(state, 0).worlds == len(list(permutations(state.deck))) == 6


def test_passes_make_worlds_fewer_and_never_rule_out_the_truth() -> None:
    fewer = False
    for seed in range(12):
        for state in random_states(Rules(2), seed):
            for seat in range(2):
                position = observe(state, seat)
                free = count_ways(position.unseen, [Bin(each.size, Cards()) for each in position.bins], 0)
                assert 1 <= position.worlds <= free
                fewer |= position.worlds < free
    assert fewer


# -- set up at a table -------------------------------------------------------------------------------------------------


def test_sizes_follow_while_nobody_has_passed() -> None:
    position = Position.at_table(4, tableau="N=B7 E=R3 S=B2", hand="B3 B4 B5 R4 R5", seat=2, dealer=3, to_move=3)
    assert position.table.sizes == (5, 5, 5, 6)
    assert Position.at_table(2, hand="B2 B3 B4 B5 B6 B7 B8 B9 B10 BJ").table.dealer == 1


BASE: dict[str, Any] = {"rules": 3, "tableau": "N=B7 E=R3", "hand": "B2 B3 B4 R4 R5 R6 R7", "dealer": 2, "seat": 0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": 7}, "played by 1 to 4"),
        ({"tableau": "N=B7 E=B3"}, "E=B3 cannot be"),
        ({"hand": "B7 B3 B4 R4 R5 R6 R7"}, "hand: B7 cannot be in two places"),
        ({"hand": "B2 X4"}, "unknown card 'X4'"),
        ({"hand": "B2 B3"}, "sizes: say how many cards each hand holds"),
        ({"sizes": [7, 8]}, "sizes: 3 players need 3 entries, not 2"),
        ({"sizes": [7, 8, 8]}, "sizes: 2 cards on the table, 23 in hands: not 24"),
        ({"sizes": [6, 8, 8]}, "sizes: seat 0 holds 7 cards, not 6"),
        ({"sizes": [7, 9, 6]}, "sizes: a hand holds 0 to 8 cards"),
        ({"seat": 3}, "seat: there is no seat 3"),
        ({"to_move": 4}, "to_move: there is no seat 4"),
        ({"to_move": None}, "to_move: a deal is over when"),
        ({"passes": 3}, "to_move: a deal is over when"),
        ({"passes": 5}, "passes: 5 seats cannot have passed"),
        ({"aside": "BK"}, "aside: cards are laid aside at solitaire only"),
        ({"barred": {0: "B2"}}, "barred: seat 0 holds B2"),
        ({"barred": {1: "BK", 2: "BK"}}, "barred: the unseen cards cannot be spread"),
        ({"barred": {5: "BK"}}, "barred: there is no seat 5"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(change: dict[str, Any], message: str) -> None:
    assert Position.at_table(**BASE).to_move == 0
    with pytest.raises(InvalidPosition, match=message) as error:
        Position.at_table(**{**BASE, **change})
    assert error.value.faults
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"hand": ""}, "holds the card that was drawn"),
        ({"hand": "B2", "passes": 1}, "passing lays the card aside"),
        ({"hand": "", "to_move": None}, "not over while cards are in the deck"),
        ({"hand": "B2 B3"}, "a hand holds 0 to 1 cards"),
    ],
)
def test_alone_what_cannot_be_is_refused(inputs: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        Position.at_table(1, **inputs)


def test_with_stop_at_first_misfit_one_card_is_laid_aside_at_most() -> None:
    rules = Rules(1, stop_at_first_misfit=True)
    with pytest.raises(InvalidPosition, match="ends with the first card laid aside"):
        Position.at_table(rules, hand="B2", aside="B3")
    assert Position.at_table(rules, hand="", aside="B3", to_move=None).is_over


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the part 'players' is missing"),
        ("players 2", "the part 'hand' is missing"),
        ("players two; hand B2", "players: 'two' is no number"),
        ("players 1; hand B2; hand B3", "hand: it is given twice"),
        ("players 1; hand B2; purse 3", "unknown part 'purse 3'"),
        ("players 9; hand B2", "played by 1 to 4"),
        ("players 1; hand B2; card 1 4", "less than 3 times"),
    ],
)
def test_a_line_that_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        parse_position(text)


GOOD = {"players": 1, "hand": ["B8"], "tableau": {"N": "B7"}}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a position is an object"),
        ({**GOOD, "purse": 1}, "unknown field 'purse'"),
        ({"players": 1}, "the field hand is missing"),
        ({**GOOD, "format": "byzanz-record"}, "no byzantium-position of version 1"),
        ({**GOOD, "version": 2}, "no byzantium-position of version 1"),
        ({**GOOD, "tableau": ["N"]}, "tableau: it is an object"),
        ({**GOOD, "tableau": {"N": 7}}, "tableau: it is an object"),
        ({**GOOD, "variant": []}, "variant: it is an object"),
        ({**GOOD, "variant": {"x": 1}}, "unknown variant 'x'"),
        ({**GOOD, "hand": "B8"}, "hand: it is a list of cards"),
        ({**GOOD, "hand": [8]}, "hand: it is a list of cards"),
        ({**GOOD, "barred": {}}, "barred: it is a list"),
        ({**GOOD, "sizes": 1}, "sizes: it is a list"),
        ({**GOOD, "sizes": [[]]}, "sizes: a hand holds 0 to 1"),
        ({**GOOD, "seat": "a"}, "seat: there is no seat 'a'"),
        ({**GOOD, "passes": "a"}, "passes: alone"),
    ],
)
def test_json_that_is_no_position_is_refused(data: Any, message: str) -> None:
    assert load_position(json.dumps(GOOD)).legal_actions() != (Pass(),)
    with pytest.raises(InvalidPosition, match=message):
        load_position(json.dumps(data))
    with pytest.raises(InvalidPosition, match="cannot read the position"):
        load_position(json.dumps(data) + "}")
