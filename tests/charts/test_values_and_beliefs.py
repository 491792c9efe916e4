"""Lots as distributions, market values, convergence, beliefs and standings: what is drawn is what was answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import plotly.graph_objects as go
import pytest

from byzanz_lab import MarketValues, Position, Record, Rules, load_sample, market_values, new_game, observe
from byzanz_lab.advice.beliefs import expected_counts, purse
from byzanz_lab.charts.beliefs import plot_beliefs, plot_purses
from byzanz_lab.charts.convergence import plot_convergence
from byzanz_lab.charts.lots import plot_lot_distribution
from byzanz_lab.charts.markets import plot_market_values
from byzanz_lab.charts.standings import plot_standings
from byzanz_lab.charts.theme import SCHEMES, describe
from byzanz_lab.game.cards import KINDS
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import default_policy
from tests.charts.answers import OBJECTIVES, advice, lot


@lru_cache
def market() -> MarketValues:
    return market_values(load_sample("market"), budget=64, seed=3)


@lru_cache
def steps() -> tuple:  # type: ignore[type-arg]
    found = [advice("tax", 64)]
    for worlds in (64, 128, 256):
        found.append(found[-1].extend(worlds))
    return tuple(found)


@lru_cache
def game() -> Record:
    return play_game([default_policy()] * 4, new_game(Rules.for_seats(4), 5), 5)


DRAWN: dict[str, Callable[..., go.Figure]] = {
    "lot": lambda **how: plot_lot_distribution(lot(), **how),
    "market": lambda **how: plot_market_values(market(), **how),
    "convergence": lambda **how: plot_convergence(steps(), **how),
    "beliefs": lambda **how: plot_beliefs(load_sample("auction"), **how),
    "beliefs by group": lambda **how: plot_beliefs(load_sample("auction"), by="group", **how),
    "purses": lambda **how: plot_purses(load_sample("auction"), **how),
    "standings": lambda **how: plot_standings(game(), **how),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_chart_has_words_units_and_a_point_of_view(name: str, scheme: str) -> None:
    figure = DRAWN[name](scheme=scheme)
    title, below = figure.layout.title.text, figure.layout.title.subtitle.text.replace("<br>", " ")
    assert len(describe(figure)) > 80
    assert "seat" in title or "all at the table" in below
    assert figure.layout.font.color == SCHEMES[scheme].ink
    if not name.startswith("beliefs"):  # those have places and kinds on their axes, and numbers in their cells
        axes = f"{figure.layout.xaxis.title.text} {figure.layout.yaxis.title.text}"
        assert "points" in axes or "%" in axes
    else:
        assert "number of cards" in below
        assert figure.data[0].texttemplate == "%{z:.1f}"


@pytest.mark.parametrize("name", DRAWN)
def test_no_series_is_told_from_another_by_colour_alone(name: str) -> None:
    signs = [
        (trace.marker.symbol, trace.line.dash) if trace.type == "scatter" else trace.marker.pattern.shape
        for trace in DRAWN[name]().data
        if trace.type in ("scatter", "bar") and trace.showlegend is not False
    ]
    assert len(set(signs)) == len(signs)


@pytest.mark.parametrize("name", DRAWN)
def test_an_unknown_scheme_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="unknown scheme 'pink'"):
        DRAWN[name](scheme="pink")


# -- lots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [0, 2, -1])
def test_bars_are_the_worlds_of_the_distribution(place: int) -> None:
    total = lot().prices[place].total
    gains = lot().distribution(total)
    bars = [(x, y) for trace in plot_lot_distribution(lot(), total).data for x, y in zip(trace.x, trace.y, strict=True)]
    assert sum(y for _, y in bars) == pytest.approx(100)
    assert sum(x * y for x, y in bars) / 100 == pytest.approx(gains.mean())
    for trace in plot_lot_distribution(lot(), total).data:
        sign = {"better": 1, "worse": -1, "no change": 0}[trace.name.split(":")[0]]
        assert all((x > 0) - (x < 0) == sign for x in trace.x)


def test_it_is_drawn_at_the_reservation_price_unless_another_is_named() -> None:
    price = lot().reservation_price
    assert f"at {price}:" in plot_lot_distribution(lot()).layout.title.text.replace("<br>", " ")
    with pytest.raises(ValueError, match="cannot win at 99"):
        plot_lot_distribution(lot(), 99)


# -- markets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_each_seat_that_has_still_to_pick_is_a_series_in_its_order(objective: str) -> None:
    values, scale = market(), 100 if objective == "win" else 1
    figure = plot_market_values(values, objective=objective)
    assert [trace.name.split()[2] for trace in figure.data] == [str(seat) for seat in values.order]
    for trace, seat in zip(figure.data, values.order, strict=True):
        found = [values.of(seat, good).value[objective] for good in values.market.groups()]
        assert list(trace.x) == pytest.approx([scale * one.mean for one in found])
        assert list(trace.error_x.array) == pytest.approx([scale * one.half_width() for one in found])
        assert [round(y) for y in trace.y] == list(range(len(found)))
    heights = [y for trace in figure.data for y in trace.y]
    assert len(set(heights)) == len(heights)  # no mark hides another


# -- convergence -----------------------------------------------------------------------------------------------------


def test_the_leading_choices_are_drawn_beside_the_one_that_is_best_in_the_end() -> None:
    last = steps()[-1].comparison
    best, *others = last.ranking("profit")
    lines = [trace for trace in plot_convergence(steps()).data if trace.showlegend is not False]
    assert [trace.name for trace in lines] == [steps()[-1].rows[i].label for i in others]
    for trace, i in zip(lines, others, strict=True):
        assert list(trace.x) == [64, 128, 256, 512]
        assert list(trace.y) == pytest.approx([step.comparison.difference(i, best, "profit").mean for step in steps()])


def test_no_more_choices_are_drawn_than_asked_for() -> None:
    assert sum(trace.showlegend is not False for trace in plot_convergence(steps(), most=1).data) == 1


@pytest.mark.parametrize(
    ("states", "most", "said"),
    [
        (lambda: steps()[:1], 4, "two or more states"),
        (lambda: [steps()[0], steps()[0]], 4, "must rise"),
        (lambda: steps()[::-1], 4, "must rise"),
        (lambda: [advice("market", 64), steps()[0]], 4, "different choices"),
        (lambda: [advice("closing"), advice("closing")], 4, "is exact"),
        (steps, 7, "1 to 6 choices"),
        (steps, 0, "1 to 6 choices"),
    ],
)
def test_what_cannot_settle_is_refused(states: Callable[[], list], most: int, said: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match=said):
        plot_convergence(states(), most=most)


# -- beliefs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", ["auction", "opening", "market"])
def test_the_heat_map_holds_the_expected_counts(sample: str) -> None:
    position = load_sample(sample)
    table = expected_counts(position)
    (heat,) = plot_beliefs(position).data
    assert [place.replace("<br>", " ") for place in heat.x] == list(table.columns)
    assert len(heat.y) == len(KINDS)
    assert [list(row) for row in heat.z] == pytest.approx(table.to_numpy(), abs=1e-4)
    (groups,) = plot_beliefs(position, by="group").data
    sums = [sum(column) for column in zip(*groups.z, strict=True)]
    assert sums == pytest.approx(list(table.sum()), abs=1e-2)


def test_each_rival_has_a_line_of_what_it_can_pay() -> None:
    position = load_sample("auction")
    figure = plot_purses(position)
    assert [trace.name for trace in figure.data] == ["seat 1", "seat 2", "seat 3"]
    for seat, trace in enumerate(figure.data, start=1):
        assert list(trace.y) == pytest.approx([100 * purse(position, seat).at_least(total) for total in trace.x])
        assert (trace.y[0], trace.y[-1]) == (100, 0)


def test_beliefs_are_of_a_position_and_never_of_a_state() -> None:
    state = new_game(Rules.for_seats(4), 1)
    for plot in (plot_beliefs, plot_purses):
        with pytest.raises(TypeError):
            plot(state)  # type: ignore[operator]
    with pytest.raises(ValueError, match="not by 'colour'"):
        plot_beliefs(observe(state, 0), by="colour")


def test_with_every_hand_known_nothing_breaks() -> None:
    position: Position = load_sample("closing")
    assert plot_beliefs(position).data
    assert plot_purses(position).data


# -- standings -------------------------------------------------------------------------------------------------------


def test_lines_end_at_the_result_and_rise_only() -> None:
    record = game()
    assert record.result is not None
    for seat, trace in enumerate(plot_standings(record).data):
        assert list(trace.y) == sorted(trace.y)
        assert trace.y[0] == 0
        assert trace.y[-1] == record.result.profits[seat]
        assert len(trace.x) == len(record.moves) + 1


def test_names_from_a_file_are_text_and_nothing_else() -> None:
    record = game()
    named = Record(
        record.rules, record.start_player, record.hands, record.deck, record.removed, record.moves,
        ("<b>Al</b>", "B&B", "", "D"), record.result,
    )  # fmt: skip
    figure = plot_standings(named)
    assert [trace.name for trace in figure.data][:3] == ["seat 0 (&lt;b&gt;Al&lt;/b&gt;)", "seat 1 (B&amp;B)", "seat 2"]
    assert "<b>Al" not in str([trace.hovertext for trace in figure.data])


def test_a_game_that_is_not_over_says_so() -> None:
    record = game()
    part = Record(record.rules, record.start_player, record.hands, record.deck, record.removed, record.moves[:9])
    assert "unfinished" in plot_standings(part).layout.title.subtitle.text
