"""Each ruling, and each sentence of the rules, on a moment set up for it."""

from __future__ import annotations

from collections import Counter

import pytest

from byzanz_lab.companions.empire.actions import HandOver, Meld, Redraw
from byzanz_lab.companions.empire.chance import Recorded, Seeded
from byzanz_lab.companions.empire.rules import RULES, Side
from byzanz_lab.companions.empire.state import State, new_game
from byzanz_lab.companions.empire.table import IllegalAction, Phase
from tests.companions.empire.moments import SMALL, fought, moment, refused

BYZ, FOE = 0, 1


def finish_turn(state: State) -> State:
    """Pass the first card of whoever must pass."""
    while state.phase is Phase.PASS:
        state = state.apply(state.legal_actions()[0])
    return state


# -- turns and ages ----------------------------------------------------------------------------------------------------


def test_turns_are_twelve_and_roles_swap_each_turn() -> None:
    state = new_game(SMALL, seed=3, emperor=1)
    emperors = []
    while not state.is_over:
        if state.phase is Phase.REDRAW and state.to_move == state.table.foe:
            emperors.append(state.table.emperor)
        action = Meld() if state.phase is Phase.MELD else state.legal_actions()[0]
        state = state.apply(action)
    assert emperors == [1, 0] * 6
    assert (state.table.turn, state.table.territory, state.table.legacy) == (12, 10, (10, 10))


def test_turns_begin_with_an_emperor_drawn_by_lot() -> None:
    emperors = Counter(new_game(SMALL, seed).table.emperor for seed in range(200))
    assert 70 < emperors[0] < 130
    with pytest.raises(ValueError, match="the first Emperor is seat 0 or 1, not 2"):
        new_game(SMALL, emperor=2)


def test_both_start_with_ten_legacy_tokens_and_the_empire_with_ten_territory_tokens() -> None:
    table = new_game(SMALL).table
    assert (table.legacy, table.territory, table.turn, table.age) == ((10, 10), 10, 1, 1)


def test_age_cards_join_their_deck_when_the_age_starts() -> None:
    state = moment("levy", "raiders", turn=4, phase=Phase.PASS)
    assert "knights" not in state.piles[BYZ] and "bulgars" not in state.piles[FOE]
    after = finish_turn(state)
    assert after.table.turn == 5 and after.table.age == 2
    everywhere = Counter(after.piles[BYZ] + after.hands[0] + after.hands[1] + after.table.discards[BYZ])
    assert everywhere["knights"] == 2 and everywhere["mercenaries"] == 0


def test_draw_phase_fills_both_hands_by_age() -> None:
    for turn, size in ((1, 9), (5, 8), (9, 7)):
        state = moment("levy", "raiders", turn=max(turn - 1, 1), phase=Phase.PASS)
        table = (new_game(SMALL) if turn == 1 else finish_turn(state)).table
        assert table.turn == turn
        assert table.sizes[table.emperor] == size == RULES.hand_size(Side.BYZANTINE, turn)
        assert table.sizes[table.foe] == 8


def test_age_phase_replaces_what_cannot_be_used_and_takes_it_out_of_the_game_if_its_age_is_over() -> None:
    draws = (("old-guard", *("levy",) * 8), ("huns",) * 2 + ("raiders",) * 6)
    state = moment("old-guard", "old-raiders", turn=4, phase=Phase.PASS, chance=Recorded(draws))
    after = finish_turn(state)  # seat 1 receives old-guard and is Emperor now
    assert after.table.emperor == 1
    assert Counter(after.hands[1]) == Counter({"levy": 8})
    assert Counter(after.table.removed) == Counter({"old-guard": 2, "old-raiders": 1})
    assert after.table.discards == ((), ())


# -- draws -------------------------------------------------------------------------------------------------------------


def test_shown_cards_are_the_first_four_drawn_in_a_draw_phase() -> None:
    draws = (("general", "duke", "guard", "levy", "envoy", "icon", "icon", "guard", "levy"), ("raiders",) * 8)
    state = new_game(SMALL, emperor=0, chance=Recorded(draws))
    assert state.table.known == (("duke", "general", "guard", "levy"), ("raiders",) * 4)
    assert state.table.sizes == (9, 8)


def test_shown_cards_are_none_of_those_drawn_in_redraw_or_age_phase() -> None:
    state = moment("levy guard", "raiders", phase=Phase.REDRAW, to_move=0, known=(("levy",), ()))
    after = state.apply(Redraw("levy guard"))
    assert after.table.known == ((), ()) and after.table.redrawn == (2, 0)


def test_draw_refills_a_deck_that_runs_out_with_its_shuffled_discards() -> None:
    piles = (("guard",), ())
    state = moment("levy", "raiders", phase=Phase.REDRAW, to_move=0, piles=piles, discards=(("duke", "icon"), ()))
    after = state.apply(Redraw("levy"))  # draws the guard: nothing is refilled yet
    assert (after.hands[0], after.piles[BYZ], after.table.discards[BYZ]) == (("guard",), (), ("duke", "icon", "levy"))
    state = moment("levy levy", "raiders", phase=Phase.REDRAW, to_move=0, piles=piles, discards=(("duke",), ()))
    after = state.apply(Redraw("2xlevy"))
    assert after.table.discards[BYZ] == () and len(after.piles[BYZ]) == 2
    assert Counter(after.hands[0] + after.piles[BYZ]) == Counter({"guard": 1, "levy": 2, "duke": 1})


def test_draw_makes_known_by_elimination_what_is_held_when_a_deck_runs_out() -> None:
    state = moment("2xlevy duke", "raiders", phase=Phase.REDRAW, to_move=0, piles=(("guard",), ("huns",)))
    after = state.apply(Redraw("2xlevy"))
    assert after.table.known[0] == ("duke", "guard")
    assert after.table.redrawn[0] == 1, "the card drawn after the refill is unknown"


def test_draw_stops_when_deck_and_discards_are_empty() -> None:
    state = moment("levy guard", "raiders", phase=Phase.PASS, turn=1, to_move=1, piles=(("duke",), ("raiders",)))
    after = finish_turn(state)
    assert after.table.turn == 2
    assert sorted(after.hands[1]) == ["duke", "guard", "levy"], "all Byzantine cards that are left"
    assert after.hands[0] == ("raiders", "raiders") and after.piles == ((), ())


# -- redraw ------------------------------------------------------------------------------------------------------------


def test_redraw_replaces_up_to_four_cards() -> None:
    state = moment("levy", "4xraiders huns", phase=Phase.REDRAW)
    after = state.apply(Redraw("2xraiders huns"))
    assert len(after.hands[1]) == 5 and after.table.discards[FOE] == ("huns", "raiders", "raiders")
    assert state.apply(Redraw()).hands == state.hands
    assert refused(state, Redraw("4xraiders huns")) == "at most 4 cards may be redrawn, not 5"
    assert refused(state, Redraw("khan")) == "Khan is not in the hand"
    assert refused(state, Redraw("2xhuns")) == "the hand holds 1 Huns, not 2"
    assert refused(state, Redraw("nobody")) == "nobody is not in the hand"


def test_foe_first_in_redraw_meld_and_end_phase() -> None:
    state = moment("2xlevy", "2xraiders", phase=Phase.REDRAW)
    seats = []
    while state.table.turn == 1:
        seats.append((str(state.phase), state.to_move))
        state = state.apply(Redraw() if state.phase is Phase.REDRAW else Meld() if state.phase is Phase.MELD
                            else state.legal_actions()[0])  # fmt: skip
    assert seats == [(phase, seat) for phase in ("redraw", "meld", "pass") for seat in (1, 0)]


def test_dead_redraw_a_card_drawn_after_the_age_phase_may_be_useless() -> None:
    draws = (("levy",), ("old-raiders",))
    state = moment("levy", "raiders", turn=5, phase=Phase.REDRAW, chance=Recorded(draws)).apply(Redraw("raiders"))
    assert state.hands[1] == ("old-raiders",)
    state = state.apply(Redraw())
    assert refused(state, Meld("old-raiders")) == "Old Raiders cannot be used in the middle age"
    after = state.apply(Meld()).apply(Meld("levy"))
    assert after.legal_actions() == (HandOver("old-raiders"),)


# -- territory, legacy, unique cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("emperor", "foes", "territory", "legacy"),
    [
        ("guard levy", "raiders", 12, (11, 10)),
        ("levy", "horsemen raiders", 8, (9, 10)),
        ("guard", "horsemen", 10, (10, 10)),
        ("guard icon", "horsemen", 10, (11, 10)),
        ("guard 2xicon", "raiders", 11, (13, 10)),
        ("guard icon", "huns", 9, (10, 10)),
        ("church", "", 8, (12, 10)),
    ],
)
def test_territory_and_legacy_arithmetic(emperor: str, foes: str, territory: int, legacy: tuple[int, int]) -> None:
    table = fought(emperor, foes, left=("levy", "raiders")).table
    assert (table.territory, table.legacy) == (territory, legacy)


def test_territory_is_never_above_twenty() -> None:
    table = fought("4xguard", "raiders", left=("levy", ""), territory=15).table
    assert (table.territory, table.legacy) == (20, (11, 10))


def test_gain_at_cap_is_none_and_brings_no_legacy_token() -> None:
    table = fought("4xguard icon", "raiders", left=("levy", ""), territory=20).table
    assert (table.territory, table.legacy) == (20, (11, 10)), "one token for the icon, none for the victory"


@pytest.mark.parametrize(("foes", "territory"), [("horsemen raiders", 0), ("khan", -1)])
def test_territory_at_zero_or_less_ends_the_game_at_once(foes: str, territory: int) -> None:
    state = fought("2xicon", foes, left=("levy", "raiders"), territory=3)
    assert state.is_over and state.to_move is None and state.legal_actions() == ()
    assert state.table.legacy == (7, 10), "three tokens lost; no Legacy Phase, so nothing for the icons"
    result = state.result()
    assert (result.territory, result.turns, result.winners, result.collapsed) == (territory, 1, (1,), True)
    with pytest.raises(IllegalAction, match="the game is over"):
        state.apply(Meld())


def test_legacy_floor() -> None:
    assert fought("", "raiders", left=("levy", "raiders"), legacy=(0, 4)).table.legacy == (0, 4)
    assert fought("", "khan", left=("levy", "raiders"), legacy=(2, 4), territory=4).table.legacy == (0, 4)


def test_loss_before_legacy() -> None:
    assert fought("icon", "raiders", left=("levy", "raiders"), legacy=(0, 4)).table.legacy == (1, 4)


def test_unique_cards_are_removed_once_melded_and_others_discarded() -> None:
    table = fought("general levy church", "khan raiders plague", left=("guard", "coup")).table
    assert table.removed == ("church", "general", "khan")
    assert table.discards == (("levy",), ("plague", "raiders"))


def test_unique_cards_that_were_not_melded_are_discarded_and_come_back() -> None:
    state = fought("levy", "raiders", left=("general guard", "khan"))
    after = state.apply(HandOver("khan")).apply(HandOver("guard"))
    assert "general" in (*after.table.discards[BYZ], *after.piles[BYZ], *after.hands[1])
    assert "general" not in after.table.removed


# -- End Phase ---------------------------------------------------------------------------------------------------------


def test_passed_card_goes_to_the_other_player_and_the_rest_is_discarded() -> None:
    draws = (("levy",) * 8, ("raiders",) * 7)
    state = fought("guard", "raiders", left=("duke icon", "coup horsemen"), chance=Recorded(draws))
    assert (state.phase, state.to_move) == (Phase.PASS, 1)
    assert refused(state, HandOver("raiders")) == "Raiders is not in the hand"
    state = state.apply(HandOver("coup"))
    assert state.table.discards[FOE] == ("horsemen", "raiders")
    assert (state.table.sizes, state.to_move) == ((2, 1), 0)
    after = state.apply(HandOver("icon"))
    assert after.table.emperor == 1
    assert "icon" in after.hands[1] and "icon" in after.table.known[1], "who passed it knows it"
    assert "coup" in after.hands[0] and "coup" in after.table.known[0]
    assert Counter(after.hands[1]) == Counter({"levy": 8, "icon": 1}), "it counts for the hand"


def test_passed_card_is_one_only_if_there_are_cards_left() -> None:
    after = fought("guard", "raiders", left=("", "coup"))
    assert (after.phase, after.to_move) == (Phase.PASS, 1)
    after = after.apply(HandOver("coup"))
    assert after.table.turn == 2 and after.table.sizes == (8, 9)
    assert fought("guard", "raiders").table.turn == 2


def test_passed_card_of_an_age_that_is_over_is_replaced_and_leaves_the_game() -> None:
    after = fought("guard", "raiders", left=("old-guard", "old-raiders"), turn=4)
    after = finish_turn(after)
    assert {"old-guard", "old-raiders"} <= set(after.table.removed)
    assert after.table.sizes == (8, 8)


def test_no_last_pass() -> None:
    state = fought("guard", "raiders", left=("levy", "coup"), turn=12)
    assert state.is_over and not state.result().collapsed and state.result().turns == 12


def test_final_tie_is_shared() -> None:
    state = fought("guard", "horsemen", turn=12)
    assert state.result().winners == (0, 1)
    assert fought("guard", "raiders", turn=12).result().winners == (0,)
    with pytest.raises(ValueError, match="the game is not over yet"):
        moment("levy", "raiders").result()


# -- chance ------------------------------------------------------------------------------------------------------------


def test_same_seed_same_game_and_every_card_is_drawn_equally_often() -> None:
    assert new_game(SMALL, 5) == new_game(SMALL, 5) != new_game(SMALL, 6)
    pile = tuple(f"card-{i}" for i in range(10))
    drawn = Counter(Seeded(seed).pick(Side.FOES, pile, 3) for seed in range(4000))
    assert set(drawn) == set(pile)
    assert sum((n - 400) ** 2 / 400 for n in drawn.values()) < 27.9  # chi-square, 9 degrees, one in a thousand
    with pytest.raises(TypeError, match="a seed is a whole number, not str"):
        new_game(SMALL, "1")  # type: ignore[arg-type]


def test_draws_of_one_deck_do_not_depend_on_those_of_the_other() -> None:
    first = moment("levy", "4xraiders", phase=Phase.REDRAW)
    one, other = (first.apply(Redraw(cards)).apply(Redraw("levy")) for cards in ("raiders", "3xraiders"))
    assert one.hands[0] == other.hands[0] and one.hands[1] != other.hands[1]
