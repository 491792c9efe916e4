"""The command line end to end, in processes of their own: the same JSON in all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from byzanz_lab.resources import sample
from tests.cli.command import fresh, run


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Playouts are compiled once, here, so that no process has to announce it."""
    for name in ("sample_auction", "sample_closing"):
        assert run("advise", sample(name), "--worlds", 1).code == 0
    assert run("play").code == 0


@pytest.mark.parametrize("name", ["sample_auction", "sample_market", "sample_closing"])
def test_json_is_the_same_on_every_run(name: str) -> None:
    ways = [((), "0"), (("--workers", 1), "1"), (("--workers", 3), "2")]
    answers = {fresh("advise", sample(name), "--worlds", 320, "--json", *w, PYTHONHASHSEED=h) for w, h in ways}
    assert len(answers) == 1
    (answer,) = answers
    assert (answer.code, answer.err) == (0, "")
    assert json.loads(answer.out)["worlds"] >= 1


def test_another_seed_is_another_answer() -> None:
    outs = [fresh("advise", sample("sample_market"), "--worlds", 64, "--json", "--seed", n).out for n in (1, -(10**30))]
    assert outs[0] != outs[1]
    assert json.loads(outs[1])["seed"] == -(10**30)


def test_play_replay_and_advise_go_together(tmp_path: Path) -> None:
    played = fresh("play", "--seats", 3, "--seed", 11, "--save", "game.json", cwd=tmp_path)
    assert (played.code, played.err) == (0, "")
    replayed = fresh("replay", "game.json", cwd=tmp_path)
    assert replayed.out.splitlines()[-4:] == played.out.splitlines()[-5:-1]  # the result, before the file's name
    advised = fresh("advise", "game.json", "--at", 5, "--worlds", 64, "--html", "a.html", cwd=tmp_path)
    assert (advised.code, advised.err) == (0, "")
    assert (tmp_path / "a.html").stat().st_size > 4_000_000


def test_the_main_job_is_done_in_any_folder(tmp_path: Path) -> None:
    answer = fresh("advise", "--worlds", 64, cwd=tmp_path)
    assert (answer.code, answer.err) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["byzanz-advice.html"]


def test_a_fault_is_one_line_and_exit_code_2() -> None:
    answer = fresh("advise", "nowhere.json")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "byzanz-lab advise: cannot read nowhere.json: no such file or directory\n"
