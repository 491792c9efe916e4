"""A second, naive reading of the rules, for the tests to compare with: cards are sets of little squares."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise, product

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
POINTS = {"N": 1j, "E": 1 + 0j, "S": -1j, "W": -1 + 0j}
CELLS = {"poker, coarse": (5, 7), "wide": (10, 11), "narrow": (2, 5), "three to two": (2, 3)}


def centre_and_way(path: str, short: int, long: int) -> tuple[complex, complex]:
    """Walk from card to card: to the side of the one, on to the middle of the next."""
    at, facing = 0j, 0j
    for letter in path:
        way = POINTS[letter]
        at += way * (long if facing in (0, way) else short) + way * long
        facing = way
    return at, facing


def squares(path: str, short: int, long: int) -> frozenset[tuple[int, int]]:
    """The unit squares that a card covers, with sides ``2 * short`` and ``2 * long``; aces are "BA", "RA"."""
    at, facing = (
        (0j, POINTS["N" if path == "BA" else "E"]) if path in ("BA", "RA") else centre_and_way(path, short, long)
    )
    wide, high = (short, long) if facing.real == 0 else (long, short)
    x, y = int(at.real), int(at.imag)
    return frozenset(product(range(x - wide, x + wide), range(y - high, y + high)))


def meet(a: frozenset[tuple[int, int]], b: frozenset[tuple[int, int]]) -> bool:
    """Whether two cards share a square, or a square of the one has one of the other beside it."""
    beside = {(x + dx, y + dy) for x, y in a for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))}
    return bool(beside & b)


def all_paths() -> list[str]:
    """Every conceivable path, the impossible ones included."""
    back = {"N": "S", "S": "N", "E": "W", "W": "E"}
    words = ["".join(word) for n in (1, 2, 3) for word in product("NESW", repeat=n)]
    return [word for word in words if all(b != back[a] for a, b in pairwise(word))]


@lru_cache(maxsize=8)
def meetings(short: int, long: int) -> frozenset[tuple[str, str]]:
    """All pairs of cards, aces included, that would meet."""
    cells = {path: squares(path, short, long) for path in [*all_paths(), "BA", "RA"]}
    return frozenset((a, b) for a in cells for b in cells if meet(cells[a], cells[b]))


class Board:
    """A tableau that knows the seven conditions, read one by one."""

    def __init__(self, short: int, long: int, branches: bool = False) -> None:
        self.meetings = meetings(short, long)
        self.branches = branches
        self.cards: dict[str, str] = {}

    def allows(self, card: str, path: str) -> bool:
        """Whether a card may be connected there."""
        parent = path[:-1] or {"N": "BA", "S": "BA", "E": "RA", "W": "RA"}[path]
        lying = {**self.cards, "BA": "BA", "RA": "RA"}
        if path in lying or parent not in lying or lying[parent][0] != card[0]:
            return False
        others = [at for at in lying if at != parent]
        if len(path) == 1:  # the aces lie on each other; a card on one does not reach the other
            others = [at for at in others if at not in ("BA", "RA")]
            assert (path, "RA" if parent == "BA" else "BA") not in self.meetings
        return not any((path, at) in self.meetings for at in others) and self.one_way(card, path)

    def one_way(self, card: str, path: str) -> bool:
        """No tree (or branch) holds both a step up and a step down, counted from its first card on."""
        cards: Mapping[str, str] = {**self.cards, path: card}
        steps: dict[str, set[bool]] = {}
        for at, lower in cards.items():
            if len(at) > 1:
                up = RANKS.index(lower[1:]) > RANKS.index(cards[at[:-1]][1:])
                steps.setdefault(at[:2] if self.branches else at[0], set()).add(up)
        return all(len(directions) == 1 for directions in steps.values())
