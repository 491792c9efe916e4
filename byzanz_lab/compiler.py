"""The one door to Numba: compile when it can be imported, run as plain Python, slowly, when it cannot.

Compiled code is kept on disk for the next process: beside the source, or where that place is read-only in the user's
own cache folder (Numba finds it), or nowhere if neither can be written. Numba takes what it kept for out of date when
time or size of the source *file* has changed, and looks at no other file: so constants and all functions that call one
another stand in one module, and what policies value is handed over as an argument. Signatures hold plain arrays and
numbers only, no class of ours: Numba reads what it kept before it looks at its age, and a class that is no longer there
could not be read.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

try:
    import numba
    from numba.core.cpu import CPUTargetOptions

    HAVE_NUMBA: Final = True
except ImportError:  # a platform without Numba, such as a browser
    HAVE_NUMBA = False  # type: ignore[misc]
    warnings.warn("Numba cannot be imported: playouts run as plain Python, some hundred times slower", stacklevel=2)


def njit(function: Callable[..., Any]) -> Any:
    """Compile a function so that it releases the GIL and is kept on disk for the next process.

    The plain form stays reachable as ``py_func``.
    """
    return _compiled(function, "never")


def inlined(function: Callable[..., Any]) -> Any:
    """As `njit`, for a function with one caller, into which it is written: less to compile, and quicker.

    Numba compiles every function with all that it calls anew; the fewer levels there are, the less often.
    """
    return _compiled(function, "always")


def compiled_anew(function: Callable[..., Any]) -> Any:
    """As `njit`, for a function that calls into another file: it is not kept on disk, where it could go stale."""
    return _compiled(function, "never", kept=False)


def _compiled(function: Callable[..., Any], inline: str, kept: bool = True) -> Any:
    if not HAVE_NUMBA:
        function.py_func = function  # type: ignore[attr-defined]
        return function
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "inline": inline}
    if hasattr(CPUTargetOptions, "_nrt"):
        # No counting of references to arrays, which took a quarter of the time. Arrays belong to the caller, who holds
        # them during the call; nothing compiled here makes one, keeps one or hands one back. The option has no public
        # name, but is safe to use: code that would have to allocate an array is refused when it is compiled, "NRT
        # required but not enabled" (numba/core/runtime/context.py), and so is code that hands back one that it was
        # not given (numba/core/typed_passes.py, legalize_return_type). Without the option all runs as well, slower.
        options["_nrt"] = False
    compiler: Any = numba.njit
    try:
        return compiler(cache=kept, **options)(function)
    except RuntimeError:  # no place on disk that can be written
        return compiler(**options)(function)
