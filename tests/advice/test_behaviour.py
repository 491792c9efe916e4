"""Worlds that respect behaviour: what agrees with the policy counts, nothing hidden does, and errors stay honest."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from functools import cache
from math import log

import numpy as np
import pytest

from byzanz_lab.advice.advise import Advice, advise, trial_for
from byzanz_lab.advice.behaviour import Belief, Deed, Remembering, deeds_of
from byzanz_lab.advice.options import candidates_for
from byzanz_lab.advice.tournament import Tournament
from byzanz_lab.advice.tournament_play import play_through
from byzanz_lab.evaluation import Comparison, compare
from byzanz_lab.game.actions import Action, Bid, Pass
from byzanz_lab.game.cards import KINDS, Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.game.table import Phase
from byzanz_lab.policy import Traits
from byzanz_lab.simulation.answers import bids_with, decide_bids
from byzanz_lab.simulation.encoding import blank_work, encode, pack, pack_counts, unpack
from byzanz_lab.simulation.learned import learned_policy
from byzanz_lab.simulation.playouts import play_logged
from byzanz_lab.simulation.policies import RandomPolicy, brain_for, default_policy, greedy_policy
from byzanz_lab.simulation.seeds import DEAL, world_seeds
from byzanz_lab.simulation.worlds import deal_counts, determinize

POLICY = learned_policy(4)
FOUR = (POLICY,) * 4


@cache
def game(seed: int = 3, seats: int = 4) -> Record:
    return play_logged(Rules.for_seats(seats), seed, [learned_policy(seats)] * seats)[0]


@cache
def moment(number: int, seed: int = 3) -> tuple[Position, tuple[Deed, ...]]:
    """What the seat on the move knows before an action of the game, and has seen."""
    turn = next(turn for turn in game(seed).states() if turn.number == number)
    return observe(turn.state, turn.seat), deeds_of(game(seed), number)


def belief(number: int, **how: object) -> Belief:
    return Belief(*moment(number), FOUR, **how)  # type: ignore[arg-type]


@cache
def uniform_hands(number: int, n: int, seed: int = 5) -> np.ndarray:
    return pack_counts(deal_counts(encode(moment(number)[0]), world_seeds(seed, 0, n, DEAL))[0])


# -- likelihoods -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [10, 30, 60])
def test_the_truth_agrees_with_everything_that_players_of_that_policy_did(number: int) -> None:
    turn = next(turn for turn in game().states() if turn.number == number)
    truth = np.array([[pack(hand) for hand in turn.state.hands]])
    found = belief(number, softness=0.1)
    assert found.weighting.deeds > 4
    assert found.log_likelihoods(truth)[0] == pytest.approx(found.weighting.deeds * log(0.9))
    others = found.log_likelihoods(uniform_hands(number, 200))
    assert (others <= 1e-9 + found.weighting.deeds * log(0.9)).all() and others.mean() < found.weighting.deeds * log(
        0.9
    )


def test_likelihoods_are_those_of_asking_the_policy_move_by_move() -> None:
    """The rival's own Position is rebuilt for every deed, with the cards of that world, and the policy asked for it."""
    position, seen = moment(30)
    found = belief(30, softness=0.2)
    for hands in uniform_hands(30, 6):
        total = 0.0
        for rival in (seat for seat, n in enumerate(position.unknown) if n):
            shown = unpack(int(hands[rival])) - position.table.known[rival]
            for deed in reversed([deed for deed in seen if deed.seat == rival]):
                cards = getattr(deed.action, "cards", Cards())
                shown += cards.monus(deed.table.known[rival])
                if deed.table.phase is Phase.AUCTION and isinstance(deed.action, (Bid, Pass)):
                    answer = POLICY.choose(Position(rival, deed.table, deed.table.known[rival] + shown))
                    total += log(0.8) if answer == deed.action else log(0.2)
        assert found.log_likelihoods(hands[None])[0] == pytest.approx(total)


def test_the_compiled_answers_are_those_of_plain_python() -> None:
    rival = next(seat for seat, n in enumerate(moment(10)[0].unknown) if n)
    deed = next(d for d in moment(60)[1] if isinstance(d.action, Pass) and d.seat == rival and d.table.high_bid > 1)
    start, brain = encode(Position(deed.seat, deed.table, Cards())), brain_for(FOUR)
    hands = uniform_hands(10, 40)[:, rival]
    found, scratch = np.empty((40, 2), np.int64), start.board.copy()
    decide_bids(start.board, hands, brain.of, brain.values, blank_work(), scratch, found)
    assert np.array_equal(bids_with(start, hands, brain), found) and len(np.unique(found, axis=0)) > 1


def test_a_rival_who_passed_at_nothing_is_thought_to_be_poor() -> None:
    """The mean purse of a rival in weighted worlds follows the truth more closely than in uniform ones."""
    gaps = []
    for seed in range(12):
        position, _ = moment(45, seed)
        turn = next(turn for turn in game(seed).states() if turn.number == 45)
        weighted, _ = Belief(*moment(45, seed), FOUR).worlds(0, 128)
        plain = pack_counts(deal_counts(encode(position), world_seeds(1, 0, 128, DEAL))[0])
        for rival in (seat for seat, n in enumerate(position.unknown) if n):
            purses = [np.mean([unpack(int(h)).total for h in hands[:, rival]]) for hands in (weighted, plain)]
            gaps.append([abs(purse - turn.state.hands[rival].total) for purse in purses])
    near, far = np.mean(gaps, axis=0)
    assert near < 0.9 * far


def test_rivals_who_play_by_chance_say_nothing() -> None:
    position, seen = moment(30)
    players = tuple(POLICY if seat == position.seat else RandomPolicy() for seat in range(4))
    assert Belief(position, seen, players).weighting.deeds == 0


# -- worlds ------------------------------------------------------------------------------------------------------------


def test_without_deeds_worlds_are_the_uniform_ones() -> None:
    position, _ = moment(30)
    hands, decks = Belief(position, (), FOUR, seed=7).worlds(3, 20)
    plain = determinize(position, 20, seed=7, first=3)
    assert np.array_equal(hands, pack_counts(plain.hands)) and np.array_equal(decks, plain.decks)
    one, other = (advise(position, 128, seen=seen) for seen in ((), None))
    assert [row.estimates for row in one.rows] == [row.estimates for row in other.rows]
    assert one.weighting is not None and one.weighting.effective_share == 1 and other.weighting is None


def test_a_world_depends_on_its_number_and_the_seed_alone() -> None:
    whole, part = belief(30, seed=2).worlds(0, 64), belief(30, seed=2).worlds(10, 20)
    assert all(np.array_equal(a[10:30], b) for a, b in zip(whole, part, strict=True))
    assert not np.array_equal(whole[0], belief(30, seed=3).worlds(0, 64)[0])


def test_every_world_fits_what_the_seat_knows() -> None:
    position, _ = moment(30)
    hands, decks = belief(30).worlds(0, 40)
    for packed, deck in zip(hands.tolist(), decks.tolist(), strict=True):
        held = [unpack(hand) for hand in packed]
        assert held[position.seat] == position.hand
        assert all(known <= hand for known, hand in zip(position.table.known, held, strict=True))
        hidden = [hand - known for hand, known in zip(held, position.table.known, strict=True)]
        dealt = sum((cards for seat, cards in enumerate(hidden) if seat != position.seat), Cards())
        assert dealt + Cards([KINDS[kind] for kind in deck]) <= position.unseen


def test_many_candidates_come_close_to_the_full_weights() -> None:
    """A mean over weighted worlds lies where the self-normalised weights of many uniform worlds put it."""
    position, _ = moment(30)
    rival = next(seat for seat, n in enumerate(position.unknown) if n)
    hands = uniform_hands(30, 20_000)
    weights = belief(30).relative_likelihoods(hands)
    totals = np.array([unpack(int(hand)).total for hand in hands[:, rival]])
    full, plain = float((weights * totals).sum() / weights.sum()), float(totals.mean())
    drawn = [unpack(int(hand)).total for hand in belief(30).worlds(0, 1500)[0][:, rival]]
    assert abs(full - plain) > 0.3
    assert abs(np.mean(drawn) - full) < 0.25 * abs(full - plain) + 3 * np.std(drawn) / np.sqrt(1500)


def test_a_belief_can_be_sent_to_another_process() -> None:
    mine = belief(30)
    assert np.array_equal(pickle.loads(pickle.dumps(mine)).worlds(0, 8)[0], mine.worlds(0, 8)[0])


@cache
def weighted(seed: int, worlds: int) -> Comparison:
    """Two ways to bid or pass in the middle of a game, compared in weighted worlds."""
    position, _ = moment(62)
    options = [group[0] for group in candidates_for(position, POLICY).groups[:2]]
    trial = trial_for(position, options, FOUR, seed, belief(62, seed=seed, candidates=8))
    return compare(trial, worlds, workers=1, racing=False)


def test_intervals_of_weighted_means_and_differences_cover_the_truth() -> None:
    """Each world has candidates of its own, so worlds are independent and plain standard errors are honest."""
    truth, runs = weighted(10_000, 6_400), [weighted(seed, 64) for seed in range(400)]
    assert belief(62).effective_share < 0.7
    for get in (lambda found: found.estimate(0, "profit"), lambda found: found.difference(1, 0, "profit")):
        low_high = [get(run).interval() for run in runs]
        assert 0.925 <= np.mean([low <= get(truth).mean <= high for low, high in low_high]) <= 0.975


# -- hidden is hidden --------------------------------------------------------------------------------------------------


def other_truth(record: Record, number: int, seed: int) -> Record:
    """The same game as one seat saw it up to an action, with other hidden cards."""
    turn = next(turn for turn in record.states() if turn.number == number)
    world = determinize(observe(turn.state, turn.seat), 1, seed).state(0)
    hands = tuple(
        first - hand + other for first, hand, other in zip(record.hands, hidden(turn.state), hidden(world), strict=True)
    )
    drawn = record.rules.cards_auctioned - len(world.deck)
    deck = (*record.deck[:drawn], *(KINDS[kind] for kind in world.deck))
    return replace(record, hands=hands, deck=deck, removed=world.removed, moves=record.moves[:number], result=None)


def hidden(state: object) -> list[Cards]:
    return [hand - known for hand, known in zip(state.hands, state.table.known, strict=True)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", [12, 30, 60])
def test_two_truths_that_look_the_same_give_the_same_weights(number: int) -> None:
    position, seen = moment(number)
    other = other_truth(game(), number, seed=9)
    assert other.hands != game().hands
    assert deeds_of(other) == seen and observe(other.replay(), position.seat) == position
    mine, theirs = Belief(position, seen, FOUR), Belief(observe(other.replay(), position.seat), deeds_of(other), FOUR)
    hands = uniform_hands(number, 100)
    assert np.array_equal(mine.log_likelihoods(hands), theirs.log_likelihoods(hands))
    assert mine.weighting == theirs.weighting
    a, b = (advise(view.position, 64, policies=POLICY, seen=view.seen).to_dict(timing=False) for view in (mine, theirs))
    assert a == b


# -- shown and kept ----------------------------------------------------------------------------------------------------


def test_advice_says_how_much_the_deeds_say_and_can_be_kept() -> None:
    position, seen = moment(30)
    advice = advise(position, 128, policies=default_policy(), seen=seen, racing=False)
    assert advice.weighting is not None and 0 < advice.weighting.effective_share < 1
    assert advice.weighting.sentence in str(advice) and "effective sample size" in advice._repr_html_()
    data = json.loads(json.dumps(advice.to_dict()))
    again = Advice.from_dict(data)
    assert again.to_dict() == data and again.weighting == advice.weighting
    with pytest.raises(ValueError, match="hand in its trial"):
        again.extend(64)
    assert advice.extend(64).comparison.worlds == 192


def test_listed_worlds_are_weighted_too() -> None:
    """Where all worlds are listed each counts by its likelihood, and the answer differs from the uniform one."""
    changed = 0
    for turn in game().states():
        if turn.state.phase is Phase.MARKET and turn.state.table.round == 6:
            position, seen = observe(turn.state, turn.seat), deeds_of(game(), turn.number)
            plain, weighted = (advise(position, 64, policies=POLICY, seen=s) for s in (None, seen))
            if plain.is_exact:
                assert weighted.is_exact
                changed += plain.rows[0].estimates["profit"].mean != weighted.rows[0].estimates["profit"].mean
    assert changed


# -- in tournaments ----------------------------------------------------------------------------------------------------


class Spy:
    """Plays as the greedy policy does, and notes what it is told."""

    name, source, traits = "spy", "a test", Traits()

    def __init__(self) -> None:
        self.told: list[tuple[Deed, ...]] = []

    def choose(self, position: Position, seed: int = 0) -> Action:
        raise AssertionError("a policy that remembers is told what was seen")

    def choose_after(self, seen: tuple[Deed, ...], position: Position, seed: int = 0) -> Action:
        self.told.append(seen)
        return greedy_policy().choose(position, seed)


def test_a_policy_that_remembers_is_told_everything_that_was_done() -> None:
    spy, start = Spy(), new_game(Rules.for_seats(4), 6)
    assert isinstance(spy, Remembering) and not isinstance(greedy_policy(), Remembering)
    play_through([spy, *[greedy_policy()] * 3], start, 1, 0)
    record = Record.from_game(start, [(deed.seat, deed.action) for deed in spy.told[-1]])
    assert spy.told[-1] == deeds_of(record) and len(spy.told[0]) < 4 < len(spy.told[-1])
    result = Tournament([Spy(), POLICY], games=4, lineups=[["spy", *["learned"] * 3]]).run(workers=1)
    assert result.games == 4


# -- refused -----------------------------------------------------------------------------------------------------------


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    position, seen = moment(30)
    state = new_game(Rules.for_seats(4), 1)
    with pytest.raises(TypeError, match="a Position is needed"):
        Belief(state, seen, FOUR)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the deeds do not lead to this position: seat"):
        Belief(position, deeds_of(game(4), 60), FOUR)
    with pytest.raises(ValueError, match="the deeds do not lead to this position: seat"):
        Belief(position, seen[:-12], FOUR)
    for softness in (0, 0.6):
        with pytest.raises(ValueError, match="softness lies above 0"):
            Belief(position, seen, FOUR, softness=softness)
    with pytest.raises(ValueError, match="1 candidate or more, not of 0"):
        Belief(position, seen, FOUR, candidates=0)
