"""Position: what one seat knows, and nothing else."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.game.actions import Bid, Discard, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import IllegalAction, Phase
from tests.game.position_games import deal_again, observed, positions_in, states, states_in
from tests.game.random_play import Played, random_game
from tests.game.tables import begin, play


def test_the_games_looked_into_reach_every_phase_with_every_table_size() -> None:
    reached = {(state.phase, state.rules.seats) for state in states()}
    expected = {(phase, seats) for phase in Phase for seats in (3, 4, 5, 6)} - {
        (Phase.LAST_LOT, 5),
        (Phase.LAST_LOT, 6),
    }
    assert reached == expected
    assert {bool(state.rules.variant) for state in states()} == {False, True}


# -- hidden is hidden ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", Phase)
def test_states_that_differ_only_in_cards_a_seat_cannot_know_give_it_an_equal_position(phase: Phase) -> None:
    rng = random.Random(1)
    changed = Counter[str]()
    for state in states_in(phase, 40):
        for seat in range(state.rules.seats):
            other = deal_again(state, seat, rng)
            assert observe(other, seat) == observe(state, seat)
            assert hash(observe(other, seat)) == hash(observe(state, seat))
            assert str(observe(other, seat)) == str(observe(state, seat))
            assert other.legal_actions(seat) == state.legal_actions(seat) == observe(state, seat).legal_actions()
            changed["hands"] += other.hands != state.hands
            changed["deck"] += other.deck != state.deck
            changed["removed"] += other.removed != state.removed
    expected = {"removed"} | ({"hands"} if phase is not Phase.OVER else set())
    if phase not in (Phase.CLOSING, Phase.OVER):
        expected.add("deck")
    assert expected <= {name for name, n in changed.items() if n > 20}, "the states did differ"


def test_a_card_that_a_seat_does_know_makes_its_position_another_one() -> None:
    state = begin(["Cl1 Cl2 D Wi4", "Gr1 Gr2 D Wi3", "Ol1 Ol2 D Wi2"], "Sp1 2xSp2 Wo1 Wo2 D")
    other = begin(["Cl1 Cl2 D Wi3", "Gr1 Gr2 D Wi4", "Ol1 Ol2 D Wi2"], "Sp1 2xSp2 Wo1 Wo2 D")
    assert observe(state, 2) == observe(other, 2)
    assert observe(state, 0) != observe(other, 0)
    assert observe(state, 1) != observe(other, 1)
    bid = play(state, "0 bid Wi4"), play(other, "0 bid Wi3")
    assert observe(bid[0], 2) != observe(bid[1], 2), "an open bid is seen by all"


def test_the_order_of_the_deck_is_no_part_of_a_position() -> None:
    state = new_game(Rules.for_seats(5), seed=3)
    other = State(state.table, state.hands, state.deck[::-1], state.removed)
    assert [observe(state, seat) for seat in range(5)] == [observe(other, seat) for seat in range(5)]


def test_in_a_record_kept_at_a_table_the_removed_cards_are_not_missed() -> None:
    state = new_game(Rules.for_seats(4), seed=3)
    unfinished = State(state.table, state.hands, state.deck[:10], None)
    assert observe(unfinished, 1) == observe(state, 1)


# -- unseen and unknown ----------------------------------------------------------------------------------------------


def test_at_the_start_a_seat_has_seen_its_hand_and_the_lot() -> None:
    state = begin(["Cl1 Cl2 D Wi4", "Gr1 Gr2 D Wi3", "Ol1 Ol2 D Wi2"], "Sp1 2xSp2 Wo1 Wo2 D")
    position = observe(state, 1)
    assert position.unknown == (4, 0, 4)
    assert position.unseen == Cards.from_counts(Rules.copies) - Cards("Gr1 Gr2 D Wi3 Sp1 2xSp2 Wo1 Wo2 D")
    assert (position.deck_left, position.removed_left) == (90, 4)


@given(observed())
def test_unseen_cards_are_those_unknown_in_hands_those_removed_and_the_deck(position: Position) -> None:
    assert len(position.unseen) == sum(position.unknown) + position.removed_left + position.deck_left
    assert position.unseen + position.seen == Cards.from_counts(Rules.copies)
    assert position.unknown[position.seat] == 0
    assert all(0 <= n <= Rules.start_hand for n in position.unknown), "only cards of the first deal are ever hidden"


@pytest.mark.parametrize("phase", Phase)
def test_the_truth_fits_what_a_seat_knows(phase: Phase) -> None:
    for state in states_in(phase):
        for seat in range(state.rules.seats):
            position = observe(state, seat)
            hidden = Cards.from_counts([0] * 25)
            for rival in range(state.rules.seats):
                if rival != seat:
                    assert position.known[rival] <= state.hands[rival]
                    unknown = state.hands[rival] - position.known[rival]
                    assert len(unknown) == position.unknown[rival]
                    hidden = hidden + unknown
            assert state.removed is not None and hidden + state.removed <= position.unseen
            assert len(position.unseen - hidden - state.removed) == len(state.deck) == position.deck_left


# -- perfect recall --------------------------------------------------------------------------------------------------


def test_perfect_recall_a_bid_taken_back_is_known() -> None:
    state = begin(["Cl1 Cl2 D Wi4", "Gr1 Gr2 D Wi3", "Ol1 Ol2 D Wi2"], "Sp1 2xSp2 Wo1 Wo2 D")
    state = play(state, "0 bid Cl1", "1 bid Gr2")
    position = observe(state, 2)
    assert (position.bids[0], position.known[0], position.unknown) == (Cards("Cl1"), Cards(), (3, 3, 0))
    state = play(state, "2 pass", "0 pass")
    assert observe(state, 2).known == (Cards("Cl1"), Cards(), Cards())
    assert observe(state, 2).unknown == (3, 3, 0)


def test_perfect_recall_a_lot_is_known_but_for_its_tax_card() -> None:
    state = begin(["Cl1 Cl2 D Wi4", "Gr1 Gr2 D Wi3", "Ol1 Ol2 D Wi2"], "Sp1 2xSp2 Wo1 Wo2 D")
    state = play(state, "0 bid Cl2", "1 pass", "2 pass", "0 tax Sp2")
    assert state.table.known[0] == Cards("Sp1 Sp2 Wo1 Wo2 D")
    assert observe(state, 1).unknown == (3, 0, 4), "the hand holds three of the cards dealt"
    assert observe(state, 1).market == Cards("Cl2 Sp2")


def test_perfect_recall_a_sale_of_known_and_unknown_cards_takes_the_known_ones_first() -> None:
    state = begin(["Cl1 Cl2 D Wo4", "Gr1 Gr2 D Wi3", "Ol1 Ol2 D Wi2"], "Sp1 2xSp2 Wo1 Wo2 D")
    state = play(state, "0 bid Cl2", "1 pass", "2 pass", "0 tax Sp2")
    assert len(state.hands[0]) == 8 and state.phase is Phase.HAND_LIMIT
    sold = play(state, "0 sell Wo4 Wo1 D")  # Wo4 was dealt; one D was dealt, one came with the lot
    assert sold.table.known[0] == Cards("Sp1 Sp2 Wo2")
    assert observe(sold, 1).unknown[0] == 2, "Cl1 and, for all that the others know, the other D"
    again = play(state, "0 sell Wo2 D D")  # both dealers go, one of them had not been shown
    assert again.table.known[0] == Cards("Sp1 Sp2 Wo1")
    assert observe(again, 1).unknown[0] == 2


def test_perfect_recall_a_market_group_and_a_dropped_card_are_known() -> None:
    hands = ["3xCl1 Wi4", "3xGr1 Wi4", "3xOl1 Wi3"]
    state = begin(hands, "6xD | Sp1 Sp1 Sp1 Sp1 | Wo1 Wo1")
    state = play(state, "0 bid Cl1", "1 pass", "2 pass", "0 tax D")
    dropped = play(state, "0 discard D")
    assert dropped.table.known[0] == Cards("4xD") and observe(dropped, 2).gone == Cards("D")
    state = play(dropped, "1 bid Gr1", "2 pass", "1 tax Sp1", "2 tax Wo1")
    assert state.phase is Phase.MARKET and state.to_move == 2
    state = play(state, "2 take Cl")
    assert state.table.known[2] == Cards("Cl1 Wo1") and observe(state, 0).unknown[2] == 4


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_perfect_recall_agrees_with_a_diary_of_what_was_shown(seats: int) -> None:
    """A second account of each seat's hand: cards seen going in, cards seen coming out, those dealt otherwise."""
    for seed in range(100, 103):
        seen_in = [Counter[str]() for _ in range(seats)]
        dealt = [Rules.start_hand] * seats
        for played in random_game(seats, seed):
            _write_down(played, seen_in, dealt)
            after = played.after
            for seat in range(seats):
                assert after.table.known[seat] == Cards(seen_in[seat].elements())
                for viewer in set(range(seats)) - {seat}:
                    assert observe(after, viewer).unknown[seat] == dealt[seat]


def _write_down(played: Played, seen_in: list[Counter[str]], dealt: list[int]) -> None:
    before, seat, action, after = played
    if isinstance(action, (Bid, Sell, Discard)):
        for code in action.cards:
            if seen_in[seat][code]:
                seen_in[seat][code] -= 1
            else:
                dealt[seat] -= 1
    received: dict[int, Cards] = {}
    if isinstance(action, Pass):
        received[seat] = before.table.bids[seat]
        everybody_passed = after.table.offers.count(0) < before.table.offers.count(0)
        if everybody_passed:
            first = (*before.table.passes, seat)[0]
            received[first] = received.get(first, Cards()) + before.table.lot
    elif isinstance(action, Tax):
        received[seat] = before.table.lot - Cards(action.card)
    elif isinstance(action, Take):
        received[seat] = before.table.market.group(action.good)
    for receiver, cards in received.items():
        seen_in[receiver].update(cards.codes())
    rules = before.rules
    if rules.last_card_to_hand and rules.offers[-1] == 1:  # the last seat gets the single card by itself
        newly = [s for s in range(rules.seats) if after.table.offers[s] == 1 and before.table.offers[s] != 1]
        for s in newly:
            grown = len(after.hands[s]) - len(before.hands[s]) - len(received.get(s, ()))
            assert grown == 1
            (card,) = (after.hands[s] - before.hands[s] - received.get(s, Cards())).codes()
            seen_in[s][card] += 1


# -- what a seat may do ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", Phase)
def test_a_position_allows_what_the_state_allows(phase: Phase) -> None:
    for number, state in enumerate(states_in(phase, 25)):
        seat = number % state.rules.seats
        position = observe(state, seat)
        assert position.legal_actions() == state.legal_actions(seat)
        assert all(position.can(action) for action in position.legal_actions())
        for action in (Pass(), Tax("D"), Take("Cl"), Bid("Cl1"), Discard("D"), Sell("3xD")):
            assert position.can(action) == state.can(action, seat)


def test_an_illegal_action_is_refused_with_the_reason() -> None:
    position = observe(begin(["Cl1 Cl2 D Wi4", "Gr1 Gr2 D Wi3", "Ol1 Ol2 D Wi2"]), 1)
    with pytest.raises(IllegalAction, match="seat 1: pass is not allowed: it is the turn of seat 0"):
        position.verify(Pass())
    assert not position.is_to_move and not position.can(Pass())


def test_there_is_no_position_of_a_seat_that_is_not_there() -> None:
    state = new_game(Rules.for_seats(3), seed=1)
    for seat in (-1, 3, True, "0", None):
        with pytest.raises(ValueError, match=r"there is no seat .*, seats are 0 to 2"):
            observe(state, seat)  # type: ignore[arg-type]


def test_a_position_cannot_be_changed_and_can_be_copied() -> None:
    for phase in Phase:
        position = positions_in(phase)[0]
        with pytest.raises(FrozenInstanceError):
            position.seat = 2  # type: ignore[misc]
        assert copy.deepcopy(position) == position
        assert pickle.loads(pickle.dumps(position)) == position, "it travels to worker processes"


@given(observed(), st.data())
def test_a_position_speaks_of_its_table_in_the_same_words(position: Position, data: st.DataObject) -> None:
    words = (
        *(
            "rules",
            "phase",
            "to_move",
            "round",
            "lot",
            "offer",
            "offers",
            "bids",
            "high_bid",
            "high_bidder",
            "still_in",
        ),
        *("passes", "market", "picked", "profits", "sizes", "known", "gone", "done", "deck_left"),
    )
    word = data.draw(st.sampled_from(words))
    assert getattr(position, word) == getattr(position.table, word)
    assert position.is_over == (position.phase is Phase.OVER)
