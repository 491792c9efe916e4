"""Tournaments: duplicate play, honest errors, the same bits anywhere, and going on after an interruption."""

from __future__ import annotations

import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import factorial
from pathlib import Path

import numpy as np
import pytest

from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.advice.tournament_play import numbered_deal, play_block, seatings
from byzanz_lab.advice.tournament_result import Standings
from byzanz_lab.game.actions import Action, Pass, Take
from byzanz_lab.game.position import Position
from byzanz_lab.game.rules import Rules
from byzanz_lab.policy import Traits
from byzanz_lab.simulation.policies import Policy, RandomPolicy, greedy_policy

GREEDY, RANDOM = greedy_policy(), RandomPolicy()
PLAIN = Traits()
PATIENT = replace(GREEDY, name="patient", patience=1.0)


@dataclass(frozen=True)
class Wrapped:
    """A policy in Python that asks another one, and checks what it is handed."""

    inner: Policy
    name: str
    traits: Traits = PLAIN
    source: str = "a test"

    def choose(self, position: Position, seed: int = 0) -> Action:
        assert type(position) is Position and position.to_move == position.seat
        return self.inner.choose(position, seed)


def same(a: Standings, b: Standings) -> bool:
    return np.array_equal(a.profits, b.profits) and np.array_equal(a.ties, b.ties)


def duels(games: int = 256, seed: int = 1, seats: int = 4) -> Tournament:
    return Tournament([GREEDY, RANDOM, PATIENT], seats=seats, games=games, seed=seed, lineups="duels")


# -- what is played ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_every_policy_sits_in_every_seat_equally_often(seats: int) -> None:
    for block in range(3):
        sittings = seatings(range(seats), block)
        for seat in range(seats):
            assert sorted(sitting[seat] for sitting in sittings) == list(range(seats))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_blocks_go_through_all_circular_orders(seats: int) -> None:
    """Rotations of one order leave everybody the same neighbour to the left; over the blocks all are met equally."""
    circles = factorial(seats - 1)
    left = Counter((sitting[0], sitting[1]) for block in range(circles) for sitting in seatings(range(seats), block))
    assert len(left) == seats * (seats - 1)
    assert len(set(left.values())) == 1


def test_equals_are_exactly_level_because_the_luck_of_the_cards_is_shared_out() -> None:
    result = Tournament([GREEDY, replace(GREEDY, name="twin")], games=128, lineups="duels").run()
    assert result.row("twin").wins.mean == pytest.approx(0.25, abs=1e-12)
    for outcome in ("win", "profit"):
        gap = result.difference("greedy", "twin", outcome)
        assert gap.mean == pytest.approx(0, abs=1e-12) and gap.se == pytest.approx(0, abs=1e-12)
    assert result.ratings.difference(0, 1).mean == pytest.approx(0, abs=1e-6)


def test_all_lineups_meet_the_same_deals() -> None:
    """A line-up of one policy scores the same in two tournaments with other company."""
    alone = Tournament([GREEDY], games=64, seed=5).run()
    tables = [["greedy"] * 4, ["random", "greedy", "greedy", "greedy"]]
    company = Tournament([GREEDY, RANDOM], games=128, seed=5, lineups=tables).run()
    assert np.array_equal(alone.profits[:, 0], company.profits[:, 0])


@pytest.mark.parametrize(
    ("n", "seats", "tables"), [(1, 4, 1), (2, 4, 3), (3, 4, 3), (4, 4, 1), (5, 4, 5), (7, 4, 35), (3, 3, 1), (7, 6, 7)]
)
def test_the_field_is_all_choices_of_a_table(n: int, seats: int, tables: int) -> None:
    policies = [replace(GREEDY, name=str(i)) for i in range(n)]
    lineups = Tournament(policies, seats=seats).plan.lineups
    assert len(lineups) == len(set(lineups)) == tables
    assert Counter(i for lineup in lineups for i in lineup).keys() == set(range(n))
    assert len(set(Counter(i for lineup in lineups for i in lineup).values())) == 1


def test_duels_put_each_alone_against_a_table_of_each_other() -> None:
    assert duels().plan.lineups == ((0, 1, 1, 1), (0, 2, 2, 2), (1, 0, 0, 0), (1, 2, 2, 2), (2, 0, 0, 0), (2, 1, 1, 1))


def test_games_are_rounded_up_to_whole_deals() -> None:
    tournament = duels(games=100)
    assert tournament.deals == 16
    result = tournament.run()
    assert result.games == 16 * 4 * 6 >= 100
    assert sum(row.games for row in result.rows) == result.games * 4


# -- policies written in Python ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_policy_in_python_plays_the_same_games_as_its_compiled_self(seats: int) -> None:
    """Both forms of the rules, the same deals, the same choices: the same points and tie-breaks."""
    compiled = Tournament([GREEDY, PATIENT], seats=seats, games=1, seed=3, lineups="duels")
    inner = (Wrapped(GREEDY, "greedy"), Wrapped(PATIENT, "patient"))
    slow = replace(compiled, policies=inner)
    (profits, ties), (all_profits, all_ties) = play_block(slow.plan, 0), play_block(compiled.plan, 0)
    assert np.array_equal(profits, all_profits[:1]) and np.array_equal(ties, all_ties[:1])


def test_a_deal_has_a_number() -> None:
    rules = Rules.for_seats(4)
    assert numbered_deal(rules, 1, 7) == numbered_deal(rules, 1, 7) != numbered_deal(rules, 1, 8)


def test_a_policy_that_breaks_the_rules_is_named() -> None:
    @dataclass(frozen=True)
    class Cheat(Wrapped):
        def choose(self, position: Position, seed: int = 0) -> Action:
            return Take("Wi")

    with pytest.raises(ValueError, match=r"policy 'cheat', decision \d+ of deal 0.*the market is not open"):
        Tournament([Cheat(GREEDY, "cheat")], games=1).run()


def test_a_policy_that_answers_with_something_else_is_named() -> None:
    @dataclass(frozen=True)
    class Silent(Wrapped):
        def choose(self, position: Position, seed: int = 0) -> Action:
            return "pass"  # type: ignore[return-value]

    with pytest.raises(ValueError, match=r"policy 'silent'.*is no action"):
        Tournament([Silent(GREEDY, "silent")], games=1).run()


# -- the same bits anywhere --------------------------------------------------------------------------------------------


def test_results_do_not_depend_on_the_workers() -> None:
    first = duels().run(workers=1)
    assert same(first, duels().run(workers=3))
    with ThreadPoolExecutor(2) as pool:
        assert same(first, replace(duels(), executor=pool).run())
    assert first.to_dict() == duels().run().to_dict()
    assert not same(first, duels(seed=2).run())


class After:
    """A switch that is thrown after some reports."""

    def __init__(self, reports: int) -> None:
        self.left, self.event = reports, threading.Event()

    def __call__(self, progress: object) -> None:
        self.left -= 1
        if self.left <= 0:
            self.event.set()


def test_an_interrupted_tournament_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path, whole = tmp_path / "games.jsonl", duels(games=2000)
    switch = After(1)
    part = whole.run(path, workers=1, progress=switch, cancel=switch.event)
    assert 0 < part.deals < whole.deals
    assert same(whole.run(path), whole.run())


def test_a_line_that_was_cut_short_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = duels().run(path)
    text = path.read_bytes()
    path.write_bytes(text[:-200])
    assert same(duels().run(path), whole)
    assert path.read_bytes() == text


def test_a_file_with_fewer_games_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    few = duels(games=384).run(path)
    more = duels(games=768).run(path)
    assert more.deals == 2 * few.deals and same(more, duels(games=768).run())
    assert same(duels(games=384).run(path), few)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda t: "{}\n" + t, "this is no tournament"),
        (lambda t: "not json\n" + t, "line 1"),
        (lambda t: "cut", "this is no tournament"),
        (lambda t: t.replace('"seed":1', '"seed":2', 1), "it differs in seed"),
        (lambda t: t.replace('"patience":1.0', '"patience":1.5', 1), "it differs in policies"),
        (lambda t: t.replace('"block":0', '"block":1', 1), "line 2: this is not block 0"),
        (lambda t: t.replace('"profits":[', '"profits":[0,', 1), "line 2: this is not block 0"),
        (lambda t: t.replace('"ties":', '"tie":', 1), "line 2: this is not block 0"),
        (lambda t: t + "[]\n", "this is not block"),
    ],
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, spoil: object, words: str) -> None:
    path = tmp_path / "games.jsonl"
    duels().run(path)
    spoiled = spoil(path.read_text())  # type: ignore[operator]
    path.write_text(spoiled)
    with pytest.raises(ValueError, match=words):
        duels(games=10_000).run(path)
    assert path.read_text() == spoiled


# -- what is told ------------------------------------------------------------------------------------------------------


def test_errors_count_deals() -> None:
    result = duels().run()
    shares = result._objectives[2]
    alone = shares[:, 0][result._who[:, 0] == 0].reshape(result.deals, 4).mean(axis=1)
    found = result.against("greedy", "random")
    assert found.mean == pytest.approx(alone.mean())
    assert found.se == pytest.approx(alone.std(ddof=1) / np.sqrt(result.deals))
    assert found.n == result.deals


def test_shares_of_a_table_add_up_to_one_win() -> None:
    result = duels().run()
    assert sum(row.wins.mean * row.games for row in result.rows) == pytest.approx(result.games)
    assert sum(result.seat(seat).mean for seat in range(4)) == pytest.approx(1)


def test_differences_are_paired_and_turn_round() -> None:
    result = duels(games=1024).run()
    gap, back = result.difference("greedy", "random"), result.difference("random", "greedy")
    assert gap.mean == pytest.approx(-back.mean) and gap.se == pytest.approx(back.se)
    assert gap.interval()[0] > 0.2
    assert result.ratings.difference(0, 1).interval()[0] > 100


def test_the_best_is_named_with_how_sure_that_is() -> None:
    sure = duels(games=1024).run()
    assert sure.sentence.startswith(f"{sure.best} won ")
    level = Tournament([GREEDY, replace(GREEDY, name="twin")], games=64).run()
    assert level.sentence.endswith("which may be chance.")


def test_frames_hold_means_and_errors() -> None:
    result = duels().run()
    frame = result.to_frame()
    assert list(frame["policy"]) == [row.name for row in result.ranking]
    assert {"win", "win_se", "profit", "profit_se", "margin", "margin_se", "rating", "rating_se"} <= set(frame.columns)
    assert len(result.to_frame("pairs")) == 6 and list(result.to_frame("seats")["seat"]) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="unknown table"):
        result.to_frame("games")


def test_names_are_escaped_and_results_are_json() -> None:
    odd = replace(GREEDY, name="<b>&")
    result = Tournament([odd, RANDOM], games=64).run()
    assert "<b>" not in result._repr_html_() and "&lt;b&gt;&amp;" in result._repr_html_()
    assert json.loads(json.dumps(result.to_dict()))["standings"][0]["name"] == "<b>&"
    assert "<b>&" in str(result)


def test_progress_counts_deals_and_games() -> None:
    seen = []
    result = duels().run(progress=seen.append)
    assert seen[-1].worlds == result.deals and seen[-1].playouts == result.games and seen[-1].fraction == 1


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"policies": []}, ValueError, "one policy or more"),
        ({"policies": [GREEDY, GREEDY]}, ValueError, "two policies are named 'greedy'"),
        ({"policies": [RandomPolicy]}, TypeError, "is no policy"),
        ({"policies": ["greedy"]}, TypeError, "is no policy"),
        ({"seats": 7}, ValueError, "3 to 6"),
        ({"games": 0}, ValueError, "1 game or more"),
        ({"games": 10.5}, ValueError, "whole number"),
        ({"seed": "one"}, TypeError, "whole number"),
        ({"variant": {"hand_size": 8}}, ValueError, "unknown variant"),
        ({"lineups": "all"}, ValueError, "unknown line-ups 'all'"),
        ({"lineups": []}, ValueError, "one line-up"),
        ({"lineups": ["greedy"]}, ValueError, "one name for each of the 4 seats"),
        ({"lineups": [["greedy", "random", "random", "learnt"]]}, ValueError, "nobody .* named 'learnt'"),
        ({"lineups": [["greedy"] * 4]}, ValueError, "'random' is in no line-up"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(arguments: dict, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Tournament(**{"policies": [GREEDY, RANDOM], **arguments})


def test_questions_about_strangers_are_refused() -> None:
    result = duels().run()
    with pytest.raises(ValueError, match=r"nobody .* named 'x'"):
        result.row("x")
    with pytest.raises(ValueError, match="with itself"):
        result.difference("greedy", "greedy")
    with pytest.raises(ValueError, match="unknown outcome"):
        result.difference("greedy", "random", "luck")
    with pytest.raises(ValueError, match="no seat 4"):
        result.seat(4)
    with pytest.raises(ValueError, match="did not sit alone"):
        Tournament([GREEDY, RANDOM, PATIENT], games=1).run().against("greedy", "random")


def test_a_tournament_cancelled_at_once_says_so() -> None:
    event = threading.Event()
    event.set()
    with pytest.raises(ValueError, match="cancelled before"):
        duels().run(cancel=event)


def test_passing_always_loses() -> None:
    """A policy of three lines plays in tournaments, and is beaten."""

    @dataclass(frozen=True)
    class Passer(Wrapped):
        def choose(self, position: Position, seed: int = 0) -> Action:
            return Pass() if position.can(Pass()) else self.inner.choose(position, seed)

    result = Tournament([Passer(GREEDY, "passer"), PATIENT], games=16, lineups=[["passer", *["patient"] * 3]]).run()
    assert result.row("passer").profit.mean < result.row("patient").profit.mean
