"""Files that somebody broke, or made up: refused in a sentence, never with a traceback."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.cli.command import as_dict, game, refusal, run, written

STRANGE: list[Any] = [None, True, -1, 7, 10**17, 1.5, "", "Wi9", "<b>\u202e", [], [[]], ["Wi1"] * 40, {}, {"a": 1}]
"""Values for any field."""


def places(data: object) -> Iterator[tuple[str | int, ...]]:
    """The paths of all values in JSON data, except that of long lists only the beginning is walked."""
    items = data.items() if isinstance(data, dict) else enumerate(data[:2]) if isinstance(data, list) else ()
    for key, value in items:
        yield (key,)
        yield from ((key, *rest) for rest in places(value))


def changed(data: dict[str, Any], path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """A copy of the data with one value replaced."""
    result: Any = copy.deepcopy(data)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return result


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for command in ("advise", "replay", "values"):
        assert refusal(command, "nowhere.json") == "cannot read nowhere.json: no such file or directory"
        assert refusal(command, tmp_path).startswith(f"cannot read {tmp_path}: is a directory")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, as_dict())
    monkeypatch.setattr(Path, "open", closed)
    assert refusal("advise", path) == f"cannot read {path}: permission denied"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "it is empty"),
        ("{", "it ends too early"),
        ("[1, 2", "it ends too early, at line 1"),
        ("[1 2]", "it is no JSON at line 1, column 4"),
        ('{"format": "byzanz-position", "format": 1}', "the field 'format' stands in it twice"),
        ("[" * 5_000_000 + "]" * 5_000_000, "lists and objects are nested in it more than 32 deep"),
        ('{"a":' * 1000 + "1" + "}" * 1000, "lists and objects are nested in it more than 32 deep"),
        ('{"version": ' + "9" * 10_000 + "}", "a number in it has 10000 digits"),
        ('{"version": NaN}', "NaN is no number"),
        ('"' + "a" * 2**24 + '"', "it is longer than 16 MB"),
        (b"\xff\xfe\x00", "byte 0 of it is not UTF-8 text"),
        ('{"a": "\\ud800"}', "holds half a character"),
        ("import os\n", "it is no JSON at line 1, column 1"),
    ],
    ids=lambda value: repr(value)[:24],
)
@pytest.mark.parametrize("command", ["advise", "replay"])
def test_a_file_that_is_no_json(command: str, content: str | bytes, reason: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    said = refusal(command, path)
    assert said.startswith(f"cannot read the file {str(path)!r}: ")
    assert reason in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("data", [3, [], {}, {"format": "byzanz-advice"}, {"format": ["a"]}], ids=repr)
def test_json_that_is_something_else(data: object, tmp_path: Path) -> None:
    path = written(tmp_path, data)
    said = refusal("advise", path)
    assert said.startswith(f"{path} holds no position and no record: its format must be 'byzanz-position' or ")
    assert len(said.splitlines()) == 1


def test_all_faults_of_a_position_are_told_one_a_line(tmp_path: Path) -> None:
    wrong = as_dict() | {"hand": ["Wi9"], "round": "two", "profits": [0, 0], "surprise": 1}
    path = written(tmp_path, wrong)
    head, *faults = refusal("advise", path).splitlines()
    assert head == f"the position in {path} cannot be:"
    assert [fault.split(":")[0].strip() for fault in faults] == ["surprise", "round", "hand", "profits"]
    assert all(fault.startswith("  ") for fault in faults)


def test_a_player_that_is_not_there(tmp_path: Path) -> None:
    record = changed(game().to_dict(), ("actions", 3, "player"), 4)
    assert refusal("replay", written(tmp_path, record)).endswith("action 3: there is no seat 4, seats are 0 to 3")
    position = as_dict() | {"to_move": 9}
    assert "to_move" in refusal("advise", written(tmp_path, position))


def test_a_card_that_is_not_there(tmp_path: Path) -> None:
    record = changed(game().to_dict(), ("hands", 0, 0), "Wi9")
    assert "the hand of seat 0: unknown card 'Wi9'" in refusal("replay", written(tmp_path, record))


def test_an_illegal_action_is_named(tmp_path: Path) -> None:
    record = changed(game().to_dict(), ("actions", 0), {"player": 1, "type": "pass"})
    path = written(tmp_path, record)
    answer = run("replay", path)
    assert answer.code == 2
    assert answer.err.startswith(f"byzanz-lab replay: {path}: action 0 (seat 1: pass): it is the turn of seat 0")
    assert refusal("advise", path, "--at", 3).startswith(f"{path}: action 0 (seat 1: pass)")


def test_a_result_that_is_wrong_is_named(tmp_path: Path) -> None:
    record = changed(game().to_dict(), ("result", "winners"), [0, 1, 2, 3])
    path = written(tmp_path, record)
    answer = run("replay", path)
    assert (answer.code, "the result is wrong: it states winners [0, 1, 2, 3]" in answer.err) == (2, True)


def test_several_records_in_one_file_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, game().dumps() + "\n" + game().dumps() + "\n")
    assert "something follows its end at line 2" in refusal("replay", path)


@pytest.mark.parametrize("path", list(places(as_dict())), ids=str)
def test_a_strange_value_anywhere_in_a_position(path: tuple[str | int, ...], tmp_path: Path) -> None:
    refused = 0
    for value in STRANGE:
        answer = run("advise", written(tmp_path, changed(as_dict(), path, value)), "--worlds", 1)
        assert answer.code in (0, 2), answer
        refused += answer.code == 2
        assert (answer.err == "") == (answer.code == 0)
        assert "\u202e" not in answer.err
    assert refused >= len(STRANGE) - 3  # a profit or a round may really be another number


@pytest.mark.parametrize("path", list(places(game().to_dict())), ids=str)
def test_a_strange_value_anywhere_in_a_record(path: tuple[str | int, ...], tmp_path: Path) -> None:
    refused = 0
    for value in STRANGE:
        answer = run("replay", written(tmp_path, changed(game().to_dict(), path, value)))
        assert answer.code in (0, 2), answer
        refused += answer.code == 2
        assert (answer.err == "") == (answer.code == 0)
        assert "\u202e" not in answer.err
    assert refused >= len(STRANGE) - (5 if path[0] == "names" else 2)  # names are free; removed cards may be unknown


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 10**6), record=st.booleans())
def test_a_file_that_is_cut_short(cut: int, record: bool, tmp_path: Path) -> None:
    whole = json.dumps(game().to_dict() if record else as_dict())
    path = written(tmp_path, whole[: cut % len(whole)])
    said = refusal("replay" if record else "advise", path)
    assert said.startswith(f"cannot read the file {str(path)!r}: ")
    assert len(said.splitlines()) == 1


def test_a_device_that_never_ends_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("this system has no /dev/zero")
    assert "longer than 16 MB" in refusal("advise", "/dev/zero")
