"""Cards as HTML for notebooks: a chip a card, colour backed by letter and value, for light and dark themes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from byzanz_lab.game.cards import COLOURS, GOOD_NAMES, KINDS, Cards

if TYPE_CHECKING:
    from byzanz_lab.game.position import Position

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


def position_html(position: Position) -> str:
    """What one seat knows: a caption, the cards that lie open, and a row a seat."""
    table = position.table
    mover = "the game is over" if table.to_move is None else f"seat {table.to_move} to move"
    phase = str(table.phase).replace("_", " ")
    caption = f"View of seat {position.seat}: round {table.round} of {table.rules.rounds}, {phase}, {mover}"
    if table.rules.variant:
        caption += " (" + ", ".join(f"{name}={value}" for name, value in table.rules.variant.items()) + ")"
    lying = [(f"Lot {table.offer}", table.lot), ("Market", table.market), (f"{len(table.gone)} gone", table.gone)]
    top = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(name)}</th>'
        f'<td colspan="5" style="text-align:left">{cards_html(cards)}</td></tr>'
        for name, cards in lying
        if cards
    )
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("seat", "profit", "offer", "open bid", "hand", ""))
    rows = "".join(_seat_html(position, seat) for seat in range(table.rules.seats))
    held = sum(position.unknown)
    bottom = f"Unseen: {table.deck_left} cards in the deck, {position.removed_left} removed, {held} in rivals' hands"
    return (
        f'<table class="byzanz-position"><caption style="text-align:left">{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody><tbody>{top}</tbody>"
        f'<tfoot><tr><td colspan="6" style="text-align:left">{escape(bottom)}</td></tr></tfoot></table>'
    )


def _seat_html(position: Position, seat: int) -> str:
    table, own = position.table, seat == position.seat
    bid = table.bids[seat]
    hand = position.hand if own else table.known[seat]
    unknown = position.unknown[seat]
    cells = (
        escape(str(table.profits[seat])),
        escape(str(table.offers[seat] or "")),
        f"{bid.total}: {cards_html(bid)}" if bid else "passed" if seat in table.passes else "",
        (cards_html(hand) if hand or not unknown else "") + (f" {unknown} unknown" if unknown else ""),
        "to move" if seat == table.to_move else "done" if seat in table.done else "",
    )
    name = f"{seat} (you)" if own else str(seat)
    body = "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells)
    return f'<tr><th scope="row" style="text-align:left">{escape(name)}</th>{body}</tr>'
