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

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from byzanz_lab.companions.byzantium.actions import Action, action_from_dict, action_to_dict
from byzanz_lab.companions.byzantium.cards import CARDS, Cards
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import Result, State, deal
from byzanz_lab.companions.byzantium.table import IllegalAction
from byzanz_lab.safe_json import MAX_BYTES, UnreadableJSON, load_json, shown

FORMAT: Final = "byzantium-record"
VERSION: Final = 1
_FIELDS: Final = (
    "format", "version", "players", "variant", "names", "dealer", "hands", "kitty", "deck", "actions", "result",
)  # fmt: skip


class InvalidRecord(ValueError):
    """What was read is no record of a deal; the message is one sentence."""


class Turn(NamedTuple):
    """One action of a record, and the state in which it was taken."""

    number: int
    """Place in ``Record.moves``, from 0."""
    seat: int
    """Who acted."""
    action: Action
    """What was done."""
    state: State
    """The whole truth just before."""


@dataclass(frozen=True, repr=False)
class Record:
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
        if self.names and len(self.names) != self.rules.players:
            raise InvalidRecord(f"{self.rules.players} players have {self.rules.players} names, not {len(self.names)}")
        try:
            self.initial()
        except ValueError as error:
            raise InvalidRecord(str(error)) from None

    def initial(self) -> State:
        """The state after the deal."""
        return deal(self.rules, self.hands, self.deck, self.dealer)

    def states(self) -> Iterator[Turn]:
        """Step through the deal: each action with its number, its seat and the state before it.

        Raises
        ------
        InvalidRecord
            At the first action that the rules do not allow.
        """
        state = self.initial()
        for number, (seat, action) in enumerate(self.moves):
            yield Turn(number, seat, action, state)
            state = _applied(state, number, seat, action)

    def state_at(self, n: int) -> State:
        """The state after ``n`` actions.

        Raises
        ------
        ValueError
            If there are not so many (`InvalidRecord` if one before it is illegal).
        """
        if not 0 <= n <= len(self.moves):
            raise ValueError(f"there is no moment {n}, the record has moments 0 to {len(self.moves)}")
        state = self.initial()
        for number, (seat, action) in enumerate(self.moves[:n]):
            state = _applied(state, number, seat, action)
        return state

    def replay(self) -> State:
        """Play the whole record again, check its result, and return the last state.

        Raises
        ------
        InvalidRecord
            If an action is illegal, or the deal does not end as the record says.
        """
        final = self.state_at(len(self.moves))
        if self.result is not None:
            if not final.is_over:
                raise InvalidRecord("the record states a result, but the deal is not over")
            if self.result != final.result():
                stated, right = list(self.result.left), list(final.result().left)
                raise InvalidRecord(f"the result is wrong: it states {stated} cards left, the actions lead to {right}")
        return final

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

    def dumps(self) -> str:
        """The record as one line of JSON; exact inverse of `loads`."""
        return json.dumps(self.to_dict())

    @classmethod
    def loads(cls, text: str | bytes) -> Record:
        """Read a record from JSON text; raises `InvalidRecord` if it is no JSON, or no record."""
        try:
            return cls.from_dict(load_json(text, "record"))
        except UnreadableJSON as error:
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


class Recorder:
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
        self._begun = Record(initial.rules, initial.table.dealer, hands, deck, names=tuple(names))
        self.state = initial
        self.moves: list[tuple[int, Action]] = []

    def apply(self, action: Action, seat: int | None = None) -> State:
        """Let a seat, by default the one on the move, do this; returns the new state.

        Raises
        ------
        IllegalAction
            If the rules do not allow it; nothing is remembered then.
        """
        actor = self.state.to_move if seat is None else seat
        self.state = self.state.apply(action, actor)
        assert actor is not None  # nobody can act when the deal is over
        self.moves.append((actor, action))
        return self.state

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

    def record(self) -> Record:
        """The deal so far, with its result when it is over."""
        record = replace(self._begun, moves=tuple(self.moves))
        return replace(record, result=self.state.result()) if len(self.moves) and self.state.is_over else record


def read_records(path: str | Path) -> list[Record]:
    """Read a file of records: one JSON object a line, or a single object over many lines.

    Raises
    ------
    InvalidRecord
        At the first broken record; the message names the file and the line.
    OSError
        If the file cannot be opened.
    """
    with Path(path).open("rb") as file:
        text = file.read(MAX_BYTES + 1)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    single = len(lines) > 1 and lines[0][1].strip() == b"{"
    objects = (
        [("", text)] if single or len(text) > MAX_BYTES else [(f", line {number}", line) for number, line in lines]
    )
    records = []
    for where, each in objects:
        try:
            records.append(Record.loads(each))
        except InvalidRecord as error:
            raise InvalidRecord(f"{path}{where}: {error}") from None
    return records


def write_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write records to a file, one a line; returns how many."""
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        return sum(file.write(record.dumps() + "\n") > 0 for record in records)


def _applied(state: State, number: int, seat: int, action: Action) -> State:
    try:
        return state.apply(action, seat)
    except IllegalAction as error:
        raise InvalidRecord(f"action {number} (seat {seat}: {action}): {error}") from None


def _record_from(data: object) -> Record:
    if not isinstance(data, Mapping):
        raise InvalidRecord(f"a record is an object, not {shown(data)}")
    for name in data:
        if name not in _FIELDS:
            raise InvalidRecord(f"unknown field {shown(name)}")
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise InvalidRecord(f"it is no {FORMAT} of version {VERSION}")
    variant = data.get("variant", {})
    if not isinstance(variant, Mapping):
        raise InvalidRecord(f"variant is an object, not {shown(variant)}")
    players = data.get("players")
    if isinstance(players, bool) or not isinstance(players, int):
        raise InvalidRecord(f"players is a number, not {shown(players)}")
    rules = Rules.for_players(players, **variant)
    hands = [Cards(_codes(hand, "a hand")) for hand in _list(data, "hands")]
    deck = _codes(_list(data, "deck"), "the deck")
    actions = [_action(number, entry) for number, entry in enumerate(_list(data, "actions"))]
    names = _list(data, "names")
    if not all(isinstance(name, str) for name in names):
        raise InvalidRecord("names are texts")
    record = Record(rules, data.get("dealer", 0), tuple(hands), tuple(deck), tuple(actions), tuple(names))
    if "kitty" in data and Cards(_codes(_list(data, "kitty"), "the kitty")) != record.initial().kitty:
        raise InvalidRecord(f"the kitty is {record.initial().kitty}, what nobody was dealt")
    result = data.get("result")
    return record if result is None else replace(record, result=_result(result, rules))


def _action(number: int, entry: object) -> tuple[int, Action]:
    try:
        return action_from_dict(entry)
    except ValueError as error:
        raise InvalidRecord(f"action {number}: {error}") from None


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name, [])
    if not isinstance(value, list):
        raise InvalidRecord(f"{name} is a list, not {shown(value)}")
    return value


def _codes(cards: object, what: str) -> list[str]:
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise InvalidRecord(f"{what} is a list of cards, not {shown(cards)}")
    for card in cards:
        if card not in CARDS:
            raise InvalidRecord(f"unknown card {shown(card)} in {what}; a record has exact codes such as R7 or B10")
    return cards


def _result(data: object, rules: Rules) -> Result:
    if not isinstance(data, Mapping) or set(data) != {"left", "winners"}:
        raise InvalidRecord("a result is an object with left and winners")
    lists = {name: data[name] for name in ("left", "winners")}
    for name, value in lists.items():
        if not isinstance(value, list) or not all(type(item) is int for item in value):
            raise InvalidRecord(f"{name} of the result is a list of numbers, not {shown(value)}")
    if len(lists["left"]) != rules.players:
        raise InvalidRecord(f"left has one number a seat, {rules.players}, not {len(lists['left'])}")
    return Result(tuple(lists["left"]), tuple(lists["winners"]))
