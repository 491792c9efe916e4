"""``byzanz-lab course``: the lessons are listed, and a lesson becomes a page that needs no network."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import nbformat
import pytest

from byzanz_lab import resources
from byzanz_lab.teaching import cli
from byzanz_lab.teaching.course import lesson_page, lessons

SOURCE = re.compile(r"<(?:script|link|img)[^>]*\s(?:src|href)=[\"']?(?:https?:)?//", re.IGNORECASE)
"""What a browser would fetch."""
PATIENCE = 240_000
"""Milliseconds: how busy a machine is must not decide whether a test passes."""


def command(*words: object) -> int:
    parser = argparse.ArgumentParser(prog="byzanz-lab")
    cli.add_commands(parser.add_subparsers())
    args = parser.parse_args(["course", *map(str, words)])
    return int(args.func(args))


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A lesson that computes nothing, in place of those that ship."""
    cells = [
        nbformat.v4.new_markdown_cell("# Tiny\n\nAfterwards you can *draw*.\n\nMore."),
        nbformat.v4.new_code_cell("import plotly.graph_objects as go\ngo.Figure(go.Bar(y=[1, 2], name='two bars'))"),
    ]
    path = tmp_path / "01_tiny.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    monkeypatch.setattr(resources, "_NOTEBOOKS", (tmp_path,))
    return path.stem


def test_all_notebooks_are_listed_with_their_aims(capsys: pytest.CaptureFixture[str]) -> None:
    assert command() == 0
    out = capsys.readouterr().out
    assert [lesson.name for lesson in lessons()] == [path.stem for path in resources.notebooks()]
    assert all(f"{lesson.name}: {lesson.title}\n" in out for lesson in lessons())
    assert out.count("Afterwards you can") == len(lessons()) - 1  # all but the advisor
    assert max(map(len, out.splitlines())) <= cli.WIDTH


def test_a_lesson_becomes_a_page(tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lessons()[0] == (tiny, "Tiny", "Afterwards you can *draw*.")
    target = tmp_path / "page.html"
    assert command(tiny, "--html", target) == 0
    assert capsys.readouterr().out == f"written: {target}\n"
    page = target.read_text("utf-8")
    assert "two bars" in page and "Plotly.newPlot(" in page
    assert "plotly.js v" in page and not SOURCE.search(page)
    assert SOURCE.search('<script async src="https://a.b/c.js">') and SOURCE.search("<link href=//a.b/c.css>")


@pytest.mark.browser
def test_the_page_draws_without_a_network(tiny: str, tmp_path: Path, chromium_path: str) -> None:
    from playwright.sync_api import sync_playwright

    target = tmp_path / "page.html"
    target.write_text(lesson_page(tiny), "utf-8")
    asked: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=chromium_path, args=["--no-sandbox", "--disable-gpu"], timeout=PATIENCE
        )
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(target.as_uri())
        page.wait_for_selector(".js-plotly-plot .main-svg")
        assert page.locator(".js-plotly-plot .bars path").count() == 2
        browser.close()
    assert [url for url in asked if url.startswith(("http:", "https:"))] == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["12_nothing"], "no notebook named '12_nothing' ships with byzanz_lab; there are: 01_tiny"),
        (["--html", "x.html"], "which lesson?"),
        (
            ["01_tiny", "--html", "no/such/folder/x.html"],
            "cannot write no/such/folder/x.html: there is no folder no/such/folder",
        ),
    ],
)
def test_what_cannot_be_done_is_said(
    words: list[str], sentence: str, tiny: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*words) == cli.BAD_INPUT
    assert f"byzanz-lab course: {sentence}" in capsys.readouterr().err
