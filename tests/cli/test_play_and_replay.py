"""Games that policies play can be kept, replayed, and advised on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from byzanz_lab import Record, Rules, new_game
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import default_policy, policy_named
from tests.cli.command import game, refusal, run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_game_is_the_one_that_python_plays(seats: int) -> None:
    answer = run("play", "--seats", seats, "--seed", 7, "--save", "game.json")
    assert answer.code == 0
    wanted = play_game((default_policy(),) * seats, new_game(Rules.for_seats(seats), 7), 7)
    assert Record.read("game.json") == wanted
    assert answer.out.startswith(f"Byzanz, {seats} seats, seed 7, {len(wanted.moves)} actions\n")
    assert answer.out.endswith("Record: game.json\n")


def test_the_same_seed_plays_the_same_game_and_another_another() -> None:
    for seed, name in ((3, "a"), (3, "b"), (4, "c")):
        run("play", "--policy", "random", "--seed", seed, "--save", name)
    first, same, other = (Path(name).read_text("utf-8") for name in "abc")
    assert first == same != other


@pytest.mark.parametrize(
    "words",
    [["default", "greedy", "random", "greedy"], ["default,greedy,random,greedy"], ["default,greedy", "random,greedy"]],
)
def test_policies_are_given_one_a_seat(words: list[str]) -> None:
    run("play", "--policy", *words, "--save", "game.json")
    names = ("default", "greedy", "random", "greedy")
    assert Record.read("game.json").names == names
    players = [policy_named(name) for name in names]
    assert Record.read("game.json") == play_game(players, new_game(Rules.for_seats(4), 1), 1)


def test_variants_are_named_with_their_values() -> None:
    words = [
        "--variant",
        "hand_limit=8",
        "--variant",
        "may_decline_market=true",
        "--variant",
        "tie_counts_dealers=False",
    ]
    assert run("play", *words, "--save", "game.json").code == 0
    rules = Record.read("game.json").rules
    assert rules.variant == {"hand_limit": 8, "may_decline_market": True}
    assert "hand_limit=8, may_decline_market=True" in run("replay", "game.json").out.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--seats", "7"], "argument --seats: must be a whole number from 3 to 6, not '7'"),
        (["--seats", "two"], "argument --seats: must be a whole number from 3 to 6, not 'two'"),
        (["--seed", "x"], "argument --seed: must be a whole number, not 'x'"),
        (["--policy", "nobody"], "unknown policy 'nobody'"),
        (["--policy", "default", "random"], "4 seats need 1 policy for all or 4 policies, not 2"),
        (["--variant", "hand_limit"], "a variant is written NAME=VALUE, such as hand_limit=8, and not 'hand_limit'"),
        (["--variant", "hand_limit=9"], "hand_limit must be 7 or 8, not 9"),
        (["--variant", "hand_limit=many"], "hand_limit must be 7 or 8, not 'many'"),
        (["--variant", "hand_limit=" + "9" * 6000], "hand_limit must be 7 or 8, not '999"),
        (["--variant", "luck=1"], "unknown variant 'luck'"),
        (["--variant", "hand_limit=8", "--variant", "hand_limit=7"], "the variant hand_limit is named twice"),
        (["--variant", "may_decline_market=2"], "may_decline_market must be true or false, not 2"),
        (["--save", "no/game.json"], "cannot write no/game.json: there is no folder"),
    ],
)
def test_what_cannot_be_played_is_refused(words: list[str], reason: str) -> None:
    said = refusal("play", *words)
    assert said.startswith(reason)
    assert len(said.splitlines()) == 1


def test_a_replay_prints_every_action_and_the_result() -> None:
    record = game()
    record.write("game.json")
    answer = run("replay", "game.json")
    assert answer.code == 0
    lines = answer.out.splitlines()
    numbered = [line.split() for line in lines if line.split() and line.split()[0].isdecimal() and "seat" in line]
    assert len(numbered) == len(record.moves)
    for (seat, action), (number, line) in zip(record.moves, enumerate(numbered), strict=True):
        assert line[:3] == [str(number), "seat", str(seat)]
        assert " ".join(line[4:]) == str(action)
    assert [line for line in lines if line.startswith("Round")] == [f"Round {n}" for n in range(1, 7)]
    assert sum("  lot " in line for line in lines) == record.rules.rounds * record.rules.seats
    assert record.result is not None
    for seat, line in enumerate(lines[-4:]):
        wins = ["wins"] if record.result.winners == (seat,) else []
        profit, left = record.result.profits[seat], record.result.goods_left[seat]
        assert line.split() == [str(seat), "default", str(profit), str(left), *wins]


def test_a_shared_win_is_said_to_be_shared() -> None:
    from byzanz_lab.cli.replay import result_lines
    from byzanz_lab.game.state import Result

    lines = list(result_lines(Result.of([5, 9, 9], [1, 2, 2]), ()))
    assert [line.endswith("shares the win") for line in lines] == [False, False, True, True]


def test_an_unfinished_game_ends_with_whose_turn_it_is() -> None:
    record = replace(game(), moves=game().moves[:33], result=None)
    record.write("game.json")
    state = record.replay()
    last = run("replay", "game.json").out.splitlines()[-1]
    assert last == f"Not finished: seat {state.to_move} has the next decision ({str(state.phase).replace('_', ' ')})."


@pytest.mark.parametrize("at", [0, 12, 60, 120])
def test_one_moment_shows_all_hands_and_what_comes_next(at: int) -> None:
    game().write("game.json")
    out = run("replay", "game.json", "--at", at).out
    state = game().state_at(at)
    for hand in state.hands:
        assert str(hand) in out
    seat, action = game().moves[at]
    assert f"next: seat {seat} (default): {action}\n" in out
    assert out.endswith(f"advice: byzanz-lab advise game.json --at {at}\n")
    assert f"round {state.table.round}, " in out


def test_the_moment_after_the_last_action_has_nothing_next() -> None:
    game().write("game.json")
    out = run("replay", "game.json", "--at", len(game().moves)).out
    assert "the game is over" in out
    assert "next:" not in out
    assert "advice:" not in out


def test_a_moment_that_is_not_there_is_refused() -> None:
    game().write("game.json")
    last = len(game().moves)
    assert refusal("replay", "game.json", "--at", last + 1) == (
        f"game.json: there is no moment {last + 1}, the record has moments 0 to {last}"
    )


def test_a_position_is_no_record() -> None:
    from byzanz_lab.resources import sample

    assert refusal("replay", sample("sample_tax")).endswith("sample_tax.json is a position; a record is needed")


def test_names_are_printed_beside_their_seats() -> None:
    replace(game(), names=("Ann", "Bo", "", "Dörte")).write("game.json")
    out = run("replay", "game.json").out
    assert "seat 0 (Ann)" in out
    assert "seat 3 (Dörte)" in out
