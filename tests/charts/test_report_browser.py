"""The report in a real browser: drawn, silent, readable in light and dark, and as wide as the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from byzanz_lab import advice_report
from tests.charts.answers import advice, lot
from tests.charts.test_theme import contrast

pytestmark = pytest.mark.browser
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run"]
NAMES = ["Ann", "<script>document.title='obeyed'</script>", "<b>Bo</b>", ""]


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "advice.html"
    path.write_text(advice_report(advice(), lot(), names=NAMES), "utf-8")
    return path


class Opened:
    """A page, and what it asked for and complained about."""

    def __init__(self, browser: Any, path: Path, width: int, scheme: str) -> None:
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("#figure-0 .barlayer .point")


@pytest.fixture(scope="module", params=[(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")], ids=str)
def opened(request: pytest.FixtureRequest, browser: Any, report: Path) -> Iterator[Opened]:
    found = Opened(browser, report, *request.param)
    yield found
    found.context.close()


def hex_of(rgb: str) -> str:
    """``rgb(1, 2, 3)`` as ``#010203``."""
    return "#" + "".join(f"{int(part):02x}" for part in rgb[rgb.index("(") + 1 : -1].split(",")[:3])


def test_it_asks_for_nothing_and_complains_of_nothing(opened: Opened) -> None:
    assert [url for url in opened.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert opened.complaints == []


def test_it_is_as_wide_as_the_window_and_so_is_the_figure(opened: Opened) -> None:
    width = opened.page.evaluate("window.innerWidth")
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    drawn = opened.page.evaluate("document.querySelector('#figure-0 .main-svg').getBoundingClientRect().width")
    assert 0.75 * min(width, 1088) < drawn <= width


def test_no_letters_of_the_figure_leave_it(opened: Opened) -> None:
    outside = opened.page.evaluate(
        """() => {
          const frame = document.querySelector('#figure-0').getBoundingClientRect();
          return [...document.querySelectorAll('#figure-0 text')].filter(t => t.textContent.trim()).filter(t => {
            const box = t.getBoundingClientRect();
            return box.left < frame.left - 1 || box.right > frame.right + 1;
          }).map(t => t.textContent);
        }"""
    )
    assert outside == []


@pytest.mark.parametrize("what", [".gtitle", ".ytick text", ".legendtext", "td", ".notes li", ".kind"])
def test_letters_stand_out_from_the_page(what: str, opened: Opened) -> None:
    script = """what => {
      const look = getComputedStyle(document.querySelector(what));
      const letter = document.querySelector(what) instanceof SVGElement ? look.fill : look.color;
      return [letter, getComputedStyle(document.body).backgroundColor];
    }"""
    letters, paper = opened.page.evaluate(script, what)
    assert contrast(hex_of(letters), hex_of(paper)) >= 4.5


def test_it_is_dark_where_the_reader_is(opened: Opened) -> None:
    dark = opened.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    paper = hex_of(opened.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert (contrast(paper, "#000000") < 2) == dark


def test_the_sentence_is_seen_once_and_before_the_figure(opened: Opened) -> None:
    seen = opened.page.get_by_text(advice().sentence, exact=True).locator("visible=true")
    assert seen.count() == 1
    figure = opened.page.locator("#figure-0").bounding_box()
    box = seen.bounding_box()
    assert figure is not None
    assert box is not None
    assert box["y"] < figure["y"]


def test_names_are_shown_as_they_are_written(opened: Opened) -> None:
    assert opened.page.locator("bdi").all_text_contents()[:3] == NAMES[:3]
    assert opened.page.title() == "Byzanz: What should seat 0 do?"


def test_it_draws_the_numbers_of_the_answer(opened: Opened) -> None:
    script = "() => document.getElementById('figure-0').data.find(t => t.name === 'winning at this price').y"
    drawn = opened.page.evaluate(script)
    values = [price.value["profit"].mean for price in lot().prices]
    assert (list(drawn) if isinstance(drawn, list) else list(drawn.values())) == pytest.approx(values)
