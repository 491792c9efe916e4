"""Lesson 2: its game goes as its notebook says, and its exercises know the rules."""

from __future__ import annotations

from itertools import permutations

import pytest

from byzanz_lab import Phase, Rules
from byzanz_lab.game.actions import Bid, parse_action
from byzanz_lab.game.sales import set_profit, sets_in
from byzanz_lab.teaching import rules as lesson
from tests.teaching.verdicts import check_exercise


def test_the_typed_auction_is_one() -> None:
    state = lesson.start()
    for text in lesson.FIRST_AUCTION:
        assert lesson.try_out(state, text).endswith("is allowed")
        state = state.apply(parse_action(text))
    assert state.table.round == 1 and state.table.lots_won == 1 and state.table.offers[0] == 5


def test_players_play_on_to_the_next_decision_of_a_phase() -> None:
    market = lesson.market_moment()
    assert market.phase is Phase.MARKET and market.table.round == 1
    state, done = lesson.play_on(market, "auction")
    assert state.phase is Phase.AUCTION and state.table.round == 2
    assert list(done["action"].str.split().str[0]) == ["take"] * 4 + ["sell"]  # the notebook speaks of the sale
    over, _ = lesson.play_on(state, "over")
    assert over.is_over
    with pytest.raises(ValueError, match="lunch"):
        lesson.play_on(state, "lunch")


def test_the_smallest_raise() -> None:
    here = lesson.raising()
    allowed = [action for action in here.legal_actions() if isinstance(action, Bid)]
    (right,) = (action.cards for action in allowed if action.cards.total + 1 == here.high_bid + 1)
    wrong = [
        ("Gr2 Gr3", "a cheaper raise"),
        ("Gr3", "must beat"),
        ("Ol1 Cl1 Gr3", "lies on the table already"),
        ("Sp4", "does not hold"),
        ("Xy", "cannot be read"),
    ]
    check_exercise(lesson.first, right, wrong)
    assert lesson.first.check(f"bid {right}").right


def test_the_order_at_the_market() -> None:
    offers = lesson.market_moment().table.offers
    right = sorted(range(4), key=lambda seat: offers[seat])
    assert right not in ([0, 1, 2, 3], [3, 2, 1, 0])  # else the slips could not be told apart
    wrong = [
        (right[::-1], "from the highest offer card down"),
        ("0 1 2 3", "order of their numbers"),
        ((0, 2, 1, 3), "ruling market-order"),
        ("0 1 2", "picks once"),
    ]
    check_exercise(lesson.second, right, wrong)
    assert lesson.second.check(", ".join(map(str, right))).right


def most(cards: object) -> int:
    """The most that a hand can score, by trying every order of selling."""
    hand = lesson.Cards(cards)  # type: ignore[arg-type]
    return max((set_profit(sold) + most(hand - sold) for sold in sets_in(hand)), default=0)


def test_what_a_hand_can_sell() -> None:
    assert len(lesson.SALE) == Rules(4).hand_limit
    wrong = [
        (5, "three dealers"),
        (4, "One set is not all"),
        (10, "all cards"),
        (9, "used once"),
        (3, "A set is three"),
    ]
    check_exercise(lesson.third, most(lesson.SALE), wrong)


def test_every_order_but_the_right_one_is_refused() -> None:
    assert sum(lesson.second.check(order).right for order in permutations(range(4))) == 1
