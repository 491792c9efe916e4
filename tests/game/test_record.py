"""Records: written, read, replayed, stepped through; kept at real tables; many in a file."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from byzanz_lab.game.actions import Bid, Decline, Pass, Sell
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.record import InvalidRecord, Record, Recorder, Turn, read_records, write_records
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import Result, new_game
from byzanz_lab.game.table import IllegalAction, Phase
from tests.game.random_play import Played, Style, play_on, random_game
from tests.game.tables import closing
from tests.reference.naive import Naive

KEPT_AT_A_TABLE = """
{"format": "byzanz-record", "version": 1,
 "players": 4,
 "variant": {},
 "names": ["Susanne", "Eva", "Wilhelm", "Axel"],
 "start_player": 0,
 "hands": [["Cl1", "Cl4", "Cl1", "Gr1"], ["Wo1", "Wo2", "D", "D"],
           ["Sp1", "D", "Wi1", "Gr3"], ["Ol1", "Ol1", "Ol1", "Ol1"]],
 "removed": null,
 "deck": ["Ol2", "Ol2", "Gr1", "Wi2", "D", "Sp3", "Sp3", "Wo3", "Wi3", "Gr1", "Gr4", "Ol2", "Sp2", "Wi4",
          "Cl2", "Cl2", "D", "Wo1", "Gr2"],
 "actions": [
   {"player": 0, "type": "bid", "cards": ["Cl1"]},
   {"player": 1, "type": "pass"},
   {"player": 2, "type": "bid", "cards": ["Sp1", "Wi1"]},
   {"player": 3, "type": "pass"},
   {"player": 0, "type": "bid", "cards": ["Cl4", "Cl1"]},
   {"player": 2, "type": "pass"},
   {"player": 0, "type": "tax", "card": "D"},
   {"player": 1, "type": "bid", "cards": ["Wo1", "Wo2"]},
   {"player": 2, "type": "pass"},
   {"player": 3, "type": "pass"},
   {"player": 1, "type": "tax", "card": "Wo3"},
   {"player": 3, "type": "sell", "cards": ["Ol1", "Ol1", "Ol1"]},
   {"player": 2, "type": "bid", "cards": ["Sp1", "Wi1"]},
   {"player": 3, "type": "pass"},
   {"player": 2, "type": "tax", "card": "Gr1"},
   {"player": 3, "type": "tax", "card": "Sp2"},
   {"player": 3, "type": "take", "good": "Wo"},
   {"player": 2, "type": "take", "good": "Sp"},
   {"player": 1, "type": "take", "good": "D"},
   {"player": 0, "type": "take", "good": "Cl"},
   {"player": 0, "type": "discard", "cards": ["Gr1"]}]}
"""  # fmt: skip


def record_of(steps: list[Played], names: tuple[str, ...] = ()) -> Record:
    return Record.from_game(steps[0].before, [(step.seat, step.action) for step in steps], names)


def games() -> Iterator[list[Played]]:
    """A few games of each table size, all variants among them."""
    for seats in (3, 4, 5, 6):
        for seed in range(8):
            yield list(random_game(seats, seed))


# -- replaying --------------------------------------------------------------------------------------------------------


def test_record_kept_at_a_real_table_is_read_and_replayed() -> None:
    record = Record.loads(KEPT_AT_A_TABLE)
    assert record.removed is None and record.result is None and record.names[1] == "Eva"
    state = record.replay()
    assert (state.phase, state.table.round, state.to_move) == (Phase.AUCTION, 2, 3)
    assert state.table.lot == Cards("2xCl2 Gr2 Wo1 D") and state.deck == ()
    assert state.scores == (0, 0, 0, 1)
    assert state.table.gone == Cards("2xGr1 Wi1 3xOl1")
    assert json.loads(record.dumps())["actions"] == [
        entry | ({"cards": Cards(entry["cards"]).codes()} if "cards" in entry else {})
        for entry in json.loads(KEPT_AT_A_TABLE)["actions"]
    ]


def test_every_record_is_read_as_it_was_written_and_leads_to_its_result() -> None:
    for steps in games():
        record = record_of(steps)
        assert Record.loads(record.dumps()) == record
        assert Record.from_dict(record.to_dict()) == record
        assert Record.from_dict(record.to_dict()).to_dict() == record.to_dict()
        assert record.replay() == steps[-1].after
        assert record.result == steps[-1].after.result()
        assert hash(Record.loads(record.dumps())) == hash(record)


def test_written_fields_are_those_of_the_format() -> None:
    steps = list(random_game(4, 1))
    data = json.loads(record_of(steps, ("a", "b", "c", "d")).dumps())
    assert list(data) == [
        "format", "version", "players", "variant", "names", "start_player", "hands", "removed", "deck", "actions",
        "result",
    ]  # fmt: skip
    assert list(data["result"]) == ["profits", "goods_left", "winners"]
    assert "\n" not in record_of(steps).dumps() and "names" not in record_of(steps).to_dict()
    unfinished = record_of(steps[:-1]).to_dict()
    assert "result" not in unfinished and unfinished["actions"] == data["actions"][:-1]


def test_naive_rules_replay_what_is_written() -> None:
    for steps in list(games())[::3]:
        data = json.loads(record_of(steps).dumps())
        naive = Naive(data)
        for entry in data["actions"]:
            naive.play_dict(entry)
        assert naive.result() == data["result"]


def test_states_steps_through_the_game() -> None:
    steps = list(random_game(5, 3))
    record = record_of(steps)
    turns = list(record.states())
    assert turns == [Turn(n, step.seat, step.action, step.before) for n, step in enumerate(steps)]
    number, seat, action, state = turns[20]
    assert state.apply(action, seat) == record.state_at(number + 1)
    assert record.initial() == record.state_at(0) == steps[0].before
    assert record.state_at(len(steps)) == steps[-1].after
    for n in (-1, len(steps) + 1):
        with pytest.raises(ValueError, match=f"there is no moment {n}, the record has moments 0 to {len(steps)}"):
            record.state_at(n)


def test_removed_cards_may_be_unknown() -> None:
    for steps in games():
        record = replace(record_of(steps), removed=None)
        assert Record.loads(record.dumps()) == record
        final = record.replay()
        assert final.removed is None and final.table == steps[-1].after.table
        assert final.result() == record.result


def test_unfinished_record_needs_no_more_deck_than_was_drawn() -> None:
    steps = list(random_game(4, 2))
    whole = record_of(steps)
    for n in range(0, len(steps), 9):
        drawn = len(whole.deck) - len(steps[n].before.deck)
        record = replace(whole, removed=None, deck=whole.deck[:drawn], moves=whole.moves[:n], result=None)
        state = Record.loads(record.dumps()).replay()
        assert state.table == steps[n].before.table and state.hands == steps[n].before.hands
    with pytest.raises(InvalidRecord, match=r"action \d+ \(seat \d: .*\): the deck of this record is cut short"):
        replace(whole, removed=None, deck=whole.deck[:20], result=None).replay()


def test_finished_record_may_leave_its_result_out() -> None:
    record = replace(record_of(list(random_game(3, 1))), result=None)
    assert record.replay().is_over and Record.loads(record.dumps()) == record


@pytest.mark.parametrize("field", ["profits", "goods_left", "winners"])
def test_wrong_result_is_refused(field: str) -> None:
    record = record_of(list(random_game(4, 6)))
    assert record.result is not None
    right = getattr(record.result, field)
    wrong = tuple(s for s in range(4) if s not in right) if field == "winners" else (right[0] + 1, *right[1:])
    data = record.to_dict()
    data["result"][field] = list(wrong)
    with pytest.raises(InvalidRecord) as caught:
        Record.from_dict(data).replay()
    assert str(caught.value) == (
        f"the result is wrong: it states {field} {list(wrong)}, the actions lead to {list(right)}"
    )


def test_result_of_a_running_game_is_refused() -> None:
    record = record_of(list(random_game(4, 6)))
    with pytest.raises(InvalidRecord, match="states a result, but the game is not over: the decision is closing"):
        replace(record, moves=record.moves[:-1]).replay()


def test_illegal_action_is_named_with_its_place_and_reason() -> None:
    record = Record.loads(KEPT_AT_A_TABLE)
    moves = [*record.moves[:4], (0, Bid("Gr1")), *record.moves[5:]]
    with pytest.raises(InvalidRecord) as caught:
        replace(record, moves=tuple(moves)).replay()
    assert str(caught.value) == "action 4 (seat 0: bid Gr1): the bid comes to 2 and must beat 2"
    numbers = []
    with pytest.raises(InvalidRecord, match="action 4"):
        for turn in replace(record, moves=tuple(moves)).states():
            numbers.append(turn.number)
    assert numbers == [0, 1, 2, 3, 4], "all up to it are stepped through"


# -- recording --------------------------------------------------------------------------------------------------------


def test_recorder_remembers_what_it_plays() -> None:
    steps = list(random_game(4, 9))
    recorder = Recorder(steps[0].before, ["N", "E", "S", "W"])
    assert recorder.record().moves == () and recorder.record().result is None
    for step in steps:
        on_move = step.seat == step.before.to_move
        assert recorder.apply(step.action, None if on_move else step.seat) == step.after == recorder.state
    assert recorder.record() == record_of(steps, ("N", "E", "S", "W"))


def test_recorder_does_not_remember_what_was_refused() -> None:
    recorder = Recorder(new_game(Rules.for_seats(3), 4))
    with pytest.raises(IllegalAction):
        recorder.apply(Sell("3xD"))
    with pytest.raises(IllegalAction):
        recorder.apply(Pass(), 7)
    recorder.apply(Pass())
    assert recorder.record().moves == ((0, Pass()),)


def test_record_begins_with_the_deal() -> None:
    steps = list(random_game(4, 9))
    for state in (steps[0].after, steps[40].before, steps[-1].after, closing(["D", "D", "D"])):
        with pytest.raises(ValueError, match="begins with the deal"):
            Recorder(state)
        with pytest.raises(ValueError, match="begins with the deal"):
            Record.from_game(state, [])


# -- variants that can be read in two ways ----------------------------------------------------------------------------


def game_that_empties_markets(seed: int) -> list[Played]:
    """Nobody bids much, so that most markets hold fewer groups than there are seats."""
    rules = Rules.for_seats(4, may_decline_market=True)
    styles = [Style(bids=0.15, overbids=0, sells=0.5, interrupts=0.2, declines=0.1)] * 4
    return list(play_on(new_game(rules, seed), styles, random.Random(seed)))


def with_needless_declines(steps: list[Played]) -> tuple[list[dict[str, object]], int]:
    """The actions, and a decline for each seat that found the market empty."""
    entries: list[dict[str, object]] = []
    picked: set[int] = set()
    added = 0
    for step, entry in zip(steps, record_of(steps).to_dict()["actions"], strict=True):
        entries.append(entry)
        if entry["type"] in ("take", "decline"):
            picked.add(step.seat)
        ended = step.after.table.round > step.before.table.round
        if ended or (step.after.phase is Phase.CLOSING and step.before.phase is not Phase.CLOSING):
            late = [{"player": seat, "type": "decline"} for seat in range(4) if seat not in picked]
            entries += late
            added, picked = added + len(late), set()
    return entries, added


def test_decline_of_a_seat_that_found_the_market_empty_is_read_and_left_out() -> None:
    needless = needed = 0
    for seed in range(8):
        steps = game_that_empties_markets(seed)
        record = record_of(steps)
        entries, added = with_needless_declines(steps)
        read = Record.from_dict(record.to_dict() | {"actions": entries})
        assert read == record and read.dumps() == record.dumps()
        needless += added
        needed += sum(isinstance(action, Decline) for _, action in record.moves)
    assert needless > 20 and needed > 5


def test_other_declines_are_refused() -> None:
    steps = game_that_empties_markets(5)
    data = record_of(steps).to_dict()
    entries, _ = with_needless_declines(steps)
    first = next(n for n, (a, b) in enumerate(zip(entries, data["actions"], strict=False)) if a != b)
    twice = [*entries[: first + 1], entries[first], *entries[first + 1 :]]
    too_early = [*entries[: first - 1], entries[first], *entries[first - 1 : first], *entries[first + 1 :]]
    too_late = [*data["actions"][: first + 1], entries[first], *data["actions"][first + 1 :]]
    for actions in (twice, too_early, too_late):
        with pytest.raises(InvalidRecord, match=r"^action \d+ \(seat \d: decline\): "):
            Record.from_dict(data | {"actions": actions})
    plain = {name: value for name, value in data.items() if name != "result"} | {"variant": {}, "actions": entries}
    with pytest.raises(InvalidRecord, match=r"^action \d+ \(seat \d: decline\): "):
        Record.from_dict(plain).replay()


def test_goods_left_may_be_read_with_the_dealers_that_count() -> None:
    rules = Rules.for_seats(3, tie_counts_dealers=True)
    styles = [Style(bids=0.5, overbids=0.2, sells=0.2, interrupts=0, declines=0)] * 3
    differ = 0
    for seed in range(8):
        steps = list(play_on(new_game(rules, seed), styles, random.Random(seed)))
        final, record = steps[-1].after, record_of(steps)
        assert record.result == final.result() and record.result is not None
        assert record.result.goods_left == tuple(hand.goods for hand in final.hands), "what is written"
        counted = Result(record.result.profits, tuple(map(len, final.hands)), record.result.winners)
        assert replace(record, result=counted).replay() == final
        differ += counted != record.result
    assert differ > 3


# -- files ------------------------------------------------------------------------------------------------------------


def test_one_record_in_a_file(tmp_path: Path) -> None:
    record = record_of(list(random_game(4, 1)), ("Zoë", "Żółw", "李", "x"))
    path = tmp_path / "game.json"
    record.write(path)
    assert Record.read(path) == Record.read(str(path)) == record
    assert path.read_text("ascii").count("\n") == 1
    path.write_bytes(b"\xef\xbb\xbf\r\n" + json.dumps(record.to_dict(), indent=1, ensure_ascii=False).encode())
    assert Record.read(path) == record, "over many lines, with a byte order mark"


def test_many_records_in_a_file_are_written_and_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    records = [record_of(list(random_game(3, seed))) for seed in range(5)]
    assert write_records(path, iter(records)) == 5
    assert list(read_records(path)) == records
    lines = path.read_text().splitlines()
    path.write_text("\n" + "\n\n".join([*lines[:3], lines[3][:-40], *lines[4:]]))
    reading = read_records(path)
    assert [next(reading) for _ in range(3)] == records[:3]
    with pytest.raises(InvalidRecord, match=r"games\.jsonl, line 8: cannot read the record"):
        next(reading)


def test_file_of_several_or_no_records_is_not_one(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_records(path, [Record.loads(KEPT_AT_A_TABLE)] * 2)
    with pytest.raises(InvalidRecord, match="several records, not one"):
        Record.read(path)
    path.write_text("\n \n")
    assert list(read_records(path)) == []
    with pytest.raises(InvalidRecord, match="the file holds no record"):
        Record.read(path)
    with pytest.raises(FileNotFoundError):
        Record.read(tmp_path / "none.json")


# -- shown ------------------------------------------------------------------------------------------------------------


def test_names_with_markup_are_kept_as_data_and_escaped_where_html_is_made() -> None:
    names = ("<script>alert(1)</script>", "Tom & Jerry", '"><img src=x onerror=alert(1)>', "d")
    record = record_of(list(random_game(4, 1)), names)
    assert Record.loads(record.dumps()).names == names
    for shown in (record, replace(record, moves=(), result=None)):
        html = shown._repr_html_()
        assert "<script" not in html and "<img" not in html
        assert "&lt;script&gt;" in html and "Tom &amp; Jerry" in html


def test_record_shows_how_it_ended() -> None:
    record = record_of(list(random_game(4, 1)))
    assert record.result is not None
    html = record._repr_html_()
    assert all(f"<td>{points}</td>" in html for points in record.result.profits)
    assert html.count("winner") == len(record.result.winners)
    assert "unfinished" in repr(Record.loads(KEPT_AT_A_TABLE)) and "21 actions" in repr(Record.loads(KEPT_AT_A_TABLE))
