"""What the command lines of the companion games share: how words are read, and how input is refused."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from typing import Final

from byzanz_lab.safe_json import shown

BAD_INPUT: Final = 2
"""Exit code after input that cannot be used."""


def refusing(run: Callable[[argparse.Namespace], int], prog: str) -> Callable[[argparse.Namespace], int]:
    """The command, with what it cannot use said in one sentence on standard error."""

    def command(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except OSError as error:
            message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        except ValueError as error:
            message = str(error)
        print(f"{prog}: {message}", file=sys.stderr)
        return BAD_INPUT

    return command


def whole(text: str) -> int:
    """Read a whole number of 0 or more.

    Examples
    --------
    >>> whole("12")
    12
    """
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise argparse.ArgumentTypeError(f"{shown(text)} is no whole number of 0 or more")
    return int(text)


def positive(text: str) -> float:
    """Read a number above 0.

    Examples
    --------
    >>> positive("0.5")
    0.5
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{shown(text)} is no number above 0")
    return value
