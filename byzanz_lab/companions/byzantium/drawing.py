"""The tableau drawn to scale, as SVG: cards, open slots, and what is said about them.

One unit of the picture is half a unit of the card's sides, as in `geometry`; north is up. Colours come from the page,
and a card's colour is said by its suit sign too, never by colour alone. ``describe`` says the same in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from byzanz_lab.companions.byzantium.cards import name_of
from byzanz_lab.companions.byzantium.geometry import ACES, Rect
from byzanz_lab.companions.byzantium.tableau import Tableau

SIGNS: Final = {"B": "♠", "R": "♥"}
"""Suit signs of the two colours."""
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
        Path -> a short text that is written into an open slot, such as a value.
    width
        Width of the picture in pixels, at most; it shrinks with the page.

    Returns
    -------
    str
        SVG with a title for those who cannot see it.
    """
    said = dict(marks or {})
    reach = tableau.geometry.extent + 10
    parts = [_card(tableau.geometry.aces[ace], ace, ace) for ace in ACES]
    parts += [_card(tableau.geometry.slots[path].rect, card, path) for path, card in tableau.filled.items()]
    parts += [_slot(tableau.geometry.slots[path].rect, path, said.get(path, "")) for path in tableau.open_slots]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{-reach} {-reach} {2 * reach} {2 * reach}" '
        f'font-family="sans-serif" style="width:100%;max-width:{width}px">'
        f"<title>{escape(describe(tableau))}</title>{''.join(parts)}</svg>"
    )


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


def _slot(rect: Rect, path: str, mark: str) -> str:
    return (
        f'<g><title>{escape(f"{path} {mark}".strip())}</title><rect {_box(rect)} fill="none" stroke="currentColor" '
        f'stroke-width="3" stroke-dasharray="12 9" opacity="0.6"/><text {_middle(rect)} text-anchor="middle" '
        f'dominant-baseline="central" font-size="34" fill="currentColor">{escape(mark or path)}</text></g>'
    )
