"""A whole game as data: written, read, replayed.

``Record`` holds a deal and what everybody did, enough to go through the game again, move by move, as `State`s. Files
hold one JSON object, or one a line; its shape is checked by `record_json`, the deal by `deal`, and the actions by the
rules themselves while the game is replayed. Games that were kept at a real table work too: there nobody knows the
removed cards, and while the game is running nobody knows the rest of the deck. ``Recorder`` writes a record while a
game is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from byzanz_lab.game.actions import Action, Decline, action_to_dict
from byzanz_lab.game.cards import KINDS, Cards
from byzanz_lab.game.record_json import FORMAT, VERSION, fields_from_dict, result_to_dict
from byzanz_lab.game.replay import check_result, needed_moves
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import Result, State, deal
from byzanz_lab.game.table import why_illegal
from byzanz_lab.records import InvalidRecord, RecordBase, RecorderBase, Turn, check_names, write_records

__all__ = ["InvalidRecord", "Record", "Recorder", "Turn", "read_records", "write_records"]


@dataclass(frozen=True, repr=False)
class Record(RecordBase[State, Action]):
    """A game: its deal, what was done, and how it ended.

    Parameters
    ----------
    rules
        The rules of the game.
    start_player
        Seat that opened the first auction.
    hands
        Per seat, the cards dealt.
    deck
        Card codes in drawing order; may be cut short where ``removed`` is ``None``.
    removed
        Cards removed unseen, ``None`` where nobody knows them.
    moves
        Seat and action, in the order in which they were taken.
    names
        Per seat, a name; empty for none.
    result
        How the game ended; ``None`` while it is running.

    Raises
    ------
    InvalidRecord
        If the cards do not add up, or a seat does not exist. Actions are checked when the record is replayed.

    Examples
    --------
    >>> from byzanz_lab.game.state import new_game
    >>> from byzanz_lab.game.actions import Pass
    >>> record = Record.from_game(new_game(Rules.for_seats(3), seed=1), [(0, Pass()), (1, Pass())])
    >>> Record.loads(record.dumps()) == record
    True
    >>> record.replay().to_move
    2
    """

    rules: Rules
    start_player: int
    hands: tuple[Cards, ...]
    deck: tuple[str, ...]
    removed: Cards | None = None
    moves: tuple[tuple[int, Action], ...] = ()
    names: tuple[str, ...] = ()
    result: Result | None = None

    def __post_init__(self) -> None:
        for name in ("hands", "deck", "moves", "names"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        try:
            check_names(self.names, self.rules.seats)
            self.initial()
        except ValueError as error:
            raise InvalidRecord(str(error)) from None
        for index, (seat, _) in enumerate(self.moves):
            if not 0 <= seat < self.rules.seats:
                raise InvalidRecord(f"action {index}: there is no seat {seat}, seats are 0 to {self.rules.seats - 1}")

    # -- made from a game --------------------------------------------------------------------------------------------

    @classmethod
    def from_game(cls, initial: State, moves: Iterable[tuple[int, Action]], names: Sequence[str] = ()) -> Record:
        """Make the record of a game from its first state and what was done since.

        Raises
        ------
        ValueError
            If ``initial`` is not the beginning of a game (`InvalidRecord` if an action is illegal).
        """
        record = replace(_record_of_deal(initial, names), moves=tuple(moves))
        final = record.replay()
        return replace(record, result=final.result()) if final.is_over else record

    # -- stepping through --------------------------------------------------------------------------------------------

    def initial(self) -> State:
        """The state after the deal, with the first lot on the table."""
        return deal(self.rules, self.hands, self.deck, self.removed, self.start_player)

    def check_end(self, final: State) -> None:
        """Refuse a stated result that is not the one the actions lead to, with `InvalidRecord`."""
        if self.result is not None:
            check_result(self.result, final)

    def reason(self, state: State, seat: int, action: Action, error: ValueError) -> str:
        """Why an action is refused: what the rules say, without what the seat itself can see."""
        return why_illegal(state.table, state.hands[seat], seat, action) or str(error)

    # -- reading and writing -----------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the record; exact inverse of `from_dict`."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "players": self.rules.seats,
            "variant": self.rules.variant,
        }
        if self.names:
            data["names"] = list(self.names)
        data |= {
            "start_player": self.start_player,
            "hands": [hand.codes() for hand in self.hands],
            "removed": None if self.removed is None else self.removed.codes(),
            "deck": list(self.deck),
            "actions": [action_to_dict(seat, action) for seat, action in self.moves],
        }
        if self.result is not None:
            data["result"] = result_to_dict(self.result)
        return data

    @classmethod
    def from_dict(cls, data: object) -> Record:
        """Read the JSON object of a record.

        With variant ``may_decline_market``, a ``decline`` of a seat that found the market empty is left out: that seat
        has no decision, but the format can be read as if it had.

        Raises
        ------
        InvalidRecord
            If a field is missing, unknown, or not what it should be, or the cards do not add up.
        """
        try:
            record = cls(**fields_from_dict(data))
        except ValueError as error:
            raise InvalidRecord(str(error)) from None
        if record.rules.may_decline_market and any(isinstance(action, Decline) for _, action in record.moves):
            return replace(record, moves=tuple(needed_moves(record)))
        return record

    # -- shown -------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        end = "unfinished" if self.result is None else f"won by seat {', '.join(map(str, self.result.winners))}"
        return f"<Record: {self.rules!r}, {len(self.moves)} actions, {end}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in self._html_rows())
        heads = "".join(f"<th>{head}</th>" for head in ("seat", "name", "profit", "goods left", ""))
        variant = "".join(f", {name} = {value}" for name, value in self.rules.variant.items())
        caption = f"Byzanz, {self.rules.seats} seats{variant}, {len(self.moves)} actions"
        return f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"

    def _html_rows(self) -> Iterator[tuple[object, ...]]:
        for seat, name in enumerate(self.names or ("",) * self.rules.seats):
            if self.result is None:
                yield seat, escape(name), "", "", "unfinished"
            else:
                won = "winner" if seat in self.result.winners else ""
                yield seat, escape(name), self.result.profits[seat], self.result.goods_left[seat], won


class Recorder(RecorderBase[Record, State, Action]):
    """Plays a game and remembers it.

    Parameters
    ----------
    initial
        The beginning of a game, as `new_game` and `deal` make it.
    names
        Per seat, a name; empty for none.

    Raises
    ------
    ValueError
        If ``initial`` is a later moment of a game.

    Examples
    --------
    >>> from byzanz_lab.game.state import new_game
    >>> recorder = Recorder(new_game(Rules.for_seats(3), seed=1))
    >>> state = recorder.apply(recorder.state.legal_actions()[0])
    >>> recorder.record().moves
    ((0, Pass()),)
    """

    def __init__(self, initial: State, names: Sequence[str] = ()) -> None:
        super().__init__(_record_of_deal(initial, names), initial)


def read_records(path: str | Path) -> Iterator[Record]:
    """Read a file of records one by one: one JSON object a line, or a single object over many lines.

    Raises
    ------
    InvalidRecord
        At the first broken record; the message names the file and the line.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from byzanz_lab import Rules, new_game
    >>> game = Record.from_game(new_game(Rules.for_seats(3), seed=1), [])
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "games.jsonl"
    ...     written = write_records(path, [game, game])
    ...     written, [record == game for record in read_records(path)]
    (2, [True, True])
    """
    return Record.read_all(path)


def _record_of_deal(initial: State, names: Sequence[str]) -> Record:
    deck = (*initial.table.lot.codes(), *(KINDS[kind] for kind in initial.deck))
    record = None
    with suppress(InvalidRecord):
        record = Record(initial.rules, initial.to_move or 0, initial.hands, deck, initial.removed)
    if record is None or record.initial() != initial:
        raise ValueError("a record begins with the deal, and this state is not the beginning of a game")
    return replace(record, names=tuple(names))
