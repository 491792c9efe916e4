"""What each layer makes of the rules that it is given, for the test that walks variants and layers.

A layer is a function of a set of rules. It uses the layer under these rules and hands back whole games as records, or
answers as texts. Answers are about positions that come up under the rules ``made``. The test wants all of them to come
out otherwise than under the plain rules, so that no layer can forget a variant without being found.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from byzanz_lab.advice.advise import advise
from byzanz_lab.advice.lots import lot_value
from byzanz_lab.advice.markets import market_values
from byzanz_lab.advice.review import review
from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.game.actions import Decline
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.position_json import dumps, loads
from byzanz_lab.game.position_text import format_position, parse_position
from byzanz_lab.game.record import Record, Recorder
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import Phase
from byzanz_lab.interop.choices import Composition
from byzanz_lab.interop.frames import frame_of
from byzanz_lab.interop.pettingzoo import raw_env
from byzanz_lab.interop.study import self_play_frame
from byzanz_lab.interop.tree import Node
from byzanz_lab.panels.game import Game
from byzanz_lab.panels.session import Session
from byzanz_lab.simulation.contract import check_answer
from byzanz_lab.simulation.playouts import play_game, play_logged, self_play
from byzanz_lab.simulation.policies import RandomPolicy, default_policy, greedy_policy
from byzanz_lab.simulation.worlds import determinize

GAMES = 3
"""Games of random choices a set of rules: enough for a variant to show."""
WORLDS = 256
RANDOM = RandomPolicy()


@cache
def games(rules: Rules) -> tuple[Record, ...]:
    """Games that kernels play at random, so that hands are full, groups declined, and dealers left at the end."""
    return tuple(play_logged(rules, seed, [RANDOM] * rules.seats)[0] for seed in range(GAMES))


@cache
def decisions(rules: Rules, phase: Phase) -> tuple[Position, ...]:
    """What the seat on the move sees at decisions of one phase, from all rounds."""
    turns = [turn for game in games(rules) for turn in game.states() if turn.state.phase is phase]
    found = [observe(turn.state, turn.seat) for turn in turns if turn.seat == turn.state.to_move]
    random.Random(3).shuffle(found)
    return tuple(found)


def positions(rules: Rules, made: Rules, phase: Phase, n: int = 2) -> list[Position]:
    """Some positions that come up under ``made``, as if they had come up under ``rules``."""
    found = decisions(made, phase)[:n]
    return [replace(position, table=replace(position.table, rules=rules)) for position in found]


# -- layers that play games: their records -------------------------------------------------------------------------


def rules_for_people(rules: Rules) -> Iterator[Record]:
    """The readable rules, by choices of `Composition`."""
    for seed in range(GAMES):
        yield chosen_at_random(new_game(rules, seed), seed)


def files(rules: Rules) -> Iterator[Record]:
    """Records as files."""
    yield from (Record.loads(game.dumps()) for game in games(rules))


def kernels(rules: Rules) -> Iterator[Record]:
    """Compiled playouts: what they count is what the readable rules count."""
    for seed in range(GAMES):
        record, outcome = play_logged(rules, seed, [RANDOM] * rules.seats)
        assert record.result is not None
        assert list(record.result.profits) == outcome.profits[0, 0].tolist()
        shares = [(seat in record.result.winners) / len(record.result.winners) for seat in range(rules.seats)]
        assert shares == outcome.win_shares()[0, 0].tolist()
        yield record


def policies(rules: Rules) -> Iterator[Record]:
    """Policies, move by move; what they do is allowed and does not change when they are asked again."""
    for policy in (default_policy(), greedy_policy(), RANDOM):
        for phase in (Phase.AUCTION, Phase.MARKET, Phase.HAND_LIMIT):
            for position in positions(rules, rules, phase, 1):
                check_answer(policy, position)
    yield from (play_game([RANDOM] * rules.seats, new_game(rules, seed), seed) for seed in range(GAMES))


def game_panel(rules: Rules) -> Iterator[Record]:
    """A game against policies, as the panel plays it."""
    with closing(Game(["you", *["random"] * (rules.seats - 1)], seed=2, variant=rules.variant)) as game:
        for _ in range(400):
            game.join(60)
            if game.is_over:
                break
            legal = game.position.legal_actions()
            assert game.play(legal[-1] if game.position.phase is Phase.AUCTION else legal[0]), game.error
        assert game.record().rules == rules
        yield game.record()
    yield from games(game.record().rules)


def pettingzoo(rules: Rules) -> Iterator[Record]:
    """The environment, every seat asked, by random choices out of the mask."""
    for seed in range(GAMES):
        env, rng = raw_env(rules.seats, **rules.variant), random.Random(seed)
        env.begin(new_game(rules, seed))
        recorder = Recorder(env._state)
        while not all(env.terminations.values()):
            seat = env.possible_agents.index(env.agent_selection)
            choice = rng.choice(env.choices(seat))
            named = env._composition(seat).choose(choice)
            env.step(choice)
            if not isinstance(named, Composition):
                recorder.apply(named, seat)
        assert recorder.state == env._state
        yield recorder.record()


def game_tree(rules: Rules) -> Iterator[Record]:
    """The tree that OpenSpiel searches: its walks, as games with the cards that were drawn."""
    for seed in range(GAMES):
        rng, node, drawn, actions = random.Random(seed), Node.root(rules), [], []
        while not node.is_over:
            if node.is_chance:
                drawn.append(rng.choices(*zip(*node.outcomes(), strict=True))[0])
                node = node.after(drawn[-1])
                continue
            choice, seat = rng.choice(node.choices), node.seat
            assert node.composing is not None and seat is not None
            named = node.composing.choose(choice)
            actions += [] if isinstance(named, Composition) else [(seat, named)]
            node = node.after(choice)
        lots = drawn[rules.seats * rules.start_hand :]
        start = Record(rules, 0, node.hands_dealt, tuple(_codes(lots)), None, tuple(actions))
        assert node.state is not None
        assert start.replay().table == node.state.table
        yield start


def _codes(kinds: list[int]) -> Iterator[str]:
    from byzanz_lab.game.cards import KINDS

    yield from (KINDS[kind] for kind in kinds)


def chosen_at_random(state: State, seed: int) -> Record:
    """A game of random choices."""
    rng, recorder = random.Random(seed), Recorder(state)
    while recorder.state.to_move is not None:
        after: object = Composition.of(recorder.state.legal_actions())
        while isinstance(after, Composition):
            after = after.choose(rng.choice(after.choices))
        recorder.apply(after)  # type: ignore[arg-type]
    return recorder.record()


# -- layers that answer: texts that hold all their numbers ----------------------------------------------------------


def position_files(rules: Rules, made: Rules) -> Iterator[str]:
    """Positions as text and as JSON, read back under the same rules."""
    for position in positions(rules, rules, Phase.AUCTION):
        assert parse_position(format_position(position)) == position == loads(dumps(position))
        yield format_position(position)


def worlds(rules: Rules, made: Rules) -> Iterator[str]:
    """Worlds that fit a position."""
    for position in positions(rules, made, Phase.AUCTION):
        yield repr(determinize(position, 1).state(0).rules)


def advice(rules: Rules, made: Rules) -> Iterator[str]:
    """Advice in every phase: only legal choices, and numbers under these rules."""
    for phase in (Phase.AUCTION, Phase.MARKET, Phase.TAX):
        for position in positions(rules, made, phase):
            answer = advise(position, WORLDS, seed=5, policies=RANDOM, workers=1)
            assert all(position.can(row.action) for row in answer.rows)
            if phase is Phase.MARKET:
                assert rules.may_decline_market == any(isinstance(row.action, Decline) for row in answer.rows)
            yield answer.to_frame().to_csv()


def lot_and_market_values(rules: Rules, made: Rules) -> Iterator[str]:
    """What a lot is worth, and what each group of the market."""
    for position in positions(rules, made, Phase.AUCTION):
        yield lot_value(position, budget=WORLDS, seed=5, policies=RANDOM, workers=1).to_frame().to_csv()
    for position in positions(rules, made, Phase.MARKET):
        yield market_values(position, budget=WORLDS, seed=5, policies=RANDOM, workers=1).to_frame().to_csv()


def reviews(rules: Rules, made: Rules) -> Iterator[str]:
    """The review of the first auction of a game."""
    begun = replace(games(made)[0], rules=rules, result=None)
    begun = replace(begun, moves=begun.moves[: rules.seats])
    yield frame_of(review(begun, WORLDS, policies=RANDOM, workers=1, objective="win"), "draws").to_csv()


def tournaments(rules: Rules, made: Rules) -> Iterator[str]:
    """A tournament: every single game of it."""
    played = Tournament([RANDOM, greedy_policy()], rules.seats, 64, seed=3, variant=rules.variant).run(workers=1)
    assert played.to_dict()["variant"] == rules.variant
    yield frame_of(played, "games").to_csv()


def studies(rules: Rules, made: Rules) -> Iterator[str]:
    """A table of self-play."""
    table = self_play_frame(rules.seats, 60, seed=3, policies=RANDOM, workers=1, **rules.variant)
    outcome = self_play(rules, 60, 3, [RANDOM] * rules.seats)
    assert table["profit"].tolist() == outcome.profits.ravel().tolist()
    yield table.to_csv()


def session_panel(rules: Rules, made: Rules) -> Iterator[str]:
    """A position in the panels' session: entered, read back, and thought about."""
    for position in positions(rules, rules, Phase.AUCTION, 1):
        with closing(Session(position, worlds=64)) as session:
            answer = session.think(wait=True)
            assert answer is not None, session.error
            assert answer.position == position
            yield session.to_code()


def command_line(rules: Rules, made: Rules) -> Iterator[str]:
    """Play by the command line, and advice on what it wrote."""
    from tests.cli.command import run

    words = [f"--variant={name}={str(value).lower()}" for name, value in rules.variant.items()]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        said = run("play", "--seats", rules.seats, "--policy", "random", "--seed", 3, *words, "--save", path)
        assert said.code == 0, said.err
        assert Record.loads(path.read_text("utf-8")).rules == rules
        yield path.read_text("utf-8")


PLAYING: tuple[Callable[[Rules], Iterator[Record]], ...] = (
    rules_for_people, files, kernels, policies, game_panel, pettingzoo, game_tree,
)  # fmt: skip
ANSWERING: tuple[Callable[[Rules, Rules], Iterator[str]], ...] = (
    position_files, worlds, advice, lot_and_market_values, reviews, tournaments, studies, session_panel, command_line,
)  # fmt: skip
