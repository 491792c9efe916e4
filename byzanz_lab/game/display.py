"""Cards as HTML for notebooks: a chip a card, colour backed by letter and value, for light and dark themes."""

from __future__ import annotations

from typing import Final

from byzanz_lab.game.cards import COLOURS, GOOD_NAMES, KINDS, Cards

_DARK_TEXT: Final = frozenset({"Gr"})
"""Groups whose colour is too light for white letters."""


def card_html(code: str, n: int = 1) -> str:
    """One chip: ``Wi4`` on its colour, with a count when there are several."""
    group = code.rstrip("1234")
    name = f"{GOOD_NAMES[group]} {code[len(group) :]}".strip()
    text = "#000" if group in _DARK_TEXT else "#fff"
    many = f"{n}×" if n > 1 else ""
    return (
        f'<span title="{n} {name}" style="display:inline-block;margin:1px;padding:1px 6px;border-radius:4px;'
        f"border:1px solid currentColor;background:{COLOURS[group]};color:{text};"
        f'font:600 0.9em monospace">{many}{code}</span>'
    )


def cards_html(cards: Cards) -> str:
    """A row of chips; the words "no cards" for none."""
    chips = "".join(card_html(KINDS[kind], n) for kind, n in enumerate(cards.counts) if n)
    return f'<span role="img" aria-label="{cards}">{chips}</span>' if chips else "<em>no cards</em>"
