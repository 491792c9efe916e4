"""``byzanz-lab advise``: what it prints, writes and refuses."""

from __future__ import annotations

import importlib
import json
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byzanz_lab import Advice, advise, load_sample, lot_value, observe
from byzanz_lab.cli import advise as command
from byzanz_lab.cli.advise import LOT_SHARE, LOT_WORLDS
from byzanz_lab.game.position_json import save
from byzanz_lab.resources import samples
from tests.cli.command import game, refusal, run, written

adviser, lots = (importlib.import_module(f"byzanz_lab.advice.{name}") for name in ("advise", "lots"))
"""The modules; the room itself has functions of these names."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every command runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def decision(phase: str) -> int:
    """The first moment of the game with a decision of this kind."""
    return next(turn.number for turn in game().states() if turn.state.phase == phase)


def test_it_prints_the_table_of_the_answer() -> None:
    save(load_sample(), "position.json")
    answer = run("advise", "position.json", "--worlds", 64, "--seed", 9)
    assert answer.code == 0
    assert answer.err == ""
    same = str(advise(load_sample(), budget=64, seed=9)).splitlines()
    assert answer.out.splitlines()[:-1] == same[:-1]  # the last line tells the speed
    assert not Path("byzanz-advice.html").exists()


def test_without_a_file_it_does_the_main_job() -> None:
    answer = run("advise", "--worlds", 64)
    assert answer.code == 0
    assert str(advise(load_sample(), budget=64)).splitlines()[0] in answer.out
    assert lot_value(load_sample(), budget=64).sentence in answer.out
    assert "Report: byzanz-advice.html" in answer.out
    assert "<!DOCTYPE html>" in Path("byzanz-advice.html").read_text("utf-8")[:20]
    assert answer.out.splitlines()[-1] == f"Notebook: {command.notebook_line()}"
    words = shlex.split(command.notebook_line())
    helped = subprocess.run([*words, "--help"], capture_output=True, text=True, check=True)
    assert "JupyterLab" in helped.stdout  # what is printed can be typed


def test_the_notebook_line_is_as_short_as_can_be_typed(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    scripts = here / ".venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "byzanz-lab").touch()
    monkeypatch.setattr("sys.executable", str(scripts / "python"))
    assert command.notebook_line() == ".venv/bin/byzanz-lab lab"
    (scripts / "byzanz-lab").unlink()
    assert command.notebook_line() == ".venv/bin/python -m byzanz_lab.cli lab"
    monkeypatch.setattr("sys.executable", "/an odd/place/python")
    assert command.notebook_line() == "'/an odd/place/python' -m byzanz_lab.cli lab"


def test_an_html_report_is_written_where_it_is_asked_for() -> None:
    answer = run("advise", *_file(), "--worlds", 64, "--html", "mine.html")
    assert answer.out.splitlines()[-1] == "Report: mine.html, to be opened in a browser"
    assert "What the lot is worth" in Path("mine.html").read_text("utf-8")
    assert not Path("byzanz-advice.html").exists()


def test_json_is_printed_alone_and_holds_the_whole_answer() -> None:
    answer = run("advise", *_file(), "--worlds", 64, "--json", "--html", "mine.html")
    data = json.loads(answer.out)
    assert answer.out.count("\n") == 1
    assert answer.err == "Report: mine.html, to be opened in a browser\n"
    assert data == advise(load_sample(), budget=64).to_dict(timing=False)
    assert Advice.from_dict(data).rows == advise(load_sample(), budget=64).rows


def test_json_of_the_sample_writes_no_report() -> None:
    assert json.loads(run("advise", "--worlds", 64, "--json").out)["format"] == "byzanz-advice"
    assert not Path("byzanz-advice.html").exists()


@pytest.mark.parametrize("objective", ["profit", "margin", "win"])
def test_the_objective_is_passed_on(objective: str) -> None:
    data = json.loads(run("advise", "--worlds", 64, "--json", "--objective", objective).out)
    assert data["objective"] == objective
    assert data == advise(load_sample(), budget=64, objective=objective).to_dict(timing=False)


@pytest.mark.parametrize("names", [["greedy"], ["greedy,default", "random,random"], ["default, greedy,random,greedy"]])
def test_policies_are_one_for_all_or_one_a_seat(names: list[str]) -> None:
    words = [word for name in names for word in ("--policy", name)]
    data = json.loads(run("advise", "--worlds", 64, "--json", *words).out)
    wanted = [name.strip() for text in names for name in text.split(",")]
    assert [policy["name"] for policy in data["policies"]] == (wanted * 4 if len(wanted) == 1 else wanted)


@pytest.mark.parametrize("phase", ["auction", "tax", "last_lot", "hand_limit", "market", "closing"])
def test_a_moment_of_a_record_is_advised_on_as_its_seat_sees_it(phase: str) -> None:
    game().write("game.json")
    at = decision(phase)
    state = game().state_at(at)
    assert state.to_move is not None
    data = json.loads(run("advise", "game.json", "--at", at, "--worlds", 64, "--json").out)
    assert data == advise(observe(state, state.to_move), budget=64).to_dict(timing=False)
    again = run("advise", "game.json", "--at", at, "--seat", state.to_move, "--worlds", 64, "--json")
    assert json.loads(again.out) == data


def test_an_unfinished_record_is_advised_on_at_its_end() -> None:
    replace(game(), moves=game().moves[:40], result=None).write("open.json")
    data = json.loads(run("advise", "open.json", "--worlds", 64, "--json").out)
    assert data == json.loads(run("advise", "open.json", "--at", 40, "--worlds", 64, "--json").out)


def test_a_record_of_a_real_table_hides_what_nobody_knows() -> None:
    data = game().to_dict() | {"removed": None}
    written(Path(), data, "table.json")
    game().write("game.json")
    known, unknown = (run("advise", name, "--at", 3, "--worlds", 64, "--json") for name in ("game.json", "table.json"))
    assert json.loads(unknown.out) == json.loads(known.out)


def test_names_of_a_record_stand_escaped_in_its_report() -> None:
    names = ["<script>alert(1)</script>", "Bo & Co", "", "<b>"]
    replace(game(), names=tuple(names)).write("game.json")
    assert run("advise", "game.json", "--at", 3, "--worlds", 64, "--html", "a.html").code == 0
    html = Path("a.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "<script>alert(1)" not in html
    assert "Bo &amp; Co" in html


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.stem)
def test_every_sample_is_advised_on_or_refused_in_a_sentence(path: Path) -> None:
    answer = run("advise", path, "--worlds", 64, "--html", "a.html")
    if path.stem == "sample_over":
        assert answer.code == 2
        assert "has nothing to decide: the game is over" in answer.err
        assert not Path("a.html").exists()
    else:
        assert answer.code == 0
        assert Path("a.html").stat().st_size > 4_000_000


class Asked(Exception):
    """Stands for a run, and tells what it was asked."""


@pytest.mark.parametrize(
    ("words", "seconds", "worlds"),
    [
        ([], 2.0, None),
        (["--seconds", "0.5"], 0.5, None),
        (["--worlds", "300"], None, 300),
        (["--html", "a.html"], 2.0 * (1 - LOT_SHARE), None),
        (["--seconds", "10", "--html", "a.html"], 10 * (1 - LOT_SHARE), None),
        (["--worlds", "300", "--html", "a.html"], None, 300),
    ],
)
def test_what_may_be_spent(
    words: list[str], seconds: float | None, worlds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(position: object, budget: Any, **how: Any) -> None:
        raise Asked(budget)

    monkeypatch.setattr(adviser, "advise", ask)
    monkeypatch.setattr(command, "compile_first", lambda *_: None)
    with pytest.raises(Asked) as asked:
        run("advise", *_file(), *words)
    (budget,) = asked.value.args
    assert (budget.seconds, budget.worlds) == (seconds, worlds)


def test_the_worth_of_the_lot_takes_the_rest_and_no_more_worlds_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(position: object, lot: object, budget: Any, **how: Any) -> None:
        raise Asked(budget)

    monkeypatch.setattr(lots, "lot_value", ask)
    for words, seconds, worlds in (
        (["--worlds", 64], None, 64),
        (["--worlds", 3000, "--policy", "random"], None, LOT_WORLDS),
        (["--seconds", 0.2], 0.2 * LOT_SHARE, None),
    ):
        with pytest.raises(Asked) as asked:
            run("advise", *_file(), *words, "--html", "a.html")
        (budget,) = asked.value.args
        assert (budget.seconds, budget.worlds) == (seconds, worlds)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--worlds", "0"], "argument --worlds: must be a whole number from 1 to 1,000,000,000, not '0'"),
        (["--worlds", "1.5"], "argument --worlds: must be a whole number from 1 to 1,000,000,000, not '1.5'"),
        (["--worlds", "9" * 5000], "argument --worlds: must be a whole number from 1 to 1,000,000,000, not '999"),
        (["--seconds", "0"], "argument --seconds: must be a number of seconds above 0, not '0'"),
        (["--seconds", "nan"], "argument --seconds: must be a number of seconds above 0, not 'nan'"),
        (["--seconds", "1e999"], "argument --seconds: must be a number of seconds above 0, not '1e999'"),
        (["--seconds", "soon"], "argument --seconds: must be a number of seconds above 0, not 'soon'"),
        (["--seconds", "1", "--worlds", "5"], "argument --worlds: not allowed with argument --seconds"),
        (["--seed", "x"], "argument --seed: must be a whole number, not 'x'"),
        (["--workers", "0"], "argument --workers: must be a whole number from 1 to 256, not '0'"),
        (["--objective", "fun"], "argument --objective: invalid choice: 'fun'"),
        (["--policy", "nobody"], "unknown policy 'nobody' (policies are default, random, greedy, "),
        (["--policy", "default,default"], "4 seats need 1 policy for all or 4 policies, not 2"),
        (["--at", "3"], "--at counts the actions of a record, and this is a position"),
        (["--at", "-1"], "argument --at: must be a whole number from 0 up, not '-1'"),
        (["--seat", "2"], "this position is the view of seat 0: nobody can tell what seat 2 sees"),
        (["--html", "no/such/folder.html"], "cannot write no/such/folder.html: there is no folder "),
        (["--html", "."], "cannot write .: it is a folder"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["--see", "1"], "unrecognized arguments: --see"),  # no guessing at beginnings of options
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words: list[str], reason: str) -> None:
    said = refusal("advise", *_file(), *words)
    assert said.startswith(reason)
    assert len(said.splitlines()) == 1


def test_a_moment_that_a_record_does_not_have_is_refused() -> None:
    path, last = _game(), len(game().moves)
    assert refusal("advise", path, "--at", last + 1) == (
        f"{path}: there is no moment {last + 1}, the record has moments 0 to {last}"
    )
    assert refusal("advise", path) == f"the game in {path} is over: choose a moment from 0 to {last - 1} with --at N"
    assert refusal("advise", path, "--at", last) == (
        f"nothing is left to decide at moment {last} of {path}: the game is over"
    )


def test_a_seat_that_is_not_on_the_move_is_refused() -> None:
    path, at = _game(), decision("market")
    mover = game().state_at(at).to_move
    assert mover is not None
    other = (mover + 1) % 4
    assert refusal("advise", path, "--at", at, "--seat", other) == (
        f"seat {other} has nothing to decide here: it is the turn of seat {mover}"
    )
    assert refusal("advise", path, "--at", at, "--seat", 4) == "there is no seat 4, seats are 0 to 3"


def test_a_position_of_a_seat_that_waits_is_refused() -> None:
    state = game().state_at(0)
    assert state.to_move == 0
    save(observe(state, 2), "waiting.json")
    said = refusal("advise", "waiting.json")
    assert said == "seat 2, whose view this is, has nothing to decide: it is the turn of seat 0"


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr(adviser, "advise", lambda *_, **__: pytest.fail("it worked in vain"))
    assert refusal("advise", *_file(), "--html", "a.html") == "cannot write a.html: permission denied"


def test_a_disk_that_fills_up_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    file = _file()
    monkeypatch.setattr(Path, "write_text", full)
    answer = run("advise", *file, "--worlds", 64, "--html", "a.html")
    assert (answer.code, answer.err) == (2, "byzanz-lab advise: cannot write a.html: no space left on device\n")
    assert "verdict" in answer.out  # the answer itself is not lost


def _file() -> list[str]:
    """A position of its own, so that nothing but the table is asked for."""
    save(load_sample(), "position.json")
    return ["position.json"]


def _game() -> Path:
    game().write("game.json")
    return Path("game.json")
