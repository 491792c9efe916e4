"""The two forms of the rules are one: what the kernels play, the readable rules replay to the same end."""

from __future__ import annotations

import pytest

from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.playouts import play_game
from byzanz_lab.simulation.policies import default_policy, greedy_policy
from tests.simulation.games import HOARDER, Mix, mixes

SEATS = (3, 4, 5, 6)


def check(mix: Mix) -> None:
    """Play and replay one game: ``play_logged`` goes through every action with the readable rules."""
    record, outcomes = mix.play()
    assert record.result is not None
    shares = outcomes.win_shares()[0, 0]
    left = record.state_at(len(record.moves)).hands if mix.rules.tie_counts_dealers else None
    tie_cards = tuple(len(hand) for hand in left) if left else record.result.goods_left
    assert tuple(outcomes.profits[0, 0].tolist()) == record.result.profits, mix
    assert tuple(outcomes.ties[0, 0].tolist()) == tie_cards, mix
    assert tuple(seat for seat in range(mix.rules.seats) if shares[seat] > 0) == record.result.winners, mix


@pytest.mark.parametrize("seats", SEATS)
def test_logged_playouts_replay_to_the_same_scores_and_winners(seats: int) -> None:
    for mix in mixes(seats, 2000):
        check(mix)


@pytest.mark.long
@pytest.mark.parametrize("seats", SEATS)
def test_a_hundred_thousand_logged_playouts_replay(seats: int) -> None:
    for mix in mixes(seats, 25_000, first=2000):
        check(mix)


@pytest.mark.parametrize("seats", SEATS)
def test_the_mixes_reach_every_phase_and_every_variant(seats: int) -> None:
    phases, variants = set(), set()
    for mix in mixes(seats, 64):
        record, _ = mix.play()
        phases |= {turn.state.phase for turn in record.states()}
        variants.add(tuple(mix.rules.variant.items()))
    assert phases >= set(Phase) - {Phase.OVER, Phase.LAST_LOT} and (Phase.LAST_LOT in phases) == (seats < 5)
    assert len(variants) == 16


@pytest.mark.parametrize("seats", SEATS)
def test_policies_play_the_same_game_from_positions_as_in_the_kernels(seats: int) -> None:
    """Chosen one by one from what the seat on the move knows, or in one go: the same record."""
    for mix in mixes(seats, 6, first=900, policies=(default_policy(), greedy_policy(), HOARDER)):
        record, _ = mix.play()
        assert play_game(mix.policies, record.initial()) == record, mix
