"""``byzanz-lab review`` and ``byzanz-lab tournament``."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest

from byzanz_lab.advice.adviser_policy import AdviserPolicy
from byzanz_lab.cli import studies
from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation.learned import learned_policy
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import default_policy


def _game() -> Record:
    return play_game([default_policy()] * 3, new_game(Rules.for_seats(3), 1), 1)


def command(*words: object) -> int:
    parser = argparse.ArgumentParser(prog="byzanz-lab")
    studies.add_commands(parser.add_subparsers())
    args = parser.parse_args([str(word) for word in words])
    assert args.func is args.run
    return int(args.func(args))


def test_a_review_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "game.json", tmp_path / "review.html"
    replace(_game(), names=("<b>", "Bo", "Cy")).write(path)
    assert command("review", path, "--worlds", 8, "--seat", 0, "--html", page) == 0
    assert "seat 0 <b>" in capsys.readouterr().out.lower() and "<b>" not in page.read_text("utf-8")
    assert command("review", path, "--worlds", 8, "--json") == 0
    assert json.loads(capsys.readouterr().out)["format"] == "byzanz-review"


def test_a_tournament_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    words = ("tournament", "greedy", "random", "--games", 64, "--seats", 3, "--file", path)
    assert command(*words) == 0
    first = capsys.readouterr().out
    assert command(*words) == 0
    assert capsys.readouterr().out == first and first.startswith("policy")
    assert command(*words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["format"] == "byzanz-tournament"


def test_players_are_named_on_the_command_line() -> None:
    assert studies.player_named("adviser:0.5s", 4) == AdviserPolicy(seconds=0.5, workers=1, name="adviser:0.5s")
    assert studies.player_named("adviser:20w", 4) == AdviserPolicy(worlds=20, workers=1, name="adviser:20w")
    assert studies.player_named("adviser", 4).name == "adviser"
    assert studies.player_named("learned", 5) == learned_policy(5)
    assert studies.player_named("default", 5) == default_policy()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("tournament", "bold"), "unknown policy 'bold'"),
        (("tournament", "greedy", "greedy"), "two policies are named 'greedy'"),
        (("tournament", "greedy", "--seats", "9"), "3 to 6"),
        (("tournament", "greedy", "--workers", "0"), "1 worker or more"),
        (("tournament", "adviser:1.5w"), "worlds are a whole number"),
        (("tournament", "adviser:0s"), "above 0"),
        (("tournament", "greedy", "--lineups", "all"), "unknown line-ups"),
        (("review", "missing.json"), "missing.json: No such file"),
        (("review", "bad.json"), "bad.json"),
        (("review", "game.json", "--seat", "7"), "no seat 7"),
        (("review", "game.json", "--policy", "bold"), "unknown policy 'bold'"),
        (("review", "game.json", "--html", "nowhere/a.html"), "there is no such folder"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    words: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_text("{")
    _game().write("game.json")
    assert command(*words) == 2
    out, err = capsys.readouterr()
    assert told in err and err.count("\n") == 1 and not out
