"""Exact answers: equal to brute force over every way that single cards can lie, played through the readable rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from byzanz_lab.advice import Advice, advise
from byzanz_lab.game.cards import KINDS, Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.sales import best_sale
from byzanz_lab.game.state import State
from byzanz_lab.simulation.encoding import encode
from byzanz_lab.simulation.enumerate import all_worlds, count_assignments
from byzanz_lab.simulation.policies import RandomPolicy, default_policy
from tests.advice.positions import late, sample

POLICY = default_policy()


def _worlds(position: Position) -> Iterator[State]:
    """Every order of the single unseen cards over the hidden places, as states; equally likely."""
    assert not any(position.unknown), "these tests hide the deck and the removed cards only"
    codes = position.unseen.codes()
    for order in permutations(range(len(codes)), position.deck_left):
        deck = tuple(KINDS.index(codes[i]) for i in order)
        removed = Cards([codes[i] for i in range(len(codes)) if i not in order])
        hands = [position.hand if s == position.seat else known for s, known in enumerate(position.known)]
        yield State(position.table, tuple(hands), deck, removed)


def _outcome(state: State, action: object, seat: int) -> tuple[float, float, float]:
    state = state.apply(action)  # type: ignore[arg-type]
    while state.to_move is not None:
        state = state.apply(POLICY.choose(observe(state, state.to_move)))
    result = state.result()
    rivals = [profit for s, profit in enumerate(result.profits) if s != seat]
    share = (seat in result.winners) / len(result.winners)
    return result.profits[seat], result.profits[seat] - max(rivals), share


@pytest.mark.parametrize(
    ("seats", "phase", "deck"),
    [
        (3, "auction", 2),
        (4, "auction", 2),
        (4, "tax", 2),
        (5, "auction", 1),
        (3, "last_lot", 0),
        (4, "market", 0),
        (6, "hand_limit", 0),
    ],
)
def test_exact_equals_brute_force(seats: int, phase: str, deck: int) -> None:
    position = late(seats, 5, phase, deck)
    advice = advise(position, 64)
    assert advice.is_exact and advice.comparison.stopped == "exact"
    states = list(_worlds(position))
    for row in advice.rows[:4]:
        brute = np.mean([_outcome(state, row.action, position.seat) for state in states], axis=0)
        ours = [row.estimates[name].mean for name in ("profit", "margin", "win")]
        assert ours == pytest.approx(list(brute))
        assert all(row.estimates[name].exact and row.estimates[name].se == 0 for name in row.estimates)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_closing_sale_is_exact_and_best(seats: int) -> None:
    position = late(seats, 5, "closing", 0)
    advice = advise(position, 64)
    sale = best_sale(position.hand, position.rules)
    assert advice.is_exact
    best = advice.best.estimates["profit"].mean
    assert best == position.profits[position.seat] + sale.profit


def test_sampled_answers_agree_with_exact_ones() -> None:
    position = late(3, 5, "auction", 6)
    exact, sampled = advise(position, 64), advise(position, 4096, allow_exact=False, racing=False)
    assert exact.is_exact and not sampled.is_exact
    for row in sampled.rows:
        try:
            truth = exact.row(row.action)
        except KeyError:
            continue  # another way to pay that total was chosen
        for name, estimate in row.estimates.items():
            assert abs(estimate.mean - truth.estimates[name].mean) <= 5 * estimate.se + 1e-9


def test_all_ways_to_pay_are_compared_where_the_answer_is_exact() -> None:
    position = late(3, 5, "auction", 2)
    exact, sampled = advise(position, 64), advise(position, 256, allow_exact=False)
    for row in exact.rows[1:]:
        other = next(r for r in sampled.rows if r.total == row.total)
        assert row.estimates["profit"].mean >= other.estimates["profit"].mean - 5 * other.estimates["profit"].se - 1e-9


def test_exact_answers_are_saved_and_loaded() -> None:
    advice = advise(late(4, 5, "market", 0), 64)
    assert Advice.from_dict(advice.to_dict()).to_dict() == advice.to_dict()
    assert advice.extend(1000) is not None and "Exact" in str(advice)


def test_chance_or_many_worlds_are_sampled() -> None:
    assert not advise(late(4, 5, "market", 0), 64, policies=RandomPolicy()).is_exact
    assert not advise(sample("auction"), 64).is_exact
    assert all_worlds(encode(sample("auction"))) is None


@pytest.mark.parametrize(("seats", "deck"), [(3, 2), (3, 6), (4, 2), (6, 1)])
def test_listed_worlds_are_distinct_and_as_many_as_counted(seats: int, deck: int) -> None:
    start = encode(late(seats, 5, "auction", deck))
    worlds = all_worlds(start)
    assert worlds is not None
    seen = {(hands.tobytes(), deck.tobytes()) for hands, deck in zip(worlds.hands, worlds.decks, strict=True)}
    assert len(seen) == len(worlds.weights)
    assert worlds.weights.sum() == pytest.approx(1)
    assert all_worlds(start, most=len(worlds.weights) - 1) is None


def test_counting_assignments_by_hand() -> None:
    assert count_assignments((2, 1), (1, 1), 100) == 3  # aa ab ba
    assert count_assignments((1, 1, 1), (2,), 100) == 3
    assert count_assignments((1, 1), (3,), 100) == 0
    assert count_assignments((5, 5), (), 100) == 1
