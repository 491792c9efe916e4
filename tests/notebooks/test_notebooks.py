"""Every notebook runs from top to bottom, with warnings as errors, and is stored as it should be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
STRICT = "import warnings\nwarnings.simplefilter('error')\nwarnings.filterwarnings('ignore', module='ipykernel')"
"""Runs before the first cell. What the kernel says about itself, as when it is shut down, is no business of ours."""


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def executed(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a notebook in a fresh kernel, as a reader would, in a folder of its own."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
    notebook = read(path)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STRICT))
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return notebook


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = executed(path, tmp_path, monkeypatch)
    found = outputs(done)
    assert [output for output in found if output.output_type == "error"] == []
    assert [output.text for output in found if output.output_type == "stream" and output.name == "stderr"] == []
    assert {path.name for path in tmp_path.iterdir()} <= {"ipython", "runtime"}  # nothing is left lying about


def test_the_first_notebook_shows_what_it_promises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = executed(ROOT / "notebooks" / "01_first_advice.ipynb", tmp_path, monkeypatch)
    shown = {cell.id: cell.outputs[-1].data for cell in done.cells if cell.cell_type == "code" and cell.outputs}
    assert "byzanz-position" in shown["position"]["text/html"]
    assert "to the best" in shown["advise"]["text/html"]
    assert "<table" in shown["frame"]["text/html"]
    assert "share of the win" in shown["objective"]["text/html"]
    for name in ("curve", "lot"):
        figure = shown[name]["application/vnd.plotly.v1+json"]
        assert any("error_y" in trace for trace in figure["data"]) == (name == "curve")
    assert any(
        shape["name"] == "reservation price"
        for shape in shown["lot"]["application/vnd.plotly.v1+json"]["layout"]["shapes"]
    )


def test_a_warning_would_be_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import warnings\nwarnings.warn('old')")])
    path = tmp_path / "warns.ipynb"
    nbformat.write(notebook, path)
    with pytest.raises(CellExecutionError, match=r"(?s)UserWarning.*old"):
        executed(path, tmp_path, monkeypatch)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_its_cells_have_names_of_their_own(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    names = [cell.id for cell in notebook.cells]
    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").isalpha() for name in names)  # given by hand, so that changes can be compared
    assert notebook.metadata.kernelspec.name == "python3"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_prose_comes_first_and_helpers_stay_in_the_package(path: Path) -> None:
    cells = read(path).cells
    assert cells[0].cell_type == "markdown"
    assert cells[0].source.startswith("# ")
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    assert "def " not in code
    assert "class " not in code


def test_the_first_notebook_is_short() -> None:
    assert len(read(ROOT / "notebooks" / "01_first_advice.ipynb").cells) <= 15
