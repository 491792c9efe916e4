"""The exercises and the figure of the notebook, and the names that can be had from the package."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from byzanz_lab.charts import describe
from byzanz_lab.companions import empire
from byzanz_lab.companions.empire import exercises
from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.charts import MOST, plot_equilibrium


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


def test_a_meld_that_is_hard_to_exploit_is_found_and_others_get_a_hint() -> None:
    game = exercises.solved()
    best = game.candidates[0]
    assert exercises.third.check(best).right
    assert exercises.third.check(str(best).removeprefix("meld ").upper()).right
    worst = exercises.third.check(game.candidates[-1])
    assert not worst.right and "take" in worst.message and str(best) not in worst.message
    assert "nowhere worse" in exercises.third.check("dromons").message
    assert "no legal meld" in exercises.third.check("dromons dromons").message
    assert "cannot be read" in exercises.third.check("?").message


def test_the_lesson_is_about_something_to_be_gained_by_mixing() -> None:
    game = exercises.solved()
    assert len(game.mixture) > 2
    usual = max(game.mixture, key=lambda meld: game.mixture[meld])
    assert game.exploited[usual].interval()[0] > 0.2, "the meld played most often loses when it is played alone"


def test_no_answer_is_no_mistake() -> None:
    for exercise in (exercises.first, exercises.second, exercises.third):
        assert exercise.check(None).message.startswith("Not answered yet.")


def test_the_figure_shows_chances_and_losses_and_says_them() -> None:
    game = exercises.solved()
    figure = plot_equilibrium(game)
    bars, marks = figure.data
    assert len(bars.x) == len(marks.x) == min(len(game.candidates), MOST)
    assert max(bars.x) == pytest.approx(100 * max(game.mixture.values()))
    assert all(half > 0 for half in marks.error_x.array)
    assert "The mixed strategy secures" in describe(figure) and "Hagia Sophia" in describe(figure)


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
