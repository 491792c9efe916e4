"""``byzanz-lab byzantium``: what it prints, and what it refuses in one sentence."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from byzanz_lab.cli import main
from byzanz_lab.companions.byzantium.cli import EXAMPLE, add_commands
from byzanz_lab.companions.byzantium.position_text import parse_position
from byzanz_lab.companions.byzantium.record import read_records
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import new_game

Out = pytest.CaptureFixture[str]


def test_solve_says_how_many_and_how(capsys: Out) -> None:
    assert main(["byzantium", "solve", "--seed", "7"]) == 0
    out = capsys.readouterr().out
    assert "23 cards can be placed, and no more." in out
    assert out.count("  place ") == 23 and out.count("laid aside") == 1


def test_solve_takes_a_deck_and_variants(capsys: Out) -> None:
    state = new_game(Rules(1), 7)
    deck = " ".join([*state.hands[0], *state.deck])
    assert main(["byzantium", "solve", deck, "--variant", "direction_per_branch"]) == 0
    assert f"Deck: {deck}" in capsys.readouterr().out


def test_advise_compares_the_placements(capsys: Out, tmp_path: Path) -> None:
    assert main(["byzantium", "advise", "--worlds", "500"]) == 0
    text = capsys.readouterr().out
    assert "Best: place R3 WW" in text and "all 24" in text
    path = tmp_path / "position.json"
    path.write_text(json.dumps(parse_position(EXAMPLE).to_dict()), "utf-8")
    assert main(["byzantium", "advise", str(path), "--worlds", "500", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["options"][0]["verdict"] == "best"
    assert f"Best: {found['options'][0]['action']}" in text


@pytest.mark.parametrize("players", ["1", "3"])
def test_play_shows_the_deal_and_saves_it(players: str, capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "deal.json"
    words = ["byzantium", "play", "--players", players, "--policy", "greedy", "--seed", "3", "--save", str(path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    (record,) = read_records(path)
    assert out.count("(seat ") == len(record.moves)
    assert "cards placed" in out if players == "1" else "won by seat" in out
    assert main(words) == 0
    assert capsys.readouterr().out == out, "the same seed gives the same deal"


def test_policies_may_differ_by_seat(capsys: Out) -> None:
    words = ["byzantium", "play", "--players", "4", "--policy", "random", "greedy", "default", "roomy"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert all(f"{name} (seat {seat})" in out for seat, name in enumerate(words[5:]))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "B2 R3"], "the deck has 24 cards, not 2"),
        (["solve", "B2 B2"], "the card B2 stands there twice"),
        (["solve", "B2 X3"], "unknown card 'X3'"),
        (["solve", "--variant", "speed"], "unknown variant 'speed'"),
        (["solve", "--seconds", "0"], "'0' is no number above 0"),
        (["solve", "--seed", "-3"], "'-3' is no whole number of 0 or more|expected one argument"),
        (["advise", "players 1"], "the part 'hand' is missing"),
        (["advise", "nowhere.json"], "nowhere.json: No such file or directory"),
        (["advise", "players 2; seat 1; dealer 1; to_move 0; hand B2 B3 B4 B5 B6 B7 B8 B9 B10 BJ"], "turn of seat 0"),
        (["advise", "--worlds", "0"], "a budget needs 1 world or more, not 0"),
        (["play", "--players", "5"], "invalid choice"),
        (["play", "--policy", "bold"], "unknown policy 'bold'"),
        (["play", "--players", "3", "--policy", "greedy", "random"], "3 seats need 1 or 3 policies, not 2"),
        (["play", "--players", "2", "--variant", "stop_at_first_misfit"], "a variant of solitaire"),
        ([], "COMMAND"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(words: list[str], message: str, capsys: Out) -> None:
    assert main(["byzantium", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert re.search(message, printed.err)


def test_a_file_that_is_no_position_is_refused(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "bad.json"
    path.write_text("{", "utf-8")
    assert main(["byzantium", "advise", str(path)]) == 2
    assert "cannot read the position" in capsys.readouterr().err


def test_the_commands_can_be_hooked_into_any_parser() -> None:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    args = parser.parse_args(["byzantium", "play", "--players", "2"])
    assert callable(args.func) and args.players == 2
