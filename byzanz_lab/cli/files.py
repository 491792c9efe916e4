"""Files that commands read and write; what is wrong with one is said in a sentence that names it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from byzanz_lab.cli.common import PROGRAM, Refused

if TYPE_CHECKING:
    from byzanz_lab.game.position import Position
    from byzanz_lab.game.record import Record


class Moment(NamedTuple):
    """What a command is asked about."""

    position: Position
    names: tuple[str, ...]
    """Per seat, a name; empty for none."""


def moment_of(file: Path | None, at: int | None, seat: int | None, any_seat: bool = False) -> Moment:
    """The position that a command is asked about.

    Parameters
    ----------
    file
        A position or a record; ``None`` for the position that ships with the package.
    at, seat
        Moment of a record, and whose view of it.
    any_seat
        Whether a seat that is not on the move will do.

    Raises
    ------
    Refused
        If there is no such position.
    """
    if file is None:
        from byzanz_lab.game.position_json import load_sample

        return _of_position(load_sample(), at, seat)
    position, record = read_any(file)
    if record is not None:
        return _of_record(record, at, seat, any_seat, str(file))
    assert position is not None
    return _of_position(position, at, seat)


def _of_position(position: Position, at: int | None, seat: int | None) -> Moment:
    if at is not None:
        raise Refused("--at counts the actions of a record, and this is a position")
    if seat is not None and seat != position.seat:
        raise Refused(f"this position is the view of seat {position.seat}: nobody can tell what seat {seat} sees")
    return Moment(position, ())


def _of_record(record: Record, at: int | None, seat: int | None, any_seat: bool, file: str) -> Moment:
    from byzanz_lab.game.position import observe

    last = len(record.moves)
    state = state_at(record, last if at is None else at, file)
    if state.to_move is None:
        if at is not None:
            raise Refused(f"nothing is left to decide at moment {at} of {file}: the game is over")
        raise Refused(f"the game in {file} is over: choose a moment from 0 to {last - 1} with --at N")
    if seat is not None and seat >= record.rules.seats:
        raise Refused(f"there is no seat {seat}, seats are 0 to {record.rules.seats - 1}")
    if seat is not None and seat != state.to_move and not any_seat:
        raise Refused(f"seat {seat} has nothing to decide here: it is the turn of seat {state.to_move}")
    return Moment(observe(state, state.to_move if seat is None else seat), record.names)


def state_at(record: Record, moment: int, file: str) -> Any:
    """The State at one moment of a record that was read from a file."""
    try:
        return record.state_at(moment)
    except ValueError as error:
        raise Refused(f"{file}: {error}") from None


def read_any(file: Path) -> tuple[Position | None, Record | None]:
    """Read a position or a record: one of the two is there."""
    from byzanz_lab.game.fault import InvalidPosition
    from byzanz_lab.game.position_json import FORMAT as POSITION, position_from_dict
    from byzanz_lab.game.record import InvalidRecord, Record
    from byzanz_lab.game.record_json import FORMAT as RECORD
    from byzanz_lab.safe_json import UnreadableJSON, load_json_file, shown

    try:
        data = load_json_file(file, "file")
        kind = data.get("format") if isinstance(data, dict) else None
        if kind == RECORD:
            return None, Record.from_dict(data)
        if kind == POSITION:
            return position_from_dict(data), None
    except OSError as error:
        raise _unreadable(file, error) from None
    except UnreadableJSON as error:
        raise Refused(str(error)) from None
    except InvalidPosition as error:
        raise Refused(
            f"the position in {file} cannot be:" + "".join(f"\n  {fault}" for fault in error.faults)
        ) from None
    except InvalidRecord as error:
        raise Refused(f"{file}: {error}") from None
    given = shown(kind) if isinstance(data, dict) else shown(data)
    raise Refused(f"{file} holds no position and no record: its format must be {POSITION!r} or {RECORD!r}, not {given}")


def read_record(file: Path) -> Record:
    """Read a record, and nothing else."""
    _, record = read_any(file)
    if record is None:
        raise Refused(f"{file} is a position; a record is needed")
    return record


def _unreadable(file: Path, error: OSError) -> Refused:
    return Refused(f"cannot read {file}: {_reason(error)}")


def _reason(error: OSError) -> str:
    text = error.strerror or type(error).__name__
    return text[:1].lower() + text[1:]


def check_writable(file: Path) -> None:
    """Refuse a file that cannot be written, before time is spent on what should go into it."""
    if file.is_dir():
        raise Refused(f"cannot write {file}: it is a folder")
    if not file.absolute().parent.is_dir():
        raise Refused(f"cannot write {file}: there is no folder {file.absolute().parent}")
    if not os.access(file if file.exists() else file.absolute().parent, os.W_OK):
        raise Refused(f"cannot write {file}: permission denied")


def write_text(file: Path, text: str) -> None:
    """Write a file in UTF-8, the same on every system."""
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Refused(f"cannot write {file}: {_reason(error)}") from None


def as_typed(path: Path) -> str:
    """A path as one would type it here: relative where that is shorter, and quoted where it needs to be."""
    import shlex
    import subprocess
    import sys

    here = Path.cwd()
    short = str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
    return subprocess.list2cmdline([short]) if sys.platform == "win32" else shlex.quote(short)


def hint(command: str, file: Path, at: int) -> str:
    """A command to type next."""
    return f"{PROGRAM} {command} {as_typed(file)} --at {at}"
