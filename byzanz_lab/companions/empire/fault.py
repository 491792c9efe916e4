"""How it is said what is wrong with a deck or a position: single faults, and errors that carry all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    Attributes
    ----------
    where
        The field that it is about, such as ``"hand"`` or ``"byzantine[3].force"``.
    message
        What is wrong with it, fit to be shown to a player.
    """

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


class Invalid(ValueError):
    """Something with faults; ``faults`` lists them all."""

    what = "this cannot be"

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(f"{self.what}: " + "; ".join(map(str, self.faults)))

    def __reduce__(self) -> tuple[type[Invalid], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)


class InvalidDeck(Invalid):
    """The game cannot be played with this deck."""

    what = "this deck cannot be used"


class InvalidPosition(Invalid):
    """No game looks like this."""

    what = "this position cannot be"
