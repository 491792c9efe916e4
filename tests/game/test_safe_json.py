"""Whatever somebody wrote into a file, reading it ends in a value or in one clear sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.safe_json import MAX_BYTES, MAX_NESTING, UnreadableJSON, load_json, load_json_file, shown

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18) + 1, 10**18 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)


@given(values)
def test_what_json_can_say_is_read_as_it_is(value: Any) -> None:
    assert load_json(json.dumps(value)) == value
    assert load_json(json.dumps(value, ensure_ascii=False).encode()) == value
    assert load_json("\ufeff" + json.dumps(value)) == value, "a byte order mark is no harm"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("", "it is empty"),
        (b" \n", "it is empty"),
        ("[1,", "it ends too early, at line 1; the file may be cut short"),
        ('{"a": "b', "it ends too early, at line 1; the file may be cut short"),
        ('{\n"a": tr', "it ends too early, at line 2; the file may be cut short"),
        ("[1] [2]", "something follows its end at line 1, column 5"),
        ('{\n "a" 1}', "it is no JSON at line 2, column 6 (expecting ':' delimiter)"),
        ("[1, 2,, 3]", "it is no JSON at line 1, column 7 (expecting value)"),
        ('{"a": 1, "a": 1}', "the field 'a' stands in it twice"),
        ('[{"b": {"c": 1, "\\u0063": 2}}]', "the field 'c' stands in it twice"),
        ("[NaN]", "NaN is no number that JSON knows"),
        ("-Infinity", "-Infinity is no number that JSON knows"),
        ("[1e400]", "the number 1e400 in it is too big"),
        ("9" * 19, "a number in it has 19 digits, more than 18"),
        ("-" + "9" * 5_000, "a number in it has 5000 digits, more than 18"),
        ("[" * 10_000_000, "lists and objects are nested in it more than 32 deep"),
        ('{"a":' * 2_000_000, "lists and objects are nested in it more than 32 deep"),
        ("[" * 500 + "]" * 500, "lists and objects are nested in it more than 32 deep"),
        ("[" * 33 + "]" * 33, "lists and objects are nested in it more than 32 deep"),
        (" " * (MAX_BYTES + 1), "it is longer than 16 MB"),
        (b"\xff\xfe[\x00]\x00", "byte 0 of it is not UTF-8 text"),
        (b'["\xe9"]', "byte 2 of it is not UTF-8 text"),
        (r'["\ud800"]', r"the text '\ud800' in it holds half a character"),
        (r'{"\udfff": 1}', r"the text '\udfff' in it holds half a character"),
        (None, "it must be text or bytes, not NoneType"),
    ],
    ids=range(25),
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_one_sentence(source: Any, sentence: str) -> None:
    with pytest.raises(UnreadableJSON) as caught:
        load_json(source, "record")
    assert str(caught.value) == f"cannot read the record: {sentence}"
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_the_deepest_nesting_that_is_allowed_is_read() -> None:
    assert load_json("[" * MAX_NESTING + "]" * MAX_NESTING)


def test_a_file_is_read_and_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"a": [1]}')
    assert load_json_file(path) == load_json_file(str(path)) == {"a": [1]}
    path.write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(UnreadableJSON, match=r"cannot read the position '.*a\.json': it is longer than 16 MB"):
        load_json_file(path, "position")
    with pytest.raises(OSError, match=r"b\.json"):
        load_json_file(tmp_path / "b.json")


@given(st.text(max_size=40))
def test_any_text_ends_in_a_value_or_a_sentence(text: str) -> None:
    try:
        value = load_json(text)
    except UnreadableJSON as error:
        assert str(error).startswith("cannot read the file: ")
    else:
        assert value == json.loads(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"), (True, "true"), (5, "5"), (0.5, "0.5"), ("a", "'a'"), ([1], "a list"), ({}, "an object"),
        (10**4000, "a huge number"), ("\x1b[31m\u202eé", r"'\x1b[31m\u202e\xe9'"), ("x" * 99, "'" + "x" * 56 + "..."),
    ],
)  # fmt: skip
def test_a_value_is_shown_short_and_harmless(value: object, text: str) -> None:
    assert shown(value) == text
