"""The advisor that ``byzanz-lab app`` serves through Voilà: a page without code, for whoever has its token."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.panels.conftest import Server, new_page

steps = pytest.importorskip("tests.panels.steps", reason="playwright is not installed")
expect = steps.expect
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def desk(chromium: Any, app: Server) -> Iterator[Any]:
    """One page for all tests, at the address that was printed."""
    with new_page(chromium) as page:
        page.goto(f"{app.url}/{app.path}?token={app.token}")
        expect(page.get_by_role("heading", name="What should I bid?")).to_be_visible()
        yield page


@pytest.fixture
def page(desk: Any, keep_picture: Callable[..., Path]) -> Iterator[Any]:
    """The page with an empty table; afterwards it has asked for nothing elsewhere, and nothing went wrong in it."""
    steps.start_over(desk)
    yield desk
    keep_picture(desk)
    assert [url for url in desk.outside if "cdn.jsdelivr.net" not in url] == []  # two style sheets that it does without


def test_the_app_wants_its_token(app: Server) -> None:
    for path in ("/", "/api/kernels"):
        try:
            with urllib.request.urlopen(app.url + path, timeout=60) as answer:
                assert "login" in answer.url
                assert b"bz-" not in answer.read()
        except urllib.error.HTTPError as error:
            error.close()
            assert error.code in (401, 403)


def test_there_is_no_code_on_the_page(page: Any) -> None:
    expect(page.locator(".bz-summary")).to_be_visible()
    expect(page.get_by_text("from byzanz_lab.panels import")).to_have_count(0)


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


def test_an_auction_can_be_played_with_a_hint_and_an_undo(page: Any, tmp_path: Path) -> None:
    steps.play_an_auction(page, tmp_path)


def test_narrow_windows_are_usable(chromium: Any, app: Server, keep_picture: Callable[..., Path]) -> None:
    with new_page(chromium) as page:
        page.set_viewport_size({"width": 390, "height": 900})
        page.goto(f"{app.url}/{app.path}?token={app.token}")
        steps.example(page, "auction", "Gr1 Gr3 Wi3 Wo3 Wo4 D")
        page.get_by_role("combobox", name="Time").select_option("1")
        page.get_by_role("button", name="What should I do?").click()
        steps.answered(page)
        page.wait_for_function(f"() => ({steps.SHOWN})().length >= 4")
        steps.fits_into_the_window(page)
        keep_picture(page)
