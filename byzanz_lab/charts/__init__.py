"""Answers as plotly figures: returned, never shown, readable in light and dark, with and without colour.

Every figure names its point of view in the title, has units on its axes, 95 % intervals on its estimates, and a text
alternative (`describe`). ``advice_report`` puts them on a page of their own that needs no network.
"""

from __future__ import annotations

from byzanz_lab.charts.bids import plot_bid_curve
from byzanz_lab.charts.choices import plot_choices
from byzanz_lab.charts.report import advice_report
from byzanz_lab.charts.theme import describe

__all__ = ["advice_report", "describe", "plot_bid_curve", "plot_choices"]
