"""What charts of estimates share: scales, units, error bars, hover texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from byzanz_lab.advice.render import number, signed
from byzanz_lab.evaluation import Comparison, Estimate
from byzanz_lab.evaluation.enumeration import Enumeration
from byzanz_lab.simulation.playouts import OBJECTIVES

PER_CENT: Final = ("win", "lot")
"""Outcomes that are shares, and drawn in per cent."""


def known_objective(name: str | None, usual: str) -> str:
    """The objective to draw: the one that is named, or the usual one.

    Raises
    ------
    ValueError
        If there is no such objective.
    """
    found = usual if name is None else name
    if found not in OBJECTIVES:
        raise ValueError(f"unknown objective {found!r} (objectives are {', '.join(OBJECTIVES)})")
    return found


def axis_title(objective: str, over: str | None = None) -> str:
    """What an axis measures, with its unit; ``over`` what it is a difference to."""
    if over is None:
        return {"profit": "profit (points)", "margin": "lead over best rival (points)", "win": "wins (%)"}[objective]
    words = {"profit": "profit", "margin": "lead gained", "win": "wins gained"}[objective]
    return f"{words} over {over} ({'% points' if objective in PER_CENT else 'points'})"


def means(estimates: Iterable[Estimate], outcome: str) -> list[float]:
    """Means, in points or per cent.

    Raises
    ------
    ValueError
        If one of them is still unknown.
    """
    scale = 100.0 if outcome in PER_CENT else 1.0
    found = [scale * estimate.mean for estimate in estimates]
    if any(math.isnan(value) for value in found):
        raise ValueError("there is nothing to draw yet: no world has been played out")
    return found


def ends(estimates: Iterable[Estimate], outcome: str) -> list[tuple[float, float]]:
    """95 % intervals, in points or per cent; the mean itself where too few worlds tell nothing of its error."""
    scale = 100.0 if outcome in PER_CENT else 1.0
    found = []
    for estimate in estimates:
        low, high = estimate.interval()
        known = math.isfinite(low) and math.isfinite(high)
        found.append((scale * low, scale * high) if known else (scale * estimate.mean,) * 2)
    return found


def halves(estimates: Iterable[Estimate], outcome: str) -> list[float | None]:
    """Half widths of the 95 % intervals of differences; ``None`` where too few worlds tell nothing of them."""
    scale = 100.0 if outcome in PER_CENT else 1.0
    found = [scale * estimate.half_width() for estimate in estimates]
    return [half if math.isfinite(half) else None for half in found]


def error_bars(estimates: Sequence[Estimate], outcome: str, colour: str) -> dict[str, Any]:
    """Bars over the 95 % intervals, as plotly takes them; those of shares are longer on one side."""
    pairs = list(zip(means(estimates, outcome), ends(estimates, outcome), strict=True))
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - mean for mean, (_, high) in pairs],
        "arrayminus": [mean - low for mean, (low, _) in pairs],
        "color": colour,
        "thickness": 1.8,
        "width": 5,
    }


def spoken(estimate: Estimate, outcome: str, difference: bool) -> str:
    """A number with its error and unit, for hovering and for the text alternative."""
    text = signed(estimate, outcome) if difference else number(estimate, outcome)
    return text if outcome in PER_CENT else f"{text} points"


def basis(*comparisons: Comparison | Enumeration) -> str:
    """What the numbers rest on, and what their bars and bands are."""
    worlds = " and ".join(dict.fromkeys(f"{compared.worlds:,}" for compared in comparisons))
    if all(isinstance(compared, Enumeration) for compared in comparisons):
        return "exact, the only world" if worlds == "1" else f"exact, all {worlds} worlds"
    return f"95\u00a0% intervals, {worlds} worlds"  # a blank at which no line breaks
