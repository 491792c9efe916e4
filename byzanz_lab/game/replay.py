"""Replaying the actions of a record: legal one by one, and leading to the result that is stated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from byzanz_lab.game.actions import Action, Decline, Sell, Take
from byzanz_lab.game.sales import tie_cards
from byzanz_lab.game.state import Result, State
from byzanz_lab.game.table import Phase
from byzanz_lab.records import InvalidRecord, RecordBase

Move = tuple[int, Action]
"""A seat and what it did."""


def check_result(stated: Result, final: State) -> None:
    """Refuse a stated result that is not the one the actions lead to.

    Raises
    ------
    InvalidRecord
        If it is wrong, or the game is not over.
    """
    if not final.is_over:
        raise InvalidRecord(f"the record states a result, but the game is not over: the decision is {final.phase}")
    right = final.result()
    if stated == right:
        return
    counted = tuple(tie_cards(hand, final.rules) for hand in final.hands)
    if stated == replace(right, goods_left=counted):  # with tie_counts_dealers, some count the dealers in goods_left
        return
    wrong = next(name for name in ("profits", "goods_left", "winners") if getattr(stated, name) != getattr(right, name))
    raise InvalidRecord(
        f"the result is wrong: it states {wrong} {list(getattr(stated, wrong))}, "
        f"the actions lead to {list(getattr(right, wrong))}"
    )


def needed_moves(record: RecordBase[State, Action]) -> Iterator[Move]:
    """The moves of a record without the declines of seats that found the market empty.

    Such a seat has no decision, so `State` skips it; with variant ``may_decline_market`` the format can be read as if
    it declined. Its ``decline`` stands after the action that ended the round, before anything but a sale.
    """
    state, picked, skipped = record.initial(), set[int](), set[int]()
    for index, (seat, action) in enumerate(record.moves):
        if isinstance(action, Decline) and seat in skipped:
            skipped.discard(seat)
            continue
        after = record.apply_move(state, index, seat, action)
        yield seat, action
        if isinstance(action, (Take, Decline)):
            picked.add(seat)
        if not isinstance(action, Sell):
            skipped = set()
        if after.table.round > state.table.round or (after.phase is Phase.CLOSING and state.phase is not Phase.CLOSING):
            skipped, picked = set(range(state.rules.seats)) - picked, set()
        state = after
