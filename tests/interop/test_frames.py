"""Answers become flat tables, and tables come back from files as they were written."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from byzanz_lab import Record, Rules, advise, load_sample, lot_value, market_values
from byzanz_lab.advice.forecast import forecast
from byzanz_lab.advice.review import review
from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.game.actions import Bid, Pass
from byzanz_lab.interop.frames import frame_of, games_frame, read_frame, write_frame
from byzanz_lab.simulation.playouts import play_logged
from byzanz_lab.simulation.policies import RandomPolicy, greedy_policy


@cache
def game(seats: int = 3, seed: int = 1) -> Record:
    return play_logged(Rules.for_seats(seats), seed)[0]


@cache
def tournament() -> Any:
    return Tournament([greedy_policy(), RandomPolicy()], seats=3, games=192, lineups="duels").run(workers=1)


@cache
def answers() -> dict[str, pd.DataFrame]:
    auction, market = load_sample("auction"), load_sample("market")
    judged = review(game(), 8)
    tables = {
        "advice": frame_of(advise(auction, budget=64, seed=1)),
        "lot": frame_of(lot_value(auction, budget=64, seed=1)),
        "market": frame_of(market_values(market, budget=64, seed=1)),
        "forecast": frame_of(forecast(auction, 64)),
        "moves": frame_of(game()),
        "results": frame_of([game(), game(4, 2)], "results"),
        "games": frame_of(tournament(), "games"),
    }
    tables |= {f"review {what}": frame_of(judged, what) for what in ("decisions", "accounts", "draws")}
    return tables | {f"tournament {what}": frame_of(tournament(), what) for what in ("standings", "pairs", "seats")}


NAMES = [
    "advice", "lot", "market", "forecast", "moves", "results", "games", "review decisions", "review accounts",
    "review draws", "tournament standings", "tournament pairs", "tournament seats",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_a_flat_table_that_comes_back_from_csv_and_from_parquet(name: str, tmp_path: Path) -> None:
    frame = answers()[name]
    assert len(frame) > 0
    assert frame.map(pd.api.types.is_scalar).all(axis=None)
    from_csv = read_frame(write_frame(frame, tmp_path / "table.csv"))
    assert list(from_csv.columns) == list(frame.columns)
    for column in frame:
        if pd.api.types.is_float_dtype(frame[column]):
            assert from_csv[column].astype(float).tolist() == pytest.approx(
                frame[column].tolist(), nan_ok=True, rel=1e-12
            )
    from_parquet = read_frame(write_frame(frame, tmp_path / "table.parquet"))
    pd.testing.assert_frame_equal(from_parquet, frame)
    assert from_parquet.attrs == frame.attrs


def test_a_value_does_not_travel_alone() -> None:
    attrs = answers()["advice"].attrs
    assert (attrs["what"], attrs["seat"], attrs["seats"]) == ("advice", 0, 4)
    assert "points" in attrs["units"]
    assert {"profit", "profit_se", "profit_n"} <= set(answers()["advice"].columns)


def test_moves_are_the_moves_of_the_record_and_gains_add_up_to_the_result() -> None:
    moves, record = answers()["moves"], game()
    assert len(moves) == len(record.moves)
    assert list(moves["seat"]) == [seat for seat, _ in record.moves]
    assert record.result is not None
    assert moves.groupby("seat")["gain"].sum().tolist() == list(record.result.profits)
    for (_, action), cards, total in zip(record.moves, moves["cards"], moves["own_bid"], strict=True):
        if isinstance(action, Bid):
            assert Bid(cards) == action
            assert total >= action.cards.total
        elif isinstance(action, Pass):
            assert cards == ""


def test_results_have_a_row_a_seat_and_shares_that_add_up_to_one() -> None:
    results = answers()["results"]
    assert results.groupby("game").size().tolist() == [3, 4]
    assert results.groupby("game")["win"].sum().tolist() == pytest.approx([1, 1])
    assert results["finished"].all()


def test_a_game_that_is_not_over_has_points_and_no_winner() -> None:
    record = game()
    begun = Record(record.rules, record.start_player, record.hands, record.deck, record.removed, record.moves[:20])
    results = frame_of(begun, "results")
    assert not results["finished"].any()
    assert results["win"].isna().all()


def test_the_games_of_a_tournament_add_up_to_its_standings() -> None:
    games, standings = answers()["games"], tournament()
    assert len(games) == standings.games * standings.plan.rules.seats
    for name in standings.names:
        own = games[games["policy"] == name]
        means = own.groupby(["deal", "lineup"], observed=True)[["win", "profit"]].mean().groupby("lineup").mean()
        rival = next(other for other in standings.names if other != name)
        expected = standings.against(name, rival, "profit").mean
        assert any(value == pytest.approx(expected) for value in means["profit"])
    assert games_frame(standings).groupby(["deal", "lineup", "rotation"])["win"].sum().tolist() == pytest.approx(
        [1] * standings.games
    )


def test_what_is_no_table_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="there is no table of int"):
        frame_of(3)
    with pytest.raises(TypeError, match="there is no table of list"):
        frame_of([])
    with pytest.raises(ValueError, match=r"unknown table 'hands' \(tables of records are moves, results\)"):
        frame_of(game(), "hands")
    with pytest.raises(ValueError, match="unknown table 'x'"):
        frame_of(tournament(), "x")
    with pytest.raises(ValueError, match=r"table\.xlsx: the name of a table ends in \.csv, \.csv\.gz or \.parquet"):
        write_frame(answers()["results"], tmp_path / "table.xlsx")


def test_without_pyarrow_it_is_said_what_brings_it_and_csv_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *of: None if name == "pyarrow" else there(name, *of))
    for use in (lambda path: write_frame(answers()["results"], path), read_frame):
        with pytest.raises(ModuleNotFoundError, match=r"pip install 'byzanz-lab\[parquet\]'"):
            use(tmp_path / "table.parquet")
    assert len(read_frame(write_frame(answers()["results"], tmp_path / "table.csv.gz"))) == 7


def test_texts_that_look_like_nothing_stay_texts(tmp_path: Path) -> None:
    frame = pd.DataFrame({"policy": ["NA", "None", "-"], "profit": [1.5, None, 0.1 + 0.2]})
    back = read_frame(write_frame(frame, tmp_path / "t.csv"))
    assert back["policy"].tolist() == ["NA", "None", "-"]
    assert back["profit"].tolist() == pytest.approx([1.5, float("nan"), 0.1 + 0.2], nan_ok=True, rel=1e-12)
