"""The environment passes PettingZoo's own tests, hides what is hidden, and plays by the rules."""

from __future__ import annotations

import random
import sys
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test

from byzanz_lab.game.actions import Sell
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.game.table import IllegalAction
from byzanz_lab.interop import pettingzoo as byzanz
from byzanz_lab.interop.choices import CHOICE, CHOICES, WAIT
from tests.game.position_games import deal_again, states

MASKED = (  # said of every environment outside PettingZoo's own list whose observations carry an action mask
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
)


def play(env: Any, rng: random.Random, cycles: int = 6000) -> list[float]:
    """Make random masked choices until the game is over; the rewards that the agents were given."""
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(cycles):
        seen, reward, termination, truncation, _ = env.last()
        rewards[agent] += reward
        choices = seen["action_mask"].nonzero()[0].tolist()
        env.step(None if termination or truncation else rng.choice(choices))
    assert not env.agents
    return list(rewards.values())


@pytest.mark.parametrize("turns", ["due", "all"])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.filterwarnings(*MASKED)
def test_api_test(seats: int, turns: str) -> None:
    api_test(byzanz.env(seats, turns=turns), num_cycles=800)


def test_seed_test() -> None:
    seed_test(byzanz.env, num_cycles=100)
    seed_test(partial(byzanz.env, seats=5, turns="all"), num_cycles=50)


def test_max_cycles_test() -> None:
    """It chooses without a look at the mask, and counts on every agent's turn coming in every cycle."""
    lenient = SimpleNamespace(
        env=partial(byzanz.env, turns="all", illegal="ignore"),
        parallel_env=partial(byzanz.parallel_env, illegal="ignore"),
    )
    max_cycles_test(lenient)


def test_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(byzanz.env)
    assert "you are seat" in capsys.readouterr().out


@pytest.mark.filterwarnings(*MASKED)
def test_parallel_api_test() -> None:
    parallel_api_test(byzanz.parallel_env(3), num_cycles=400)


@pytest.mark.parametrize("turns", ["due", "all"])
def test_a_game_of_random_choices_is_a_game_by_the_rules_and_pays_at_its_end(turns: str) -> None:
    env = byzanz.env(5, turns=turns, reward="profit", hand_limit=8)
    env.reset(seed=3, options={"start_player": 2})
    rewards = play(env, random.Random(turns))
    state = env.unwrapped._state
    assert state.is_over
    assert rewards == list(map(float, state.result().profits))
    assert state.rules == Rules.for_seats(5, hand_limit=8)


def test_the_reward_can_be_the_share_of_the_win_and_comes_once() -> None:
    env = byzanz.env(3, reward="win")
    env.reset(seed=1)
    assert sum(play(env, random.Random(0))) == pytest.approx(1)


@pytest.mark.parametrize("turns", ["due", "all"])
def test_hidden_is_hidden_cards_that_an_agent_cannot_know_change_neither_sight_nor_mask(turns: str) -> None:
    rng = random.Random(8)
    for number, state in enumerate(states()[:: 97 if turns == "due" else 197]):
        env = byzanz.raw_env(state.rules.seats, turns=turns, **state.rules.variant)
        seat = number % state.rules.seats
        seen = []
        for truth in (state, deal_again(state, seat, rng)):
            env.begin(truth)
            seen.append(env.observe(f"seat_{seat}"))
        for part in ("observation", "action_mask"):
            assert np.array_equal(seen[0][part], seen[1][part])


def test_what_a_rival_has_chosen_of_an_unfinished_bid_is_nobody_elses_business() -> None:
    env = byzanz.raw_env(4)
    env.begin(new_game(Rules.for_seats(4), 7))
    own, before = env.observe("seat_0"), env.observe("seat_1")
    card = env.choices(0)[0]
    env.step(card)
    assert env.agent_selection == "seat_0"
    assert np.array_equal(env.observe("seat_1")["observation"], before["observation"])
    assert not np.array_equal(env.observe("seat_0")["observation"], own["observation"])


def test_sell_any_time_out_of_turn_when_all_are_asked() -> None:
    state = next(
        state
        for state in states()
        for seat in range(state.rules.seats)
        if seat != state.to_move and any(isinstance(action, Sell) for action in state.legal_actions(seat))
    )
    env = byzanz.raw_env(state.rules.seats, turns="all", **state.rules.variant)
    env.begin(state)
    sellers = [
        seat for seat in range(state.rules.seats) if seat != state.to_move and CHOICE["sell"] in env.choices(seat)
    ]
    assert sellers
    assert all(WAIT in env.choices(seat) for seat in sellers)
    assert state.to_move is not None
    assert WAIT not in env.choices(state.to_move)
    before = state.scores[sellers[0]]
    for _ in range(5):
        for seat in range(state.rules.seats):
            choices = env.choices(seat)
            env.step(choices[-2] if seat == sellers[0] and len(choices) > 1 else choices[-1])
    assert env._state.scores[sellers[0]] > before


def test_whoever_has_nothing_to_decide_may_only_wait() -> None:
    env = byzanz.env(4)
    env.reset(seed=2)
    assert env.observe("seat_3")["action_mask"].nonzero()[0].tolist() == [WAIT]
    assert WAIT not in env.observe("seat_0")["action_mask"].nonzero()[0].tolist()


def test_a_choice_that_the_mask_excludes_is_refused_with_those_that_it_offers() -> None:
    env = byzanz.env(3)
    env.reset(seed=7)
    with pytest.raises(IllegalAction, match=r"seat 0 cannot choose 'done' now, only: .*pass"):
        env.step(CHOICE["done"])


def test_what_cannot_be_played_is_refused_in_a_sentence() -> None:
    for options, message in (
        ({"seats": 7}, "3 to 6 seats"),
        ({"reward": "gold"}, "unknown reward 'gold'"),
        ({"turns": "some"}, "turns must be due or all"),
        ({"max_cycles": 0}, "max_cycles must be"),
        ({"render_mode": "rgb_array"}, "render_mode must be ansi or human"),
        ({"house_rules": True}, "unknown variant 'house_rules'"),
    ):
        with pytest.raises(ValueError, match=message):
            byzanz.env(**options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='turns must be "all"'):
        byzanz.parallel_env(turns="due")
    with pytest.raises(ValueError, match="without a render_mode"):
        byzanz.raw_env().render()


def test_without_pettingzoo_it_is_said_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "byzanz_lab.interop.pettingzoo")
    monkeypatch.setitem(sys.modules, "gymnasium.spaces", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'byzanz-lab\[rl\]'"):
        __import__("byzanz_lab.interop.pettingzoo")


def test_choices_are_the_same_for_all_agents() -> None:
    env = byzanz.env(6)
    assert {env.action_space(agent).n for agent in env.possible_agents} == {len(CHOICES)}
