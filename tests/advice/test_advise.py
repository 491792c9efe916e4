"""Promises of advise(): every decision, every choice, one truth for all ways to show it."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from byzanz_lab.advice import Advice, advise
from byzanz_lab.evaluation import Budget
from byzanz_lab.game.actions import Bid, Discard, Sell
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.characters import character_named
from byzanz_lab.simulation.learned import LearnedPolicy, learned_policy
from byzanz_lab.simulation.policies import CompiledPolicy, RandomPolicy, greedy_policy
from tests.advice.positions import late, sample


def test_every_decision_gets_a_row_for_each_choice(decision: Position) -> None:
    advice = advise(decision, 128)
    legal = decision.legal_actions()
    actions = [row.action for row in advice.rows]
    assert len(set(actions)) == len(actions)
    assert all(decision.can(action) for action in actions)
    if decision.phase is Phase.AUCTION:
        open_bid = decision.bids[decision.seat]
        totals = {(open_bid + action.cards).total for action in legal if isinstance(action, Bid)}
        assert [row.total for row in advice.rows] == [None, *sorted(totals)]
        assert all(row.total == (open_bid + row.action.cards).total for row in advice.rows[1:])
        assert all(row.lot is not None and 0 <= row.lot.mean <= 1 for row in advice.rows)
    elif decision.phase is Phase.HAND_LIMIT:
        over = len(decision.hand) - decision.rules.hand_limit
        assert all(isinstance(a, Sell) or (isinstance(a, Discard) and len(a.cards) == over) for a in actions)
    elif decision.phase is Phase.CLOSING:
        assert set(actions) == set(legal)
    else:
        assert set(actions) == {action for action in legal if not isinstance(action, Sell)}


def test_a_value_never_travels_alone(decision: Position) -> None:
    for row in advise(decision, 128).rows:
        for name, unit in (("profit", "points"), ("margin", "points"), ("win", "share")):
            estimate = row.estimates[name]
            assert estimate.n > 0 and estimate.unit == unit and estimate.se >= 0
            assert f"seat {decision.seat}" in estimate.of
            gap = row.to_best[name]
            assert (gap is None) == (row.verdicts[name] == "best")
            assert gap is None or (gap.unit == unit and f"seat {decision.seat}" in gap.of)


def test_handing_over_a_state_is_refused() -> None:
    with pytest.raises(TypeError, match=r"a Position is needed .* not State"):
        advise(new_game(Rules.for_seats(4), 1), 64)  # type: ignore[arg-type]


def test_a_seat_that_is_not_on_the_move_gets_no_advice() -> None:
    state = new_game(Rules.for_seats(4), 1)
    with pytest.raises(ValueError, match="it is the turn of seat 0"):
        advise(observe(state, 2), 64)
    with pytest.raises(ValueError, match="the game is over"):
        advise(sample("over"), 64)


@pytest.mark.parametrize("wrong", ["points", "", "PROFIT"])
def test_an_unknown_objective_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="unknown objective"):
        advise(sample("auction"), 64, objective=wrong)


def test_same_seed_same_answer_on_any_number_of_workers() -> None:
    answers = [advise(sample("auction"), 512, seed=5, workers=workers).to_dict(timing=False) for workers in (1, 2, 7)]
    assert answers[0] == answers[1] == answers[2]
    assert advise(sample("auction"), 512, seed=6).to_dict(timing=False) != answers[0]


def test_a_then_b_then_a_gives_a() -> None:
    first = advise(sample("auction"), 256).to_dict(timing=False)
    advise(sample("market"), 256)
    assert advise(sample("auction"), 256).to_dict(timing=False) == first


def test_extending_equals_one_longer_run() -> None:
    position = sample("opening")
    longer = advise(position, 1024)
    extended = advise(position, 256).extend(768)
    a, b = longer.to_dict(timing=False), extended.to_dict(timing=False)
    assert a == b


def test_a_saved_advice_is_the_same_and_can_go_on(decision: Position) -> None:
    advice = advise(decision, 256, objective="win")
    text = json.dumps(advice.to_dict(), allow_nan=False)
    loaded = Advice.from_dict(json.loads(text))
    assert json.dumps(loaded.to_dict(), allow_nan=False) == text
    assert loaded.extend(128).to_dict(timing=False) == advice.extend(128).to_dict(timing=False)


@pytest.mark.parametrize(
    "policy",
    [
        learned_policy(4),
        LearnedPolicy("own", seats=4, learned=learned_policy(3).hand_weights),
        *(character_named(name) for name in ("low-lot-waiter", "dealer-hunter")),
    ],
    ids=lambda policy: policy.name,
)
def test_advice_by_any_policy_can_be_saved(policy: CompiledPolicy) -> None:
    advice = advise(sample("market"), 64, policies=policy)
    loaded = Advice.from_dict(json.loads(json.dumps(advice.to_dict())))
    assert loaded.policies == advice.policies and loaded.to_dict() == advice.to_dict()
    assert loaded.extend(64).to_dict(timing=False) == advice.extend(64).to_dict(timing=False)


@pytest.mark.parametrize(
    "broken", [{}, [], {"format": "byzanz-advice", "version": 2}, {"format": "byzanz-advice", "version": 1}]
)
def test_a_broken_saved_advice_is_refused_in_a_sentence(broken: object) -> None:
    with pytest.raises(ValueError, match="advice"):
        Advice.from_dict(broken)  # type: ignore[arg-type]


def test_objectives_come_from_the_same_playouts() -> None:
    advice = advise(sample("market"), 512)
    other = advice.with_objective("win")
    assert other.comparison is advice.comparison
    wins = [row.estimates["win"].mean for row in other.rows]
    assert other.best.estimates["win"].mean == max(
        wins[i] for i, row in enumerate(other.rows) if row.estimates["win"].n == 512
    )


def test_text_html_and_frame_say_the_same(decision: Position) -> None:
    advice = advise(decision, 128)
    frame, text, html = advice.to_frame(), str(advice), advice._repr_html_()
    assert list(frame["action"]) == [str(row.action) for row in advice.rows]
    assert list(frame["profit"]) == [row.estimates["profit"].mean for row in advice.rows]
    assert advice.sentence in text
    assert html.count("<tr") == len(advice.rows) + 1
    for row in advice.rows:
        assert row.label in text
        assert f"{row.estimates['profit'].mean:.2f}" in text


def test_the_sentence_names_the_action_the_gain_and_the_chance() -> None:
    advice = advise(sample("opening"), 512, policies=greedy_policy())
    best = advice.best
    assert advice.sentence.lower().startswith(best.label.lower())
    if isinstance(best.action, Bid):
        assert re.search(r"you win the lot at this bid \d+ %", advice.sentence)


def test_the_only_choice_is_named_as_such() -> None:
    position = Position.at_table(3, seat=0, hand="4xD", lot="2xCl1 Gr1 Ol1 Sp1 Wi1", round=1, unknown={1: 4, 2: 4})
    advice = advise(position, 64)
    assert [str(row.action) for row in advice.rows] == ["pass"]
    assert advice.sentence == "Pass: there is no other choice."


def test_the_budget_ends_a_run_by_worlds_and_by_target() -> None:
    position = sample("auction")
    assert advise(position, Budget(worlds=192), racing=False).comparison.worlds == 192
    done = advise(position, Budget(worlds=100_000, target_se=0.2)).comparison
    assert done.stopped in ("accurate enough", "clear") and done.worlds < 100_000


def test_policies_decide_what_playouts_are_like() -> None:
    position = sample("auction")
    careless = advise(position, 256, policies=RandomPolicy(), racing=False)
    careful = advise(position, 256, racing=False)
    assert careful.rows[0].estimates["profit"].mean > careless.rows[0].estimates["profit"].mean + 3
    with pytest.raises(ValueError, match="4 seats need 4 policies, not 3"):
        advise(position, 64, policies=[greedy_policy()] * 3)


def test_winning_the_lot_is_surer_at_a_higher_bid() -> None:
    rows = advise(sample("opening"), 2000, racing=False).rows[1:]
    chances = [row.lot.mean for row in rows if row.lot is not None]
    assert all(low <= high + 0.08 for low, high in itertools.pairwise(chances))
    assert chances[-1] > chances[0]


def test_passing_never_wins_a_lot_that_somebody_has_bid_for() -> None:
    assert advise(sample("auction"), 256).rows[0].lot.mean == 0  # type: ignore[union-attr]


def test_all_pass_gives_the_lot_to_the_first_passer_and_counts_as_winning_it() -> None:
    position = late(4, 3, "auction", 9)
    assert position.high_bid == 0 and not position.passes
    row = advise(position, 64, policies=RandomPolicy(), racing=False).rows[0]
    assert row.lot is not None and row.lot.mean > 0


def test_halving_spends_a_fixed_number_of_worlds_on_the_contenders() -> None:
    position = sample("auction")
    advice = advise(position, 512, racing="halving")
    seen = sorted(row.estimates["profit"].n for row in advice.rows)
    assert seen[0] < seen[-1] and advice.best.estimates["profit"].n == seen[-1]
    assert advice.to_dict(timing=False) == advise(position, 512, racing="halving", workers=1).to_dict(timing=False)
    with pytest.raises(ValueError, match="give the budget in worlds"):
        advise(position, Budget(seconds=1), racing="halving")
