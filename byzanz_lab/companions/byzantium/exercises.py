"""The exercises of the notebook on Byzantium, and the moments that they ask about.

Each has ``check(answer)``, see `byzanz_lab.exercises`. Right answers are not written down anywhere: they are worked out
from the rules, the adviser and the solver.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from byzanz_lab.companions.byzantium.actions import parse_action
from byzanz_lab.companions.byzantium.advice import Advice, advise
from byzanz_lab.companions.byzantium.policies import greedy_policy
from byzanz_lab.companions.byzantium.position import Position
from byzanz_lab.companions.byzantium.position_text import parse_position
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.solver import solve
from byzanz_lab.companions.byzantium.state import State, new_game
from byzanz_lab.companions.byzantium.table import IllegalAction
from byzanz_lab.companions.byzantium.tableau import Tableau, parse_path, parse_tableau
from byzanz_lab.exercises import Exercise, Verdict, not_yet, right

WORLDS: Final = 4000
CLOSE: Final = 0.1
"""Cards by which a good answer to the second exercise may be worse than the best."""
TABLEAU: Final = "N=B7 NE=B9 E=R4 S=B5 ES=R2"
CARD: Final = "B8"
"""The card that the first exercise asks about."""
BETTER: Final = "players 1; tableau N=BK E=R10 S=B7 W=RK NN=BQ NE=BJ WS=RJ WW=R7 WWW=R3; hand B8"
"""A position in which greed goes wrong."""


def tableau() -> Tableau:
    """The tableau that the notebook explains the rules by, and that the first exercise is about."""
    return parse_tableau(TABLEAU, Rules(1))


def better() -> Position:
    """The position that the second exercise is about."""
    return parse_position(BETTER)


@cache
def ending() -> State:
    """The moment that the third is about: six cards to come, their order known, all can be placed."""
    state = new_game(Rules(1), 4)
    for action in solve(state).actions[:18]:
        state = state.apply(action)
    return state


def read_slots(answer: Any) -> list[str]:
    """Read slots: a text such as ``"N SS"``, or a list of them.

    Examples
    --------
    >>> read_slots("n, ss"), read_slots(["EEN"])
    (['N', 'SS'], ['EEN'])
    """
    words = answer.replace(",", " ").split() if isinstance(answer, str) else list(answer)
    return [parse_path(word) for word in words]


@cache
def _better_advice() -> Advice:
    return advise(better(), WORLDS, racing=False)


def _every_slot(paths: list[str]) -> Verdict:
    here = tableau()
    for path in paths:
        reason = here.why_not(CARD, path)
        if reason:
            return not_yet(f"{CARD} does not fit at {path}: {reason}.")
    missing = len(here.slots_for(CARD)) - len(set(paths))
    if missing:
        return not_yet(f"There {'is one more slot' if missing == 1 else f'are {missing} more slots'}.")
    return right("These are all.")


def _better_slot(paths: list[str]) -> Verdict:
    position = better()
    if len(paths) != 1:
        return not_yet("Name one slot.")
    (card,) = position.hand
    action = parse_action(f"place {card} {paths[0]}")
    try:
        position.verify(action)
    except IllegalAction as error:
        return not_yet(f"{error}.")
    advice, greedy = _better_advice(), greedy_policy().choose(position)
    if action == greedy:
        return not_yet("That is what greed does. A card there closes a slot beside it: who would have wanted that one?")
    gap = advice.difference(advice.best, action)
    if gap.mean > CLOSE:
        return not_yet(f"Another slot places {gap.mean:.1f} cards more, on average.")
    gain = advice.difference(action, greedy)
    return right(f"It places {gain.mean:.1f} ± {gain.half_width():.1f} cards more than greed does.")


def _all_that_are_left(paths: list[str]) -> Verdict:
    state = ending()
    for path in paths:
        if state.is_over:
            return not_yet("There are more slots than cards.")
        (card,) = state.hands[0]
        try:
            state = state.apply(parse_action(f"place {card} {path}"))
        except IllegalAction as error:
            return not_yet(f"{error}.")
    if state.is_over:
        return right("All 24 cards are placed.")
    most = solve(state).placed
    if most < Rules.win:
        return not_yet(f"After these, no more than {most} cards can be placed.")
    return not_yet(f"So far so good: {len(state.deck) + 1} cards to go.")


first = Exercise("all slots of that card, such as 'N SS'", read_slots, _every_slot)
"""In which slots of `tableau` fits `CARD`?"""

second = Exercise("one slot, such as 'N', as good as the best to a tenth of a card", read_slots, _better_slot)
"""Where should the card of `better` go?"""

third = Exercise("one slot a card, such as 'N SS E EN EE W'", read_slots, _all_that_are_left)
"""Where do the last six cards of `ending` go, so that all 24 are placed?"""
