"""Price forecasts: limits agree with bidding it out, chances come true, and nothing hidden is used."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from byzanz_lab.advice.forecast import Forecast, forecast
from byzanz_lab.advice.trial import line_of
from byzanz_lab.game.actions import Bid
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation.encoding import encode
from byzanz_lab.simulation.learned import learned_policy
from byzanz_lab.simulation.playouts import play_out
from byzanz_lab.simulation.policies import default_policy
from tests.advice.positions import sample
from tests.advice.priced_lots import Promise, kept, priced_lots, promises

WORLDS = 128


def auctions() -> list[Position]:
    return [sample("opening"), sample("auction")]


@cache
def promised(told: bool) -> tuple[Promise, ...]:
    """Chances named for lots of games by the learned policy, by somebody told what was done before, or not."""
    lots = (lot for seats in (4, 6) for lot in priced_lots(learned_policy(seats), seats, 20, 1000))
    return tuple(promises(lots, 100, told))


# -- what a forecast says ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", auctions(), ids=["opening", "auction"])
def test_the_chance_of_a_bid_is_that_of_bidding_it_out(position: Position) -> None:
    """World by world: a bid that the seat can make wins exactly where no rival's limit is higher."""
    found = forecast(position, WORLDS)
    players = (default_policy(),) * position.rules.seats
    bids = [a for a in position.legal_actions() if isinstance(a, Bid)]
    totals = {(position.bids[position.seat] + bid.cards).total: bid for bid in bids}
    assert totals
    for total, bid in totals.items():
        line = line_of(position.seat, [bid], position.market)[None]
        lots = play_out(encode(position), line, np.ones(1, np.int64), players, 1, 0, WORLDS).lots[:, 0]
        wins = (lots[:, 0] == position.seat) & (lots[:, 1] == total)
        assert np.array_equal(wins, found.limits.max(axis=1) <= total)
        assert found.wins_at(total).mean == wins.mean()


@pytest.mark.parametrize("position", auctions(), ids=["opening", "auction"])
def test_prices_and_winners_are_those_of_the_auction_played_out(position: Position) -> None:
    found = forecast(position, WORLDS, seed=4)
    assert (found.prices >= position.high_bid).all() and set(found.winners) <= set(position.still_in)
    paid = (found.winners != position.seat) & (found.prices > 0)
    assert (found.prices[paid] <= found.limits.max(axis=1)[paid]).all()
    assert sum(found.goes_to(seat).mean for seat in range(position.rules.seats)) == pytest.approx(1)


def test_chances_rise_with_the_bid_and_with_the_price() -> None:
    found = forecast(sample("opening"), WORLDS)
    wins = [found.wins_at(bid).mean for bid in found.bids]
    assert wins == sorted(wins) and wins[-1] == 1
    most = [found.at_most(price).mean for price in range(12)]
    assert most == sorted(most) and most[-1] == 1
    for chance in (0.1, 0.5, 0.8, 1.0):
        b = found.quantile(chance)
        assert found.at_most(b).mean >= chance > (found.at_most(b - 1).mean if b else 0)


def test_the_seat_that_holds_the_highest_bid_has_at_least_that_limit() -> None:
    found = forecast(sample("auction"), WORLDS)
    position = found.position
    for i, rival in enumerate(found.rivals):
        assert (found.limits[:, i] >= position.bids[rival].total).all()
        assert found.limit_of(rival).mean == pytest.approx(found.limits[:, i].mean())


def test_the_same_seed_gives_the_same_forecast_and_worlds_can_be_added() -> None:
    few, more = forecast(sample("opening"), 64, seed=9), forecast(sample("opening"), 128, seed=9)
    assert np.array_equal(few.prices, more.prices[:64]) and np.array_equal(few.limits, more.limits[:64])
    assert not np.array_equal(few.prices, forecast(sample("opening"), 64, seed=10).prices)


def test_what_the_rivals_really_hold_makes_no_difference() -> None:
    """Two truths that look the same to the seat give the same forecast."""
    state = new_game(Rules.for_seats(4), 6)
    swapped = replace(state, hands=(state.hands[0], state.hands[2], state.hands[1], state.hands[3]))
    one, other = (forecast(observe(s, 0), 64) for s in (state, swapped))
    assert np.array_equal(one.limits, other.limits) and np.array_equal(one.prices, other.prices)


def test_a_seat_that_is_out_of_the_auction_can_ask_too() -> None:
    state = new_game(Rules.for_seats(4), 6).apply(new_game(Rules.for_seats(4), 6).legal_actions()[0])
    found = forecast(observe(state, 0), 64)
    assert found.rivals == (1, 2, 3) and found.goes_to(0).mean <= 1


# -- calibration -------------------------------------------------------------------------------------------------------


def test_of_lots_forecast_to_go_for_at_most_b_with_four_chances_in_five_about_as_many_do() -> None:
    """``bench_strength forecast`` shows it within 75 to 85 % over many more lots."""
    said, came, se, n = kept(promised(True), 0.75, 0.85)
    assert n > 50
    assert abs(came - said) < 0.03 + 2 * se and 0.75 - 2 * se < came < 0.85 + 2 * se


@pytest.mark.parametrize("low", [0.0, 0.2, 0.4, 0.6, 0.8])
def test_forecasts_are_calibrated_over_the_whole_range(low: float) -> None:
    """The mean forecast chance is the share that comes true, in each fifth of the range."""
    said, came, se, _ = kept(promised(True), low, low + 0.2)
    assert abs(came - said) < 0.04 + 2.5 * se


def test_what_was_seen_makes_forecasts_better() -> None:
    """Mean squared distance between chance and outcome, over the same lots and prices."""
    told, untold = (
        sum((p.said - p.came) ** 2 for p in promised(known)) / len({p.lot for p in promised(known)})
        for known in (True, False)
    )
    assert told < 0.93 * untold


# -- shown, and refused ------------------------------------------------------------------------------------------------


def test_it_is_told_in_a_sentence_a_table_and_a_frame() -> None:
    found = forecast(sample("auction"), WORLDS)
    assert found.sentence.startswith(f"The lot {found.position.lot} will go for about ")
    assert found.sentence in str(found) and "<table>" in found._repr_html_()
    frame = found.to_frame()
    assert frame["goes_for"].sum() == pytest.approx(1)
    assert frame["at_most"].iloc[-1] == 1 and {"wins", "wins_se", "at_most_se"} <= set(frame.columns)


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    found: Forecast = forecast(sample("auction"), 64)
    with pytest.raises(TypeError, match="a Position is needed"):
        forecast(new_game(Rules.for_seats(4), 1))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a lot in an auction, and the decision is market"):
        forecast(sample("market"))
    with pytest.raises(ValueError, match="2 worlds or more, not 1"):
        forecast(sample("opening"), 1)
    with pytest.raises(ValueError, match="whole number"):
        forecast(sample("opening"), 10.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must beat"):
        found.wins_at(found.position.high_bid)
    with pytest.raises(ValueError, match="no rival"):
        found.limit_of(found.position.seat)
    with pytest.raises(ValueError, match="a chance lies above 0"):
        found.quantile(0)
