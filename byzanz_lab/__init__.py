"""A notebook toolkit for the auction card game Byzanz: what a lot is worth, what to bid, and how sure that is.

What is listed here can be had from ``byzanz_lab`` itself. Each name is loaded when it is first asked for, so that
``import byzanz_lab`` stays quick: neither the compiler behind the playouts nor a display library is loaded before
something needs it.

>>> import byzanz_lab
>>> byzanz_lab.Cards("Wi4 2xSp1 D").total
6
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same names as below, for type checkers and editors; a test compares the two
    from byzanz_lab.advice.advise import Advice as Advice, advise as advise
    from byzanz_lab.advice.adviser_policy import AdviserPolicy as AdviserPolicy
    from byzanz_lab.advice.behaviour import deeds_of as deeds_of
    from byzanz_lab.advice.beliefs import (
        count_in_hand as count_in_hand,
        count_in_next_lot as count_in_next_lot,
        expected_counts as expected_counts,
        pair_in_hand as pair_in_hand,
        purse as purse,
    )
    from byzanz_lab.advice.forecast import Forecast as Forecast, forecast as forecast
    from byzanz_lab.advice.lots import LotValue as LotValue, lot_value as lot_value
    from byzanz_lab.advice.markets import MarketValues as MarketValues, market_values as market_values
    from byzanz_lab.advice.review import Review as Review, review as review
    from byzanz_lab.advice.tournament import Tournament as Tournament
    from byzanz_lab.charts.beliefs import plot_beliefs as plot_beliefs, plot_purses as plot_purses
    from byzanz_lab.charts.bids import plot_bid_curve as plot_bid_curve
    from byzanz_lab.charts.choices import plot_choices as plot_choices
    from byzanz_lab.charts.convergence import plot_convergence as plot_convergence
    from byzanz_lab.charts.forecast import plot_forecast as plot_forecast
    from byzanz_lab.charts.lots import plot_lot_distribution as plot_lot_distribution
    from byzanz_lab.charts.markets import plot_market_values as plot_market_values
    from byzanz_lab.charts.report import advice_report as advice_report
    from byzanz_lab.charts.review import plot_review as plot_review
    from byzanz_lab.charts.standings import plot_standings as plot_standings
    from byzanz_lab.charts.theme import describe as describe
    from byzanz_lab.charts.tournament import plot_tournament as plot_tournament
    from byzanz_lab.evaluation.budget import Budget as Budget
    from byzanz_lab.evaluation.estimate import Estimate as Estimate
    from byzanz_lab.game.actions import (
        Bid as Bid,
        Decline as Decline,
        Discard as Discard,
        Done as Done,
        Pass as Pass,
        Sell as Sell,
        Take as Take,
        Tax as Tax,
        format_action as format_action,
        parse_action as parse_action,
    )
    from byzanz_lab.game.cards import Cards as Cards
    from byzanz_lab.game.fault import InvalidPosition as InvalidPosition
    from byzanz_lab.game.position import Position as Position, observe as observe
    from byzanz_lab.game.position_json import load_sample as load_sample
    from byzanz_lab.game.position_text import format_position as format_position, parse_position as parse_position
    from byzanz_lab.game.record import Record as Record, read_records as read_records
    from byzanz_lab.game.rules import Rules as Rules
    from byzanz_lab.game.sales import Sale as Sale, best_sale as best_sale
    from byzanz_lab.game.state import Result as Result, State as State, deal as deal, new_game as new_game
    from byzanz_lab.game.table import IllegalAction as IllegalAction, Phase as Phase, Table as Table
    from byzanz_lab.policy import Traits as Traits
    from byzanz_lab.records import write_records as write_records
    from byzanz_lab.simulation.characters import character_named as character_named, characters as characters
    from byzanz_lab.simulation.contract import check_policy as check_policy
    from byzanz_lab.simulation.learned import learned_policy as learned_policy
    from byzanz_lab.simulation.playouts import play_game as play_game, play_out as play_out
    from byzanz_lab.simulation.policies import (
        Policy as Policy,
        default_policy as default_policy,
        greedy_policy as greedy_policy,
    )
    from byzanz_lab.simulation.worlds import Worlds as Worlds, determinize as determinize

__version__ = "0.1.0"

_NAMES = {
    "byzanz_lab.game.cards": ["Cards"],
    "byzanz_lab.game.rules": ["Rules"],
    "byzanz_lab.game.actions": [
        "Bid",
        "Decline",
        "Discard",
        "Done",
        "Pass",
        "Sell",
        "Take",
        "Tax",
        "format_action",
        "parse_action",
    ],
    "byzanz_lab.game.table": ["IllegalAction", "Phase", "Table"],
    "byzanz_lab.game.state": ["Result", "State", "deal", "new_game"],
    "byzanz_lab.game.position": ["Position", "observe"],
    "byzanz_lab.game.fault": ["InvalidPosition"],
    "byzanz_lab.game.position_json": ["load_sample"],
    "byzanz_lab.game.position_text": ["format_position", "parse_position"],
    "byzanz_lab.game.record": ["Record", "read_records"],
    "byzanz_lab.records": ["write_records"],
    "byzanz_lab.game.sales": ["Sale", "best_sale"],
    "byzanz_lab.simulation.worlds": ["Worlds", "determinize"],
    "byzanz_lab.simulation.playouts": ["play_game", "play_out"],
    "byzanz_lab.evaluation.budget": ["Budget"],
    "byzanz_lab.evaluation.estimate": ["Estimate"],
    "byzanz_lab.advice.adviser_policy": ["AdviserPolicy"],
    "byzanz_lab.advice.behaviour": ["deeds_of"],
    "byzanz_lab.advice.beliefs": ["count_in_hand", "count_in_next_lot", "expected_counts", "pair_in_hand", "purse"],
    "byzanz_lab.advice.forecast": ["Forecast", "forecast"],
    "byzanz_lab.advice.review": ["Review", "review"],
    "byzanz_lab.advice.tournament": ["Tournament"],
    "byzanz_lab.policy": ["Traits"],
    "byzanz_lab.simulation.characters": ["character_named", "characters"],
    "byzanz_lab.simulation.contract": ["check_policy"],
    "byzanz_lab.simulation.learned": ["learned_policy"],
    "byzanz_lab.simulation.policies": ["Policy", "default_policy", "greedy_policy"],
    "byzanz_lab.advice.advise": ["Advice", "advise"],
    "byzanz_lab.advice.lots": ["LotValue", "lot_value"],
    "byzanz_lab.advice.markets": ["MarketValues", "market_values"],
    "byzanz_lab.charts.beliefs": ["plot_beliefs", "plot_purses"],
    "byzanz_lab.charts.bids": ["plot_bid_curve"],
    "byzanz_lab.charts.choices": ["plot_choices"],
    "byzanz_lab.charts.convergence": ["plot_convergence"],
    "byzanz_lab.charts.forecast": ["plot_forecast"],
    "byzanz_lab.charts.lots": ["plot_lot_distribution"],
    "byzanz_lab.charts.markets": ["plot_market_values"],
    "byzanz_lab.charts.report": ["advice_report"],
    "byzanz_lab.charts.review": ["plot_review"],
    "byzanz_lab.charts.standings": ["plot_standings"],
    "byzanz_lab.charts.theme": ["describe"],
    "byzanz_lab.charts.tournament": ["plot_tournament"],
}
"""Module -> the public names that it defines."""

_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 (all of them are strings)


def __getattr__(name: str) -> object:
    """Load a public name from its module, the first time that it is asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not, and the module's own."""
    return sorted({*globals(), *_HOME})
