"""``byzanz-lab lab`` and ``byzanz-lab app``: the advisor in JupyterLab, and as a page of its own without code.

Both listen on 127.0.0.1 only, and both want a token, which stands in the address that is opened or printed.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

ADVISOR: Final = "00_advisor"
FOLDER: Final = Path("byzanz-notebooks")
"""Where the notebooks are copied to when nothing is said about it."""
FAILED: Final = 2
INTERRUPTED: Final = 130


def add_commands(subparsers: Any) -> None:
    """Add ``lab`` and ``app``; each sets ``func``, a function of the arguments that returns an exit code."""
    lab = subparsers.add_parser(
        "lab",
        help="the advisor in JupyterLab",
        description="Copy the notebooks, unless they are there already, and open the advisor in JupyterLab.",
    )
    lab.add_argument("dir", nargs="?", type=Path, default=FOLDER, metavar="DIR", help=f"folder (default ./{FOLDER})")
    app = subparsers.add_parser(
        "app",
        help="the advisor as a page without code",
        description="Serve the advisor through Voilà (extra [app]), to this machine only, with a token.",
    )
    for command, run in ((lab, run_lab), (app, run_app)):
        command.add_argument("--no-browser", action="store_true", help="only print the address")
        command.add_argument("--port", type=_port, metavar="N", help="port (default: one that is free)")
        command.set_defaults(func=run)


def run_lab(args: argparse.Namespace) -> int:
    """Copy what is missing, and run JupyterLab until it is ended; returns its exit code."""
    try:
        opened = copy_notebooks(args.dir)
    except OSError as error:
        return _refuse("lab", f"cannot put the notebooks into {args.dir}: {error.strerror or error}")
    return _serve("lab", lab_command(opened, args.port, args.no_browser))


def run_app(args: argparse.Namespace) -> int:
    """Run Voilà until it is ended; returns its exit code."""
    if importlib.util.find_spec("voila") is None:
        return _refuse("app", "Voilà is not installed: pip install 'byzanz-lab[app]'")
    return _serve("app", app_command(args.port, args.no_browser))


def copy_notebooks(folder: Path) -> Path:
    """Copy the notebooks that are not in a folder yet; what is there is never written over.

    Parameters
    ----------
    folder
        Made if it is not there.

    Returns
    -------
    Path
        The advisor's notebook in that folder.

    Raises
    ------
    OSError
        If the folder cannot be made or written to.
    """
    from byzanz_lab.resources import notebook, notebooks

    folder.mkdir(parents=True, exist_ok=True)
    for source in notebooks():
        target = folder / source.name
        if not (target.exists() or target.is_symlink()):
            shutil.copyfile(source, target)  # without its permissions: what is installed may be read-only
    return folder / notebook(ADVISOR).name


def lab_command(notebook: Path, port: int | None = None, no_browser: bool = False) -> list[str]:
    """The command that opens a notebook in JupyterLab."""
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.ip=127.0.0.1"]
    command += [f"--ServerApp.root_dir={notebook.parent.resolve()}", f"--LabApp.default_url=/lab/tree/{notebook.name}"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"] if port else []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # a container often has no other user
    return command + (["--no-browser"] if no_browser else [])


def app_command(port: int | None = None, no_browser: bool = False) -> list[str]:
    """The command that serves the advisor through Voilà, with a token that Voilà makes itself."""
    from byzanz_lab.resources import notebook

    command = [sys.executable, "-m", "voila", str(notebook(ADVISOR)), "--Voila.ip=127.0.0.1", "--Voila.auto_token=True"]
    command += [f"--port={port}", "--Voila.port_retries=0"] if port else []
    return command + (["--no-browser"] if no_browser else [])


def _serve(name: str, command: list[str]) -> int:
    """Run a server in the foreground; Ctrl-C ends it."""
    try:
        process = subprocess.Popen(command)
    except OSError as error:
        return _refuse(name, f"cannot start it: {error.strerror or error}")
    try:
        return process.wait()
    except KeyboardInterrupt:  # the server has got it too, and asks or ends by itself
        try:
            process.wait(10)
        except (KeyboardInterrupt, subprocess.TimeoutExpired):
            process.terminate()
            process.wait()
        return INTERRUPTED


def _refuse(name: str, sentence: str) -> int:
    print(f"byzanz-lab {name}: {sentence}", file=sys.stderr)
    return FAILED


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1024 <= int(text[:6]) <= 65535):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1,024 to 65,535, not {text[:40]!r}")
    return int(text)
