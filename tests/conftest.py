"""What all tests share: how hypothesis searches, and where a browser is found."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test may depend on how fast or how busy the machine is.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples on every run, so that a change is judged by what it changed.
settings.register_profile("ci", parent=settings.get_profile("here"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

PACKAGE = Path(__file__).resolve().parents[1] / "byzanz_lab"
NEED_OPENSPIEL = [PACKAGE / "interop" / name for name in ("openspiel.py", "search.py")]


def pytest_configure(config: pytest.Config) -> None:
    """Leave out the doctests of modules whose library has no wheels for this platform; tests/interop says so."""
    if importlib.util.find_spec("pyspiel") is None:
        config.option.ignore = [*(config.option.ignore or []), *map(str, NEED_OPENSPIEL)]


REQUIRE_BROWSER = "BYZANZ_REQUIRE_BROWSER"
CHROMIUM = "BYZANZ_CHROMIUM"


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """A Chromium of this machine: the one that BYZANZ_CHROMIUM names, or the first on the search path."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    path = os.environ.get(CHROMIUM) or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"no Chromium on this machine; install one, or name one in {CHROMIUM}")
    return path


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a browser test that was skipped an error, where a browser was promised."""
    report = yield
    if report.skipped and os.environ.get(REQUIRE_BROWSER) and item.get_closest_marker("browser"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{REQUIRE_BROWSER} is set, but this browser test was not run: {reason}"
    return report
