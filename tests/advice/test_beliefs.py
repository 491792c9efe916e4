"""Exact beliefs: equal to counting all ways, and to sampled worlds within their error."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from byzanz_lab.advice.beliefs import (
    count_in_hand,
    count_in_next_lot,
    expected_counts,
    next_lot_size,
    pair_in_hand,
    purse,
)
from byzanz_lab.game.cards import GOODS, GROUPS, KIND_INDEX, VALUES, Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.state import new_game
from byzanz_lab.simulation.worlds import determinize
from tests.advice.positions import late, sample

N = 20_000


@pytest.fixture(scope="module")
def small() -> Position:
    """Few unseen cards, two of them in one rival's hand: all ways can be listed."""
    return sample("market")


def _hands(position: Position, seat: int) -> list[Cards]:
    """Every way to fill the unknown part of a hand, one for each choice of single cards."""
    known = position.known[seat]
    ways = combinations(position.unseen.codes(), position.unknown[seat])
    return [known + Cards(list(way)) for way in ways]


def test_a_rivals_hand_by_listing_all_ways(small: Position) -> None:
    hands = _hands(small, 1)
    totals = np.bincount([hand.total for hand in hands])
    belief = purse(small, 1)
    for total, ways in enumerate(totals):
        assert belief.exactly(total) == pytest.approx(ways / len(hands))
    for group in GROUPS:
        counts = np.bincount([hand.count(group) for hand in hands])
        found = count_in_hand(small, 1, group)
        for n, ways in enumerate(counts):
            assert found.exactly(n) == pytest.approx(ways / len(hands))
    for good in (None, *GOODS):
        having = sum(max(hand.count(g) for g in ([good] if good else GOODS)) >= 2 for hand in hands)
        assert pair_in_hand(small, 1, good).exactly(1) == pytest.approx(having / len(hands))


@pytest.mark.parametrize("name", ["auction", "opening", "tax"])
def test_chances_agree_with_sampled_worlds(name: str) -> None:
    position = sample(name)
    worlds = determinize(position, N, seed=4)
    values = np.array(VALUES)
    lot = worlds.decks[:, : next_lot_size(position)]
    for seat in (s for s in range(position.rules.seats) if position.unknown[s]):
        totals = worlds.hands[:, seat].astype(int) @ values + position.bids[seat].total
        _agrees(purse(position, seat), totals)
        _agrees(count_in_hand(position, seat, "D"), worlds.hands[:, seat, 24])
        pairs = worlds.hands[:, seat, :24].reshape(N, 6, 4).sum(axis=2).max(axis=1) >= 2
        _agrees(pair_in_hand(position, seat), pairs)
    for what in ("D", "Wi", "Sp1"):
        kinds = [kind for code, kind in KIND_INDEX.items() if code == what or code.rstrip("1234") == what]
        _agrees(count_in_next_lot(position, what), np.isin(lot, kinds).sum(axis=1))


def _agrees(belief: object, sampled: np.ndarray) -> None:
    """Chi-square of sampled values against exact chances, rare values pooled; one test in a million fails by chance."""
    chances, first = belief.chances, belief.first  # type: ignore[attr-defined]
    counts = np.bincount(np.asarray(sampled, int) - first, minlength=len(chances))
    assert len(counts) == len(chances), "a sampled value that the belief rules out"
    common = chances * N >= 5
    observed, expected = counts[common], chances[common] * N
    if (~common).any() and chances[~common].sum() * N >= 5:
        observed = np.append(observed, counts[~common].sum())
        expected = np.append(expected, chances[~common].sum() * N)
    if len(observed) > 1:
        expected = expected * observed.sum() / expected.sum()
        assert stats.chisquare(observed, expected).pvalue > 1e-6


def test_chances_add_up_and_bear_their_formula(decision: Position) -> None:
    for seat in range(decision.rules.seats):
        for belief in (purse(decision, seat), count_in_hand(decision, seat, "Wi"), pair_in_hand(decision, seat)):
            assert belief.chances.sum() == pytest.approx(1) and (belief.chances >= -1e-12).all()
            assert belief.at_least(belief.first) == pytest.approx(1)
            assert "C(" in belief.formula or "P(" in belief.formula
            assert {"u", "N"} <= set(belief.ingredients) or {"n", "N", "K"} <= set(belief.ingredients)
            assert f"seat {decision.seat} sees it" in belief.question
            assert belief.to_frame()["chance"].sum() == pytest.approx(1)
            assert belief.question in str(belief)


def test_the_hypergeometric_formula_can_be_worked_by_hand() -> None:
    position = sample("opening")
    belief = count_in_next_lot(position, "D")
    parts = belief.ingredients
    by_library = stats.hypergeom(parts["N"], parts["K"], parts["n"])
    assert belief.exactly(2) == pytest.approx(by_library.pmf(2))
    assert belief.mean == pytest.approx(parts["n"] * parts["K"] / parts["N"])
    assert belief.sd == pytest.approx(by_library.std())


def test_ones_own_hand_is_certain(decision: Position) -> None:
    own = decision.seat
    assert purse(decision, own).exactly(decision.hand.total + decision.bids[own].total) == pytest.approx(1)
    assert count_in_hand(decision, own, "D").exactly(decision.hand.dealers) == pytest.approx(1)


def test_expected_counts_add_up(decision: Position) -> None:
    table = expected_counts(decision)
    places = decision.deck_left + decision.removed_left
    assert table.to_numpy().sum() == pytest.approx(
        places + sum(size for seat, size in enumerate(decision.sizes) if seat != decision.seat)
    )
    rivals = [c for s, c in enumerate(decision.known) if s != decision.seat]
    for kind, n in enumerate(decision.unseen.counts):
        assert table.iloc[kind].sum() == pytest.approx(n + sum(cards.counts[kind] for cards in rivals))


def test_what_cannot_be_asked_is_refused_in_a_sentence() -> None:
    position = sample("opening")
    with pytest.raises(ValueError, match="there is no seat 9"):
        purse(position, 9)
    with pytest.raises(ValueError, match="unknown kind or group 'Xy'"):
        count_in_hand(position, 1, "Xy")
    with pytest.raises(ValueError, match="unknown good 'D'"):
        pair_in_hand(position, 1, "D")
    with pytest.raises(ValueError, match="no further lot"):
        count_in_next_lot(late(4, 3, "closing", 0), "D")
    with pytest.raises(TypeError, match="not State"):
        purse(new_game(position.rules, 1), 1)  # type: ignore[arg-type]
