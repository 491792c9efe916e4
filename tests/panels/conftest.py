"""A JupyterLab server, a Voilà server and a browser, for the tests that drive the panels as a person does."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest

from byzanz_lab.panels.cli import app_command

ROOT = Path(__file__).parents[2]
BROWSER_OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
]  # fmt: skip
QUIET = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}
PATIENCE = 90_000
"""Milliseconds that anything may take on a busy machine."""


class Server(NamedTuple):
    """Where a server is, and what opens it."""

    url: str
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


def write_notebook(path: Path, *cells: str) -> None:
    """A notebook with these cells of code."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    book.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(book, path)


@pytest.fixture(scope="session")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the servers show."""
    return tmp_path_factory.mktemp("books")


@pytest.fixture(scope="session")
def lab(books: Path, tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[Server]:
    """A JupyterLab server."""
    home = tmp_path_factory.mktemp("lab")
    settings = home / "app"
    settings.mkdir()
    (settings / "overrides.json").write_text(json.dumps(QUIET))
    port, token = free_port(), secrets.token_hex(16)
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={books}", f"--LabApp.app_settings_dir={settings}", "--LabApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly", "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--KernelManager.transport=ipc",
    ]  # fmt: skip
    url = f"http://127.0.0.1:{port}"

    def is_up() -> bool:
        with urllib.request.urlopen(f"{url}/api/status?token={token}", timeout=2) as answer:
            return bool(answer.status == 200)

    process = start(command, home, is_up, books)
    yield Server(url, token)
    end(process)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[Server]:
    """The server that ``byzanz-lab app`` starts; it makes its token itself and prints it."""
    home, port = tmp_path_factory.mktemp("app"), free_port()

    def is_up() -> bool:  # a connection only: each page that is asked for would start a kernel
        socket.create_connection(("127.0.0.1", port), 1).close()
        return "token=" in (home / "server.log").read_text()

    process = start(app_command(port, no_browser=True), home, is_up, home)
    found = re.search(r"token=(\w+)", (home / "server.log").read_text())
    assert found
    yield Server(f"http://127.0.0.1:{port}", found[1])
    end(process)


@pytest.fixture(scope="session")
def chromium(chromium_path: str) -> Iterator[Any]:
    """A browser."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=BROWSER_OPTIONS, headless=True)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Any, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page that remembers requests to elsewhere and errors; its last sight is kept in the temporary folder."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.outside, page.failures = [], []
    local = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "about:")
    page.on("request", lambda request: None if request.url.startswith(local) else page.outside.append(request.url))
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    yield page
    picture(page, request.node.name, tmp_path_factory)
    context.close()


def picture(page: Any, name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep what the page looks like."""
    folder = Path(os.environ.get("BYZANZ_SCREENSHOTS") or tmp_path_factory.getbasetemp() / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.png"
    page.screenshot(path=str(path))
    return path


def open_book(page: Any, server: Server, name: str, theme: str | None = None) -> None:
    """Open a notebook in JupyterLab and run all its cells."""
    page.goto(f"{server.url}/lab/tree/{name}?token={server.token}&reset")
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context?.isReady")
    page.evaluate(
        """async (theme) => {
            const book = window.jupyterapp.shell.currentWidget;
            await book.context.ready;
            await book.sessionContext.ready;
            if (theme) await window.jupyterapp.commands.execute('apputils:change-theme', { theme });
            if (window.jupyterapp.shell.leftCollapsed === false) window.jupyterapp.shell.collapseLeft();
        }""",
        theme,
    )
    assert page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
