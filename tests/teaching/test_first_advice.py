"""Lesson 1: answers follow from the advice that its notebook shows."""

from __future__ import annotations

import pytest

from byzanz_lab import Bid, Cards, Pass, Position, advise
from byzanz_lab.game.actions import Action
from byzanz_lab.teaching import first_advice as lesson
from tests.teaching.verdicts import check_exercise


def test_choices_that_could_be_the_best() -> None:
    advice = advise(lesson.position(), 1000, seed=1)
    verdicts = [row.verdicts["profit"] for row in advice.rows]
    n = len(verdicts) - verdicts.count("worse")
    assert 1 < n < len(verdicts) - n  # else the slips could not be told apart
    wrong = [(n - 1, "count it too"), (len(verdicts), "all choices"), (len(verdicts) - n, "surely worse")]
    check_exercise(lesson.first, n, [*wrong, (0.5, "verdict")])


def test_half_the_error_costs_four_times_the_worlds() -> None:
    few, many = (advise(lesson.position(), n, racing=False).rows[0].estimates["profit"] for n in (1024, 4096))
    assert few.se / many.se == pytest.approx(2, rel=0.1)
    wrong = [(2000, "square root of two"), (3000, "in all"), (250, "larger"), (16000, "a quarter"), (5000, "shrinks")]
    check_exercise(lesson.second, 4000, wrong)


def test_another_hand() -> None:
    here = lesson.position()
    other = Position.at_table(4, hand=lesson.OTHER_HAND, lot=here.lot, bids={2: "Ol1", 3: "Wo2"})
    rows = advise(other, 1000, seed=1).rows
    good = [row.action for row in rows if row.verdicts["profit"] != "worse"]
    assert good and all(lesson.third.check(action).right for action in good)
    bad = [row for row in rows if row.verdicts["profit"] == "worse"]
    messages = [lesson.third.check(row.label).message for row in bad]
    assert len(bad) > 3 and all("points from the best" in message for message in messages)
    assert not [message for message in messages for row in rows if row.action in good and row.label in message]


def test_what_is_no_action_there_is_said() -> None:
    for answer, words in [
        ("bid Wo2", "The rules do not allow it"),
        ("bid Ol1", "The rules do not allow it"),
        ("bid Sp1 Gr3 Ol4 Sp4", "points from the best"),
        ("bid Sp1 Gr3", "another way to pay"),
        ("hello", "cannot be read as an answer"),
        (Cards("Sp1"), "not what to hold"),
        (3, "cannot be read as an answer"),
    ]:
        verdict = lesson.third.check(answer)
        assert not verdict.right and words in verdict.message


@pytest.mark.parametrize(
    ("text", "action"),
    [("pass", Pass()), (" bid Sp1 Wo2 ", Bid("Sp1 Wo2")), ("bid 3 with Sp1 Wo2", Bid("Sp1 Wo2")), (Pass(), Pass())],
)
def test_actions_are_read_in_every_form(text: object, action: Action) -> None:
    assert lesson.read_action(text) == action
