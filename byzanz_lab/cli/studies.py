"""``byzanz-lab tournament`` and ``byzanz-lab review``: policies against each other, and a game gone through.

`add_commands` adds both to the parser of the command line. Each sets ``run`` (and the same as ``func``): a function of
the arguments that returns an exit code. What cannot be used is refused in one sentence on standard error, with 2.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from byzanz_lab.simulation.policies import Policy

BAD_INPUT: Final = 2
ADVISER: Final = re.compile(r"adviser(?::(\d+(?:\.\d+)?)(s|w))?")
ADVISER_WORLDS: Final = 256
"""Worlds a decision of an adviser that is given neither worlds nor seconds."""


def add_commands(commands: Any) -> None:
    """Add ``tournament`` and ``review`` to the parser's commands."""
    _add_tournament(commands)
    _add_review(commands)


def _add_tournament(commands: Any) -> None:
    command = commands.add_parser(
        "tournament",
        help="policies against each other, with error bars",
        description="Let policies play each other: every deal in all rotations of the seats. The same seed gives the "
        "same games.",
    )
    command.add_argument(
        "policy", nargs="+", help=
        "a character (learned, greedy, ...), default, or adviser, adviser:0.5s, adviser:200w (seconds or worlds)",
    )  # fmt: skip
    command.add_argument("--seats", type=int, default=4, metavar="N", help="3 to 6 (default 4)")
    command.add_argument("--games", type=int, default=1000, metavar="N", help="at least so many games (default 1000)")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="root of the random numbers (default 1)")
    command.add_argument("--lineups", default="field", metavar="KIND", help="field (default) or duels")
    command.add_argument("--file", type=Path, metavar="FILE", help="keep the games, and go on from there next time")
    command.add_argument("--workers", type=int, metavar="N", help="threads (default: one a core)")
    command.add_argument("--json", action="store_true", help="print everything as JSON, and nothing else")
    _finish(command, tournament)


def _add_review(commands: Any) -> None:
    command = commands.add_parser(
        "review",
        help="a recorded game gone through: losses, luck and skill",
        description="Judge every decision of a recorded game, and say where each result came from.",
    )
    command.add_argument("record", type=Path, help="a record (JSON)")
    command.add_argument("--seat", type=int, metavar="S", help="judge this seat only, by what it could know")
    command.add_argument("--worlds", type=int, default=256, metavar="N", help="a moment and decision (default 256)")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="root of the random numbers (default 1)")
    command.add_argument("--objective", choices=["profit", "margin", "win"], default="profit", help="default: profit")
    command.add_argument("--policy", default="default", metavar="NAME", help="who plays on from each moment")
    command.add_argument("--workers", type=int, metavar="N", help="threads (default: one a core)")
    command.add_argument("--json", action="store_true", help="print everything as JSON, and nothing else")
    command.add_argument("--html", type=Path, metavar="FILE", help="also write a report that needs no network")
    _finish(command, review_record)


def _finish(command: argparse.ArgumentParser, run: Callable[[argparse.Namespace], None]) -> None:
    def guarded(args: argparse.Namespace) -> int:
        try:
            run(args)
        except (ValueError, TypeError, OSError) as refusal:
            print(f"{command.prog}: {_one_line(refusal)}", file=sys.stderr, flush=True)
            return BAD_INPUT
        return 0

    command.set_defaults(run=guarded, func=guarded)


def _one_line(refusal: Exception) -> str:
    if isinstance(refusal, OSError) and refusal.filename is not None:
        return f"{refusal.filename}: {refusal.strerror}"
    return " ".join(str(refusal).split())


def tournament(args: argparse.Namespace) -> None:
    """Play, and print the standings."""
    from byzanz_lab.advice.tournament import Tournament

    policies = [player_named(name, args.seats) for name in args.policy]
    games = Tournament(policies, seats=args.seats, games=args.games, seed=args.seed, lineups=args.lineups)
    standings = games.run(args.file, workers=args.workers, progress=sys.stderr.isatty() or None)
    print(json.dumps(standings.to_dict(), indent=2) if args.json else standings)


def review_record(args: argparse.Namespace) -> None:
    """Review, and print what was found."""
    from byzanz_lab.advice.review import review
    from byzanz_lab.game.record import Record

    record = Record.read(args.record)
    if args.html is not None and not args.html.parent.is_dir():
        raise ValueError(f"{args.html.parent}: there is no such folder")
    found = review(
        record,
        args.worlds,
        args.seed,
        seat=args.seat,
        objective=args.objective,
        policies=compiled_named(args.policy, record.rules.seats),
        workers=args.workers,
        progress=sys.stderr.isatty() or None,
    )
    if args.html is not None:
        from byzanz_lab.advice.review_page import review_page

        args.html.write_text(review_page(found), encoding="utf-8", newline="\n")
    print(json.dumps(found.to_dict(), indent=2) if args.json else found)
    if args.html is not None:
        print(f"Report: {args.html}, to be opened in a browser", file=sys.stderr if args.json else sys.stdout)


def player_named(name: str, seats: int) -> Policy:
    """A policy by its name on the command line.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    from byzanz_lab.advice.adviser_policy import AdviserPolicy

    match = ADVISER.fullmatch(name)
    if match is None:
        return compiled_named(name, seats)
    amount, unit = match.groups()
    if unit == "s":
        return AdviserPolicy(seconds=float(amount), workers=1, name=name)
    if amount is not None and not amount.isdecimal():
        raise ValueError(f"{name}: worlds are a whole number")
    return AdviserPolicy(worlds=int(amount or ADVISER_WORLDS), workers=1, name=name)


def compiled_named(name: str, seats: int) -> Any:
    """A policy that kernels can play by its name; `ValueError` if there is none."""
    from byzanz_lab.simulation.characters import CHARACTERS, character_named
    from byzanz_lab.simulation.policies import default_policy

    if name == "default":
        return default_policy()
    if name not in CHARACTERS:
        raise ValueError(f"unknown policy {name!r} (policies are default, {', '.join(CHARACTERS)}, adviser)")
    return character_named(name, seats)
