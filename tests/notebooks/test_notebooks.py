"""Every notebook runs from top to bottom, with warnings as errors, and is stored and built as it should be."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LESSONS = NOTEBOOKS[1:]
"""All but the advisor."""
STRICT = "import warnings\nwarnings.simplefilter('error')\nwarnings.filterwarnings('ignore', module='ipykernel')"
"""Runs before the first cell. What the kernel says about itself, as when it is shut down, is no business of ours."""
FIGURE = "application/vnd.plotly.v1+json"
MOST_CELLS = 15


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def executed(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a notebook in a fresh kernel, as a reader would, in a folder of its own; figures can go to HTML as well."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
    monkeypatch.setenv("PLOTLY_RENDERER", "plotly_mimetype+notebook")
    notebook = read(path)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STRICT))
    client = NotebookClient(
        notebook,
        timeout=600,
        startup_timeout=300,
        kernel_name="python3",
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return notebook


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


Run = Callable[[Path], Any]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: dict[Path, tuple[Any, set[str]]]
) -> Callable[[Path], tuple[Any, set[str]]]:
    """Run a notebook, once for all tests of this file; gives what came out, and the files that it left behind."""

    def once(path: Path) -> tuple[Any, set[str]]:
        if path not in ran:
            done = executed(path, tmp_path, monkeypatch)
            ran[path] = done, {file.name for file in tmp_path.iterdir()}
        return ran[path]

    return once


@pytest.fixture(scope="module")
def ran() -> dict[Path, tuple[Any, set[str]]]:
    return {}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, run: Run) -> None:
    done, left = run(path)
    found = outputs(done)
    assert [output for output in found if output.output_type == "error"] == []
    assert [output.text for output in found if output.output_type == "stream" and output.name == "stderr"] == []
    assert left <= {"ipython", "runtime"}  # nothing is left lying about


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_ends_with_three_exercises_that_are_still_open(path: Path, run: Run) -> None:
    cells = run(path)[0].cells[-3:]
    said = [cell.outputs[-1].data["text/html"] for cell in cells if cell.cell_type == "code" and cell.outputs]
    assert len(said) == 3
    assert all("check(None)" in cell.source or re.search(r"check\(.*None\)", cell.source) for cell in cells)
    assert all("○" in html and "answer" in html for html in said)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_can_be_exported_to_html_that_shows_its_figures_offline(path: Path, run: Run) -> None:
    done = run(path)[0]
    figures = [output for output in outputs(done) if FIGURE in output.get("data", {})]
    page, _ = HTMLExporter().from_notebook_node(done)
    assert page.count("Plotly.newPlot(") >= len(figures)
    assert not figures or "plotly.js v" in page  # the library itself, not a link to it
    assert not re.search(r"<script[^>]*src=[^>]*plotly", page)


def test_the_first_notebook_shows_what_it_promises(run: Run) -> None:
    done = run(ROOT / "notebooks" / "01_first_advice.ipynb")[0]
    shown = {cell.id: cell.outputs[-1].data for cell in done.cells if cell.cell_type == "code" and cell.outputs}
    assert "byzanz-position" in shown["position"]["text/html"]
    assert "to the best" in shown["advise"]["text/html"]
    assert "share of the win" in shown["objective"]["text/html"]
    for name in ("curve", "lot"):
        assert any("error_y" in trace for trace in shown[name][FIGURE]["data"]) == (name == "curve")
    assert any(shape["name"] == "reservation price" for shape in shown["lot"][FIGURE]["layout"]["shapes"])


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


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_short(path: Path) -> None:
    assert len(read(path).cells) <= MOST_CELLS


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_opens_with_what_one_will_be_able_to_do(path: Path) -> None:
    assert "fterwards you can" in read(path).cells[0].source
