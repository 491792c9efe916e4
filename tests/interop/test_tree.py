"""The game tree with chance in the open is the same game as the one that is dealt at once."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from byzanz_lab.game.actions import Action
from byzanz_lab.game.cards import DEALER, N_KINDS
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import deal
from byzanz_lab.interop.choices import Composition
from byzanz_lab.interop.evaluator import PlayoutEvaluator
from byzanz_lab.interop.tree import N_CHOICES, Node, code_name

TABLES = [
    Rules.for_seats(3),
    Rules.for_seats(4, may_decline_market=True),
    Rules.for_seats(5, last_card_to_hand=True, hand_limit=8),
    Rules.for_seats(6, tie_counts_dealers=True),
]


@cache
def walk(rules: Rules, seed: int) -> tuple[tuple[Node, ...], tuple[int, ...], tuple[Action, ...]]:
    """All nodes of a game of random choices, the cards that were drawn, and the actions that were completed."""
    rng = random.Random(seed)
    node, nodes, drawn, actions = Node.root(rules), [], [], []
    while not node.is_over:
        nodes.append(node)
        if node.is_chance:
            kinds, chances = zip(*node.outcomes(), strict=True)
            what = rng.choices(kinds, chances)[0]
            drawn.append(what)
        else:
            assert node.composing is not None
            what = rng.choice(node.choices)
            after = node.composing.choose(what)
            actions += [] if isinstance(after, Composition) else [after]
        node = node.after(what)
    return (*nodes, node), tuple(drawn), tuple(actions)


def decisions(rules: Rules, seed: int) -> list[Node]:
    return [node for node in walk(rules, seed)[0] if node.seat is not None]


@pytest.mark.parametrize("rules", TABLES, ids=repr)
def test_a_walk_is_the_game_that_the_rules_play_with_the_same_cards(rules: Rules) -> None:
    nodes, drawn, actions = walk(rules, 1)
    n = rules.seats * rules.start_hand
    assert len(drawn) == n + rules.cards_auctioned
    state = deal(rules, nodes[-1].hands_dealt, drawn[n:])
    for action in actions:
        state = state.apply(action)
    ended = nodes[-1].state
    assert ended is not None
    assert ended.table == state.table
    assert ended.hands == state.hands
    assert ended.result() == state.result()


@pytest.mark.parametrize("rules", TABLES, ids=repr)
def test_a_card_comes_as_likely_as_it_is_among_all_that_were_not_drawn(rules: Rules) -> None:
    nodes, drawn, _ = walk(rules, 2)
    gone: Counter[int] = Counter()
    cards = iter(drawn)
    for node in nodes:
        if not node.is_chance:
            continue
        outcomes = dict(node.outcomes())
        total = rules.n_cards - sum(gone.values())
        expected = {kind: (n - gone[kind]) / total for kind, n in enumerate(rules.copies) if n > gone[kind]}
        assert outcomes == pytest.approx(expected)
        gone[next(cards)] += 1
    assert sum(nodes[-1].left) == rules.removed


def test_everything_seen_grows_only_so_that_nothing_is_forgotten() -> None:
    nodes = walk(TABLES[1], 3)[0]
    for before, after in pairwise(nodes):
        for seat in range(before.rules.seats):
            old, new = before.seen(seat), after.seen(seat)
            assert new.played[: len(old.played)] == old.played
            done = new.played[len(old.played) :]
            if old.chosen and not new.chosen:
                own = [code_name(code, before.rules) for code in done if code // N_CHOICES == seat]
                assert len(own) == len(old.chosen) + 1
    assert len(set(nodes[-1].played)) > 50


def test_what_a_rival_has_half_chosen_is_not_seen() -> None:
    node = next(node for node in decisions(TABLES[0], 1) if node.composing and node.composing.chosen)
    assert node.seat is not None
    rival = (node.seat + 1) % 3
    assert node.chosen(node.seat)
    assert not node.chosen(rival)


@pytest.mark.parametrize("rules", TABLES, ids=repr)
def test_hidden_cards_dealt_anew_leave_what_was_seen_and_change_the_rest(rules: Rules) -> None:
    same = tried = 0
    for number, node in enumerate(decisions(rules, 4)[::2]):
        seat = number % rules.seats
        other = node.resampled(seat, number)
        assert other.seen(seat) == node.seen(seat)
        assert other.position(seat) == node.position(seat)
        if seat == node.seat:
            assert other.choices == node.choices
        assert other.state is not None and node.state is not None
        assert other.state.table == node.state.table
        assert sum(other.left) == sum(node.left)
        assert min(other.left) >= 0
        position = node.position(seat)
        assert position is not None
        if sum(position.unknown) > 3:
            tried += 1
            same += other.state.hands == node.state.hands
    assert tried > 5
    assert same < tried / 4


def test_hidden_cards_come_anew_as_often_as_they_are_unseen() -> None:
    """Multivariate hypergeometric: the dealers among a rival's unknown cards, against their share of the unseen."""
    node = decisions(TABLES[0], 5)[0]
    position = node.position(0)
    assert position is not None
    n = 600
    dealers = [node.resampled(0, seed).state.hands[1].dealers for seed in range(n)]  # type: ignore[union-attr]
    share = position.unseen.counts[DEALER] / len(position.unseen)
    assert np.mean(dealers) == pytest.approx(4 * share, abs=4 * np.sqrt(4 * share * (1 - share) / n))
    assert {0, 1, 2} <= set(dealers)


def test_nothing_is_dealt_anew_where_nobody_decides() -> None:
    for node in (Node.root(TABLES[0]), walk(TABLES[0], 1)[0][-1]):
        with pytest.raises(ValueError, match="at decisions only"):
            node.resampled(0, 1)


def test_what_cannot_come_is_refused() -> None:
    root = Node.root(TABLES[0])
    with pytest.raises(ValueError, match=r"^no card of kind 25 is left"):
        root.after(N_KINDS)
    with pytest.raises(ValueError, match="is not one of the choices here"):
        decisions(TABLES[0], 1)[0].after(36)
    with pytest.raises(ValueError, match="the game is over"):
        walk(TABLES[0], 1)[0][-1].after(0)


class _Seen:
    """A node as OpenSpiel would show it to an evaluator."""

    def __init__(self, node: Node) -> None:
        self.node = node


@pytest.mark.parametrize("reward", ["profit", "margin", "win"])
def test_an_evaluator_plays_any_node_to_the_end_and_gives_what_the_game_was_worth(reward: str) -> None:
    rules = TABLES[2]
    evaluator = PlayoutEvaluator(reward, seed=3)
    nodes = walk(rules, 6)[0]
    for node in (*nodes[::40], nodes[-1]):
        worth = evaluator.evaluate(_Seen(node))
        assert len(worth) == rules.seats
        if reward == "win":
            assert sum(worth) == pytest.approx(1)
        else:
            assert max(worth) >= 0
    again = [PlayoutEvaluator(reward, seed=9).evaluate(_Seen(nodes[90])) for _ in range(2)]
    assert again[0] == again[1]
