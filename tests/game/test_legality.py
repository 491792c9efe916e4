"""Legality is one thing: what is listed can be done; what is not is refused with a reason, and nothing changes."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy

import pytest

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import GROUPS, KINDS, Cards
from byzanz_lab.game.state import State
from byzanz_lab.game.table import IllegalAction
from tests.game.random_play import random_game


def moments(seats: int, games: int, every: int) -> list[State]:
    """States of random games, all phases among them, and the final ones."""
    played = [list(random_game(seats, seed)) for seed in range(games)]
    return [step.before for game in played for step in game[::every]] + [game[-1].after for game in played]


def anything(state: State, seat: int, rng: random.Random) -> Action:
    """Any action, more often than not with cards that are at hand."""
    pool = rng.choice([state.hands[seat].codes(), state.table.lot.codes(), state.table.market.codes(), list(KINDS)])
    cards = Cards(rng.sample(pool, rng.randint(1, min(len(pool), 5)))) if pool else Cards("D")
    return rng.choice([
        Pass(), Decline(), Done(), Tax(rng.choice(cards.codes())), Take(rng.choice(GROUPS)), Bid(cards), Sell(cards),
        Discard(cards),
    ])  # fmt: skip


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_every_legal_action_applies(seats: int) -> None:
    kinds: Counter[type] = Counter()
    for state in moments(seats, 10, 11):
        for seat in range(seats):
            actions = state.legal_actions(seat)
            assert len(set(actions)) == len(actions), "none twice"
            for action in actions:
                assert state.can(action, seat)
                assert state.apply(action, seat) != state
                kinds[type(action)] += 1
    assert set(kinds) >= {Bid, Pass, Tax, Take, Sell, Discard, Done}


def test_seat_on_the_move_is_the_default_and_has_something_to_do() -> None:
    for state in moments(4, 6, 5):
        assert state.legal_actions() == (() if state.to_move is None else state.legal_actions(state.to_move))
        assert bool(state.legal_actions()) != state.is_over
        if not state.is_over:
            action = state.legal_actions()[0]
            assert state.apply(action) == state.apply(action, state.to_move)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_thousand_illegal_actions_are_refused_with_a_reason(seats: int) -> None:
    rng, refused, allowed = random.Random(seats), 0, 0
    kinds: Counter[type] = Counter()
    states = moments(seats, 8, 3)
    while refused < 1000:
        state, seat = rng.choice(states), rng.randrange(seats)
        action = anything(state, seat, rng)
        before = deepcopy(state)
        if action in state.legal_actions(seat):
            state.apply(action, seat)
            allowed += 1
        else:
            assert not state.can(action, seat)
            with pytest.raises(IllegalAction) as caught:
                state.apply(action, seat)
            reason = str(caught.value).partition(f"{action} is not allowed: ")[2]
            assert len(reason) > 10 and reason == reason.strip()
            refused += 1
            kinds[type(action)] += 1
        assert state == before, "the state is as it was"
    assert allowed > 10 and set(kinds) == {Bid, Pass, Tax, Take, Decline, Sell, Discard, Done}


def test_what_is_no_action_is_refused() -> None:
    state = moments(3, 1, 100)[0]
    with pytest.raises(IllegalAction, match="is no action"):
        state.apply("pass")  # type: ignore[arg-type]


def test_states_cannot_be_changed() -> None:
    state = moments(3, 1, 100)[0]
    with pytest.raises(AttributeError):
        state.deck = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        state.table.round = 2  # type: ignore[misc]
