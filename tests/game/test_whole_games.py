"""Thousands of whole games: 112 cards after every action, and every record read and replayed to its result."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from byzanz_lab.game.cards import N_KINDS
from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State
from tests.game.random_play import random_game


def cards_in(state: State) -> tuple[int, ...]:
    """How many cards of each kind there are in all places together."""
    table = state.table
    assert state.removed is not None
    places = [*state.hands, *table.bids, table.lot, table.market, table.gone, state.removed]
    deck = [0] * N_KINDS
    for kind in state.deck:
        deck[kind] += 1
    return tuple(map(sum, zip(deck, *(cards.counts for cards in places), strict=True)))


def play_and_replay(seats: int, seeds: range) -> Counter[str]:
    """Play games by mixed styles under mixed variants; returns what was met in them."""
    met: Counter[str] = Counter()
    for seed in seeds:
        moves, first, final = [], None, None
        for step in random_game(seats, seed):
            first, final = first or step.before, step.after
            assert cards_in(final) == Rules.copies, f"game {seed}"
            moves.append((step.seat, step.action))
        assert first is not None and final is not None and final.is_over
        record = replace(Record.from_game(first, []), moves=tuple(moves), result=final.result())
        read = Record.loads(record.dumps())
        assert read == record
        assert read.replay() == final
        met.update({str(first.rules.variant), f"{len(final.result().winners)} winners"})
    return met


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_two_thousand_games_conserve_cards_and_replay_to_their_results(seats: int) -> None:
    met = play_and_replay(seats, range(2_000))
    assert len([variant for variant in met if variant.startswith("{")]) == 16, "every combination of variants"
    assert met["2 winners"] > 0, "ties among them"


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_hundred_thousand_games_conserve_cards_and_replay_to_their_results(seats: int, part: int) -> None:
    play_and_replay(seats, range(2_000 + 2_500 * part, 2_000 + 2_500 * (part + 1)))
