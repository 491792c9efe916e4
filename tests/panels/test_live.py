"""Figures: one widget turns into any chart in one batch, and a still picture needs no program."""

from __future__ import annotations

import json
from typing import Any

import pytest

from byzanz_lab import load_sample
from byzanz_lab.charts import describe, plot_choices
from byzanz_lab.charts.beliefs import plot_beliefs, plot_purses
from byzanz_lab.panels import AdvicePanel, CardsPanel, Session
from byzanz_lab.panels.advice_panel import charts_of
from byzanz_lab.panels.entry import EXAMPLES
from byzanz_lab.panels.live import LiveFigure
from byzanz_lab.panels.still import still


def drawn(figure: LiveFigure) -> list[dict[str, Any]]:
    """The traces that a page would see after a reload."""
    return [trace for trace in figure.widget._widget_data if trace.get("visible")]


def test_one_batch_turns_any_chart_into_any_other() -> None:
    session = Session(load_sample("auction"), worlds=64)
    answer = session.think(wait=True)
    assert answer is not None
    charts = [chart(answer) for chart in charts_of(answer).values()]
    charts += [plot_beliefs(load_sample("auction")), plot_purses(load_sample("auction")), plot_choices(answer.advice)]
    live, sent = LiveFigure(charts[0]), []
    live.widget.__dict__["_send_update_msg"] = lambda *args, **kwargs: sent.append(args)
    for number, chart in enumerate([*charts, charts[0]], start=1):
        live.show(chart)
        assert len(sent) <= number  # one message a chart, at most
        assert len(drawn(live)) == len(chart.data)
        for mine, wanted in zip(
            sorted(drawn(live), key=str), sorted(chart.to_plotly_json()["data"], key=str), strict=True
        ):
            assert mine["type"] == wanted["type"]
        for kind in ("scatter", "bar", "heatmap"):
            mine = [
                {k: v for k, v in one.items() if k not in ("uid", "visible") and v is not None and v != {}}
                for one in drawn(live)
                if one["type"] == kind
            ]
            wanted = [one for one in chart.to_plotly_json()["data"] if one["type"] == kind]
            assert json.dumps(mine, default=list, sort_keys=True) == json.dumps(wanted, default=list, sort_keys=True)


def test_the_saved_state_is_that_of_the_last_figure() -> None:
    beliefs, purses = plot_beliefs(load_sample("auction")), plot_purses(load_sample("auction"))
    live = LiveFigure(beliefs)
    live.show(purses)
    assert live.widget._widget_layout["xaxis"]["title"]["text"] == purses.layout.xaxis.title.text
    assert live.words == describe(purses)
    assert live.title == "<b>Who could pay how much: view of seat 0</b>"


def test_letters_change_with_the_page() -> None:
    live = LiveFigure(plot_purses(load_sample("auction")))
    colours = []
    for dark in (True, False):
        live.theme(dark)
        colours.append(live.widget._widget_layout["font"]["color"])
    assert len(set(colours)) == 2


def test_a_page_that_has_missed_the_figure_is_given_another() -> None:
    panel = AdvicePanel(Session(load_sample("market"), worlds=64))
    panel.session.think(wait=True)
    bar, former = panel.children
    shown = former._widget_layout
    panel.bar._hear(None, {"do": "figure"}, [])
    assert panel.children == (bar, panel.figure.widget)
    assert panel.figure.widget is not former
    assert former.comm is None  # it is closed
    assert panel.figure.widget._widget_layout["meta"] == shown["meta"]
    assert panel.bar.view["stamp"] == shown["meta"]["stamp"]
    panel.close()


def test_a_figure_has_no_widget_before_somebody_needs_it() -> None:
    advice, cards = AdvicePanel(Session(load_sample("market"), worlds=64)), CardsPanel(waits=True)
    assert (len(advice.children), len(cards.children)) == (1, 1)
    assert not advice.bar.view["live"]
    advice.session.think(wait=True)
    assert advice.children == (advice.bar, advice.figure.widget)
    assert advice.bar.view["live"]
    cards.look()
    assert len(cards.children) == 1  # nothing to be seen without a position
    cards.session.load(load_sample("auction"))
    assert cards.children == (cards.bar, cards.figure.widget)
    advice.close()
    cards.close()


def test_a_figure_with_too_many_traces_is_refused() -> None:
    live = LiveFigure(plot_purses(load_sample("auction")), pool={"scatter": 3})
    with pytest.raises(ValueError, match="no room for another trace of type 'heatmap'"):
        live.show(plot_beliefs(load_sample("auction")))


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("objective", ["profit", "win"])
def test_the_still_figure_holds_each_choice_and_loads_nothing(name: str, objective: str) -> None:
    from xml.etree import ElementTree

    session = Session(load_sample(name), worlds=64, objective=objective)
    answer = session.think(wait=True)
    assert answer is not None
    picture = still(answer.advice)
    root = ElementTree.fromstring(picture)
    assert picture.count("<circle") == min(len(answer.advice.rows), 20)
    assert "The view of seat" in (root.findtext("{http://www.w3.org/2000/svg}title") or "")
    assert "href" not in picture
