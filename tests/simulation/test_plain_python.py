"""Every kernel does the same as plain Python, with Numba switched off and where Numba cannot be imported."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from byzanz_lab.compiler import HAVE_NUMBA
from byzanz_lab.simulation import kernels
from tests.project.places import ROOT

SEEDS = 6
BLOCKED = """
import runpy, sys
sys.modules["numba"] = None
sys.argv[1:] = ["{}"]
runpy.run_module({!r}, run_name="__main__")
"""
MODULE = "tests.simulation.plain_games"


def run(arguments: list[str], **environment: str) -> dict[str, Any]:
    """What a process of its own plays."""
    done = subprocess.run(
        [sys.executable, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@cache
def compiled() -> dict[str, Any]:
    """What the compiled kernels play."""
    return run(["-m", MODULE, str(SEEDS)])


@pytest.mark.skipif(not HAVE_NUMBA, reason="Numba is not installed here, so there is nothing to compare")
def test_the_compiled_kernels_are_compiled() -> None:
    assert compiled()["numba"] and compiled()["warnings"] == []
    plain = [name for name, kernel in vars(kernels).items() if inspect.isfunction(kernel) and name[0] != "_"]
    assert plain == ["inlined", "njit"], "a kernel without njit would run as plain Python"


@pytest.mark.skipif(not HAVE_NUMBA, reason="Numba is not installed here, so there is nothing to compare")
def test_kernels_equal_their_plain_python_form() -> None:
    """Whole games, single choices, worlds and outcomes, by all policies, at 3 to 6 seats, with variants."""
    plain = run(["-m", MODULE, str(SEEDS)], NUMBA_DISABLE_JIT="1")
    assert plain == compiled()


@pytest.mark.skipif(not HAVE_NUMBA, reason="Numba is not installed here, so there is nothing to compare")
def test_without_numba_the_results_are_the_same_with_one_warning() -> None:
    plain = run(["-c", BLOCKED.format(SEEDS, MODULE)])
    assert plain.pop("numba") is False
    said = plain.pop("warnings")
    assert len(said) == 1 and "Numba cannot be imported" in said[0]
    assert plain == {name: value for name, value in compiled().items() if name not in ("numba", "warnings")}
