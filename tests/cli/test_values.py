"""``byzanz-lab values``: the worth of a lot or of a market, real or supposed."""

from __future__ import annotations

from pathlib import Path

import pytest

from byzanz_lab import load_sample, lot_value, market_values, observe
from byzanz_lab.resources import sample
from tests.cli.command import game, refusal, run

AUCTION, MARKET = sample("sample_auction"), sample("sample_market")


def test_the_lot_on_the_table() -> None:
    wanted = str(lot_value(load_sample(), budget=64, seed=2))
    assert run("values", "--worlds", 64, "--seed", 2).out == wanted + "\n"
    assert run("values", AUCTION, "--worlds", 64, "--seed", 2).out == wanted + "\n"


def test_another_lot_and_another_objective() -> None:
    wanted = lot_value(load_sample(), "3xCl1 D", budget=64, objective="win")
    assert run("values", "--lot", "3xCl1 D", "--worlds", 64, "--objective", "win").out == f"{wanted}\n"


def test_the_market() -> None:
    position = load_sample("market")
    assert run("values", MARKET, "--worlds", 64).out == f"{market_values(position, budget=64)}\n"
    wanted = market_values(position, "Cl1 Wo3", budget=64)
    assert run("values", MARKET, "--market", "Cl1 Wo3", "--worlds", 64).out == f"{wanted}\n"


def test_a_seat_that_waits_may_ask_about_the_lot(tmp_path: Path) -> None:
    game().write(tmp_path / "game.json")
    wanted = lot_value(observe(game().initial(), 2), budget=64)
    assert run("values", tmp_path / "game.json", "--at", 0, "--seat", 2, "--worlds", 64).out == f"{wanted}\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([AUCTION, "--market", "Cl1"], "there is no auction or market to put a market in: the decision is auction"),
        ([MARKET, "--lot", "Cl1"], "there is no auction or market to put a lot in: the decision is market"),
        ([sample("sample_tax")], "there is no auction or market to put a lot or a market in: the decision is tax"),
        ([AUCTION, "--lot", "Qq"], "unknown card 'Qq'"),
        ([AUCTION, "--lot", "Cl1"], "the offer card is 4, so a lot has 4 cards, not 1"),
        ([AUCTION, "--lot", "3xWo4 D"], "the supposed lot cannot be"),
        ([MARKET, "--market", "20xD"], "the supposed market cannot be"),
        ([AUCTION, "--lot", "Cl1", "--market", "Cl1"], "argument --market: not allowed with argument --lot"),
    ],
)
def test_what_cannot_be_is_refused(words: list[object], reason: str) -> None:
    said = refusal("values", *words, "--worlds", 64)
    assert said.startswith(reason)
    assert len(said.splitlines()) == 1
