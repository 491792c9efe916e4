"""Every choice is drawn at its paired difference to the best."""

from __future__ import annotations

import pytest

from byzanz_lab import Position, advise
from byzanz_lab.charts import describe, plot_choices
from byzanz_lab.charts.bids import LEGEND, MARKS
from tests.charts.answers import CHOICES, OBJECTIVES, advice


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("sample", CHOICES)
def test_each_choice_is_a_dot_with_its_interval(sample: str, objective: str) -> None:
    answer, scale = advice(sample), 100 if objective == "win" else 1
    dots = {}
    for trace in plot_choices(answer, objective=objective).data:
        bars = trace.error_x
        for x, label, up, down in zip(trace.x, trace.y, bars.array, bars.arrayminus, strict=True):
            dots[label.replace("<br>", " ")] = (x - down, x, x + up, trace.marker.symbol, trace.name)
    assert set(dots) == {row.label for row in answer.rows}
    for row in answer.rows:
        gap, verdict = row.to_best[objective], row.verdicts[objective]
        low, high = (0.0, 0.0) if gap is None else gap.interval()
        wanted = (low, 0.0 if gap is None else gap.mean, high)
        assert dots[row.label][:3] == tuple(pytest.approx(scale * value) for value in wanted)
        assert dots[row.label][3:] == (MARKS[verdict][0], LEGEND[verdict])


@pytest.mark.parametrize("sample", CHOICES)
def test_the_best_stands_on_top_and_the_worst_at_the_bottom(sample: str) -> None:
    answer = advice(sample)
    figure = plot_choices(answer)
    order = [label.replace("<br>", " ") for label in figure.layout.yaxis.categoryarray]
    gaps = [answer.rows[[row.label for row in answer.rows].index(label)].to_best["profit"] for label in order]
    means = [0.0 if gap is None else gap.mean for gap in gaps]
    assert means == sorted(means, reverse=True)
    assert figure.layout.yaxis.range == (len(order) - 0.5, -0.5)  # the first category is the highest


def test_a_bid_can_be_drawn_this_way_too() -> None:
    assert sum(len(trace.x) for trace in plot_choices(advice()).data) == len(advice().rows)


def test_long_labels_go_on_in_the_next_line() -> None:
    labels = plot_choices(advice()).layout.yaxis.categoryarray
    assert any("<br>" in label for label in labels)
    assert max(len(line) for label in labels for line in label.split("<br>")) <= 20


def test_a_single_choice_is_drawn_alone() -> None:
    broke = Position.at_table(4, hand="4xD", lot="2xSp1 Gr3 Wo4 Cl2")
    figure = plot_choices(advise(broke, budget=64))
    (trace,) = figure.data
    assert (trace.x, trace.y) == ((0.0,), ("pass",))
    assert "there is no other choice" in describe(figure)


def test_title_axis_and_words_say_what_it_is() -> None:
    answer = advice("tax")
    figure = plot_choices(answer)
    assert figure.layout.title.text == f"<b>What each choice brings seat {answer.position.seat}</b>"
    assert f"The view of seat {answer.position.seat}: profit beside the best" in figure.layout.title.subtitle.text
    assert figure.layout.xaxis.title.text == "profit over the best (points)"
    assert answer.sentence in describe(figure)
    for row in answer.rows:
        assert f"{row.label}: " in describe(figure)


def test_an_exact_answer_says_that_it_is_exact() -> None:
    answer = advice("closing")
    assert answer.is_exact
    assert "exact, the only world" in plot_choices(answer).layout.title.subtitle.text.replace("<br>", " ")


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown objective 'fun'"):
        plot_choices(advice("market"), objective="fun")
