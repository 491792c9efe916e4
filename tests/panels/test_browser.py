"""The panels as a person uses them, in JupyterLab and in Voilà, with mouse and keyboard, wide and narrow."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from byzanz_lab.game.position_json import loads
from byzanz_lab.game.record import Record
from tests.panels.conftest import PATIENCE, Server, open_book, picture, write_notebook

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
sync_api.expect.set_options(timeout=PATIENCE)
expect = sync_api.expect
# Long: they take minutes, and have not yet run through on a quiet machine.
pytestmark = [pytest.mark.browser, pytest.mark.long]

CURVE = ".bz-advice-panel .js-plotly-plot"
SHOWN = f"""() => {{
  const plot = document.querySelector('{CURVE}');
  const full = (plot?._fullData || []).filter((trace) => trace.visible === true && trace.x?.length);
  return full.map((trace) => trace.name);
}}"""

FITS = f"""() => {{
  const plot = document.querySelector('{CURVE}'), svg = plot?.querySelector('.main-svg');
  return svg && Math.abs(svg.clientWidth - plot.clientWidth) <= 2 && plot.getBoundingClientRect().right <= innerWidth;
}}"""


def add(page: Any, name: str, times: int = 1) -> None:
    """Click cards in, one by one, each once the last one has arrived."""
    for _ in range(times):
        plus = page.get_by_role("button", name=re.compile(f"^add {name}:"))
        before = plus.get_attribute("aria-label")
        plus.click()
        expect(plus).not_to_have_attribute("aria-label", before)


def target(page: Any, name: str) -> None:
    """Choose where the next cards go."""
    page.get_by_role("button", name=re.compile(rf"^{name} \(")).click()


def enter_an_opening(page: Any) -> None:
    """A hand and a lot, by clicks alone."""
    for name in ("wine 4", "wine 1", "spice 2", "dealer"):
        add(page, name)
    target(page, "lot")
    add(page, "spice 1", 2)
    for name in ("grain 3", "dealer", "cloth 2"):
        add(page, name)
    expect(page.locator(".bz-summary")).to_contain_text("This position can be.")


def answered(page: Any) -> None:
    """Wait until the thinking is done."""
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "done")
    expect(page.locator(".bz-sentence")).to_be_visible()


def save(page: Any, button: str, into: Path) -> str:
    """Press a button that saves a file, and read it."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    download.value.save_as(into)
    return into.read_text("utf-8")


def open_file(page: Any, path: Path) -> None:
    """Choose a file to be opened."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open file …").click()
    chooser.value.set_files(path)


def test_click_a_hand_in_and_read_what_to_bid(page: Any, lab: Server, books: Path, tmp_path: Path) -> None:
    write_notebook(books / "advice.ipynb", "from byzanz_lab.panels import Advisor\nAdvisor(seconds=1)")
    open_book(page, lab, "advice.ipynb")
    advise = page.get_by_role("button", name="Advise", exact=True)
    expect(advise).to_have_attribute("aria-disabled", "true")
    enter_an_opening(page)
    advise.click()
    answered(page)
    expect(page.locator(".bz-sentence")).to_have_text(re.compile("^(Bid|Pass)"))
    expect(page.get_by_role("table", name=re.compile("^Seat 0 of 4")).locator("tbody tr")).not_to_have_count(0)
    page.wait_for_function(f"() => ({SHOWN})().includes('chance to win the lot')")
    assert {"passing", "winning at this price"} <= set(page.evaluate(SHOWN))
    assert "seat 0" in page.locator(".bz-advice-panel .bz-figure").get_attribute("aria-label")

    # what cannot be is marked beside what caused it; the answer is greyed, not lost
    hand = page.get_by_label(re.compile("^Your hand"))
    hand.fill("Wi4 Wi4 Wi4 D")
    expect(page.locator(".bz-wrong .bz-fault")).to_contain_text("there are 2 Wi4, not 3")
    expect(hand).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".bz-answer")).to_have_class(re.compile("bz-stale"))
    expect(page.locator(".bz-sentence")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".bz-answer")).not_to_have_class(re.compile("bz-stale"))

    # files
    text = save(page, "Save file", tmp_path / "position.json")
    assert str(loads(text).hand) == "Sp2 Wi1 Wi4 D"
    page.get_by_label("start from an example").select_option("market")
    expect(hand).to_have_value("Cl1 Cl3 Cl4 Sp1 Sp3 Sp4 Wi2")
    (tmp_path / "broken.json").write_text(json.dumps({"format": "something else"}))
    open_file(page, tmp_path / "broken.json")
    expect(page.locator(".bz-position .bz-error")).to_contain_text("must be 'byzanz-position'")
    open_file(page, tmp_path / "position.json")
    expect(hand).to_have_value("Sp2 Wi1 Wi4 D")
    expect(page.locator(".bz-position .bz-error")).to_be_hidden()

    # a long run can be stopped, and another aim needs no second run
    page.get_by_role("combobox", name="Time").select_option("300")
    advise.click()
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "running")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "stopped")
    page.get_by_role("combobox", name="Aim").select_option("win")
    expect(page.locator(".bz-table thead").first).to_contain_text("win ± 95 %")
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "stopped")
    assert page.outside == []
    assert page.failures == []


def test_all_of_it_can_be_reached_with_the_keyboard(page: Any, lab: Server, books: Path) -> None:
    write_notebook(books / "keys.ipynb", "from byzanz_lab.panels import Advisor\nAdvisor(seconds=1)")
    open_book(page, lab, "keys.ipynb")
    first = page.get_by_role("button", name=re.compile("^add cloth 1:"))
    first.focus()
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-label", re.compile("1 in your hand, 5 unseen"))
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name=re.compile("^add grain 2:"))).to_be_focused()
    page.keyboard.press("+")
    expect(page.get_by_role("button", name=re.compile("^remove grain 2: 1 in"))).to_have_attribute(
        "aria-disabled", "false"
    )
    page.keyboard.press("-")
    expect(
        page.get_by_role("button", name=re.compile("^add grain 2: 0 in"))
    ).to_be_focused()  # redrawn, and still there
    stops = page.locator(".bz-position .bz-grid button[tabindex='0']")
    expect(stops).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_label(re.compile("^Your hand"))).to_be_focused()
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('.bz-root :is(button, input, select, textarea)')]
              .filter((el) => !(el.getAttribute('aria-label') || el.textContent.trim() || el.labels?.length)).length"""
    )
    assert unnamed == 0
    assert page.failures == []


def test_an_auction_can_be_played_with_a_hint_and_an_undo(page: Any, lab: Server, books: Path, tmp_path: Path) -> None:
    write_notebook(books / "play.ipynb", "from byzanz_lab.panels import Advisor\nAdvisor(seconds=1)")
    open_book(page, lab, "play.ipynb")
    page.get_by_role("tab", name="Play", exact=True).click()
    table = page.locator(".bz-play")
    expect(table.locator(".bz-prompt")).to_contain_text("Your turn")
    table.get_by_role("button", name="Hint").click()
    expect(table.locator(".bz-prompt")).to_contain_text("Hint: ")
    table.get_by_role("button", name=re.compile("^take (?!dealer)")).first.click()
    bid = table.get_by_role("button", name=re.compile(r"^Bid \d"))
    expect(bid).to_have_attribute("aria-disabled", "false")
    bid.click()
    expect(table.locator(".bz-log li").last).to_contain_text("seat 0: bid")
    expect(table.locator(".bz-prompt")).to_contain_text("Your turn")
    table.get_by_role("button", name="Undo").click()
    expect(table.locator(".bz-log li")).to_have_count(0)
    table.get_by_role("button", name="Pass").click()
    expect(table.locator(".bz-log li").last).to_contain_text("seat 0: pass")
    expect(table.locator(".bz-prompt")).to_contain_text("Your turn")
    record = Record.loads(save(page, "Save the record", tmp_path / "game.json"))
    assert record.replay().table.offers != (0, 0, 0, 0)  # the first auction is over
    table.get_by_role("button", name="Open in the advisor").click()
    answered(page)
    assert page.failures == []
    assert page.outside == []


def test_a_reload_keeps_the_figure_and_a_cell_that_runs_again_leaves_one_panel(
    page: Any, lab: Server, books: Path
) -> None:
    code = "from byzanz_lab import load_sample\nfrom byzanz_lab.panels import Advisor\n"
    code += "advisor = Advisor(load_sample('auction'), worlds=64)\nadvisor.session.think(wait=True)\nadvisor"
    write_notebook(books / "reload.ipynb", code)
    open_book(page, lab, "reload.ipynb")
    answered(page)
    page.wait_for_function(f"() => ({SHOWN})().length >= 4")
    before = page.evaluate(SHOWN)
    page.keyboard.press("Control+s")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)
    page.reload()
    answered(page)
    page.wait_for_function(
        f"(names) => JSON.stringify(({SHOWN})()) === names",
        arg=json.dumps(before, separators=(",", ":"), ensure_ascii=False),
    )
    for _ in range(2):
        former = page.locator(".bz-position .bz-text").get_attribute("id") or ""
        assert page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        expect(page.locator(".bz-position .bz-text")).not_to_have_attribute("id", former)
    expect(page.locator(".bz-position")).to_have_count(1)
    expect(page.locator(".bz-advice")).to_have_count(1)
    page.get_by_role("button", name="Think longer").click()
    expect(page.locator(".bz-table").first).to_contain_text("128 worlds")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_narrow_windows_are_usable(
    page: Any, lab: Server, books: Path, theme: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    name = f"narrow-{theme[-4:].strip()}.ipynb"
    write_notebook(books / name, "from byzanz_lab import load_sample\nfrom byzanz_lab.panels import Advisor\n"
                                 "Advisor(load_sample('auction'), worlds=64)")  # fmt: skip
    page.set_viewport_size({"width": 390, "height": 900})
    open_book(page, lab, name, theme)
    page.get_by_role("button", name="What should I do?").click()
    answered(page)
    page.wait_for_function(f"() => ({SHOWN})().length >= 4")
    page.wait_for_function(FITS)
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.bz-position :is(button, input, select)')].filter((el) => {
              const box = el.getBoundingClientRect();
              return box.width && (box.right > innerWidth || box.width < 18);
           }).length"""
    )
    assert outside == 0
    picture(page, f"answer-{name}", tmp_path_factory)


def test_the_app_wants_its_token(app: Server) -> None:
    for path in ("/", "/api/kernels"):
        try:
            with urllib.request.urlopen(app.url + path, timeout=60) as answer:
                assert "login" in answer.url
                assert b"bz-" not in answer.read()
        except urllib.error.HTTPError as error:
            assert error.code in (401, 403)


def test_the_app_is_the_advisor_without_code(page: Any, app: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{app.url}/?token={app.token}")
    expect(page.get_by_role("heading", name="What should I bid?")).to_be_visible()
    enter_an_opening(page)
    page.get_by_role("combobox", name="Time").select_option("1")
    page.get_by_role("button", name="What should I do?").click()
    answered(page)
    page.wait_for_function(f"() => ({SHOWN})().length >= 4")
    expect(page.get_by_text("from byzanz_lab.panels import")).to_have_count(0)
    assert [url for url in page.outside if "cdn.jsdelivr.net" not in url] == []  # two style sheets that it does without
