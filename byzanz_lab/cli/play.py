"""``byzanz-lab play``: policies play a game, which can be saved and replayed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from byzanz_lab.cli.common import Refused, names_in, policies_named, whole
from byzanz_lab.cli.files import as_typed, check_writable, write_text
from byzanz_lab.cli.replay import result_lines
from byzanz_lab.cli.waiting import compile_first


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "play",
        help="policies play a game",
        description="Let policies play a game; each sees what its seat can see. The same seed gives the same game.",
    )
    command.add_argument("--seats", type=whole(3, 6), default=4, metavar="N", help="3 to 6 (default 4)")
    command.add_argument("--seed", type=whole(), default=1, metavar="N", help="deal and choices (default 1)")
    command.add_argument(
        "--policy", nargs="+", type=names_in, action="extend", metavar="NAME", help=
        "default, greedy or random: one for all, or one a seat",
    )  # fmt: skip
    command.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="such as hand_limit=8 or last_card_to_hand=true",
    )
    command.add_argument("--save", type=Path, metavar="FILE", help="write the record, for replay and advise")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, save, and print the result."""
    from byzanz_lab.game.rules import Rules
    from byzanz_lab.game.state import new_game

    names = None if args.policy is None else [name for group in args.policy for name in group]
    try:
        rules = Rules.for_seats(args.seats, **variants(args.variant))
    except ValueError as error:
        raise Refused(str(error)) from None
    if args.save is not None:
        check_writable(args.save)

    from byzanz_lab.game.position import observe
    from byzanz_lab.simulation.playouts import play_game
    from byzanz_lab.simulation.policies import default_policy

    players = policies_named(names, rules.seats) or (default_policy(),) * rules.seats
    initial = new_game(rules, args.seed)
    compile_first("play_worlds", lambda: default_policy().choose(observe(initial, 0)))
    record = play_game(players, initial, args.seed)
    assert record.result is not None
    print(f"Byzanz, {rules.seats} seats, seed {args.seed}, {len(record.moves)} actions")
    for line in result_lines(record.result, record.names):
        print(line)
    if args.save is not None:
        write_text(args.save, record.dumps() + "\n")
        print(f"Record: {as_typed(args.save)}")
    return 0


def variants(texts: list[str]) -> dict[str, Any]:
    """Read variants such as ``hand_limit=8`` and ``tie_counts_dealers=true``; what they may be is for `Rules` to say.

    Raises
    ------
    Refused
        If one is no name with a value, or named twice.
    """
    words = {"true": True, "false": False}
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise Refused(f"a variant is written NAME=VALUE, such as hand_limit=8, and not {text!r}")
        if name in found:
            raise Refused(f"the variant {name} is named twice")
        found[name] = words.get(value.lower(), int(value) if value.isdecimal() and len(value) < 10 else value)
    return found
