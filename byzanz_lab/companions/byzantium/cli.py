"""``byzanz-lab byzantium solve``, ``advise`` and ``play``: the tableau game on the command line.

``add_commands`` hooks the three commands into a parser. Each sets ``func``, a function of the parsed arguments that
returns an exit code: 0, or 2 after one sentence on standard error for input that cannot be used. What a command needs
is imported when it runs.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.companions.commands import positive, refusing, whole
from byzanz_lab.safe_json import shown

if TYPE_CHECKING:
    from byzanz_lab.companions.byzantium.policies import Policy
    from byzanz_lab.companions.byzantium.position import Position
    from byzanz_lab.companions.byzantium.rules import Rules
    from byzanz_lab.companions.byzantium.state import State

EXAMPLE: Final = "players 1; tableau N=B8 E=R6 S=B3 W=RJ EE=R9 SS=B7 WW=R4 SSE=BJ SSS=BQ; hand R3"
"""The position that ``advise`` looks at when none is given."""
VARIANTS: Final = ("direction_per_branch", "stop_at_first_misfit")


def add_commands(subparsers: Any) -> None:
    """Add ``byzantium`` with its commands; each sets ``func``, which takes the arguments and returns an exit code."""
    game = subparsers.add_parser(
        "byzantium",
        help="the tableau game for one to four",
        description="Byzantium, Toby Ord's tableau game: solve solitaire, advise, let policies play.",
    )
    commands = game.add_subparsers(dest="byzantium", metavar="COMMAND", required=True, title="commands")
    solve = commands.add_parser(
        "solve",
        help="the most cards of a deal of solitaire that anybody could place",
        description="Solve a deal of solitaire with the order of its deck known.",
    )
    solve.add_argument("deck", nargs="?", metavar="DECK", help="24 cards in drawing order, such as 'B2 R10 ...'")
    solve.add_argument("--seed", type=whole, default=1, metavar="N", help="the deal, when no deck is given (default 1)")
    solve.add_argument("--seconds", type=positive, default=10.0, metavar="S", help="when to stop proving (default 10)")
    _add_variants(solve)
    advise = commands.add_parser(
        "advise",
        help="what each placement is worth",
        description="Compare the legal placements of a position.",
    )
    advise.add_argument("position", nargs="?", default=EXAMPLE, metavar="POSITION", help=f"a line such as {EXAMPLE!r}, "
                        "or the name of a JSON file; that line when left out")  # fmt: skip
    spend = advise.add_mutually_exclusive_group()
    spend.add_argument("--seconds", type=positive, default=1.0, metavar="S", help="time to spend (default 1)")
    spend.add_argument(
        "--worlds", type=whole, metavar="N", help="worlds to play out instead: the same answer each time"
    )
    advise.add_argument("--seed", type=whole, default=1, metavar="N", help="random numbers (default 1)")
    advise.add_argument("--json", action="store_true", help="print JSON")
    play = commands.add_parser(
        "play",
        help="policies play a deal",
        description="Let policies play a deal; each sees what its seat can see. The same seed gives the same deal.",
    )
    play.add_argument("--players", type=int, choices=(1, 2, 3, 4), default=1, metavar="N", help="1 to 4 (default 1)")
    play.add_argument("--policy", nargs="+", action="extend", metavar="NAME", help=
                      "default, greedy, roomy, random or adviser: one for all, or one a seat")  # fmt: skip
    play.add_argument("--seed", type=whole, default=1, metavar="N", help="deal and choices (default 1)")
    play.add_argument("--save", type=Path, metavar="FILE", help="write the record")
    _add_variants(play)
    for command, run in ((solve, run_solve), (advise, run_advise), (play, run_play)):
        command.set_defaults(func=refusing(run, command.prog))


def run_solve(args: argparse.Namespace) -> int:
    """Solve a deal, and print the answer and a line of play that reaches it."""
    from byzanz_lab.companions.byzantium.cards import Cards
    from byzanz_lab.companions.byzantium.solver import solve
    from byzanz_lab.companions.byzantium.state import deal, new_game

    rules = _rules(1, args.variant)
    if args.deck is None:
        state = new_game(rules, args.seed)
    else:
        words = args.deck.replace(",", " ").split()
        Cards(words)  # names a card that stands there twice
        state = deal(rules, deck=words)
    solution = solve(state, args.seconds)
    print(f"Deck: {' '.join([*state.hands[0], *state.deck])}")
    print(f"{solution}.")
    print(f"Looked at {solution.nodes} tableaux in {solution.seconds:.1f} s.")
    for action in solution.actions:
        (card,) = state.hands[0]
        print(f"  {action}" if str(action) != "pass" else f"  pass ({card} laid aside)")
        state = state.apply(action)
    return 0


def run_advise(args: argparse.Namespace) -> int:
    """Compare the legal placements of a position, and print them, best first."""
    from byzanz_lab.companions.byzantium.advice import advise
    from byzanz_lab.evaluation import Budget

    position = _position(args.position)
    budget = Budget(seconds=args.seconds) if args.worlds is None else Budget(worlds=args.worlds)
    advice = advise(position, budget, seed=args.seed)
    if args.json:
        print(json.dumps(advice.to_dict()))
        return 0
    print(f"Position: {position}")
    print(advice)
    print(f"Best: {advice.best}")
    return 0


def run_play(args: argparse.Namespace) -> int:
    """Let policies play a deal; print what they did and how it ended."""
    from byzanz_lab.companions.byzantium.playouts import play_deal
    from byzanz_lab.companions.byzantium.record import write_records
    from byzanz_lab.companions.byzantium.state import new_game

    rules = _rules(args.players, args.variant)
    players = _players(args.policy or ["default"], rules)
    record = play_deal(players, new_game(rules, args.seed), args.seed)
    if args.save is not None:
        write_records(args.save, [record])
    for turn in record.states():
        print(f"  {players[turn.seat].name} (seat {turn.seat}): {_said(turn.state, str(turn.action))}")
    final = record.replay()
    print(f"Tableau: {final.tableau}")
    if rules.is_solitaire:
        print(f"{len(final.tableau)} of 24 cards placed{': won' if final.result().winners else ''}.")
    else:
        winners = ", ".join(map(str, final.result().winners))
        print(f"Cards left: {', '.join(map(str, final.scores))}; won by seat {winners}.")
    if args.save is not None:
        print(f"Record: {args.save}")
    return 0


def _said(state: State, action: str) -> str:
    return f"pass ({state.hands[0]} laid aside)" if action == "pass" and state.rules.is_solitaire else action


def _add_variants(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--variant", action="append", default=[], metavar="NAME", help=f"{' or '.join(VARIANTS)}; may be repeated"
    )


def _rules(players: int, variants: list[str]) -> Rules:
    from byzanz_lab.companions.byzantium.rules import Rules

    for name in variants:
        if name not in VARIANTS:
            raise ValueError(f"unknown variant {shown(name)} (variants are {', '.join(VARIANTS)})")
    return Rules.for_players(players, **dict.fromkeys(variants, True))


def _position(given: str) -> Position:
    from byzanz_lab.companions.byzantium.position_text import load_position, parse_position

    if ";" not in given and given.endswith(".json"):
        return load_position(Path(given).read_bytes())
    return parse_position(given)


def _players(names: list[str], rules: Rules) -> list[Policy]:
    from byzanz_lab.companions.byzantium.advice import AdviserPolicy
    from byzanz_lab.companions.byzantium.policies import policy_named

    chosen: list[Policy] = [
        AdviserPolicy() if name == "adviser" else policy_named(name, rules.players) for name in names
    ]
    if len(chosen) not in (1, rules.players):
        raise ValueError(f"{rules.players} seats need 1 or {rules.players} policies, not {len(chosen)}")
    return chosen * rules.players if len(chosen) == 1 else chosen
