"""A deal as data: written, read, replayed.

``Record`` holds the cards and what everybody did, enough to go through the deal again, move by move, as `State`s. Files
hold one JSON object, or one a line; the rules themselves check the actions while the deal is replayed. ``Recorder``
writes a record while a deal is played. The deals of one game are that many records, see `standings`.

One object looks like this (``kitty`` with two players, ``hands`` with two to four, ``deck`` alone, ``result`` absent
while the deal is running)::

    {"format": "byzantium-record", "version": 1, "players": 2, "variant": {}, "names": ["Ann", "Ben"], "dealer": 0,
     "hands": [["B2", ...], ["R5", ...]], "kitty": ["BK", ...], "actions": [
        {"player": 1, "type": "place", "card": "R5", "slot": "E"}, {"player": 0, "type": "pass"}, ...],
     "result": {"left": [3, 0], "winners": [1]}}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Final

from byzanz_lab.companions.byzantium.actions import Action, action_from_dict, action_to_dict
from byzanz_lab.companions.byzantium.cards import CARDS, Cards
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import Result, State, deal
from byzanz_lab.json_fields import format_fields, list_field, number_field, object_field
from byzanz_lab.records import InvalidRecord, RecordBase, RecorderBase, Turn, check_names, write_records
from byzanz_lab.safe_json import shown

__all__ = ["FORMAT", "VERSION", "InvalidRecord", "Record", "Recorder", "Turn", "read_records", "write_records"]

FORMAT: Final = "byzantium-record"
VERSION: Final = 1
_REQUIRED: Final = ("format", "version", "players", "variant", "actions")
_OPTIONAL: Final = ("names", "dealer", "hands", "kitty", "deck", "result")


@dataclass(frozen=True, repr=False)
class Record(RecordBase[State, Action]):
    """A deal: its cards, what was done, and how it ended.

    Parameters
    ----------
    rules
        The rules of the game.
    dealer
        Seat of the dealer.
    hands
        Per seat, the cards dealt, with two to four players; the kitty is what is left.
    deck
        Alone: all cards in the order in which they are drawn.
    moves
        Seat and action, in the order in which they were taken.
    names
        Per seat, a name; empty for none.
    result
        How the deal ended; ``None`` while it is running.

    Raises
    ------
    InvalidRecord
        If the cards do not add up. Actions are checked when the record is replayed.

    Examples
    --------
    >>> from byzanz_lab.companions.byzantium.state import new_game
    >>> recorder = Recorder(new_game(Rules(2), seed=1))
    >>> state = recorder.apply(recorder.state.legal_actions()[0])
    >>> record = recorder.record()
    >>> Record.loads(record.dumps()) == record, record.replay() == state
    (True, True)
    """

    rules: Rules
    dealer: int = 0
    hands: tuple[Cards, ...] = ()
    deck: tuple[str, ...] = ()
    moves: tuple[tuple[int, Action], ...] = ()
    names: tuple[str, ...] = ()
    result: Result | None = None

    def __post_init__(self) -> None:
        for name in ("hands", "deck", "moves", "names"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        try:
            check_names(self.names, self.rules.players)
            self.initial()
        except ValueError as error:
            raise InvalidRecord(str(error)) from None

    def initial(self) -> State:
        """The state after the deal."""
        return deal(self.rules, self.hands, self.deck, self.dealer)

    def check_end(self, final: State) -> None:
        """Refuse a stated result that is not the one the actions lead to, with `InvalidRecord`."""
        if self.result is None:
            return
        if not final.is_over:
            raise InvalidRecord("the record states a result, but the deal is not over")
        if self.result != final.result():
            stated, right = list(self.result.left), list(final.result().left)
            raise InvalidRecord(f"the result is wrong: it states {stated} cards left, the actions lead to {right}")

    # -- reading and writing -----------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the record; exact inverse of `from_dict`."""
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "players": self.rules.players}
        data["variant"] = self.rules.variant
        if self.names:
            data["names"] = list(self.names)
        data["dealer"] = self.dealer
        if self.rules.is_solitaire:
            data["deck"] = list(self.deck)
        else:
            data["hands"] = [hand.codes() for hand in self.hands]
        if self.rules.kitty:
            data["kitty"] = self.initial().kitty.codes()
        data["actions"] = [action_to_dict(seat, action) for seat, action in self.moves]
        if self.result is not None:
            data["result"] = {"left": list(self.result.left), "winners": list(self.result.winners)}
        return data

    @classmethod
    def from_dict(cls, data: object) -> Record:
        """Read the JSON object of a record.

        Raises
        ------
        InvalidRecord
            If a field is missing, unknown, or not what it should be, or the cards do not add up.
        """
        try:
            return _record_from(data)
        except (ValueError, TypeError) as error:
            raise InvalidRecord(str(error)) from None

    def __repr__(self) -> str:
        end = "unfinished" if self.result is None else f"left {self.result.left}"
        return f"<Record: {self.rules!r}, {len(self.moves)} actions, {end}>"

    def _repr_html_(self) -> str:
        rows = []
        for seat in range(self.rules.players):
            name = escape(self.names[seat]) if self.names else ""
            left = "unfinished" if self.result is None else self.result.left[seat]
            won = "winner" if self.result is not None and seat in self.result.winners else ""
            rows.append(f"<tr><td>{seat}</td><td>{name}</td><td>{left}</td><td>{won}</td></tr>")
        heads = "".join(f"<th>{head}</th>" for head in ("seat", "name", "cards left", ""))
        caption = escape(f"Byzantium, {self.rules!r}, {len(self.moves)} actions")
        return (
            f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        )


class Recorder(RecorderBase[Record, State, Action]):
    """Plays a deal and remembers it.

    Parameters
    ----------
    initial
        The beginning of a deal, as `new_game` and `deal` make it.
    names
        Per seat, a name; empty for none.

    Raises
    ------
    ValueError
        If ``initial`` is a later moment of a deal.
    """

    def __init__(self, initial: State, names: Sequence[str] = ()) -> None:
        deck = (*initial.hands[0], *initial.deck) if initial.rules.is_solitaire else ()
        hands = () if initial.rules.is_solitaire else initial.hands
        if len(initial.tableau) or initial.table.aside or initial.table.passes:
            raise ValueError("a record begins with the deal, and this state is a later moment")
        super().__init__(Record(initial.rules, initial.table.dealer, hands, deck, names=tuple(names)), initial)

    def undo(self) -> State:
        """Take back the last action; returns the state before it.

        Raises
        ------
        ValueError
            If there is none.
        """
        if not self.moves:
            raise ValueError("nothing was done yet")
        self.moves.pop()
        self.state = replace(self._begun, moves=tuple(self.moves)).replay()
        return self.state


def read_records(path: str | Path) -> Iterator[Record]:
    """Read a file of records one by one: one JSON object a line, or a single object over many lines.

    Raises
    ------
    InvalidRecord
        At the first broken record; the message names the file and the line.
    OSError
        If the file cannot be opened.
    """
    return Record.read_all(path)


def _record_from(data: object) -> Record:
    format_fields(data, "a record", FORMAT, VERSION)
    fields = object_field(data, "a record", _REQUIRED, _OPTIONAL)
    variant = object_field(fields["variant"], "variant", optional=None)
    rules = Rules.for_players(number_field(fields["players"], "players", 1, 4), **variant)
    record = Record(
        rules,
        number_field(fields.get("dealer", 0), "dealer", 0, rules.players - 1),
        tuple(Cards(_codes(hand, "a hand")) for hand in list_field(fields.get("hands", []), "hands")),
        tuple(_codes(fields.get("deck", []), "the deck")),
        tuple(_action(number, entry) for number, entry in enumerate(list_field(fields["actions"], "actions"))),
        tuple(list_field(fields.get("names", []), "names")),
    )
    if "kitty" in fields and Cards(_codes(fields["kitty"], "the kitty")) != record.initial().kitty:
        raise InvalidRecord(f"the kitty is {record.initial().kitty}, what nobody was dealt")
    return replace(record, result=_result(fields["result"], rules)) if "result" in fields else record


def _action(number: int, entry: object) -> tuple[int, Action]:
    try:
        return action_from_dict(entry)
    except ValueError as error:
        raise InvalidRecord(f"action {number}: {error}") from None


def _codes(cards: object, what: str) -> list[str]:
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise InvalidRecord(f"{what} is a list of cards, not {shown(cards)}")
    for card in cards:
        if card not in CARDS:
            raise InvalidRecord(f"unknown card {shown(card)} in {what}; a record has exact codes such as R7 or B10")
    return cards


def _result(value: object, rules: Rules) -> Result:
    fields = object_field(value, "the result", ("left", "winners"))
    left = list_field(fields["left"], "left", rules.players)
    winners = list_field(fields["winners"], "winners")
    return Result(
        tuple(number_field(n, "a number in left", 0, len(CARDS)) for n in left),
        tuple(number_field(seat, "a seat in winners", 0, rules.players - 1) for seat in winners),
    )
