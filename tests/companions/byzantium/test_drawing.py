"""Pictures: the tableau to scale, and how often solitaire is won."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings

from byzanz_lab.charts import describe as words_of
from byzanz_lab.companions.byzantium.advice import advise
from byzanz_lab.companions.byzantium.charts import plot_ladder
from byzanz_lab.companions.byzantium.drawing import advice_svg, describe, position_html, spots_of, tableau_svg
from byzanz_lab.companions.byzantium.luck import win_rates
from byzanz_lab.companions.byzantium.position import Position
from byzanz_lab.companions.byzantium.position_text import parse_position
from byzanz_lab.companions.byzantium.state import State
from tests.companions.byzantium.play import moments

SVG = "{http://www.w3.org/2000/svg}"


@given(moments())
@settings(max_examples=20)
def test_the_drawing_is_to_scale_and_says_itself(state: State) -> None:
    tree = ET.fromstring(tableau_svg(state.tableau, {"N": "<22>"}))
    boxes = [(int(r.get("width") or 0), int(r.get("height") or 0)) for r in tree.iter(f"{SVG}rect")]
    assert len(boxes) == 2 + len(state.tableau) + len(state.tableau.open_slots)
    sides = {2 * side for side in state.rules.card}
    assert all(set(box) == sides for box in boxes)
    for card, path in ((card, path) for path, card in state.tableau.filled.items()):
        assert f"at {path}" in describe(state.tableau), card


@given(moments())
@settings(max_examples=20)
def test_everything_lies_in_the_picture_and_texts_keep_apart(state: State) -> None:
    tableau = state.tableau
    tree = ET.fromstring(tableau_svg(tableau))
    west, top, across, along = map(int, (tree.get("viewBox") or "").split())
    for rect in tree.iter(f"{SVG}rect"):
        x, y, width, height = (int(rect.get(name) or 0) for name in ("x", "y", "width", "height"))
        assert west < x < x + width < west + across and top < y < y + height < top + along
    spots = list(spots_of(tableau.geometry, tableau.open_slots).values())
    apart = min(tableau.geometry.short, tableau.geometry.long) / 2
    assert all(
        abs(a[0] - b[0]) > apart or abs(a[1] - b[1]) > apart for i, a in enumerate(spots) for b in spots[i + 1 :]
    )


@pytest.mark.parametrize(
    "text", ["players 1; tableau N=B7 NN=B9; hand B10", "players 2; hand B2 B9 B10 BJ BQ BK R2 R3 R4 R5"]
)
def test_advice_shows_the_value_of_the_best_placement_into_each_slot(text: str) -> None:
    position = parse_position(text)
    advice = advise(position, 200)
    written = {el.text for el in ET.fromstring(advice_svg(advice)).iter(f"{SVG}text")}
    slots = {action.slot for action in advice.option_of}  # type: ignore[union-attr]
    assert slots
    for slot in slots:
        among = [advice.estimate(a).mean for a in advice.option_of if a.slot == slot]  # type: ignore[union-attr]
        assert f"{max(among):.1f}" in written
    assert advice._repr_html_().startswith("<svg") and "<table>" in advice._repr_html_()


def test_a_position_shows_what_its_seat_sees_and_no_more() -> None:
    position = Position.at_table(2, tableau="N=B7", hand="B2 B9 B10 BJ BQ BK R2 R3 R4 R5", seat=1, dealer=1)
    html = position_html(position)
    assert "Seat 1 of 2 holds: black 2, black 9" in html and "13 cards are unseen" in html
    assert position._repr_html_() == html
    assert "Drawn: red 8." in position_html(Position.at_table(1, hand="R8"))


def test_the_ladder_is_drawn_and_said_with_its_intervals() -> None:
    ladder = win_rates(budget=2000)
    figure = plot_ladder(ladder)
    trace = figure.data[0]
    assert tuple(trace.y) == ladder.names
    for i, name in enumerate(ladder.names):
        mean, low, high = ladder.chance(name)
        assert trace.x[i] == pytest.approx(100 * mean)
        assert trace.error_x.array[i] == pytest.approx(100 * (high - mean))
        assert trace.error_x.arrayminus[i] == pytest.approx(100 * (mean - low))
        assert f"{name}: {100 * mean:.1f} %" in words_of(figure)
    assert "2,000 deals" in words_of(figure)
    with pytest.raises(ValueError, match="unknown scheme"):
        plot_ladder(ladder, scheme="loud")
