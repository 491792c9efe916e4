"""The bid curve shows the numbers of the answer, and no others."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest

from byzanz_lab import Advice, Bid, Estimate, LotValue, Pass, advise, load_sample, lot_value
from byzanz_lab.charts import describe, plot_bid_curve
from byzanz_lab.charts.bids import LEGEND, MARKS, reservation_words
from byzanz_lab.evaluation import Cancel
from tests.charts.answers import OBJECTIVES, advice, lot

SCALE = {"profit": 1.0, "margin": 1.0, "win": 100.0}


def drawn(figure: go.Figure) -> dict[int, tuple[float, float, float, str]]:
    """Total -> value, both ends of its bar, and marker of a bid."""
    found = {}
    for trace in figure.data:
        if trace.name in LEGEND.values():
            bars = trace.error_y
            for x, y, up, down in zip(trace.x, trace.y, bars.array, bars.arrayminus, strict=True):
                found[x] = (y, y - down, y + up, trace.marker.symbol)
    return found


def numbers(estimate: Estimate, objective: str) -> tuple[Any, Any, Any]:
    """Mean and interval as they should be drawn."""
    scale = SCALE[objective]
    low, high = estimate.interval()
    return pytest.approx(scale * estimate.mean), pytest.approx(scale * low), pytest.approx(scale * high)


def named(figure: go.Figure, name: str) -> Any:
    """The one trace of a name."""
    (trace,) = [trace for trace in figure.data if trace.name == name]
    return trace


def bid_rows(answer: Advice) -> list[tuple[int, Any]]:
    return [(i, row) for i, row in enumerate(answer.rows) if isinstance(row.action, Bid)]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_bids_are_drawn_over_passing_with_their_paired_errors(objective: str) -> None:
    answer = advice()
    passing = next(i for i, row in enumerate(answer.rows) if isinstance(row.action, Pass))
    marks = drawn(plot_bid_curve(answer, objective=objective))
    assert len(marks) == len(bid_rows(answer)) > 5
    for i, row in bid_rows(answer):
        gain = answer.comparison.difference(i, passing, objective)
        symbol = MARKS[row.verdicts[objective]][0]
        assert marks[row.total] == (*numbers(gain, objective), symbol)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_or_as_what_the_seat_ends_with_beside_the_band_of_passing(objective: str) -> None:
    answer, scale = advice(), SCALE[objective]
    figure = plot_bid_curve(answer, objective=objective, over_passing=False)
    marks = drawn(figure)
    for _, row in bid_rows(answer):
        assert marks[row.total][:3] == numbers(row.estimates[objective], objective)
    passing = answer.row(Pass()).estimates[objective]
    (line,) = [trace for trace in figure.data if trace.name.startswith("passing") and trace.mode == "lines"]
    assert list(line.y) == [pytest.approx(scale * passing.mean)] * 2
    low, high = (scale * end for end in passing.interval())
    assert sorted(set(named(figure, "passing, 95 %").y)) == [pytest.approx(low), pytest.approx(high)]


def test_passing_is_the_zero_of_a_scale_of_gains() -> None:
    (line,) = [trace for trace in plot_bid_curve(advice()).data if trace.name.startswith("passing")]
    assert list(line.y) == [0, 0]


def test_where_passing_is_best_the_line_says_so() -> None:
    answer = advice()
    for objective in OBJECTIVES:
        best = answer.with_objective(objective).best.action
        names = [trace.name for trace in plot_bid_curve(answer, objective=objective).data]
        assert ("passing: best choice" in names) == isinstance(best, Pass)
        assert (LEGEND["best"] in names) == isinstance(best, Bid)


def test_chances_stand_on_an_axis_of_their_own_in_per_cent() -> None:
    answer = advice()
    figure = plot_bid_curve(answer)
    bars = named(figure, "chance to win the lot")
    rows = [row for _, row in bid_rows(answer)]
    assert list(bars.x) == [row.total for row in rows]
    assert list(bars.y) == [pytest.approx(100 * row.lot.mean) for row in rows]
    assert bars.yaxis == "y2"
    assert figure.layout.yaxis2.title.text == "lot won (%)"
    assert bars.marker.pattern.shape  # a sign beside the colour


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("over_passing", [True, False])
def test_winning_is_drawn_at_every_price_in_its_band(objective: str, over_passing: bool) -> None:
    answer, scale = lot(), SCALE[objective]
    figure = plot_bid_curve(answer, objective=objective, over_passing=over_passing)
    line, band = named(figure, "winning at this price"), named(figure, "winning, 95 %")
    assert list(line.x) == [price.total for price in answer.prices]
    for i, price in enumerate(answer.prices):
        value = price.value[objective] if over_passing else answer.comparison.estimate(i + 1, objective)
        low, high = (scale * end for end in value.interval())
        assert line.y[i] == pytest.approx(scale * value.mean)
        assert (band.x[i], band.y[i]) == (price.total, pytest.approx(high))
        assert (band.x[-1 - i], band.y[-1 - i]) == (price.total, pytest.approx(low))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_reservation_price_is_marked_with_what_it_may_be(objective: str) -> None:
    answer = replace(lot(), objective=objective)
    figure = plot_bid_curve(answer)
    shapes = {shape.name: shape for shape in figure.layout.shapes}
    price, (low, high) = answer.reservation_price, answer.reservation_range
    assert price is not None
    assert high is not None
    assert (shapes["reservation price"].x0, shapes["reservation price"].x1) == (price, price)
    assert shapes["reservation range"].x1 == high
    assert shapes["reservation range"].x0 == (answer.prices[0].total if low is None else low)
    assert [note.text for note in figure.layout.annotations] == [f"reservation price {reservation_words(answer)}"]


def test_the_reservation_price_of_another_objective_is_its_own() -> None:
    answer = lot()
    for objective in OBJECTIVES:
        own = plot_bid_curve(replace(answer, objective=objective))
        assert plot_bid_curve(answer, objective=objective).layout.shapes == own.layout.shapes


class Prices(LotValue):
    """The worth of a lot with a reservation price of our own."""

    reservation_price = None
    reservation_range = (None, None)


def test_where_no_price_is_worth_it_none_is_marked() -> None:
    answer = lot()
    hopeless = Prices(**{name: getattr(answer, name) for name in LotValue.__dataclass_fields__})
    figure = plot_bid_curve(hopeless)
    assert not figure.layout.shapes
    assert not figure.layout.annotations
    assert reservation_words(hopeless) == "none"


def test_both_answers_fit_one_figure() -> None:
    figure = plot_bid_curve(advice(), lot())
    assert drawn(figure) == drawn(plot_bid_curve(advice())) != {}
    assert named(figure, "winning at this price") == named(plot_bid_curve(lot()), "winning at this price")
    left, right = figure.layout.xaxis.range
    assert left < min(price.total for price in lot().prices)
    assert right > max(row.total for _, row in bid_rows(advice()))


def test_answers_about_different_positions_are_not_drawn_together() -> None:
    other = lot_value(load_sample("opening"), budget=64)
    with pytest.raises(ValueError, match="about different positions"):
        plot_bid_curve(advice(), other)


@pytest.mark.parametrize("sample", ["market", "tax"])
def test_a_decision_without_bids_has_no_bid_curve(sample: str) -> None:
    with pytest.raises(ValueError, match=f"there is no bid to draw: the decision is {sample}; see plot_choices"):
        plot_bid_curve(advice(sample))


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown objective 'fun'"):
        plot_bid_curve(advice(), objective="fun")


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_titles_name_the_point_of_view_and_axes_their_units(objective: str) -> None:
    for figure in (plot_bid_curve(advice(), objective=objective), plot_bid_curve(lot(), objective=objective)):
        title = figure.layout.title
        assert "seat 0" in title.text
        assert title.subtitle.text.startswith("The view of seat 0: ")
        assert "128 worlds" in title.subtitle.text.replace("<br>", " ")
        unit = "(% points)" if objective == "win" else "(points)"
        assert unit in figure.layout.yaxis.title.text
    plain = plot_bid_curve(advice(), objective=objective, over_passing=False)
    assert ("(%)" if objective == "win" else "(points)") in plain.layout.yaxis.title.text


def test_everything_that_is_drawn_is_also_said() -> None:
    words = describe(plot_bid_curve(advice(), lot()))
    assert advice().sentence in words
    assert lot().sentence in words
    for _, row in bid_rows(advice()):
        assert f"{row.total}: " in words
    assert "Bidding, over passing: " in words
    assert "Winning, over passing: " in words


def test_bids_stand_in_their_order() -> None:
    for trace in plot_bid_curve(advice()).data:
        if trace.name in LEGEND.values():
            assert all(one < other for one, other in pairwise(trace.x))


def test_hovering_tells_how_a_bid_is_paid_and_over_how_many_worlds() -> None:
    texts = [
        text for trace in plot_bid_curve(advice()).data if trace.name in LEGEND.values() for text in trace.hovertext
    ]
    for _, row in bid_rows(advice()):
        assert any(row.label in text and f"{row.estimates['profit'].n:,} worlds" in text for text in texts)


def test_before_the_first_world_there_is_nothing_to_draw() -> None:
    stop = Cancel()
    stop.cancel()
    nothing = advise(load_sample("auction"), budget=64, cancel=stop)
    with pytest.raises(ValueError, match="nothing to draw yet: no world has been played out"):
        plot_bid_curve(nothing)
