"""What is shown while a command works: a bar in a terminal, and a line when the playouts have to be compiled first."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from byzanz_lab.cli.common import say

COMPILING: Final = (
    "Compiling the playouts for this machine, which takes about half a minute; the next time they are there ..."
)


def wants_bar() -> bool | None:
    """Whether to show a progress bar: only to somebody who looks."""
    return True if sys.stderr.isatty() else None


def compile_first(entry: str, warm_up: Callable[[], object]) -> None:
    """Unless a compiled kernel of this name is on disk, say what one is about to wait for, and use it once.

    So the seconds that somebody allows for thinking are not spent on compiling.
    """
    from byzanz_lab.simulation import kernels

    if not on_disk(getattr(kernels, entry), Path(kernels.__file__)):
        say(COMPILING)
        warm_up()


def on_disk(kernel: Any, source: Path) -> bool:
    """Whether Numba will find a kernel compiled; also when there is nothing to compile, for want of Numba.

    Numba names the index of what it keeps after function, line and Python, and drops it when the source has changed.
    """
    stats = getattr(kernel, "stats", None)
    if stats is None or stats.cache_path is None:
        return stats is None
    python = f".py{sys.version_info.major}{sys.version_info.minor}."
    found = Path(stats.cache_path).glob(f"{source.stem}.{kernel.__name__}-*.nbi")
    return any(python in index.name and index.stat().st_mtime >= source.stat().st_mtime for index in found)
