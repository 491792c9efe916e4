"""Exercises: right answers are accepted, known slips get their own hint, and no answer is no mistake."""

from __future__ import annotations

import math

import numpy as np
import pytest

from byzanz_lab.exercises import Slip, Verdict, not_yet, number, one_of, read_number, read_whole, right

CALLS: list[str] = []


def worked_out() -> float:
    CALLS.append("asked")
    return 0.25


SHARE = number(
    "a chance from 0 to 1",
    worked_out,
    0.01,
    "Count the ways.",
    slips=[Slip(lambda: 0.75, "That is the chance that it does not happen."), Slip(lambda: 0.255, "Never said.")],
    least=0,
    most=1,
    why="One in four.",
)


@pytest.mark.parametrize("answer", [0.25, "0.25", 0.259, np.float64(0.241), np.array(0.25)])
def test_a_right_answer_is_accepted(answer: object) -> None:
    assert SHARE.check(answer) == Verdict(True, "Right. One in four.")


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (0.27, "Not yet. Count the ways."),
        (0.75, "Not yet. That is the chance that it does not happen."),
        (25, "Not yet. An answer lies from 0 to 1, and 25 does not."),
        ("a quarter", "could not convert string to float: 'a quarter'. Give a chance from 0 to 1."),
        (True, "True and False are no numbers"),
        (math.nan, "nan is not a finite number"),
        ([1, 2], "cannot be read as an answer"),
    ],
)
def test_a_wrong_answer_gets_a_hint(answer: object, hint: str) -> None:
    verdict = SHARE.check(answer)
    assert not verdict.right
    assert hint in verdict.message


@pytest.mark.parametrize("answer", [None, "", "  "])
def test_no_answer_is_no_mistake(answer: object) -> None:
    assert SHARE.check(answer) == Verdict(False, "Not answered yet. Give a chance from 0 to 1.")


def test_the_right_answer_is_worked_out_once_and_only_when_asked_for() -> None:
    asked = number("a number", worked_out, 0.01, "Again.")
    CALLS.clear()
    asked.check(None)
    assert CALLS == []
    assert asked.check(0.25).right and not asked.check(1).right
    assert CALLS == ["asked"]


def test_the_nearest_slip_gives_the_hint() -> None:
    slips = [Slip(lambda: 20.0, "Twenty."), Slip(lambda: 23.0, "Twenty-three.")]
    asked = number("a number", lambda: 10.0, 5.0, "Again.", slips=slips)
    assert [asked.check(x).message.removeprefix("Not yet. ") for x in (20, 22, 29)] == [
        "Twenty.",
        "Twenty-three.",
        "Again.",
    ]


def test_the_room_can_be_worked_out_too() -> None:
    wide = number("a number", lambda: 10.0, lambda: 2.0, "Again.")
    assert wide.check(12).right
    assert not wide.check(12.1).right


def test_one_word_among_some() -> None:
    coin = one_of("heads or tails", ("heads", "tails"), lambda word: right() if word == "heads" else not_yet("Again."))
    assert coin.check(" Heads ").right
    assert coin.check("tails").message == "Not yet. Again."
    assert "'edge' is none of heads, tails" in coin.check("edge").message


def test_numbers_are_read_strictly() -> None:
    assert (read_whole("12"), read_whole(3.0), read_number("1e-3")) == (12, 3, 0.001)
    for answer in (2.5, math.inf, "", None, False):
        with pytest.raises((TypeError, ValueError)):
            read_whole(answer)


def test_a_verdict_shows_itself_and_escapes_what_was_typed() -> None:
    assert "✔" in SHARE.check(0.25)._repr_html_()
    shown = SHARE.check("<script>")._repr_html_()
    assert "○" in shown and "<script>" not in shown
    assert str(SHARE.check(None)) == SHARE.check(None).message
