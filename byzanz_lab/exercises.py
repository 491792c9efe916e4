"""Exercises that check themselves, for notebooks.

An `Exercise` is given an answer and says whether it is right; if it is not, a hint that leads on, never the answer
itself. Right answers are not written down anywhere. Each is worked out from the rules, from chances or from playouts,
the first time that somebody answers, so a notebook with open exercises costs nothing and runs from top to bottom.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer is right, and why.

    Attributes
    ----------
    right
        ``False`` also for an answer that has not been given yet.
    message
        One or two sentences; for a wrong answer a hint.
    """

    right: bool
    message: str

    def __str__(self) -> str:
        return self.message

    def _repr_html_(self) -> str:
        return f"<p><b>{'✔' if self.right else '○'}</b> {escape(self.message)}</p>"


class Slip(NamedTuple):
    """A wrong number that somebody may well come to, and a hint for those who do.

    Attributes
    ----------
    value
        Works the wrong number out.
    hint
        Leads on without giving the answer away.
    """

    value: Callable[[], float]
    hint: str


@dataclass(frozen=True)
class Exercise:
    """A question with a judge.

    Attributes
    ----------
    form
        What an answer looks like, to go after "Give": ``"a chance from 0 to 1"``.
    read
        Makes a value of the answer; raises `ValueError` or `TypeError` with the reason where it is none.
    judge
        Looks at the value.

    Examples
    --------
    >>> dice = number("a chance from 0 to 1", lambda: 11 / 36, 0.005, "Count the ways in which no die shows a six.")
    >>> dice.check(None).message
    'Not answered yet. Give a chance from 0 to 1.'
    >>> dice.check(1 / 3).message
    'Not yet. Count the ways in which no die shows a six.'
    >>> dice.check(1 - (5 / 6) ** 2).right
    True
    """

    form: str
    read: Callable[[Any], Any]
    judge: Callable[[Any], Verdict]

    def check(self, answer: object = None) -> Verdict:
        """Check an answer; nothing, or an empty text, is no answer yet and no mistake."""
        if answer is None or (isinstance(answer, str) and not answer.strip()):
            return Verdict(False, f"Not answered yet. Give {self.form}.")
        try:
            value = self.read(answer)
        except (TypeError, ValueError) as error:
            return Verdict(False, f"This cannot be read as an answer: {error}. Give {self.form}.")
        return self.judge(value)


def right(why: str = "") -> Verdict:
    """The verdict on a right answer, with what it teaches."""
    return Verdict(True, f"Right. {why}".strip())


def not_yet(hint: str) -> Verdict:
    """The verdict on a wrong answer, with a hint."""
    return Verdict(False, f"Not yet. {hint}")


def number(
    form: str,
    answer: Callable[[], float],
    within: float | Callable[[], float],
    hint: str,
    *,
    slips: Sequence[Slip] = (),
    least: float = -math.inf,
    most: float = math.inf,
    why: str = "",
) -> Exercise:
    """Make an exercise whose answer is a number.

    Parameters
    ----------
    form
        What an answer looks like, with its unit and how exact it has to be.
    answer
        Works out the right number; asked once.
    within
        How far off an answer may be.
    hint
        For numbers that are wrong in no known way.
    slips
        Known ways to go wrong; the nearest gives the hint, if the answer is as close to it as ``within``.
    least, most
        Where an answer can lie at all.
    why
        What is said about a right answer.
    """
    known = cache(answer)

    def judge(value: float) -> Verdict:
        if not least <= value <= most:
            return not_yet(f"An answer lies from {least:g} to {most:g}, and {value:g} does not.")
        room = within() if callable(within) else within
        if abs(value - known()) <= room:
            return right(why)
        near = min(((abs(value - slip.value()), i) for i, slip in enumerate(slips)), default=(math.inf, 0))
        return not_yet(slips[near[1]].hint if near[0] <= room else hint)

    return Exercise(form, read_number, judge)


def one_of(form: str, choices: Sequence[str], judge: Callable[[str], Verdict]) -> Exercise:
    """Make an exercise whose answer is one word among some; capitals do not matter."""

    def read(answer: Any) -> str:
        word = str(answer).strip().casefold()
        if word not in choices:
            raise ValueError(f"{str(answer)[:40]!r} is none of {', '.join(choices)}")
        return word

    return Exercise(form, read, judge)


def read_number(answer: Any) -> float:
    """Read a number: anything that Python can make a finite float of, a text too.

    Examples
    --------
    >>> read_number("0.25"), read_number(3)
    (0.25, 3.0)
    """
    if isinstance(answer, bool):
        raise ValueError("True and False are no numbers")
    value = float(answer)
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    return value


def read_whole(answer: Any) -> int:
    """Read a whole number.

    Examples
    --------
    >>> read_whole("12"), read_whole(12.0)
    (12, 12)
    """
    value = read_number(answer)
    if value != int(value):
        raise ValueError(f"{value:g} is not a whole number")
    return int(value)
