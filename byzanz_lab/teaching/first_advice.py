"""Lesson 1, first advice: exercises about reading a table of choices, and asking about a hand of one's own."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from byzanz_lab.advice.advise import Advice, advise
from byzanz_lab.exercises import Exercise, Slip, Verdict, not_yet, number, right
from byzanz_lab.game.actions import Action, format_action, parse_action
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.table import IllegalAction
from byzanz_lab.teaching.counting import position

WORLDS: Final = 1000
SEED: Final = 1
OTHER_HAND: Final = "Sp4 Sp1 Gr3 Ol4"
"""The hand that the last exercise puts in place of the lesson's."""


@cache
def advice() -> Advice:
    """What the lesson's notebook gets when it asks about `position`."""
    return advise(position(), WORLDS, SEED)


@cache
def other_advice() -> Advice:
    """The same moment with another hand, see `OTHER_HAND`."""
    here = position()
    bids = {seat: bid for seat, bid in enumerate(here.bids) if bid}
    return advise(Position.at_table(here.rules, hand=OTHER_HAND, lot=here.lot, bids=bids), WORLDS, SEED)


def read_action(answer: Any) -> Action:
    """Read an action: one of the game's, its text (``"bid Sp1 Wo2"``, ``"pass"``), or the label of a row of advice.

    Examples
    --------
    >>> read_action("bid 3 with Sp1 Wo2")
    Bid('Sp1 Wo2')
    """
    text = answer if isinstance(answer, str) else format_action(answer)
    words = text.strip().split(" with ")
    return parse_action(f"{words[0].split()[0]} {words[1]}" if len(words) == 2 else text.strip())


def _as_good_as_any(action: Action) -> Verdict:
    found = other_advice()
    try:
        found.position.verify(action)
    except IllegalAction as error:
        return not_yet(f"The rules do not allow it: {error}.")
    rows = [row for row in found.rows if row.action == action]
    if not rows:
        return not_yet("That is another way to pay the same total; the table lists the best one found for each.")
    if rows[0].verdicts["profit"] == "worse":
        return not_yet(
            f"{format_action(action)!r} is {rows[0].to_best['profit']} points from the best: look for a smaller gap."
        )
    return right("No other choice is surely better. Whoever says 'level' need not toss a coin: more worlds may tell.")


def _hand_is_another(answer: Any) -> Action:
    if isinstance(answer, (Cards, Position)):
        raise ValueError("the question is what to do, not what to hold")
    return read_action(answer)


first = number(
    "a whole number",
    lambda: len(advice().level),
    0,
    "Look at the column 'verdict'.",
    slips=[
        Slip(lambda: len(advice().level) - 1, "The best choice cannot be told from itself either: count it too."),
        Slip(lambda: len(advice().rows), "These are all choices. Many of them are surely worse than the best."),
        Slip(lambda: len(advice().rows) - len(advice().level), "You have counted those that are surely worse."),
    ],
    why="All of these are good choices as far as anybody can tell from a thousand worlds.",
)
"""How many choices could be the best."""

second = number(
    "a number of worlds",
    lambda: 4 * WORLDS,
    0.03 * WORLDS,
    "A standard error shrinks with the square root of the number of worlds.",
    slips=[
        Slip(lambda: 2 * WORLDS, "Twice the worlds make the error smaller by the square root of two only."),
        Slip(lambda: 3 * WORLDS, "So many more than now, yes; but how many in all?"),
        Slip(lambda: WORLDS / 4, "Fewer worlds make the error larger."),
        Slip(lambda: 16 * WORLDS, "That would make the error a quarter of what it is."),
    ],
    why="To halve an error costs four times the worlds, whatever is estimated.",
)
"""Worlds that halve the interval."""

third = Exercise("an action, such as 'pass' or 'bid Gr3'", _hand_is_another, _as_good_as_any)
"""What to do with `OTHER_HAND`."""
