"""Counts of the lines of play from fixed moments of fixed games, by both implementations of the rules.

Each file in ``perft/`` holds a record up to some moment, and how many ways there are to go on for 1, 2, 3 and 4
actions, any seat acting in turn or out of turn.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from tests.game.perft_lines import lines, naive_lines
from tests.reference.naive import Naive

FILES = sorted((Path(__file__).parent / "perft").glob("*.json"))


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_files_cover_every_table_size_and_phase() -> None:
    states = [Record.from_dict(load(path)["record"]).replay() for path in FILES]
    assert {state.rules.seats for state in states if not any(state.table.offers)} == {3, 4, 5, 6}
    assert {state.phase for state in states} == set(Phase) - {Phase.OVER}
    assert {name for state in states for name in state.rules.variant} == set(Rules.variant_names())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_lines_of_the_rules(path: Path) -> None:
    data = load(path)
    state = Record.from_dict(data["record"]).replay()
    assert [lines(state, depth) for depth in (1, 2, 3, 4)] == data["lines"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_lines_of_the_naive_rules(path: Path) -> None:
    data = load(path)
    naive = Naive(data["record"])
    for entry in data["record"]["actions"]:
        naive.play_dict(entry)
    assert [naive_lines(naive, depth) for depth in (1, 2, 3, 4)] == data["lines"]
