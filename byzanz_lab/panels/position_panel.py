"""The panel on which a position is entered: cards by clicks or as text, faults beside what caused them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.panels.draft import CARD_FIELDS, cards_in
from byzanz_lab.panels.entry import EXAMPLES, Entry
from byzanz_lab.panels.session import Session
from byzanz_lab.panels.views import Message, View, paragraph, program, with_fallback

FILE: Final = "byzanz-position.json"


class PositionPanel(View):
    """A form for a position.

    Parameters
    ----------
    session
        What it shows and changes; a new one if not given.
    """

    _esm = program("dom.js", "position.js")
    _open = False

    def __init__(self, session: Session | None = None) -> None:
        self.session = Session() if session is None else session
        super().__init__(self._hear_page, self.session.fail)
        self.session.observe(self._draw, "revision")
        self._draw(None)
        self._open = True

    def retire(self) -> None:
        """Listen to nobody any more."""
        if self._open:
            self._open = False
            self.session.unobserve(self._draw, "revision")
            super().retire()

    def close(self) -> None:
        """Take it away; the session stays."""
        self.retire()
        super().close()

    def _draw(self, _: Any) -> None:
        with self.session.lock:
            self.view = form(self.session) | {"id": f"bz{self.model_id or ''}"}

    def _hear_page(self, message: Message) -> None:
        session, what = self.session, message.get("do")
        if what == "set" and message["field"] == "example":
            self._start_from(str(message["text"]))
        elif what == "set":
            session.set(str(message["field"]), str(message["text"]), typing=bool(message.get("typing")))
        elif what == "add":
            session.add(str(message["field"]), str(message["card"]), int(message["step"]))
        elif what == "pass":
            session.toggle_pass(int(message["seat"]))
        elif what == "finish":
            session.toggle_done(int(message["seat"]))
        elif what == "think":
            session.think()
        elif what == "undo":
            session.undo()
        elif what == "redo":
            session.redo()
        elif what == "json":
            session.load_json(str(message["text"]))
        elif what == "paste":
            session.paste(str(message["text"]))
        elif what == "save":
            self.send({"do": "download", "name": FILE, "text": session.to_json()})
        elif what == "fail":
            session.fail(str(message["text"])[:300])

    def _start_from(self, name: str) -> None:
        if name.startswith("empty "):
            self.session.clear(int(name.removeprefix("empty ")))
        elif name:
            self.session.load_example(name)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        session = self.session
        html = session.position._repr_html_() if session.is_valid else paragraph("No position has been entered yet.")
        return with_fallback(super()._repr_mimebundle_(**kwargs), html, f"PositionPanel({session.to_text()!r})")


def form(entry: Entry) -> dict[str, Any]:
    """All that the form draws, as plain values."""
    draft, faults = entry.draft, entry.faults
    rules = _rules(draft)
    seats = list(range(rules.seats))
    fields = [*CARD_FIELDS, *(f"{name}[{seat}]" for name in ("bids", "known") for seat in seats)]
    found = {field: cards_in(draft, field) for field in fields}
    own = int(draft.get("seat", "0")) if draft.get("seat", "0").isdigit() else 0
    phase = draft.get("phase", "auction")
    return {
        "draft": dict(draft),
        "faults": dict(faults),
        "missing": [field for field in faults if field not in draft and field in found],
        "seats": seats,
        "own": own,
        "rounds": rules.rounds,
        "offers": list(rules.offers),
        "counts": {field: None if cards is None else list(cards.counts) for field, cards in found.items()},
        "totals": {field: _how_many(found[field]) for field in CARD_FIELDS},
        "unseen": list(entry.unseen),
        "room_known": entry.room(f"known[{own}]"),
        "unknown": list(entry.position.unknown) if entry.is_valid else [None] * rules.seats,
        "passed": _seats(draft.get("passed", "")),
        "done": _seats(draft.get("done", "")),
        "shown": _shown(phase, draft, faults),
        "valid": entry.is_valid,
        "can_think": isinstance(entry, Session) and not entry.problem,
        "summary": entry.summary,
        "error": entry.error,
        "can_undo": entry.can_undo,
        "can_redo": entry.can_redo,
        "text": entry.to_text(),
        "code": entry.to_code() if isinstance(entry, Session) else "",
        "examples": list(map(list, EXAMPLES.items())),
    }


def _shown(phase: str, draft: Mapping[str, str], faults: Mapping[str, Any]) -> dict[str, bool]:
    """Which controls are needed in this phase; one with something in it, or wrong, always is."""
    lots = (Phase.AUCTION, Phase.TAX, Phase.LAST_LOT)
    needed = {
        "hand": True,
        "lot": phase in lots,
        "market": True,
        "gone": True,
        "bids": phase == Phase.AUCTION,
        "passed": phase in (Phase.AUCTION, Phase.TAX),
        "picked": phase in (Phase.MARKET, Phase.HAND_LIMIT),
        "done": phase in (Phase.CLOSING, Phase.OVER),
    }
    used = {name.partition("[")[0] for name in (*draft, *faults)}
    return {name: show or name in used for name, show in needed.items()}


def _how_many(cards: Cards | None) -> str:
    return f" ({len(cards)} {'card' if len(cards) == 1 else 'cards'})" if cards else ""


def _rules(draft: Mapping[str, str]) -> Rules:
    """The rules of the table size that is chosen; four seats as long as it is none."""
    seats = draft.get("rules", "4")
    return Rules.for_seats(int(seats) if seats in ("3", "4", "5", "6") else 4)


def _seats(text: str) -> list[int]:
    return [int(word) for word in text.replace(",", " ").split() if word.isdigit()]
