"""The panel in a real browser, driven by mouse and keyboard; the page talks to the Python side as anywidget does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from byzanz_lab.companions.empire.panel import EmpirePanel
from byzanz_lab.companions.empire.session import Session
from byzanz_lab.companions.empire.table import Phase

pytestmark = pytest.mark.browser

MODEL = """
window.sent = [];
window.model = {
  view: {}, listeners: [],
  get(name) { return this[name]; },
  send(message) { window.sent.push(message); },
  on(event, listener) { this.listeners.push(listener); },
  off() {},
};
window.show = (view) => { model.view = view; model.listeners.forEach((listener) => listener()); };
"""


class Bridge:
    """A page on one side and a panel on the other; `pump` carries messages there and the view back."""

    def __init__(self, page: Any, panel: EmpirePanel) -> None:
        self.page, self.panel = page, panel
        page.set_content("<!doctype html><meta name=viewport content='width=device-width'><body><div id=here></div>")
        page.add_style_tag(content=str(panel._css))
        page.add_script_tag(content=MODEL)
        script = str(panel._esm).replace("export default", "window.widget =")
        page.add_script_tag(content=f"{script}\nwidget.render({{ model, el: document.getElementById('here') }});")
        self.pump()

    def pump(self) -> None:
        for message in self.page.evaluate("() => window.sent.splice(0)"):
            self.panel._hear(None, message, [])
        self.page.evaluate("(view) => window.show(view)", self.panel.view)

    def click(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).click()
        self.pump()


@pytest.fixture
def bridge(chromium_path: str) -> Iterator[Bridge]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 900, "height": 1000})
        page.set_default_timeout(20_000)
        failures: list[str] = []
        page.on("pageerror", lambda error: failures.append(str(error)))
        panel = EmpirePanel(Session(seed=1, worlds=64))
        yield Bridge(page, panel)
        assert failures == []
        panel.close()
        browser.close()


def picture(page: Any, name: str) -> None:
    """Keep what the page looks like, where that is asked for."""
    folder = os.environ.get("BYZANZ_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(folder) / f"empire_{name}.png"), full_page=True)


def test_a_turn_is_played_with_mouse_and_keyboard(bridge: Bridge) -> None:
    page, session = bridge.page, bridge.panel.session
    assert page.get_by_text(session.summary).is_visible()
    cards = page.locator(".be-card")
    for place in range(5):
        cards.nth(place).click(force=True)  # a card that does not fit can be clicked too, and says why
        bridge.pump()
    assert (
        cards.nth(3).get_attribute("aria-pressed") == "true" and cards.nth(4).get_attribute("aria-pressed") == "false"
    )
    assert page.get_by_role("status").inner_text() == "At most 4 cards may be redrawn, not 5."
    bridge.click("button", "Redraw")
    assert session.phase is Phase.MELD
    cards.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    bridge.pump()
    assert session.marked == (1,) and cards.nth(1).get_attribute("aria-pressed") == "true"
    assert cards.nth(1).evaluate("(card) => card === document.activeElement"), "the focus stays where it was"
    refused = page.locator('.be-card[aria-disabled="true"]')
    if refused.count():
        refused.first.hover()
        assert "meld may have at most" in page.locator(".be-total").inner_text()


def test_advice_shows_the_mixed_strategy_and_marks_what_is_chosen(bridge: Bridge) -> None:
    page, session = bridge.page, bridge.panel.session
    bridge.click("button", "Redraw nothing")
    bridge.click("button", "Hint")
    session._job.join()
    bridge.pump()
    assert session.advice is not None and page.get_by_role("heading", name="Mixed strategy").is_visible()
    rows = page.locator(".be-table tbody tr")
    assert rows.count() == len(bridge.panel.view["rows"])
    rows.nth(1).get_by_role("button").click()
    bridge.pump()
    assert str(session.action()) == bridge.panel.view["rows"][1]["action"]
    picture(page, "light")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("() => document.documentElement.scrollWidth <= 390"), "it fits a telephone"
    picture(page, "narrow")
    page.set_viewport_size({"width": 900, "height": 1000})
    page.add_style_tag(
        content=":root { --jp-ui-font-color1: #eee; --jp-layout-color2: #424242 } body { background: #111 }"
    )
    picture(page, "dark")
    bridge.click("button", "Meld")
    assert session.phase is not Phase.MELD or session.state.table.turn > 1
    assert page.locator(".be-advice").inner_text() == ""
