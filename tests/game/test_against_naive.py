"""The rules against their second, naive implementation: the same piles, the same legal actions, the same results."""

from __future__ import annotations

from collections import Counter

import pytest

from byzanz_lab.game.cards import KINDS
from byzanz_lab.game.record import Record
from byzanz_lab.game.state import State
from tests.game.random_play import Played, random_game
from tests.reference.naive import Naive

STATES = 5_000
"""Compared at each table size, 20,000 in all."""


def setup_of(first: State) -> Naive:
    return Naive(Record.from_game(first, []).to_dict())


def assert_same(state: State, naive: Naive) -> None:
    """All that is on the table and in the hands, and what each seat may do."""
    table = state.table
    assert (str(table.phase), table.to_move) == (naive.phase, naive.to_move)
    assert [hand.codes() for hand in state.hands] == naive.hands
    assert [bid.codes() for bid in table.bids] == naive.bids
    assert [table.lot.codes(), table.market.codes(), table.gone.codes()] == [naive.lot, naive.market, naive.gone]
    assert [KINDS[kind] for kind in state.deck] == naive.deck
    assert list(table.profits) == naive.profits and table.round == naive.round
    for seat in range(state.rules.seats):
        assert {str(action) for action in state.legal_actions(seat)} == naive.legal(seat)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_legal_actions_agree_with_the_naive_rules(seats: int) -> None:
    compared, seed = 0, 1_000
    seen: Counter[str] = Counter()
    while compared < STATES:
        steps: list[Played] = list(random_game(seats, seed))
        naive = setup_of(steps[0].before)
        for step in steps:
            assert_same(step.before, naive)
            naive.play(step.seat, str(step.action))
            seen.update([str(step.before.phase), type(step.action).__name__])
            seen["out of turn"] += step.seat != step.before.to_move
        final = steps[-1].after
        assert_same(final, naive)
        result = final.result()
        assert {name: list(getattr(result, name)) for name in ("profits", "goods_left", "winners")} == naive.result()
        seen.update(final.rules.variant)
        compared, seed = compared + len(steps) + 1, seed + 1
    met = {
        "auction",
        "tax",
        "hand_limit",
        "market",
        "closing",
        "Bid",
        "Pass",
        "Sell",
        "Discard",
        "Decline",
        "out of turn",
    }
    met |= {"hand_limit", "last_card_to_hand", "may_decline_market", "tie_counts_dealers"}
    assert met | ({"last_lot"} if seats <= 4 else set()) <= set(seen)
