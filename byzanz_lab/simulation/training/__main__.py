"""Make the file of the learned policy again: ``python -m byzanz_lab.simulation.training``."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from byzanz_lab.simulation.learned import FEATURES, FORMAT, SEATS, VERSION, HandWeights
from byzanz_lab.simulation.training.generations import DEALS, GAMES, GENERATIONS, KEEP, Generation, train


def main(argv: Sequence[str] | None = None) -> int:
    """Train for each number of seats, tell how strong each generation is, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m byzanz_lab.simulation.training", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("learned_policy.json"), help="default: learned_policy.json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=GAMES, help=f"of a generation (default {GAMES})")
    parser.add_argument("--generations", type=int, default=GENERATIONS, help=f"default {GENERATIONS}")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"behind each measured strength (default {DEALS})")
    args = parser.parse_args(argv)
    if min(args.games, args.generations, args.deals) < 2:
        print("games, generations and deals must be 2 or more", file=sys.stderr)
        return 2

    def trained(seats: int) -> list[Generation]:
        found = []
        for generation in train(seats, args.seed, args.generations, args.games, args.deals):
            shares = ", ".join(f"{name} {m:.1%} ± {1.96 * se:.1%}" for name, (m, se) in generation.wins.items())
            print(f"{seats} seats, generation {generation.number}: wins alone against {shares}", flush=True)
            found.append(generation)
        return found

    with ThreadPoolExecutor(2) as pool:
        lines = dict(zip(SEATS, pool.map(trained, SEATS), strict=True))
    settings = {"seed": args.seed, "games": args.games, "keep": KEEP, "deals": args.deals}
    args.out.write_text(dumps(lines, settings), encoding="utf-8", newline="\n")
    print(f"written: {args.out}")
    return 0


def dumps(lines: dict[int, list[Generation]], settings: dict[str, Any]) -> str:
    """The file as text: a row of numbers a line."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "made by": "python -m byzanz_lab.simulation.training",
        "settings": settings,
        "features": list(FEATURES),
        "generations": {str(n): [generation.to_dict() for generation in line] for n, line in lines.items()},
        "seats": {str(n): _tables(line[-1].policy.hand_weights) for n, line in lines.items()},
    }
    rows = re.compile(r"\[([-\d.,\s]+)\]")  # lists of numbers stand on one line
    text = rows.sub(lambda row: "[" + " ".join(row[1].split()) + "]", json.dumps(data, indent=1))
    return text + "\n"


def _tables(weights: HandWeights) -> dict[str, Any]:
    return {"weights": [list(row) for row in weights.weights], "hold": [list(row) for row in weights.hold]}


if __name__ == "__main__":
    sys.exit(main())
