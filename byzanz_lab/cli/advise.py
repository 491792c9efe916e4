"""``byzanz-lab advise``: what to do in a position, as a table, as a page, as JSON."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.cli.common import (
    Refused,
    add_position_options,
    add_thinking_options,
    budget_of,
    policies_named,
    say,
)
from byzanz_lab.cli.files import as_typed, check_writable, moment_of, write_text
from byzanz_lab.cli.waiting import compile_first, wants_bar

if TYPE_CHECKING:
    from byzanz_lab.advice.advise import Advice
    from byzanz_lab.advice.lots import LotValue
    from byzanz_lab.game.position import Position

REPORT: Final = Path("byzanz-advice.html")
"""Where the report goes when nothing is asked for."""
LOT_SHARE: Final = 0.25
"""Share of the seconds that goes to the worth of the lot, where it is shown."""
LOT_WORLDS: Final = 2000
"""Most worlds for it; every one of them is played at every price."""


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "advise",
        help="what to do, with error bars",
        description="Compare all choices of the seat on the move. Without a file: those in a position that ships with "
        f"byzanz_lab, with a report in {REPORT}.",
    )
    add_position_options(command)
    add_thinking_options(command)
    command.add_argument("--json", action="store_true", help="print everything as JSON, and nothing else")
    command.add_argument("--html", type=Path, metavar="FILE", help="also write a report that needs no network")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Advise, and print the answer."""
    moment = moment_of(args.file, args.at, args.seat)
    main_job = args.file is None and not args.json
    report = args.html or (REPORT if main_job else None)
    if report is not None:
        check_writable(report)
    from byzanz_lab.game.actions import Bid

    position = moment.position
    if position.to_move != position.seat:
        whose = "the game is over" if position.to_move is None else f"it is the turn of seat {position.to_move}"
        raise Refused(f"seat {position.seat}, whose view this is, has nothing to decide: {whose}")
    how = _how(args, position.rules.seats)
    with_lot = report is not None and any(isinstance(action, Bid) for action in position.legal_actions())
    advice = _advice(args, position, how, 1 - LOT_SHARE if with_lot else 1.0)
    _print(advice, args)
    if report is not None:
        lot = _lot(args, position, how) if with_lot else None
        _write(report, advice, lot, moment.names, quiet=args.json)
    if main_job:
        print(f"Notebook: {notebook_line()}")
    return 0


def _how(args: argparse.Namespace, seats: int) -> dict[str, Any]:
    return {
        "seed": args.seed,
        "objective": args.objective,
        "policies": policies_named(args.policy, seats),
        "workers": args.workers,
        "progress": wants_bar(),
    }


def _advice(args: argparse.Namespace, position: Position, how: dict[str, Any], share: float) -> Advice:
    from byzanz_lab.advice.advise import advise
    from byzanz_lab.simulation.playouts import self_play

    compile_first("play_worlds", lambda: self_play(position.rules, 1))
    return advise(position, budget_of(args, share), **how)


def _lot(args: argparse.Namespace, position: Position, how: dict[str, Any]) -> LotValue:
    from byzanz_lab.advice.lots import lot_value

    lot = lot_value(position, None, budget_of(args, LOT_SHARE, LOT_WORLDS), **how)
    if not args.json:
        print(lot.sentence)
    return lot


def _print(advice: Advice, args: argparse.Namespace) -> None:
    import json

    if args.json:
        print(json.dumps(advice.to_dict(timing=args.worlds is None), allow_nan=False))
    else:
        print(advice, flush=True)  # there to be read while the report is made


def _write(report: Path, advice: Advice, lot: LotValue | None, names: tuple[str, ...], quiet: bool) -> None:
    from byzanz_lab.charts.report import advice_report

    write_text(report, advice_report(advice, lot, names=names))
    line = f"Report: {as_typed(report)}, to be opened in a browser"
    if quiet:
        say(line)  # standard output holds JSON alone
    else:
        print(f"\n{line}")


def notebook_line() -> str:
    """The line that opens the advisor in JupyterLab, with this very environment."""
    python = Path(sys.executable)
    script = python.with_name("byzanz-lab.exe" if sys.platform == "win32" else "byzanz-lab")
    return f"{as_typed(script) if script.is_file() else f'{as_typed(python)} -m byzanz_lab.cli'} lab"
