"""Lesson 7, strategies in a tournament: a cast of characters, differences with errors, and a strategy of one's own.

A strategy is a `ValuePolicy`: a few numbers that say what pairs, single cards, dealers and waiting are worth to it.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.advice.tournament_result import Standings
from byzanz_lab.evaluation import Estimate
from byzanz_lab.exercises import Exercise, Slip, Verdict, not_yet, number, one_of, right
from byzanz_lab.simulation.characters import character_named
from byzanz_lab.simulation.policies import CompiledPolicy, ValuePolicy, default_policy, greedy_policy

if TYPE_CHECKING:
    import pandas as pd

GAMES: Final = 1900
CAST: Final = ("greedy", "cautious", "set-collector", "low-lot-waiter", "dealer-hunter")
PAIR: Final = ("set-collector", "cautious")
"""The two that the first exercise compares."""
GOAL: Final = 0.01
"""Half width that the second exercise asks for, as a share of the wins."""
ENOUGH: Final = 0.4
"""Share of the wins that the third exercise asks for, where a fair share is a quarter."""
DUEL_GAMES: Final = 2000
NUMBERS: Final = tuple(field.name for field in fields(ValuePolicy) if field.name != "name")


def cast() -> tuple[CompiledPolicy, ...]:
    """Who plays in the lesson's tournament: five characters, and the policy that plays out the toolkit's worlds.

    Examples
    --------
    >>> [policy.name for policy in cast()][-2:]
    ['dealer-hunter', 'default']
    """
    return (*(character_named(name) for name in CAST), default_policy())


def cast_table() -> pd.DataFrame:
    """The numbers of the cast, a row a strategy: what things are worth to it, as `ValuePolicy` has them."""
    import pandas as pd

    columns = [name for name in NUMBERS if name != "fade"]
    rows = [[getattr(policy, name) for name in columns] for policy in cast()]
    return pd.DataFrame(rows, columns=columns, index=[policy.name for policy in cast()])


@cache
def standings() -> Standings:
    """What the lesson's notebook computes."""
    return Tournament(cast(), games=GAMES, seed=1).run()


def changed(policy: ValuePolicy) -> tuple[str, ...]:
    """The numbers in which a policy differs from the greedy one.

    Examples
    --------
    >>> changed(ValuePolicy("mine", pair=0.5, single=0, dealer=0, money=0, patience=0))
    ('pair',)
    """
    return tuple(name for name in NUMBERS if getattr(policy, name) != getattr(greedy_policy(), name))


def against_greed(policy: ValuePolicy) -> Estimate:
    """Share of the wins of one policy alone at a table of greedy ones, in duplicate deals."""
    own = replace(policy, name="yours")
    return Tournament([own, greedy_policy()], games=DUEL_GAMES, lineups="duels").run().against("yours", "greedy")


def _read_policy(answer: Any) -> ValuePolicy:
    if not isinstance(answer, ValuePolicy):
        raise TypeError(f"a strategy is a ValuePolicy here, not {type(answer).__name__}")
    return answer


def _beats_greed(policy: ValuePolicy) -> Verdict:
    names = changed(policy)
    if not names:
        return not_yet("This is greed itself.")
    if len(names) > 1:
        return not_yet(
            f"You have changed {len(names)} numbers: {', '.join(names)}. One is enough, if it is the right one."
        )
    found = against_greed(policy)
    if found.interval()[0] > ENOUGH:
        return right(f"It wins {found}, where a fair share would be 0.25. One number, and it is not about sets at all.")
    if found.mean > ENOUGH:
        return not_yet(f"It wins {found}: perhaps enough, perhaps not. Move the number a little further.")
    return not_yet(
        f"With {names[0]} = {getattr(policy, names[0]):g} it wins {found}. Try another number, or another value."
    )


def _difference() -> Estimate:
    return standings().difference(*PAIR)


def _stronger(word: str) -> Verdict:
    low, high = _difference().interval()
    truth = "yes" if low > 0 else "no" if high < 0 else "cannot tell"
    if word == truth:
        return right("An interval that holds nought leaves it open. More deals would tell, if it is worth the time.")
    return not_yet("Ask standings.difference for the two, and look where its 95 % interval lies.")


def _share() -> Estimate:
    return standings().row("default").wins


def _deals() -> float:
    return _share().n * (_share().half_width() / GOAL) ** 2


first = one_of("'yes', 'no' or 'cannot tell'", ("yes", "no", "cannot tell"), _stronger)
"""Whether the first of `PAIR` is stronger than the second."""

second = number(
    "a number of deals, right to a tenth",
    _deals,
    lambda: 0.1 * _deals(),
    "Compare the half width that you have with the one that you want; its square goes with one over the deals.",
    slips=[
        Slip(lambda: _share().n * _share().half_width() / GOAL, "The error shrinks with the square root of the deals."),
        Slip(
            lambda: standings().row("default").games * (_share().half_width() / GOAL) ** 2,
            "Games of the same deal are alike, so they do not count as independent. What does .n count?",
        ),
        Slip(lambda: _share().n * (_share().se / GOAL) ** 2, "The ± is not one standard error, it is about two."),
    ],
    least=1,
    why="The deal is the unit: it was dealt once, and played in all seats by all line-ups.",
)
"""Deals for a half width of `GOAL`."""

third = Exercise("a ValuePolicy, such as ValuePolicy('mine', pair=0.5, ...)", _read_policy, _beats_greed)
"""A strategy that beats greed by one number."""
