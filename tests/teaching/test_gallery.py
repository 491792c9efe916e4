"""Lesson 9: what is read off the charts is what they show; and the gallery is complete."""

from __future__ import annotations

from pathlib import Path

import nbformat

from byzanz_lab import charts
from byzanz_lab.advice.beliefs import purse
from byzanz_lab.advice.forecast import forecast
from byzanz_lab.teaching import gallery as lesson
from tests.teaching.verdicts import check_exercise

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "09_gallery.ipynb"


def test_every_chart_hangs_in_the_gallery() -> None:
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    assert [name for name in charts.__all__ if name.startswith("plot_") and f"{name}(" not in code] == []


def test_what_a_rival_can_pay() -> None:
    found, other = (purse(lesson.later(), seat) for seat in (2, 1))
    right = max(total for total in range(30) if found.at_least(total) >= 0.5)
    elsewhere = max(total for total in range(30) if other.at_least(total) >= 0.5)
    wrong = [
        (right + 1, "below a half"),
        (right - 1, "more as well"),
        (elsewhere, "another seat"),
        (1, "Find the line"),
    ]
    check_exercise(lesson.first, right, wrong)


def test_what_a_bar_means() -> None:
    check_exercise(lesson.second, "b", [("a", "a claim too"), ("c", "to the ends"), ("d", "none of")])


def test_a_bid_that_wins() -> None:
    found = forecast(lesson.position())
    right = min(bid for bid in found.bids if found.wins_at(bid).mean >= 0.9)
    wrong = [(found.bids[-1], "wins always"), (right - 1, "less often"), (30, "Follow the line")]
    check_exercise(lesson.third, right, wrong)
