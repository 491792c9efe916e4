"""Playouts: one game in two forms, worlds that fit and are fair, policies that keep the contract."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byzanz_lab.companions.empire import kernels as k
from byzanz_lab.companions.empire.actions import Action, HandOver, Meld, Negotiate, Redraw, Replace
from byzanz_lab.companions.empire.cards import Deck
from byzanz_lab.companions.empire.chance import Seeded
from byzanz_lab.companions.empire.contract import check_state
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.encoding import (
    cards_of,
    dead_odds,
    decode_action,
    encode,
    encode_action,
    encode_new_game,
)
from byzanz_lab.companions.empire.playouts import determinize, play_games, play_logged, play_out
from byzanz_lab.companions.empire.policies import (
    RandomPolicy,
    default_policy,
    greedy_policy,
)
from byzanz_lab.companions.empire.position import Position, observe
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.seeds import world_seeds
from byzanz_lab.companions.empire.state import State, new_game
from byzanz_lab.companions.empire.table import Phase
from tests.companions.empire.moments import SMALL, moment

DECKS = {"shipped": default_deck(), "small": SMALL}
PLAYERS: dict[str, Any] = {
    "default": None,
    "greedy": greedy_policy(),
    "random": RandomPolicy(),
    "mixed": [default_policy(), RandomPolicy()],
}


# -- two forms of the rules --------------------------------------------------------------------------------------------


def check_replay(deck: Deck, players: Any, seed: int) -> Counter[str]:
    """Replay a game that the kernels logged; returns how often each kind of action stood in it."""
    record, played = play_logged(deck, seed, players, emperor=seed % 2)
    final = record.replay()
    result = final.result()
    assert (*result.legacy, result.territory, result.turns) == tuple(played.results[0])
    assert [s.territory for s in record.course()[1:]] == played.turns[0, :, 4].tolist()
    whole = play_games(deck, 1, seed, players, emperor=seed % 2)
    assert (whole.results == played.results).all(), "logging changes the game"
    return Counter(type(action).__name__ for _, action in record.moves)


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("players", PLAYERS.values(), ids=PLAYERS)
def test_logged_playouts_replay_through_the_readable_rules_to_the_same_result(players: Any, deck: Deck) -> None:
    seen = sum((check_replay(deck, players, seed) for seed in range(12)), Counter[str]())
    assert set(seen) == {"Redraw", "Meld", "Negotiate", "Replace", "HandOver"}


@pytest.mark.long
@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("players", PLAYERS.values(), ids=PLAYERS)
def test_thousands_of_logged_playouts_replay_to_the_same_result(players: Any, deck: Deck) -> None:
    for seed in range(100, 600):
        check_replay(deck, players, seed)


PLAIN = """
import json
import numpy as np
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.playouts import play_games, play_out, determinize
from byzanz_lab.companions.empire.policies import TabledPolicy, RandomPolicy, greedy_policy
from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.position import Position
deck = default_deck()
position = Position.at_table(
    "foes", "raiders 2xhorse-archers slavs", seat=1, turn=6, known="dromons", rival_redrew=2,
    discards="ostrogoths belisarius 2xskoutatoi",
)
found = [play_games(deck, 3, 5, [greedy_policy(), RandomPolicy()]).results.tolist()]
found.append(play_out(position, [Meld(), Meld("raiders 2xhorse-archers")], 3, 7, greedy_policy()).tolist())
found.append([state.hands[0] for state in determinize(position, 3)])
print(json.dumps(found))
"""


def test_kernels_give_the_same_when_they_run_as_plain_python() -> None:
    root = Path(__file__).resolve().parents[3]
    runs = []
    for plain in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": plain, "PYTHONPATH": str(root)}
        result = subprocess.run([sys.executable, "-c", PLAIN], env=env, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        runs.append(json.loads(result.stdout))
    assert runs[0] == runs[1]


def test_kernels_sort_hands_of_every_size() -> None:
    store, rng = np.zeros((k.STORE_ROWS, k.ROOM), np.int32), np.random.default_rng(1)
    for n in list(range(10)) * 20:
        hand = rng.integers(0, 12, n)
        store[k.HANDS + 1, :n], store[k.HEAD, k.N_HAND + 1] = hand, n
        k.sort_hand(store, 1)
        assert store[k.HANDS + 1, :n].tolist() == sorted(hand.tolist())


def test_actions_are_encoded_and_decoded() -> None:
    actions: dict[int, Action] = {
        k.MELD_E: Meld("general 2xguard"),
        k.REDRAW_F: Redraw(),
        k.NEGOTIATE: Negotiate("huns"),
        k.REPLACE: Replace(),
        k.PASS_F: HandOver("huns"),
    }
    for stage, action in actions.items():
        assert decode_action(SMALL, stage, encode_action(SMALL, action)) == action
    order = [(card.side, card.kind) for card in cards_of(SMALL)]
    assert all(order.index(pair) <= i < order.index(pair) + order.count(pair) for i, pair in enumerate(order))


# -- same seed, same answer --------------------------------------------------------------------------------------------


def test_world_i_is_the_same_however_many_are_played_and_by_whom() -> None:
    deck = default_deck()
    whole = play_games(deck, 60, 9).results
    parts = [play_games(deck, 20, 9, first=first).results for first in (0, 20, 40)]
    assert (np.concatenate(parts) == whole).all()
    with ThreadPoolExecutor(3) as pool:
        threads = list(pool.map(lambda first: play_games(deck, 20, 9, first=first).results, (40, 0, 20)))
    assert (np.concatenate([threads[1], threads[2], threads[0]]) == whole).all()
    assert (play_games(deck, 60, 10).results != whole).any()


def test_seeds_are_any_whole_number_and_differ_by_world() -> None:
    seeds = world_seeds(-(2**70), 0, 500)
    assert len(np.unique(seeds)) == seeds.size and (seeds != 0).all()
    assert (world_seeds(3, 5, 2) == world_seeds(3, 0, 7)[5:]).all()
    with pytest.raises(TypeError, match="a seed is a whole number, not str"):
        world_seeds("1", 0, 1)  # type: ignore[arg-type]


def test_lines_meet_the_same_worlds_and_do_not_disturb_each_other() -> None:
    state = new_game(seed=4)
    position = observe(state, state.to_move or 0)
    actions = [Redraw(), Redraw((position.hand[0],)), Redraw(position.hand[:3])]
    together = play_out(position, actions, 40, seed=2)
    for i, action in enumerate(actions):
        assert (play_out(position, [action], 40, seed=2)[:, 0] == together[:, i]).all()
    lead = together[..., position.seat] - together[..., position.rival]
    assert np.corrcoef(lead[:, 0], lead[:, 1])[0, 1] > 0.2


# -- worlds ------------------------------------------------------------------------------------------------------------


def positions_of_a_game(seed: int, deck: Deck) -> list[tuple[State, Position]]:
    """Each state of a game of the default policy, with the position of whoever is on the move."""
    record, _ = play_logged(deck, seed, [default_policy(), RandomPolicy()])
    return [(moment.state, observe(moment.state, moment.seat)) for moment in record.states()]


@pytest.mark.parametrize("seed", [3, 4])
def test_worlds_fit_what_is_known_in_every_phase(seed: int) -> None:
    phases = set()
    for truth, position in positions_of_a_game(seed, SMALL):
        phases.add(position.phase)
        for world in determinize(position, 2, seed):
            check_state(world)
            seen = observe(world, position.seat)
            assert (seen.hand, seen.table.known, seen.laid) == (position.hand, position.table.known, position.laid)
            assert seen.table.sizes == position.table.sizes
            assert len(world.held(position.rival)) == len(truth.held(position.rival))
    assert phases == {Phase.REDRAW, Phase.MELD, Phase.NEGOTIATION, Phase.REPLACEMENT, Phase.PASS}


def test_worlds_are_not_the_truth() -> None:
    same = total = 0
    for truth, position in positions_of_a_game(5, default_deck()):
        if position.rival_unknown >= 3 and position.pile_size(position.table.side_of(position.rival)) >= 10:
            worlds = determinize(position, 30)
            same += sum(world.held(position.rival) == truth.held(position.rival) for world in worlds)
            total += len(worlds)
    assert total > 300 and same < 0.05 * total


def test_worlds_are_hypergeometric() -> None:
    position = Position.at_table(
        "byzantine", "levy guard", deck=SMALL, known="raiders", rival_size=5, discards="3xcoup"
    )
    n, unseen = 4000, position.unseen(Side.FOES)
    worlds = determinize(position, n)
    held: Counter[str] = Counter()
    for world in worlds:
        held.update((Counter(world.hands[1]) - Counter(["raiders"])).elements())
    for code, copies in unseen.items():
        expected = 4 * copies / unseen.total()  # of four unknown cards
        assert abs(held[code] / n - expected) < 4.5 * np.sqrt(expected / n), code
    pairs = np.mean([world.hands[1].count("plague") == 2 for world in worlds])
    assert abs(pairs - 4 * 3 / (unseen.total() * (unseen.total() - 1))) < 4.5 * np.sqrt(0.02 / n)


@pytest.mark.parametrize("shown", ["", "u", "d", "ud"])
def test_dead_redraw_odds_are_those_of_counting_all_hands(shown: str) -> None:
    usable, dead, kept, redrawn = 5, 3, 2, 2
    cards = [("u", i) for i in range(usable)] + [("d", i) for i in range(dead)]
    seen = {(letter, 0) for letter in shown}
    counts: Counter[int] = Counter()
    for first in combinations([card for card in cards if card[0] == "u"], kept):
        for second in combinations([card for card in cards if card not in first], redrawn):
            union = {*first, *second}
            if seen <= union:
                counts[sum(card[0] == "d" for card in union - seen)] += 1
    position = Position.at_table(
        "foes", "raiders", deck=SMALL, turn=5, rival_size=kept + redrawn - len(seen), rival_redrew=redrawn
    )
    revealed = (shown.count("u"), shown.count("d"))
    position = replace(position, table=replace(position.table, revealed=((0, 0), revealed)))
    shares = np.diff(dead_odds(position, usable - revealed[0], dead - revealed[1]), prepend=0)
    assert len(shares) == max(counts) + 1
    assert np.allclose(shares, [counts[d] / counts.total() for d in range(len(shares))])


def test_dead_redraw_worlds_hold_dead_cards_as_often_as_the_game_deals_them() -> None:
    dealt = []
    for seed in range(400):
        state = moment("levy", "4xraiders huns", turn=5, phase=Phase.REDRAW, discards=((), ()))
        state = replace(state, chance=Seeded(seed))
        after = state.apply(Redraw("4xraiders"))
        dealt.append(after.hands[1].count("old-raiders"))
    position = observe(after, 0)
    assumed = [world.hands[1].count("old-raiders") for world in determinize(position, 2000)]
    assert np.mean(dealt) > 0.2
    assert abs(np.mean(dealt) - np.mean(assumed)) < 4 * np.std(dealt) / np.sqrt(len(dealt))


def test_playouts_agree_with_playing_the_worlds_by_the_readable_rules() -> None:
    position = Position.at_table("byzantine", "2xskoutatoi dromons envoys icons strategos", turn=10)
    action, policy = Meld("2xskoutatoi dromons strategos"), greedy_policy()
    leads = []
    for world in determinize(position, 120, seed=5):
        state = world
        while state.to_move is not None:
            mine = state.phase is Phase.MELD and state.table.turn == 10 and state.to_move == position.seat
            state = state.apply(action if mine else policy.choose(observe(state, state.to_move)))
        leads.append(state.table.legacy[0] - state.table.legacy[1])
    played = play_out(position, [action], 4000, 1, policy)[:, 0]
    lead = played[:, 0] - played[:, 1]
    assert abs(lead.mean() - np.mean(leads)) < 3.5 * np.std(leads) / np.sqrt(len(leads))


def test_only_the_seat_on_the_move_is_advised_and_no_state() -> None:
    state = new_game()
    with pytest.raises(TypeError, match="are given a Position, not State"):
        determinize(state, 1)  # type: ignore[arg-type]
    waiting = observe(state, 1 - (state.to_move or 0))
    with pytest.raises(ValueError, match=r"it is the turn of seat \d, and seat \d has nothing to decide"):
        encode(waiting)
    with pytest.raises(TypeError, match="are given a Position, not State"):
        play_out(state, [Redraw()], 1)  # type: ignore[arg-type]
    assert encode_new_game(1).store[k.HEAD, k.EMPEROR] == 1
