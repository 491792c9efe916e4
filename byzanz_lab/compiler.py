"""The one door to Numba: compile when it can be imported, run as plain Python, slowly, when it cannot."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

try:
    import numba

    HAVE_NUMBA: Final = True
except ImportError:  # a platform without Numba, such as a browser
    HAVE_NUMBA = False  # type: ignore[misc]
    warnings.warn("Numba cannot be imported: playouts run as plain Python, some hundred times slower", stacklevel=2)


def njit(function: Callable[..., Any]) -> Any:
    """Compile a function so that it releases the GIL and is kept on disk for the next process.

    The plain form stays reachable as ``py_func``.
    """
    if HAVE_NUMBA:
        compiler: Any = numba.njit  # its types do not know that nothing here allocates (_nrt)
        return compiler(nogil=True, cache=True, error_model="numpy", _nrt=False)(function)
    function.py_func = function  # type: ignore[attr-defined]
    return function
