"""What lies where: a small top level, files of readable length, notebooks without outputs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.project.places import PACKAGE, ROOT, sources

TOP = {"byzanz_lab", "notebooks", "tests", "environment.yml", "pyproject.toml", "README.md"}
MOST_LINES = 400


def test_the_top_level_holds_nothing_else() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this copy is no git checkout, so nothing tells its files from what lies around")
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    top = {name.split("/")[0] for name in listing.split("\0") if name}
    assert {name for name in top if not name.startswith(".")} == TOP


def test_no_source_file_is_longer_than_one_idea() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in sources(PACKAGE, ROOT / "tests")}
    assert lengths
    too_long = [f"{path.relative_to(ROOT)}: {n}" for path, n in lengths.items() if n > MOST_LINES]
    assert [line for line in too_long if "kernels" not in line] == []


def leftovers(notebook: Path) -> list[str]:
    """What running has left behind in a stored notebook."""
    content = json.loads(notebook.read_text("utf-8"))
    found = [f"widgets in the metadata of {notebook.name}"] if "widgets" in content["metadata"] else []
    for number, cell in enumerate(content["cells"]):
        if cell.get("outputs") or cell.get("execution_count") is not None:
            found.append(f"cell {number} of {notebook.name}")
    return found


def test_notebooks_are_stored_without_outputs() -> None:
    notebooks = sorted((ROOT / "notebooks").glob("**/*.ipynb"))
    assert notebooks
    assert [place for notebook in notebooks for place in leftovers(notebook)] == []


def test_an_output_would_be_found(tmp_path: Path) -> None:
    ran = {"cell_type": "code", "execution_count": 1, "outputs": [{"output_type": "stream"}], "source": "1"}
    path = tmp_path / "ran.ipynb"
    path.write_text(json.dumps({"metadata": {"widgets": {}}, "cells": [{"cell_type": "markdown"}, ran]}), "utf-8")
    assert leftovers(path) == ["widgets in the metadata of ran.ipynb", "cell 1 of ran.ipynb"]
