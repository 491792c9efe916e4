"""Exercises that check themselves, for the notebook.

``check`` takes the name of an exercise and an answer, and says whether it is right; ``None`` stands for no answer yet.
Right answers are not written down anywhere: they are worked out from the rules, the adviser and the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from byzanz_lab.companions.byzantium.actions import parse_action
from byzanz_lab.companions.byzantium.advice import advise
from byzanz_lab.companions.byzantium.policies import greedy_policy
from byzanz_lab.companions.byzantium.position import Position
from byzanz_lab.companions.byzantium.position_text import parse_position
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.solver import solve
from byzanz_lab.companions.byzantium.state import State, new_game
from byzanz_lab.companions.byzantium.table import IllegalAction
from byzanz_lab.companions.byzantium.tableau import parse_path, parse_tableau
from byzanz_lab.safe_json import shown

WORLDS: Final = 4000
SLOTS_OF: Final = ("N=B7 NE=B9 E=R4 S=B5 ES=R2", "B8")
"""Exercise ``slots``: a tableau, and the card to place."""
BETTER: Final = "players 1; tableau N=BK E=R10 S=B7 W=RK NN=BQ NE=BJ WS=RJ WW=R7 WWW=R3; hand B8"
"""Exercise ``better``: a position in which greed goes wrong."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer is right, and why."""

    right: bool
    message: str

    def __str__(self) -> str:
        return self.message

    def _repr_html_(self) -> str:
        return f"<p><b>{'✔' if self.right else '○'}</b> {escape(self.message)}</p>"


def check(name: str, answer: str | Sequence[str] | None) -> Verdict:
    """Check the answer to an exercise.

    Parameters
    ----------
    name
        ``slots``, ``better`` or ``ending``.
    answer
        ``slots``: all slots for the card, such as ``"N SS"``. ``better``: one slot. ``ending``: slots, one a card.
        ``None`` for no answer yet.

    Raises
    ------
    ValueError
        If there is no such exercise.

    Examples
    --------
    >>> check("slots", None).right
    False
    """
    if name not in _EXERCISES:
        raise ValueError(f"unknown exercise {shown(name)} (exercises are {', '.join(_EXERCISES)})")
    if answer is None:
        return Verdict(False, "No answer yet.")
    words = answer.replace(",", " ").split() if isinstance(answer, str) else list(answer)
    try:
        return _EXERCISES[name]([parse_path(word) for word in words])
    except (ValueError, IllegalAction) as error:
        return Verdict(False, f"Not yet: {error}.")


def ending() -> State:
    """The moment that exercise ``ending`` is about: six cards to come, their order known, all can be placed."""
    state = new_game(Rules(1), 4)
    for action in solve(state).actions[:18]:
        state = state.apply(action)
    return state


def better() -> Position:
    """The position that exercise ``better`` is about."""
    return parse_position(BETTER)


def _slots(paths: list[str]) -> Verdict:
    text, card = SLOTS_OF
    tableau = parse_tableau(text, Rules(1))
    for path in paths:
        reason = tableau.why_not(card, path)
        if reason:
            return Verdict(False, f"Not yet: {card} does not fit at {path}, because {reason}.")
    missing = len(tableau.slots_for(card)) - len(set(paths))
    if missing:
        return Verdict(False, f"Not yet: there {'is one more slot' if missing == 1 else f'are {missing} more slots'}.")
    return Verdict(True, "Right: these are all.")


def _better(paths: list[str]) -> Verdict:
    position = better()
    if len(paths) != 1:
        return Verdict(False, "Not yet: name one slot.")
    (card,) = position.hand
    action = parse_action(f"place {card} {paths[0]}")
    position.verify(action)
    advice = advise(position, WORLDS)
    greedy = greedy_policy().choose(position)
    if advice.verdict(action) == "worse":
        gap = advice.difference(advice.best, action)
        return Verdict(False, f"Not yet: another slot places {gap} more.")
    if action == greedy:
        return Verdict(False, "Not yet: that is what greed does.")
    return Verdict(True, f"Right: it places {advice.difference(action, greedy)} more than greed, {greedy}.")


def _ending(paths: list[str]) -> Verdict:
    state = ending()
    for path in paths:
        if state.is_over:
            return Verdict(False, "Not yet: there are more slots than cards.")
        (card,) = state.hands[0]
        state = state.apply(parse_action(f"place {card} {path}"))
    if not state.is_over:
        most = solve(state).placed
        left = len(state.deck) + 1
        if most < Rules.win:
            return Verdict(False, f"Not yet: after these, no more than {most} cards can be placed.")
        return Verdict(False, f"So far so good: {left} cards to go.")
    return Verdict(True, "Right: all 24 cards are placed.")


_EXERCISES: Final[dict[str, Callable[[list[str]], Verdict]]] = {"slots": _slots, "better": _better, "ending": _ending}
