"""A position is set up from what somebody at a table sees and remembers, with no more typing than needed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.fault import InvalidPosition
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.position_turns import opener, turn_order
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from tests.game.position_games import observed
from tests.game.tables import begin, play

HAND, LOT = "Wi4 Wi1 Sp2 D", "2xSp1 Gr3 D Cl2"


def faults_of(*args: Any, **kwargs: Any) -> list[str]:
    with pytest.raises(InvalidPosition) as caught:
        Position.at_table(*args, **kwargs)
    return [str(fault) for fault in caught.value.faults]


def test_at_the_start_hand_and_lot_are_enough() -> None:
    position = Position.at_table(4, hand=HAND, lot=LOT)
    state = begin([HAND, "Cl1 Gr1 Ol1 D", "Cl1 Gr1 Ol1 D", "Cl1 Gr1 Ol1 D"], LOT)
    assert position == observe(state, 0)


def test_in_the_first_auction_open_bids_and_passes_are_enough() -> None:
    hands = ["Cl1 Gr1 Ol1 D", "Cl1 Gr2 Ol1 D", "Wo1 Wo2 Ol1 D", HAND]
    state = play(begin(hands, LOT), "0 bid Cl1", "1 pass", "2 bid Wo2")
    position = Position.at_table(4, seat=3, hand=HAND, lot=LOT, bids={0: "cloth 1", 2: Cards("Wo2")}, passed=[1])
    assert position == observe(state, 3)
    assert position.unknown == (3, 4, 3, 0)


def test_what_only_one_answer_adds_up_for_may_be_left_out() -> None:
    known = {1: "Cl1 Gr1 Ol1", 2: "3xOl2", 3: "2xWo1"}
    after_one_lot = {"hand": HAND, "lot": "Gr3 Gr4 2xD", "offers": {3: 5}, "market": "Cl1 D", "known": known}
    full = Position.at_table(4, **after_one_lot, unknown={1: 1, 2: 1, 3: 2}, gone="Sp1 Sp2 Sp3")  # type: ignore[arg-type]
    assert full == Position.at_table(4, **after_one_lot, unknown={1: 1, 2: 1}, gone="Sp1 Sp2 Sp3")  # type: ignore[arg-type]
    assert faults_of(4, **after_one_lot, unknown={1: 1}, gone="Sp1 Sp2 Sp3") == [
        "unknown: say how many cards are unknown to you in the hands of seats 2, 3, 3 together"
    ]


def test_how_many_cards_a_rival_holds_says_as_much_as_how_many_are_unknown() -> None:
    after_one_lot: dict[str, Any] = {
        "hand": HAND, "lot": "Gr3 Gr4 2xD", "offers": {3: 5}, "market": "Cl1 D", "gone": "Sp1 Sp2 Sp3",
        "known": {1: "Cl1 Gr1 Ol1", 2: "3xOl2", 3: "2xWo1"},
    }  # fmt: skip
    position = Position.at_table(4, **after_one_lot, unknown={1: 1, 2: 1, 3: 2})
    assert position == Position.at_table(4, **after_one_lot, sizes={1: 4, 2: 4, 3: 4})
    assert position == Position.at_table(4, **after_one_lot, sizes=[4, 4, 4, 4], unknown=[0, 1, None, None])  # type: ignore[list-item]
    assert faults_of(4, **after_one_lot, sizes=[5, 5, 4, 4], unknown={1: 1}) == [
        "sizes[0]: a hand of 5 does not fit 4 known cards",
        "sizes[1]: a hand of 5 does not fit 3 known cards and 1 unknown ones",
    ]


def test_when_cards_are_missing_it_says_how_many_and_what_is_usually_forgotten() -> None:
    table: dict[str, Any] = {"hand": "Wi1 Wi2", "phase": "market", "round": 2, "offers": [2, 3, 4, 5]}
    (fault,) = faults_of(4, **table, market="Cl1", unknown=[0, 4, 4, 4])
    assert fault == (
        "gone: 2 hand + 1 market + 12 unknown + 56 deck + 12 removed make 83 of 112 cards, 29 too few; usually it is "
        "sets that were sold, cards dropped at the hand limit and what was left of the market after each round"
    )
    (fault,) = faults_of(4, **table, market="Cl1")
    assert "29 too few" in fault and "with as many unknown cards of seats 1, 2, 3 as can be" in fault
    (fault,) = faults_of(3, hand="4xWi1", lot="6xD", unknown=[0, 4, 4], gone="Ol1 Ol2")
    assert "2 too many; usually it is one entered twice" in fault


def test_who_has_forgotten_what_a_rival_holds_counts_it_as_unknown() -> None:
    table: dict[str, Any] = {"hand": "Wi1 Wi2", "phase": "market", "offers": [2, 4, 6], "market": "Cl1 Cl2 D"}
    table["gone"] = "5xSp1"
    remembered = Position.at_table(3, **table, known={1: "3xOl1", 2: "3xGr1"}, unknown={1: 4, 2: 4})
    forgotten = Position.at_table(3, **table, known={2: "3xGr1"}, unknown={1: 7, 2: 4})
    assert forgotten.unseen == remembered.unseen + Cards("3xOl1")
    assert forgotten.sizes == remembered.sizes


def test_offer_cards_left_are_compared_with_those_won() -> None:
    table: dict[str, Any] = {
        "hand": HAND,
        "lot": "Gr3 Gr4 2xD",
        "known": {3: "4xD"},
        "market": "Sp1 D",
        "unknown": [0, 4, 4, 3],
    }
    position = Position.at_table(4, **table, offers={3: 5}, offers_left=[4, 3, 2])
    assert position.offer == 4
    assert faults_of(4, **table, offers={3: 5}, offers_left=[3, 2]) == [
        "offers_left: by the offer cards won, those left are 4, 3, 2; say who won which in offers"
    ]
    assert faults_of(4, hand=HAND, lot=LOT, offers_left=5) == ["offers_left: needs a list of offer cards, not 5"]


def test_the_seat_whose_view_it_is_is_on_the_move_unless_another_is_named() -> None:
    assert Position.at_table(3, seat=2, hand=HAND, lot=f"{LOT} D").to_move == 2
    assert Position.at_table(3, seat=2, hand=HAND, lot=f"{LOT} D", to_move=1).to_move == 1
    gone = Cards.from_counts(Rules.copies) - Cards("4xCl1 2xGr1 Wi4 D")
    end: dict[str, Any] = {
        "hand": "Wi4 D",
        "round": 8,
        "offers": [2, 4, 6],
        "unknown": [1, 1, 0],
        "gone": gone,
        "seat": 2,
    }
    assert Position.at_table(3, phase="closing", **end).to_move == 0, "the order does not matter there"
    assert Position.at_table(3, phase="closing", **end, done=[1, 0]).to_move == 2
    assert Position.at_table(3, phase="over", **end, done={0, 1, 2}).to_move is None


def test_how_many_have_picked_follows_from_the_offer_cards() -> None:
    market: dict[str, Any] = {"hand": "Wi1 Wi2", "market": "Cl1 Cl2 D", "gone": "5xSp1", "unknown": [0, 4, 4]}
    market["known"] = {1: "3xOl1", 2: "3xGr1"}
    assert Position.at_table(3, phase="market", offers=[4, 2, 6], **market).picked == 1
    over = market | {"hand": "4xWi1 4xWi2", "gone": "", "known": {1: "3xOl1", 2: "Gr1 Gr1"}}
    assert Position.at_table(3, phase="hand_limit", offers=[4, 2, 6], **over).picked == 2
    assert faults_of(3, phase="hand limit", offers=[2, 4, 6], **over) == [
        "picked: say 0 if the last lot filled this hand, or 1 if it was a group from the market"
    ]
    assert Position.at_table(3, phase="hand limit", offers=[2, 4, 6], picked=0, **over).picked == 0


def test_passes_given_as_a_set_are_put_in_turn_order() -> None:
    position = Position.at_table(5, seat=2, hand=HAND, lot=LOT, passed={0, 1, 4}, bids={3: "Cl1"})
    assert position.passes == (4, 0, 1)


def test_for_the_tax_card_all_others_have_passed() -> None:
    position = Position.at_table(4, seat=1, hand="Wi4 Wi1 D", lot=LOT, phase=Phase.TAX, market="Sp2")
    assert position.passes == (2, 3, 0)


def test_variants_are_named_or_come_with_the_rules() -> None:
    named = Position.at_table(4, variant={"hand_limit": 8}, hand=HAND, lot=LOT)
    assert named == Position.at_table(Rules.for_seats(4, hand_limit=8), hand=HAND, lot=LOT)
    assert named.rules.variant == {"hand_limit": 8}
    rules = Rules.for_seats(4, hand_limit=8)
    assert faults_of(rules, variant={"hand_limit": 8}, hand=HAND, lot=LOT) == [
        "variant: is part of the rules that were given"
    ]
    assert faults_of(4, variant={"limit": 8}, hand=HAND, lot=LOT)[0].startswith("variant: unknown variant 'limit'")
    assert faults_of(7, hand="Xx", seat=9) == [
        "rules: Byzanz is played by 3 to 6 seats, not 7",
        "hand: unknown card 'Xx' in 'Xx' (goods are Cl Gr Ol Sp Wi Wo with a value 1 to 4, D is a dealer)",
        "seat: there is no seat 9, seats are 0 to 5",
    ]


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("hand", 5, "hand: needs cards such as 'Wi4 2xSp1 D', not 5"),
        ("hand", [5], "hand: a card is a text such as 'Wi4', not int"),
        ("lot", "Wi5", "lot: unknown card 'Wi5'"),
        ("bids", {7: "Cl1"}, "bids[7]: there is no seat 7, seats are 0 to 3"),
        ("bids", {"1": "Cl1"}, "bids['1']: there is no seat '1', seats are 0 to 3"),
        ("bids", "Cl1", "bids: needs {seat: value} or one value a seat, not 'Cl1'"),
        ("bids", ["Cl1"], "bids: needs one value a seat, 4, not 1"),
        ("bids", {1: "Xx"}, "bids[1]: unknown card 'Xx'"),
        ("known", {1: 4}, "known[1]: needs cards such as 'Wi4 2xSp1 D', not 4"),
        ("unknown", {1: -1}, "unknown[1]: needs a number from 0, not -1"),
        ("unknown", {0: 2, 1: 4, 2: 4, 3: 4}, "unknown[0]: no card of one's own hand is unknown"),
        ("unknown", {1: "4"}, "unknown[1]: needs a whole number, not '4'"),
        ("profits", {1: 1.5}, "profits[1]: needs a whole number, not 1.5"),
        ("profits", {1: 10**4999}, "profits[1]: needs a whole number, not a huge number"),
        ("round", True, "round: needs a whole number, not true"),
        (
            "phase",
            "bidding",
            "phase: there is no phase 'bidding' (phases are auction, tax, last_lot, hand_limit,",
        ),
        ("phase", 3, "phase: there is no phase 3"),
        ("to_move", 4, "to_move: there is no seat 4, seats are 0 to 3"),
        ("passed", "1", "passed: needs a list of seats, not '1'"),
        ("passed", 1, "passed: needs a list of seats, not 1"),
        ("passed", [None], "passed: there is no seat null, seats are 0 to 3"),
        ("picked", [], "picked: needs a whole number, not a list"),
        ("variant", 5, "variant: needs the fields that differ from the defaults, not 5"),
        ("seat", None, "seat: there is no seat null, seats are 0 to 3"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_field(field: str, value: object, fault: str) -> None:
    (found,) = faults_of(4, **({"hand": HAND, "lot": LOT} | {field: value}))
    assert found.startswith(fault)


def entered(position: Position) -> dict[str, Any]:
    """What one would type for a position, with everything left out that follows from the rest."""
    table, own = position.table, position.seat
    parts: dict[str, Any] = {
        "rules": table.rules.seats, "variant": table.rules.variant, "seat": own, "phase": str(table.phase),
        "round": table.round, "hand": str(position.hand), "lot": str(table.lot), "market": table.market.codes(),
        "offers": {seat: card for seat, card in enumerate(table.offers) if card}, "gone": str(table.gone),
        "bids": {seat: str(bid) for seat, bid in enumerate(table.bids) if bid}, "done": list(table.done),
        "known": {seat: str(known) for seat, known in enumerate(table.known) if known},
        "profits": {seat: profit for seat, profit in enumerate(table.profits) if profit},
        "passed": list(table.passes),
    }  # fmt: skip
    if table.phase not in (Phase.CLOSING, Phase.OVER) and table.to_move != own:
        parts["to_move"] = table.to_move
    if table.phase is Phase.HAND_LIMIT and table.to_move == table.last_winner:
        parts["picked"] = table.picked
    if table.phase is Phase.TAX and list(table.passes) == turn_order(table, table.to_move or 0)[1:]:
        del parts["passed"]
    if table.phase is Phase.AUCTION and not table.bids[table.to_move or 0]:
        first = opener(table)
        order = turn_order(table, table.to_move or 0 if first is None else first)
        assert sorted(table.passes, key=order.index) == list(table.passes)
        parts["passed"] = set(table.passes)
    rivals = [seat for seat in range(table.rules.seats) if seat != own]
    parts["sizes"] = {rivals[0]: table.sizes[rivals[0]]}
    parts["unknown"] = {seat: position.unknown[seat] for seat in rivals[1:-1]}  # the last one's follows
    return parts


@given(observed())
def test_what_is_left_out_is_filled_in_as_the_game_had_it(position: Position) -> None:
    assert Position.at_table(**entered(position)) == position


@given(observed(), st.sampled_from(["hand", "lot", "bids", "known", "market", "gone", "offers", "unknown"]))
def test_a_part_that_is_missing_is_noticed_or_was_not_needed(position: Position, field: str) -> None:
    parts = entered(position)
    parts[field] = "" if field == "hand" else None
    try:
        again = Position.at_table(**parts)
    except InvalidPosition as error:
        assert error.faults
    else:
        assert len(again.unseen) == sum(again.unknown) + again.deck_left + again.removed_left
