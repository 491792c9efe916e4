"""``byzanz-lab empire``: what it prints, and what it refuses in one sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from byzanz_lab.cli import main
from byzanz_lab.companions.empire import position_json
from byzanz_lab.companions.empire.deck_file import DEFAULT, dumps_deck
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.record import Record
from tests.companions.empire.moments import SMALL

Out = pytest.CaptureFixture[str]


def test_advise_has_an_example(capsys: Out) -> None:
    assert main(["empire", "advise", "--worlds", "64"]) == 0
    out = capsys.readouterr().out
    assert "View of seat 0: Emperor, turn 2 of 12" in out and "to the best" in out
    assert "Mixed strategy: " in out and re.search(r"\nBest: meld [a-z0-9 -]+\n$", out)


def test_advise_reads_a_position_and_gives_the_same_as_json(capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    position_json.save(Position.at_table("foes", "avars 2xraiders drought", phase="redraw"), path)
    words = ["empire", "advise", str(path), "--worlds", "64"]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["options"][0]["verdict"] == "best" and found["equilibrium"] is None
    assert f"Best: {found['options'][0]['action']}\n" in text
    assert main([*words, "--json", "--objective", "win"]) == 0
    assert json.loads(capsys.readouterr().out)["options"][0]["estimates"].keys() == {"win", "lead"}


def test_play_shows_the_game_saves_it_and_advise_looks_into_it(capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    words = ["empire", "play", "--policy", "greedy", "random", "--seed", "3", "--save", str(path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    record = Record.read(path)
    assert out.count("(seat ") == len(record.moves) and record.names == ("greedy", "random")
    assert out.count("Turn ") == record.replay().result().turns and "won by seat" in out
    assert main(words) == 0
    assert capsys.readouterr().out == out, "the same seed gives the same game"
    assert main(["empire", "advise", str(path), "--at", "1", "--worlds", "32"]) == 0
    assert "Emperor, turn 1 of 12 (early age), redraw, to move" in capsys.readouterr().out
    assert main(["empire", "advise", str(path), "--at", str(len(record.moves))]) == 2
    assert "actions, counted from 0" in capsys.readouterr().err


def test_check_deck_says_what_is_in_it_and_how_even_it_is(capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_text(dumps_deck(SMALL), "utf-8")
    assert main(["empire", "check-deck", str(path), "--games", "200"]) == 0
    out = capsys.readouterr().out
    assert "Small: no faults" in out and "byzantine: 36 cards" in out and "ended early:" in out
    assert main(["empire", "check-deck"]) == 0
    assert "Porphyra: no faults" in capsys.readouterr().out
    assert main(["empire", "play", "--deck", str(path)]) == 0


def test_check_deck_names_every_fault(capsys: Out, tmp_path: Path) -> None:
    data = json.loads(DEFAULT.read_text("utf-8"))
    data["byzantine"][0]["type"] = "wizard"
    data["foes"][1]["force"] = 99
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(data), "utf-8")
    assert main(["empire", "check-deck", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 2
    assert f"{path}: byzantine[0].type: " in printed.err and f"{path}: foes[1].force: " in printed.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["advise", "nowhere.json"], "nowhere.json: No such file or directory"),
        (["advise", "--at", "3"], "--at needs a record to look into"),
        (["advise", "--worlds", "0"], "a budget needs 1 world or more, not 0"),
        (["advise", "--seconds", "-1"], "'-1' is no number above 0|expected one argument"),
        (["advise", "--objective", "fame"], "invalid choice: 'fame'"),
        (["play", "--policy", "bold"], "unknown policy 'bold' .policies are default, greedy, random, adviser, mixing"),
        (["play", "--policy", "greedy", "random", "random"], "2 seats need 1 or 2 policies, not 3"),
        (["play", "--seed", "x"], "'x' is no whole number of 0 or more"),
        (["check-deck", "nowhere.json"], "nowhere.json: No such file or directory"),
        (["check-deck", "--games", "1"], "an error bar needs 2 games or more, not 1"),
        ([], "COMMAND"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(words: list[str], message: str, capsys: Out) -> None:
    assert main(["empire", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert re.search(message, printed.err)


def test_a_file_that_is_no_position_is_refused(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "bad.json"
    for text, said in (("{", "cannot read the position"), ("[]", "position"), ('{"format": "x"}', "format")):
        path.write_text(text, "utf-8")
        assert main(["empire", "advise", str(path)]) == 2
        printed = capsys.readouterr().err
        assert said in printed and printed.count("\n") == 1
