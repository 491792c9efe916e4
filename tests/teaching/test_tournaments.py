"""Lesson 7: its tournament is the toolkit's, and its exercises judge by intervals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.simulation.policies import ValuePolicy, default_policy, greedy_policy
from byzanz_lab.teaching import tournaments as lesson
from tests.teaching.verdicts import check_exercise


def test_a_higher_mean_is_not_yet_a_stronger_player() -> None:
    found = Tournament(lesson.cast(), games=1900, seed=1).run()
    gap = found.difference(*lesson.PAIR)
    low, high = gap.interval()
    assert low < 0 < high and found.row("set-collector").wins.mean > found.row("cautious").wins.mean
    wrong = [("yes", "95 % interval"), ("perhaps", "is none of")]
    check_exercise(lesson.first, "cannot tell", wrong)
    assert not lesson.first.check("no").right


def test_more_deals_would_tell() -> None:
    found = Tournament(lesson.cast(), games=7600, seed=1).run()
    assert found.difference(*lesson.PAIR).interval()[0] > 0  # the notebook says so


def test_the_deal_is_the_unit() -> None:
    share = lesson.standings().row("default").wins
    assert share.n == lesson.standings().deals == 32
    right = share.n * (share.half_width() / 0.01) ** 2
    wrong = [
        (share.n * share.half_width() / 0.01, "square root"),
        (1280 * (share.half_width() / 0.01) ** 2, "Games of the same deal"),
        (share.n * (share.se / 0.01) ** 2, "not one standard error"),
        (5, "its square"),
    ]
    check_exercise(lesson.second, right, wrong)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"pair": 0.68}, "Try another number"),
        ({"dealer": 1.45}, "Try another number"),
        ({"patience": 0.8}, "a little further"),
        ({}, "greed itself"),
        ({"pair": 0.5, "patience": 1}, "2 numbers: pair, patience"),
    ],
)
def test_wrong_strategies_get_a_hint(numbers: dict[str, float], words: str) -> None:
    verdict = lesson.third.check(replace(greedy_policy(), **numbers))
    assert not verdict.right and words in verdict.message
    assert "patience" not in verdict.message or "patience" in numbers


def test_one_number_is_enough_to_beat_greed() -> None:
    assert lesson.third.check(replace(greedy_policy(), name="patient", patience=1.5)).right
    assert not lesson.third.check(default_policy()).right  # stronger still, but by all numbers at once
    assert "not str" in lesson.third.check("patience").message
    assert "Not answered yet" in lesson.third.check(None).message


def test_any_name_is_fine() -> None:
    assert lesson.against_greed(ValuePolicy("greedy")) == lesson.against_greed(ValuePolicy("x"))


def test_the_table_has_the_numbers_of_the_cast() -> None:
    table = lesson.cast_table()
    assert list(table.index) == [policy.name for policy in lesson.cast()]
    assert table.loc["default", "patience"] == default_policy().patience
    assert not table.loc["greedy"].any()  # the last exercise says so
