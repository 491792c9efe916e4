"""What holds for every source file: nothing is evaluated or unpickled, and public names say what they are."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.places import PACKAGE, sources, tree_of, where

UNSAFE_MODULES = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}
UNSAFE_NAMES = {"__import__", "compile", "eval", "exec"}
UNSAFE_METHODS = {"eval", "read_pickle", "to_pickle", "unsafe_load"}

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def imported(node: ast.AST) -> list[str]:
    """The modules that one statement imports by their full names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []


def is_unsafe(node: ast.AST) -> bool:
    """Whether a node can run text as code, or load objects out of bytes."""
    if isinstance(node, ast.Call):
        called = node.func
        allowed = any(word.arg == "allow_pickle" and getattr(word.value, "value", True) for word in node.keywords)
        by_name = isinstance(called, ast.Name) and called.id in UNSAFE_NAMES
        return allowed or by_name or (isinstance(called, ast.Attribute) and called.attr in UNSAFE_METHODS)
    return any(name.split(".")[0] in UNSAFE_MODULES for name in imported(node))


def is_public(name: str) -> bool:
    """Whether a name is for users."""
    return not name.startswith("_")


def defined(body: list[ast.stmt]) -> Iterator[Definition]:
    """The functions and classes that a module or a class defines, also in the branches of an ``if`` or ``try``."""
    for node in body:
        if isinstance(node, Definition):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            handlers = [line for handler in getattr(node, "handlers", []) for line in handler.body]
            yield from defined([*node.body, *handlers, *node.orelse, *getattr(node, "finalbody", [])])


def public_definitions(module: ast.Module) -> Iterator[tuple[Definition, bool]]:
    """The public functions and classes of a module, and their methods; with each, whether it is a method.

    Public is what ``__all__`` names, or without one, what does not start with an underscore.
    """
    exported = {
        str(ast.literal_eval(item))
        for node in module.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node).startswith("__all__")
        if isinstance(node.value, ast.List | ast.Tuple)
        for item in node.value.elts
        if isinstance(item, ast.Constant)
    }
    for node in defined(module.body):
        if node.name in exported if exported else is_public(node.name):
            yield node, False
            if isinstance(node, ast.ClassDef):
                yield from ((method, True) for method in defined(node.body) if is_public(method.name))


def faults(node: Definition, is_method: bool) -> list[str]:
    """What a public definition leaves unsaid."""
    marks = [ast.unparse(mark) for mark in node.decorator_list]
    said_elsewhere = any(mark.split(".")[-1] in ("overload", "override", "setter") for mark in marks)
    found = [] if said_elsewhere or ast.get_docstring(node) else ["has no docstring"]
    if isinstance(node, ast.ClassDef) or {"njit", "inlined"} & {*marks}:  # Numba infers the types of compiled functions
        return found
    given = node.args
    names = [*given.posonlyargs, *given.args][1 if is_method and "staticmethod" not in marks else 0 :]
    names += [*given.kwonlyargs, *(extra for extra in (given.vararg, given.kwarg) if extra)]
    found += [f"has no type for {name.arg}" for name in names if name.annotation is None]
    return found if node.returns is not None else [*found, "has no return type"]


def test_nothing_is_evaluated_or_unpickled() -> None:
    places = [where(path, node) for path in sources(PACKAGE) for node in ast.walk(tree_of(path)) if is_unsafe(node)]
    assert places == []


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from pickle import loads",
        "import os, marshal",
        "__import__(name)",
        "eval(text)",
        "exec(text)",
        "frame.eval('a')",
        "pd.read_pickle(file)",
        "np.load(file, allow_pickle=True)",
        "np.load(file, allow_pickle=flag)",
    ],
)
def test_an_unsafe_line_would_be_found(line: str) -> None:
    assert any(is_unsafe(node) for node in ast.walk(ast.parse(line)))


@pytest.mark.parametrize(
    "line", ["re.compile(text)", "np.load(f, allow_pickle=False)", "from . import pickles", "evaluate(x)"]
)
def test_a_safe_line_is_not_accused(line: str) -> None:
    assert not any(is_unsafe(node) for node in ast.walk(ast.parse(line)))


def test_every_module_says_what_it_is_for() -> None:
    files = [path for path in sources(PACKAGE) if path.stat().st_size]
    assert [where(path) for path in files if not ast.get_docstring(tree_of(path))] == []


def test_public_names_are_documented_and_typed() -> None:
    found = [
        f"{where(path, node)} {node.name} {fault}"
        for path in sources(PACKAGE)
        if all(is_public(part) or part == "__init__.py" for part in path.relative_to(PACKAGE).parts)
        for node, is_method in public_definitions(tree_of(path))
        for fault in faults(node, is_method)
    ]
    assert found == []


UNTOLD = """
class A:
    'A.'
    @property
    def b(self): ''
    def c(self, d, *e: int) -> int:
        'C.'
if True:
    def f(g): ''
def _h(): ''
"""


def test_an_untold_name_would_be_found() -> None:
    found = [(node.name, faults(node, is_method)) for node, is_method in public_definitions(ast.parse(UNTOLD))]
    no_docstring, no_return = "has no docstring", "has no return type"
    assert found == [
        ("A", []),
        ("b", [no_docstring, no_return]),
        ("c", ["has no type for d"]),
        ("f", [no_docstring, "has no type for g", no_return]),
    ]
    exported = public_definitions(ast.parse(f"__all__ = ['_h']\n{UNTOLD}"))
    assert [(node.name, faults(node, is_method)) for node, is_method in exported] == [("_h", [no_docstring, no_return])]


@pytest.mark.parametrize("path", sources(PACKAGE / "game"), ids=lambda path: path.stem)
def test_the_rules_need_the_standard_library_only(path: Path) -> None:
    roots = {name.split(".")[0] for node in ast.walk(tree_of(path)) for name in imported(node)}
    assert roots - sys.stdlib_module_names <= {"byzanz_lab"}
