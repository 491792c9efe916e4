"""Records: written, read, replayed, refused."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.companions.byzantium.actions import Pass, Place
from byzanz_lab.companions.byzantium.record import InvalidRecord, Record, Recorder, read_records, write_records
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import new_game
from tests.companions.byzantium.play import ALL_RULES, random_states

GOLDEN = Path(__file__).with_name("solitaire.json")


def played(rules: Rules, seed: int, names: tuple[str, ...] = ()) -> Record:
    recorder = Recorder(new_game(rules, seed), names)
    while not recorder.state.is_over:
        recorder.apply(recorder.state.legal_actions()[seed % len(recorder.state.legal_actions())])
    return recorder.record()


@given(st.sampled_from(ALL_RULES), st.integers(0, 1000))
@settings(max_examples=30)
def test_a_record_is_read_as_it_was_written_and_leads_to_the_same_end(rules: Rules, seed: int) -> None:
    record = played(rules, seed)
    again = Record.loads(record.dumps())
    assert again == record
    assert again.replay().result() == record.result
    assert [turn.state for turn in again.states()] == [again.state_at(n) for n in range(len(again.moves))]


def test_a_file_of_records(tmp_path: Path) -> None:
    records = [played(rules, 5) for rules in ALL_RULES]
    assert write_records(tmp_path / "deals.jsonl", records) == len(records)
    assert list(read_records(tmp_path / "deals.jsonl")) == records
    (tmp_path / "one.json").write_text(json.dumps(records[1].to_dict(), indent=2))
    assert list(read_records(tmp_path / "one.json")) == records[1:2]
    (tmp_path / "bad.jsonl").write_text(records[0].dumps() + "\n\n{}\n")
    with pytest.raises(InvalidRecord, match=r"bad.jsonl, line 3: a record has no field .format."):
        list(read_records(tmp_path / "bad.jsonl"))


def test_a_record_written_by_hand_is_read() -> None:
    (record,) = read_records(GOLDEN)
    assert record.replay().result().left == (2,)
    assert [str(action) for _, action in record.moves[:3]] == ["place B7 N", "place B9 NN", "place R3 E"]


def test_undo_takes_back_one_action_after_another() -> None:
    states = list(random_states(Rules(2), 8))
    recorder = Recorder(states[0])
    for before, after in pairwise(states):
        action = next(a for a in before.legal_actions() if before.apply(a) == after)
        recorder.apply(action)
    for state in states[-2::-1]:
        assert recorder.undo() == state
    with pytest.raises(ValueError, match="nothing was done yet"):
        recorder.undo()


def test_a_record_begins_with_the_deal() -> None:
    with pytest.raises(ValueError, match="begins with the deal"):
        Recorder(list(random_states(Rules(2), 8))[3])


def test_names_are_escaped_in_html() -> None:
    record = played(Rules(2), 1, ("<b>Ann</b>", "Ben"))
    assert "&lt;b&gt;Ann" in record._repr_html_()
    assert "<b>" not in record._repr_html_()
    assert "winner" in record._repr_html_()
    assert "Rules(2)" in repr(record)


def changed(**fields: Any) -> dict[str, Any]:
    return {**played(Rules(2), 3).to_dict(), **fields}


HANDS = played(Rules(2), 3).to_dict()["hands"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a record must be an object"),
        (changed(version=2), "version 2 of records is unknown, this reads version 1"),
        (changed(extra=1), "a record has an unknown field 'extra'"),
        (changed(players="two"), "players must be a whole number, not 'two'"),
        (changed(variant=3), "variant must be an object"),
        (changed(variant={"speed": 3}), "unknown variant 'speed'"),
        (changed(names=["Ann"]), "2 seats need 2 names, not 1"),
        (changed(names=[1, 2]), "the name of seat 0 must be a text, not 1"),
        (changed(dealer=2), "dealer must be 0 to 1, not 2"),
        (changed(dealer="0"), "dealer must be a whole number, not '0'"),
        (changed(hands=[HANDS[0], HANDS[0]]), "cannot be dealt twice"),
        (changed(hands="B7"), "hands must be a list"),
        (changed(hands=[["b7"], []]), "unknown card 'b7' in a hand; a record has exact codes"),
        (changed(hands=[[7], []]), "a hand is a list of cards"),
        (changed(deck=["B2"]), "only solitaire has a deck"),
        (changed(kitty=["B2"]), "the kitty is"),
        (changed(actions=[{"player": 0, "type": "bid"}]), "action 0: unknown action type 'bid'"),
        (changed(result={"left": [0, 0]}), "the result has no field 'winners'"),
        (changed(result={"left": [0], "winners": []}), "left must have 2 entries, not 1"),
        (changed(result={"left": ["0", 0], "winners": []}), "a number in left must be a whole number, not '0'"),
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(data: Any, message: str) -> None:
    with pytest.raises(InvalidRecord, match=message) as error:
        Record.loads(json.dumps(data))
    assert "\n" not in str(error.value)


def test_text_that_is_no_json_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="cannot read the record"):
        Record.loads("{")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": ((0, Pass()),)}, r"action 0 \(seat 0: pass\): it is the turn of seat 1"),
        ({"moves": ((1, Pass()),)}, "who can place must place"),
        ({"moves": ((3, Pass()),)}, "there is no seat 3"),
        ({"moves": ((1, Place("B7", "E")),)}, "action 0 .*(is not in hand|is not red)"),
        ({"moves": ()}, "states a result, but the deal is not over"),
    ],
)
def test_actions_are_checked_when_the_record_is_replayed(changes: dict[str, Any], message: str) -> None:
    record = played(Rules(2), 3)
    with pytest.raises(InvalidRecord, match=message):
        replace(record, **changes).replay()


def test_a_wrong_result_is_found() -> None:
    data = played(Rules(2), 3).to_dict()
    data["result"]["left"][0] += 1
    with pytest.raises(InvalidRecord, match="the result is wrong"):
        Record.from_dict(data).replay()
