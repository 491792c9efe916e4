"""Playouts: from any moment, the same whatever the chunks, threads, processes and hash seeds; who won the first lot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from byzanz_lab.advice.trial import line_of
from byzanz_lab.game.actions import Bid, Pass, Take, Tax
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import Result, State, new_game
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.encoding import encode, pack_counts, suppose_pick, suppose_win, unpack
from byzanz_lab.simulation.playouts import Outcomes, log_line, play_out, self_play
from byzanz_lab.simulation.policies import RandomPolicy, default_policy, policies_for
from byzanz_lab.simulation.running import NO_LINE
from byzanz_lab.simulation.worlds import determinize
from tests.project.places import ROOT
from tests.simulation.games import POLICIES, moments

SEATS = (3, 4, 5, 6)


def same(one: Outcomes, other: Outcomes) -> bool:
    """Whether two outcomes are equal, bit by bit."""
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("profits", "ties", "lots"))


def joined(parts: list[Outcomes]) -> Outcomes:
    """Outcomes of worlds one after the other."""
    return Outcomes(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("profits", "ties", "lots")))


@pytest.mark.parametrize("seats", SEATS)
def test_playouts_from_any_phase_replay_through_the_rules(seats: int) -> None:
    """Every phase, every seat's view: the world that was dealt, played on by policies, ends as the rules say."""
    phases = set()
    for number, state in enumerate(moments(seats)):
        position = observe(state, number % seats)
        world = determinize(position, 1, seed=number)
        players = tuple(POLICIES[(number + seat) % 3] for seat in range(seats))
        hands, deck = pack_counts(world.hands[0]), world.decks[0]
        moves, outcomes = log_line(encode(position), hands, deck, players, seed=number)
        after, first_lot, price = world.state(0), None, 0
        for seat, action in moves:
            before, after = after, after.apply(action, seat)
            if isinstance(action, Bid):
                price = before.table.bids[seat].total + action.cards.total
            elif before.phase is Phase.AUCTION:
                price = before.table.high_bid
            if first_lot is None and lots_over(after) > lots_over(before):
                if isinstance(action, Pass):  # all passed
                    first_lot = (*before.table.passes, seat)[0], 0
                elif isinstance(action, Tax):
                    first_lot = seat, price if before.phase is Phase.TAX else 0
                else:  # a hand came down to the limit; then the single card of five and six seats needs no decision
                    first_lot = before.table.offers.index(0), 0
        assert after.is_over
        assert tuple(outcomes.profits[0, 0].tolist()) == after.result().profits
        assert tuple(outcomes.lots[0, 0].tolist()) == (first_lot or (-1, 0)), (state.phase, moves)
        phases.add(state.phase)
    assert phases >= set(Phase) - {Phase.OVER, Phase.LAST_LOT}


def lots_over(state: State) -> int:
    """How many lots of the whole game have gone to a seat."""
    return (state.table.round - 1) * state.rules.seats + state.table.lots_won


@pytest.mark.parametrize("seats", SEATS)
def test_forced_lines_are_played_first_and_then_the_policies(seats: int) -> None:
    """A line of a bid and the passes of all others gives the lot to the bidder, at that price."""
    state = new_game(Rules.for_seats(seats), seed=5)
    position = observe(state, 0)
    bid = next(action for action in position.legal_actions() if isinstance(action, Bid))
    passes = [line_of(seat, [Pass()], position.market) for seat in range(1, seats)]
    line = np.concatenate([line_of(0, [bid], position.market), *passes])
    lines, lengths = np.stack([line, line]), np.array([seats, 1])
    done = play_out(encode(position), lines, lengths, policies_for(None, seats), 3, 0, 40)
    assert (done.lots[:, 0] == (0, bid.cards.total)).all()
    assert not (done.lots[:, 1] == done.lots[:, 0]).all()


def test_all_who_pass_leave_the_lot_to_the_first_for_nothing() -> None:
    position = observe(new_game(Rules.for_seats(3), seed=5), 0)
    line = np.concatenate([line_of(seat, [Pass()], position.market) for seat in range(3)])
    done = play_out(encode(position), line[None], np.array([3]), policies_for(None, 3), 3, 0, 5)
    assert (done.lots[:, 0] == (0, 0)).all()


def test_a_supposed_win_hands_over_the_lot_and_gives_the_others_their_bids_back() -> None:
    state = new_game(Rules.for_seats(4), seed=6)
    bid = next(action for action in state.legal_actions() if isinstance(action, Bid))
    position = observe(state.apply(bid), 2)
    pay = position.hand - position.hand.group("D")
    start, world = encode(position), determinize(position, 1, seed=2)
    line = suppose_win(2, pay)[None]
    _, outcomes = log_line(start, pack_counts(world.hands[0]), world.decks[0], policies_for(None, 4), line=line)
    assert tuple(outcomes.lots[0, 0].tolist()) == (2, pay.total)
    free = play_out(start, suppose_win(2, Cards())[None, None], np.array([1]), policies_for(None, 4), 1, 0, 3)
    assert (free.lots[:, 0] == (2, 0)).all()


def test_a_supposed_pick_comes_before_the_others() -> None:
    state = next(s for s in moments(4) if s.phase is Phase.MARKET and s.table.picked == 0)
    last = state.table.pick_order[-1]
    good = state.table.market.groups()[0]
    position = observe(state, last)
    world = determinize(position, 1, seed=2)
    line = np.stack([suppose_pick(last), *line_of(last, [Take(good)], state.table.market)])
    hands, deck = pack_counts(world.hands[0]), world.decks[0]
    moves, _ = log_line(encode(position), hands, deck, policies_for(None, 4), line=line)
    others = [seat for seat in state.table.pick_order if seat != last]
    pickers = [seat for seat, action in moves if isinstance(action, Take)]
    n = min(len(state.table.market.groups()) - 1, 3)
    assert n > 0 and pickers[:n] == others[:n]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_outcomes_do_not_depend_on_chunks_or_threads(policy: object) -> None:
    rules = Rules.for_seats(4)
    policies = (policy,) * 4
    whole = self_play(rules, 60, 7, policies)  # type: ignore[arg-type]
    bounds = [0, 1, 9, 30, 60]
    chunks = list(pairwise(bounds))
    parts = [self_play(rules, b - a, 7, policies, first=a) for a, b in chunks]  # type: ignore[arg-type]
    assert same(joined(parts), whole)
    with ThreadPoolExecutor(4) as pool:
        tasks = [pool.submit(self_play, rules, b - a, 7, policies, first=a) for a, b in reversed(chunks)]  # type: ignore[arg-type]
        assert same(joined([task.result() for task in reversed(tasks)]), whole)
    assert not same(self_play(rules, 60, 8, policies), whole)  # type: ignore[arg-type]


PRINTS = """
import json
from byzanz_lab.game.rules import Rules
from byzanz_lab.simulation.playouts import self_play
from byzanz_lab.simulation.policies import RandomPolicy, default_policy
out = self_play(Rules.for_seats(3), 20, 5, (default_policy(), RandomPolicy(), RandomPolicy()))
print(json.dumps([out.profits.tolist(), out.ties.tolist(), out.lots.tolist()]))
"""


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_outcomes_do_not_depend_on_the_process_or_its_hash_seed(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", PRINTS], check=True, capture_output=True, text=True, env=environment, cwd=ROOT
    )
    here = self_play(Rules.for_seats(3), 20, 5, (default_policy(), RandomPolicy(), RandomPolicy()))
    assert json.loads(done.stdout) == [here.profits.tolist(), here.ties.tolist(), here.lots.tolist()]


def test_all_lines_see_the_same_worlds_and_the_same_choices() -> None:
    """Common random numbers: two equal lines come out equal, world by world, random policies or not."""
    position = observe(new_game(Rules.for_seats(4), seed=1), 0)
    line = line_of(0, [Pass()], position.market)
    players = (default_policy(), RandomPolicy(), RandomPolicy(), RandomPolicy())
    done = play_out(encode(position), np.stack([line, line]), np.array([1, 1]), players, 1, 0, 50)
    assert (done.profits[:, 0] == done.profits[:, 1]).all()
    assert len(np.unique(done.profits[:, 0], axis=0)) > 10


def test_objectives_are_points_lead_and_share_of_the_win() -> None:
    profits = np.array([[[7, 5, 7]], [[4, 9, 2]]], np.int16)
    ties = np.array([[[1, 3, 1]], [[0, 0, 0]]], np.int16)
    outcomes = Outcomes(profits, ties, np.zeros((2, 1, 2), np.int16))
    assert outcomes.objectives(0).tolist() == [[[7, 0, 0.5]], [[4, -5, 0]]]
    assert outcomes.objectives(1).tolist() == [[[5, -2, 0]], [[9, 5, 1]]]
    assert Result.of(profits[0, 0].tolist(), ties[0, 0].tolist()).winners == (0, 2)


def test_a_tie_goes_to_more_cards_left_before_it_is_shared() -> None:
    outcomes = Outcomes(
        np.array([[[7, 7, 7]]], np.int16), np.array([[[1, 3, 3]]], np.int16), np.zeros((1, 1, 2), np.int16)
    )
    assert outcomes.win_shares().tolist() == [[[0, 0.5, 0.5]]]


def test_packing_cards_is_exact() -> None:
    for seats in SEATS:
        for state in moments(seats):
            for cards in (*state.hands, state.table.lot, state.table.market):
                assert unpack(int(pack_counts(np.array(cards.counts)))) == cards


def test_there_is_one_policy_a_seat() -> None:
    with pytest.raises(ValueError, match="4 seats need 4 policies, not 2"):
        self_play(Rules.for_seats(4), 1, policies=(default_policy(), default_policy()))
    with pytest.raises(TypeError, match="cannot be compiled for playouts"):
        play_out(encode(observe(new_game(Rules.for_seats(3), 1), 0)), *NO_LINE, (object(),) * 3, 1, 0, 1)  # type: ignore[arg-type]
