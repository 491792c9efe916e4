"""Where cards can lie, worked out from their rectangles.

The black ace lies north-south in the middle, the red one east-west on top of it. Each offers its two short ends; every
placed card offers its far end and its two long sides (ruling *slots*). A card is put with its short side against the
middle of such a side, so it points away from it. A *slot* is therefore a path of one to three compass points: ``NE`` is
the card that points east from the long side of the card that points north from the black ace.

Two cards that are not parent and child must not meet: neither overlap nor share a piece of an edge; one common corner
point is no meeting (ruling *geometry*). From this follows which of the 52 conceivable slots exist at all (eight would
touch an ace), and which of the other 44 exclude one another. Coordinates are whole numbers, so nothing depends on
rounding. For every card whose long side is more than one and less than three times as long as its short side, the
answer is the same; beyond that it is not, and such cards are refused.

Axes point east and north; the unit is half the unit of the card's sides (centres then have whole coordinates).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import lcm
from typing import Final

from byzanz_lab.safe_json import shown

STEPS: Final = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
"""Compass points, clockwise, and where they point."""
OPPOSITE: Final = {"N": "S", "E": "W", "S": "N", "W": "E"}
TREE_COLOUR: Final = {"N": "B", "E": "R", "S": "B", "W": "R"}
"""Colour of the four trees: the black ace offers north and south, the red one east and west (ruling *colour*)."""
MOST_STEPS: Final = 3
"""A card is at most three cards away from the aces."""
ACES: Final = {"BA": "N", "RA": "E"}
"""How the aces lie."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A card's outline; all numbers whole."""

    west: int
    south: int
    east: int
    north: int

    def meets(self, other: Rect) -> bool:
        """Whether they overlap, or share more than one corner point."""
        across = min(self.east, other.east) - max(self.west, other.west)
        along = min(self.north, other.north) - max(self.south, other.south)
        return across >= 0 and along >= 0 and (across > 0 or along > 0)

    def overlaps(self, other: Rect) -> bool:
        """Whether they share an area."""
        across = min(self.east, other.east) - max(self.west, other.west)
        return across > 0 and min(self.north, other.north) - max(self.south, other.south) > 0


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where a card can lie.

    Attributes
    ----------
    path
        Compass points from the ace on: its name.
    rect
        The outline of a card there.
    """

    path: str
    rect: Rect

    @property
    def tree(self) -> str:
        """The tree it belongs to: the first compass point."""
        return self.path[0]

    @property
    def colour(self) -> str:
        """Colour of the cards that fit, ``"B"`` or ``"R"``."""
        return TREE_COLOUR[self.path[0]]

    @property
    def steps(self) -> int:
        """How many cards away from the aces, 1 to 3."""
        return len(self.path)

    @property
    def parent(self) -> str:
        """Path of the card it connects to; empty for the ace."""
        return self.path[:-1]


@dataclass(frozen=True)
class Geometry:
    """All slots for cards of one shape.

    Attributes
    ----------
    short, long
        Sides of a card, whole numbers.
    slots
        The slots that exist, by path; parents come before their children.
    missing
        Path -> what a card there would touch, for conceivable slots that do not exist (``"BA"``, ``"RA"`` or a path);
        their descendants are left out.
    conflicts
        Path -> the paths of the slots that cannot be used together with it, parents and children not counted.
    aces
        ``"BA"``, ``"RA"`` -> their outlines.

    Examples
    --------
    >>> poker = geometry_of(63, 88)
    >>> len(poker.slots), sorted(poker.missing)
    (44, ['ENW', 'ESW', 'NES', 'NWS', 'SEN', 'SWN', 'WNE', 'WSE'])
    >>> poker.conflicts["NE"]
    ('EN', 'ENN', 'ENE')
    """

    short: int
    long: int
    slots: dict[str, Slot]
    missing: dict[str, str]
    conflicts: dict[str, tuple[str, ...]]
    aces: dict[str, Rect]

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of all slots; a slot's place here is its number."""
        return tuple(self.slots)

    def children(self, path: str) -> tuple[str, ...]:
        """Slots that a card at ``path`` offers (those of the aces for the empty path)."""
        return tuple(slot for slot in self.slots if slot[:-1] == path)

    @property
    def extent(self) -> int:
        """No card reaches further than this from the middle."""
        return max(max(slot.rect.east, slot.rect.north) for slot in self.slots.values())


def card_sides(short: int | str | Fraction, long: int | str | Fraction) -> tuple[int, int]:
    """Sides of a card as the smallest whole numbers in the same ratio.

    Raises
    ------
    ValueError
        If they are no exact numbers above 0, or the ratio is not between 1 and 3.

    Examples
    --------
    >>> card_sides("2.5", "3.5"), card_sides(63, 88)
    ((5, 7), (63, 88))
    """
    try:
        sides = Fraction(short), Fraction(long)
        if isinstance(short, float) or isinstance(long, float):
            raise ValueError
    except (ValueError, TypeError, ZeroDivisionError):
        raise ValueError(
            f"a card's sides are whole numbers, fractions or decimal texts, not {shown(short)} and {shown(long)}"
        ) from None
    if not 0 < sides[0] < sides[1] < 3 * sides[0]:
        raise ValueError(
            f"a card's long side must be more than 1 and less than 3 times its short side; {long} and {short} are not"
        )
    scale = lcm(sides[0].denominator, sides[1].denominator)
    whole = [int(side * scale) for side in sides]
    ratio = Fraction(whole[0], whole[1])
    return ratio.numerator, ratio.denominator


@lru_cache(maxsize=64)
def geometry_of(short: int | str | Fraction = 63, long: int | str | Fraction = 88) -> Geometry:
    """Work out the slots for cards with these sides; poker size by default.

    Raises
    ------
    ValueError
        As `card_sides`.
    """
    short, long = card_sides(short, long)
    aces = {ace: _outline(0, 0, way, short, long) for ace, way in ACES.items()}
    conceivable = dict(_grown("", 0, 0, short, long))
    slots: dict[str, Slot] = {}
    missing: dict[str, str] = {}
    for path in sorted(conceivable, key=_reading_order):
        if path[:-1] and path[:-1] not in slots:
            continue
        touched = _what_it_touches(path, conceivable, aces)
        if touched:
            missing[path] = touched
        else:
            slots[path] = Slot(path, conceivable[path])
    conflicts: dict[str, list[str]] = {path: [] for path in slots}
    for a, b in combinations(slots.values(), 2):
        if a.path != b.parent and a.rect.meets(b.rect):
            conflicts[a.path].append(b.path)
            conflicts[b.path].append(a.path)
    return Geometry(short, long, slots, missing, {path: tuple(others) for path, others in conflicts.items()}, aces)


def _outline(x: int, y: int, way: str, short: int, long: int) -> Rect:
    across, along = (short, long) if way in "NS" else (long, short)
    return Rect(x - across, y - along, x + across, y + along)


def _grown(path: str, x: int, y: int, short: int, long: int) -> Iterator[tuple[str, Rect]]:
    """All conceivable slots beyond a card centred at (x, y), none of which need exist."""
    for way, (dx, dy) in STEPS.items():
        if path and way == OPPOSITE[path[-1]]:
            continue
        # From the middle of the parent to its side, and on to the middle of the child. Aces offer short ends only.
        reach = (long if not path or way == path[-1] else short) + long
        child, cx, cy = path + way, x + dx * reach, y + dy * reach
        yield child, _outline(cx, cy, way, short, long)
        if len(child) < MOST_STEPS:
            yield from _grown(child, cx, cy, short, long)


def _reading_order(path: str) -> tuple[int, int, str]:
    """Parents before children; trees clockwise from north."""
    order = "".join(str(list(STEPS).index(way)) for way in path)
    return len(path), int(order[0]), order


def _what_it_touches(path: str, outlines: dict[str, Rect], aces: dict[str, Rect]) -> str:
    """The first ace or ancestor, other than its parent, that a card there would meet; empty for none."""
    for ace, rect in aces.items():
        own = len(path) == 1 and TREE_COLOUR[path] == ace[0]
        if not own and outlines[path].meets(rect):
            return ace
    ancestors = (path[:n] for n in range(1, len(path) - 1))
    return next((above for above in ancestors if outlines[path].meets(outlines[above])), "")
