"""Imports: they go one way, importing the package is quick, and its public names are there when asked for."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import byzanz_lab
from tests.project.places import PACKAGE, ROOT, tree_of

HEAVY = ["IPython", "anywidget", "dask", "ipywidgets", "llvmlite", "numba", "numpy", "pandas", "plotly", "scipy"]
NAMES = sorted(set(byzanz_lab.__all__) - {"__version__"})


def loaded_after(code: str) -> list[str]:
    """Which heavy packages a fresh interpreter has loaded after some code."""
    report = f"{code}\nimport json, sys\nprint(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    command = [sys.executable, "-c", report]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    return [str(name) for name in found]


def test_importing_the_package_loads_neither_the_compiler_nor_a_display_library() -> None:
    assert loaded_after("import byzanz_lab; dir(byzanz_lab)") == []


def test_the_rules_load_nothing_heavy() -> None:
    assert loaded_after("import byzanz_lab; byzanz_lab.Cards('Wi4 D'); byzanz_lab.Rules.for_seats(4)") == []


def test_a_heavy_import_would_be_found() -> None:
    assert loaded_after("import numpy") == ["numpy"]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_the_one_that_its_module_defines(name: str) -> None:
    value = getattr(byzanz_lab, name)
    home = byzanz_lab._HOME[name]
    assert value is getattr(importlib.import_module(home), name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert value.__module__.startswith(home)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_comes_with_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(byzanz_lab, name)) or "")  # and doctests run with the tests


def test_type_checkers_see_the_same_public_names() -> None:
    block = next(node for node in tree_of(PACKAGE / "__init__.py").body if isinstance(node, ast.If))
    seen = {
        alias.asname: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert seen == byzanz_lab._HOME


def test_public_names_are_listed_before_they_are_loaded() -> None:
    code = "import byzanz_lab; assert set(byzanz_lab.__all__) <= set(dir(byzanz_lab)); print(*byzanz_lab.__all__)"
    listed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert listed.split() == ["__version__", *byzanz_lab._HOME]


def test_an_unknown_name_is_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match="module 'byzanz_lab' has no attribute 'Card'"):
        _ = byzanz_lab.Card
    with pytest.raises(ImportError, match="cannot import name 'Card'"):
        from byzanz_lab import Card  # noqa: F401


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check a project folder against the import contracts in its pyproject.toml."""
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def test_imports_go_one_way() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("game/a.py", "simulation.b"),
        ("evaluation/a.py", "game.b"),
        ("evaluation/a.py", "resources"),
        ("evaluation/a.py", "simulation.b"),
        ("simulation/a.py", "evaluation.b"),
        ("advice/a.py", "charts.b"),
        ("charts/a.py", "panels.b"),
        ("interop/a.py", "cli"),
        ("panels/a.py", "teaching.b"),
        ("exercises.py", "game.b"),
        ("advice/a.py", "interop.b"),
        ("companions/__init__.py", "advice"),
        ("companions/empire/a.py", "advice"),
        ("companions/empire/a.py", "advice.b"),
        ("companions/empire/a.py", "game.b"),
    ],
)
def test_a_forbidden_import_would_be_found(importer: str, imported: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"), "utf-8")
    package = tmp_path / "byzanz_lab"
    rooms = [
        "game",
        "simulation",
        "evaluation",
        "advice",
        "charts",
        "panels",
        "interop",
        "teaching",
        "companions/empire",
    ]
    for file in [
        "cli.py",
        "compiler.py",
        "exercises.py",
        "json_fields.py",
        "policy.py",
        "records.py",
        "resources.py",
        "safe_json.py",
        importer,
        *(f"{room}/{name}.py" for room in rooms for name in "ab"),
    ]:
        (package / file).parent.mkdir(parents=True, exist_ok=True)
        (package / file).write_text("", "utf-8")
    for folder in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (folder / "__init__.py").write_text("", "utf-8")
    assert lint(tmp_path).returncode == 0
    (package / importer).write_text(f"import byzanz_lab.{imported}\n", "utf-8")
    result = lint(tmp_path)
    assert result.returncode == 1
    assert "is not allowed to import" in result.stdout
