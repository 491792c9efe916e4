"""One thing changed in a position that a game led to is found by the checks, and named by its field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.game.cards import DEALER, KINDS, Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_faults import faults
from byzanz_lab.game.table import Phase, one
from tests.game.position_games import observed, positions_in

Change = Callable[[Position], Position | None]


def table_with(position: Position, **changes: Any) -> Position:
    return replace(position, table=replace(position.table, **changes))


def with_at(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def a_gone_card_less(p: Position) -> Position | None:
    return table_with(p, gone=p.gone - one(p.gone.codes()[0])) if p.gone else None


def a_gone_card_more(p: Position) -> Position | None:
    return table_with(p, gone=p.gone + one(p.unseen.codes()[0])) if p.unseen else None


def a_copy_too_many(p: Position) -> Position | None:
    """One of the cards gone turns into another copy of a kind that has been seen in full."""
    full = [kind for kind, n in enumerate(p.unseen.counts) if n == 0]
    other = [code for code in p.gone if code != KINDS[full[0]]] if full else []
    return table_with(p, gone=p.gone - one(other[0]) + one(KINDS[full[0]])) if other else None


def a_card_dropped_from_the_hand(p: Position) -> Position | None:
    return replace(p, hand=p.hand - one(p.hand.codes()[0])) if p.hand else None


def a_lot_of_another_size(p: Position) -> Position | None:
    return table_with(p, lot=p.lot - one(p.lot.codes()[0])) if p.lot else table_with(p, lot=one("D"))


def a_bid_of_a_seat_that_has_won(p: Position) -> Position | None:
    won = [seat for seat in range(p.rules.seats) if p.offers[seat]]
    return table_with(p, bids=with_at(p.bids, won[0], one("Cl1"))) if won else None


def a_bid_of_a_seat_that_has_passed(p: Position) -> Position | None:
    return table_with(p, bids=with_at(p.bids, p.passes[0], one("Cl1"))) if p.passes else None


def a_dealer_in_a_bid(p: Position) -> Position | None:
    bidders = [seat for seat, bid in enumerate(p.bids) if bid]
    return table_with(p, bids=with_at(p.bids, bidders[0], p.bids[bidders[0]] + one("D"))) if bidders else None


def two_equal_high_bids(p: Position) -> Position | None:
    others = [seat for seat in p.still_in if seat != p.high_bidder]
    if p.high_bidder is None or not others:
        return None
    return table_with(p, bids=with_at(p.bids, others[-1], p.bids[p.high_bidder]))


def another_seat_on_the_move(p: Position) -> Position | None:
    """One that cannot be: it has won, has passed or holds the highest bid; out of an auction any other."""
    seats = range(p.rules.seats)
    if p.phase is Phase.AUCTION:
        wrong = [seat for seat in seats if p.offers[seat] or seat in p.passes or seat == p.high_bidder]
    else:
        wrong = [seat for seat in seats if seat != p.to_move]
    return table_with(p, to_move=wrong[-1]) if wrong else None


def nobody_on_the_move(p: Position) -> Position | None:
    return None if p.is_over else table_with(p, to_move=None)


def an_offer_card_won_twice(p: Position) -> Position | None:
    won = [card for card in p.offers if card]
    free = [seat for seat in range(p.rules.seats) if p.offers[seat] != won[0]] if won else []
    return table_with(p, offers=with_at(p.offers, free[0], won[0])) if free else None


def an_offer_card_left_out(p: Position) -> Position | None:
    won = [seat for seat in range(p.rules.seats) if p.offers[seat]]
    highest = max(won, key=lambda seat: p.offers[seat]) if len(won) > 1 else None
    return None if highest is None else table_with(p, offers=with_at(p.offers, highest, 0))


def an_offer_card_not_in_use(p: Position) -> Position | None:
    return table_with(p, offers=with_at(p.offers, 0, 7))


def a_round_too_many(p: Position) -> Position | None:
    return table_with(p, round=p.rules.rounds + 1)


def the_round_before(p: Position) -> Position | None:
    return table_with(p, round=p.round - 1)


def more_known_than_held(p: Position) -> Position | None:
    rivals = [seat for seat, known in enumerate(p.known) if known and seat != p.seat]
    return table_with(p, sizes=with_at(p.sizes, rivals[0], len(p.known[rivals[0]]) - 1)) if rivals else None


def a_card_known_that_is_not_in_hand(p: Position) -> Position | None:
    missing = [code for code in KINDS if code not in p.hand]
    return table_with(p, known=with_at(p.known, p.seat, one(missing[0])))


def a_profit_below_0(p: Position) -> Position | None:
    return table_with(p, profits=with_at(p.profits, 1, -1))


def a_profit_out_of_nothing(p: Position) -> Position | None:
    return table_with(p, profits=with_at(p.profits, 1, len(p.gone) * 5 // 3 + 1))


def a_rival_over_the_limit(p: Position) -> Position | None:
    """The cards that he has too many are missing from those gone."""
    rivals = [seat for seat in range(p.rules.seats) if seat not in (p.seat, p.to_move)]
    more = p.rules.hand_limit + 1 - p.sizes[rivals[0]]
    if len(p.gone) < more:
        return None
    sizes = with_at(p.sizes, rivals[0], p.rules.hand_limit + 1)
    return table_with(p, sizes=sizes, gone=Cards(p.gone.codes()[more:]), profits=(0,) * p.rules.seats)


def a_hand_that_is_not_over_the_limit(p: Position) -> Position | None:
    if p.phase is not Phase.HAND_LIMIT or p.to_move != p.seat:
        return None
    drop = Cards(p.hand.codes()[p.rules.hand_limit :])
    hand = p.hand - drop
    known = with_at(p.known, p.seat, p.known[p.seat] & hand)
    return replace(table_with(p, sizes=with_at(p.sizes, p.seat, len(hand)), gone=p.gone + drop, known=known), hand=hand)


def another_number_of_picks(p: Position) -> Position | None:
    if p.phase is Phase.HAND_LIMIT and 0 not in p.offers and p.picked < 2:
        return None  # the hand that the last lot filled may pick first as well
    return table_with(p, picked=p.picked + 1 if p.picked < p.rules.seats else p.picked - 1)


def done_before_the_end(p: Position) -> Position | None:
    return None if p.phase in (Phase.CLOSING, Phase.OVER) else table_with(p, done=(0,))


def done_twice(p: Position) -> Position | None:
    return table_with(p, done=(*p.done, p.done[0])) if p.done else None


def a_winner_who_passes(p: Position) -> Position | None:
    won = [seat for seat in range(p.rules.seats) if p.offers[seat]]
    return table_with(p, passes=(*p.passes, won[0])) if won else None


def passes_the_other_way_round(p: Position) -> Position | None:
    """While a seat has had no turn, so that none has had two."""
    waiting = [seat for seat in p.still_in if not p.bids[seat]]
    return table_with(p, passes=p.passes[::-1]) if p.phase is Phase.AUCTION and waiting and len(p.passes) > 1 else None


def dealers_for_the_market(p: Position) -> Position | None:
    """Cards gone turn into as many dealers as there are, and the market into dealers alone."""
    if not p.market or p.phase is Phase.HAND_LIMIT or p.picked:
        return None
    return table_with(p, market=Cards.from_counts([0] * DEALER + [len(p.market)]), gone=Cards())


def another_phase(p: Position) -> Position | None:
    """A decision to take or pay for in place of one to sell, and the other way round."""
    other = {
        Phase.AUCTION: Phase.MARKET,
        Phase.TAX: Phase.LAST_LOT,
        Phase.LAST_LOT: Phase.TAX,
        Phase.HAND_LIMIT: Phase.AUCTION,
        Phase.MARKET: Phase.CLOSING,
        Phase.CLOSING: Phase.OVER,
        Phase.OVER: Phase.CLOSING,
    }
    return table_with(p, phase=other[p.phase])


EXPECTED: dict[Change, str] = {
    a_gone_card_less: "gone",
    a_gone_card_more: "gone",
    a_copy_too_many: "hand lot market gone bids known",
    a_card_dropped_from_the_hand: "hand",
    a_lot_of_another_size: "lot",
    a_bid_of_a_seat_that_has_won: "bids",
    a_bid_of_a_seat_that_has_passed: "bids",
    a_dealer_in_a_bid: "bids",
    two_equal_high_bids: "bids",
    another_seat_on_the_move: "to_move passed",
    nobody_on_the_move: "to_move",
    an_offer_card_won_twice: "offers",
    an_offer_card_left_out: "offers",
    an_offer_card_not_in_use: "offers",
    a_round_too_many: "round",
    the_round_before: "round gone",
    more_known_than_held: "known",
    a_card_known_that_is_not_in_hand: "known",
    a_profit_below_0: "profits",
    a_profit_out_of_nothing: "profits",
    a_rival_over_the_limit: "unknown",
    a_hand_that_is_not_over_the_limit: "phase",
    another_number_of_picks: "picked to_move market",
    done_before_the_end: "done",
    done_twice: "done",
    a_winner_who_passes: "passed",
    passes_the_other_way_round: "passed",
    dealers_for_the_market: "market",
    another_phase: "phase lot passed bids to_move offers round picked market hand unknown done",
}
"""What each change must be found by."""


@pytest.mark.parametrize("change", EXPECTED)
def test_one_change_to_what_a_game_led_to_is_found(change: Change) -> None:
    changed = 0
    for phase in Phase:
        for position in positions_in(phase, 15):
            other = change(position)
            if other is not None:
                changed += 1
                found = {fault.base for fault in faults(other)}
                assert found & set(EXPECTED[change].split()), (position, faults(other))
    assert changed, "the change could be made"


@given(observed(), st.lists(st.sampled_from(list(EXPECTED)), min_size=1, max_size=3))
def test_changes_on_top_of_each_other_never_upset_the_check_itself(position: Position, changes: list[Change]) -> None:
    for change in changes:
        try:
            position = change(position) or position
        except (ValueError, IndexError):  # a change that needs a position in order
            break
    for fault in faults(position):
        assert fault.message and fault.field
