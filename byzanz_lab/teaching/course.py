"""The lessons: what each is about, and a lesson as one HTML page that shows its figures without a network.

A notebook that JupyterLab exports shows no plotly figures, since their library is not in it. `lesson_page` runs the
notebook in a kernel of its own, with a renderer that puts the library into the page, once.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from byzanz_lab.resources import notebook, notebooks

LINKED: Final = re.compile(r"<script[^>]*\ssrc=\"https?://[^>]*>\s*</script>")
"""Scripts that a page would load; plotly asks for one that typesets formulas, and our figures hold none."""
TIMEOUT: Final = 600
"""Seconds that a cell may take; the first one may have to compile the playouts."""


class Lesson(NamedTuple):
    """One notebook of the course.

    Attributes
    ----------
    name
        Its file name without the ending.
    title
        Its heading.
    aim
        Its first paragraph: what one will be able to do.
    """

    name: str
    title: str
    aim: str


def lessons() -> tuple[Lesson, ...]:
    """All notebooks that ship with the package, in reading order.

    Examples
    --------
    >>> [lesson.title for lesson in lessons()][1:3]
    ['First advice', 'The rules, by playing a round']
    """
    return tuple(_lesson(path) for path in notebooks())


def lesson_page(name: str) -> str:
    """Run a lesson and make a page of it.

    Parameters
    ----------
    name
        Name of a notebook, such as ``05_bidding``.

    Returns
    -------
    str
        A whole HTML document with text, code, tables and figures; it loads nothing from the network.

    Raises
    ------
    FileNotFoundError
        If there is no such notebook.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    content = nbformat.read(notebook(name), as_version=4)
    with TemporaryDirectory() as folder:
        client = NotebookClient(
            content,
            timeout=TIMEOUT,
            startup_timeout=TIMEOUT,
            kernel_name="python3",
            store_widget_state=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute(
            env=dict(os.environ, PLOTLY_RENDERER="notebook"), stderr=DEVNULL
        )  # what the kernel says of itself
    exporter = HTMLExporter(mathjax_url="", require_js_url="", jquery_url="")
    page, _ = exporter.from_notebook_node(content, {"metadata": {"name": notebook(name).stem}})
    return LINKED.sub("", page)


def _lesson(path: Path) -> Lesson:
    first = json.loads(path.read_text("utf-8"))["cells"][0]["source"]
    heading, _, rest = ("".join(first) if isinstance(first, list) else first).partition("\n")
    return Lesson(path.stem, heading.removeprefix("# "), rest.strip().partition("\n")[0])
