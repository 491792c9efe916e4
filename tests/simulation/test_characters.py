"""Characters: each has the habit that its name promises, and none beats the learned one."""

from __future__ import annotations

from functools import cache
from statistics import mean

import pytest

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.characters import CHARACTERS, character_named, characters
from byzanz_lab.simulation.learned import learned_policy
from byzanz_lab.simulation.playouts import play_logged
from byzanz_lab.simulation.policies import default_policy
from byzanz_lab.simulation.training.generations import wins_alone

RULES = Rules.for_seats(4)
OTHERS = [name for name in CHARACTERS if name != "learned"]


@cache
def games(name: str, n: int = 40) -> tuple[Record, ...]:
    """Games in which the character sits in seat 0 and learned ones in the others."""
    table = [character_named(name), *[learned_policy()] * 3]
    return tuple(play_logged(RULES, seed, table)[0] for seed in range(n))


@cache
def habits(name: str) -> dict[str, float]:
    """What seat 0 does: mean offer card it gets, what it pays a game in all, dealers it gets a game."""
    offers, prices, dealers = [], [], 0
    for record in games(name):
        state = record.initial()
        for seat, action in record.moves:
            before, state = state, state.apply(action, seat)
            if state.phase is Phase.TAX and before.phase is Phase.AUCTION and state.to_move == 0:
                prices.append(before.table.bids[0].total)
            if state.table.offers[0] and not before.table.offers[0]:
                offers.append(state.table.offers[0])
            dealers += max(state.hands[0].dealers - before.hands[0].dealers, 0)
    n = len(games(name))
    return {"offer": mean(offers), "paid": sum(prices) / n, "dealers": dealers / n}


def test_there_are_seven_with_names_traits_and_sources() -> None:
    assert [policy.name for policy in characters()] == list(CHARACTERS)
    for policy in characters():
        assert policy.source and type(policy).__doc__
        assert policy.traits.stochastic == (policy.name == "random")


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_none_beats_the_learned_one_head_to_head(name: str, seats: int) -> None:
    """Alone against a table of learned ones it gets less than a fair share, and a learned one alone gets more."""
    rules, learned = Rules.for_seats(seats), learned_policy(seats)
    alone, se = wins_alone(character_named(name, seats), learned, rules, 150, seed=4)
    assert alone + 3 * se < 1 / seats
    against, se = wins_alone(learned, character_named(name, seats), rules, 150, seed=4)
    assert against - 3 * se > 1 / seats


def test_the_cautious_one_pays_less_than_all_others() -> None:
    assert all(habits("cautious")["paid"] < 0.8 * habits(name)["paid"] for name in CHARACTERS if name != "cautious")


@pytest.mark.parametrize("name", ["greedy", "set-collector", "dealer-hunter", "learned"])
def test_the_waiter_gets_smaller_lots_than_those_who_take_what_comes(name: str) -> None:
    assert habits("low-lot-waiter")["offer"] < habits(name)["offer"] - 0.3


def test_the_hunter_gets_more_dealers_than_all_others() -> None:
    assert all(
        habits("dealer-hunter")["dealers"] > habits(name)["dealers"] for name in CHARACTERS if name != "dealer-hunter"
    )


def test_the_collector_wants_a_pair_more_than_the_default_does() -> None:
    pair, loose = Cards("Wi3 Wi1"), Cards("Wi3 Sp1")
    collector, default = character_named("set-collector"), default_policy()
    assert not isinstance(collector, str)
    gaps = [policy.hand_value(pair, 3) - policy.hand_value(loose, 3) for policy in (collector, default)]  # type: ignore[union-attr]
    assert gaps[0] > gaps[1] > 0


def test_an_unknown_character_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"unknown character 'bold' .characters are random, greedy, "):
        character_named("bold")
