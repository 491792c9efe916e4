"""The meld game: melds and payoffs as the rules have them, cutting that changes nothing, hidden cards that stay so."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.aftermath import aftermath, play_after
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.meld_game import MeldGame, candidates, meld_game
from byzanz_lab.companions.empire.melds import melds_of
from byzanz_lab.companions.empire.mixed_strategy import equilibrium
from byzanz_lab.companions.empire.payoffs import Payoffs
from byzanz_lab.companions.empire.playouts import deal_rivals, determinize, play_out
from byzanz_lab.companions.empire.policies import default_policy
from byzanz_lab.companions.empire.position import Position, observe
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.state import State, new_game
from byzanz_lab.companions.empire.table import Phase
from tests.companions.empire.moments import SMALL, moment

EMPEROR = "general duke church icon 2xguard envoy levy"
FOES = "khan huns persians emirs plague coup 2xraiders"
SOME = {"worlds": 12, "fresh": 12, "rest": 32}


def melding(seed: int, turn: int, side: Side) -> Position:
    """What a seat knows that is to meld, in a game of the default policy."""
    state, policy = new_game(seed=seed), default_policy()
    while not (state.phase is Phase.MELD and state.table.turn >= turn and state.table.side_of(state.to_move) is side):  # type: ignore[arg-type]
        assert state.to_move is not None
        state = state.apply(policy.choose(observe(state, state.to_move)))
    assert state.to_move is not None
    return observe(state, state.to_move)


def sampled(position: Position, worlds: int = 12, rest: int = 32, **options: bool) -> MeldGame:
    payoffs = Payoffs(position, aftermath(position, rest))
    return meld_game(position, deal_rivals(position, worlds), payoffs, **options)


@pytest.mark.parametrize("side", Side)
def test_melds_are_those_that_the_rules_allow(side: Side) -> None:
    for seed in range(6):
        position = melding(seed, 1 + 2 * seed, side)
        table = position.table
        every = melds_of(table.deck, side, table.age, position.hand, grouped=False)
        assert {Meld(cards) for cards in every.cards} == set(position.legal_actions())
        assert len(every) == len(position.legal_actions())
        assert every.force.tolist() == [table.deck.force(cards) for cards in every.cards]
        assert every.legacy.tolist() == [table.deck.legacy(cards) for cards in every.cards]
        groups = melds_of(table.deck, side, table.age, position.hand)
        assert {every.facts(i) for i in range(len(every))} == set(groups.key)


def test_a_card_whose_age_is_over_is_in_no_meld() -> None:
    melds = melds_of(SMALL, Side.BYZANTINE, 2, ["old-guard", "levy"])
    assert melds.cards == ((), ("levy",))


def ends(state: State, rest: np.ndarray) -> float:
    """What the Emperor, seat 0, gets if a turn ended so."""
    table = state.table
    lead = table.legacy[0] - table.legacy[1]
    return lead if table.territory <= 0 else lead + float(rest[table.territory])


@pytest.mark.parametrize(("seat", "territory", "tokens"), [(0, 10, 10), (1, 10, 10), (0, 4, 2), (1, 19, 0)])
def test_payoffs_are_what_the_rules_make_of_two_melds(seat: int, territory: int, tokens: int) -> None:
    begun = moment(EMPEROR, FOES, to_move=1, territory=territory, legacy=(tokens, 10))
    state = begun if seat else begun.apply(Meld())
    position = observe(state, seat)
    payoffs = Payoffs(position, aftermath(position, 16))
    to_seat = payoffs.rest.leads.mean(axis=0) - payoffs.rest.lead
    rest = to_seat if seat == 0 else -to_seat
    game = meld_game(position, [begun.hands[1 - seat]], payoffs, grouped=False)
    rng = np.random.default_rng(seat)
    for i, j in zip(rng.integers(len(game.own), size=60), rng.integers(len(game.rivals[0]), size=60), strict=True):
        melds = game.own.cards[i], game.rivals[0].cards[j]
        emperor, foes = melds if seat == 0 else melds[::-1]
        both = begun.apply(Meld(foes)).apply(Meld(emperor))
        value = negotiated(both, rest, knowing=seat == 1)
        assert game.matrices[0][i, j] == pytest.approx(value if seat == 0 else -value)


def negotiated(state: State, rest: np.ndarray, knowing: bool) -> float:
    """The value to the Emperor after negotiation; he chooses knowing the answers, or as if there were none."""
    if state.phase is not Phase.NEGOTIATION:
        return ends(state, rest)
    choices = []
    for action in state.legal_actions():
        after = state.apply(action)
        if after.phase is not Phase.REPLACEMENT:
            choices.append((ends(after, rest), ends(after, rest)))
            continue
        answers = [ends(after.apply(answer), rest) for answer in after.legal_actions()]
        choices.append((min(answers), answers[0]))  # the first answer is to put nothing in its place
    if knowing:
        return max(value for value, _ in choices)
    hoped = max(hoped for _, hoped in choices)
    return next(value for value, hope in choices if hope == hoped)


@pytest.mark.parametrize("side", Side)
def test_the_rest_of_the_game_is_the_playouts_own(side: Side) -> None:
    position = melding(5, 6, side)
    policy = default_policy()
    meld = policy.choose(position)
    assert isinstance(meld, Meld)
    position.verify(meld)
    n, seat = 300, position.seat
    whole = play_out(position, [meld], n)[:, 0]
    after = play_after(position, meld, n)
    leads = after[..., seat] - after[..., 1 - seat]
    melded = turns_of(position, meld, n)
    assert len(melded) > 20
    for world, (territory, gain) in melded.items():
        assert whole[world, seat] - whole[world, 1 - seat] == leads[world, territory - 1] + gain


def turns_of(position: Position, meld: Meld, n: int) -> dict[int, tuple[int, int]]:
    """By world, where nobody negotiates and nothing collapses: territory after this turn, tokens gained in it."""
    found, policy, table = {}, default_policy(), position.table
    for world, dealt in enumerate(determinize(position, n)):
        state, first = dealt, dealt.to_move
        assert first is not None
        for seat in (first, 1 - first):
            choice = meld if seat == position.seat else policy.choose(observe(state, seat))
            state = state.apply(choice)
        if state.phase is Phase.PASS:
            before = table.legacy[position.seat] - table.legacy[1 - position.seat]
            now = state.table.legacy[position.seat] - state.table.legacy[1 - position.seat]
            found[world] = (state.table.territory, now - before)
    return found


def test_in_the_last_turn_nothing_has_to_be_played() -> None:
    position = Position.at_table("foes", "huns emirs 2xraiders", deck=SMALL, turn=12, legacy=(7, 12))
    rest = aftermath(position, 32)
    assert rest.exact and (rest.leads == -5).all()
    assert equilibrium(position, **SOME).secures.n == SOME["fresh"]


@pytest.mark.parametrize("outcome", ["lead", "win"])
@pytest.mark.parametrize("side", Side)
def test_the_cut_meld_game_has_the_value_of_the_uncut_one(side: Side, outcome: str) -> None:
    position = melding(3, 2, side)
    payoffs = Payoffs(position, aftermath(position, 32), outcome)
    hands = deal_rivals(position, 6)
    small, whole = (meld_game(position, hands, payoffs, grouped=grouped) for grouped in (True, False))
    cut, uncut = small.solve(), whole.solve(pruned=False)
    assert len(whole.own) == len(position.legal_actions()) > len(small.own)
    assert cut.value == pytest.approx(uncut.value, abs=1e-7)
    assert cut.conceded == pytest.approx(cut.value, abs=1e-7)  # no meld at all, cut or not, gets more


def test_what_is_left_out_is_nowhere_better() -> None:
    position = melding(2, 3, Side.BYZANTINE)
    found = equilibrium(position, **SOME)
    game = sampled(position, SOME["worlds"], SOME["rest"], grouped=False)
    place = {Meld(cards): i for i, cards in enumerate(game.own.cards)}
    joined = np.hstack(game.matrices)
    for meld, by in found.dominated.items():
        assert (joined[place[by]] >= joined[place[meld]] - 1e-9).all()
    assert {*found.candidates, *found.dominated} == set(position.legal_actions())
    assert not set(found.candidates) & set(found.dominated)
    assert set(candidates(position, worlds=SOME["worlds"], rest=SOME["rest"])) <= set(found.candidates)


def test_the_mixture_secures_more_than_any_meld_in_the_worlds_that_were_solved() -> None:
    mixed = 0
    for seed, side in product(range(3), Side):
        game = sampled(melding(seed, 1, side))
        solution = game.solve()
        pure = game.secured(np.eye(len(game.own)))[0].mean(axis=1)
        assert solution.value == pytest.approx(game.secured(solution.rows[None])[0].mean(), abs=1e-7)
        assert (pure <= solution.value + 1e-9).all()
        mixed += (solution.rows > 0).sum() > 1 and pure.max() < solution.value - 1e-6
    assert mixed, "in none of the games is there something to be gained by mixing"


def test_chances_of_ends_add_up_and_tell_the_value() -> None:
    game = sampled(melding(1, 1, Side.FOES))
    found, chances = game.secured(game.solve().rows[None])
    assert chances.sum() == pytest.approx(1)
    assert game.payoffs.by_rest(chances[0]).mean() == pytest.approx(found.mean())


def test_an_equilibrium_says_what_it_rests_on() -> None:
    position = melding(1, 1, Side.FOES)
    found = equilibrium(position, **SOME)
    assert sum(found.mixture.values()) == pytest.approx(1)
    assert found.secures.unit == "tokens" and found.secures.of == f"lead of seat {position.seat}"
    assert all(lost.n == SOME["fresh"] and lost.unit == "tokens" for lost in found.exploited.values())
    data = found.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert str(found).count("\n") == len(found.candidates) + 1
    assert found._repr_html_().count("<tr>") == len(found.candidates) + 1
    assert all(found.draw(luck) in found.mixture for luck in (0.0, 0.5, 1.0))
    assert found.draw(0.0) == next(iter(found.mixture))


def test_the_same_seed_gives_the_same_equilibrium_and_another_one_another() -> None:
    position = melding(4, 1, Side.FOES)
    one, two, other = (equilibrium(position, seed=seed, **SOME).to_dict() for seed in (1, 1, 2))
    assert one == two != other


def test_what_is_no_choice_of_a_meld_is_refused() -> None:
    state = new_game(default_deck(), 1, emperor=0)
    with pytest.raises(ValueError, match="no meld to choose for seat 1: the decision is redraw, of seat 1"):
        equilibrium(observe(state, 1))
    with pytest.raises(TypeError, match="given a Position, not State"):
        equilibrium(state)  # type: ignore[arg-type]
    position = melding(1, 1, Side.FOES)
    with pytest.raises(ValueError, match="a standard error needs 2 worlds or more, not 1"):
        equilibrium(position, worlds=1)
    with pytest.raises(ValueError, match="there is no outcome 'fame'; there is lead, win"):
        equilibrium(position, outcome="fame", **SOME)


def test_the_hand_that_was_dealt_does_not_matter() -> None:
    """Two states that differ in hidden cards only have the same equilibrium, to the last bit."""
    state = moment(EMPEROR, FOES, to_move=1)
    other = moment("duke 3xicon 2xguard envoy treasury", FOES, to_move=1)
    one, two = (equilibrium(observe(s, 1), **SOME).to_dict() for s in (state, other))
    assert one == two
