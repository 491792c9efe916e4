"""``byzanz-lab values``: what a lot is worth at each price, or each group of the market to each seat."""

from __future__ import annotations

import argparse
from typing import Any

from byzanz_lab.cli.common import Refused, add_position_options, add_thinking_options, budget_of, policies_named
from byzanz_lab.cli.files import moment_of
from byzanz_lab.cli.waiting import compile_first, wants_bar


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "values",
        help="what a lot or the market is worth",
        description="In an auction, the worth of the lot at each price; at the market, the worth of each group to each "
        "seat that has still to pick.",
    )
    add_position_options(command)
    add_thinking_options(command)
    asked = command.add_mutually_exclusive_group()
    asked.add_argument("--lot", metavar="CARDS", help="suppose another lot, such as 'Wi4 2xSp1 D'")
    asked.add_argument("--market", metavar="CARDS", help="suppose another market")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Value the lot or the market, and print the answer."""
    from byzanz_lab.advice.lots import lot_value
    from byzanz_lab.advice.markets import market_values
    from byzanz_lab.game.table import Phase
    from byzanz_lab.simulation.playouts import self_play

    position = moment_of(args.file, args.at, args.seat, any_seat=True).position
    wanted = Phase.MARKET if args.market else Phase.AUCTION if args.lot else position.phase
    if position.phase is not wanted or wanted not in (Phase.AUCTION, Phase.MARKET):
        what = {Phase.MARKET: "a market", Phase.AUCTION: "a lot"}.get(wanted, "a lot or a market")
        raise Refused(f"there is no auction or market to put {what} in: the decision is {position.phase}")
    ask: Any = market_values if wanted is Phase.MARKET else lot_value
    share = 1 / (position.rules.seats - position.picked) if wanted is Phase.MARKET else 1.0  # a budget is for each seat
    policies = policies_named(args.policy, position.rules.seats)
    compile_first("play_worlds", lambda: self_play(position.rules, 1))
    try:
        answer = ask(
            position,
            args.market or args.lot,
            budget_of(args, share),
            args.seed,
            objective=args.objective,
            policies=policies,
            workers=args.workers,
            progress=wants_bar(),
        )
    except ValueError as error:  # the supposed cards are none, or cannot be there
        raise Refused(str(error)) from None
    print(answer)
    return 0
