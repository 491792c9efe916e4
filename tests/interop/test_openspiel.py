"""The game passes OpenSpiel's own tests, and its search for imperfect information plays it."""

from __future__ import annotations

import random
import sys
import unittest
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheels for this platform or Python")

from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python.algorithms.ismcts import ISMCTSBot  # noqa: E402
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.tests import games_sim_test  # noqa: E402

from byzanz_lab.game.rules import Rules  # noqa: E402
from byzanz_lab.interop.choices import CHOICES  # noqa: E402
from byzanz_lab.interop.evaluator import PlayoutEvaluator  # noqa: E402
from byzanz_lab.interop.observation import observation_table  # noqa: E402
from byzanz_lab.interop.openspiel import load  # noqa: E402

GAMES = [(3, {}), (4, {"may_decline_market": True}), (5, {"last_card_to_hand": True}), (6, {"hand_limit": 8})]


def some_states(game: Any, seed: int, every: int = 9) -> list[Any]:
    """Decisions of a game of random choices."""
    rng = random.Random(seed)
    state, found = game.new_initial_state(), []
    while not state.is_terminal():
        if state.is_chance_node():
            kinds, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(kinds, chances)[0])
            continue
        if rng.randrange(every) == 0:
            found.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return found


@pytest.mark.parametrize(("seats", "variants"), GAMES)
def test_random_sim_test(seats: int, variants: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(seats, **variants), num_sims=1, serialize=True, verbose=False)


def test_games_sim_test() -> None:
    games_sim_test.GamesSimTest().sim_game(load(3, reward="win"))


def test_api_test() -> None:
    class ApiOfByzanz(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
        game, game_name = load(4), "python_byzanz"

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(ApiOfByzanz).run(result)
    assert result.testsRun >= 5
    assert result.failures == result.errors == result.skipped == []


@pytest.mark.parametrize(("seats", "variants"), GAMES[:2])
def test_a_resampled_state_looks_the_same_to_the_seat_and_has_a_history_that_leads_to_it(
    seats: int, variants: dict[str, Any]
) -> None:
    game = load(seats, **variants)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for number, state in enumerate(some_states(game, 1, every=25)):
        player = number % seats
        other = state.resample_from_infostate(player, sampler)
        for look in (
            "information_state_string",
            "information_state_tensor",
            "observation_string",
            "observation_tensor",
        ):
            assert getattr(other, look)(player) == getattr(state, look)(player)
        if player == state.current_player():
            assert other.legal_actions() == state.legal_actions()
        again = game.new_initial_state()
        for item in other.full_history():
            assert item.player == again.current_player()
            again.apply_action(item.action)
        assert str(again) == str(other)


def test_two_decisions_with_one_information_state_have_the_same_past_for_the_seat() -> None:
    """Perfect recall: the information state tells apart whatever the seat could tell apart before."""
    game = load(3)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state = max(some_states(game, 2, every=3), key=lambda state: state.move_number())
    player = state.current_player()
    pasts = []
    for truth in (state, state.resample_from_infostate(player, sampler)):
        walked, past = game.new_initial_state(), []
        for item in truth.full_history():
            if item.player == player:
                past.append((walked.information_state_string(player), walked.information_state_tensor(player)))
            walked.apply_action(item.action)
        pasts.append(past)
    assert pasts[0] == pasts[1]
    assert len({text for text, _ in pasts[0]}) == len(pasts[0]) == len({tuple(row) for _, row in pasts[0]})


def test_an_observation_is_the_row_of_the_index_table_and_its_parts_keep_apart_what_is_private() -> None:
    game = load(4)
    state = some_states(game, 3)[5]
    assert len(state.observation_tensor(0)) == len(observation_table(Rules.for_seats(4)))
    parts = {}
    for name, public, private in (("public", True, "NONE"), ("private", False, "SINGLE_PLAYER")):
        kind = pyspiel.IIGObservationType(
            public_info=public, perfect_recall=False, private_info=getattr(pyspiel.PrivateInfoType, private)
        )
        parts[name] = make_observation(game, kind)
    other = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    rows = []
    for truth in (state, other):
        parts["public"].set_from(truth, 1)
        rows.append(parts["public"].tensor.copy())
    assert np.array_equal(*rows)
    assert parts["public"].string_from(state, 1) == parts["public"].string_from(other, 1)
    parts["private"].set_from(state, 0)
    assert len(parts["private"].tensor) + len(parts["public"].tensor) == len(state.observation_tensor(0))
    assert parts["private"].string_from(state, 0).startswith("hand ")


@pytest.mark.parametrize("wise", [False, True])
def test_its_search_for_imperfect_information_plays(wise: bool) -> None:
    game = load(3, reward="win")
    random_state = np.random.RandomState(1)
    evaluator = PlayoutEvaluator("win") if wise else RandomRolloutEvaluator(1, random_state)
    for by_observation in (False, True):
        bot = ISMCTSBot(game, evaluator, 1.0, 8, random_state=random_state, use_observation_string=by_observation)
        for state in some_states(game, 4, every=60 if wise else 90)[-4:]:
            assert bot.step(state) in state.legal_actions()


def test_the_search_prefers_a_point_to_none() -> None:
    """At a closing sale with a set in hand: it begins to sell, and does not stop."""
    game = load(3)
    bot = ISMCTSBot(game, PlayoutEvaluator(), 5.0, 60, random_state=np.random.RandomState(1))
    for seed in range(5, 40):
        for state in some_states(game, seed, every=1):
            names = [CHOICES[choice] for choice in state.legal_actions()]
            if names == ["done", "sell"]:
                assert CHOICES[bot.step(state)] == "sell"
                return
    pytest.fail("no closing sale with a choice was found")


def test_variants_and_rewards_are_parameters_and_bad_ones_are_refused() -> None:
    game = pyspiel.load_game("python_byzanz(players=5,hand_limit=8,reward=margin)")
    assert game.rules == Rules.for_seats(5, hand_limit=8)
    assert game.min_utility() == -game.max_utility()
    for options, message in (
        ({"players": 7}, "3 to 6 seats"),
        ({"hand_limit": 9}, "hand_limit must be 7 or 8"),
        ({"reward": "gold"}, "unknown reward 'gold'"),
    ):
        with pytest.raises(ValueError, match=message):
            pyspiel.load_game("python_byzanz", options)


def test_without_openspiel_it_is_said_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "byzanz_lab.interop.openspiel")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'byzanz-lab\[openspiel\]'"):
        __import__("byzanz_lab.interop.openspiel")
