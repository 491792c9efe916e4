"""Cards as multisets: their numbering, their text, their arithmetic."""

from __future__ import annotations

import copy
import re
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.game.cards import DEALER, GOODS, GROUPS, KINDS, VALUES, Cards, kind_of
from byzanz_lab.game.rules import Rules
from tests.game.strategies import PACK, hands, piles


def test_kinds_are_numbered_by_good_and_value_with_dealers_last() -> None:
    assert len(KINDS) == 25
    for good, code in enumerate(GOODS):
        for value in (1, 2, 3, 4):
            kind = 4 * good + value - 1
            assert KINDS[kind] == f"{code}{value}"
            assert VALUES[kind] == value
    assert KINDS[DEALER] == "D" and VALUES[DEALER] == 0


def test_pack_has_112_cards_sixteen_a_group() -> None:
    pack = Cards.from_counts(Rules.copies)
    assert len(pack) == Rules.n_cards == len(PACK) == 112
    assert [len(pack.group(group)) for group in GROUPS] == [16] * 7
    assert [pack.count(f"Wi{value}") for value in (1, 2, 3, 4)] == [6, 5, 3, 2]
    assert pack.goods == 96 and pack.dealers == 16


@given(piles())
def test_text_and_cards_are_exact_inverses(cards: Cards) -> None:
    text = str(cards)
    assert Cards.parse(text) == cards
    assert str(Cards.parse(text)) == text
    assert eval(repr(cards), {"Cards": Cards}) == cards
    assert Cards(cards.codes()) == Cards.from_codes(cards.codes()) == Cards(cards) == cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Wi4 2xSp1 D", ["Sp1", "Sp1", "Wi4", "D"]),
        ("wine 4, dealer", ["Wi4", "D"]),
        ("  WI4;d\tsP1 ", ["Sp1", "Wi4", "D"]),
        ("2x spice 1, 3 x Dealers", ["Sp1", "Sp1", "D", "D", "D"]),
        ("2×Cl1 2*Gr3", ["Cl1", "Cl1", "Gr3", "Gr3"]),
        ("Wi4Wi4D", ["Wi4", "Wi4", "D"]),
        ("cloth1 grain2 olives3 spice4 wine1 wood2", ["Cl1", "Gr2", "Ol3", "Sp4", "Wi1", "Wo2"]),
        ("-", []),
        ("", []),
        ("   ", []),
    ],
)
def test_text_is_read_in_any_case_and_in_words(text: str, cards: list[str]) -> None:
    assert Cards.parse(text).codes() == cards


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Wi5", "unknown card 'Wi5'"),
        ("Wi", "unknown card 'Wi'"),
        ("D1", "unknown card 'D1'"),
        ("Xy1", "unknown card 'Xy1'"),
        ("Wi4 !", "cannot read cards at '!'"),
        ("0xWi4", "not a possible number"),
        ("113xD", "not a possible number"),
        ("2x", "cannot read cards at '2x'"),
        ("99999999xD", "cannot read cards"),
        ("-Wi4", "cannot read cards at '-Wi4'"),
    ],
)
def test_unreadable_text_is_refused_with_the_part_that_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        Cards.parse(text)


@given(st.text(max_size=30) | st.text(alphabet="wiWI41 2xD,-", max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        cards = Cards.parse(text)
    except ValueError as error:
        assert str(error)
    else:
        assert Cards.parse(str(cards)) == cards


@pytest.mark.parametrize("codes", [["wi4"], ["2xWi4"], ["Wi4 D"], [4], [None], [["Wi4"]], ["Wi4", ""]])
def test_lists_from_files_hold_exact_codes_only(codes: list[str]) -> None:
    with pytest.raises(ValueError, match=r"unknown card|a card is a text"):
        Cards.from_codes(codes)


@pytest.mark.parametrize("counts", [[1] * 24, [0] * 24 + [-1], []])
def test_counts_are_25_and_none_negative(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="25 counts"):
        Cards.from_counts(counts)


def test_kind_of_names_one_card() -> None:
    assert [kind_of(word) for word in ("cl1", "wood 4", "dealer")] == [0, 23, 24]
    for word in ("", "2xD", "Wi"):
        with pytest.raises(ValueError, match=r"not one card|unknown card"):
            kind_of(word)


@given(piles(), piles())
def test_arithmetic_is_that_of_multisets(a: Cards, b: Cards) -> None:
    one, two = Counter(a.codes()), Counter(b.codes())
    assert Counter((a + b).codes()) == one + two
    assert Counter(a.monus(b).codes()) == one - two
    assert Counter((a & b).codes()) == one & two
    assert (a <= b) == (b >= a) == (one <= two)
    assert (a == b) == (one == two)
    assert a + b - b == a and hash(a + b) == hash(b + a)
    assert a.monus(b) + (a & b) == a
    assert len(a + b) == len(a) + len(b) and bool(a) == (len(a) > 0)
    assert (a + b).total == a.total + b.total == sum(VALUES[kind_of(code)] for code in (a + b).codes())


@given(piles(), piles())
def test_subtraction_refuses_cards_that_are_not_there(a: Cards, b: Cards) -> None:
    if b <= a:
        assert (a - b) + b == a
    else:
        with pytest.raises(ValueError, match=re.escape(f"does not hold {b.monus(a)}")):
            a - b


@given(piles())
def test_groups_share_out_all_cards(cards: Cards) -> None:
    parts = [cards.group(code) for code in GROUPS]
    assert sum(parts, Cards()) == cards
    assert cards.groups() == [code for code, part in zip(GROUPS, parts, strict=True) if part]
    assert cards.goods + cards.dealers == len(cards) == sum(cards.count(code) for code in GROUPS)
    assert all((code in cards) == (cards.count(code) > 0) for code in KINDS)
    assert list(cards) == cards.codes()


def test_unknown_group_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown group 'Xx'"):
        Cards("Wi4").group("Xx")


@given(hands(most=7))
def test_submultisets_are_all_there_is_to_choose(hand: Cards) -> None:
    found = list(hand.submultisets())
    tried = {Cards(chosen) for size in range(len(hand) + 1) for chosen in combinations(hand.codes(), size)}
    assert len(found) == len(set(found)) and set(found) == tried
    assert found[0] == Cards() and found[-1] == hand


def test_cards_cannot_be_changed() -> None:
    cards = Cards("Wi4 D")
    with pytest.raises(AttributeError, match="cannot be changed"):
        cards.counts = (0,) * 25
    with pytest.raises(AttributeError, match="cannot be changed"):
        cards.extra = 1  # type: ignore[attr-defined]
    assert copy.deepcopy(cards) == cards


@given(hands(1))
def test_notebooks_show_letters_beside_colours(cards: Cards) -> None:
    html = cards._repr_html_()
    assert all(f">{code}<" in html or f"×{code}<" in html for code in cards)
    assert f'aria-label="{cards}"' in html
    assert "no cards" in Cards()._repr_html_()


def test_a_count_after_a_dealer_is_not_his_value() -> None:
    assert Cards.parse("Wi4 D 2xSp1") == Cards.parse("2xSp1, dealer, wine 4")
    assert Cards.parse("D 2 x Sp1") == Cards(["D", "Sp1", "Sp1"])
    with pytest.raises(ValueError, match="unknown card 'D 2'"):
        Cards.parse("D 2 Sp1")
