"""How it is said what is wrong with a position: single faults, and the error that carries all of them.

A check is a generator of faults that also says which inputs it needs: one that stands on an input that could not be
read, or whose meaning hangs on an input that is wrong itself, is left out, so that no fault is reported that only
follows from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from byzanz_lab.game.position import Position

MOST: Final = 10**6
"""No number of a game is bigger than this."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    Attributes
    ----------
    field
        The input that it is about, such as ``"hand"`` or ``"bids[1]"``.
    message
        What is wrong with it, fit to be shown to a player.
    """

    field: str
    message: str

    @property
    def base(self) -> str:
        """The field without its seat: ``"bids"`` for ``"bids[1]"``."""
        return self.field.partition("[")[0]

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


class InvalidPosition(ValueError):
    """No game looks like this; ``faults`` lists everything that is wrong with it.

    Examples
    --------
    >>> from byzanz_lab import Position
    >>> try:
    ...     Position.at_table(4, hand="7xWi4")
    ... except InvalidPosition as error:
    ...     print("hand" in {fault.field for fault in error.faults})
    True
    """

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("this position cannot be: " + "; ".join(map(str, faults)))
        self.faults = faults

    def __reduce__(self) -> tuple[type[InvalidPosition], tuple[tuple[Fault, ...]]]:
        return (InvalidPosition, (self.faults,))


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a whole position."""

    run: Callable[[Position], Iterator[Fault]]
    reads: frozenset[str]
    """Fields that it needs: it is left out when one of them could not be read."""
    trusts: frozenset[str]
    """Those of them that must be right: it is left out when one has a fault."""


def check(reads: str, trusts: str = "") -> Callable[[Callable[[Position], Iterator[Fault]]], Check]:
    """Make a check of a function; the names of the fields are separated by blanks."""

    def make(function: Callable[[Position], Iterator[Fault]]) -> Check:
        return Check(function, frozenset(f"{reads} {trusts}".split()), frozenset(trusts.split()))

    return make


def listed_seats(seats: list[int], one: str = "", many: str = "") -> str:
    """``"seat 1"`` or ``"seats 1, 2"``, with a verb for one or for many after it."""
    plural = len(seats) > 1
    return f"seat{'s' if plural else ''} {', '.join(map(str, seats))} {many if plural else one}".rstrip()
