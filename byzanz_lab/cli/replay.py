"""``byzanz-lab replay``: a game from its record, action by action, or one moment of it."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from byzanz_lab.cli.common import Refused, whole
from byzanz_lab.cli.files import hint, read_record, state_at

if TYPE_CHECKING:
    from byzanz_lab.game.record import Record
    from byzanz_lab.game.state import Result, State


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "replay",
        help="a game from its record",
        description="Replay a game by the rules, and print every action and the result; or one moment of it.",
    )
    command.add_argument("record", type=Path, help="record (JSON)")
    command.add_argument("--at", type=whole(0), metavar="N", help="only the moment before action N, all hands open")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the game, or a moment of it."""
    record = read_record(args.record)
    if args.at is None:
        for line in game_lines(record, str(args.record)):
            print(line)
        return 0
    for line in moment_lines(record, args.at, state_at(record, args.at, str(args.record))):
        print(line)
    if args.at < len(record.moves):
        print(f"advice: {hint('advise', args.record, args.at)}")
    return 0


def game_lines(record: Record, file: str) -> Iterator[str]:
    """The whole game. The actions before one that is illegal are printed before it is refused."""
    from byzanz_lab.game.record import InvalidRecord

    yield _title(record)
    names, before = _names(record), (0, -1)
    try:
        for turn in record.states():
            table = turn.state.table
            if (table.round, table.lots_won) != before and table.lot:
                yield from [""] + ([f"Round {table.round}"] if table.round != before[0] else [])
                yield f"  lot {table.offer}: {table.lot}"
                before = (table.round, table.lots_won)
            yield f"{turn.number:>5}  {names[turn.seat]}  {turn.action}"
        final = record.replay()
    except InvalidRecord as error:
        raise Refused(f"{file}: {error}") from None
    yield ""
    if not final.is_over:
        yield f"Not finished: seat {final.to_move} has the next decision ({_phase(final)})."
        return
    yield from result_lines(final.result(), record.names)


def moment_lines(record: Record, at: int, state: State) -> Iterator[str]:
    """One moment, all hands open."""
    table = state.table
    mover = "the game is over" if state.to_move is None else f"seat {state.to_move} to decide"
    yield f"{_title(record)}, moment {at}: round {table.round}, {_phase(state)}, {mover}"
    for what, cards in ((f"lot {table.offer}", table.lot), ("market", table.market)):
        if cards:
            yield f"{what}: {cards}"
    head = ["", "seat", "profit", "offer", "open bid", "hand"]
    names = _names(record)
    body = [
        [
            ">" if seat == state.to_move else "",
            names[seat].removeprefix("seat ").strip(),
            str(table.profits[seat]),
            str(table.offers[seat] or ""),
            f"{table.bids[seat].total}: {table.bids[seat]}"
            if table.bids[seat]
            else "passed"
            if seat in table.passes
            else "",
            str(state.hands[seat]),
        ]
        for seat in range(record.rules.seats)
    ]
    yield from columns([head, *body])
    if at < len(record.moves):
        seat, action = record.moves[at]
        yield f"next: {names[seat].strip()}: {action}"


def result_lines(result: Result, names: Sequence[str]) -> Iterator[str]:
    """How a game ended: a line a seat."""
    head = ["seat", "name", "profit", "goods left", ""]
    seats = range(len(result.profits))
    body = [
        [
            str(seat),
            names[seat] if names else "",
            str(result.profits[seat]),
            str(result.goods_left[seat]),
            "" if seat not in result.winners else "wins" if len(result.winners) == 1 else "shares the win",
        ]
        for seat in seats
    ]
    yield from columns([head, *body])


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of texts, one under the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _names(record: Record) -> list[str]:
    """Seats with their names, all of one width."""
    texts = [
        f"seat {seat}" + (f" ({name})" if name else "")
        for seat, name in itertools.zip_longest(range(record.rules.seats), record.names, fillvalue="")
    ]
    return [text.ljust(max(map(len, texts))) for text in texts]


def _title(record: Record) -> str:
    variant = "".join(f", {name}={value}" for name, value in record.rules.variant.items())
    return f"Byzanz, {record.rules.seats} seats{variant}, {len(record.moves)} actions"


def _phase(state: State) -> str:
    return str(state.phase).replace("_", " ")
