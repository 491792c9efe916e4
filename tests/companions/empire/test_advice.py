"""Advice: it knows what the rules know, repeats itself, sees nothing hidden, and says how sure it is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from byzanz_lab.companions.empire.actions import HandOver, Meld, Negotiate, Redraw, Replace
from byzanz_lab.companions.empire.advice import SHOWN, AdviserPolicy, advise
from byzanz_lab.companions.empire.chance import Seeded
from byzanz_lab.companions.empire.contract import check_policy
from byzanz_lab.companions.empire.playouts import play_out
from byzanz_lab.companions.empire.policies import Policy, default_policy, greedy_policy
from byzanz_lab.companions.empire.position import Position, observe
from byzanz_lab.companions.empire.state import State, new_game
from byzanz_lab.companions.empire.table import Phase
from byzanz_lab.companions.empire.trials import ActionsTrial, block_size, outcomes_of
from byzanz_lab.evaluation import Budget
from tests.companions.empire.moments import SMALL, fought, moment

WORLDS = 64


def at_each_decision() -> list[tuple[State, type]]:
    """A moment of each phase, and what is decided in it."""
    return [
        (moment("general duke 2xguard", "huns persians plague 2xraiders", phase=Phase.REDRAW), Redraw),
        (moment("general duke 2xguard church", "huns persians plague 2xraiders"), Meld),
        (fought("general envoy 2xguard", "huns persians raiders", ("icon", "khan emirs")), Negotiate),
        (fought("general envoy guard", "huns raiders", ("icon", "khan emirs")).apply(Negotiate("huns")), Replace),
        (fought("general 2xguard", "huns raiders", ("icon levy", "khan emirs")), HandOver),
    ]


@pytest.mark.parametrize("state, kind", at_each_decision(), ids=lambda x: getattr(x, "__name__", ""))
def test_every_decision_is_advised_on(state: State, kind: type) -> None:
    assert state.to_move is not None
    position = observe(state, state.to_move)
    advice = advise(position, WORLDS)
    assert all(isinstance(action, kind) for action in advice.options)
    assert set(advice.option_of) | set(advice.left_out) == set(position.legal_actions())
    for row in advice.rows():
        for outcome, unit in (("lead", "tokens"), ("win", "share")):
            assert row[outcome].unit == unit and row[outcome].of == f"{outcome} of seat {position.seat}"
            assert row[outcome].n >= 1 and row[outcome].se >= 0
        assert row["to the best"].mean <= 0
    data = advice.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["options"][0]["action"] == str(advice.best) and data["seat"] == position.seat
    lines = 2 + min(len(advice.options), SHOWN) + (advice.equilibrium is not None)
    assert len(str(advice).splitlines()) == lines
    assert advice._repr_html_().count("<tr>") == 1 + min(len(advice.options), SHOWN)


@pytest.mark.parametrize("state, kind", at_each_decision(), ids=lambda x: getattr(x, "__name__", ""))
def test_hidden_cards_do_not_change_a_bit_of_it(state: State, kind: type) -> None:
    """The rival's unknown cards are exchanged for others of the deck, and the luck to come for another."""
    seat = state.to_move
    assert seat is not None
    rival, number = 1 - seat, state.table.side_of(1 - seat).number
    fixed, free = len(state.table.known[rival]), list(state.piles[number])
    hand = state.hands[rival]
    assert not fixed
    swapped, pile = sorted(free[: len(hand)]), sorted([*free[len(hand) :], *hand])
    hands = [swapped if s == rival else state.hands[s] for s in (0, 1)]
    piles = [pile if s == number else state.piles[s] for s in (0, 1)]
    other = replace(state, hands=tuple(map(tuple, hands)), piles=tuple(map(tuple, piles)), chance=Seeded(77))  # type: ignore[arg-type]
    assert other != state or not hand
    one, two = (json.dumps(advise(observe(s, seat), WORLDS).to_dict()) for s in (state, other))
    assert one == two


def test_the_same_seed_gives_the_same_advice_on_any_number_of_workers() -> None:
    position = observe(moment("general duke 2xguard", "huns persians plague 2xraiders", phase=Phase.REDRAW), 1)
    one, two = (advise(position, 256, workers=n).to_dict() for n in (1, 2))
    assert one == two
    assert advise(position, 256, seed=2).to_dict() != one


def test_differences_are_paired() -> None:
    state = moment("general duke 2xguard", "huns persians plague 2xraiders", phase=Phase.REDRAW)
    position = observe(state, 1)
    advice = advise(position, 512, racing=False)
    first, second = advice.ranking()[:2]
    results = play_out(position, [first, second], advice.result.worlds)
    leads = outcomes_of(results, 1)[..., 0]
    apart = leads[:, 0] - leads[:, 1]
    found = advice.difference(first, second)
    assert found.mean == pytest.approx(apart.mean())
    assert found.se == pytest.approx(apart.std(ddof=1) / np.sqrt(len(apart)))
    assert found.of == f"lead of seat 1, {first} over {second}"
    assert advice.difference(first, first).exact


def test_outcomes_are_of_the_seat_that_asks() -> None:
    results = np.array([[12, 9, 5, 12], [8, 8, 5, 12], [3, 9, 0, 7]], np.int32)
    assert outcomes_of(results, 0).tolist() == [[3, 1], [0, 0.5], [-6, 0]]
    assert outcomes_of(results, 1).tolist() == [[-3, 0], [0, 0.5], [6, 1]]


def test_a_trial_keeps_its_promises() -> None:
    position = observe(moment("general duke", "huns persians plague", phase=Phase.REDRAW), 1)
    actions = position.legal_actions()
    trial = ActionsTrial(position, actions, (default_policy(), greedy_policy()), 3, 8)
    all_of_them = trial(2, range(len(actions))).values
    assert (trial(2, [1, 3]).values == all_of_them[[1, 3]]).all()
    assert block_size(1) == 256 and block_size(256) == 16 and block_size(64) == 64


def test_cards_that_differ_by_name_only_are_compared_once() -> None:
    position = observe(moment("general duke treasury levy", "huns plague", phase=Phase.REDRAW, to_move=0), 0)
    alike = observe(moment("levy 2xguard", "raiders horsemen coup emirs", phase=Phase.REDRAW), 1)
    advice = advise(alike, 16)
    assert len(advice.options) == len(alike.legal_actions())  # no two of these are alike
    deck_twin = advise(position, 16)
    assert deck_twin.option_of[Redraw("levy")] != deck_twin.option_of[Redraw("treasury")]
    shipped = Position.at_table("foes", "raiders corsairs horse-archers", phase="redraw")
    found = advise(shipped, 16)
    assert len(found.options) == 4 < len(shipped.legal_actions()) == 8
    assert found.option_of[Redraw("raiders")] == found.option_of[Redraw("corsairs")]
    assert str(found.estimate(Redraw("raiders"))) == str(found.estimate(Redraw("corsairs")))


def test_in_the_last_turn_the_winning_meld_is_found() -> None:
    position = Position.at_table(
        "byzantine", "general church 2xguard levy", deck=SMALL, turn=12, rival_size=0, legacy=(10, 12)
    )
    advice = advise(position, 32)
    assert isinstance(advice.best, Meld) and "church" in advice.best.cards and SMALL.force(advice.best.cards) > 0
    assert advice.estimate(advice.best).mean == 2 and advice.estimate(advice.best, "win").mean == 1
    assert advice.equilibrium is not None and advice.equilibrium.mixture == {advice.best: 1.0}
    assert advice.equilibrium.value.mean == pytest.approx(2) and advice.equilibrium.value.exact


def test_what_was_left_out_says_why() -> None:
    position = Position.at_table("foes", "huns emirs 2xraiders", deck=SMALL, turn=12)
    advice = advise(position, 32)
    assert Meld() in advice.left_out
    with pytest.raises(ValueError, match=r"meld nothing was left out, because meld .* is nowhere worse"):
        advice.estimate(Meld())
    with pytest.raises(ValueError, match="redraw huns was not compared"):
        advice.estimate(Redraw("huns"))


def test_another_objective_decides_by_the_chance_to_win() -> None:
    position = Position.at_table(
        "byzantine", "church icon general levy", deck=SMALL, turn=12, territory=3, legacy=(10, 13)
    )
    advice = advise(position, 200, objective="win")
    assert advice.result.leading == "win" and advice.heads[1] == "win"
    assert advice.equilibrium is not None and advice.equilibrium.secures.unit == "share"
    best = advice.estimate(advice.best, "win").mean
    assert all(advice.estimate(action, "win").mean <= best for action in advice.options)
    with pytest.raises(ValueError, match="there is no objective 'fame'; there is lead, win"):
        advise(position, 10, objective="fame")


def test_advice_can_be_extended() -> None:
    position = observe(moment("general duke", "huns persians plague", phase=Phase.REDRAW), 1)
    one = advise(position, 256, racing=False).extended(256)
    whole = advise(position, 512, racing=False)
    assert one.to_dict() == whole.to_dict()


def test_a_state_and_another_seat_are_refused() -> None:
    state = new_game(seed=1, emperor=0)
    with pytest.raises(TypeError, match="given a Position, not State"):
        advise(state, 10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nothing to advise seat 0 on: it is the turn of seat 1"):
        advise(observe(state, 0), 10)
    over = Position.at_table("foes", "huns", deck=SMALL, turn=12, phase="over", known="", rival_size=0)
    with pytest.raises(ValueError, match="the game is over"):
        advise(over, 10)


def test_seconds_are_shared_with_the_meld_game() -> None:
    position = Position.at_table("foes", "huns emirs 2xraiders", deck=SMALL, turn=12)
    advice = advise(position, Budget(seconds=0.05))
    assert advice.equilibrium is not None and advice.result.worlds > 0


@pytest.mark.parametrize("options", [{}, {"mixes": True}], ids=["best", "mixes"])
def test_the_adviser_keeps_the_contract_of_policies(options: dict[str, Any]) -> None:
    policy = AdviserPolicy(playouts=4, **options)
    assert isinstance(policy, Policy) and policy.source
    assert check_policy(policy, 2, SMALL, default_policy()).result is not None
