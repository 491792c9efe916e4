"""Where the project's own files are, for the tests that read them."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "byzanz_lab"


def sources(*folders: Path) -> list[Path]:
    """All Python files below some folders, in a fixed order."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def tree_of(path: Path) -> ast.Module:
    """The syntax tree of one file."""
    return ast.parse(path.read_text("utf-8"), str(path))


def where(path: Path, node: ast.AST | None = None) -> str:
    """A file, and a line in it, as people write it."""
    return f"{path.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 1)}"
