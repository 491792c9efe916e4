"""A self-play study is a small table, the same on any number of workers, and goes on where it ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from byzanz_lab.evaluation.progress import Progress
from byzanz_lab.game.rules import Rules
from byzanz_lab.interop.study import BLOCK, self_play_frame
from byzanz_lab.simulation.playouts import play_logged, self_play
from byzanz_lab.simulation.policies import RandomPolicy, default_policy, greedy_policy

ROOT = Path(__file__).resolve().parents[2]
STUDY = """
from pathlib import Path
from byzanz_lab.interop.study import self_play_frame
table = self_play_frame(4, 100_000, seed=1)
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(len(table), table["win"].sum().round(), peak.split()[1])
"""
# What the system calls the most memory of a process (ru_maxrss) counts in that of the process that started it.

GAMES = 2 * BLOCK + 37
"""A few blocks, the last one not full."""


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_gives_the_same_table_to_the_bit(workers: int) -> None:
    policies = [greedy_policy(), RandomPolicy(), default_policy(), RandomPolicy()]
    one = self_play_frame(4, GAMES, seed=9, policies=policies, workers=1)
    pd.testing.assert_frame_equal(self_play_frame(4, GAMES, seed=9, policies=policies, workers=workers), one)
    assert one.attrs["seed"] == 9


def test_a_study_goes_on_where_another_ended() -> None:
    whole = self_play_frame(3, 700, seed=2, workers=1)
    parts = [self_play_frame(3, 450, seed=2, workers=1), self_play_frame(3, 250, seed=2, first=450, workers=1)]
    pd.testing.assert_frame_equal(pd.concat(parts, ignore_index=True), whole)


@pytest.mark.parametrize("seats", [3, 6])
def test_the_table_holds_what_the_playouts_came_to(seats: int) -> None:
    table = self_play_frame(seats, 300, seed=4, workers=1, hand_limit=8)
    played = self_play(Rules.for_seats(seats, hand_limit=8), 300, 4)
    assert table["profit"].tolist() == played.profits[:, 0].ravel().tolist()
    assert table["win"].tolist() == pytest.approx(played.win_shares()[:, 0].ravel().tolist())
    for seat in range(seats):
        own = table[table["seat"] == seat]
        assert own["margin"].tolist() == played.objectives(seat)[:, 0, 1].tolist()
    assert table["game"].tolist() == [game for game in range(300) for _ in range(seats)]
    assert table.attrs["variant"] == {"hand_limit": 8}


def test_its_first_game_is_a_game_by_the_rules() -> None:
    record, _ = play_logged(Rules.for_seats(5), seed=11)
    assert record.result is not None
    assert self_play_frame(5, 1, seed=11, workers=1)["profit"].tolist() == list(record.result.profits)


def test_a_row_takes_sixteen_bytes_so_that_a_hundred_thousand_games_are_a_small_table() -> None:
    table = self_play_frame(4, 2000, workers=1)
    assert table.memory_usage(index=False).sum() < 17 * len(table)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units, or not at all")
def test_a_hundred_thousand_games_fit_in_a_gigabyte() -> None:
    done = subprocess.run([sys.executable, "-c", STUDY], cwd=ROOT, check=True, capture_output=True, text=True)
    rows, wins, kilobytes = done.stdout.split()
    assert (int(rows), float(wins)) == (400_000, 100_000)
    assert int(kilobytes) < 1_000_000


def test_it_says_how_far_it_is() -> None:
    told: list[Progress] = []
    self_play_frame(3, 1200, workers=1, progress=told.append)
    assert told[-1].fraction == 1
    assert told[-1].worlds == 1200


def test_what_cannot_be_played_is_refused() -> None:
    for wrong in ({"games": 0}, {"first": -1}):
        with pytest.raises(ValueError, match="1 game or more, from game 0 on"):
            self_play_frame(4, **wrong)
    with pytest.raises(ValueError, match="unknown variant 'house'"):
        self_play_frame(4, 1, house=True)
    with pytest.raises(ValueError, match="3 to 6 seats"):
        self_play_frame(2, 1)
