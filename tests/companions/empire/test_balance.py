"""The shipped deck makes an even game, and the script that measures it says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from byzanz_lab.companions.empire.balance import EARLY, EVEN, FOREGONE, main, measure
from byzanz_lab.companions.empire.deck_file import default_deck, dumps_deck
from byzanz_lab.companions.empire.playouts import play_games
from byzanz_lab.companions.empire.policies import greedy_policy
from tests.companions.empire.moments import SMALL

GAMES = 4000


def test_the_emperors_side_gains_and_loses_territory_about_equally() -> None:
    turns = measure(default_deck(), GAMES).all_turns
    assert abs(turns.gained.mean - turns.lost.mean) + 2 * (turns.gained.se + turns.lost.se) < EVEN
    assert abs(turns.emperor.mean - turns.foes.mean) < 0.3, "the melds of both sides are about as strong"


def test_no_age_is_a_foregone_conclusion() -> None:
    for age in measure(default_deck(), GAMES).ages:
        assert max(age.gained.mean, age.lost.mean) + 3 * age.gained.se < FOREGONE
        assert min(age.gained.mean, age.lost.mean) - 3 * age.gained.se > 0.25


def test_games_end_early_in_fewer_than_fifteen_percent_of_cases() -> None:
    early = measure(default_deck(), GAMES).early
    assert early.mean + 3 * early.se < EARLY
    assert early.mean > 0.02, "and yet they do end early"


def test_shares_count_turns_and_their_errors_count_games() -> None:
    result, played = measure(SMALL, 500, 3), play_games(SMALL, 500, 3)
    rows = played.turns[played.turns[..., 0] > 0]
    assert result.all_turns.gained.mean == pytest.approx(np.mean(rows[:, 4] > rows[:, 3]))
    assert result.all_turns.foes.mean == pytest.approx(rows[:, 2].mean())
    assert result.all_turns.gained.n == 500
    means = [measure(SMALL, 200, seed).all_turns.gained.mean for seed in range(30)]
    assert np.std(means, ddof=1) == pytest.approx(measure(SMALL, 6000).all_turns.gained.se * np.sqrt(30), rel=0.5)


def test_an_uneven_deck_is_told_from_an_even_one() -> None:
    assert all(measure(default_deck(), GAMES).verdicts().values())
    assert not any(measure(SMALL, 1000).verdicts().values())


def test_the_script_prints_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "2000"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Porphyra: 2,000 games, default against itself") and printed.count("yes  ") == 3
    path = tmp_path / "small.json"
    path.write_text(dumps_deck(SMALL), "utf-8")
    assert main([str(path), "--games", "500", "--policy", "greedy", "--seed", "4"]) == 1
    printed = capsys.readouterr().out
    assert "Small: 500 games, greedy against itself" in printed and "NO   " in printed
    assert str(measure(SMALL, 500, 4, greedy_policy(), "greedy")) in printed


def test_the_script_says_in_one_line_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "absent.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(SystemExit, match="2"):
        main(["--games", "1"])
    assert "two games or more are needed for an error bar" in capsys.readouterr().err
