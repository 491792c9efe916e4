"""The front door: help, version, companions, Ctrl-C, readers that leave, terminals."""

from __future__ import annotations

import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import byzanz_lab
from byzanz_lab import cli
from byzanz_lab.cli import waiting
from byzanz_lab.resources import sample
from byzanz_lab.simulation import kernels
from tests.cli.command import ROOT, Answer, fresh, game, refusal, run

HEAVY = ("numba", "numpy", "pandas", "plotly", "scipy", "ipywidgets")


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version") == Answer(0, f"byzanz-lab {byzanz_lab.__version__}\n", "")


@pytest.mark.parametrize(
    "words", [["--help"], ["advise", "--help"], ["replay", "-h"], ["play", "-h"], ["values", "-h"]]
)
def test_help_is_given(words: list[str]) -> None:
    answer = run(*words)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("usage: byzanz-lab")


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["advise", "--help"], ["advise", "nowhere.json"], ["what"]]
)
def test_nothing_heavy_is_loaded_before_it_is_needed(words: list[str]) -> None:
    code = f"import sys; from byzanz_lab.cli import main; main({words!r}); print(*(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_a_command_is_needed_and_must_exist() -> None:
    assert refusal().startswith("which command: advise, values, replay, play?")
    assert refusal("dance").startswith("argument COMMAND: invalid choice: 'dance'")


def test_companions_add_their_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    def add_commands(commands: Any) -> None:
        commands.add_parser("empire-hello", help="greets").set_defaults(run=lambda args: print("hello") or 0)

    module = types.ModuleType("byzanz_lab.companions.empire.cli")
    module.add_commands = add_commands  # type: ignore[attr-defined]
    found = {"byzanz_lab.companions.empire.cli": module}
    monkeypatch.setattr("importlib.util.find_spec", found.get)
    monkeypatch.setattr("importlib.import_module", found.__getitem__)
    assert run("empire-hello") == Answer(0, "hello\n", "")
    assert "empire-hello" in run("--help").out


def test_companions_that_are_not_there_are_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("importlib.util.find_spec", absent)
    assert run("--help").code == 0


def test_ctrl_c_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.play, "run", interrupted)
    assert run("play") == Answer(130, "", "")


INTERRUPTED = """
import os, signal, sys
from byzanz_lab.cli import advise, main
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background jobs with Ctrl-C ignored
advise.compile_first = lambda *_: None  # where nothing is compiled yet, it would say so
advise.wants_bar = lambda: lambda progress: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main(["advise", sys.argv[1], "--seconds", "600"]))
"""


def test_ctrl_c_while_worlds_are_played_ends_the_process_quietly() -> None:
    command = [sys.executable, "-c", INTERRUPTED, str(sample("sample_auction"))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path) -> None:
    game().write(tmp_path / "game.json")
    command = [sys.executable, "-m", "byzanz_lab.cli", "replay", str(tmp_path / "game.json")]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


def test_letters_that_a_terminal_lacks_do_not_end_it() -> None:
    answer = fresh("advise", sample("sample_tax"), "--worlds", 64, PYTHONIOENCODING="ascii")
    assert answer.code == 0, answer.err
    assert "\\xb1" in answer.out


def test_a_bar_is_shown_to_somebody_who_looks_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert waiting.wants_bar() is True
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    assert waiting.wants_bar() is None


def test_in_a_terminal_the_progress_is_seen() -> None:
    pty, termios = (
        pytest.importorskip(name, reason="this system has no pseudo-terminals") for name in ("pty", "termios")
    )
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    command = [sys.executable, "-m", "byzanz_lab.cli", "advise", str(sample("sample_auction")), "--worlds", "256"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # Linux says so when the other end is closed
                break
            if not piece:
                break
            seen += piece
        assert process.stdout is not None
        table = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    assert b"worlds" in seen
    assert b"playouts" in seen
    assert b"verdict" in table


def test_kernels_on_disk_are_found(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.touch()
    index = tmp_path / f"kernels.play-12.py{sys.version_info.major}{sys.version_info.minor}.nbi"

    def play() -> None:
        """Stands for a kernel."""

    play.stats = types.SimpleNamespace(cache_path=str(tmp_path))  # type: ignore[attr-defined]
    assert not waiting.on_disk(play, source)
    index.touch()
    assert waiting.on_disk(play, source)
    os.utime(index, (1, 1))  # older than the source, so Numba will not use it
    assert not waiting.on_disk(play, source)
    index.rename(tmp_path / "kernels.play-12.py27.nbi")
    assert not waiting.on_disk(play, source)
    play.stats = types.SimpleNamespace(cache_path=None)  # type: ignore[attr-defined]
    assert not waiting.on_disk(play, source)


def test_a_plain_function_needs_no_compiling(tmp_path: Path) -> None:
    assert waiting.on_disk(len, tmp_path)


def test_kernels_that_were_used_are_on_disk_afterwards() -> None:
    run("advise", sample("sample_auction"), "--worlds", 1)
    assert waiting.on_disk(kernels.play_worlds, Path(kernels.__file__))


@pytest.mark.parametrize("cold", [True, False])
def test_compiling_is_announced_and_done_before_the_clock_runs(
    cold: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warmed: list[bool] = []
    monkeypatch.setattr(waiting, "on_disk", lambda *_: not cold)
    waiting.compile_first("play_worlds", lambda: warmed.append(True))
    assert warmed == [True] * cold
    assert capsys.readouterr().err == (waiting.COMPILING + "\n") * cold
