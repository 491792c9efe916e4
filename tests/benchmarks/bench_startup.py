"""How long the first advice takes in a fresh process, and how much memory: run it, it is no test.

``python -m tests.benchmarks.bench_startup`` starts the command line with an empty Numba cache and with a full one.
Aims, on two idle cores: 30 seconds cold, 3 seconds warm, 300 MB at most.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = str(ROOT / "byzanz_lab" / "data" / "sample_auction.json")
ADVISE = ["-m", "byzanz_lab.cli", "advise"]
LINES = {
    "byzanz-lab --version": ["-m", "byzanz_lab.cli", "--version"],
    "import byzanz_lab.advice": ["-c", "import byzanz_lab.advice"],
    "advise FILE --worlds 500": [*ADVISE, SAMPLE, "--worlds", "500"],
    "advise (2 seconds, report)": ADVISE,
}


class Cost(NamedTuple):
    """What a process took."""

    seconds: float
    cpu: float
    peak_mb: float


def cost(arguments: list[str], cache: str, folder: str) -> Cost:
    """Run Python with these arguments, and measure it from outside."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)}
    begun = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert child.stderr is not None
    said = child.stderr.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{arguments} failed:\n{said}")
    if said:
        print(f"  (it said: {said.strip()})")
    return Cost(time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> None:
    """Print a line a measurement."""
    load = os.getloadavg()[0]
    print(f"load before: {load:.1f} (numbers mean little unless it is near 0)")
    print(f"{'':>34}  seconds    cpu  peak MB")
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
        found = cost(LINES["advise FILE --worlds 500"], cache, folder)
        print(f"{'cold: advise FILE --worlds 500':>34}  {found.seconds:7.1f}  {found.cpu:5.1f}  {found.peak_mb:7.0f}")
        for name, arguments in LINES.items():
            cost(arguments, cache, folder)
            best = min((cost(arguments, cache, folder) for _ in range(3)), key=lambda one: one.seconds)
            print(f"{'warm: ' + name:>34}  {best.seconds:7.2f}  {best.cpu:5.2f}  {best.peak_mb:7.0f}")


if __name__ == "__main__":
    main()
