"""Positions as one line of text, exact both ways, and as HTML."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.fault import InvalidPosition
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_json import load_sample
from byzanz_lab.game.position_text import format_position, parse_position
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from tests.game.position_games import observed, positions_in

AUCTION = (
    "byzanz 4 seats; you are seat 0; round 2; phase auction; to move 0; hand Gr1 Gr3 Wi3 Wo3 Wo4 D; lot Wi3 2xWo1 D; "
    "market 2xCl2 Ol1 Sp2; gone 2xCl1 Cl3 Wi1 2xWi2 D; seat 0: known Gr1 Wi3 Wo3 Wo4; "
    "seat 1: offer 5, known Cl3 2xSp2 D, unknown 2, profit 3; seat 2: bid Wo1, known Ol1 Ol2 Wo2, unknown 1, profit 2; "
    "seat 3: bid 2xGr1, known Sp1 Sp3 Wo3 D, unknown 1"
)


def refusal(text: object) -> list[str]:
    with pytest.raises(InvalidPosition) as caught:
        parse_position(text)  # type: ignore[arg-type]
    return [str(fault) for fault in caught.value.faults]


def test_the_line_says_what_lies_where() -> None:
    assert str(load_sample()) == AUCTION
    assert parse_position(AUCTION) == load_sample()


@given(observed())
def test_the_line_reads_back_as_the_same_position(position: Position) -> None:
    line = format_position(position)
    assert parse_position(line) == position
    assert format_position(parse_position(line)) == line == str(position)
    assert "\n" not in line and len(line) < 1_200


@pytest.mark.parametrize("phase", Phase)
def test_the_repr_can_be_pasted_back(phase: Phase) -> None:
    for position in positions_in(phase, 10):
        assert repr(position).startswith("parse_position('byzanz ")
        assert eval(repr(position), {"parse_position": parse_position}) == position


@given(observed(), st.integers(0, 99))
def test_order_case_and_blanks_of_a_line_do_not_matter(position: Position, seed: int) -> None:
    rng = random.Random(seed)
    clauses = str(position).split("; ")
    rng.shuffle(clauses)
    line = "  ;\n".join(clause.upper() if rng.random() < 0.5 else clause.replace(" ", "  ") for clause in clauses)
    assert parse_position(f"\n{line} ; ") == position


def test_a_short_line_is_enough_at_the_start() -> None:
    position = parse_position(
        "byzanz 4 players; seat 0; hand wine 4, wine 1, spice 2, dealer; lot 2xSp1 Gr3 Cl2 D; "
        "seat 3: bid wood 3; passed 1, 2"
    )
    assert position == Position.at_table(4, hand="Wi4 Wi1 Sp2 D", lot="2xSp1 Gr3 Cl2 D", bids={3: "Wo3"}, passed=[1, 2])


def test_variants_stand_in_the_line() -> None:
    position = Position.at_table(Rules.for_seats(3, hand_limit=8, may_decline_market=True), hand="4xCl1", lot="6xD")
    assert "; variant hand_limit=8 may_decline_market=1;" in str(position)
    assert parse_position(str(position)) == position
    off = str(position).replace("may_decline_market=1", "may_decline_market=0")
    assert parse_position(off).rules.variant == {"hand_limit": 8}


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ["text: must begin with how many play: 'byzanz 4 seats'"]),
        ("hand Wi4", ["text: must begin with how many play: 'byzanz 4 seats'"]),
        ("byzanz", ["rules: needs how many play, as in 'byzanz 4 seats', not ''"]),
        ("byzanz four seats", ["rules: needs how many play, as in 'byzanz 4 seats', not 'four seats'"]),
        ("byzanz 9 seats; hand D", ["rules: Byzanz is played by 3 to 6 seats, not 9"]),
        ("chess 4 seats", ["text: 'chess 4 seats' is no clause of a position"]),
        ("byzanz 4 seats; hand D; hand D", ["hand: stands in the text twice: 'D'"]),
        ("byzanz 4 seats; hands D", ["text: 'hands D' is no clause of a position"]),
        ("byzanz 4 seats; seat x; no", [f"text: '{bad}' is no clause of a position" for bad in ("seat x", "no")]),
        ("byzanz 4 seats; seat 1: bid D, bid D", ["bids[1]: stands in the text twice: 'D'"]),
        ("byzanz 4 seats; seat 1: holds D", ["text: 'holds D' says nothing about seat 1"]),
        ("byzanz 4 seats; seat 1:", ["text: '' says nothing about seat 1"]),
        ("byzanz 4 seats; seat 1: offer five", ["offers[1]: needs a whole number, not 'five'"]),
        ("byzanz 4 seats; round 1e3", ["round: needs a whole number, not '1e3'"]),
        ("byzanz 4 seats; to move -1", ["to_move: needs a whole number, not '-1'"]),
        ("byzanz 4 seats; round 9999999", ["round: needs a whole number, not '9999999'"]),
        ("byzanz 4 seats; passed 1 x", ["passed: needs a whole number, not 'x'"]),
        ("byzanz 4 seats; variant hand_limit", ["variant: needs a whole number, not ''"]),
        ("<b>\x1b[31m", ["text: '<b>\\x1b[31m' is no clause of a position"]),
        ("x" * 10_001, ["text: must be one line of at most 10000 characters, not a text of 10001 characters"]),
        (None, ["text: must be one line of at most 10000 characters, not NoneType"]),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_with_what_is_wrong(text: object, faults: list[str]) -> None:
    assert refusal(text) == faults


def test_a_line_that_can_be_read_and_cannot_be_is_refused_with_all_that_is_wrong() -> None:
    line = AUCTION.replace("lot Wi3 2xWo1 D", "lot 3xWo4").replace("bid Wo1", "bid Wo2")
    fields = [fault.split(":")[0] for fault in refusal(line)]
    assert fields == ["lot", "bids[3]", "lot"], "its size, and a Wo4 too many"
    faults = refusal("byzanz 4 seats; variant hand_limit=9; seat 7: bid D; hand Xx")
    assert [fault.split(":")[0] for fault in faults] == ["variant", "hand", "bids[7]", "lot"]


@given(st.text(max_size=80), st.integers(0, len(AUCTION)), st.integers(0, 30))
def test_no_line_does_worse_than_be_refused(junk: str, place: int, dropped: int) -> None:
    for text in (junk, AUCTION[:place] + junk + AUCTION[place + dropped :], AUCTION[:place]):
        try:
            position = parse_position(text)
        except InvalidPosition as error:
            assert error.faults
        else:
            assert parse_position(str(position)) == position


# -- HTML ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", Phase)
def test_the_html_is_a_well_formed_table_with_a_row_a_seat(phase: Phase) -> None:
    for position in positions_in(phase, 10):
        table = ElementTree.fromstring(position._repr_html_())
        assert table.tag == "table" and table[0].tag == "caption"
        rows = table.findall("tbody")[0].findall("tr")
        assert len(rows) == position.rules.seats
        for seat, row in enumerate(rows):
            name, profit = row[0].text or "", row[1].text
            assert name == (f"{seat} (you)" if seat == position.seat else str(seat)) and profit == str(
                position.profits[seat]
            )
        assert str(phase).replace("_", " ") in (table[0].text or "")


def test_the_html_reads_without_colour() -> None:
    html = load_sample()._repr_html_()
    words = " ".join(ElementTree.fromstring(html).itertext())
    for word in (
        "round 2 of 6",
        "auction",
        "seat 0 to move",
        "0 (you)",
        "2 unknown",
        "Lot 4",
        "Market",
        "Wo4",
        "2×Wo1",
    ):
        assert word in words
    assert '<span role="img" aria-label="Wi3 2xWo1 D">' in html


def test_nothing_that_is_no_markup_becomes_markup() -> None:
    position = load_sample()
    table = replace(
        position.table,
        phase="<script>",
        round="<i>",
        profits=("<b>",) * 4,
        offers=position.offers,  # type: ignore[arg-type]
    )
    broken = replace(position, table=replace(table, round=2))
    html = broken._repr_html_()
    assert "<script>" not in html and "<b>" not in html
    assert "&lt;script&gt;" in html and "&lt;b&gt;" in html


def test_no_cards_of_a_rival_are_shown_that_a_seat_cannot_know() -> None:
    position = load_sample()
    html = replace(position, hand=Cards())._repr_html_()
    for code in ("Wo4", "Gr3"):  # in the own hand alone
        assert code in position._repr_html_() and f">{code}<" not in html
