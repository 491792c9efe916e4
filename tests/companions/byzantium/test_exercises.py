"""The notebook's exercises: what is right follows from the rules, the adviser and the solver."""

from __future__ import annotations

import pytest

from byzanz_lab.companions.byzantium import exercises
from byzanz_lab.companions.byzantium.advice import advise
from byzanz_lab.companions.byzantium.policies import greedy_policy
from byzanz_lab.companions.byzantium.position_text import parse_position
from byzanz_lab.companions.byzantium.solver import solve
from byzanz_lab.exercises import Exercise
from tests.companions.byzantium.naive import CELLS, Board
from tests.teaching.verdicts import check_exercise


def test_every_slot_of_a_card() -> None:
    board = Board(*CELLS["wide"])
    board.cards = dict(exercises.tableau().filled)
    every = [path for path in exercises.tableau().geometry.slots if board.allows(exercises.CARD, path)]
    wrong = [
        (every[1:], "There is one more slot"),
        (every[2:], "There are 2 more slots"),
        ("NEE", "does not fit at NEE: tree N is rising"),
        ("EN", "would overlap the black 9"),
        ("Q", "unknown slot 'Q'"),
        (3, "cannot be read as an answer"),
    ]
    check_exercise(exercises.first, " ".join(every), wrong)
    assert exercises.first.check([*every, every[0]]).right, "saying it twice does no harm"


def test_better_than_greed() -> None:
    position = exercises.better()
    exact = advise(position, 20_000, racing=False)
    gaps = {action.slot: exact.difference(exact.best, action).mean for action in exact.option_of}  # type: ignore[union-attr]
    assert all(abs(gap - exercises.CLOSE) > 0.03 for gap in gaps.values()), "far from the border, so that luck is none"
    for slot, gap in gaps.items():
        assert exercises.second.check(slot).right == (gap < exercises.CLOSE), slot
    greed = greedy_policy().choose(position)
    wrong = [
        (greed.slot, "That is what greed does"),  # type: ignore[union-attr]
        ("SS", "cards more, on average"),
        ("NW NN", "Name one slot"),
        ("E", "the red 10 lies there"),
    ]
    check_exercise(exercises.second, exact.best.slot, wrong)  # type: ignore[union-attr]


def test_the_hint_about_greed_is_true() -> None:
    position = exercises.better()
    after = position.tableau.place("B8", "NW")
    assert "overlap" in after.why_closed("WN") and "WN" in position.tableau.slots_for("RQ")
    assert "RQ" in position.unseen


def test_the_last_six_cards() -> None:
    state = exercises.ending()
    assert len(state.tableau) == 18 and not state.table.aside
    line = [action.slot for action in solve(state).actions]  # type: ignore[union-attr]
    lost = next(a for a in state.legal_actions() if solve(state.apply(a)).placed < 24)
    wrong = [
        (line[:2], "So far so good: 4 cards to go."),
        ([*line, "N"], "more slots than cards"),
        (lost.slot, "no more than"),  # type: ignore[union-attr]
        ("N", "lies there"),
    ]
    check_exercise(exercises.third, " ".join(line), wrong)


def test_the_notebooks_example_of_greed_is_as_it_is_told() -> None:
    position = parse_position("players 1; tableau N=BJ E=R7 S=B2 W=R4 NN=B9 SE=B7 WW=R10 WWN=RK; hand R8")
    advice = advise(position, 1000)
    greed = greedy_policy().choose(position)
    assert str(greed) == "place R8 EE" and advice.best.slot[0] == "W"  # type: ignore[union-attr]
    after = {slot: position.tableau.place("R8", slot) for slot in ("EE", advice.best.slot)}  # type: ignore[union-attr]
    assert [c for c in position.unseen if not after["EE"].slots_for(c)] == ["R2", "R3"]
    ways = {slot: sum(len(t.slots_for(c)) for c in position.unseen) for slot, t in after.items()}
    assert ways["EE"] == max(ways.values())
    gap = advice.difference(advice.best, greed)
    assert gap.mean > 3 * gap.se
    assert advice.estimate(greed, "all 24").mean == 0


@pytest.mark.parametrize("exercise", [exercises.first, exercises.second, exercises.third])
def test_no_answer_is_no_mistake(exercise: Exercise) -> None:
    assert "Not answered yet." in exercise.check(None)._repr_html_()
