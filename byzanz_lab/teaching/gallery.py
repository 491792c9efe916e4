"""Lesson 9, a gallery of charts: reading them is what its exercises ask for."""

from __future__ import annotations

from functools import cache
from typing import Final

from byzanz_lab.advice.beliefs import purse
from byzanz_lab.advice.forecast import Forecast, forecast
from byzanz_lab.exercises import Slip, Verdict, not_yet, number, one_of, right
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_json import load_sample
from byzanz_lab.teaching.counting import position

RIVAL: Final = 2
HALF: Final = 0.5
SURE: Final = 0.9


def later() -> Position:
    """A moment in the second round, when the rivals have shown most of their cards.

    Examples
    --------
    >>> later().round, later().unknown
    (2, (0, 2, 1, 1))
    """
    return load_sample("auction")


@cache
def forecast_found() -> Forecast:
    """What the lesson's notebook computes about the lot of `position`."""
    return forecast(position())


def can_pay(seat: int, chance: float = HALF) -> int:
    """Largest total that a seat of `later` can pay with at least this chance.

    Examples
    --------
    >>> purse(later(), 1).at_least(can_pay(1)) >= 0.5 > purse(later(), 1).at_least(can_pay(1) + 1)
    True
    """
    found = purse(later(), seat)
    return int(max(total for total in found.values if found.at_least(int(total)) >= chance))


def surely_wins(chance: float = SURE) -> int:
    """Lowest bid of `position` that wins the lot with at least this chance."""
    found = forecast_found()
    return next(bid for bid in found.bids if found.wins_at(bid).mean >= chance)


def _meaning(letter: str) -> Verdict:
    if letter == "a":
        return not_yet(
            "That would be a claim too, and the bar does not support it: more worlds might move it either way."
        )
    if letter == "c":
        return not_yet("The mark is where the bar has its middle; how far is it to the ends?")
    return right("What cannot be told yet may still be told by more worlds.")


first = number(
    "a total, as a whole number",
    lambda: can_pay(RIVAL),
    0,
    "Find the line of this seat in the chart of the purses, and follow it to where it falls below 50 %.",
    slips=[
        Slip(lambda: can_pay(RIVAL) + 1, "At that total the line lies below a half already."),
        Slip(lambda: can_pay(RIVAL) - 1, "That it can pay, but more as well."),
        Slip(lambda: can_pay(1), "That is the line of another seat."),
    ],
    why="It is an exact chance: nothing was inferred from how the seat has bid.",
)
"""Largest total that seat `RIVAL` can pay with a chance of a half."""

second = one_of("'a', 'b' or 'c'", ("a", "b", "c"), _meaning)
"""What a bar means that crosses the dashed line."""

third = number(
    "a bid, as a whole number",
    surely_wins,
    0,
    "Follow the line in the chart of the forecast to where it passes 90 %, and read the bid below.",
    slips=[
        Slip(
            lambda: forecast_found().bids[-1],
            "That one wins always. A lower one wins nine times out of ten, and is cheaper.",
        ),
        Slip(lambda: surely_wins() - 1, "That bid wins less often than nine times out of ten."),
    ],
    why="If the rivals bid as the policy does.",
)
"""Lowest bid that wins nine times out of ten."""
