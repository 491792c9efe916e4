"""How strong the built-in policies are, against one another, from every seat over the same deals.

Run by hand: ``python -m tests.benchmarks.bench_policies [DEALS]``. Each line: one policy against rivals that all play
another, its share of the wins with standard error, how many times the share of an equal player that is, and its points.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from byzanz_lab.simulation.policies import RandomPolicy, default_policy, greedy_policy
from tests.simulation.tournaments import one_against

POLICIES = (default_policy(), greedy_policy(), RandomPolicy())


def main(deals: int) -> None:
    """Print the tournament."""
    print(f"{deals} deals, each from every seat")
    print(f"{'seats':>5}  {'policy':<8} {'rivals':<8} {'wins':>7}  {'± se':>6}  {'× fair':>6}  {'points':>6}")
    for seats in (3, 4, 5, 6):
        for policy in POLICIES:
            for rivals in POLICIES:
                if policy is not rivals:
                    share = one_against(policy, rivals, seats, deals)
                    print(
                        f"{seats:>5}  {policy.name:<8} {rivals.name:<8} {share.wins:>7.1%}  {share.se:>6.1%}"
                        f"  {share.wins * seats:>6.2f}  {share.points:>6.1f}"
                    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
