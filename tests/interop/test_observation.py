"""The row of numbers that a seat sees is what its table says, and holds nothing that the seat cannot know."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.game.cards import KINDS, Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.interop.choices import CHOICE, Word
from byzanz_lab.interop.observation import Entry, observation, observation_table
from tests.game.position_games import deal_again, observed, states

CHOSEN: Word = (CHOICE["sell"], CHOICE["Cl2"], CHOICE["D"])


def expected(entry: Entry, p: Position, chosen: Word) -> float:
    """What one number must be, looked up by the words of the table alone."""
    who = None if entry.seat is None else (p.seat + entry.seat) % p.rules.seats
    if who is None:
        cards = {"hand": p.hand, "lot": p.lot, "market": p.market, "gone": p.gone, "unseen": p.unseen}
        if entry.block in cards:
            return cards[entry.block].count(entry.item)
        if entry.block == "chosen":
            return sum(choice == CHOICE[entry.item] for choice in chosen)
        other = {"phase": entry.item == p.phase, "round": p.round, "offer": p.offer, "picked": p.picked}
        return {**other, "deck_left": p.deck_left, "selling": CHOICE["sell"] in chosen}[entry.block]
    if entry.block in ("bid", "known"):
        return {"bid": p.bids, "known": p.known}[entry.block][who].count(entry.item)
    place = {seat: number for number, seat in enumerate(p.passes, 1)}
    return {
        "to_move": who == p.to_move,
        "size": p.sizes[who],
        "offer_won": p.offers[who],
        "passed": place.get(who, 0),
        "profit": p.profits[who],
        "done": who in p.done,
    }[entry.block]


@given(position=observed(), chosen=st.sampled_from([(), CHOSEN]))
@settings(max_examples=60)
def test_each_number_is_what_the_table_says_and_within_its_range(position: Position, chosen: Word) -> None:
    table, row = observation_table(position.rules), observation(position, chosen)
    assert row.shape == (len(table),)
    assert row.dtype == np.float32
    for entry, value in zip(table, row.tolist(), strict=True):
        assert value == expected(entry, position, chosen), entry
        assert entry.low <= value <= entry.high, entry


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_table_numbers_the_row_and_names_every_place_once(seats: int) -> None:
    table = observation_table(Rules.for_seats(seats))
    assert [entry.place for entry in table] == list(range(len(table)))
    assert len({entry[1:4] for entry in table}) == len(table)
    assert all(entry.low < entry.high and entry.meaning for entry in table)
    assert {entry.item for entry in table if entry.block == "hand"} == set(KINDS)


def test_all_seats_see_the_table_from_their_own_chair() -> None:
    state = next(state for state in states() if state.phase is Phase.AUCTION and state.table.high_bid)
    table = observation_table(state.rules)
    where = {entry[1:4]: entry.place for entry in table}
    for seat in range(state.rules.seats):
        row = observation(observe(state, seat))
        to_move = (state.to_move - seat) % state.rules.seats if state.to_move is not None else 0
        assert row[where["to_move", to_move, ""]] == 1
        assert sum(row[where["to_move", step, ""]] for step in range(state.rules.seats)) == 1


def test_hidden_is_hidden_cards_that_a_seat_cannot_know_change_nothing() -> None:
    rng = random.Random(5)
    changed = 0
    for number, state in enumerate(states()[::41]):
        seat = number % state.rules.seats
        other = deal_again(state, seat, rng)
        changed += other.hands != state.hands
        assert np.array_equal(observation(observe(state, seat)), observation(observe(other, seat)))
    assert changed > 20


def test_the_whole_truth_is_refused() -> None:
    with pytest.raises(TypeError, match="not State"):
        observation(states()[0])  # type: ignore[arg-type]


def test_cards_that_are_named_of_a_bid_are_seen_by_the_seat_that_names_them() -> None:
    position = Position.at_table(4, hand="Wi4 Wi4 Sp2 D", lot="Sp1 Gr3 D Cl2 Cl1")
    table = observation_table(position.rules)
    row = observation(position, (CHOICE["Wi4"], CHOICE["Wi4"]))
    chosen = {entry.item: row[entry.place] for entry in table if entry.block == "chosen"}
    assert Cards([code for code, n in chosen.items() for _ in range(int(n))]) == Cards("2xWi4")
