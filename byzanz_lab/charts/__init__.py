"""Answers as plotly figures: returned, never shown, readable in light and dark, with and without colour.

Every figure names its point of view in the title, has units on its axes, 95 % intervals on its estimates, and a text
alternative (`describe`). ``advice_report`` puts them on a page of their own that needs no network.
"""

from __future__ import annotations

from byzanz_lab.charts.beliefs import plot_beliefs, plot_purses
from byzanz_lab.charts.bids import plot_bid_curve
from byzanz_lab.charts.choices import plot_choices
from byzanz_lab.charts.convergence import plot_convergence
from byzanz_lab.charts.forecast import plot_forecast
from byzanz_lab.charts.lots import plot_lot_distribution
from byzanz_lab.charts.markets import plot_market_values
from byzanz_lab.charts.report import advice_report
from byzanz_lab.charts.review import plot_review
from byzanz_lab.charts.standings import plot_standings
from byzanz_lab.charts.theme import describe
from byzanz_lab.charts.tournament import plot_tournament

__all__ = [
    "advice_report",
    "describe",
    "plot_beliefs",
    "plot_bid_curve",
    "plot_choices",
    "plot_convergence",
    "plot_forecast",
    "plot_lot_distribution",
    "plot_market_values",
    "plot_purses",
    "plot_review",
    "plot_standings",
    "plot_tournament",
]
