"""What advice costs against the long-run answer, and how fast it comes.

Run by hand: ``python -m tests.benchmarks.bench_regret [--seconds 1]``. Asks the adviser about the sixty positions of
``suite.json``; the regret of an answer is the long-run value of the best action less that of the one recommended, in
points of profit.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import defaultdict

from byzanz_lab.advice import advise
from byzanz_lab.evaluation import Budget
from byzanz_lab.game.position_text import parse_position
from byzanz_lab.simulation.policies import ValuePolicy
from tests.benchmarks.suite import PATH


def main() -> None:
    """Print regret by kind of decision, and two cores against one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    suite = json.loads(PATH.read_text())
    policy = ValuePolicy(**suite["policy"])
    regrets: dict[str, list[float]] = defaultdict(list)
    errors, seconds, stopped = [], [], defaultdict(int)
    for entry in suite["entries"]:
        position = parse_position(entry["position"])
        begun = time.perf_counter()
        advice = advise(position, Budget(seconds=options.seconds), seed=options.seed, policies=policy)
        seconds.append(time.perf_counter() - begun)
        stopped[advice.comparison.stopped] += 1
        gap, error = entry["to_best"][str(advice.best.action)]
        regrets[str(position.phase)].append(-gap)
        errors.append(error)
    everything = [regret for kind in regrets.values() for regret in kind]
    print(f"{len(everything)} positions at {options.seconds:g} s a decision; median {statistics.median(seconds):.2f} s")
    print("stopped: " + ", ".join(f"{reason} {n}" for reason, n in stopped.items()))
    for kind, values in regrets.items():
        print(
            f"{kind:>12} {len(values):3} positions, mean regret {statistics.mean(values):.3f}, most {max(values):.3f}"
        )
    error = sum(e * e for e in errors) ** 0.5 / len(errors)
    print(f"mean regret {statistics.mean(everything):.4f} points (long-run answers uncertain by {error:.4f})")
    _two_cores(parse_position(suite["entries"][0]["position"]), policy)


def _two_cores(position: object, policy: ValuePolicy) -> None:
    """Median ratio of playouts a second, two workers over one, run in turn."""
    ratios = []
    for _ in range(7):
        rate = [
            advise(position, 8192, policies=policy, racing=False, workers=n).comparison.playouts_per_second  # type: ignore[arg-type]
            for n in (1, 2)
        ]
        ratios.append(rate[1] / rate[0])
    print(f"two workers over one: median {statistics.median(ratios):.2f} of {', '.join(f'{r:.2f}' for r in ratios)}")


if __name__ == "__main__":
    main()
