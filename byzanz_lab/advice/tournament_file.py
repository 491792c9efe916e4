"""A tournament on disk: one JSON object a line, so that an interrupted one goes on where it stopped.

The first line says what is played; every further line holds one block. Lines are written in order and flushed one by
one. A last line that was cut short by an interruption is dropped and played again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from byzanz_lab.advice.tournament_play import Plan, Shorts
from byzanz_lab.safe_json import UnreadableJSON, load_json
from byzanz_lab.simulation.policies import Policy

FORMAT: Final = "byzanz-tournament"
VERSION: Final = 1


def header(plan: Plan) -> dict[str, Any]:
    """What is played, as plain JSON values: what must agree for two runs to be one tournament."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": plan.rules.seats,
        "variant": dict(plan.rules.variant),
        "seed": plan.seed,
        "policies": [identity(policy) for policy in plan.policies],
        "lineups": [list(lineup) for lineup in plan.lineups],
        "block_deals": plan.block_deals,
    }


def identity(policy: Policy) -> dict[str, Any]:
    """What makes a policy that policy, as plain JSON values: its name, its class, its numbers."""
    kind = type(policy)
    fields: dict[str, Any] = asdict(policy) if is_dataclass(policy) and not isinstance(policy, type) else {}
    plain: dict[str, Any] = json.loads(json.dumps(fields, default=repr))
    digest = getattr(policy, "digest", None)
    return {"name": policy.name, "kind": kind.__qualname__, **plain, **({"digest": digest} if digest else {})}


class Log:
    """The blocks of a tournament in a file.

    Parameters
    ----------
    path
        Where; a file of the same tournament is taken up, a new one is begun where there is none.
    plan
        What is played.

    Raises
    ------
    ValueError
        If the file holds anything else; it stays as it is then.
    OSError
        If it can be neither read nor written.
    """

    def __init__(self, path: str | Path, plan: Plan) -> None:
        self.path, self.plan = Path(path), plan
        self.blocks: list[tuple[Shorts, Shorts]] = []
        whole = self._read() if self.path.exists() and self.path.stat().st_size else 0
        self._file = self.path.open("ab")
        self._file.truncate(whole)
        if not whole:
            self._write(header(plan))

    def add(self, block: int, profits: Shorts, ties: Shorts) -> None:
        """Keep the next block."""
        self._write({"block": block, "profits": profits.tolist(), "ties": ties.tolist()})

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, entry: dict[str, Any]) -> None:
        self._file.write(json.dumps(entry, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def _read(self) -> int:
        """Read what is there; returns how many bytes of it are whole lines."""
        whole = 0
        for number, line in self._lines():
            where = f"{self.path}, line {number + 1}"
            try:
                entry = load_json(line, "tournament")
            except UnreadableJSON as error:
                raise ValueError(f"{where}: {error}") from None
            if number == 0:
                self._check_header(entry)
            else:
                self.blocks.append(self._block(entry, number - 1, where))
            whole += len(line)
        return whole

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        with self.path.open("rb") as file:
            for number, line in enumerate(file):
                if line.endswith(b"\n"):
                    yield number, line
                elif number == 0:
                    raise ValueError(f"{self.path}: this is no tournament (format {FORMAT}, version {VERSION})")

    def _check_header(self, entry: object) -> None:
        wanted = header(self.plan)
        if not isinstance(entry, dict) or (entry.get("format"), entry.get("version")) != (FORMAT, VERSION):
            raise ValueError(f"{self.path}: this is no tournament (format {FORMAT}, version {VERSION})")
        for name, value in wanted.items():
            if entry.get(name) != value:
                raise ValueError(f"{self.path} holds another tournament, it differs in {name}; name a new file")

    def _block(self, entry: object, block: int, where: str) -> tuple[Shorts, Shorts]:
        plan, seats = self.plan, self.plan.rules.seats
        shape = (plan.block_deals, len(plan.lineups), seats, seats)
        with suppress(KeyError, TypeError, ValueError, OverflowError):
            if isinstance(entry, dict) and entry["block"] == block:
                found = tuple(np.array(entry[name]) for name in ("profits", "ties"))
                if all(a.shape == shape and a.dtype == np.int64 and 0 <= a.min() <= a.max() < 1000 for a in found):
                    return found[0].astype(np.int16), found[1].astype(np.int16)
        raise ValueError(f"{where}: this is not block {block} of the tournament")
