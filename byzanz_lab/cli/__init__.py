"""The command line: ``byzanz-lab advise``, ``values``, ``replay`` and ``play``.

Each command is a module of its own with ``add_to(commands)``; what it needs is imported when it runs, so that
``byzanz-lab --help`` answers at once. Input that cannot be used is refused in one sentence on standard error with exit
code 2, and Ctrl-C ends a command quietly with exit code 130. Other rooms, such as the panels and the companion games,
add commands of their own.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

from byzanz_lab import __version__
from byzanz_lab.cli import advise, play, replay, values
from byzanz_lab.cli.common import BAD_INPUT, INTERRUPTED, PROGRAM, Refused, say

COMMANDS: Final = {"advise": advise, "values": values, "replay": replay, "play": play}
ROOMS: Final = ("cli.studies", "panels.cli", "companions.byzantium.cli", "companions.empire.cli", "teaching.cli")
"""Modules that bring commands of their own with ``add_commands(commands)``."""


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        raise Refused(f"{message} ({self.prog} --help explains)")


def parser(rooms: bool = True) -> argparse.ArgumentParser:
    """The parser of all commands; without ``rooms``, only of those that this one brings."""
    top = Parser(prog=PROGRAM, description="Bid advice for the auction card game Byzanz, with error bars.")
    top.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands", parser_class=Parser)
    for module in COMMANDS.values():
        module.add_to(commands)
    for name in ROOMS if rooms else ():
        full = f"byzanz_lab.{name}"
        with suppress(ModuleNotFoundError):
            if importlib.util.find_spec(full) is not None:
                importlib.import_module(full).add_commands(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv
        Its words; by default those that the process was started with.

    Returns
    -------
    int
        The exit code: 0, 2 for input that cannot be used, 130 after Ctrl-C.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # a terminal that cannot show a letter gets its number
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    prefix = f"{PROGRAM} {words[0]}" if words and words[0] in COMMANDS else PROGRAM
    try:
        code = _run(words)
        sys.stdout.flush()
    except Refused as refusal:
        say(f"{prefix}: {refusal}")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run(words: list[str]) -> int:
    try:
        args = parser(rooms=not words or words[0] not in COMMANDS).parse_args(words)
    except SystemExit as done:  # --help and --version have answered
        return int(done.code or 0)
    if args.command is None:
        raise Refused(f"which command: {', '.join(COMMANDS)}? ({PROGRAM} --help explains)")
    code: int | None = (getattr(args, "run", None) or args.func)(args)
    return code or 0
