"""Compiled code on disk: kept where it can be, dropped when its source has changed, done without where it must be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from byzanz_lab.compiler import HAVE_NUMBA, njit
from byzanz_lab.simulation import kernels
from tests.project.places import ROOT

pytestmark = pytest.mark.skipif(not HAVE_NUMBA, reason="Numba is not installed here, so nothing is compiled")

MODULE = """
from byzanz_lab.compiler import njit
CONSTANT = {}
@njit
def constant():
    return CONSTANT
"""
ASK = "import module; module.constant(); print(module.constant(), sum(module.constant.stats.cache_hits.values()))"


def run(code: str, folder: Path) -> list[str]:
    """What a process says that starts in this folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment["PYTHONPATH"] = f"{ROOT}{os.pathsep}{folder}"
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=folder, env=environment
    )
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stdout.split()


def test_compiled_code_is_kept_until_a_constant_in_its_file_changes(tmp_path: Path) -> None:
    source = tmp_path / "module.py"
    source.write_text(MODULE.format(7))
    assert run(ASK, tmp_path) == ["7", "0"]
    assert run(ASK, tmp_path) == ["7", "1"]
    source.write_text(MODULE.format(88))
    assert run(ASK, tmp_path) == ["88", "0"]


def test_it_does_without_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(MODULE.format(7))
    nowhere = "from numba.core import caching; caching.CacheImpl._locator_classes = []; caching._CacheImpl = None; "
    blocked = nowhere + "caching.CompileResultCacheImpl._locator_classes = []; "
    assert run(blocked + ASK, tmp_path)[0] == "7"
    assert not list(tmp_path.rglob("*.nbi"))


def test_it_does_without_the_option_that_has_no_public_name(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(MODULE.format(7))
    older = "from numba.core.cpu import CPUTargetOptions; del CPUTargetOptions.__mro__[1]._nrt; "
    assert run(older + ASK, tmp_path)[0] == "7"


def test_code_that_would_need_to_count_references_is_refused() -> None:
    """So leaving the counting out cannot go wrong unnoticed."""

    def allocates(array: np.ndarray) -> float:
        return array.copy()[0]

    kernel = njit(allocates)
    with pytest.raises(Exception, match="NRT required but not enabled"):
        kernel(np.zeros(3))


def test_signatures_hold_no_class_of_ours() -> None:
    """Numba could not read what it kept once such a class is gone or renamed."""
    kernels.purse_of(0)
    compiled = [kernel for kernel in vars(kernels).values() if hasattr(kernel, "signatures")]
    said = " ".join(str(signature) for kernel in compiled for signature in kernel.signatures)
    assert len(compiled) > 30 and said and "byzanz" not in said


def test_the_tables_of_constants_are_small() -> None:
    """They are written into every function that uses them, and cost time to compile."""
    sizes = {name: value.nbytes for name, value in vars(kernels).items() if isinstance(value, np.ndarray)}
    assert sum(sizes.values()) < 120_000, sizes
