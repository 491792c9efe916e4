"""The Byzantium panel as a person uses it, with mouse and keyboard: its own page, drawn by its own code in a browser.

Only the wire is replaced: what the page sends is handed to the panel, and what the panel shows is handed to the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from byzanz_lab.companions.byzantium.actions import Pass, Place
from byzanz_lab.companions.byzantium.panel import ByzantiumPanel
from byzanz_lab.companions.byzantium.session import Session
from byzanz_lab.companions.playing import YOU

pytestmark = pytest.mark.browser

PAGE = "<!doctype html><meta name=viewport content='width=device-width'><title>Byzantium</title><body></body>"
HOST = """async ({js, css, view}) => {
  document.head.appendChild(document.createElement('style')).textContent = css;
  const module = await import(URL.createObjectURL(new Blob([js], {type: 'text/javascript'})));
  const heard = [];
  window.sent = [];
  const model = { view, get: (name) => model[name], on: (_, f) => heard.push(f), off: () => {},
                  send: (message) => window.sent.push(message) };
  window.show = (view) => { model.view = view; heard.forEach((f) => f()); };
  module.default.render({ model, el: document.body.appendChild(document.createElement('div')) });
}"""
FOCUSED = "() => document.activeElement?.dataset.key || document.activeElement?.getAttribute('aria-label')"
OPACITY = "(slot) => Number(getComputedStyle(slot.querySelector('rect')).fillOpacity)"
STROKE = "(slot) => Number(getComputedStyle(slot.querySelector('rect')).strokeOpacity)"
ARROWS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")


class Table:
    """A panel on a page."""

    def __init__(self, page: Any, panel: ByzantiumPanel) -> None:
        self.page, self.panel = page, panel
        page.set_content(PAGE)
        page.evaluate(HOST, {"js": panel._esm, "css": panel._css, "view": panel.view})

    @property
    def session(self) -> Session:
        return self.panel.session

    def pass_on(self) -> None:
        """Hand over what was sent, wait for an answer that is being worked out, and show what came of it."""
        for message in self.page.evaluate("() => window.sent.splice(0)"):
            self.panel._handle_custom_msg(message, [])
        self.session._job.join()
        self.page.evaluate("(view) => window.show(view)", self.panel.view)

    def slots(self, kind: str) -> dict[str, Any]:
        """Slots of a kind, ``open`` or ``closed``, by path."""
        return {slot.get_attribute("data-key"): slot for slot in self.page.locator(f".bt-{kind}[data-key]").all()}

    def click(self, slot: str) -> None:
        """Click where a slot's name is written."""
        box = self.page.locator(f".bt-slot[data-key='{slot}'] .bt-first").bounding_box()
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.pass_on()

    def press(self, button: str) -> None:
        """Press a button of the bar."""
        self.page.get_by_role("button", name=button, exact=True).click()
        self.pass_on()

    def text(self, part: str) -> str:
        """What a part of the page says."""
        return str(self.page.locator(f".bt-{part}").text_content())


@pytest.fixture
def table(chromium: Any) -> Iterator[Callable[..., Table]]:
    """Lays a table: the options of a panel, and the width of the page."""
    context = chromium.new_context()
    failures: list[str] = []
    panels = []

    def lay(width: int = 900, **options: Any) -> Table:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.on("pageerror", lambda error: failures.append(str(error)))
        panels.append(ByzantiumPanel(**options))
        return Table(page, panels[-1])

    yield lay
    context.close()
    for panel in panels:
        panel.close()
    assert failures == []


def test_slots_for_the_chosen_card_are_lit_and_the_others_say_why_not(table: Callable[..., Table]) -> None:
    on = table(rules=3, seed=3)
    for _ in range(2):
        on.click(next(iter(on.slots("open"))))
    tableau = on.session.state.tableau
    for card in on.session.hand:
        on.page.locator(f".bt-face[data-key={card}]").click()
        on.pass_on()
        lit, dark = on.slots("open"), on.slots("closed")
        assert set(lit) == set(tableau.slots_for(card))
        assert all(slot.get_attribute("aria-disabled") is None for slot in lit.values())
        assert {slot.evaluate(STROKE) for slot in lit.values()} <= {1}
        for path, slot in dark.items():
            assert slot.get_attribute("aria-disabled") == "true" and slot.evaluate(STROKE) < 0.5
            assert slot.get_attribute("aria-label") == f"{path}: {tableau.why_not(card, path)}"
    path, slot = next(iter(on.slots("closed").items()))
    box = slot.locator("rect").bounding_box()
    on.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    slot.focus()
    assert on.text("why") == f"{path}: {on.session.why_not(path)}"
    on.page.keyboard.press("Enter")
    before = on.session.moment
    on.pass_on()
    assert on.session.moment == before and on.session.why_not(path) in on.text("message")


def test_everything_can_be_reached_and_done_with_the_keyboard(table: Callable[..., Table]) -> None:
    on = table(rules=2, seed=5)
    for _ in range(3):
        on.click(next(iter(on.slots("open"))))
    page = on.page
    page.locator("body").focus()
    stops = []
    for _ in range(12):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUSED))
    lit, every = on.slots("open"), {**on.slots("open"), **on.slots("closed")}
    assert stops[0] in lit and stops[1] in on.session.hand
    assert {"pass", "undo", "hint", "new", "Players of the next deal", "How the others play"} <= set(stops)
    reached, left = {stops[0]}, [stops[0]]
    while left:  # from each slot, every arrow
        here = left.pop()
        for arrow in ARROWS:
            every[here].focus()
            page.keyboard.press(arrow)
            there = page.evaluate(FOCUSED)
            left += [] if there in reached else [there]
            reached.add(there)
    assert reached == set(every)
    path = next(iter(lit))
    lit[path].focus()
    page.keyboard.press(" ")
    on.pass_on()
    assert on.session.state.tableau.card_at(path)
    hand = on.session.hand.codes()
    page.locator(".bt-face").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED) == hand[1]
    page.keyboard.press("Enter")
    on.pass_on()
    assert on.session.card == hand[1]


@pytest.mark.parametrize("rules", [1, 2])
def test_a_hint_shows_the_value_of_each_placement_as_a_number_and_a_shade(
    table: Callable[..., Table], rules: int
) -> None:
    on = table(rules=rules, seed=4, worlds=400)
    for _ in range(4):
        on.click(next(iter(on.slots("open"))))
    on.press("Hint")
    advice = on.session.advice
    assert advice is not None
    if rules > 1:
        best = next(card for card in on.session.hand if card == advice.best.card)
        marked = on.page.locator(".bt-face.bt-best")
        assert [one.get_attribute("data-key") for one in marked.all()] == [best]
        marked.click()
        on.pass_on()
    shades = {}
    for path, slot in on.slots("open").items():
        estimate = advice.estimate(Place(on.session.card, path))
        assert slot.locator(".bt-second").text_content() == f"{estimate.mean:.1f}"
        assert str(estimate) in slot.get_attribute("aria-label")
        shades[path] = (estimate.mean, slot.evaluate(OPACITY))
    by_value = [shade for _, shade in sorted(shades.values())]
    assert by_value == sorted(by_value) and len(set(by_value)) > 1
    assert advice.best.slot in {slot.get_attribute("data-key") for slot in on.page.locator(".bt-slot.bt-best").all()}
    assert on.page.locator(".bt-values tbody tr").count() == len(advice.options)
    on.click(advice.best.slot)
    assert on.page.locator(".bt-values tbody tr").count() == 0, "the next moment has no advice yet"


def test_draw_place_undo_lay_aside_to_the_end_and_then_a_deal_against_policies(table: Callable[..., Table]) -> None:
    on = table(width=390, rules=1, seed=2)
    first = on.session.card
    on.click("N" if first[0] == "B" else "E")
    drawn = on.session.card
    assert on.page.locator(".bt-face").get_attribute("data-key") == drawn != first
    on.press("Undo")
    assert on.session.card == first and on.page.locator(".bt-card").count() == 2
    for _ in range(24):
        lit = on.slots("open")
        on.click(next(iter(lit))) if lit else on.press("Lay aside")
    assert on.session.state.is_over and on.session.state.table.aside
    assert on.page.locator(".bt-card").count() == 2 + len(on.session.state.tableau)
    assert "The deal is over." in on.text("summary") and not on.slots("open")
    assert on.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")

    on.page.get_by_label("Players of the next deal").select_option("3")
    on.page.get_by_label("How the others play").select_option("greedy")
    on.press("New deal")
    assert (on.session.state.rules.players, on.session.policy) == (3, "greedy")
    assert on.text("summary") == "Cards in hand: you 8, seat 1 8, seat 2 8."
    on.click(next(iter(on.slots("open"))))
    moves = on.session._recorder.moves
    assert [seat for seat, _ in moves] == [YOU, 1, 2] and all(action != Pass() for _, action in moves)
    assert f"Seat 2: {moves[2][1].card} at {moves[2][1].slot}." in on.text("message")
    assert on.page.locator(".bt-card").count() == 5
