"""What a person does with the panels, in any front end: the steps of the browser tests, each from an empty table on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from byzanz_lab.game.position_json import loads
from byzanz_lab.game.record import Record
from tests.panels.conftest import PATIENCE

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
sync_api.expect.set_options(timeout=PATIENCE)
expect = sync_api.expect

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
STOPPED_AFTER = """() => new Promise((resolve) => {
  const state = document.querySelector('.bz-state'), begun = performance.now();
  const watch = new MutationObserver(() => {
    if (state.dataset.state !== 'running') { watch.disconnect(); resolve((performance.now() - begun) / 1000); }
  });
  watch.observe(state, { attributes: true });
  [...document.querySelectorAll('.bz-advice button')].find((one) => one.textContent === 'Stop').click();
})"""
SCROLLER = -2
"""What is wider than its box can be scrolled with the arrow keys, so browsers stop there too."""
WALK = """() => {
  const all = [...document.querySelectorAll('.bz-root :is(button, input, select, textarea, summary)')];
  const at = all.indexOf(document.activeElement);
  return at < 0 && document.activeElement?.closest('.bz-root') ? -2 : at;
}"""
STOPS = """(panel) => {
  const all = [...document.querySelectorAll('.bz-root :is(button, input, select, textarea, summary)')];
  const seen = (el) => el.checkVisibility() && el.getBoundingClientRect().width > 0;
  const isStop = (el) => el.closest(panel) && seen(el) && el.tabIndex >= 0;
  return all.map((el, i) => (isStop(el) ? i : -1)).filter((i) => i >= 0);
}"""
UNREACHABLE = """() => [...document.querySelectorAll('.bz-root :is(button, input, select, textarea)')]
  .filter((el) => el.tabIndex < 0 && !el.closest('.bz-keys')).length"""
UNNAMED = """() => [...document.querySelectorAll('.bz-root :is(button, input, select, textarea)')]
  .filter((el) => !(el.getAttribute('aria-label') || el.textContent.trim() || el.labels?.length))
  .map((el) => el.outerHTML)"""
FOCUS = """(at) => {
  [...document.querySelectorAll('.bz-root :is(button, input, select, textarea, summary)')][at].focus();
}"""


def panel(page: Any, name: str) -> None:
    """Go to one of the tabs."""
    page.get_by_role("tab", name=name, exact=True).click()


def start_over(page: Any) -> None:
    """An empty table of four, a second to think, the widest window."""
    page.set_viewport_size({"width": 1400, "height": 1000})
    panel(page, "Advice")
    page.get_by_label("start from an example").focus()  # a field that is being typed in is left alone
    page.get_by_label("start from an example").select_option("empty 4")
    expect(hand(page)).to_have_value("")
    page.get_by_role("combobox", name="Time").select_option("1")
    page.get_by_role("combobox", name="Aim").select_option("profit")
    target(page, "hand")


def hand(page: Any) -> Any:
    """The field of the own hand."""
    return page.get_by_label(re.compile("^Your hand"))


def target(page: Any, name: str) -> None:
    """Choose where the next cards go."""
    page.get_by_role("button", name=re.compile(rf"^{name} \(")).click()


def add(page: Any, name: str, times: int = 1) -> None:
    """Click cards in, one by one, each once the last one has arrived."""
    for _ in range(times):
        plus = page.get_by_role("button", name=re.compile(f"^add {name}:"))
        before = plus.get_attribute("aria-label")
        plus.click()
        expect(plus).not_to_have_attribute("aria-label", before)


def example(page: Any, name: str, its_hand: str) -> None:
    """Start from a position that ships with the package."""
    page.get_by_label("start from an example").select_option(name)
    expect(hand(page)).to_have_value(its_hand)


def answered(page: Any) -> None:
    """Wait until there is an answer about what is entered, and the thinking is done."""
    expect(page.locator(".bz-state[data-state=done][data-stale=false]")).to_have_count(1)
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


def click_a_hand_in(page: Any) -> None:
    """A hand and a lot, by clicks alone, and the answer with its curve."""
    advise = page.get_by_role("button", name="Advise", exact=True)
    expect(advise).to_have_attribute("aria-disabled", "true")
    for name in ("wine 4", "wine 1", "spice 2", "dealer"):
        add(page, name)
    target(page, "lot")
    add(page, "spice 1", 2)
    for name in ("grain 3", "dealer", "cloth 2"):
        add(page, name)
    expect(page.locator(".bz-summary")).to_contain_text("This position can be.")
    advise.click()
    answered(page)
    expect(page.locator(".bz-sentence")).to_have_text(re.compile("^(Bid|Pass)"))
    expect(page.get_by_role("table", name=re.compile("^Seat 0 of 4")).locator("tbody tr")).not_to_have_count(0)
    page.wait_for_function(f"() => ({SHOWN})().includes('chance to win the lot')")
    assert {"passing", "winning at this price"} <= set(page.evaluate(SHOWN))
    expect(page.locator(".bz-advice-panel .bz-figure")).to_have_attribute("aria-label", re.compile("seat 0"))


def force_what_cannot_be(page: Any) -> None:
    """What is wrong is marked beside what caused it; the answer is greyed, not lost."""
    example(page, "tax", "Gr1 Gr3 2xOl2 Ol3")
    page.get_by_role("button", name="Advise", exact=True).click()
    answered(page)
    hand(page).fill("Wi4 Wi4 Wi4 D")
    expect(page.locator(".bz-wrong .bz-fault").first).to_contain_text("there are 2 Wi4, not 5")
    expect(hand(page)).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".bz-answer")).to_have_class(re.compile("bz-stale"))
    expect(page.locator(".bz-sentence")).to_be_visible()
    expect(page.get_by_role("button", name="Advise", exact=True)).to_have_attribute("aria-disabled", "true")
    hand(page).fill("W!")
    expect(page.locator(".bz-wrong .bz-fault").first).to_contain_text("W!")
    page.get_by_role("button", name="Undo").dblclick()  # first all that was typed, then the example
    page.get_by_role("button", name="Redo").click()
    expect(hand(page)).to_have_value("Gr1 Gr3 2xOl2 Ol3")
    expect(page.locator(".bz-answer")).not_to_have_class(re.compile("bz-stale"))


def save_and_open(page: Any, folder: Path) -> None:
    """A file that was saved can be opened; one that is none is refused in a sentence."""
    example(page, "opening", "Gr1 Gr2 Sp3 Wi2")
    text = save(page, "Save file", folder / "position.json")
    assert str(loads(text).hand) == "Gr1 Gr2 Sp3 Wi2"
    example(page, "market", "Cl1 Cl3 Cl4 Sp1 Sp3 Sp4 Wi2")
    (folder / "broken.json").write_text(json.dumps({"format": "something else"}))
    open_file(page, folder / "broken.json")
    expect(page.locator(".bz-position .bz-error")).to_contain_text("must be 'byzanz-position'")
    expect(hand(page)).to_have_value("Cl1 Cl3 Cl4 Sp1 Sp3 Sp4 Wi2")
    open_file(page, folder / "position.json")
    expect(hand(page)).to_have_value("Gr1 Gr2 Sp3 Wi2")
    expect(page.locator(".bz-position .bz-error")).to_be_hidden()


def stop_a_long_run(page: Any) -> float:
    """Stop what would take minutes, see another aim without a second run; gives the seconds that Stop took."""
    example(page, "auction", "Gr1 Gr3 Wi3 Wo3 Wo4 D")
    page.get_by_role("combobox", name="Time").select_option("300")
    page.get_by_role("button", name="Advise", exact=True).dblclick()
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "running")
    expect(page.locator(".bz-count-up")).to_contain_text("worlds so far")  # updates while it computes
    took = float(page.evaluate(STOPPED_AFTER))
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "stopped")
    page.get_by_role("combobox", name="Aim").select_option("win")
    expect(page.locator(".bz-table thead").first).to_contain_text("win ± 95 %")
    expect(page.locator(".bz-state")).to_have_attribute("data-state", "stopped")
    return took


def play_an_auction(page: Any, folder: Path) -> None:
    """Bid with a hint and an undo, pass, keep the record, and take the game over into the advisor."""
    panel(page, "Play")
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
    record = Record.loads(save(page, "Save the record", folder / "game.json"))
    assert record.replay().table.offers != (0, 0, 0, 0)  # the first auction is over
    table.get_by_role("button", name="Open in the advisor").click()
    answered(page)
    panel(page, "Play")
    table.get_by_role("button", name="Deal", exact=True).click()
    expect(table.locator(".bz-log li")).to_have_count(0)
    expect(table.locator(".bz-prompt")).to_contain_text("Your turn")


def walk_with_the_keyboard(page: Any, name: str, root: str) -> None:
    """Press Tab from the first control of a panel to its last: it comes by all of them, and each has a name."""
    panel(page, name)
    expect(page.locator(root).locator("button, select").last).to_be_visible()
    stops = page.evaluate(STOPS, root)
    assert len(stops) >= 3
    page.evaluate(FOCUS, stops[0])
    walked = [stops[0]]
    for _ in range(2 * len(stops)):
        if walked[-1] == stops[-1]:
            break
        page.keyboard.press("Tab")
        at = page.evaluate(WALK)
        walked += [] if at == SCROLLER else [at]
    assert walked == stops
    assert page.evaluate(UNREACHABLE) == 0
    assert page.evaluate(UNNAMED) == []


def fits_into_the_window(page: Any) -> None:
    """The figure is as wide as its panel, and the controls fit as well."""
    page.wait_for_function(FITS)
    sticks_out_nowhere(page)


def follow_the_window(page: Any) -> None:
    """A figure that was drawn in a wide window shrinks with it, and grows again."""
    example(page, "auction", "Gr1 Gr3 Wi3 Wo3 Wo4 D")
    page.get_by_role("button", name="What should I do?").click()
    answered(page)
    page.wait_for_function(f"() => ({SHOWN})().length >= 4")
    for width in (1400, 390, 900):
        page.set_viewport_size({"width": width, "height": 1000})
        page.wait_for_function(FITS)


def sticks_out_nowhere(page: Any) -> None:
    """No control sticks out of the window or is too small to be hit."""
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.bz-root :is(button, input, select)')].filter((el) => {
              const box = el.getBoundingClientRect();
              return box.width && el.checkVisibility() && (box.right > innerWidth || box.width < 18);
           }).map((el) => el.outerHTML)"""
    )
    assert outside == []
