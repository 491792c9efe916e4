"""Every ruling of Byzantium, by its name."""

from __future__ import annotations

import pytest

from byzanz_lab.companions.byzantium.actions import Pass, Place
from byzanz_lab.companions.byzantium.cards import ALL_CARDS, CARDS, Cards
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import Result, State, deal, new_game, standings
from byzanz_lab.companions.byzantium.table import IllegalAction
from byzanz_lab.companions.byzantium.tableau import Tableau, parse_tableau

ALONE = Rules(1)


def tableau(text: str, rules: Rules = ALONE) -> Tableau:
    return parse_tableau(text, rules)


# -- slots, geometry, colour -------------------------------------------------------------------------------------------


def test_slots_the_aces_offer_their_two_short_ends() -> None:
    assert Tableau.empty(ALONE).open_slots == ("N", "E", "S", "W")


def test_slots_a_card_offers_its_far_end_and_its_two_long_sides() -> None:
    assert set(tableau("N=B7").open_slots) == {"E", "S", "W", "NN", "NE", "NW"}


def test_slots_a_card_is_at_most_three_cards_from_the_aces() -> None:
    full = tableau("N=B7 NN=B8 NNN=B9")
    assert full.why_closed("NNNN") == "there is no slot NNNN"
    assert all(len(path) <= 3 for path in full.open_slots)


def test_geometry_a_card_overlaps_nothing_and_touches_nothing_but_its_parent() -> None:
    lying = tableau("N=B7 NE=B8 E=R5")
    assert lying.why_closed("EN") == "a card there would overlap the black 8 at NE"
    assert tableau("N=B7 NE=B8 E=R5 EE=R6").why_closed("EEN") == ""
    touching = tableau("N=B7 NE=B8 NEE=B9 E=R5 EE=R6")
    assert touching.why_closed("EEN") == "a card there would overlap the black 9 at NEE"


def test_geometry_a_shared_edge_is_touching() -> None:
    verbs = set()
    geometry = ALONE.geometry
    for path, others in geometry.conflicts.items():
        for other in others:
            overlap = geometry.slots[path].rect.overlaps(geometry.slots[other].rect)
            verbs.add("overlap" if overlap else "touch")
    assert verbs == {"overlap", "touch"}
    assert tableau("N=B7 NE=B8 NEN=B9 E=R5").why_closed("EN") == "a card there would overlap the black 8 at NE"


def test_geometry_a_slot_that_would_touch_an_ace_does_not_exist() -> None:
    assert tableau("N=B7 NE=B8").why_closed("NES") == "a card there would touch the red ace"
    assert tableau("E=R7 EN=R8").why_closed("ENW") == "a card there would touch the black ace"


@pytest.mark.parametrize(("card", "path"), [("R7", "N"), ("R7", "S"), ("B7", "E"), ("B7", "W")])
def test_colour_a_card_joins_its_own_colour_only(card: str, path: str) -> None:
    assert "is not" in Tableau.empty(ALONE).why_not(card, path)
    other = {"R": "B", "B": "R"}[card[0]] + card[1:]
    assert Tableau.empty(ALONE).why_not(other, path) == ""


# -- direction ---------------------------------------------------------------------------------------------------------


def test_direction_the_first_card_of_a_tree_is_free_and_fixes_nothing() -> None:
    first = tableau("N=B7")
    assert first.direction("NN") is None
    assert {card for card in ALL_CARDS.of_colour("B") if "NN" in first.slots_for(card)} >= {"B2", "BK"}


def test_direction_the_first_child_fixes_the_whole_tree() -> None:
    rising = tableau("N=B7 NE=B9")
    assert rising.direction("NW") == "rising"
    assert rising.why_not("B5", "NW") == "tree N is rising, and the black 5 is not above the black 7 at N"
    assert rising.why_not("B8", "NW") == ""
    assert rising.why_not("B8", "NEE") == "tree N is rising, and the black 8 is not above the black 9 at NE"
    falling = tableau("N=B7 NE=B5")
    assert falling.why_not("B9", "NN") == "tree N is falling, and the black 9 is not below the black 7 at N"
    assert falling.why_not("B4", "NEE") == ""


def test_direction_other_trees_are_not_bound() -> None:
    assert tableau("N=B7 NE=B9 S=B8").why_not("B2", "SS") == ""


def test_direction_per_branch_is_a_variant() -> None:
    branches = Rules(1, direction_per_branch=True)
    rising = tableau("N=B7 NE=B9", branches)
    assert rising.why_not("B5", "NW") == ""
    assert rising.why_not("B8", "NEE") == "branch NE is rising, and the black 8 is not above the black 9 at NE"
    both = rising.place("B5", "NW")
    assert (both.direction("NEE"), both.direction("NWW"), both.direction("NN")) == ("rising", "falling", None)
    assert both.why_not("B4", "NWW") == ""


# -- must-place, score -------------------------------------------------------------------------------------------------


def stuck() -> State:
    """Three players with one card each, of which two fit nowhere."""
    hands = ["B2 B3 B4 B5 B6 B7 B8 B9", "R2 R3 R4 R5 R6 R7 R8 R9", "B10 BJ BQ BK R10 RJ RQ RK"]
    return deal(Rules(3), hands, dealer=2)


def test_must_place_who_can_place_must_place() -> None:
    with pytest.raises(IllegalAction, match="who can place must place: the black 2 fits at N"):
        stuck().apply(Pass())


def play(state: State, *actions: str) -> State:
    for text in actions:
        card, slot = text.split()
        state = state.apply(Place(card, slot))
    return state


def test_must_place_who_cannot_passes_and_may_place_again_later() -> None:
    hands = ["B2 B3 B4 B5 B6 B7 B8 B9 B10 BJ", "R2 R3 R4 R5 R6 R7 R8 R9 R10 BK"]
    state = deal(Rules(2), hands, dealer=1)
    # black shuts itself in: two falling trees on low cards leave seat 0 without a slot, until red has played
    state = play(state, "B3 N", "R3 E", "B2 NN", "R4 EE", "B5 S", "R5 EEE", "B4 SS", "R6 W")
    assert state.to_move == 0
    while state.to_move is not None and state.legal_actions() != (Pass(),):
        state = state.apply(state.legal_actions()[0])
    assert state.to_move is not None
    passer = state.to_move
    after = state.apply(Pass())
    assert after.to_move == 1 - passer
    assert after.hands[passer] == state.hands[passer]


def test_must_place_a_pass_tells_what_is_not_in_the_hand() -> None:
    told = 0
    for seed in range(10):
        state = new_game(Rules(2), seed)
        while state.to_move is not None:
            seat, before = state.to_move, state
            state = state.apply(state.legal_actions()[0])
            if before.legal_actions() == (Pass(),):
                could = before.tableau.fitting(before.table.unplaced)
                assert state.table.barred[seat] == before.table.barred[seat] | could
                told += len(could) > 0
            else:
                assert state.table.barred == before.table.barred
    assert told


def test_must_place_the_round_ends_when_all_pass_in_a_row() -> None:
    ends = set()
    for seed in range(40):
        state = new_game(Rules(3), seed)
        while not state.is_over:
            state = state.apply(state.legal_actions()[0])
        ends.add(0 in state.table.sizes)
        assert state.table.passes == 3 or 0 in state.table.sizes
        if 0 not in state.table.sizes:
            assert not any(state.tableau.fitting(hand) for hand in state.hands)
    assert ends == {True, False}


def test_score_a_card_left_in_hand_costs_a_point_and_the_lowest_wins() -> None:
    assert Result.of((3, 0, 3)).winners == (1,)
    assert Result.of((2, 2, 5)).winners == (0, 1)


def test_score_a_game_is_one_deal_for_each_player() -> None:
    deals = [Result.of((0, 3)), Result.of((2, 0))]
    assert standings(deals) == Result((2, 3), (0,))
    with pytest.raises(ValueError, match="a game of 2 players has a deal for each, not 3"):
        standings([*deals, Result.of((1, 0))])
    with pytest.raises(ValueError, match="all of the same number of players"):
        standings([])


def test_score_is_known_only_at_the_end() -> None:
    with pytest.raises(ValueError, match="the deal is not over yet"):
        stuck().result()


# -- the deal ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "dealt", "kitty"), [(2, 10, 4), (3, 8, 0), (4, 6, 0)])
def test_the_deal(players: int, dealt: int, kitty: int) -> None:
    state = new_game(Rules(players), seed=3, dealer=players - 1)
    assert [len(hand) for hand in state.hands] == [dealt] * players
    assert len(state.kitty) == kitty
    assert state.to_move == 0, "left of the dealer starts"
    assert new_game(Rules(players), seed=3, dealer=0).to_move == 1


def test_the_same_seed_gives_the_same_deal() -> None:
    assert new_game(Rules(4), 11) == new_game(Rules(4), 11) != new_game(Rules(4), 12)


# -- solitaire ---------------------------------------------------------------------------------------------------------


def test_solitaire_the_top_card_is_placed() -> None:
    state = deal(ALONE, deck=CARDS)
    assert (state.hands, state.deck[:2]) == ((Cards("B2"),), ("B3", "B4"))
    with pytest.raises(IllegalAction, match="the black 3 is not in hand"):
        state.apply(Place("B3", "N"))
    with pytest.raises(IllegalAction, match="who can place must place"):
        state.apply(Pass())
    assert state.apply(Place("B2", "N")).hands == (Cards("B3"),)


def misfit(rules: Rules) -> State:
    """Alone, with the black 4 drawn and both black trees falling below it or shut."""
    order = ["BK", "BQ", "B3", "B2", "B10"]
    rest = [card for card in CARDS if card not in order]
    state = deal(rules, deck=order[:-1] + ["BJ", "B10"] + [card for card in rest if card != "BJ"])
    for card, slot in (("BK", "N"), ("BQ", "NN"), ("B3", "S"), ("B2", "SS"), ("BJ", "NNN")):
        state = state.apply(Place(card, slot))
    for _ in range(40):
        if state.legal_actions() == (Pass(),) or state.is_over:
            break
        state = state.apply(state.legal_actions()[0])
    return state


def test_solitaire_a_card_that_fits_nowhere_is_laid_aside_for_good() -> None:
    state = misfit(ALONE)
    assert state.legal_actions() == (Pass(),)
    card = state.hands[0]
    after = state.apply(Pass())
    assert after.table.aside == card
    assert not after.is_over
    assert len(after.deck) == len(state.deck) - 1


def test_solitaire_stop_at_first_misfit_is_a_variant() -> None:
    state = misfit(Rules(1, stop_at_first_misfit=True))
    after = state.apply(Pass())
    assert after.is_over
    assert after.result() == Result((24 - len(state.tableau),), ())


def test_solitaire_24_is_a_win() -> None:
    assert Result.of((0,)).winners == (0,)
    assert Result.of((1,)).winners == ()


def test_solitaire_the_result_counts_the_cards_placed() -> None:
    state = new_game(ALONE, 5)
    while not state.is_over:
        state = state.apply(state.legal_actions()[-1])
    assert state.scores == (24 - len(state.tableau),) == (len(state.table.aside),)
