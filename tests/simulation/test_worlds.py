"""``determinize`` deals the hidden cards uniformly over all worlds that fit a Position."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
import pytest
from scipy import stats

from byzanz_lab.game.actions import Bid, Pass
from byzanz_lab.game.cards import N_KINDS, Cards
from byzanz_lab.game.position import observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.worlds import determinize
from tests.simulation.games import moments

SEATS = (3, 4, 5, 6)
ALARM = 1e-5
"""A chi-square test this unlikely is a fault; there are some hundreds of them."""


def one_a_phase(seats: int) -> Iterator[State]:
    """A moment of every phase, with as much hidden as there is."""
    for phase in Phase:
        states = [state for state in moments(seats) if state.phase is phase]
        if states and phase is not Phase.OVER:
            yield max(states, key=lambda state: len(observe(state, 0).unseen))


@pytest.mark.parametrize("seats", SEATS)
def test_worlds_keep_sizes_and_what_is_known(seats: int) -> None:
    for state in moments(seats):
        for seat in range(seats):
            position = observe(state, seat)
            worlds = determinize(position, 20, seed=3)
            table = position.table
            assert worlds.hands.sum(axis=2).tolist() == [list(table.sizes)] * 20
            assert worlds.decks.shape == (20, table.deck_left)
            assert (worlds.removed.sum(axis=1) == state.rules.removed).all()
            known = np.array([cards.counts for cards in table.known])
            known[seat] = position.hand.counts
            assert (worlds.hands >= known).all() and (worlds.hands[:, seat] == known[seat]).all()
            decks = np.stack([np.bincount(deck, minlength=N_KINDS) for deck in worlds.decks])
            hidden = (worlds.hands - known).sum(axis=1) + decks + worlds.removed
            assert (hidden == position.unseen.counts).all()
            assert observe(worlds.state(0), seat) == position


def fits(observed: np.ndarray, chances: np.ndarray) -> bool:
    """Chi-square goodness of fit; cells that are rare are put together until eight or more are expected in each."""
    if observed[chances == 0].any():
        return False
    seen, wanted = 0.0, 0.0
    cells: list[tuple[float, float]] = []
    for place in np.argsort(chances):
        seen, wanted = seen + observed[place], wanted + chances[place] * observed.sum()
        if wanted >= 8:
            cells.append((seen, wanted))
            seen, wanted = 0.0, 0.0
    return len(cells) < 2 or bool(stats.chisquare(*zip(*cells, strict=True)).pvalue > ALARM)


def test_a_wrong_deal_would_not_fit() -> None:
    assert not fits(np.array([700, 300]), np.array([0.8, 0.2]))
    assert not fits(np.array([999, 1]), np.array([1.0, 0.0]))
    assert fits(np.array([806, 194]), np.array([0.8, 0.2]))


def hypergeometric(total: int, copies: int, drawn: int) -> np.ndarray:
    """Chances of 0 … ``drawn`` of ``copies`` among ``drawn`` of ``total`` cards, from counting alone."""
    ways = [comb(copies, x) * comb(total - copies, drawn - x) for x in range(drawn + 1)]
    return np.array([float(way / comb(total, drawn)) for way in ways])


@pytest.mark.parametrize("seats", SEATS)
def test_marginals_are_hypergeometric(seats: int) -> None:
    """In every phase, for every seat: each hand, the removed cards, and each of the next places in the deck."""
    n = 3000
    for state in one_a_phase(seats):
        for seat in range(seats):
            position = observe(state, seat)
            unseen, known = position.unseen, np.array([cards.counts for cards in position.known])
            worlds = determinize(position, n, seed=11 + seat)
            kinds = [kind for kind, copies in enumerate(unseen.counts) if copies][::5]
            for kind in kinds:
                copies = unseen.counts[kind]
                for rival in range(seats):
                    if position.unknown[rival]:
                        seen = np.bincount(worlds.hands[:, rival, kind] - known[rival, kind], minlength=8)
                        chances = hypergeometric(len(unseen), copies, position.unknown[rival])
                        assert fits(seen[: len(chances)], chances), (state.phase, seat, rival, kind)
                removed = np.bincount(worlds.removed[:, kind], minlength=state.rules.removed + 1)
                assert fits(removed, hypergeometric(len(unseen), copies, state.rules.removed)), (state.phase, kind)
            chances = np.array(unseen.counts) / len(unseen)
            for place in range(0, position.deck_left, 7):
                drawn = np.bincount(worlds.decks[:, place], minlength=N_KINDS)
                assert fits(drawn, chances), (state.phase, seat, place)


def test_places_are_drawn_together_not_one_by_one() -> None:
    """Two places next to each other hold pairs as often as drawing without putting back says."""
    position = observe(new_game(Rules.for_seats(4), seed=3), 0)
    worlds = determinize(position, 40_000, seed=5)
    counts, total = np.array(position.unseen.counts), len(position.unseen)
    chances = (np.outer(counts, counts) - np.diag(counts)) / (total * (total - 1))
    pairs = np.bincount(worlds.decks[:, 0].astype(int) * N_KINDS + worlds.decks[:, 1], minlength=N_KINDS**2)
    assert fits(pairs, chances.ravel())
    firsts = worlds.hands[:, 1, 0] > 0
    deck = worlds.decks[:, 0] == 0
    ways = comb(total, 4)
    without = comb(total - counts[0], 4) / ways
    with_first = counts[0] / total - without * counts[0] / (total - 4)
    assert fits(np.array([(firsts & deck).sum(), (~(firsts & deck)).sum()]), np.array([with_first, 1 - with_first]))


def test_the_truth_comes_up_no_more_often_than_chance() -> None:
    """How often all rivals' hidden cards are exactly the true ones, against the exact chance of that."""
    n = 20_000
    for seats in SEATS:
        for state in one_a_phase(seats):
            for seat in range(seats):
                position = observe(state, seat)
                rival = max((s for s in range(seats) if s != seat), key=lambda s: -abs(position.unknown[s] - 1))
                if not position.unknown[rival]:
                    continue
                worlds = determinize(position, n, seed=29)
                hits = int((worlds.hands[:, rival] == state.hands[rival].counts).all(axis=1).sum())
                hidden = state.hands[rival] - position.known[rival]
                chance = ways_to_draw(hidden, position.unseen)
                assert stats.binomtest(hits, n, chance).pvalue > ALARM, (state.phase, seat, hits, n * chance)


def ways_to_draw(cards: Cards, pool: Cards) -> float:
    """Chance that so many cards of the pool are exactly these."""
    ways = 1
    for have, copies in zip(cards.counts, pool.counts, strict=True):
        ways *= comb(copies, have)
    return ways / comb(len(pool), len(cards))


def test_an_open_bid_stays_before_its_owner() -> None:
    seen = 0
    for seats in SEATS:
        for state in moments(seats):
            for owner, bid in enumerate(state.table.bids):
                if bid:
                    seen += 1
                    position = observe(state, (owner + 1) % seats)
                    worlds = determinize(position, 10, seed=1)
                    assert all(worlds.state(w).table.bids[owner] == bid for w in range(10))
                    assert (worlds.hands[:, owner].sum(axis=1) == state.table.sizes[owner]).all()
    assert seen > 10


def test_a_bid_taken_back_stays_in_its_owners_hand() -> None:
    state = new_game(Rules.for_seats(4), seed=8)
    bid = next(action for action in state.legal_actions() if isinstance(action, Bid))
    more = next(a for a in state.apply(bid).legal_actions() if isinstance(a, Bid))
    state = state.apply(bid).apply(more).apply(Pass()).apply(Pass()).apply(Pass())
    worlds = determinize(observe(state, 2), 200, seed=4)
    assert (worlds.hands[:, 0] >= bid.cards.counts).all()


def test_world_i_is_the_same_whatever_n_and_first() -> None:
    position = observe(new_game(Rules.for_seats(5), seed=2), 3)
    whole = determinize(position, 50, seed=9)
    for first, n in ((0, 7), (7, 1), (20, 30)):
        part = determinize(position, n, seed=9, first=first)
        for name in ("hands", "decks", "removed"):
            assert (getattr(part, name) == getattr(whole, name)[first : first + n]).all()
    assert not (determinize(position, 50, seed=10).decks == whole.decks).all()


def test_seeds_are_whole_numbers_of_any_size() -> None:
    position = observe(new_game(Rules.for_seats(3), seed=2), 0)
    decks = [determinize(position, 1, seed=seed).decks.tolist() for seed in (0, -1, 1, 2**70, -(2**70))]
    assert all(a != b for i, a in enumerate(decks) for b in decks[:i])
    with pytest.raises(TypeError, match="a seed is a whole number, not float"):
        determinize(position, 1, seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the number of worlds must be at least 1, not 0"):
        determinize(position, 0)
