"""Fields of files are refused in one sentence that names the field and shows the value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.json_fields import format_fields, list_field, number_field, object_field, winners_field

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
CHECKS: dict[str, Callable[[Any], Any]] = {
    "object": lambda value: object_field(value, "it", ("a",), ("b",)),
    "list": lambda value: list_field(value, "it", 2),
    "number": lambda value: number_field(value, "it", 0, 9),
    "winners": lambda value: winners_field(value, 3),
    "format": lambda value: format_fields(value, "it", "game", 1),
}


@pytest.mark.parametrize("name", CHECKS)
@given(value=JSON)
def test_whatever_is_read_passes_or_is_refused_in_one_short_line(name: str, value: Any) -> None:
    try:
        CHECKS[name](value)
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 300


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("object", {"b": 1}, "it has no field 'a'"),
        ("object", {"a": 1, "c": 2}, "it has an unknown field 'c'"),
        ("list", [1], "it must have 2 entries, not 1"),
        ("number", True, "it must be a whole number, not true"),
        ("number", 10, "it must be 0 to 9, not 10"),
        ("winners", [], "winners must name at least one seat, and none twice"),
        ("winners", [1, 1], "winners must name at least one seat, and none twice"),
        ("winners", [3], "a seat in winners must be 0 to 2, not 3"),
        ("format", {"format": "chess"}, "the format must be 'game', not 'chess'"),
        ("format", {"format": "game", "version": 2}, "version 2 of records is unknown, this reads version 1"),
    ],
)
def test_what_is_said(name: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:
        CHECKS[name](value)
    assert str(error.value) == message


def test_what_fits_is_returned() -> None:
    assert object_field({"x": 1}, "it", optional=None) == {"x": 1}
    assert winners_field([2, 0], 3) == (0, 2)
    assert number_field(3, "it", 3, 3) == 3
