"""A browser test may be skipped where there is no browser, but not where one was promised."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.places import ROOT

TESTS = """
import pytest

@pytest.mark.browser
def test_page(chromium_path):
    assert chromium_path == "/a/chromium"

def test_other():
    pytest.skip("no business of a browser")
"""


def outcome(folder: Path, **environment: str) -> str:
    """The closing line of pytest, run on the tests above with this project's settings and fixtures."""
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text("utf-8"), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = browser: drives a browser\n", "utf-8")
    (folder / "test_page.py").write_text(TESTS, "utf-8")
    ours = ("BYZANZ_", "PYTEST_", "PATH")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rE"]
    env = {**inherited, "PATH": str(folder), **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False).stdout


def test_without_a_browser_its_tests_are_skipped(tmp_path: Path) -> None:
    assert "2 skipped" in outcome(tmp_path)


def test_where_a_browser_is_required_its_absence_is_an_error(tmp_path: Path) -> None:
    printed = outcome(tmp_path, BYZANZ_REQUIRE_BROWSER="1")
    assert "1 skipped, 1 error" in printed
    assert "BYZANZ_REQUIRE_BROWSER is set, but this browser test was not run: " in printed
    assert "no Chromium on this machine" in printed


@pytest.mark.parametrize("required", [{}, {"BYZANZ_REQUIRE_BROWSER": "1"}])
def test_a_browser_that_is_named_is_used(required: dict[str, str], tmp_path: Path) -> None:
    assert "1 passed, 1 skipped" in outcome(tmp_path, BYZANZ_CHROMIUM="/a/chromium", **required)
