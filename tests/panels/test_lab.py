"""The advisor that ``byzanz-lab lab`` opens in JupyterLab, as a person uses it, with mouse and keyboard."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from byzanz_lab.resources import notebook, notebooks
from tests.panels.conftest import MINE, Server, new_page

steps = pytest.importorskip("tests.panels.steps", reason="playwright is not installed")
expect = steps.expect
pytestmark = pytest.mark.browser

READY = """() => {
  const app = window.jupyterapp, book = app?.shell?.currentWidget;
  if (!book?.context?.isReady || !book.sessionContext?.isReady) return false;
  if (book.sessionContext.session?.kernel?.status !== 'idle') return false;
  if (app.shell.leftCollapsed === false) app.shell.collapseLeft();
  return true;
}"""
RUN_ALL = """() => {
  window.ranAll = undefined;
  window.jupyterapp.commands.execute('notebook:run-all-cells').then((all) => { window.ranAll = all; });
}"""
LAST_CELL = """async (code) => {
  const { commands, shell } = window.jupyterapp, book = shell.currentWidget.content, cells = book.model.sharedModel;
  cells.insertCell(cells.cells.length, { cell_type: 'code', source: code });
  book.activeCellIndex = cells.cells.length - 1;
  return commands.execute('notebook:run-cell');
}"""
DROP_LAST_CELL = """() => {
  const cells = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
  cells.deleteCell(cells.cells.length - 1);
}"""
QUIETLY = """async (code) => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const text = [], run = kernel.requestExecute({ code, store_history: false });
  run.onIOPub = (message) => { if (message.content.text) text.push(message.content.text); };
  const reply = await run.done;
  return [reply.content.status, text.join('')];
}"""


def run_all(page: Any) -> None:
    """Run all cells, and wait until they have run."""
    page.evaluate(RUN_ALL)
    page.wait_for_function("() => window.ranAll !== undefined")
    assert page.evaluate("() => window.ranAll")


@pytest.fixture(scope="module")
def desk(chromium: Any, lab: Server) -> Iterator[Any]:
    """One page for all tests, at the address that was printed, with all cells run."""
    with new_page(chromium) as page:
        page.goto(f"{lab.url}/lab/tree/00_advisor.ipynb?token={lab.token}")
        page.wait_for_function(READY)
        run_all(page)
        yield page


@pytest.fixture
def page(desk: Any, keep_picture: Callable[..., Path]) -> Iterator[Any]:
    """The page with an empty table; afterwards it has asked for nothing elsewhere, and nothing went wrong in it."""
    steps.start_over(desk)
    yield desk
    keep_picture(desk)
    failures, desk.failures[:] = list(desk.failures), []
    assert failures == []
    assert desk.outside == []


def run_again(page: Any) -> None:
    """Run all cells, and wait until the new advisor has taken the place of the former."""
    former = page.locator(".bz-position .bz-text").get_attribute("id") or ""
    run_all(page)
    expect(page.locator(".bz-position .bz-text")).not_to_have_attribute("id", former)


def test_lab_opens_the_advisor_and_writes_over_nothing(lab: Server, books: Path) -> None:
    assert lab.path == "lab/tree/00_advisor.ipynb"
    assert (books / MINE).read_text() == "mine"
    assert {path.name for path in books.glob("*.ipynb")} == {path.name for path in notebooks()}
    assert (books / "00_advisor.ipynb").read_bytes() == notebook("00_advisor").read_bytes()


def test_lab_wants_its_token(lab: Server) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{lab.url}/api/contents", timeout=60)
    refused.value.close()
    assert refused.value.code == 403
    with urllib.request.urlopen(f"{lab.url}/api/contents?token={lab.token}", timeout=60) as answer:
        assert answer.status == 200


def test_click_a_hand_in_and_read_what_to_bid(page: Any) -> None:
    steps.click_a_hand_in(page)


def test_what_cannot_be_is_marked_and_the_answer_is_kept(page: Any) -> None:
    steps.force_what_cannot_be(page)


def test_a_position_can_be_saved_and_opened(page: Any, tmp_path: Path) -> None:
    steps.save_and_open(page, tmp_path)


def test_the_figure_follows_the_width_of_the_window(page: Any) -> None:
    steps.follow_the_window(page)


def test_a_long_run_can_be_stopped(page: Any) -> None:
    print(f"Stop was seen after {steps.stop_a_long_run(page):.3f} s")


def test_the_kernel_is_free_while_the_advisor_thinks(page: Any) -> None:
    steps.example(page, "auction", "Gr1 Gr3 Wi3 Wo3 Wo4 D")
    page.get_by_role("combobox", name="Time").select_option("300")
    page.get_by_role("button", name="What should I do?").click()
    expect(page.locator(".bz-count-up")).to_contain_text("worlds so far")
    assert page.evaluate(QUIETLY, "print(6 * 7)") == ["ok", "42\n"]
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "running")
    steps.hand(page).fill("Gr1")  # a change drops what is late
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "stopped")
    expect(page.locator(".bz-answer")).to_have_class(re.compile("bz-stale"))


def test_an_auction_can_be_played_with_a_hint_and_an_undo(page: Any, tmp_path: Path) -> None:
    steps.play_an_auction(page, tmp_path)


@pytest.mark.parametrize(("name", "root"), [("Advice", ".bz-both"), ("Play", ".bz-play"), ("Cards", ".bz-cards")])
def test_every_control_can_be_reached_with_the_tab_key(page: Any, name: str, root: str) -> None:
    steps.example(page, "auction", "Gr1 Gr3 Wi3 Wo3 Wo4 D")
    steps.walk_with_the_keyboard(page, name, root)


def test_cards_can_be_entered_without_a_mouse(page: Any) -> None:
    first = page.get_by_role("button", name=re.compile("^add cloth 1:"))
    first.focus()
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-label", re.compile("1 in your hand, 5 unseen"))
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name=re.compile("^add grain 2:"))).to_be_focused()
    page.keyboard.press("+")
    remove = page.get_by_role("button", name=re.compile("^remove grain 2: 1 in"))
    expect(remove).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("-")
    again = page.get_by_role("button", name=re.compile("^add grain 2: 0 in"))
    expect(again).to_be_focused()  # redrawn, and still there
    expect(page.locator(".bz-position .bz-grid button[tabindex='0']")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(steps.hand(page)).to_be_focused()
    page.get_by_role("tab", name="Advice", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".bz-play .bz-prompt")).to_be_visible()


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_narrow_windows_are_usable_in_both_themes(page: Any, theme: str, keep_picture: Callable[..., Path]) -> None:
    page.evaluate("(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.set_viewport_size({"width": 390, "height": 900})
    run_again(page)
    steps.example(page, "auction", "Gr1 Gr3 Wi3 Wo3 Wo4 D")
    page.get_by_role("combobox", name="Time").select_option("1")
    page.get_by_role("button", name="What should I do?").click()
    steps.answered(page)
    page.wait_for_function(f"() => ({steps.SHOWN})().length >= 4")
    steps.fits_into_the_window(page)
    keep_picture(page, "-Advice")
    for name in ("Cards", "Play"):
        steps.panel(page, name)
        steps.sticks_out_nowhere(page)
        keep_picture(page, f"-{name}")


def test_a_reload_keeps_the_answer_and_its_figure(page: Any) -> None:
    steps.example(page, "auction", "Gr1 Gr3 Wi3 Wo3 Wo4 D")
    page.get_by_role("button", name="What should I do?").click()
    steps.answered(page)
    page.wait_for_function(f"() => ({steps.SHOWN})().length >= 4")
    before = page.evaluate(steps.SHOWN)
    page.keyboard.press("Control+s")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)
    page.reload()
    steps.answered(page)
    page.wait_for_function(
        f"(names) => JSON.stringify(({steps.SHOWN})()) === names",
        arg=json.dumps(before, separators=(",", ":"), ensure_ascii=False),
    )
    page.wait_for_function(READY)
    steps.hand(page).fill("Gr1")
    expect(page.locator(".bz-answer")).to_have_class(re.compile("bz-stale"))


def test_running_the_cell_five_times_leaves_one_working_advisor(page: Any) -> None:
    for _ in range(5):
        run_again(page)
    expect(page.locator(".bz-position")).to_have_count(1)
    expect(page.locator(".bz-advice")).to_have_count(1)
    assert page.evaluate(QUIETLY, "from byzanz_lab.panels import advisor; print(advisor.__name__)")[0] == "ok"
    steps.click_a_hand_in(page)
    before = page.locator(".bz-table p").last.inner_text()
    page.get_by_role("button", name="Think longer").click()
    expect(page.locator(".bz-table p").last).not_to_have_text(before)
    steps.answered(page)


def test_closing_one_advisor_leaves_the_other_alive(page: Any) -> None:
    code = "from byzanz_lab.panels import Advisor\nother = Advisor()\nother"
    assert page.evaluate(LAST_CELL, code)
    expect(page.locator(".bz-position")).to_have_count(2)
    expect(page.locator(".bz-position .bz-summary").nth(1)).not_to_be_empty()
    assert page.evaluate(QUIETLY, "other.close()") == ["ok", ""]
    page.evaluate(DROP_LAST_CELL)
    expect(page.locator(".bz-position")).to_have_count(1)
    steps.click_a_hand_in(page)
