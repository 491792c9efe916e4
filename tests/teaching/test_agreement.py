"""What a notebook says and types is what the exercises of its lesson are about."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from byzanz_lab import Cards, Position
from byzanz_lab.teaching import bidding, first_advice, gallery, lots, playouts, reviews, rules, tournaments

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def text(name: str, kind: str = "code") -> str:
    """All cells of a kind, one after the other."""
    cells = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == kind)


def test_lesson_1_types_the_position_of_its_exercises() -> None:
    (typed,) = re.findall(r"position = (Position\.at_table\(.*\))$", text("01_first_advice"), re.MULTILINE)
    assert eval(typed, {"Position": Position}) == first_advice.position()
    assert f"budget={first_advice.WORLDS}, seed={first_advice.SEED}" in text("01_first_advice")
    assert f"`{first_advice.OTHER_HAND}`" in text("01_first_advice", "markdown")


def test_lesson_2_types_the_first_auction() -> None:
    (typed,) = re.findall(r"for action in \[(.*)\]:\n    state = ", text("02_the_rules"))
    assert tuple(re.findall(r'"([^"]+)"', typed)) == rules.FIRST_AUCTION
    said, here = text("02_the_rules", "markdown"), rules.raising()
    assert f"`{here.hand}`" in said and f"`{here.bids[0]}`" in said and f"the highest bid is {here.high_bid}" in said
    (goods,) = re.findall(r"hold `([^`]+)` and three dealers", said)
    assert Cards(goods) + Cards("3xD") == rules.SALE


def test_lesson_4_asks_about_the_same_price_and_hand() -> None:
    said = text("04_what_a_lot_is_worth", "markdown")
    assert f"winning the lot for **{lots.PRICE}** worse" in said
    assert Cards(re.findall(r"You hold `([^`]+)`", said)[0]) <= lots.pair().hand
    assert f"budget={lots.WORLDS}, seed=1" in text("04_what_a_lot_is_worth")


def test_lesson_5_asks_about_the_same_hand_and_total() -> None:
    said = text("05_bidding", "markdown")
    assert f'`bidding.position("{bidding.OTHER_HAND}")`' in said
    assert f"a total of **{bidding.TO_PAY}**" in said
    (hand, lot) = re.findall(r"with `([^`]+)` in hand and the lot `([^`]+)`", said)[0]
    assert (Cards(hand), Cards(lot)) == (bidding.paying().hand, bidding.paying().lot)
    assert f"budget={bidding.WORLDS}, seed=1" in text("05_bidding")
    assert "seven can be paid in six ways" in said and len(bidding.ways_to_pay(bidding.paying(), 7)) == 6


def test_lesson_6_computes_what_its_exercises_ask_about() -> None:
    said = text("06_how_many_playouts", "markdown")
    assert f"advise(position, {playouts.WORLDS}, seed=1, racing=False)" in text("06_how_many_playouts")
    assert f"is {playouts.GOAL} points" in said and f"{playouts.PAIRS:,} equal pairs" in said
    assert f"from the {playouts.FIRST_LOOK}th to the {playouts.MOST:,}th" in said
    assert playouts.advice().rows[playouts.RIVAL].total == 3  # the notebook calls it bidding 3


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("07_strategies", f"Tournament(tournaments.cast(), games={tournaments.GAMES}, seed=1)"),
        ("07_strategies", f'"{tournaments.PAIR[0]}", "{tournaments.PAIR[1]}"'),
        ("07_strategies", "more than 40 % alone"),
        ("08_review_of_a_game", f"review(record, worlds={reviews.WORLDS}, seed=1)"),
        ("08_review_of_a_game", f"Which decision of **seat {reviews.COSTLY_SEAT}** cost most"),
        ("08_review_of_a_game", f"Which draw helped **seat {reviews.LUCKY_SEAT}** most"),
        ("09_gallery", f"largest total that **seat {gallery.RIVAL}** could pay"),
        ("09_gallery", "plot_forecast(forecast(position))"),
    ],
)
def test_later_lessons_ask_about_what_they_compute(name: str, piece: str) -> None:
    assert piece in text(name) + text(name, "markdown")


def test_numbers_in_words() -> None:
    assert (tournaments.ENOUGH, tournaments.GOAL, gallery.SURE, gallery.HALF) == (0.4, 0.01, 0.9, 0.5)
