"""Lesson 8: its exercises follow from the review of its game."""

from __future__ import annotations

from byzanz_lab.teaching import reviews as lesson
from tests.teaching.verdicts import check_exercise


def test_the_costliest_decision() -> None:
    table = lesson.reviewed().to_frame("decisions")
    own = table[table["seat"] == lesson.COSTLY_SEAT].sort_values("loss", ascending=False)
    right, second = own["number"].iloc[0], own["number"].iloc[1]
    assert own["loss"].iloc[0] - 2 * own["loss_se"].iloc[0] > own["loss"].iloc[1]  # not a matter of chance
    other = table.sort_values("loss")["number"].iloc[-1]
    assert other != right
    fine = own[own["loss"] == 0]["number"].iloc[0]
    wrong = [(other, "decision of seat 2"), (fine, "was fine"), (9999, "nothing to decide"), ("last", "cannot be read")]
    check_exercise(lesson.first, right, wrong)
    assert not lesson.first.check(second).right


def test_a_result_without_luck() -> None:
    found = lesson.reviewed()
    seat = max(range(4), key=lambda seat: abs(found.account(seat).luck.mean))
    assert seat == 1  # the notebook asks about it
    account = found.account(seat)
    right = account.result.mean - account.luck.mean
    wrong = [
        (account.result.mean, "luck included"),
        (account.before.mean, "before the deal"),
        (account.result.mean + account.luck.mean, "twice"),
        (account.luck.mean, "the luck alone"),
        (0, "sum of four parts"),
    ]
    check_exercise(lesson.second, round(right, 1), wrong)


def test_the_luckiest_draw() -> None:
    table = lesson.reviewed().to_frame("draws")
    luck, error = (table[f"luck_{lesson.LUCKY_SEAT}{end}"] for end in ("", "_se"))
    best = luck.idxmax()
    assert luck[best] - 2 * error[best] > luck.drop(best).max()  # not a matter of chance
    right = table["number"][best]
    good = table["number"][luck.drop(best).idxmax()]
    wrong = [(table["number"][luck.idxmin()], "has a minus"), (good, "another was better"), (3, "No cards were drawn")]
    check_exercise(lesson.third, right, wrong)
