"""A whole game as data: written, read, replayed.

``Record`` holds the cards as they were drawn from each deck and what both players did: enough to go through the game
again, move by move, as `State`s, whoever shuffled. Files are described in `record_json`. ``Recorder`` writes a record
while a game is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from byzanz_lab.companions.empire.actions import Action, action_to_dict
from byzanz_lab.companions.empire.cards import Deck
from byzanz_lab.companions.empire.chance import Recorded
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.position_json import deck_to_dict
from byzanz_lab.companions.empire.record_json import FORMAT, VERSION, fields_from_dict, result_to_dict
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.state import Result, State, new_game
from byzanz_lab.records import InvalidRecord, RecordBase, RecorderBase, Turn, check_names, write_records

__all__ = ["InvalidRecord", "Record", "Recorder", "Standing", "Turn", "read_records", "write_records"]


class Standing(NamedTuple):
    """How things stood at the end of a turn."""

    turn: int
    """From 1; 0 for the beginning of the game."""
    emperor: int
    """Who was Emperor."""
    territory: int
    """Territory tokens."""
    legacy: tuple[int, int]
    """Per seat, legacy tokens."""


@dataclass(frozen=True, repr=False)
class Record(RecordBase[State, Action]):
    """A game: what was drawn, what was done, and how it ended.

    Parameters
    ----------
    deck
        The cards of the game.
    emperor
        The seat that was Emperor in the first turn.
    draws
        Per side (Byzantine, Foes), the cards in the order in which they were drawn.
    moves
        Seat and action, in the order in which they were taken.
    names
        Per seat, a name; empty for none.
    result
        How the game ended; ``None`` while it is running.

    Raises
    ------
    InvalidRecord
        If the first hands cannot be drawn, or the names are none. Actions are checked when the record is replayed.

    Examples
    --------
    >>> recorder = Recorder(new_game(seed=1))
    >>> state = recorder.apply(recorder.state.legal_actions()[0])
    >>> record = recorder.record()
    >>> Record.loads(record.dumps()) == record
    True
    >>> record.replay() == state
    True
    """

    deck: Deck
    emperor: int
    draws: tuple[tuple[str, ...], tuple[str, ...]]
    moves: tuple[tuple[int, Action], ...] = ()
    names: tuple[str, ...] = ()
    result: Result | None = None

    def __post_init__(self) -> None:
        try:
            check_names(self.names, 2)
            self.initial()
        except ValueError as error:
            raise InvalidRecord(str(error)) from None

    # -- stepping through ---------------------------------------------------------------------------------------------

    def initial(self) -> State:
        """The state at the first decision."""
        return new_game(self.deck, emperor=self.emperor, chance=Recorded(self.draws))

    def check_end(self, final: State) -> None:
        """Refuse draws that were not made, and a result that the actions do not lead to, with `InvalidRecord`."""
        for side in Side:
            drawn, listed = len(final.drawn[side.number]), len(self.draws[side.number])
            if drawn < listed:
                raise InvalidRecord(f"the record lists {listed} draws from the {side} deck, but {drawn} were made")
        if self.result is not None:
            _check_result(self.result, final)

    def course(self) -> tuple[Standing, ...]:
        """How things stood at the beginning and at the end of each turn that was finished."""
        moments = [turn.state for turn in self.states()]
        states = [*moments, self.state_at(len(self.moves))]
        first = states[0].table
        course = [Standing(0, first.emperor, first.territory, first.legacy)]
        for before, after in pairwise(states):
            table = after.table
            if after.is_over or table.turn > before.table.turn:
                course.append(Standing(before.table.turn, before.table.emperor, table.territory, table.legacy))
        return tuple(course)

    # -- reading and writing ------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the record; exact inverse of `from_dict`."""
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "deck": deck_to_dict(self.deck)}
        data["emperor"] = self.emperor
        if self.names:
            data["names"] = list(self.names)
        data["draws"] = {str(side): list(self.draws[side.number]) for side in Side}
        data["actions"] = [action_to_dict(seat, action) for seat, action in self.moves]
        if self.result is not None:
            data["result"] = result_to_dict(self.result)
        return data

    @classmethod
    def from_dict(cls, data: object, deck: Deck | None = None) -> Record:
        """Read the JSON object of a record.

        Parameters
        ----------
        data
            The object.
        deck
            The cards it is about; the deck that ships with the package if not given.

        Raises
        ------
        InvalidRecord
            If a field is missing, unknown, or not what it should be, or it was made with another deck.
        """
        try:
            return cls(**fields_from_dict(data, default_deck() if deck is None else deck))
        except ValueError as error:
            raise InvalidRecord(str(error)) from None

    # -- shown --------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        end = "unfinished" if self.result is None else f"won by seat {', '.join(map(str, self.result.winners))}"
        return f"<Record: Byzantine Empire, {len(self.moves)} actions, {end}>"

    def _repr_html_(self) -> str:
        names = [escape(name) for name in self.names or ("seat 0", "seat 1")]
        rows = "".join(
            f"<tr><th scope='row'>{s.turn}</th><td>{names[s.emperor]}</td><td>{s.territory}</td>"
            f"<td>{s.legacy[0]}</td><td>{s.legacy[1]}</td></tr>"
            for s in self.course()[1:]
        )
        heads = "".join(
            f"<th scope='col'>{head}</th>"
            for head in ("turn", "Emperor", "territory", *(f"legacy of {name}" for name in names))
        )
        return f"<table><caption>Byzantine Empire</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


class Recorder(RecorderBase[Record, State, Action]):
    """Plays a game and remembers it.

    Parameters
    ----------
    initial
        The beginning of a game, as `new_game` makes it.
    names
        Per seat, a name; empty for none.

    Raises
    ------
    ValueError
        If ``initial`` is a later moment of a game.
    """

    def __init__(self, initial: State, names: Sequence[str] = ()) -> None:
        table = initial.table
        if initial != new_game(table.deck, emperor=table.emperor, chance=initial.chance):
            raise ValueError("a record begins with the first decision, and this state is a later one")
        super().__init__(Record(table.deck, table.emperor, initial.drawn, names=tuple(names)), initial)

    def record(self) -> Record:
        """The game so far, with what was drawn, and with its result when it is over."""
        return replace(super().record(), draws=self.state.drawn)


def read_records(path: str | Path, deck: Deck | None = None) -> Iterator[Record]:
    """Read a file of records one by one: one JSON object a line, or a single object over many lines.

    Raises
    ------
    InvalidRecord
        At the first broken record; the message names the file and the line.
    OSError
        If the file cannot be opened.
    """
    return Record.read_all(path, deck)


def _check_result(stated: Result, final: State) -> None:
    if not final.is_over:
        raise InvalidRecord(f"the record states a result, but the game is not over: the decision is {final.phase}")
    right = final.result()
    for name in ("legacy", "territory", "turns", "winners"):
        if getattr(stated, name) != getattr(right, name):
            told, found = getattr(stated, name), getattr(right, name)
            raise InvalidRecord(f"the result is wrong: it states {name} {told}, the actions lead to {found}")
