"""``lab`` and ``app``: notebooks are copied once, and both servers are for this machine and want a token."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

import pytest

from byzanz_lab.panels import cli
from byzanz_lab.resources import notebooks


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    cli.add_commands(parser.add_subparsers())
    return parser


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    commands: list[list[str]] = []
    monkeypatch.setattr(cli, "_serve", lambda name, command: commands.append(command) or 0)
    return commands


def test_notebooks_are_copied_and_never_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert cli.copy_notebooks(folder) == folder / "00_advisor.ipynb"
    assert {path.name for path in folder.iterdir()} == {path.name for path in notebooks()}
    (folder / "00_advisor.ipynb").write_text("mine")
    other = sorted(folder.iterdir())[-1]
    other.unlink()
    cli.copy_notebooks(folder)
    assert (folder / "00_advisor.ipynb").read_text() == "mine"
    assert other.exists()


def test_a_link_that_leads_nowhere_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "00_advisor.ipynb").symlink_to(tmp_path / "elsewhere.ipynb")
    cli.copy_notebooks(tmp_path)
    assert not (tmp_path / "elsewhere.ipynb").exists()


def test_copies_can_be_written_to_whatever_the_source_allows(tmp_path: Path) -> None:
    copied = cli.copy_notebooks(tmp_path / "new")
    assert copied.stat().st_mode & 0o200


def test_lab_opens_the_advisor(
    parser: argparse.ArgumentParser, served: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    args = parser.parse_args(["lab", "--no-browser", "--port", "9001"])
    assert args.func(args) == 0
    (command,) = served
    assert command[:3] == [sys.executable, "-m", "jupyterlab"]
    assert {"--ServerApp.ip=127.0.0.1", "--ServerApp.port=9001", "--no-browser"} <= set(command)
    assert f"--ServerApp.root_dir={tmp_path.resolve() / 'byzanz-notebooks'}" in command
    assert "--LabApp.default_url=/lab/tree/00_advisor.ipynb" in command  # printed, and opened
    assert not [word for word in command if "token" in word.lower()]  # Jupyter makes one itself
    assert (tmp_path / "byzanz-notebooks" / "00_advisor.ipynb").exists()


def test_lab_takes_another_folder(parser: argparse.ArgumentParser, served: list[list[str]], tmp_path: Path) -> None:
    args = parser.parse_args(["lab", str(tmp_path / "mine")])
    assert args.func(args) == 0
    assert f"--ServerApp.root_dir={(tmp_path / 'mine').resolve()}" in served[0]
    assert "--no-browser" not in served[0]


def test_a_folder_that_cannot_be_made_is_refused_in_one_sentence(
    parser: argparse.ArgumentParser, served: list[list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    args = parser.parse_args(["lab", str(tmp_path / "file")])
    assert args.func(args) == 2
    assert served == []
    assert capsys.readouterr().err.startswith("byzanz-lab lab: cannot put the notebooks into ")


def test_app_is_for_this_machine_and_wants_a_token(parser: argparse.ArgumentParser, served: list[list[str]]) -> None:
    args = parser.parse_args(["app", "--port", "9002"])
    assert args.func(args) == 0
    assert {"--Voila.ip=127.0.0.1", "--Voila.auto_token=True", "--port=9002"} <= set(served[0])


def test_without_voila_app_says_what_to_install(
    parser: argparse.ArgumentParser, served: list[list[str]], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    args = parser.parse_args(["app"])
    assert args.func(args) == 2
    assert "pip install 'byzanz-lab[app]'" in capsys.readouterr().err
    assert served == []


@pytest.mark.parametrize("port", ["0", "80", "70000", "x", "-1", "1e4"])
def test_a_port_that_cannot_be_is_refused(parser: argparse.ArgumentParser, port: str) -> None:
    with pytest.raises(SystemExit):
        parser.parse_args(["lab", "--port", port])


def test_the_exit_code_is_that_of_the_server() -> None:
    assert cli._serve("lab", [sys.executable, "-c", "raise SystemExit(7)"]) == 7
    assert cli._serve("lab", ["/no/such/program"]) == 2
