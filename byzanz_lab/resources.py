"""The files that travel with the package: notebooks and sample data.

In a checkout, and so in an editable install, the notebooks stand beside the package in ``notebooks/``, where people
look for them; an installed wheel carries them inside the package. Sample data are inside the package in both. Ask here
for a file instead of building its path from where the package seems to lie.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_NOTEBOOKS = (_PACKAGE / "_notebooks", _PACKAGE.parent / "notebooks")  # in a wheel, in a checkout
_DATA = _PACKAGE / "data"


def notebooks() -> tuple[Path, ...]:
    """Give the notebooks that ship with the package, in reading order (by name).

    Returns
    -------
    tuple of Path
        Existing ``.ipynb`` files, sorted by name; all in one folder.
    """
    folder = next((folder for folder in _NOTEBOOKS if folder.is_dir()), None)
    return _files(folder, "*.ipynb")


def notebook(name: str) -> Path:
    """Find one of the notebooks.

    Parameters
    ----------
    name : str
        The file's name, with or without ``.ipynb``.

    Returns
    -------
    Path
        The file, which exists. It may be read-only; copy it before you change it.

    Raises
    ------
    FileNotFoundError
        When there is no such notebook; the message lists those that there are.
    """
    return _find("notebook", name, notebooks())


def samples() -> tuple[Path, ...]:
    """Give the sample positions and records that ship with the package, by name.

    Returns
    -------
    tuple of Path
        Existing ``.json`` files, sorted by name.
    """
    return _files(_DATA, "*.json")


def sample(name: str) -> Path:
    """Find one of the sample positions and records.

    Parameters
    ----------
    name : str
        The file's name, with or without ``.json``.

    Returns
    -------
    Path
        The file, which exists.

    Raises
    ------
    FileNotFoundError
        When there is no such sample; the message lists those that there are.
    """
    return _find("sample", name, samples())


def _files(folder: Path | None, pattern: str) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob(pattern))) if folder is not None else ()


def _find(what: str, name: str, among: tuple[Path, ...]) -> Path:
    for path in among:
        if name in (path.name, path.stem):
            return path
    there = ", ".join(path.stem for path in among) or "none"
    raise FileNotFoundError(f"no {what} named {name!r} ships with byzanz_lab; there are: {there}")
