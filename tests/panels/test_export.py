"""A notebook that was exported shows the answer without a kernel, without a program and without a network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from byzanz_lab.resources import notebook
from tests.panels.conftest import ROOT, new_page

ASKED = "from byzanz_lab import load_sample\nadvisor = Advisor(load_sample('auction'), worlds=64)\n"
ASKED += "advisor.session.think(wait=True)\nadvisor"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The advisor's notebook, asked about a position, as nbconvert exports it."""
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    folder = tmp_path_factory.mktemp("exported")
    book = nbformat.read(notebook("00_advisor"), as_version=4)
    (cell,) = [cell for cell in book.cells if cell.cell_type == "code"]
    assert cell.source.endswith("Advisor()")
    cell.source = cell.source.removesuffix("Advisor()") + ASKED
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
        NotebookClient(book, timeout=300, kernel_name="python3", store_widget_state=False).execute()
    page, _ = nbconvert.HTMLExporter(embed_images=True).from_notebook_node(book)
    path = folder / "advisor.html"
    path.write_text(page, "utf-8")
    return path


def test_it_is_small_and_shows_no_live_widget(exported: Path) -> None:
    text = exported.read_text("utf-8")
    assert len(text) < 1_000_000  # a live figure alone would be five times that
    assert "application/vnd.jupyter.widget-state+json" not in text
    assert "sendChartToCloud" not in text


@pytest.mark.browser
def test_figure_and_table_are_seen_without_a_network(exported: Path, chromium: Any, keep_picture: Any) -> None:
    with new_page(chromium) as page:
        page.context.set_offline(True)
        page.goto(exported.as_uri(), wait_until="commit")
        figure = page.locator("svg[role=img]").filter(has=page.locator("circle"))
        figure.first.wait_for(state="visible")
        box = figure.first.bounding_box()
        assert box["width"] > 300
        assert box["height"] > 100
        assert "The view of seat 0" in figure.first.text_content()
        rows = page.locator("table", has_text="to the best").locator("tbody tr")
        assert rows.count() > 2
        assert all(row.is_visible() for row in rows.all())
        keep_picture(page, whole=page.locator(".jp-OutputArea").first)
