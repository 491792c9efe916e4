"""Tournaments and forecasts: duplicate games, the same numbers for the same seed, chances that come true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from byzanz_lab.companions.empire.actions import Action
from byzanz_lab.companions.empire.calibration import Calibration, calibrate, forecast
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.duplicate import DuplicateTrial, tournament
from byzanz_lab.companions.empire.policies import RandomPolicy, default_policy, greedy_policy
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.policy import Traits
from tests.companions.empire.moments import SMALL


def test_a_policy_against_itself_is_exactly_even() -> None:
    found = tournament([default_policy()], default_policy(), 100)
    assert found.estimate("default").mean == 0 == found.estimate("default").se  # each game, seen from both seats
    assert found.estimate("default", "win").mean == 0.5


@dataclass(frozen=True)
class Plain:
    """The default policy, as if it were written in Python only."""

    name: str = "plain"
    traits: ClassVar[Traits] = Traits()
    source: ClassVar[str] = "a test"

    def choose(self, position: Position, seed: int = 0) -> Action:
        return default_policy().choose(position, seed)


def test_a_game_in_python_against_itself_is_even_too() -> None:
    trial = DuplicateTrial((Plain("twin"), RandomPolicy()), Plain(), SMALL)
    assert not trial.is_compiled
    assert trial(0, [0]).values.tolist() == [[[0, 0.5]]]
    assert (trial(3, [0, 1]).values[1] == trial(3, [1]).values[0]).all()


def test_strength_is_seen() -> None:
    found = tournament([greedy_policy(), default_policy(), RandomPolicy("other")], RandomPolicy(), 400)
    assert found.comparison.ranking()[0] == 1
    assert found.estimate("greedy").interval()[0] > 3
    assert found.estimate("other").mean == 0  # the same luck, so the same choices as its rival from the other seat
    assert found.difference("default", "other").interval()[0] > 3
    assert str(found).startswith("400 games, each from both seats, against random")
    assert found._repr_html_().count("<tr>") == 4


def test_the_same_seed_plays_the_same_tournament_on_any_number_of_workers() -> None:
    one, two = (
        tournament([greedy_policy(), default_policy()], RandomPolicy(), 200, workers=n).comparison for n in (1, 2)
    )
    assert str(one.estimate(0)) == str(two.estimate(0)) and one.now.to_dict() == two.now.to_dict()


def test_contenders_have_names_of_their_own() -> None:
    with pytest.raises(ValueError, match="contenders with different names"):
        tournament([greedy_policy(), greedy_policy()], RandomPolicy())
    with pytest.raises(ValueError, match="there is no contender 'bold'; there are greedy"):
        tournament([greedy_policy()], RandomPolicy(), 10).estimate("bold")


def test_a_forecast_is_of_the_seat_on_the_move() -> None:
    behind = Position.at_table("foes", "raiders", turn=12, legacy=(2, 20))
    found = forecast(behind, 64)
    assert found["win"].mean == 0 and found["lead"].mean < -15
    assert found["win"].of == "win of seat 0" and found["win"].share and found["lead"].unit == "tokens"
    assert forecast(behind, 64) == found
    with pytest.raises(TypeError, match="given a Position"):
        forecast(default_deck())  # type: ignore[arg-type]


def test_forecasts_come_true() -> None:
    found = calibrate(250, 64)
    assert abs(found.bias.mean) < 4 * found.bias.se
    for said, came in found.bins():
        # A forecast from 64 worlds is itself off by some points, which pulls the outer bins to the middle.
        assert abs(said.mean - came.mean) < 4 * came.se + 0.05
    assert sum(came.n for _, came in found.bins()) == 250
    coin = np.mean((found.won - 0.5) ** 2)
    assert found.brier.mean + 3 * found.brier.se < coin  # better than knowing nothing
    assert str(found).count("\n") == 1 + len(found.bins())
    assert found._repr_html_().count("<tr>") == 1 + len(found.bins())


def test_a_forecast_that_is_wrong_would_be_seen() -> None:
    found = Calibration(np.full(100, 0.9), np.repeat([0.0, 1.0], 50), 10)
    assert found.bias.mean == pytest.approx(-0.4)
    ((said, came),) = found.bins()
    assert said.mean == pytest.approx(0.9) and came.interval()[1] < 0.7
    with pytest.raises(ValueError, match="an error bar needs 2 games or more, not 1"):
        calibrate(1)
