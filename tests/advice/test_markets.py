"""What market groups are worth, to each seat that has still to pick."""

from __future__ import annotations

import pytest

from byzanz_lab.advice import advise, market_values
from byzanz_lab.game.actions import Take
from byzanz_lab.game.position import observe
from tests.advice.positions import game_states, sample


def test_every_group_has_a_value_for_every_seat_that_has_still_to_pick() -> None:
    position = sample("market")
    values = market_values(position, budget=128)
    assert values.order == position.table.pick_order[position.picked :]
    pairs = [(value.seat, value.good) for value in values.values]
    assert pairs == [(seat, good) for seat in values.order for good in position.market.groups()]
    for value in values.values:
        assert f"seat {value.seat}" in value.value["profit"].of
        assert value.cards == position.market.group(value.good)


def test_differences_between_groups_agree_with_advice() -> None:
    position = sample("market")
    values = market_values(position, budget=1024)
    advice = advise(position, 1024, racing=False)
    for a in position.market.groups()[1:]:
        first = position.market.groups()[0]
        ours = values.of(position.seat, a).value["profit"].mean - values.of(position.seat, first).value["profit"].mean
        theirs = advice.row(Take(a)).estimates["profit"].mean - advice.row(Take(first)).estimates["profit"].mean
        assert ours == pytest.approx(theirs)  # the same worlds, the same playouts


def test_later_in_the_market_fewer_seats_are_asked() -> None:
    states = [state for state in game_states(4, 7) if str(state.phase) == "market" and state.table.picked == 2]
    seat = states[0].to_move
    assert seat is not None
    values = market_values(observe(states[0], seat), budget=64)
    assert len(values.order) == 2 and values.order[0] == seat
    assert values.best(seat).seat == seat
    with pytest.raises(KeyError, match="no pick left"):
        values.best(next(s for s in range(4) if s not in values.order))


def test_another_market_may_be_supposed() -> None:
    position = sample("market")
    values = market_values(position, "2xWi1 2xD Wo1", budget=256)
    assert values.market.groups() == ["Wi", "Wo", "D"]
    assert values.of(position.seat, "D").value["profit"].mean > values.of(position.seat, "Wo").value["profit"].mean


def test_a_supposed_market_that_cannot_be_is_refused() -> None:
    position = sample("market")
    with pytest.raises(ValueError, match="empty"):
        market_values(position, "")
    with pytest.raises(ValueError, match="lies elsewhere"):
        market_values(position, "3xCl4")
    with pytest.raises(ValueError, match="too many"):
        market_values(position, str(position.unseen))
    with pytest.raises(ValueError, match="the market is not open: the decision is auction"):
        market_values(sample("auction"))


def test_table_and_frame_say_the_same() -> None:
    values = market_values(sample("market"), budget=64)
    frame = values.to_frame()
    assert len(frame) == len(values.values)
    assert "seat 0" in str(values) and values._repr_html_().count("<tr>") == len(values.market.groups()) + 1
    with pytest.raises(KeyError):
        values.of(0, "xx")
