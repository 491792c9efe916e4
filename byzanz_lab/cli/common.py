"""What the commands share: how input is refused, and the options that several have.

Nothing heavy is imported here before it is needed.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from byzanz_lab.evaluation import Budget
    from byzanz_lab.simulation.policies import CompiledPolicy

PROGRAM: Final = "byzanz-lab"
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
MOST_WORLDS: Final = 10**9
MOST_WORKERS: Final = 256
SECONDS: Final = 2.0
"""What is thought when nothing is said about it."""


class Refused(Exception):
    """Input that cannot be used; the message is for the user."""


def say(text: str) -> None:
    """Print to standard error."""
    print(text, file=sys.stderr, flush=True)


# -- options ---------------------------------------------------------------------------------------------------------


def whole(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """The type of an option that is a whole number."""
    if least is None:
        bounds = "a whole number"
    else:
        bounds = f"a whole number from {least:,}" + (" up" if most is None else f" to {most:,}")

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be {bounds}, not {_quoted(text)}") from None
        if (least is not None and number < least) or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"must be {bounds}, not {_quoted(text)}")
        return number

    return read


def seconds(text: str) -> float:
    """The type of an option that is a time."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not {_quoted(text)}")
    return number


def names_in(text: str) -> list[str]:
    """The type of an option that takes names, with commas between them."""
    return [name.strip() for name in text.split(",")]


def add_position_options(command: argparse.ArgumentParser) -> None:
    """What a command is asked about: a file, and the moment and seat in it."""
    command.add_argument(
        "file",
        nargs="?",
        type=Path,
        help="position or record (JSON); without it, a position that ships with byzanz_lab",
    )
    command.add_argument("--at", type=whole(0), metavar="N", help="in a record: the moment before action N")
    command.add_argument("--seat", type=whole(0), metavar="S", help="whose decision; it must be on the move")


def add_thinking_options(command: argparse.ArgumentParser) -> None:
    """How long to think, what for, and who plays the worlds out."""
    spent = command.add_mutually_exclusive_group()
    spent.add_argument("--seconds", type=seconds, metavar="T", help=f"how long to think (default {SECONDS:g})")
    spent.add_argument(
        "--worlds", type=whole(1, MOST_WORLDS), metavar="N", help="how many worlds: the same answer every time"
    )
    command.add_argument("--seed", type=whole(), default=1, metavar="N", help="root of the random numbers (default 1)")
    command.add_argument("--objective", choices=["profit", "margin", "win"], default="profit", help="default: profit")
    command.add_argument(
        "--policy", type=names_in, action="extend", metavar="NAME", help=
        "who plays the worlds out: default, learned, greedy, random ...; one for all, or with commas one a seat",
    )  # fmt: skip
    command.add_argument("--workers", type=whole(1, MOST_WORKERS), metavar="N", help="threads (default: one a core)")


def budget_of(args: argparse.Namespace, share: float = 1.0, most_worlds: int = MOST_WORLDS) -> Budget:
    """What may be spent: a share of the seconds, or the number of worlds, which is not shared out."""
    from byzanz_lab.evaluation import Budget

    if args.worlds is not None:
        return Budget(worlds=min(args.worlds, most_worlds))
    return Budget(seconds=share * (args.seconds or SECONDS))


def policies_named(names: list[str] | None, seats: int) -> tuple[CompiledPolicy, ...] | None:
    """The policies behind some names: ``None``, one for all, or one a seat."""
    from byzanz_lab.simulation.policies import policy_named

    if names is None:
        return None
    if len(names) not in (1, seats):
        raise Refused(f"{seats} seats need 1 policy for all or {seats} policies, not {len(names)}")
    try:
        found = tuple(policy_named(name, seats) for name in names)
    except ValueError as error:
        raise Refused(str(error)) from None
    return found * (seats if len(found) == 1 else 1)


def _quoted(text: str) -> str:
    from byzanz_lab.safe_json import shown

    return shown(text, 40)
