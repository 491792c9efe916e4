"""The exercises and the figure of the notebook, and the names that can be had from the package."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import numpy as np
import pytest

from byzanz_lab.charts import describe
from byzanz_lab.companions import empire
from byzanz_lab.companions.empire import exercises
from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.advice import advise
from byzanz_lab.companions.empire.charts import MOST, plot_equilibrium
from byzanz_lab.companions.empire.mixed_strategy import Equilibrium, equilibrium


def test_the_strongest_raid_is_what_the_rules_allow() -> None:
    raid = exercises.raid()
    forces = [raid.table.deck.force(meld.cards) for meld in raid.legal_actions() if isinstance(meld, Meld)]
    assert exercises.first.check(max(forces)).right
    everything = exercises.first.check(raid.table.deck.force(raid.hand))
    assert not everything.right and "do not go together" in everything.message
    assert "both types together" in exercises.first.check(max(forces) + 1).message
    assert "type by type" in exercises.first.check(2).message


def test_the_builder_makes_the_foes_indifferent() -> None:
    game = exercises.BUILD.to_numpy()
    p = exercises.build_chance()
    assert p * game[0, 0] + (1 - p) * game[1, 0] == pytest.approx(p * game[0, 1] + (1 - p) * game[1, 1])
    assert exercises.second.check(round(p, 2)).right
    assert "how often he fights" in exercises.second.check(1 - p).message
    assert "always does so" in exercises.second.check(1).message
    assert "how often the Foes hold back" in exercises.second.check(0.4).message
    assert "two are equal" in exercises.second.check(0.5).message


def test_a_mixture_that_is_hard_to_see_through_is_found_and_others_get_a_hint() -> None:
    tried = np.linspace(0, 1, 41)
    lost = [exercises.loses(float(p)) for p in tried]
    best = float(tried[int(np.argmin(lost))])
    assert min(lost) < exercises.CLOSE and 0.5 < best < 1
    assert exercises.third.check(best).right
    assert "you fight so often" in exercises.third.check(0.3).message
    assert "you give up so often" in exercises.third.check(1).message
    assert "A chance lies from 0 to 1" in exercises.third.check(1.2).message
    assert "cannot be read" in exercises.third.check("often").message


@pytest.fixture(scope="module")
def game() -> Equilibrium:
    return equilibrium(exercises.lesson())


def test_the_lesson_is_about_something_to_be_gained_by_mixing(game: Equilibrium) -> None:
    assert len(game.mixture) > 2
    assert all(lost.interval()[0] > 0.03 for lost in game.exploited.values()), "each single meld loses something"
    usual = advise(exercises.lesson(), 1000).best
    assert isinstance(usual, Meld) and game.exploited[usual].interval()[0] > 0.2, "what is best on average loses most"


def test_no_answer_is_no_mistake() -> None:
    for exercise in (exercises.first, exercises.second, exercises.third):
        assert exercise.check(None).message.startswith("Not answered yet.")


def test_the_figure_shows_chances_and_losses_and_says_them(game: Equilibrium) -> None:
    figure = plot_equilibrium(game)
    bars, marks = figure.data
    assert len(bars.x) == len(marks.x) == min(len(game.candidates), MOST)
    assert max(bars.x) == pytest.approx(100 * max(game.mixture.values()))
    assert all(half > 0 for half in marks.error_x.array)
    assert "The mixed strategy secures" in describe(figure) and "Envoys" in describe(figure)


def test_public_names_are_those_of_their_modules() -> None:
    for name in empire.__all__:
        value = getattr(empire, name)
        assert value is getattr(importlib.import_module(empire._HOME[name]), name)
    assert set(empire.__all__) <= set(dir(empire))
    with pytest.raises(AttributeError, match="has no attribute 'Castle'"):
        _ = empire.Castle
    tree = ast.parse(Path(str(empire.__file__)).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen == empire._HOME
