"""environment.yml asks conda for what pyproject.toml asks pip for, with the same bounds."""

from __future__ import annotations

import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.project.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LISTED = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))["dependencies"]
CONDA_NAMES: dict[str, str] = {}
"""Names under which conda-forge has a package, where they differ from those on PyPI."""


def bounds(lines: list[str]) -> dict[str, SpecifierSet]:
    """Package -> version bounds."""
    parsed = [Requirement(line) for line in lines]
    return {one.name: one.specifier for one in parsed}


def test_conda_and_pip_get_the_same_packages_with_the_same_bounds() -> None:
    wanted = {CONDA_NAMES.get(name, name): found for name, found in bounds(PROJECT["dependencies"]).items()}
    wanted["python"] = SpecifierSet(PROJECT["requires-python"])
    given = bounds([line for line in LISTED if isinstance(line, str) and line != "pip"])
    assert given == wanted


def test_conda_leaves_the_project_and_what_tests_need_to_pip() -> None:
    assert "pip" in LISTED
    assert [line for line in LISTED if isinstance(line, dict)] == [{"pip": ["-e .[test]"]}]


@pytest.mark.parametrize("line", PROJECT["dependencies"])
def test_every_runtime_dependency_has_a_floor(line: str) -> None:
    assert any(bound.operator == ">=" for bound in Requirement(line).specifier)


def test_a_reason_stands_beside_every_bound() -> None:
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    start = lines.index("dependencies = [")
    stop = next(number for number, line in enumerate(lines) if line.startswith("[project.scripts]"))
    requirements = [line for line in lines[start:stop] if ">=" in line]
    assert len(requirements) > len(PROJECT["dependencies"])
    assert [line for line in requirements if "  # " not in line] == []
