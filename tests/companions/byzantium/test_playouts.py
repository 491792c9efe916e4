"""Two forms of the rules stay one: logged playouts replay, and compiled code equals plain Python; worlds are even."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from byzanz_lab.companions.byzantium import kernels as k
from byzanz_lab.companions.byzantium.actions import Action, Pass
from byzanz_lab.companions.byzantium.cards import CARDS, Cards
from byzanz_lab.companions.byzantium.contract import check_policy
from byzanz_lab.companions.byzantium.encoding import board_of, colour_and_rank, encode, lay_out, order_of, root_of
from byzanz_lab.companions.byzantium.playouts import (
    deck_of_world,
    play_alone,
    play_deal,
    play_logged,
    play_out,
    play_out_alone,
    solitaire_deal,
)
from byzanz_lab.companions.byzantium.policies import (
    RandomPolicy,
    WeighedPolicy,
    built_in_policies,
    default_policy,
    greedy_policy,
    policies_for,
    policy_named,
)
from byzanz_lab.companions.byzantium.position import Position, observe
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import new_game
from byzanz_lab.companions.byzantium.tableau import Tableau
from byzanz_lab.companions.byzantium.worlds import determinize
from tests.companions.byzantium.play import ALL_RULES, random_states
from tests.project.places import ROOT


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
@pytest.mark.parametrize("name", ["random", "roomy", "greedy", "default"])
def test_logged_playouts_replay_to_the_same_end(rules: Rules, name: str) -> None:
    policy = policy_named(name, rules.players)
    for seed in range(6):
        record, left = play_logged(new_game(rules, seed, dealer=seed % rules.players), policy, seed)
        assert record.result is not None
        assert record.result.left == left == record.replay().scores


@pytest.mark.parametrize("rules", [Rules(1), Rules(2), Rules(4)], ids=repr)
def test_a_policy_decides_in_a_playout_as_it_does_on_a_position(rules: Rules) -> None:
    for policy in (greedy_policy(), default_policy(rules.players)):
        state = new_game(rules, 5)
        logged, _ = play_logged(state, policy)
        assert play_deal([policy] * rules.players, state).moves == logged.moves


@pytest.mark.parametrize("policy", built_in_policies(), ids=lambda policy: policy.name)
def test_built_in_policies_keep_the_contract(policy: RandomPolicy | WeighedPolicy) -> None:
    check_policy(policy, Rules(1), deals=1)
    check_policy(policy, Rules(3), deals=1)


def test_a_policy_that_breaks_the_rules_would_be_found() -> None:
    class Cheat(RandomPolicy):
        def choose(self, position: Position, seed: int = 0) -> Action:
            return greedy_policy().choose(position, seed) if seed else Pass()

    with pytest.raises(AssertionError, match="broken in policy 'random'"):
        check_policy(Cheat(), Rules(2), deals=1)


def test_the_laid_out_board_says_what_the_tableau_says() -> None:
    for rules in (Rules(1), Rules(1, direction_per_branch=True)):
        for state in random_states(rules, 11):
            game = lay_out(state.tableau)
            open_slots = [path for i, path in enumerate(order_of(rules)) if int(game.bits[k.OPEN]) >> i & 1]
            assert sorted(open_slots) == sorted(state.tableau.open_slots)
            for path in open_slots:
                ranks = int(game.ints[k.FITS + order_of(rules).index(path)])
                colour = "RB"[path[0] in "NS"]
                left = [card for card in state.table.unplaced if card[0] == colour]
                fitting = [card for card in left if ranks >> CARDS.index(card) % 12 & 1]
                assert [card for card in left if path in state.tableau.slots_for(card)] == fitting
            for card in state.table.unplaced:
                number, rank = colour_and_rank(card)
                counted = int(game.ints[k.COUNTS + number]) >> 4 * rank & 15
                assert counted == len(state.tableau.slots_for(card))


def test_no_counter_of_open_slots_can_overflow() -> None:
    geometry = Rules(1).geometry
    most: dict[str, int] = {}
    for path in sorted(geometry.slots, key=len, reverse=True):
        most[path] = max(1, sum(most[child] for child in geometry.children(path)))
    per_colour = [most[a] + most[b] for a, b in ("NS", "EW")]
    assert max(per_colour) <= 14 < 16, "a counter of 4 bits"


def test_deals_with_bridge_cards_go_as_with_poker_cards() -> None:
    poker, bridge = (play_alone(rules, built_in_policies(), 2, 0, 50) for rules in (Rules(1), Rules(1, card=(56, 88))))
    assert (poker == bridge).all() and len(set(poker.ravel().tolist())) > 3


def test_room_is_the_size_of_the_largest_tableau() -> None:
    rules = Rules(1)
    assert k.room_left(board_of(rules), np.uint64(0)) == 24
    lying = lay_out(Tableau.empty(rules).place("B7", "N").place("B8", "NE").place("R5", "E"))
    assert k.room_left(board_of(rules), lying.bits[k.FILLED] | lying.bits[k.CLOSED]) == 21


PLAIN = """
import json, numpy as np
from byzanz_lab.companions.byzantium.playouts import play_alone, play_out
from byzanz_lab.companions.byzantium.policies import built_in_policies, policies_for
from byzanz_lab.companions.byzantium.position import observe
from byzanz_lab.companions.byzantium.encoding import encode
from byzanz_lab.companions.byzantium.state import Rules, new_game
from byzanz_lab.companions.byzantium.endgame import solve_endgame
from byzanz_lab.companions.byzantium.solver import solve
from tests.companions.byzantium.play import random_states

def results():
    yield play_alone(Rules(1, direction_per_branch=True), built_in_policies(), 3, 10, 1).tolist()
    for n in (2, 3):
        state = new_game(Rules(n), 2)
        start = encode(observe(state, state.to_move))
        yield play_out(start, [None, state.legal_actions()[3]], built_in_policies(n)[:n], 7, 5, 1).tolist()
        late = list(random_states(Rules(n), 5))[-5]
        yield [list(left) for left in solve_endgame(late).values()]
    solved = solve(list(random_states(Rules(1), 6))[-7])
    yield [solved.placed, solved.bound, solved.nodes, list(map(str, solved.actions))]

print(json.dumps(list(results())))
"""


def test_compiled_code_equals_its_plain_python_form() -> None:
    found = []
    for plain in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": plain}
        run = subprocess.run(
            [sys.executable, "-c", PLAIN], cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        found.append(json.loads(run.stdout))
    assert found[0] == found[1]


def test_worlds_have_addresses() -> None:
    policies = built_in_policies()
    whole = play_alone(Rules(1), policies, 3, 0, 50)
    parts = [play_alone(Rules(1), policies, 3, first, n) for first, n in ((0, 20), (20, 30))]
    assert (np.concatenate(parts) == whole).all()
    alone = play_alone(Rules(1), policies[2:3], 3, 0, 50)
    assert (alone[:, 0] == whole[:, 2]).all(), "options do not disturb each other"
    state = new_game(Rules(3), 2)
    start = encode(observe(state, 1))
    both = play_out(start, state.legal_actions()[:5], policies_for(None, 3), 1, 0, 40)
    assert (play_out(start, state.legal_actions()[2:3], policies_for(None, 3), 1, 30, 10) == both[30:, 2:3]).all()
    assert len(np.unique(both, axis=0)) > 1


def test_whole_deals_alone_can_be_looked_at() -> None:
    placed = play_alone(Rules(1), [greedy_policy()], 9, 0, 3)[:, 0]
    for world in range(3):
        record, left = play_logged(solitaire_deal(Rules(1), 9, world), greedy_policy())
        assert left == (24 - placed[world],)
        assert record.deck == deck_of_world(9, world)


def test_a_forced_slot_is_filled_first() -> None:
    position = observe(new_game(Rules(1), 4), 0)
    start = encode(position)
    slots = [action.slot for action in position.legal_actions()]  # type: ignore[union-attr]
    placed = play_out_alone(start, slots, [default_policy()] * len(slots), 1, 0, 200)
    assert (placed[:, 0] != placed[:, 1]).any(), "mirror images meet other luck only through ties"
    assert placed.min() >= 1 and placed.max() == 24


# -- worlds ------------------------------------------------------------------------------------------------------------


def late_position(rules: Rules, hidden: int) -> Position:
    """A moment with passes behind it, few cards hidden, and something ruled out."""
    for seed in range(200):
        for state in random_states(rules, seed):
            for seat in range(rules.players):
                position = observe(state, seat)
                barred = any(each.barred & position.unseen for each in position.bins)
                if len(position.unseen) == hidden and barred and 10 < position.worlds < 80:
                    return position
    raise AssertionError("no such moment")


def all_worlds(position: Position) -> list[tuple[Cards, ...]]:
    """Every way for the unseen cards to lie, listed naively: a hand a rival, then the kitty."""

    def spread(cards: list[str], sizes: list[int]) -> list[tuple[Cards, ...]]:
        if not sizes:
            return [()]
        found = []
        for hand in combinations(cards, sizes[0]):
            rest = [card for card in cards if card not in hand]
            found += [(Cards(hand), *others) for others in spread(rest, sizes[1:])]
        return found

    every = spread(position.unseen.codes(), [each.size for each in position.bins])
    return [w for w in every if not any(h & b.barred for h, b in zip(w, position.bins, strict=True))]


@pytest.mark.parametrize(("players", "hidden"), [(2, 7), (3, 7), (4, 6)])
def test_worlds_come_up_evenly_over_all_that_fit_and_no_others(players: int, hidden: int) -> None:
    position = late_position(Rules(players), hidden)
    every = all_worlds(position)
    assert len(every) == position.worlds
    sample = determinize(position, 6000, seed=4)
    rivals = [seat for seat in range(players) if seat != position.seat]
    seen: Counter[tuple[Cards, ...]] = Counter()
    for w in range(len(sample)):
        world = sample.state(w)
        hands = tuple(world.hands[seat] for seat in rivals)
        seen[(*hands, world.kitty) if position.kitty_left else hands] += 1
        assert observe(world, position.seat) == position
    assert set(seen) == set(every), "the truth is no more likely than any other"
    assert chisquare([seen[world] for world in every]).pvalue > 1e-3


def test_alone_every_card_is_as_likely_to_come_next() -> None:
    position = observe(list(random_states(Rules(1), 3))[14], 0)
    sample = determinize(position, 3000, seed=2)
    n = position.deck_left
    counts = Counter(sample.state(w).deck[0] for w in range(len(sample)))
    assert set(counts) == set(position.unseen)
    assert chisquare([counts[card] for card in position.unseen]).pvalue > 1e-3
    assert all(len(set(sample.state(w).deck)) == n for w in range(0, 3000, 500))
    assert observe(sample.state(7), 0) == position


def test_what_cannot_be_sampled_is_refused() -> None:
    state = new_game(Rules(2), 1)
    with pytest.raises(TypeError, match="a Position is needed"):
        determinize(state, 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least 1, not 0"):
        determinize(observe(state, 0), 0)
    for seed in (-1, 1.5, True, "a"):
        with pytest.raises(ValueError, match="a seed is a whole number of 0 or more"):
            root_of(seed)  # type: ignore[arg-type]


def test_policies_are_asked_for_by_name_and_number() -> None:
    with pytest.raises(ValueError, match=r"unknown policy 'bold' \(policies are random, roomy, greedy, default\)"):
        policy_named("bold")
    with pytest.raises(ValueError, match="3 seats need 3 policies, not 2"):
        policies_for([greedy_policy()] * 2, 3)
    state = new_game(Rules(2), 1)
    with pytest.raises(ValueError, match="it is the turn of seat 1, not of seat 0"):
        greedy_policy().choose(observe(state, 0))
