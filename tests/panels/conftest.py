"""A JupyterLab server, a Voilà server and a browser, for the tests that drive the panels as a person does."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.register_assert_rewrite("tests.panels.steps")

ROOT = Path(__file__).parents[2]
BROWSER_OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
]  # fmt: skip
QUIET = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}
LAB_SETTINGS: dict[str, Any] = {
    "LabApp": {"expose_app_in_browser": True, "extension_manager": "readonly", "news_url": None},
}
"""Nothing from elsewhere, and the front end can be asked whether it is ready."""
MINE = "01_first_advice.ipynb"
PATIENCE = 45_000
"""Milliseconds that anything may take on a busy machine."""


class Server(NamedTuple):
    """Where a server is, the page that it offers, and what opens it."""

    url: str
    path: str
    token: str


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def end(process: subprocess.Popen[bytes]) -> None:
    """End a server that was started here, and its kernels: the whole group that it leads."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for(process: subprocess.Popen[bytes], is_up: Callable[[], bool], log: Path) -> None:
    """Wait until a server answers; when it ends or never does, say what it wrote."""
    for _ in range(900):
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError):
            if is_up():
                return
        time.sleep(0.1)
    end(process)
    raise RuntimeError(f"the server did not start:\n{log.read_text()[-4000:]}")


def environment(home: Path) -> dict[str, str]:
    """An environment in which Jupyter finds no settings of whoever runs the tests."""
    folders = {
        name: str(home / name.lower())
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR",
                     "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    }  # fmt: skip
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, **folders, "PYTHONPATH": path, "JUPYTER_NO_CONFIG": ""}


def start(command: list[str], home: Path, is_up: Callable[[], bool], cwd: Path) -> subprocess.Popen[bytes]:
    """Start a server in a group of its own, and wait until it answers."""
    log = home / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, env=environment(home), stdout=out, stderr=subprocess.STDOUT, start_new_session=True, cwd=cwd
        )
    wait_for(process, is_up, log)
    return process


def serve(command: str, arguments: list[str], home: Path) -> Iterator[Server]:
    """Run ``byzanz-lab lab`` or ``app`` as it is typed, until the end; it prints its address."""
    port = free_port()

    def address() -> re.Match[str] | None:
        printed = rf"(http://127\.0\.0\.1:{port}/)(\S*)\?token=(\w+)"
        return re.search(printed, (home / "server.log").read_text("utf-8", "replace"))

    def is_up() -> bool:  # a connection only: each page of Voilà that is asked for would start a kernel
        socket.create_connection(("127.0.0.1", port), 1).close()
        return address() is not None

    typed = [sys.executable, "-m", "byzanz_lab.cli", command, *arguments, "--no-browser", "--port", str(port)]
    process = start(typed, home, is_up, home)
    found = address()
    assert found
    yield Server(found[1].rstrip("/"), found[2], found[3])
    end(process)


@pytest.fixture(scope="session")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which somebody has one of the notebooks already, with words of their own in it."""
    folder = tmp_path_factory.mktemp("books")
    (folder / MINE).write_text("mine")
    return folder


@pytest.fixture(scope="session")
def lab(books: Path, tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[Server]:
    """The JupyterLab that ``byzanz-lab lab`` starts."""
    home = tmp_path_factory.mktemp("lab")
    settings = home / "app"
    (home / "jupyter_config_dir").mkdir()
    settings.mkdir()
    (settings / "overrides.json").write_text(json.dumps(QUIET))
    LAB_SETTINGS["LabApp"]["app_settings_dir"] = str(settings)
    (home / "jupyter_config_dir" / "jupyter_lab_config.json").write_text(json.dumps(LAB_SETTINGS))
    yield from serve("lab", [str(books)], home)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[Server]:
    """The Voilà that ``byzanz-lab app`` starts."""
    yield from serve("app", [], tmp_path_factory.mktemp("app"))


@pytest.fixture(scope="module")
def chromium(chromium_path: str) -> Iterator[Any]:
    """A browser; for one file only, as its driver keeps an event loop running that other tests would find."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=BROWSER_OPTIONS, headless=True)
        yield browser
        browser.close()


@contextlib.contextmanager
def new_page(chromium: Any) -> Iterator[Any]:
    """A page that remembers requests to elsewhere and errors."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.outside, page.failures = [], []
    local = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "about:")
    page.on("request", lambda request: None if request.url.startswith(local) else page.outside.append(request.url))
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    yield page
    context.close()


@pytest.fixture
def keep_picture(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Keeps what a page looks like in the temporary folder, under the name of the test."""

    def keep(page: Any, more: str = "", whole: Any = None) -> Path:
        folder = Path(os.environ.get("BYZANZ_SCREENSHOTS") or tmp_path_factory.getbasetemp() / "screenshots")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{request.node.name}{more}.png"
        (whole or page).screenshot(path=str(path))
        return path

    return keep
