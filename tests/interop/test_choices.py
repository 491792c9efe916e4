"""Every legal action can be named choice by choice, in one way, and whatever is offered ends in a legal action."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.game.actions import Bid, Pass
from byzanz_lab.game.cards import KINDS, N_KINDS
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.game.table import Phase
from byzanz_lab.interop.choices import CHOICE, CHOICES, WAIT, Composition, word_of
from byzanz_lab.interop.rewards import most_choices, most_profit, reward_range, rewards_of
from tests.game.position_games import states_in
from tests.game.random_play import ALL_VARIANTS

DECISIONS = [phase for phase in Phase if phase is not Phase.OVER]


@pytest.mark.parametrize("phase", DECISIONS)
def test_each_legal_action_of_each_seat_has_one_word_and_is_reached_by_it(phase: Phase) -> None:
    for number, state in enumerate(states_in(phase, 25)):
        seat = number % state.rules.seats if number % 3 else state.to_move
        legal = state.legal_actions(seat)
        words = {word_of(action): action for action in legal}
        assert len(words) == len(legal)
        sample = random.Random(number).sample(list(words), min(40, len(words)))
        for word in sample:
            composing = Composition.of(legal)
            for choice in word[:-1]:
                assert choice in composing.choices
                after = composing.choose(choice)
                assert isinstance(after, Composition)
                composing = after
            assert composing.choose(word[-1]) == words[word]


@given(number=st.integers(0, 10_000), phase=st.sampled_from(DECISIONS), data=st.data())
@settings(max_examples=60)
def test_whatever_is_offered_ends_in_a_legal_action(number: int, phase: Phase, data: st.DataObject) -> None:
    pool = states_in(phase)
    state = pool[number % len(pool)]
    composing = Composition.of(state.legal_actions())
    for _ in range(2 * state.rules.n_cards):
        choices = composing.choices
        assert choices
        assert list(choices) == sorted(set(choices))
        assert WAIT not in choices
        after = composing.choose(data.draw(st.sampled_from(choices)))
        if not isinstance(after, Composition):
            state.verify(after)
            return
        composing = after
    pytest.fail("the composition has no end")


def test_a_word_that_was_begun_can_be_gone_on_with_after_others_have_acted() -> None:
    legal = max((state.legal_actions() for state in states_in(Phase.AUCTION)), key=len)
    word = max(map(word_of, legal), key=len)
    assert len(word) > 3
    composing = Composition.of(legal, word[:1])
    assert composing.chosen == word[:1]
    assert set(composing.choices) == {other[1] for other in map(word_of, legal) if other[:1] == word[:1]}


def test_a_choice_that_is_not_offered_is_refused_by_name() -> None:
    composing = Composition.of([Pass(), Bid("Wi4")])
    with pytest.raises(ValueError, match=r"^'decline' is not one of the choices here: Wi4, pass$"):
        composing.choose(CHOICE["decline"])
    with pytest.raises(ValueError, match=r"^99 is not one of"):
        composing.choose(99)


def test_the_list_of_choices_begins_with_the_kinds_and_names_nothing_twice() -> None:
    assert CHOICES[:N_KINDS] == KINDS
    assert len(set(CHOICES)) == len(CHOICES)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_random_choices_end_a_game_within_the_bounds_that_are_promised(seats: int) -> None:
    rng = random.Random(seats)
    rules = Rules.for_seats(seats, **rng.choice(ALL_VARIANTS))
    state, made = new_game(rules, seats), 0
    while not state.is_over:
        after: object = Composition.of(state.legal_actions())
        while isinstance(after, Composition):
            after, made = after.choose(rng.choice(after.choices)), made + 1
        state = state.apply(after)  # type: ignore[arg-type]
    assert made <= most_choices(rules)
    for reward in ("profit", "margin", "win"):
        low, high = reward_range(rules, reward)
        assert all(low <= worth <= high for worth in rewards_of(state.result(), reward))
    assert sum(rewards_of(state.result(), "win")) == pytest.approx(1)
    assert max(state.scores) <= most_profit(rules)


def test_an_unknown_reward_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"unknown reward 'points' \(rewards are profit, margin, win\)"):
        reward_range(Rules.for_seats(4), "points")
