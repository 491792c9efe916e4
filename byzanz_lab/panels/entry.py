"""A position while it is being entered: fields, what is wrong with them, undo, files and texts.

``Entry`` is the half of an advisor that knows what was typed. It never loses anything: a text that makes no sense yet
stays as it is, with its fault beside it, and the last valid position stays there until there is a new one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

import traitlets as t

from byzanz_lab.game.cards import KIND_INDEX, Cards
from byzanz_lab.game.fault import InvalidPosition
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_json import dumps, load_sample, loads
from byzanz_lab.game.position_text import parse_position
from byzanz_lab.panels.draft import FIELDS, LONGEST, blank, cards_in, draft_of, faults_by_field, read, unseen
from byzanz_lab.safe_json import UnreadableJSON

EXAMPLES: Final = {
    "auction": "4 seats, round 2: two have bid, your turn",
    "opening": "6 seats: the first lot of the game",
    "tax": "You have won a lot: which card goes to the market?",
    "last_lot": "The last lot of a round: which card to the market?",
    "hand_limit": "Too many cards: sell or drop?",
    "market": "The market is open: which group?",
    "closing": "The closing sale",
}
"""Positions that ship with the package, by what they ask."""
MOST_UNDO: Final = 200


class Entry(t.HasTraits):
    """A position as it is being entered.

    Parameters
    ----------
    position
        Where to begin; by default an empty table of four.

    Raises
    ------
    TypeError
        If it is given anything but a Position.
    """

    draft = t.Dict(help="Field name -> text, as entered.")
    faults = t.Dict(help="Field name -> what is wrong with it, in sentences.")
    unseen: t.List[int] = t.List(help="Per kind, cards that are in no field yet; below 0 for too many.")
    position = t.Any(None, allow_none=True, help="The last valid position.")
    error = t.Unicode("", help="What could not be done, in a sentence; empty when all is well.")
    revision = t.Int(0, help="Rises after every change, when everything fits together again.")

    def __init__(self, position: Position | None = None, **traits: Any) -> None:
        super().__init__(**traits)
        self.lock = threading.RLock()
        self._undo: list[dict[str, str]] = []
        self._redo: list[dict[str, str]] = []
        self._typing: str | None = None
        self._put(blank() if position is None else draft_of(_position(position)))

    # -- entering ----------------------------------------------------------------------------------------------------

    @property
    def is_valid(self) -> bool:
        """Whether what is entered is a position."""
        return not self.faults

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return bool(self._redo)

    def set(self, field: str, text: str, typing: bool = False) -> None:
        """Enter a field.

        Parameters
        ----------
        field
            One of `draft.FIELDS`.
        text
            What stands there now; it may make no sense yet.
        typing
            Whether it is one letter of many: undo takes them back together.

        Raises
        ------
        ValueError
            If there is no such field.
        """
        self.set_many({field: text}, field if typing else None)

    def set_many(self, changes: Mapping[str, str], typing: str | None = None) -> None:
        """Enter several fields at once, as one step of undo."""
        strange = [field for field in changes if field not in FIELDS]
        if strange:
            raise ValueError(f"a position has no field {strange[0]!r}")
        with self.lock:
            draft = {field: text for field, text in self.draft.items() if field not in changes}
            draft |= {field: str(text)[:LONGEST] for field, text in changes.items() if str(text)}
            if draft == self.draft:
                return
            if typing is None or typing != self._typing:
                self._remember()
            self._typing = typing
            self._put(draft)

    def add(self, field: str, code: str, step: int = 1) -> None:
        """Put a card into a field of cards, or take one away (``step=-1``); what cannot be is left undone.

        Raises
        ------
        ValueError
            If there is no such field or card.
        """
        if code not in KIND_INDEX:
            raise ValueError(f"there is no card {code!r}")
        with self.lock:
            cards = cards_in(self.draft, field)
            if cards is None:
                self.fail("these cards cannot be read; correct the text first")
                return
            kind, card = KIND_INDEX[code], Cards([code])
            if step > 0 and self.room(field)[kind] > 0:
                self.set(field, str(cards + card))
            elif step < 0 and code in cards:
                rest = cards - card
                self.set(field, str(rest) if rest else "")

    def room(self, field: str) -> list[int]:
        """Per kind, how many cards more can go into a field: those that are in no field yet."""
        if field != f"known[{self.draft.get('seat', '0')}]":
            return [max(0, n) for n in self.unseen]
        held, known = cards_in(self.draft, "hand"), cards_in(self.draft, field)  # what others know of the own hand
        return list((held or Cards()).monus(known or Cards()).counts)

    def toggle_pass(self, seat: int) -> None:
        """Let a seat pass after all that have passed, or take its pass back."""
        self._toggle("passed", seat)

    def toggle_done(self, seat: int) -> None:
        """Let a seat finish its closing sale, or take that back."""
        self._toggle("done", seat)

    def undo(self) -> None:
        """Take back the last change of the position."""
        self._step(self._undo, self._redo)

    def redo(self) -> None:
        """Do again what was taken back."""
        self._step(self._redo, self._undo)

    def clear(self, seats: int = 4) -> None:
        """Begin with an empty table."""
        self._replace(blank(seats))

    @property
    def summary(self) -> str:
        """How far the position is, in a sentence."""
        if self.is_valid:
            unseen, deck = len(self.position.unseen), self.position.deck_left
            return f"This position can be. {unseen} cards are unseen, {deck} of them in the deck."
        number = len(self._complaints())
        many = "One thing is missing or does not" if number == 1 else f"{number} things are missing or do not"
        return f"{many} fit yet."

    # -- from and to elsewhere ---------------------------------------------------------------------------------------

    def load(self, position: Position) -> None:
        """Take over a whole position."""
        self._replace(draft_of(_position(position)))

    def load_example(self, name: str) -> None:
        """Take over a position that ships with the package, one of `EXAMPLES`."""
        if name not in EXAMPLES:
            raise ValueError(f"there is no example {name!r} (there are {', '.join(EXAMPLES)})")
        self.load(load_sample(name))

    def load_json(self, text: str) -> bool:
        """Take over the text of a position file; says whether that worked, ``error`` says why not."""
        return self._load(lambda: loads(text))

    def paste(self, text: str) -> bool:
        """Take over a position from its line of text; says whether that worked, ``error`` says why not."""
        return self._load(lambda: parse_position(text.strip()))

    def to_json(self) -> str:
        """The text of a position file.

        Raises
        ------
        ValueError
            If what is entered is no position.
        """
        return dumps(self._valid())

    def to_text(self) -> str:
        """The position as a line of text; empty when it is none."""
        return str(self.position) if self.is_valid else ""

    def fail(self, sentence: str) -> None:
        """Say what could not be done; the next change makes it forgotten."""
        with self.lock:
            self.error = sentence
            self._changed()

    # -- inside ------------------------------------------------------------------------------------------------------

    def _toggle(self, field: str, seat: int) -> None:
        words, word = self.draft.get(field, "").replace(",", " ").split(), str(seat)
        self.set(field, " ".join([one for one in words if one != word] if word in words else [*words, word]))

    def _complaints(self) -> list[str]:
        return [f"{field}: {message}" for field, messages in self.faults.items() for message in messages]

    def _valid(self) -> Position:
        if not self.is_valid:
            raise ValueError("what is entered is no position yet: " + "; ".join(self._complaints()))
        position: Position = self.position
        return position

    def _load(self, get: Callable[[], Position]) -> bool:
        try:
            position = get()
        except (UnreadableJSON, InvalidPosition) as error:
            self.fail(str(error))
            return False
        self.load(position)
        return True

    def _replace(self, draft: dict[str, str]) -> None:
        with self.lock:
            self._remember()
            self._typing = None
            self._put(draft)

    def _remember(self) -> None:
        self._undo = [*self._undo[-MOST_UNDO + 1 :], dict(self.draft)]
        self._redo = []

    def _step(self, source: list[dict[str, str]], target: list[dict[str, str]]) -> None:
        with self.lock:
            if source:
                target.append(dict(self.draft))
                self._typing = None
                self._put(source.pop())

    def _put(self, draft: dict[str, str]) -> None:
        """Take over a draft, and all that follows from it."""
        position, faults = read(draft)
        self.draft, self.faults, self.unseen = draft, faults_by_field(faults), unseen(draft)
        if position is not None:
            self.position = position
        self.error = ""
        self._changed()

    def _changed(self) -> None:
        """Say that everything fits together again."""
        self.revision += 1


def _position(position: Position) -> Position:
    if not isinstance(position, Position):
        raise TypeError(f"a session is about a Position, not {type(position).__name__}")
    return position
