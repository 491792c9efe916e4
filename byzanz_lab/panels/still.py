"""A small figure without any program: the choices and their intervals as SVG, for pages that have no kernel.

Exported notebooks show it where the live panel would be. Colours come from the page; marks and letters say what they
mean without colour.
"""

from __future__ import annotations

import math
from html import escape
from typing import Final

from byzanz_lab.advice.advise import Advice
from byzanz_lab.advice.render import OBJECTIVE_WORDS, signed
from byzanz_lab.advice.rows import VERDICT_WORDS, Row

WIDTH: Final = 640
LABELS: Final = 210
"""Width of the names of the choices, in pixels."""
LINE: Final = 24
MOST: Final = 20
"""Choices that are drawn."""


def still(advice: Advice) -> str:
    """Each choice at its difference to the best, with its 95 % interval.

    Parameters
    ----------
    advice
        With at least one world.

    Returns
    -------
    str
        SVG, with a title for those who cannot see it.
    """
    name = advice.objective
    scale, unit = (100, "% points") if name == "win" else (1, "points")
    rows = sorted(advice.rows, key=lambda row: -(gap.mean if (gap := row.to_best[name]) else 0.0))[:MOST]
    points = []
    for row in rows:
        gap = row.to_best[name]
        middle, half = (scale * gap.mean, scale * gap.half_width()) if gap else (0.0, 0.0)
        points.append((row, middle, half if math.isfinite(half) else 0.0))
    low = min([m - h for _, m, h in points] + [-1e-9])
    high = max([m + h for _, m, h in points] + [1e-9])
    width = WIDTH - LABELS - 20

    def x(value: float) -> float:
        return LABELS + 10 + width * (value - low) / (high - low)

    height = LINE * len(points) + 48
    parts = [
        f'<line x1="{x(0):.1f}" y1="6" x2="{x(0):.1f}" y2="{height - 36}" stroke="#808080" stroke-dasharray="5 4"/>'
    ]
    for place, (row, middle, half) in enumerate(points):
        y = LINE * place + 18
        fill = "#0072B2" if row.verdicts[name] != "worse" else "none"
        parts.append(
            f'<text x="{LABELS}" y="{y + 4}" text-anchor="end">{escape(row.label)}</text>'
            f'<line x1="{x(middle - half):.1f}" y1="{y}" x2="{x(middle + half):.1f}" y2="{y}" stroke="#0072B2" '
            f'stroke-width="2"/><circle cx="{x(middle):.1f}" cy="{y}" r="5" fill="{fill}" stroke="#0072B2" '
            f'stroke-width="2"><title>{escape(_said(row, name))}</title></circle>'
        )
    ends = f'<text x="{LABELS + 10}" y="{height - 20}">{low:+.1f}</text>'
    ends += f'<text x="{WIDTH - 10}" y="{height - 20}" text-anchor="end">{high:+.1f}</text>'
    seat, words = advice.position.seat, OBJECTIVE_WORDS[name]
    title = f"The view of seat {seat}: {words} beside the best choice, in {unit}, with 95 % intervals; open: worse"
    said = "; ".join(f"{row.label}: {_said(row, name)}" for row, _, _ in points)
    parts.append(f'{ends}<text x="0" y="{height - 4}">{escape(title)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" font-size="12" '
        f'font-family="sans-serif" fill="currentColor" style="max-width:{WIDTH}px;width:100%">'
        f"<title>{escape(title)}. {escape(said)}.</title>{''.join(parts)}</svg>"
    )


def _said(row: Row, name: str) -> str:
    gap = row.to_best[name]
    return f"{VERDICT_WORDS[row.verdicts[name]]}, {signed(gap, name)}"
