"""``byzanz-lab empire advise``, ``play`` and ``check-deck``: the duel on the command line.

``add_commands`` hooks the three commands into a parser. Each sets ``func``, a function of the parsed arguments that
returns an exit code: 0, or 2 after what is wrong was said on standard error. What a command needs is imported when it
runs.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.companions.commands import BAD_INPUT, positive, refusing, whole

if TYPE_CHECKING:
    from byzanz_lab.companions.empire.cards import Deck
    from byzanz_lab.companions.empire.policies import Policy
    from byzanz_lab.companions.empire.position import Position
    from byzanz_lab.companions.empire.record import Record

EXAMPLE: Final = "belisarius comitatenses dromons envoys full-treasury hagia-sophia icons 2xskoutatoi"
"""The Emperor's hand that ``advise`` looks at when no position is given, in the Meld Phase of turn 2."""
PLAYERS: Final = ("default", "greedy", "random", "adviser", "mixing")
"""Who can play: the built-in policies, and the adviser, who melds what is best against the usual rival or mixes."""


def add_commands(subparsers: Any) -> None:
    """Add ``empire`` with its commands; each sets ``func``, which takes the arguments and returns an exit code."""
    game = subparsers.add_parser(
        "empire",
        help="the duel over the Byzantine Empire",
        description="Byzantine Empire, Lloyd Krassner's duel for two: advise, let policies play, check a deck.",
    )
    commands = game.add_subparsers(dest="empire", metavar="COMMAND", required=True, title="commands")
    advise = commands.add_parser(
        "advise",
        help="what each action is worth",
        description="Compare the legal actions of a position; where a meld is due, with the mixed strategy.",
    )
    advise.add_argument(
        "position", nargs="?", metavar="FILE", help="a position, or with --at a record; an example when left out"
    )
    advise.add_argument("--at", type=whole, metavar="N", help="advise at this action of a record, counted from 0")
    spend = advise.add_mutually_exclusive_group()
    spend.add_argument("--seconds", type=positive, default=1.0, metavar="S", help="time to spend (default 1)")
    spend.add_argument(
        "--worlds", type=whole, metavar="N", help="worlds to play out instead: the same answer each time"
    )
    advise.add_argument("--objective", choices=("lead", "win"), default="lead", help="what decides (default lead)")
    advise.add_argument("--seed", type=whole, default=1, metavar="N", help="random numbers (default 1)")
    advise.add_argument("--json", action="store_true", help="print JSON")
    play = commands.add_parser(
        "play",
        help="policies play a game",
        description="Let policies play a game; each sees what its seat can see. The same seed gives the same game.",
    )
    play.add_argument(
        "--policy",
        nargs="+",
        action="extend",
        metavar="NAME",
        help=f"{', '.join(PLAYERS)}: one for both, or one a seat",
    )
    play.add_argument("--seed", type=whole, default=1, metavar="N", help="draws and choices (default 1)")
    play.add_argument("--save", type=Path, metavar="FILE", help="write the record")
    for command in (advise, play):
        command.add_argument("--deck", type=Path, metavar="FILE", help="the cards; the deck of the package if left out")
    check = commands.add_parser(
        "check-deck",
        help="whether a deck file can be used, and how even a game it makes",
        description="Name every fault of a deck file; with --games, measure by self-play how even a game it makes.",
    )
    check.add_argument("deck", nargs="?", type=Path, metavar="FILE", help="the deck of the package if left out")
    check.add_argument(
        "--games", type=whole, default=0, metavar="N", help="games of self-play, 2 or more (default none)"
    )
    check.add_argument("--seed", type=whole, default=1, metavar="N", help="random numbers (default 1)")
    for command, run in ((advise, run_advise), (play, run_play), (check, run_check)):
        command.set_defaults(func=refusing(run, command.prog))


def run_advise(args: argparse.Namespace) -> int:
    """Compare the legal actions of a position, and print them, best first."""
    from byzanz_lab.companions.empire.advice import advise
    from byzanz_lab.evaluation import Budget

    position = _position(args.position, args.at, _deck(args.deck))
    budget = Budget(seconds=args.seconds) if args.worlds is None else Budget(worlds=args.worlds)
    advice = advise(position, budget, objective=args.objective, seed=args.seed)
    if args.json:
        print(json.dumps(advice.to_dict()))
        return 0
    print(position)
    print()
    print(advice)
    print(f"Best: {advice.best}")
    return 0


def run_play(args: argparse.Namespace) -> int:
    """Let policies play a game; print what they did and how it ended."""
    from byzanz_lab.companions.empire.playouts import play_game
    from byzanz_lab.companions.empire.record import write_records
    from byzanz_lab.companions.empire.state import new_game

    players = _players(args.policy or ["default"])
    record = play_game(players, new_game(_deck(args.deck), args.seed), args.seed)
    if args.save is not None:
        write_records(args.save, [record])
    _print_game(record)
    if args.save is not None:
        print(f"Record: {args.save}")
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Say what is wrong with a deck, line by line, or what is in it."""
    from byzanz_lab.companions.empire.balance import measure
    from byzanz_lab.companions.empire.fault import InvalidDeck

    try:
        deck = _deck(args.deck)
    except InvalidDeck as invalid:
        for fault in invalid.faults:
            print(f"{args.deck}: {fault}", file=sys.stderr)
        return BAD_INPUT
    if args.games == 1:
        raise ValueError("an error bar needs 2 games or more, not 1")
    for line in _contents(deck):
        print(line)
    if args.games:
        print(measure(deck, args.games, args.seed))
    return 0


def _contents(deck: Deck) -> list[str]:
    """A deck in some lines: sizes, and for each side the cards of each type."""
    from byzanz_lab.companions.empire.cards import kinds_of
    from byzanz_lab.companions.empire.rules import AGES, Side

    lines = [f"{deck.name}: no faults, fingerprint {deck.fingerprint}"]
    for side in Side:
        kinds = [
            f"{sum(card.copies for card in deck.of_side(side) if card.kind is kind)} {kind}" for kind in kinds_of(side)
        ]
        usable = [
            f"{sum(card.copies for card in deck.of_side(side) if card.usable(age))} {name}"
            for age, name in enumerate(AGES, start=1)
        ]
        lines.append(f"{side}: {deck.size(side)} cards ({', '.join(kinds)}); usable: {', '.join(usable)}")
    return lines


def _print_game(record: Record) -> None:
    turn = 0
    for step in record.states():
        table = step.state.table
        if table.turn > turn:
            turn = table.turn
            standing = f"territory {table.territory}, legacy {_pair(table.legacy)}"
            print(f"Turn {turn}: seat {table.emperor} is Emperor, {standing}")
        print(f"  {record.names[step.seat]} (seat {step.seat}): {step.action}")
    result = record.replay().result()
    ended = f"the Empire fell in turn {result.turns}" if result.collapsed else f"territory {result.territory}"
    print(f"Legacy {_pair(result.legacy)}, {ended}; won by seat {', '.join(map(str, result.winners))}.")


def _pair(legacy: tuple[int, int]) -> str:
    return f"{legacy[0]} : {legacy[1]}"


def _deck(path: Path | None) -> Deck:
    from byzanz_lab.companions.empire.deck_file import default_deck, read_deck

    return default_deck() if path is None else read_deck(path)


def _position(given: str | None, at: int | None, deck: Deck) -> Position:
    from byzanz_lab.companions.empire import position_json
    from byzanz_lab.companions.empire.position import Position, observe
    from byzanz_lab.companions.empire.record import Record

    if given is None:
        if at is not None:
            raise ValueError("--at needs a record to look into")
        return Position.at_table("byzantine", EXAMPLE, deck=deck, turn=2)
    if at is None:
        return position_json.load(given, deck)
    record = Record.read(given, deck)
    if at >= len(record.moves):
        raise ValueError(f"{given}: --at {at}: there are {len(record.moves)} actions, counted from 0")
    state = record.state_at(at)
    assert state.to_move is not None  # an action follows
    return observe(state, state.to_move)


def _players(names: list[str]) -> list[Policy]:
    from byzanz_lab.companions.empire.advice import AdviserPolicy
    from byzanz_lab.companions.empire.policies import policy_named

    advisers = {"adviser": AdviserPolicy(), "mixing": AdviserPolicy(mixes=True, name="mixing")}
    for name in names:
        if name not in PLAYERS:
            raise ValueError(f"unknown policy {name!r} (policies are {', '.join(PLAYERS)})")
    chosen: list[Policy] = [advisers[name] if name in advisers else policy_named(name) for name in names]
    if len(chosen) not in (1, 2):
        raise ValueError(f"2 seats need 1 or 2 policies, not {len(chosen)}")
    return chosen * 2 if len(chosen) == 1 else chosen
