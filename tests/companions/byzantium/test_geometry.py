"""Rulings *slots* and *geometry*: which slots exist, which exclude one another, and how many cards fit at most."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from byzanz_lab.companions.byzantium.geometry import Geometry, Rect, card_sides, geometry_of
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.tableau import MIRRORS, mirrored_path
from tests.companions.byzantium.naive import CELLS, all_paths, meet, squares

POKER = geometry_of(63, 88)
GOLDEN = Path(__file__).with_name("slots.txt")


def as_text(geometry: Geometry) -> str:
    """A line a slot: its path, a colon, and the slots that cannot be used together with it."""
    lines = [f"{path}: {' '.join(sorted(geometry.conflicts[path]))}".rstrip() for path in geometry.slots]
    lines += [f"{path} would touch {touched}" for path, touched in geometry.missing.items()]
    return "\n".join(lines) + "\n"


def test_the_slots_are_those_written_down() -> None:
    assert as_text(POKER) == GOLDEN.read_text("utf-8")


def test_poker_and_bridge_cards_give_the_same_slots() -> None:
    assert as_text(geometry_of(56, 88)) == as_text(POKER)
    assert Rules(1).geometry == POKER, "poker cards unless others are named"


@given(st.fractions(min_value=1, max_value=3).filter(lambda ratio: 1 < ratio < 3))
def test_every_ratio_between_1_and_3_gives_the_same_slots(ratio: Fraction) -> None:
    assert as_text(geometry_of(1, ratio)) == as_text(POKER)


def test_at_a_ratio_of_3_the_slots_would_be_others() -> None:
    # why the limit is there: what touches at less than 3 has only a corner in common at 3
    a = Rect(0, 0, 2, 6)
    assert a.meets(Rect(2, 5, 8, 7))
    assert not a.meets(Rect(2, 6, 8, 8))
    with pytest.raises(ValueError, match="less than 3 times"):
        geometry_of(1, 3)


@pytest.mark.parametrize("sides", CELLS.values(), ids=CELLS)
def test_cards_drawn_on_squared_paper_say_the_same(sides: tuple[int, int]) -> None:
    cells = {path: squares(path, *sides) for path in [*all_paths(), "BA", "RA"]}
    touching_aces = {
        path for path in all_paths() for ace in ("BA", "RA") if len(path) > 1 and meet(cells[path], cells[ace])
    }
    touching_ancestors = {path for path in all_paths() if len(path) == 3 and meet(cells[path], cells[path[0]])}
    geometry = geometry_of(*sides)
    assert set(geometry.slots) == set(all_paths()) - touching_aces - touching_ancestors
    for a, b in combinations(geometry.slots, 2):
        related = a == b[:-1] or b == a[:-1]
        assert (b in geometry.conflicts[a]) == (not related and meet(cells[a], cells[b])), (a, b)


def test_a_card_meets_what_it_overlaps_or_shares_an_edge_with_and_nothing_else() -> None:
    card = Rect(0, 0, 4, 2)
    assert card.meets(Rect(3, 1, 5, 3)) and card.overlaps(Rect(3, 1, 5, 3))
    assert card.meets(Rect(4, 1, 6, 3)) and not card.overlaps(Rect(4, 1, 6, 3))
    assert not card.meets(Rect(4, 2, 6, 4)), "one corner point"
    assert not card.meets(Rect(5, 0, 6, 2))


def test_a_card_stands_with_its_short_side_on_the_middle_of_its_parents_side() -> None:
    for path, slot in POKER.slots.items():
        parent = POKER.slots[path[:-1]].rect if slot.parent else POKER.aces[slot.colour + "A"]
        upright = path[-1] in "NS"
        width, height = slot.rect.east - slot.rect.west, slot.rect.north - slot.rect.south
        assert (width, height) == ((126, 176) if upright else (176, 126))
        centre, above = middle(slot.rect), middle(parent)
        assert centre[not upright] == above[not upright], path
        shared = {"N": parent.north - slot.rect.south, "S": slot.rect.north - parent.south}
        shared |= {"E": parent.east - slot.rect.west, "W": slot.rect.east - parent.west}
        assert shared[path[-1]] == 0, path


def middle(rect: Rect) -> tuple[int, int]:
    return (rect.west + rect.east) // 2, (rect.south + rect.north) // 2


def test_the_slots_look_the_same_in_every_mirror() -> None:
    for mirror in MIRRORS:
        for path, others in POKER.conflicts.items():
            image = {mirrored_path(other, mirror) for other in others}
            assert image == set(POKER.conflicts[mirrored_path(path, mirror)])


# -- how many cards fit ------------------------------------------------------------------------------------------------


def most_cards(counted: str, black: float = np.inf, red: float = np.inf) -> tuple[int, set[str]]:
    """The most cards in the counted trees of a legal tableau, and one such tableau, by integer programming."""
    paths = list(POKER.slots)
    at = {path: i for i, path in enumerate(paths)}
    rows, most = [], []
    for path, others in POKER.conflicts.items():
        for other in others:
            rows.append({at[path]: 1, at[other]: 1})
            most.append(1)
        if len(path) > 1:
            rows.append({at[path]: 1, at[path[:-1]]: -1})
            most.append(0)
    for colour, limit in (("NS", black), ("EW", red)):
        rows.append({i: 1 for path, i in at.items() if path[0] in colour})
        most.append(limit)
    matrix = np.zeros((len(rows), len(paths)))
    for row, entries in enumerate(rows):
        for column, value in entries.items():
            matrix[row, column] = value
    gain = np.array([-float(path[0] in counted) for path in paths])
    found = milp(
        gain,
        constraints=LinearConstraint(matrix, ub=most),
        integrality=np.ones(len(paths)),
        bounds=Bounds(0, 1),
    )
    assert found.success
    return round(-found.fun), {path for path, value in zip(paths, found.x, strict=True) if value > 0.5}


def test_the_largest_tableau_holds_all_24_cards_with_12_of_each_colour() -> None:
    assert most_cards("NESW")[0] == 24
    size, tableau = most_cards("NESW", black=12, red=12)
    assert size == 24
    assert sum(path[0] in "NS" for path in tableau) == 12
    assert all(path[:-1] in tableau or len(path) == 1 for path in tableau)
    assert not any(b in POKER.conflicts[a] for a, b in combinations(tableau, 2))


def test_a_tree_holds_at_most_nine_cards_and_a_colour_alone_18() -> None:
    assert [most_cards(tree)[0] for tree in "NESW"] == [9, 9, 9, 9]
    assert [most_cards(colour)[0] for colour in ("NS", "EW")] == [18, 18]


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "long"), [(88, 63), (1, 1), (1, 3), (0, 1), (-2, -1), ("a", 2), (2.5, 3.5), (None, 1)]
)
def test_sides_that_are_no_cards_are_refused(short: object, long: object) -> None:
    with pytest.raises(ValueError, match="card's"):
        card_sides(short, long)  # type: ignore[arg-type]


def test_sides_may_be_given_in_any_unit() -> None:
    assert card_sides("6.3", "8.8") == card_sides(Fraction(63, 1000), Fraction(88, 1000)) == (63, 88)
    assert geometry_of(126, 176) == POKER


def test_every_conceivable_slot_is_there_or_missing_for_a_reason() -> None:
    reasons = {path: touched for path, touched in POKER.missing.items()}
    assert len(POKER.slots) + len(reasons) == len(all_paths()) == 52
    assert set(reasons.values()) == {"BA", "RA"}
    assert all(len(path) == 3 for path in reasons)
    assert {(path[0], path[2]) for path in reasons} == set(product("NS", "NS")) - {("N", "N"), ("S", "S")} | set(
        product("EW", "EW")
    ) - {("E", "E"), ("W", "W")}
