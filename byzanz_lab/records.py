"""What the records of all games share: stepped through, replayed, written and read.

A record holds how a game began and what everybody did. ``RecordBase`` goes through it again, move by move, and is its
file: one JSON object, or one a line. ``RecorderBase`` remembers a game while it is played. The games say how they
begin, what the fields of a file are, and when a stated result is wrong.
"""

from __future__ import annotations

import json
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Generic, NamedTuple, Protocol, Self, TypeVar

from byzanz_lab.safe_json import MAX_BYTES, UnreadableJSON, load_json, shown


class InvalidRecord(ValueError):
    """The record is broken or breaks the rules; the message is one sentence that says what is wrong and where."""


class Played(Protocol):
    """A moment of a game, as far as a record must know it."""

    @property
    def to_move(self) -> int | None:
        """The seat that decides."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def apply(self, action: Any, seat: int | None = None) -> Self:
        """The state after an action."""

    def result(self) -> Any:
        """How the game ended."""


S = TypeVar("S", bound=Played)
A = TypeVar("A")


class Turn(NamedTuple, Generic[S, A]):
    """One action of a record, and the state in which it was taken."""

    number: int
    """Place in ``moves``, from 0."""
    seat: int
    """Who acted."""
    action: A
    """What was done."""
    state: S
    """The whole truth just before."""


class RecordBase(ABC, Generic[S, A]):
    """A game as data; the record of each game is a frozen dataclass that builds on this one."""

    moves: tuple[tuple[int, A], ...]
    result: Any

    # -- what each game says -----------------------------------------------------------------------------------------

    @abstractmethod
    def initial(self) -> S:
        """The state at the first decision."""

    @abstractmethod
    def check_end(self, final: S) -> None:
        """Refuse a stated result that is not the one the actions lead to, with `InvalidRecord`."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the record; exact inverse of `from_dict`."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: object, *args: Any, **kwargs: Any) -> Self:
        """Read the JSON object of a record; raises `InvalidRecord` if it is none."""

    def reason(self, state: S, seat: int, action: A, error: ValueError) -> str:
        """Why an action is refused, where the rules' own words are not enough."""
        return str(error)

    # -- stepping through --------------------------------------------------------------------------------------------

    def apply_move(self, state: S, index: int, seat: int, action: A) -> S:
        """The state after action ``index``.

        Raises
        ------
        InvalidRecord
            If the rules do not allow it; the message says which action it is, and why.
        """
        try:
            return state.apply(action, seat)
        except ValueError as error:
            why = self.reason(state, seat, action, error)
            raise InvalidRecord(f"action {index} (seat {seat}: {action}): {why}") from None

    def states(self) -> Iterator[Turn[S, A]]:
        """Step through the game: each action with its number, its seat and the state before it.

        Raises
        ------
        InvalidRecord
            At the first action that the rules do not allow.
        """
        state = self.initial()
        for index, (seat, action) in enumerate(self.moves):
            yield Turn(index, seat, action, state)
            state = self.apply_move(state, index, seat, action)

    def state_at(self, n: int) -> S:
        """The state before action ``n``; with ``n = len(moves)`` the one after the last.

        Raises
        ------
        ValueError
            If there is no such action (`InvalidRecord` if one before it is illegal).
        """
        if not 0 <= n <= len(self.moves):
            raise ValueError(f"there is no moment {n}, the record has moments 0 to {len(self.moves)}")
        state = self.initial()
        for index, (seat, action) in enumerate(self.moves[:n]):
            state = self.apply_move(state, index, seat, action)
        return state

    def replay(self) -> S:
        """Play the whole record again, check its result, and return the state after the last action.

        Raises
        ------
        InvalidRecord
            If an action is illegal, or the game does not end as the record says.
        """
        final = self.state_at(len(self.moves))
        self.check_end(final)
        return final

    # -- reading and writing -----------------------------------------------------------------------------------------

    def dumps(self) -> str:
        """The record as one line of JSON; exact inverse of `loads`."""
        return json.dumps(self.to_dict())

    @classmethod
    def loads(cls, text: str | bytes, *args: Any) -> Self:
        """Read a record from JSON text; further arguments are those of `from_dict`.

        Raises
        ------
        InvalidRecord
            If it is no JSON, or no record.
        """
        try:
            data = load_json(text, "record")
        except UnreadableJSON as error:
            raise InvalidRecord(str(error)) from None
        return cls.from_dict(data, *args)

    def write(self, path: str | Path) -> None:
        """Write the record to a file of its own."""
        write_records(path, [self])

    @classmethod
    def read(cls, path: str | Path, *args: Any) -> Self:
        """Read the one record of a file; further arguments are those of `from_dict`.

        Raises
        ------
        InvalidRecord
            If it holds none, or several (see `read_all`), or a broken one; the message names the file.
        OSError
            If the file cannot be opened.
        """
        records = list(islice(cls.read_all(path, *args), 2))
        if len(records) != 1:
            raise InvalidRecord(f"{path}: the file holds {'several records, not one' if records else 'no record'}")
        return records[0]

    @classmethod
    def read_all(cls, path: str | Path, *args: Any) -> Iterator[Self]:
        """Read a file of records one by one: one JSON object a line, or a single object over many lines.

        Raises
        ------
        InvalidRecord
            At the first broken record; the message names the file and the line.
        OSError
            If the file cannot be opened.
        """
        with Path(path).open("rb") as file:
            for where, text in objects_in(file):
                try:
                    record = cls.loads(text, *args)
                except InvalidRecord as error:
                    raise InvalidRecord(f"{path}{where}: {error}") from None
                yield record


R = TypeVar("R", bound=RecordBase[Any, Any])


class RecorderBase(Generic[R, S, A]):
    """Plays a game and remembers it.

    Parameters
    ----------
    begun
        The record of the game before anything was done.
    initial
        The state it begins with.
    """

    def __init__(self, begun: R, initial: S) -> None:
        self._begun = begun
        self.state = initial
        self.moves: list[tuple[int, A]] = []

    def apply(self, action: A, seat: int | None = None) -> S:
        """Let a seat, by default the one on the move, do this; returns the new state.

        Raises
        ------
        IllegalAction
            If the rules do not allow it; nothing is remembered then.
        """
        actor = self.state.to_move if seat is None else seat
        self.state = self.state.apply(action, actor)
        assert actor is not None  # nobody can act when the game is over
        self.moves.append((actor, action))
        return self.state

    def record(self) -> R:
        """The game so far, with its result when it is over."""
        result = self.state.result() if self.state.is_over else None
        return replace(self._begun, moves=tuple(self.moves), result=result)  # type: ignore[type-var]


def write_records(path: str | Path, records: Iterable[RecordBase[Any, Any]]) -> int:
    """Write records to a file, one a line, as they come; returns how many.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from byzanz_lab import Record, Rules, new_game
    >>> game = Record.from_game(new_game(Rules.for_seats(3), seed=1), [])
    >>> with TemporaryDirectory() as folder:
    ...     write_records(Path(folder) / "games.jsonl", [game, game])
    2
    """
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        return sum(file.write(record.dumps() + "\n") > 0 for record in records)


def objects_in(file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """The texts of the objects in a file, and where each stands; no more than one is in memory."""
    line, number = file.readline(MAX_BYTES + 1), 1
    while line and not line.strip():
        line, number = file.readline(MAX_BYTES + 1), number + 1
    if line and not line.strip().endswith(b"}"):  # an object over many lines, or one that is cut short
        yield "", line + file.read(MAX_BYTES + 1 - len(line))
        return
    while line:
        if line.strip():
            yield f", line {number}", line
        line, number = file.readline(MAX_BYTES + 1), number + 1


def check_names(names: Sequence[object], seats: int) -> None:
    """Refuse names that are too many, too few, no text, or that could upset a terminal.

    Raises
    ------
    ValueError
        With the reason.
    """
    if names and len(names) != seats:
        raise ValueError(f"{seats} seats need {seats} names, not {len(names)}")
    for seat, name in enumerate(names):
        if not isinstance(name, str):
            raise ValueError(f"the name of seat {seat} must be a text, not {shown(name)}")
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
            raise ValueError(f"the name of seat {seat}, {shown(name)}, holds a control character")
