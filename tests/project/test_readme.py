"""README.md is true: its Python runs, and its commands and checks are those that CI and the commit hooks run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.project.places import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[tuple[int, str]]:
    """The fenced blocks of one language in README.md, each with the line number at which its text starts."""
    found = re.finditer(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [(README.count("\n", 0, match.start(1)), match.group(1)) for match in found]


MAIN_JOB, TEST_COMMAND, CHECKS = (text.strip() for _, text in blocks("sh"))


def test_the_python_in_readme_runs_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # what it writes is not left in the checkout
    names: dict[str, object] = {"__name__": "readme"}
    assert blocks("python")
    for lines_before, text in blocks("python"):
        exec(compile("\n" * lines_before + text, "README.md", "exec"), names)  # an error names README's own line


def test_readme_opens_with_the_main_job_and_the_tests_one_line_each() -> None:
    assert README.index(MAIN_JOB) < README.index(TEST_COMMAND) < README.index("\n## ")
    for command in (MAIN_JOB, TEST_COMMAND):
        assert "\n" not in command
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    assert MAIN_JOB.endswith("byzanz-lab advise")
    assert "-e '.[test]'" in TEST_COMMAND


def test_ci_types_what_readme_says() -> None:
    typed = re.findall(r'^run "(.*)"$', (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    assert typed == [MAIN_JOB, TEST_COMMAND, *CHECKS.splitlines()]


def test_the_commit_hooks_are_the_checks_in_readme() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert [hook["entry"] for hook in repository["hooks"]] == CHECKS.splitlines()


def test_the_folders_in_readme_exist() -> None:
    named = re.findall(r"`((?:byzanz_lab|notebooks)/[\w/.]*)`", README)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
