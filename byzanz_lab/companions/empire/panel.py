"""The duel at a panel: the hand, what may be melded and why not, and advice with the mixed strategy.

``EmpirePanel`` shows a `session.Session` in a notebook. Cards are marked with mouse or keyboard; every card that does
not fit says why when it is pointed at or focused. Advice tells what each action is worth, and for a meld how often the
mixed strategy plays it and how much it can be exploited; choosing a row marks its cards. Where there is no kernel, such
as on an exported page, a text is shown instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any, Final

from byzanz_lab.companions.empire.advice import SELDOM, SHOWN, Advice
from byzanz_lab.companions.empire.cards import Deck
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.session import Session
from byzanz_lab.companions.empire.table import Phase
from byzanz_lab.companions.empire.telling import label
from byzanz_lab.companions.empire.trials import OUTCOMES, UNITS
from byzanz_lab.companions.playing import YOU, PanelBase
from byzanz_lab.evaluation import Estimate

_STATIC: Final = files("byzanz_lab.companions.empire").joinpath("static")
LABELS: Final = {
    Phase.REDRAW: "Redraw", Phase.MELD: "Meld", Phase.NEGOTIATION: "Negotiate", Phase.REPLACEMENT: "Replace",
    Phase.PASS: "Pass on", Phase.OVER: "Over",
}  # fmt: skip
"""What the button says that does what is marked."""
EMPTY: Final = {
    Phase.REDRAW: "Redraw nothing", Phase.MELD: "Meld nothing", Phase.NEGOTIATION: "Take nothing out",
    Phase.REPLACEMENT: "Put nothing in its place",
}  # fmt: skip
"""What it says while nothing is marked, where that can be done."""
LOG: Final = 6
"""Lines of the course of the game that are shown."""


class EmpirePanel(PanelBase):
    """Play Byzantine Empire in a notebook.

    Parameters
    ----------
    session
        The game to show; a new one when left out.
    **options
        What to begin with, for `session.Session`: ``seed``, ``policy``, ``worlds``, ``deck``.

    Raises
    ------
    TypeError
        If an option is unknown.
    ValueError
        If there is no such policy.

    Examples
    --------
    >>> panel = EmpirePanel(seed=3)
    >>> panel.session.mark(99), panel.session.message
    (False, 'There is no such card.')
    """

    _esm = _STATIC.joinpath("empire.js").read_text("utf-8")
    _css = _STATIC.joinpath("empire.css").read_text("utf-8")

    def __init__(self, session: Session | None = None, **options: Any) -> None:
        super().__init__(Session(**options) if session is None else session, ("marked",))

    def hear(self, message: Mapping[str, Any]) -> None:
        """Do what the page asks for; what cannot be done is told in ``session.message``."""
        session, what = self.session, message.get("do")
        if what == "mark":
            session.mark(int(str(message.get("place"))))
        elif what == "take":
            session.take(str(message.get("action")))
        elif what == "do":
            session.do()
        elif what == "undo":
            session.undo()
        elif what == "hint":
            session.hint()
        elif what == "new":
            session.new()

    def _drawn(self) -> dict[str, Any]:
        return view_of(self.session)

    def _still(self) -> str:
        names = self.session.state.table.deck.names(self.session.hand)
        return f"<p>Your hand: {escape(names)}.</p>"


def view_of(session: Session) -> dict[str, Any]:
    """All that the page draws, as plain JSON values."""
    table, advice, why = session.state.table, session.advice, session.why_not()
    return {
        "summary": session.summary,
        "asked": session.asked,
        "message": session.message,
        "log": session.log[-LOG:],
        "where": "Foe meld" if session.phase is Phase.NEGOTIATION else "Your hand",
        "cards": _cards(session),
        "others": _others(session),
        "total": _total(session),
        "why": f"{why[0].upper()}{why[1:]}." if why and not session.state.is_over else "",
        "buttons": _buttons(session, why),
        "basis": "" if advice is None else advice.basis,
        "heads": [] if advice is None else _heads(advice),
        "rows": [] if advice is None else _rows(advice, table.deck),
        "mixture": [] if advice is None else _mixture(advice, table.deck),
        "mixed": "" if advice is None or advice.equilibrium is None else advice.equilibrium.basis,
    }


def _cards(session: Session) -> list[dict[str, Any]]:
    deck, shown = session.state.table.deck, []
    for place, code in enumerate(session.cards):
        card, marked, why = deck[code], place in session.marked, session.why_not_mark(place)
        shown.append(
            {
                "key": str(place),
                "name": card.name,
                "kind": str(card.kind),
                "force": card.force,
                "legacy": card.legacy,
                "unique": card.unique,
                "marked": marked,
                "why": why,
                "said": f"{card.describe()}{f': {why}' if why else ''}",
            }
        )
    return shown


def _others(session: Session) -> list[str]:
    """Lines on what lies open, and on what is known of the rival's hand."""
    position, deck = session.position, session.state.table.deck
    lines = []
    for side in Side:
        meld = position.table.melds[side.number]
        if meld and not (session.phase is Phase.NEGOTIATION and side is Side.FOES):
            lines.append(f"{side.capitalize()} meld: {deck.names(meld)}, force {deck.force(meld)}.")
    if session.phase is Phase.NEGOTIATION:
        lines.append(f"Your hand: {deck.names(session.hand)}.")
    known, unknown = position.rival_known, position.rival_unknown
    said = ([deck.names(known)] if known else []) + (
        [f"{unknown} card{'s' if unknown > 1 else ''} that you do not know"] if unknown else []
    )
    if not session.state.is_over:
        lines.append(f"Your rival holds {' and '.join(said) or 'no cards'}.")
    return lines


def _total(session: Session) -> str:
    """What the marked cards come to, while a meld is put together."""
    if session.phase is not Phase.MELD:
        return ""
    deck, codes = session.state.table.deck, [session.cards[place] for place in session.marked]
    legacy = deck.legacy(codes)
    return f"Force {deck.force(codes)}{f', legacy {legacy}' if legacy else ''}"


def _heads(advice: Advice) -> list[str]:
    """Heads of the table, with the units that are left out of its cells."""
    leading = UNITS[OUTCOMES.index(advice.result.leading)]
    told = [f"{outcome} ({UNITS[OUTCOMES.index(outcome)]})" for outcome in advice.outcomes]
    game = [] if advice.equilibrium is None else ["chance", f"exploited by ({leading})"]
    return ["action", "to the best", *told, *game, "verdict"]


def _rows(advice: Advice, deck: Deck) -> list[dict[str, Any]]:
    shown = []
    for row in advice.rows()[:SHOWN]:
        told = [_short(row[outcome]) for outcome in advice.outcomes]
        game = [] if advice.equilibrium is None else [f"{row['chance']:.0%}", _short(row["exploited"])]
        cells = [label(deck, row["action"]), _short(row["to the best"]), *told, *game, row["verdict"]]
        shown.append({"action": str(row["action"]), "cells": cells})
    return shown


def _short(value: Estimate | None) -> str:
    """A value without its unit, which stands in the head; a dash for the best itself, and where there is none."""
    return "–" if value is None or value.exact else str(value).removesuffix(f" {value.unit}")


def _mixture(advice: Advice, deck: Deck) -> list[dict[str, Any]]:
    if advice.equilibrium is None:
        return []
    return [
        {"action": str(meld), "name": label(deck, meld), "chance": round(chance, 4), "said": f"{chance:.0%}"}
        for meld, chance in advice.equilibrium.mixture.items()
        if chance >= SELDOM
    ]


def _buttons(session: Session, why: str) -> list[dict[str, str]]:
    over = "the game is over" if session.state.is_over else ""
    thinking = "it is being worked out" if session.thinking == "running" else ""
    wait = "your rival decides" if session.state.to_move not in (YOU, None) else ""
    name = LABELS[session.phase] if session.marked else EMPTY.get(session.phase, LABELS[session.phase])
    return [
        {"key": "do", "label": name, "why": over or wait or why},
        {"key": "hint", "label": "Hint", "why": over or thinking},
        {"key": "undo", "label": "Undo", "why": "" if session.can_undo else "nothing was done yet"},
        {"key": "new", "label": "New game", "why": ""},
    ]
