"""A review as a page of its own: one small HTML file that needs no network, no program, and no installation to be read.

The drawing is plain SVG. Everything that was read, names above all, is escaped, and the page forbids itself to load
anything. It is light or dark as the reader's system is.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from byzanz_lab.advice.review_render import (
    ACCOUNT_HEAD,
    DECISION_HEAD,
    about,
    account_rows,
    decision_rows,
    draw_label,
    html_table,
    sentence,
    who,
)

if TYPE_CHECKING:
    from byzanz_lab.advice.review import Review

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""What the browser may load for the page: nothing but its own style sheet."""
LINES: Final = (
    ("#0072B2", ""),
    ("#D55E00", "8 4"),
    ("#009E73", "2 4"),
    ("#CC79A7", "8 3 2 3"),
    ("#E69F00", "14 4"),
    ("#56B4E9", "4 2"),
)
"""Colour (M. Okabe and K. Ito 2008) and dashes of each seat: no two are alike in either."""
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 900, 360, 56, 40, 16

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --paper: #fff; --line: #d8dee4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9da7b1; --paper: #14181d; --line: #3a424c; }
}
body { margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { color: var(--soft); text-align: left; padding-bottom: .35rem; }
th, td { padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
.grid { stroke: var(--line); } footer { color: var(--soft); font-size: .85rem; margin-top: 2rem; }
"""


def review_page(review: Review) -> str:
    """A whole HTML document about one review."""
    title = "Byzanz: a game reviewed"
    body = [
        f"<h1>{escape(title)}</h1><p><strong>{escape(sentence(review))}</strong></p>",
        "<section><h2>Where each result came from</h2>",
        html_table("Luck, own play and rivals' play add up to the result", ACCOUNT_HEAD, account_rows(review)),
        "</section><section><h2>The game</h2>",
        drawing(review),
        "</section><section><h2>Luck of the draws</h2>",
        html_table("What each draw brought", _draw_head(review), _draw_rows(review)),
        "</section><section><h2>Decisions</h2>",
        html_table("Every decision in which there was a choice", DECISION_HEAD, decision_rows(review)),
        f"</section><footer><p>{escape(about(review))}</p></footer>",
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY, quote=True)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def drawing(review: Review) -> str:
    """The value of the game for each seat, event by event, as SVG."""
    curves = {seat: review.values(seat) for seat in review.seats}
    everything = np.concatenate(list(curves.values()))
    low, high = float(np.floor(everything.min())), float(np.ceil(everything.max()))
    high = max(high, low + 1)
    steps = max(len(everything) // len(curves) - 1, 1)

    def x(step: int) -> float:
        return LEFT + (WIDTH - LEFT - 8) * step / steps

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    grid = []
    for value in np.linspace(low, high, 5):
        grid.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 8}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
            f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.3g}</text>'
        )
    paths, legend = [], []
    for place, (seat, curve) in enumerate(curves.items()):
        colour, dashes = LINES[seat]
        points = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in enumerate(curve))
        look = f'stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dashes}" fill="none"'
        paths.append(f'<polyline points="{points}" {look}/>')
        at = LEFT + place * (WIDTH - LEFT) // len(curves)
        legend.append(
            f'<line x1="{at}" x2="{at + 30}" y1="{HEIGHT - 12}" y2="{HEIGHT - 12}" {look}/>'
            f'<text x="{at + 36}" y="{HEIGHT - 8}">seat {escape(who(review, seat))}</text>'
        )
    ends = "; ".join(f"seat {who(review, seat)}: {curve[0]:.2f} to {curve[-1]:.2f}" for seat, curve in curves.items())
    words = escape(f"Value of the game ({review.objective}) from before the deal to the end. {ends}.", quote=True)
    inside = "".join([*grid, *paths, *legend])
    return f'<svg role="img" aria-label="{words}" viewBox="0 0 {WIDTH} {HEIGHT}">{inside}</svg>'


def _draw_head(review: Review) -> list[str]:
    return ["after action", "drawn", *(f"seat {who(review, seat)}" for seat in review.seats)]


def _draw_rows(review: Review) -> list[list[str]]:
    scale, unit = (100, " %") if review.objective == "win" else (1, "")
    rows = []
    for draw in review.draws:
        cells = ["—" if draw.number < 0 else str(draw.number), draw_label(draw)]
        for seat in review.seats:
            luck = review.luck_of(draw, seat)
            cells.append(f"{scale * luck.mean:+z.2f} ± {scale * luck.half_width():.2f}{unit}")
        rows.append(cells)
    return rows
