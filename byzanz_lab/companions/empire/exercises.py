"""The exercises of the notebook on Byzantine Empire, and the moments that they ask about.

Each has ``check(answer)``, see `byzanz_lab.exercises`. Right answers are not written down anywhere: they are worked out
from the rules, from a linear program and from the meld game.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import pandas as pd

from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.aftermath import aftermath
from byzanz_lab.companions.empire.matrix_game import solve
from byzanz_lab.companions.empire.meld_game import MeldGame, meld_game
from byzanz_lab.companions.empire.melds import melds_of
from byzanz_lab.companions.empire.payoffs import Payoffs
from byzanz_lab.companions.empire.playouts import deal_rivals
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.exercises import Exercise, Slip, Verdict, not_yet, number, read_number, right

EMPEROR: Final = "envoys farmers-law manuel-komnenos 2xpronoia-grants tagmata thematic-levy"
"""The Emperor's hand of the lesson; three of its cards are of an age that is over."""
GIVE_UP: Final = Meld("envoys pronoia-grants")
FIGHT: Final = Meld("manuel-komnenos 2xpronoia-grants")
"""The two melds that the third exercise mixes."""
FOES: Final = "ostrogoths avars sasanian-persia nika-riot drought earthquake raiders horse-archers"
"""The Foes' hand that the first exercise asks about."""
CLOSE: Final = 0.15
"""Tokens that a good answer to the third exercise may lose, against the best mixture of all melds."""
HANDS: Final = 200
REST: Final = 2000
"""Worlds behind the third exercise."""
BUILD: Final = pd.DataFrame(
    [[3.0, -1.0], [0.0, 1.0]], index=["build", "fight"], columns=["hold back", "attack"]
).rename_axis(index="Emperor", columns="Foes")
"""The second exercise: tokens that the Emperor gains."""


def lesson() -> Position:
    """The moment that the lesson is about: one turn before the last, the Emperor is to meld with a weak hand."""
    return Position.at_table("byzantine", EMPEROR, turn=11, legacy=(18, 17))


def raid() -> Position:
    """The moment that the first exercise asks about: the Foes are to meld."""
    return Position.at_table("foes", FOES, turn=3)


@cache
def _game() -> tuple[MeldGame, float]:
    """The meld game of the lesson, and its value."""
    position = lesson()
    payoffs = Payoffs(position, aftermath(position, REST))
    game = meld_game(position, deal_rivals(position, HANDS), payoffs)
    return game, game.solve().value


def loses(give_up: float) -> float:
    """Tokens that a mixture of `GIVE_UP`, with this chance, and `FIGHT` loses to Foes who know it.

    They are counted from what the best mixture of all melds secures.

    Examples
    --------
    >>> loses(1.0) > 0.4 and loses(0.0) > 0.3  # each of the two alone can be exploited
    True
    """
    game, value = _game()
    mixture = np.zeros(len(game.own))
    mixture[game.own.cards.index(GIVE_UP.cards)] = give_up
    mixture[game.own.cards.index(FIGHT.cards)] = 1 - give_up
    return value - float(game.secured(mixture[None])[0].mean())


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


def _mixes_well(give_up: float) -> Verdict:
    if not 0 <= give_up <= 1:
        return not_yet(f"A chance lies from 0 to 1, and {give_up:g} does not.")
    lost = loses(give_up)
    if lost <= CLOSE:
        alone = min(loses(0.0), loses(1.0))
        return right(f"This loses {lost:.2f} tokens, either meld alone {alone:.2f} or more.")
    habit = "give up" if loses(max(give_up - 0.01, 0.0)) < lost else "fight"  # what is lost is convex in the chance
    return not_yet(f"This loses {lost:.2f} tokens: you {habit} so often that the Foes can rely on it.")


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

third = Exercise(f"a chance from 0 to 1, with which you lose {CLOSE} tokens at most", read_number, _mixes_well)
"""How often should the Emperor of `lesson` meld `GIVE_UP`, if he melds `FIGHT` otherwise?"""
