"""Running the command line in this process and in fresh ones, and files for it to read."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from byzanz_lab import Record, Rules, load_sample, new_game
from byzanz_lab.cli import main
from byzanz_lab.game.position_json import position_to_dict
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import default_policy

ROOT = Path(__file__).resolve().parents[2]


class Answer(NamedTuple):
    """What a command said."""

    code: int
    out: str
    err: str


def run(*words: object) -> Answer:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    return Answer(code, out.getvalue(), err.getvalue())


def refusal(*words: object) -> str:
    """Run a command that must be refused; gives what it says, without the program's name."""
    answer = run(*words)
    assert answer.code == 2, answer
    assert answer.out == ""
    assert answer.err.startswith("byzanz-lab")
    assert answer.err.endswith("\n")
    assert "Traceback" not in answer.err
    return answer.err.partition(": ")[2].strip()


def fresh(*words: object, cwd: Path = ROOT, **environment: str) -> Answer:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "byzanz_lab.cli", *map(str, words)]
    inherited = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        command, cwd=cwd, env=inherited | environment, capture_output=True, encoding="utf-8", check=False
    )
    return Answer(done.returncode, done.stdout, done.stderr)


@lru_cache
def game(seats: int = 4) -> Record:
    """A whole game."""
    return play_game((default_policy(),) * seats, new_game(Rules.for_seats(seats), seed=5))


def as_dict(sample: str = "auction") -> dict[str, Any]:
    """A sample position as it stands in a file."""
    return position_to_dict(load_sample(sample))


def written(folder: Path, data: object, name: str = "file.json") -> Path:
    """A file that holds this as JSON, or as it is if it is text or bytes."""
    path = folder / name
    content = data if isinstance(data, (str, bytes)) else json.dumps(data)
    path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    return path
