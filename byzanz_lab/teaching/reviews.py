"""Lesson 8, review of a game: what decisions cost, what was luck, and what hindsight must not be taken for."""

from __future__ import annotations

from functools import cache
from typing import Final

from byzanz_lab.advice.review import Account, Review, review
from byzanz_lab.exercises import Exercise, Slip, Verdict, not_yet, number, read_whole, right
from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation.characters import character_named
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import default_policy

SEED: Final = 1
WORLDS: Final = 64
NAMES: Final = ("cautious", "set-collector", "dealer-hunter")
"""Who plays seats 1 to 3; seat 0 is played by the default policy."""
COSTLY_SEAT: Final = 3
LUCKY_SEAT: Final = 3


@cache
def game() -> Record:
    """The game of this lesson, played by the default policy and three characters.

    Examples
    --------
    >>> game().names
    ('default', 'cautious', 'set-collector', 'dealer-hunter')
    """
    players = [default_policy(), *(character_named(name) for name in NAMES)]
    return play_game(players, new_game(Rules.for_seats(4), SEED))


@cache
def reviewed() -> Review:
    """What the lesson's notebook computes."""
    return review(game(), WORLDS, seed=1)


def _costliest(number_: int) -> Verdict:
    decisions = {decision.number: decision for decision in reviewed().decisions}
    if number_ not in decisions:
        return not_yet("At this number there was nothing to decide; the column 'number' has those where there was.")
    chosen = decisions[number_]
    if chosen.seat != COSTLY_SEAT:
        return not_yet(f"That was a decision of seat {chosen.seat}.")
    most = max(decision.loss.mean for decision in decisions.values() if decision.seat == COSTLY_SEAT)
    if chosen.loss.mean == most:
        return right(f"{chosen.label[0].upper() + chosen.label[1:]} cost {chosen.loss}, by what the seat could know.")
    if chosen.word == "fine":
        return not_yet("That decision was fine. Sort by the column 'loss'.")
    return not_yet("That cost something, but another decision of this seat cost more.")


def _account() -> Account:
    return max(reviewed().accounts, key=lambda account: abs(account.luck.mean))


def without_luck() -> float:
    """What the seat with the most luck, good or bad, would have got without any."""
    found = _account()
    return found.before.mean + found.own.mean + found.others.mean


def _luckiest_draw(number_: int) -> Verdict:
    found = reviewed()
    luck = {draw.number: found.luck_of(draw, LUCKY_SEAT).mean for draw in found.draws}
    if number_ not in luck:
        return not_yet("No cards were drawn there. The column 'number' of the draws says where they were.")
    if luck[number_] == max(luck.values()):
        return right("Nothing that the seat did had a part in it. That is what luck means.")
    if luck[number_] < 0:
        return not_yet("That draw was bad for this seat: its luck has a minus.")
    return not_yet("That draw was good for this seat, but another was better.")


first = Exercise("the number of an action", read_whole, _costliest)
"""The costliest decision of `COSTLY_SEAT`."""

second = number(
    "a number of points, to one decimal",
    without_luck,
    0.06,
    "What a seat got is the sum of four parts. Leave one of them out.",
    slips=[
        Slip(lambda: _account().result.mean, "That is what the seat got, luck included."),
        Slip(lambda: _account().before.mean, "That is what any player could expect before the deal."),
        Slip(lambda: _account().result.mean + _account().luck.mean, "You have counted the luck twice."),
        Slip(lambda: _account().luck.mean, "That is the luck alone."),
    ],
    why="The parts add up exactly. Each of them is an estimate all the same, and its ± is not small.",
)
"""Result without luck of the seat that had most of it."""

third = Exercise("the number of a draw", read_whole, _luckiest_draw)
"""The draw that helped `LUCKY_SEAT` most."""
