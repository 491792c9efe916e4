"""README.md is true: its Python runs, and its commands and checks are those that CI and the commit hooks run."""

from __future__ import annotations

import ast
import re

import pytest
import yaml

from tests.project.places import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[tuple[int, str]]:
    """The fenced blocks of one language in README.md, each with the line number at which its text starts."""
    found = re.finditer(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [(README.count("\n", 0, match.start(1)), match.group(1)) for match in found]


MAIN_JOB, TEST_COMMAND, CHECKS = (text.strip() for _, text in blocks("sh"))


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What the Python in README.md leaves behind, run in order from top to bottom."""
    found: dict[str, object] = {"__name__": "readme"}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("readme"))  # what it writes is not left in the checkout
        for lines_before, text in blocks("python"):
            exec(compile("\n" * lines_before + text, "README.md", "exec"), found)  # an error names README's own line
    return found


def test_the_python_in_readme_runs_in_order(names: dict[str, object]) -> None:
    assert blocks("python")
    assert {"advice", "lot", "figure", "table"} <= names.keys()


EXAMPLES = re.findall(r"\| `([^`]+)` is `([^`]+)` \|$", README, re.MULTILINE)


@pytest.mark.parametrize(("code", "shown"), EXAMPLES, ids=[code for code, _ in EXAMPLES])
def test_the_examples_of_the_words_run(code: str, shown: str, names: dict[str, object]) -> None:
    exec("from byzanz_lab import *", names)
    assert eval(code, names) == ast.literal_eval(shown)


def test_every_word_has_an_example() -> None:
    table = README.split("## Words")[1].split("\n## ")[0]
    assert len(EXAMPLES) == table.count("\n| ") - 2 > 10  # but for the head and the line under it


def test_the_course_is_listed_in_full() -> None:
    there = {f"notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert set(re.findall(r"^\| `(notebooks/\w+\.ipynb)` \|", README, re.MULTILINE)) == there


def test_the_pictures_in_readme_are_there_and_say_what_they_show() -> None:
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / path).is_file() and len(words) > 40 for words, path in pictures)


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
