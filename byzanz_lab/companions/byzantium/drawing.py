"""The tableau drawn to scale, as SVG: cards, open slots, and what is said about them.

One unit of the picture is half a unit of the card's sides, as in `geometry`; north is up. Colours come from the page,
and a card's colour is said by its suit sign too, never by colour alone. ``describe`` says the same in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Final

from byzanz_lab.companions.byzantium.actions import Pass
from byzanz_lab.companions.byzantium.cards import name_of
from byzanz_lab.companions.byzantium.geometry import ACES, Geometry, Rect
from byzanz_lab.companions.byzantium.tableau import Tableau

if TYPE_CHECKING:
    from byzanz_lab.companions.byzantium.advice import Advice
    from byzanz_lab.companions.byzantium.position import Position

SIGNS: Final = {"B": "♠", "R": "♥"}
"""Suit signs of the two colours."""
EDGE: Final = 10
"""Empty space around the tableau."""
INK: Final = {"B": "#1a1a1a", "R": "#b3261e"}
"""Colours of the letters on a white card; both have a contrast above 6 to it."""


def face_of(card: str) -> str:
    """What stands on a card: rank and suit sign."""
    return f"{card[1:]}{SIGNS[card[0]]}"


def tableau_svg(tableau: Tableau, marks: Mapping[str, str] | None = None, width: int = 420) -> str:
    """Draw the cards on the table, and the open slots as dashed outlines.

    Parameters
    ----------
    tableau
        What lies there.
    marks
        Path -> a short text that is written into an open slot, such as a value; the other slots are left empty. When
        left out, every open slot shows its path.
    width
        Width in pixels that the largest tableau would have; it shrinks with the page.

    Returns
    -------
    str
        SVG with a title for those who cannot see it.
    """
    said = {path: path for path in tableau.open_slots} if marks is None else dict(marks)
    geometry = tableau.geometry
    spots = spots_of(geometry, said)
    parts = [_slot(geometry.slots[path].rect, path, said.get(path, ""), spots.get(path)) for path in tableau.open_slots]
    parts += [_card(geometry.aces[ace], ace, ace) for ace in ACES]
    parts += [_card(geometry.slots[path].rect, card, path) for path, card in tableau.filled.items()]
    rects = [*geometry.aces.values(), *(geometry.slots[path].rect for path in (*tableau.filled, *tableau.open_slots))]
    west, north = min(rect.west for rect in rects) - EDGE, max(rect.north for rect in rects) + EDGE
    across = max(rect.east for rect in rects) + EDGE - west
    along = north + EDGE - min(rect.south for rect in rects)
    pixels = round(width * across / (2 * (geometry.extent + EDGE)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{west} {-north} {across} {along}" '
        f'font-family="sans-serif" style="width:100%;max-width:{pixels}px">'
        f"<title>{escape(describe(tableau))}</title>{''.join(parts)}</svg>"
    )


def spots_of(geometry: Geometry, paths: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Path -> where a text in that slot is written, so that texts in slots that overlap do not.

    Slots overlap at their far ends, so there the text moves towards the card that the slot belongs to. Coordinates are
    those of SVG: down is more.
    """
    shown = list(paths)
    spots = {}
    for path in shown:
        rect = geometry.slots[path].rect
        x, y = (rect.west + rect.east) // 2, -(rect.south + rect.north) // 2
        if any(rect.overlaps(geometry.slots[other].rect) for other in shown if other != path):
            east, south = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}[path[-1]]
            x, y = x - east * (rect.east - rect.west) // 4, y - south * (rect.north - rect.south) // 4
        spots[path] = (x, y)
    return spots


def position_html(position: Position) -> str:
    """The tableau of a position, and what its seat holds and does not see, in a sentence below it."""
    hand = ", ".join(name_of(card) for card in position.hand) or "nothing"
    rules = position.rules
    who = "Drawn" if rules.is_solitaire else f"Seat {position.seat} of {rules.players} holds"
    said = f"{who}: {hand}. {len(position.unseen)} cards are unseen."
    return f"{tableau_svg(position.tableau)}<p>{escape(said)}</p>"


def advice_svg(advice: Advice) -> str:
    """The tableau that was asked about, with the value of the best placement into each slot."""
    values: dict[str, float] = {}
    for action in advice.option_of:
        if not isinstance(action, Pass):
            mean = advice.estimate(action).mean
            values[action.slot] = max(mean, values.get(action.slot, mean))
    return tableau_svg(advice.position.tableau, {slot: f"{value:.1f}" for slot, value in values.items()})


def describe(tableau: Tableau) -> str:
    """The tableau in words, tree by tree."""
    trees = []
    for tree in "NESW":
        cards = [f"{name_of(card)} at {path}" for path, card in tableau.filled.items() if path[0] == tree]
        if cards:
            way = tableau.direction(f"{tree}{tree}")
            trees.append(f"tree {tree}{f', {way}' if way and not tableau.rules.direction_per_branch else ''}: "
                         + ", ".join(cards))  # fmt: skip
    return f"{len(tableau)} cards on the table" + ("; " + "; ".join(trees) if trees else "")


def _box(rect: Rect) -> str:
    return (
        f'x="{rect.west}" y="{-rect.north}" width="{rect.east - rect.west}" height="{rect.north - rect.south}" rx="9"'
    )


def _middle(rect: Rect) -> str:
    return f'x="{(rect.west + rect.east) // 2}" y="{-(rect.south + rect.north) // 2}"'


def _card(rect: Rect, card: str, where: str) -> str:
    name = "the aces" if card in ACES else f"{name_of(card)} at {where}"
    return (
        f'<g><title>{escape(name)}</title><rect {_box(rect)} fill="#fff" stroke="#555" stroke-width="3"/>'
        f'<text {_middle(rect)} text-anchor="middle" dominant-baseline="central" font-size="46" font-weight="600" '
        f'fill="{INK[card[0]]}">{face_of(card)}</text></g>'
    )


def _slot(rect: Rect, path: str, mark: str, spot: tuple[int, int] | None) -> str:
    x, y = spot or (0, 0)
    text = (
        f'<text x="{x}" y="{y}" text-anchor="middle" dominant-baseline="central" font-size="34" '
        f'fill="currentColor">{escape(mark)}</text>'
    )
    return (
        f'<g><title>{escape(path if mark in ("", path) else f"{path} {mark}")}</title><rect {_box(rect)} fill="none" '
        f'stroke="currentColor" stroke-width="3" stroke-dasharray="12 9" opacity="{0.6 if mark else 0.3}"/>'
        f"{text if mark else ''}</g>"
    )
