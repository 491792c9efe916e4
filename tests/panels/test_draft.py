"""What is typed becomes a position, every fault finds its control, and code that is copied makes the same position."""

from __future__ import annotations

import pytest

from byzanz_lab import load_sample
from byzanz_lab.game.cards import KIND_INDEX
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.panels.draft import FIELDS, blank, cards_in, code_of, draft_of, faults_by_field, read, unseen
from byzanz_lab.panels.entry import EXAMPLES

SAMPLES = [*EXAMPLES, "over"]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_draft_says_all_that_a_position_says(name: str) -> None:
    position = load_sample(name)
    draft = draft_of(position)
    assert set(draft) <= FIELDS
    assert read(draft) == (position, ())


@pytest.mark.parametrize("variant", [{"hand_limit": 8}, {"may_decline_market": True, "tie_counts_dealers": True}])
def test_variants_are_part_of_it(variant: dict[str, int]) -> None:
    position = observe(new_game(Rules.for_seats(5, **variant), seed=3), 2)
    again, _ = read(draft_of(position))
    assert again == position
    assert again is not None and again.rules.variant == variant


@pytest.mark.parametrize("name", SAMPLES)
def test_code_that_is_copied_makes_the_same_position(name: str) -> None:
    position = load_sample(name)
    setup = code_of(position).split("advice =")[0]
    space: dict[str, Position] = {}
    exec(setup, space)
    assert space["position"] == position


def test_code_that_is_copied_asks_for_the_same_advice() -> None:
    code = code_of(load_sample("market"), objective="win", seed=5, worlds=640)
    assert code.endswith('advice = advise(position, budget=640, seed=5, objective="win")\nadvice\n')
    assert "hand_limit" not in code  # only what is not usual


def test_an_empty_table_has_faults_but_can_be_read() -> None:
    position, faults = read(blank(3))
    assert position is None
    assert "lot" in faults_by_field(faults)


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("hand", "Wi5", "unknown card 'Wi5'"),
        ("bids[2]", "Wo1 D", "dealers cannot be bid"),
        ("round", "two", "needs a whole number, not 'two'"),
        ("round", "9", "4 seats play rounds 1 to 6, there is no round 9"),
        ("unknown[1]", "-1", "needs a whole number"),
        ("passed", "7", "there is no seat 7"),
        ("market", "3xWi4", "there are 2 Wi4, not 3"),
        ("rules", "9", "Byzanz is played by 3 to 6 seats"),
        ("seat", "5", "there is no seat 5"),
    ],
)
def test_a_fault_stands_beside_the_control_that_caused_it(field: str, text: str, said: str) -> None:
    draft = draft_of(load_sample("auction")) | {field: text}
    position, faults = read(draft)
    assert position is None
    assert said in " ".join(faults_by_field(faults)[field])


def test_faults_of_one_control_are_kept_together() -> None:
    _, faults = read(draft_of(load_sample("auction")) | {"hand": "3xWi4 3xSp4"})
    assert len(faults_by_field(faults)["hand"]) > 1


@pytest.mark.parametrize("name", SAMPLES)
def test_cards_that_are_in_no_field_are_the_unseen_ones(name: str) -> None:
    position = load_sample(name)
    assert unseen(draft_of(position)) == list(position.unseen.counts)


def test_unseen_is_counted_as_one_types() -> None:
    draft = blank() | {"hand": "Wi4", "lot": "2xWi4 Sp", "known[0]": "Wi4", "known[1]": "D"}
    left = unseen(draft)
    assert left[KIND_INDEX["Wi4"]] == 1  # the lot cannot be read yet; what others know of one's own hand is in the hand
    assert left[KIND_INDEX["D"]] == 15
    assert unseen(draft | {"lot": "2xWi4"})[KIND_INDEX["Wi4"]] == -1


def test_seats_that_are_not_played_are_kept_out_but_not_lost() -> None:
    draft = blank(6) | {"bids[5]": "Wi4"}
    assert unseen(draft)[KIND_INDEX["Wi4"]] == 1
    assert unseen(draft | {"rules": "5"})[KIND_INDEX["Wi4"]] == 2
    assert cards_in(draft | {"rules": "5"}, "bids[5]") is not None
