"""The exercises of the notebook on Byzantine Empire, and the moments that they ask about.

Each has ``check(answer)``, see `byzanz_lab.exercises`. Right answers are not written down anywhere: they are worked out
from the rules, from a linear program and from the meld game.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import pandas as pd

from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.cards import parse_heap
from byzanz_lab.companions.empire.matrix_game import solve
from byzanz_lab.companions.empire.meld_game import Equilibrium, equilibrium
from byzanz_lab.companions.empire.melds import melds_of
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.table import IllegalAction
from byzanz_lab.exercises import Exercise, Slip, Verdict, not_yet, number, right

EMPEROR: Final = "belisarius comitatenses dromons envoys full-treasury hagia-sophia icons 2xskoutatoi"
"""The Emperor's hand of the lesson."""
FOES: Final = "ostrogoths avars sasanian-persia nika-riot drought earthquake raiders horse-archers"
"""The Foes' hand that the first exercise asks about."""
CLOSE: Final = 0.4
"""Tokens by which a good answer to the third exercise may be exploited."""
BUILD: Final = pd.DataFrame(
    [[3.0, -1.0], [0.0, 1.0]], index=["build", "fight"], columns=["hold back", "attack"]
).rename_axis(index="Emperor", columns="Foes")
"""The second exercise: tokens that the Emperor gains."""


def lesson() -> Position:
    """The moment that the lesson is about: the Emperor is to meld, with a church that costs force and brings legacy."""
    return Position.at_table("byzantine", EMPEROR, turn=2)


def raid() -> Position:
    """The moment that the first exercise asks about: the Foes are to meld."""
    return Position.at_table("foes", FOES, turn=3)


@cache
def solved() -> Equilibrium:
    """The meld game of the lesson."""
    return equilibrium(lesson())


def most_force() -> float:
    """The most force of a legal meld of `raid`."""
    here = raid()
    melds = melds_of(here.table.deck, Side.FOES, here.table.age, here.hand)
    return float(melds.force.max())


def _all_force() -> float:
    here = raid()
    return float(here.table.deck.force(here.hand))


def _three_disasters() -> float:
    """As if the two limits on disasters did not count together."""
    here, deck = raid(), raid().table.deck
    forces = sorted((deck[code].force for code in here.hand if deck[code].kind == "natural disaster"), reverse=True)
    return most_force() + sum(forces[1:])


def build_chance() -> float:
    """How often the Emperor builds in the equilibrium of `BUILD`."""
    return float(solve([BUILD.to_numpy()]).rows[0])


def _hold_back_chance() -> float:
    return float(solve([BUILD.to_numpy()]).columns[0][0])


def _best_on_average() -> float:
    return float(np.argmax(BUILD.to_numpy().mean(axis=1)) == 0)


def read_meld(answer: Any) -> Meld:
    """Read a meld: a text such as ``"meld dromons icons"`` or ``"dromons, icons"``, or a `Meld`.

    Examples
    --------
    >>> read_meld("Dromons, 2x skoutatoi")
    Meld('dromons 2xskoutatoi')
    """
    if isinstance(answer, Meld):
        return answer
    text = str(answer).strip()
    return Meld(parse_heap(text.lower().removeprefix("meld ")))


def _hard_to_exploit(meld: Meld) -> Verdict:
    position, game = lesson(), solved()
    try:
        position.verify(meld)
    except IllegalAction as error:
        return not_yet(f"That is no legal meld: {error}.")
    if meld in game.dominated and meld not in game.exploited:
        stands_for = game.dominated[meld]
        return not_yet(f"Against whatever the Foes do, {str(stands_for).removeprefix('meld ')} is nowhere worse. Why?")
    lost = game.exploited[meld]
    if lost.mean > CLOSE:
        return not_yet(f"Foes who see it coming take {lost.mean:.1f} tokens from you. How would they answer it?")
    return right(f"It loses {lost} to Foes who see it coming; no single meld loses nothing.")


first = number(
    "a whole number",
    most_force,
    0,
    "Go through the limits type by type, and take the strongest cards that fit.",
    slips=[
        Slip(_all_force, "That is the force of all cards; some of them do not go together."),
        Slip(_three_disasters, "There is a limit to natural disasters, and one to disasters of both types together."),
    ],
    why="Only one northern and one southern foe go into a meld, and one natural disaster.",
)
"""What is the most force that the Foes can meld with the hand of `raid`?"""

second = number(
    "a chance from 0 to 1, to two decimals",
    build_chance,
    0.006,
    "Let the Emperor build with chance p. What does he gain if the Foes hold back, and what if they attack? "
    "He is safe where the two are equal.",
    slips=[
        Slip(lambda: 1 - build_chance(), "That is how often he fights."),
        Slip(_hold_back_chance, "That is how often the Foes hold back."),
        Slip(_best_on_average, "Foes who know that he always does so have an answer to it."),
    ],
    least=0,
    most=1,
    why="Whatever the Foes do, the Emperor now gains the same.",
)
"""How often should the Emperor of `BUILD` build?"""

third = Exercise(
    f"a meld, such as 'dromons icons', that loses {CLOSE} tokens at most to Foes who see it coming",
    read_meld,
    _hard_to_exploit,
)
"""Which single meld of `lesson` is hard to exploit?"""
