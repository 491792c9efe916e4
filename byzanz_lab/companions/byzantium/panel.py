"""The tableau at a panel: drawn to scale, playable with mouse and keyboard, with what each placement is worth.

``ByzantiumPanel`` shows a `session.Session` in a notebook. Slots in which the chosen card fits light up; every slot
says why it is open or closed when it is pointed at or focused. A hint writes each placement's value into its slot, as a
number and as a shade, and into a table. Where there is no kernel, such as on an exported page, a picture is shown
instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from byzanz_lab.companions.byzantium.actions import Place
from byzanz_lab.companions.byzantium.advice import Advice
from byzanz_lab.companions.byzantium.cards import name_of
from byzanz_lab.companions.byzantium.drawing import EDGE, face_of, spots_of, tableau_svg
from byzanz_lab.companions.byzantium.geometry import ACES, Rect
from byzanz_lab.companions.byzantium.policies import built_in_policies
from byzanz_lab.companions.byzantium.session import Session
from byzanz_lab.companions.playing import PanelBase

_STATIC: Final = files("byzanz_lab.companions.byzantium").joinpath("static")
SHADES: Final = (0.12, 0.75)
"""Opacity of the worst and of the best placement."""


class ByzantiumPanel(PanelBase):
    """Play Byzantium in a notebook.

    Parameters
    ----------
    session
        The deal to show; a new one when left out.
    **options
        What to begin with, for `session.Session`: ``rules``, ``seed``, ``policy``, ``worlds``.

    Raises
    ------
    TypeError
        If an option is unknown.
    ValueError
        If an option is out of range.

    Examples
    --------
    >>> panel = ByzantiumPanel(rules=2, seed=3)
    >>> panel.session.choose("R7"), panel.session.message
    (False, 'The red 7 is not in your hand.')
    """

    _esm = _STATIC.joinpath("tableau.js").read_text("utf-8")
    _css = _STATIC.joinpath("tableau.css").read_text("utf-8")

    def __init__(self, session: Session | None = None, **options: Any) -> None:
        super().__init__(Session(**options) if session is None else session, ("card",))

    def hear(self, message: Mapping[str, Any]) -> None:
        """Do what the page asks for; what cannot be done is told in ``session.message``."""
        session, what = self.session, message.get("do")
        if what == "choose":
            session.choose(str(message.get("card")))
        elif what == "place":
            session.place(str(message.get("slot")))
        elif what == "pass":
            session.pass_()
        elif what == "undo":
            session.undo()
        elif what == "hint":
            session.hint()
        elif what == "new":
            session.new(message.get("players"), policy=message.get("policy"))

    def _drawn(self) -> dict[str, Any]:
        return view_of(self.session)

    def _still(self) -> str:
        return tableau_svg(self.session.state.tableau)


def view_of(session: Session) -> dict[str, Any]:
    """All that the page draws, as plain JSON values."""
    state, geometry = session.state, session.state.rules.geometry
    cards = [_card(ace, geometry.aces[ace], f"{'black' if ace == 'BA' else 'red'} ace", ace) for ace in ACES]
    cards += [
        _card(path, geometry.slots[path].rect, f"{name_of(card)} at {path}", card)
        for path, card in state.tableau.filled.items()
    ]
    advice, slots = session.advice, _slots(session)
    reach = [geometry.extent + EDGE, max(max(-top, top + height) for _, top, _, height in _boxes(cards, slots)) + EDGE]
    return {
        "reach": reach,  # as wide as any tableau, as high as this one
        "cards": cards,
        "slots": slots,
        "hand": _hand(session),
        "buttons": _buttons(session),
        "players": state.rules.players,
        "policy": session.policy,
        "policies": [policy.name for policy in built_in_policies(state.rules.players)],
        "summary": session.summary,
        "message": session.message,
        "basis": "" if advice is None else f"{advice.basis}; in the slots: {advice.outcomes[0]}",
        "heads": [] if advice is None else ["placement", "verdict", *advice.outcomes],
        "rows": [] if advice is None else [_row(row, advice.outcomes) for row in advice.rows()],
    }


def _card(key: str, rect: Rect, name: str, card: str) -> dict[str, Any]:
    return {"key": key, "box": _box(rect), "face": face_of(card), "name": name, "colour": card[0]}


def _boxes(*shown: list[dict[str, Any]]) -> list[list[int]]:
    return [each["box"] for some in shown for each in some]


def _box(rect: Rect) -> list[int]:
    return [rect.west, -rect.north, rect.east - rect.west, rect.north - rect.south]


def _row(row: Mapping[str, Any], outcomes: tuple[str, ...]) -> list[str]:
    return [str(row["action"]), row["verdict"], *(str(row[outcome]) for outcome in outcomes)]


def _hand(session: Session) -> list[dict[str, Any]]:
    """The cards in hand; with advice, each of several with the value of its best placement."""
    advice, values = session.advice, dict[str, float]()
    if advice is not None and len(session.hand) > 1:
        for action in advice.option_of:
            if isinstance(action, Place):
                mean = advice.estimate(action).mean
                values[action.card] = max(mean, values.get(action.card, mean))
    cards = []
    for card in session.hand:
        value = f"{values[card]:.1f}" if card in values else ""
        best = bool(values) and advice is not None and isinstance(advice.best, Place) and advice.best.card == card
        name = f"{name_of(card)}{f', at best {value}' if value else ''}{', the best card' if best else ''}"
        cards.append(
            {
                "key": card,
                "face": face_of(card),
                "name": name,
                "colour": card[0],
                "chosen": card == session.card,
                "value": value,
                "best": best,
            }
        )
    return cards


def _slots(session: Session) -> list[dict[str, Any]]:
    """Slots that a card could be put into now if the rest allowed it: parents lie, nothing lies there.

    Open ones come last, so that they lie on top of the closed ones that they overlap.
    """
    tableau, advice, card = session.state.tableau, session.advice, session.card
    values: dict[str, float] = {}
    if advice is not None:
        places = [action for action in advice.option_of if isinstance(action, Place) and action.card == card]
        values = {place.slot: advice.estimate(place).mean for place in places}
    spread = [advice.estimate(action).mean for action in advice.option_of] if advice is not None else []
    best = {slot for slot in values if advice is not None and _is_best(advice, Place(card, slot))}
    geometry, shown = tableau.geometry, []
    reasons = {
        path: session.why_not(path)
        for path, slot in geometry.slots.items()
        if path not in tableau.filled and (not slot.parent or slot.parent in tableau.filled)
    }
    spots = spots_of(geometry, [path for path, reason in reasons.items() if not reason])
    for path, reason in sorted(reasons.items(), key=lambda entry: not entry[1]):
        value = values.get(path)
        said = f"{path}: {reason}" if reason else f"{path}: {name_of(card)} fits"
        if value is not None and advice is not None:
            said += f", {advice.outcomes[0]} {advice.estimate(Place(card, path))}"
        shown.append(
            {
                "key": path,
                "box": _box(geometry.slots[path].rect),
                "spot": [*spots.get(path, ())],
                "open": not reason,
                "said": said,
                "value": "" if value is None else f"{value:.1f}",
                "shade": None if value is None else _shade(value, spread),
                "best": path in best,
            }
        )
    return shown


def _is_best(advice: Advice, action: Place) -> bool:
    return bool(advice.option_of[action] == advice.option_of[advice.best])


def _shade(value: float, among: list[float]) -> float:
    low, high = min(among), max(among)
    share = (value - low) / (high - low) if high > low else 1.0
    return round(SHADES[0] + (SHADES[1] - SHADES[0]) * share, 3)


def _buttons(session: Session) -> list[dict[str, str]]:
    alone = session.state.rules.is_solitaire
    over = "the deal is over" if session.state.is_over else ""
    thinking = "it is being worked out" if session.thinking == "running" else ""
    return [
        {"key": "pass", "label": "Lay aside" if alone else "Pass", "why": session.why_no_pass},
        {"key": "undo", "label": "Undo", "why": "" if session.can_undo else "nothing was done yet"},
        {"key": "hint", "label": "Hint", "why": over or thinking},
        {"key": "new", "label": "New deal", "why": ""},
    ]
