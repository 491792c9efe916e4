"""What a lot is worth: at each price, as a distribution, and the reservation price."""

from __future__ import annotations

import numpy as np
import pytest

from byzanz_lab.advice import lot_value
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import observe
from tests.advice.positions import game_states, late, sample


def test_prices_are_free_and_then_every_total_the_hand_can_pay() -> None:
    position = sample("auction")
    value = lot_value(position, budget=128)
    assert [price.total for price in value.prices][:2] == [0, 1]
    for price in value.prices:
        assert price.cards.total == price.total and not price.cards.dealers
        assert price.cards <= position.hand
        assert price.value["profit"].n == value.comparison.worlds


def test_an_open_bid_is_part_of_every_price() -> None:
    for state in game_states(4, 7):
        seat = state.to_move
        if str(state.phase) == "auction" and seat is not None and state.table.bids[seat]:
            value = lot_value(observe(state, seat), budget=64)
            open_bid = state.table.bids[seat]
            assert value.prices[0].total == open_bid.total
            assert all(open_bid <= price.cards for price in value.prices)
            return
    raise AssertionError("nobody raised in this game")


def test_the_reservation_price_is_the_highest_at_which_winning_is_not_worse() -> None:
    value = lot_value(sample("opening"), budget=1024)
    gains = {price.total: price.value["profit"].mean for price in value.prices}
    reservation = value.reservation_price
    assert reservation is not None and gains[reservation] >= 0
    assert all(gain < 0 for total, gain in gains.items() if total > reservation)
    low, high = value.reservation_range
    assert high is not None and (low or 0) <= reservation <= high


def test_a_free_lot_is_worth_more_than_one_paid_dearly() -> None:
    value = lot_value(sample("auction"), budget=1024)
    assert value.prices[0].value["profit"].mean > value.prices[-1].value["profit"].mean + 1


def test_the_distribution_is_that_of_the_estimate() -> None:
    value = lot_value(sample("auction"), budget=512)
    for price in (value.prices[0], value.prices[-1]):
        gains = value.distribution(price.total)
        assert len(gains) == value.comparison.worlds
        assert np.isclose(gains.mean(), price.value["profit"].mean)
        assert np.isclose(gains.std(ddof=1) / np.sqrt(len(gains)), price.value["profit"].se)
    with pytest.raises(ValueError, match="cannot win at 99"):
        value.distribution(99)


def test_another_lot_may_be_supposed() -> None:
    position = sample("opening")
    rich = lot_value(position, "Sp3 Sp4 Sp4 D D D", budget=512)
    poor = lot_value(position, "Cl1 Gr1 Ol1 Sp1 Wi1 Wo1", budget=512)
    assert rich.lot == Cards("Sp3 2xSp4 3xD")
    assert rich.prices[0].value["profit"].mean > poor.prices[0].value["profit"].mean + 1
    same = lot_value(position, position.lot, budget=128)
    assert str(same) == str(lot_value(position, budget=128))


def test_a_supposed_lot_that_cannot_be_is_refused() -> None:
    position = sample("opening")
    with pytest.raises(ValueError, match="a lot has 6 cards, not 2"):
        lot_value(position, "Sp3 Sp4")
    with pytest.raises(ValueError, match="lies elsewhere"):
        lot_value(position, "3xWi4 3xD")
    with pytest.raises(ValueError, match="unknown card"):
        lot_value(position, "Xy1")


def test_outside_an_auction_there_is_no_lot_value() -> None:
    with pytest.raises(ValueError, match="in no auction: the decision is market"):
        lot_value(sample("market"))


def test_sentences_for_worthless_and_priceless_lots() -> None:
    position = late(4, 3, "auction", 9)
    value = lot_value(position, budget=128)
    assert str(value.lot) in value.sentence and f"seat {position.seat}" in value.sentence
    assert list(value.to_frame().columns[:3]) == ["total", "cards", "profit"]
    assert value._repr_html_().count("<tr>") == len(value.prices) + 1
