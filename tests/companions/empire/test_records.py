"""Records: replayed, refused, shown; actions in their two forms; whole games under the contract."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from byzanz_lab.companions.empire.actions import (
    Action,
    HandOver,
    Meld,
    Negotiate,
    Redraw,
    Replace,
    action_from_dict,
    action_to_dict,
    format_action,
    parse_action,
)
from byzanz_lab.companions.empire.contract import check_game
from byzanz_lab.companions.empire.record import InvalidRecord, Record, Recorder, read_records, write_records
from byzanz_lab.companions.empire.state import new_game
from tests.companions.empire.moments import SMALL

GOLDEN = Path(__file__).parent / "golden" / "game.txt"


def random_game(seed: int, names: tuple[str, ...] = ()) -> Record:
    """A game of the small deck by random choices."""
    rng, recorder = random.Random(seed), Recorder(new_game(SMALL, seed), names)
    while not recorder.state.is_over:
        recorder.apply(rng.choice(recorder.state.legal_actions()))
    return recorder.record()


RECORD = random_game(55, ("Anna", "<b>Boris</b>"))


def transcript(record: Record) -> str:
    """A game as text: every action, and how things stood at the end of each turn."""
    lines, course = [], {standing.turn: standing for standing in record.course()}
    turn = 1
    for moment in record.states():
        if moment.state.table.turn > turn:
            lines.append(standing_line(course[turn]))
            turn = moment.state.table.turn
        role = "Emperor" if moment.seat == moment.state.table.emperor else "Foes"
        lines.append(f"{turn} {role} {moment.seat}: {moment.action}")
    return "\n".join([*lines, standing_line(course[turn])]) + "\n"


def standing_line(standing: Any) -> str:
    return f"-- turn {standing.turn}: territory {standing.territory}, legacy {standing.legacy}"


# -- whole games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_contract_holds_for_whole_games_of_the_small_deck(seed: int) -> None:
    assert check_game(seed, SMALL).result is not None


@pytest.mark.parametrize("seed", range(3))
def test_contract_holds_for_whole_games_of_the_shipped_deck(seed: int) -> None:
    assert check_game(seed).result is not None


def test_golden_game_is_played_as_it_was() -> None:
    assert transcript(RECORD) == GOLDEN.read_text("utf-8")


def test_golden_game_names_every_kind_of_action() -> None:
    words = {line.split(": ")[1].split()[0] for line in GOLDEN.read_text("utf-8").splitlines() if line[0] != "-"}
    assert words == {"redraw", "meld", "negotiate", "replace", "pass"}


# -- replaying ---------------------------------------------------------------------------------------------------------


def test_replay_leads_through_the_same_states() -> None:
    recorder = Recorder(new_game(SMALL, 55))
    for moment in RECORD.states():
        assert moment.state == recorder.state == RECORD.state_at(moment.number)
        recorder.apply(moment.action, moment.seat)
    assert RECORD.replay() == recorder.state
    with pytest.raises(ValueError, match=f"there is no moment {len(RECORD.moves) + 1}"):
        RECORD.state_at(len(RECORD.moves) + 1)


def test_course_gives_the_standing_after_each_turn() -> None:
    course = RECORD.course()
    assert (course[0].territory, course[0].legacy) == (10, (10, 10))
    assert [standing.turn for standing in course] == list(range(len(course)))
    final = RECORD.replay()
    assert (course[-1].territory, course[-1].legacy) == (final.table.territory, final.table.legacy)
    assert all(a.emperor != b.emperor for a, b in pairwise(course[1:]))


def test_an_unfinished_record_has_no_result_and_can_be_replayed() -> None:
    recorder = Recorder(new_game(SMALL, 55))
    recorder.apply(RECORD.moves[0][1])
    record = recorder.record()
    assert record.result is None and "result" not in record.to_dict()
    assert record.replay() == recorder.state


def test_a_record_begins_with_the_first_decision() -> None:
    state = new_game(SMALL, 2)
    later = state.apply(state.legal_actions()[0])
    with pytest.raises(ValueError, match="a record begins with the first decision"):
        Recorder(later)


def test_files_hold_one_record_or_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    others = [random_game(seed) for seed in (3, 4)]
    assert write_records(path, [RECORD, *others]) == 3
    assert list(read_records(path, SMALL)) == [RECORD, *others]
    with pytest.raises(InvalidRecord, match="several records, not one"):
        Record.read(path, SMALL)
    RECORD.write(path)
    assert Record.read(path, SMALL) == RECORD
    path.write_text(json.dumps(RECORD.to_dict(), indent=1), "utf-8")
    assert Record.read(path, SMALL) == RECORD
    path.write_text("\n", "utf-8")
    with pytest.raises(InvalidRecord, match="the file holds no record"):
        Record.read(path, SMALL)
    path.write_text(RECORD.dumps() + "\n{}\n", "utf-8")
    with pytest.raises(InvalidRecord, match=r"games.jsonl, line 2: a record has no field .format."):
        list(read_records(path, SMALL))


def test_names_are_escaped_in_html() -> None:
    page = RECORD._repr_html_()
    assert "&lt;b&gt;Boris" in page and "<b>Boris" not in page
    assert page.count("<tr>") == len(RECORD.course())
    assert "seat 0" in random_game(3)._repr_html_()
    assert repr(RECORD).startswith("<Record: Byzantine Empire, ")


# -- broken records ----------------------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "format": (lambda d: d.update(format=1), "the format must be 'byzantine-empire-record', not 1"),
    "version": (lambda d: d.update(version=2), "version 2 of records is unknown, this reads version 1"),
    "missing": (lambda d: d.pop("draws"), "a record has no field 'draws'"),
    "unknown": (lambda d: d.update(x=1), "a record has an unknown field 'x'"),
    "deck": (lambda d: d["deck"].update(fingerprint="0"), "it was made with the deck 'Small'"),
    "emperor": (lambda d: d.update(emperor=2), "emperor must be 0 to 1, not 2"),
    "card": (lambda d: d["draws"]["foes"].append("hero"), "draws of the foes deck: 'hero' is no card of the deck"),
    "draw": (lambda d: d["draws"]["byzantine"].insert(0, "mercenaries"), "draw 0 from the byzantine deck is "),
    "few draws": (lambda d: d["draws"]["foes"].clear(), "a card must be drawn from the foes deck, but the record has "),
    "many draws": (lambda d: d["draws"]["foes"].append("huns"), "draws from the foes deck, but "),
    "names": (lambda d: d.update(names=["A"]), "names must have 2 entries, not 1"),
    "name": (lambda d: d.update(names=["A", "\x07"]), "the name of seat 1, '\\x07', holds a control character"),
    "player": (lambda d: d["actions"][0].update(player=2), "action 0: an action needs player 0 or 1, not 2"),
    "order": (lambda d: d["actions"][0].update(player=0), "action 0 (seat 0: redraw "),
    "type": (lambda d: d["actions"][0].update(type="bid"), "action 0: unknown action type 'bid'"),
    "illegal": (
        lambda d: d["actions"].insert(0, {"player": 1, "type": "meld", "cards": []}),
        "action 0 (seat 1: meld nothing): the decision is redraw, not meld",
    ),
    "cut": (lambda d: d["actions"].pop(), "the record states a result, but the game is not over"),
    "longer": (
        lambda d: d["actions"].append({"player": 1, "type": "pass", "card": "huns"}),
        "(seat 1: pass huns): the game is over",
    ),
    "result": (lambda d: d["result"].update(legacy=[1, 1]), "the result is wrong: it states legacy (1, 1), "),
    "winners": (lambda d: d["result"].update(winners=[]), "winners must name at least one seat, and none twice"),
    "turns": (lambda d: d["result"].update(turns=13), "turns must be 1 to 12, not 13"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_record_is_refused_in_one_sentence(name: str) -> None:
    change, said = BROKEN[name]
    data = json.loads(RECORD.dumps())
    assert data["actions"][0]["player"] == 1  # so that the changes above are what they say
    change(data)
    with pytest.raises(InvalidRecord) as error:
        Record.from_dict(data, SMALL).replay()
    assert said in str(error.value) and "\n" not in str(error.value)


def test_text_that_is_no_json_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="cannot read the record: it ends too early"):
        Record.loads("{", SMALL)
    with pytest.raises(InvalidRecord, match="a record must be an object, not a list"):
        Record.loads("[]", SMALL)


# -- actions -----------------------------------------------------------------------------------------------------------

CODES = st.sampled_from([card.code for card in SMALL])
ACTIONS = st.one_of(
    st.lists(CODES, max_size=9).map(Meld),
    st.lists(CODES, max_size=4).map(Redraw),
    st.one_of(st.none(), CODES).map(Negotiate),
    st.one_of(st.none(), CODES).map(Replace),
    CODES.map(HandOver),
)


@given(ACTIONS, st.integers(0, 1))
def test_actions_are_read_back_in_all_forms(action: Action, seat: int) -> None:
    assert parse_action(format_action(action)) == action == parse_action(format_action(action).upper())
    assert eval_repr(action) == action
    entry = json.loads(json.dumps(action_to_dict(seat, action)))
    assert action_from_dict(entry) == (seat, action)


def eval_repr(action: Action) -> Action:
    """What one gets by pasting the repr: a class and one argument."""
    name, _, rest = repr(action).partition("(")
    argument = None if rest == "None)" else rest[1:-2]
    kinds: dict[str, Any] = {kind.__name__: kind for kind in (Meld, Redraw, Negotiate, Replace, HandOver)}
    result: Action = kinds[name](argument)
    return result


@pytest.mark.parametrize(
    "text", ["", "bid huns", "negotiate huns khan", "pass nothing", "pass", "meld 3", "replace A!"]
)
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"unknown action|names one card|passes one|cannot be a card"):
        parse_action(text)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (3, "an action is an object with player and type, not 3"),
        ({"player": True, "type": "meld", "cards": []}, "an action needs player 0 or 1, not true"),
        ({"player": 0, "type": "meld"}, "a meld action has no field 'cards'"),
        ({"player": 0, "type": "meld", "cards": ["A!"]}, "a meld needs a list of cards, not a list"),
        ({"player": 0, "type": "meld", "cards": [], "card": None}, "unknown field 'card' in a meld action"),
        ({"player": 0, "type": "pass", "card": 3}, "a pass needs a card or null, not 3"),
        ({"player": 0, "type": "pass", "card": None}, "whoever has cards left passes one of them"),
        ({"player": 0, "type": "replace", "card": "A!"}, "'A!' cannot be a card"),
    ],
)
def test_an_entry_that_is_no_action_is_refused(entry: object, said: str) -> None:
    with pytest.raises(ValueError, match=said[:40]):
        action_from_dict(entry)
