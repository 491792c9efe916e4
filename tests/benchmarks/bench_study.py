"""How long a study of 100,000 self-play games takes, and how much memory.

Run by hand: ``python -m tests.benchmarks.bench_study [GAMES] [WORKERS]``. The study runs in a process of its own, as in
a notebook that has just been opened, and its table is summed up and written. Peak memory is that of the whole process.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from byzanz_lab.interop.frames import write_frame
from byzanz_lab.interop.study import self_play_frame


def main(games: int, workers: int | None) -> None:
    """Print the figures."""
    self_play_frame(4, 1)
    print(f"ready: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    wall, busy = time.perf_counter(), time.process_time()
    table = self_play_frame(4, games, seed=1, workers=workers)
    wall, busy = time.perf_counter() - wall, time.process_time() - busy
    print(f"{games:,} games of 4 seats: {wall:.1f} s by the clock, {busy:.1f} s of processor time")
    print(table.groupby("seat")[["profit", "win"]].agg(["mean", "std"]).round(3))
    print(f"the table: {table.memory_usage(deep=True).sum() / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("games.parquet", "games.csv"):
            begun = time.perf_counter()
            path = write_frame(table, Path(folder) / name)
            print(f"{name}: {path.stat().st_size / 1e6:.1f} MB in {time.perf_counter() - begun:.1f} s")
    print(f"peak: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, int(sys.argv[2]) if len(sys.argv) > 2 else None)
