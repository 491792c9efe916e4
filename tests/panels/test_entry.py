"""Entering a position: undo and redo, cards by clicks, files and texts; nothing is lost and nothing is guessed."""

from __future__ import annotations

import json

import pytest

from byzanz_lab import load_sample
from byzanz_lab.game.cards import KIND_INDEX
from byzanz_lab.game.state import State, new_game
from byzanz_lab.panels.draft import draft_of
from byzanz_lab.panels.entry import EXAMPLES, MOST_UNDO, Entry
from byzanz_lab.panels.session import Session


@pytest.fixture
def entry() -> Entry:
    return Entry(load_sample("auction"))


def test_a_hidden_truth_is_refused() -> None:
    state = new_game(load_sample("auction").rules, seed=1)
    for bad in (state, "byzanz 4 seats", 4):
        with pytest.raises(TypeError, match="a session is about a Position, not"):
            Entry(bad)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not State"):
        Session(state)  # type: ignore[arg-type]
    assert isinstance(state, State)


def test_what_was_valid_last_is_kept_while_something_is_wrong(entry: Entry) -> None:
    before = entry.position
    entry.set("hand", "Wi9")
    assert not entry.is_valid
    assert "unknown card" in entry.faults["hand"][0]
    assert entry.position == before
    assert entry.draft["hand"] == "Wi9"
    assert entry.to_text() == ""
    with pytest.raises(ValueError, match="no position yet: hand: unknown card"):
        entry.to_json()


def test_undo_and_redo_go_through_all_that_was_entered(entry: Entry) -> None:
    drafts = [dict(entry.draft)]
    for field, text in [("round", "3"), ("hand", "Wi9"), ("seat", "1"), ("round", "")]:
        entry.set(field, text)
        drafts.append(dict(entry.draft))
    for draft in reversed(drafts[:-1]):
        assert entry.can_undo
        entry.undo()
        assert entry.draft == draft
    assert not entry.can_undo
    entry.undo()  # nothing more to take back: nothing happens
    for draft in drafts[1:]:
        assert entry.can_redo
        entry.redo()
        assert entry.draft == draft
    assert not entry.can_redo


def test_after_a_new_change_nothing_can_be_redone(entry: Entry) -> None:
    entry.set("round", "3")
    entry.undo()
    entry.set("round", "4")
    assert not entry.can_redo


def test_letters_of_one_word_are_taken_back_together(entry: Entry) -> None:
    for text in ("W", "Wi", "Wi4"):
        entry.set("lot", text, typing=True)
    for text in ("S", "Sp"):
        entry.set("market", text, typing=True)
    entry.undo()
    assert (entry.draft["lot"], entry.draft["market"]) == ("Wi4", draft_of(load_sample("auction"))["market"])
    entry.undo()
    assert entry.draft == draft_of(load_sample("auction"))


def test_entering_the_same_again_is_no_step(entry: Entry) -> None:
    entry.set("round", "2")
    assert not entry.can_undo


def test_undo_remembers_much_but_not_for_ever(entry: Entry) -> None:
    for number in range(MOST_UNDO + 50):
        entry.set("round", str(number + 10))
    steps = 0
    while entry.can_undo:
        entry.undo()
        steps += 1
    assert steps == MOST_UNDO


def test_a_field_that_does_not_exist_is_refused(entry: Entry) -> None:
    with pytest.raises(ValueError, match="a position has no field 'deck'"):
        entry.set("deck", "Wi4")
    with pytest.raises(ValueError, match="there is no card 'Wi9'"):
        entry.add("hand", "Wi9")


def test_a_position_can_be_clicked_together() -> None:
    entry = Entry()
    for field, cards in {
        "hand": "Wi4 Wi1 Sp2 D",
        "lot": "Sp1 Sp1 Gr3 D Cl2",
        "bids[2]": "Ol1",
        "bids[3]": "Wo3",
    }.items():
        for code in cards.split():
            entry.add(field, code)
    assert entry.is_valid, entry.faults
    assert str(entry.position.hand) == "Sp2 Wi1 Wi4 D"
    assert entry.position.unknown == (0, 4, 3, 3)


def test_no_more_cards_can_be_clicked_in_than_exist_or_out_than_lie_there(entry: Entry) -> None:
    kind = KIND_INDEX["Wi4"]
    for _ in range(5):
        entry.add("hand", "Wi4")
    assert entry.draft["hand"].count("2xWi4") == 1
    assert entry.unseen[kind] == 0
    assert entry.room("lot")[kind] == 0
    for _ in range(5):
        entry.add("hand", "Wi4", -1)
    assert "Wi4" not in entry.draft["hand"]
    assert entry.unseen[kind] == 2


def test_the_last_card_taken_away_leaves_an_empty_field(entry: Entry) -> None:
    entry.set("hand", "Wi4")
    entry.add("hand", "Wi4", -1)
    assert "hand" not in entry.draft


def test_what_others_know_of_my_hand_is_counted_within_my_hand(entry: Entry) -> None:
    assert entry.draft["known[0]"] == "Gr1 Wi3 Wo3 Wo4"
    assert entry.room("known[0]")[KIND_INDEX["Gr3"]] == 1  # in hand, and the others do not know it
    assert entry.room("known[0]")[KIND_INDEX["Wi3"]] == 0
    unseen = list(entry.unseen)
    entry.add("known[0]", "Gr3")
    assert entry.unseen == unseen
    assert entry.is_valid


def test_cards_cannot_be_clicked_into_a_text_that_makes_no_sense(entry: Entry) -> None:
    entry.set("hand", "Wi")
    entry.add("hand", "Sp1")
    assert entry.draft["hand"] == "Wi"
    assert entry.error == "these cards cannot be read; correct the text first"
    entry.set("hand", "Wi4")
    assert entry.error == ""


def test_seats_pass_in_the_order_in_which_they_are_clicked(entry: Entry) -> None:
    for seat in (3, 1, 0):
        entry.toggle_pass(seat)
    assert entry.draft["passed"] == "3 1 0"
    entry.toggle_pass(1)
    assert entry.draft["passed"] == "3 0"
    for seat in (3, 0):
        entry.toggle_pass(seat)
    assert "passed" not in entry.draft


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_positions_that_can_be_undone(entry: Entry, name: str) -> None:
    before = dict(entry.draft)
    entry.load_example(name)
    assert entry.is_valid
    assert entry.position == load_sample(name)
    entry.undo()
    assert entry.draft == before


def test_an_unknown_example_is_refused(entry: Entry) -> None:
    with pytest.raises(ValueError, match="there is no example 'draw'"):
        entry.load_example("draw")


@pytest.mark.parametrize("name", EXAMPLES)
def test_files_and_texts_go_both_ways(entry: Entry, name: str) -> None:
    other = Entry(load_sample(name))
    assert entry.load_json(other.to_json())
    assert entry.position == other.position
    entry.clear()
    assert entry.paste(f"  {other.to_text()}\n")
    assert entry.position == other.position


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it ends too early"),
        ("[" * 100_000, "nested"),
        ('{"format": "byzanz-record"}', "must be 'byzanz-position'"),
        (json.dumps({"format": "byzanz-position", "version": 1, "players": 4, "hand": ["Wi9"]}), "hand"),
    ],
)
def test_a_broken_file_is_refused_in_words_and_changes_nothing(entry: Entry, text: str, said: str) -> None:
    before = dict(entry.draft)
    assert not entry.load_json(text)
    assert entry.draft == before
    assert not entry.can_undo
    assert said in entry.error


def test_a_broken_text_is_refused_in_words(entry: Entry) -> None:
    assert not entry.paste("byzanz 4 seats; hand Wi9")
    assert entry.error.startswith("this position cannot be: ")
    assert "unknown card 'Wi9'" in entry.error
    assert entry.is_valid


def test_an_empty_table_of_another_size(entry: Entry) -> None:
    entry.clear(6)
    assert entry.draft["rules"] == "6"
    assert not entry.is_valid


def test_listeners_are_told_once_everything_fits_together(entry: Entry) -> None:
    seen: list[tuple[str, bool]] = []
    entry.observe(lambda _: seen.append((entry.draft["hand"], entry.is_valid)), "revision")
    entry.set("hand", "Wi9")
    entry.undo()
    assert seen == [("Wi9", False), (draft_of(load_sample("auction"))["hand"], True)]
