"""A position that no game can lead to is refused, with all that is wrong; one that a game led to never is."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from byzanz_lab.game.actions import Sell
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.fault import Fault, InvalidPosition
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.position_faults import faults
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State
from byzanz_lab.game.table import Phase
from tests.game.position_games import states
from tests.game.random_play import random_game
from tests.game.tables import begin, play

NO_CARDS = Cards()


def test_what_a_game_leads_to_has_no_faults_for_any_seat() -> None:
    for number, state in enumerate(states()[::3]):
        assert faults(observe(state, number % state.rules.seats)) == ()


@given(st.sampled_from([3, 4, 5, 6]), st.integers(1_000, 1_000_000))
@settings(max_examples=10)
def test_what_any_game_leads_to_has_no_faults(seats: int, seed: int) -> None:
    for number, played in enumerate(random_game(seats, seed)):
        if number % 4 == seed % 4:
            assert faults(observe(played.after, (number + seed) % seats)) == ()


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_what_many_games_lead_to_has_no_faults(seats: int) -> None:
    for seed in range(2_000, 2_100):
        for number, played in enumerate(random_game(seats, seed)):
            assert faults(observe(played.after, number % seats)) == ()


# -- one auction, exactly --------------------------------------------------------------------------------------------


def reachable(starts: list[State]) -> dict[tuple[tuple[Cards, ...], tuple[int, ...], int | None], State]:
    """All moments of one auction, whatever is bid or passed in it; nobody sells."""
    found: dict[tuple[tuple[Cards, ...], tuple[int, ...], int | None], State] = {}
    ahead = list(starts)
    while ahead:
        state = ahead.pop()
        table = state.table
        key = (table.bids, table.passes, table.to_move)
        if key not in found:
            found[key] = state
            after = [state.apply(action) for action in state.legal_actions() if not isinstance(action, Sell)]
            ahead += [s for s in after if s.phase is Phase.AUCTION and s.table.offers == table.offers]
    return found


def all_imaginable(state: State) -> Iterator[Position]:
    """Every combination of open bids, passes and seat on the move of one auction, possible or not."""
    table, seats = state.table, range(state.rules.seats)
    bidders = [seat for seat in seats if not table.offers[seat]]
    goods = [hand.monus(hand.group("D")) for hand in state.hands]
    bids = [list(goods[seat].submultisets()) if seat in bidders else [NO_CARDS] for seat in seats]
    passes = [order for n in range(len(bidders) + 1) for order in permutations(bidders, n)]
    for bid, passed, to_move in product(product(*bids), passes, bidders):
        if not any(bid[seat] for seat in passed):
            hands = [hand - cards for hand, cards in zip(state.hands, bid, strict=True)]
            yield Position(
                0, replace(table, bids=bid, passes=passed, to_move=to_move, sizes=tuple(map(len, hands))), hands[0]
            )


THREE = ["Cl1 Cl2 D D", "Gr1 Gr2 D D", "Ol1 Ol2 D D"]
UNEQUAL = ["3xCl1 D", "Gr1 Gr2 Gr3 D", "2xOl1 Ol2 D"]
FOUR = ["2xCl1 D D", "Gr1 Gr2 D D", "Ol1 Ol2 D D", "Sp1 D D D"]
AFTER_A_LOT = play(
    begin([*THREE, "Sp1 Sp2 D D"], "Wo1 Wo2 Wo3 D D", start=1), "1 bid Gr1", "2 pass", "3 pass", "0 pass", "1 tax D"
)


@pytest.mark.parametrize(
    "starts",
    [
        [begin(THREE, start=seat) for seat in range(3)],
        [begin(UNEQUAL, start=seat) for seat in range(3)],
        [begin(FOUR, start=seat) for seat in range(4)],
        [AFTER_A_LOT],
    ],
    ids=["three", "unequal", "four", "known opener"],
)
def test_bids_passes_and_turn_are_refused_just_when_no_auction_comes_to_them(starts: list[State]) -> None:
    found = reachable(starts)
    wrong = [
        (position.bids, position.passes, position.to_move)
        for position in all_imaginable(starts[0])
        if (not faults(position)) != ((position.bids, position.passes, position.to_move) in found)
    ]
    assert len(found) > 25 and not wrong


# -- each thing that can be wrong ------------------------------------------------------------------------------------

START: dict[str, Any] = {"rules": 4, "hand": "Wi4 Wi1 Sp2 D", "lot": "2xSp1 Gr3 D Cl2"}
MARKET: dict[str, Any] = {
    "rules": 3, "hand": "Wi4", "phase": "market", "offers": {0: 2, 1: 4, 2: 6}, "market": "Cl1 Cl2 D",
    "profits": {0: 3},
    "gone": "Sp1 Sp2 Sp3 3xGr1", "known": {1: "Ol1 Ol2 Wo1", 2: "3xGr2"}, "unknown": {1: 4, 2: 4},
}  # fmt: skip
END: dict[str, Any] = {
    "rules": 3, "hand": "Wi4", "phase": "closing", "round": 8, "offers": {0: 2, 1: 4, 2: 6}, "unknown": {1: 1, 2: 1},
    "gone": Cards.from_counts(Rules.copies) - Cards("Wi4 6xCl1"),
}  # fmt: skip

WRONG: dict[str, tuple[dict[str, Any], list[str]]] = {
    "more copies than exist": (
        START | {"hand": "2xWi4 Wi1 D", "bids": {2: "Wi4"}, "passed": [1, 3]},
        ["hand: there are 2 Wi4, not 3 (2 in hand, 1 in bids[2])"],
    ),
    "a dealer in a bid": (START | {"bids": {3: "Cl1 D"}}, ["bids[3]: dealers cannot be bid"]),
    "a bid of a seat that has won": (
        START | {"lot": "2xSp1 Gr3 D", "offers": {3: 5}, "bids": {3: "Cl1"}},
        ["bids[3]: seat 3 has won the offer card 5 and cannot bid"],
    ),
    "a bid of a seat that has passed": (
        START | {"passed": [3], "bids": {3: "Cl1"}},
        ["bids[3]: seat 3 has passed and has its bid back in hand"],
    ),
    "a lot of the wrong size": (
        START | {"lot": "2xSp1 Gr3 D"},
        ["lot: this lot has 5 cards, by its offer card, not 4"],
    ),
    "a lot where none is": (MARKET | {"lot": "D"}, ["lot: no lot is on the table in the phase market"]),
    "two seats with one offer card": (
        MARKET | {"offers": {0: 2, 1: 4, 2: 4}},
        ["offers[2]: seat 1 has won the offer card 4 already", "offers: lots go from the highest offer card down"],
    ),
    "an offer card that is not in use": (
        START | {"offers": {1: 6}},
        ["offers[1]: there is no offer card 6, with 4 seats they are 5, 4, 3, 2"],
    ),
    "a lower offer card before a higher": (
        START | {"offers": {1: 3, 2: 5}},
        ["offers: lots go from the highest offer card down, and nobody has won the 4"],
    ),
    "two equal bids": (
        START | {"bids": {2: "Cl2", 3: "Gr2"}, "passed": [1]},
        ["bids[3]: seat 3 cannot have bid 2 after the 2 of seat 2"],
    ),
    "a lower bid after a higher": (
        START | {"bids": {2: "Cl3", 3: "Gr2"}, "passed": [1]},
        ["bids[3]: seat 3 cannot have bid 2 after the 3 of seat 2"],
    ),
    "a seat left out": (
        START | {"bids": {1: "Cl1"}},
        ["bids[2]: seat 2 has neither bid nor passed", "bids[3]: seat 3 has neither bid nor passed"],
    ),
    "the highest bidder on the move": (
        START | {"hand": "Wi4 Wi1 D", "bids": {0: "Sp2"}, "passed": [1, 2]},
        ["to_move: seat 0 holds the highest bid, 2"],
    ),
    "a passer on the move": (START | {"to_move": 1, "passed": [1]}, ["to_move: seat 1 has passed in this auction"]),
    "a winner on the move": (
        START | {"lot": "2xSp1 Gr3 D", "offers": {0: 5}, "known": {0: "Wi4 Wi1 Sp2 D"}, "gone": "Cl1 Gr1 Ol1 Wo1 Wo1"},
        ["to_move: seat 0 has won the offer card 5"],
    ),
    "the wrong opener": (
        START | {"lot": "2xSp1 Gr3 D", "offers": {2: 5}, "unknown": {1: 4, 2: 4, 3: 4}},
        ["to_move: seat 3 opened this auction (first to the left of the last winner, seat 2)"],
    ),
    "an order of passing against the turns": (
        START | {"passed": [3, 2, 1]},
        ["passed: the order of passing must be [1, 2, 3], as no turn has come round twice"],
    ),
    "more turns than bids have cards": (
        START | {"hand": "Wi4 Sp2 D", "bids": {0: "Wi1", 3: "Gr2"}, "passed": [2, 1]},
        ["passed: with passing in the order [2, 1] there have been more turns than the open bids allow"],
    ),
    "a winner who passes": (
        START | {"lot": "2xSp1 Gr3 D", "offers": {2: 5}, "to_move": 3, "passed": [2]},
        ["passed: seat 2 has won the offer card 5 and is not in this auction"],
    ),
    "passing twice": (START | {"passed": [1, 1]}, ["passed: seat 1 can pass only once"]),
    "passing where there is no auction": (MARKET | {"passed": [1]}, ["passed: there is no auction to pass in"]),
    "a lot won before all have passed": (
        START | {"phase": "tax", "hand": "Wi4 Wi1 D", "market": "Sp2", "passed": [1]},
        ["passed: a lot is won when all others have passed, seats 2, 3 have not"],
    ),
    "a bid outside an auction": (
        MARKET | {"bids": {2: "Cl1"}, "known": {}, "gone": "6xD"},
        ["bids[2]: no bid lies open in the phase market", "bids[2]: seat 2 has won the offer card 6 and cannot bid"],
    ),
    "a round too many": (START | {"round": 7}, ["round: 4 seats play rounds 1 to 6, there is no round 7"]),
    "round 0": (START | {"round": 0}, ["round: 4 seats play rounds 1 to 6, there is no round 0"]),
    "an end before the last round": (END | {"round": 7}, ["round: the game ends with round 8, not 7"]),
    "an auction for one seat": (
        START | {"lot": "D D", "offers": {1: 5, 2: 4, 3: 3}},
        ["phase: there is nothing to bid for, only seat 0 has yet to win a lot"],
    ),
    "a last lot for two": (
        START | {"phase": "last_lot", "offers": {1: 5}},
        ["phase: the last lot is for the last seat"],
    ),
    "a last lot of one card": (
        START | {"rules": 5, "phase": "last_lot", "lot": "D", "offers": {1: 5, 2: 4, 3: 3, 4: 2}},
        ["phase: the last lot is a single card with 5 seats"],
    ),
    "a market before all have won": (
        MARKET | {"offers": {1: 4, 2: 6}},
        ["offers: the market opens when all lots are won, and seat 0 has none"],
    ),
    "a hand over its limit": (
        END | {"hand": "8xWi4"},
        ["hand: seat 0 holds 8 cards, over the limit of 7", "hand: there are 2 Wi4, not 9 (8 in hand, 1 in gone)"],
    ),
    "a rival over his limit": (
        END | {"unknown": {1: 8, 2: 1}},
        ["unknown[1]: seat 1 holds 8 cards, over the limit of 7"],
    ),
    "nobody over the limit": (
        MARKET | {"phase": "hand_limit", "picked": 1},
        ["phase: seat 0 holds 1 cards and is not over the limit of 7"],
    ),
    "too many cards received": (
        MARKET | {"phase": "hand_limit", "picked": 0, "hand": "6xWi1 5xWi2"},
        ["hand: seat 0 can have at most 8 cards"],
    ),
    "more than were dealt": (
        START | {"hand": "Wi4 Wi1 Sp2 D Cl1"},
        ["hand: before its first lot seat 0 holds 4 cards, or 1 after selling a set, not 5"],
    ),
    "more known than held": (
        START | {"sizes": {1: 1}, "known": {1: "Cl1 Cl2"}},
        ["sizes[1]: a hand of 1 does not fit 2 known cards"],
    ),
    "a card that the others know and the hand lacks": (
        START | {"known": {0: "Wi4 Cl1"}},
        ["known[0]: the others cannot know of Cl1"],
    ),
    "a profit below 0": (START | {"profits": {2: -1}}, ["profits[2]: a profit is never below 0, not -1"]),
    "profits that the cards gone cannot have made": (
        MARKET | {"profits": {0: 3, 1: 2}},
        ["profits: come to 5 together, but sets of the cards gone make 4 at most"],
    ),
    "the wrong seat at the market": (MARKET | {"picked": 1}, ["to_move: after 1 seats it is seat 1 that picks"]),
    "a market visit before the market": (START | {"picked": 1}, ["picked: in this phase 0 seats have had their turn"]),
    "a market without cards": (MARKET | {"market": ""}, ["market: the market is open only while it holds cards"]),
    "a market at the start of a round": (START | {"market": "Cl1 Cl2"}, ["market: the market is empty when a round"]),
    "a market full of dealers": (MARKET | {"market": "4xD"}, ["market: holds more dealers than lots were won, 3"]),
    "a market that no bids make": (
        START | {"lot": "2xSp1 Gr3 D", "offers": {3: 5}, "market": "Cl1", "to_move": 0},
        ["market: cannot have come from 1 lots"],
    ),
    "groups that have been taken": (
        MARKET | {"picked": 1, "to_move": 1, "market": "Cl1 Gr1 Ol1 Sp1 Wi1 Wo1 D"},
        ["market: holds 7 groups, but 1 of 7 have been taken"],
    ),
    "a market after the end": (END | {"market": "Cl1"}, ["market: what was left of the last market is gone"]),
    "cards that do not add up": (
        MARKET | {"gone": "Sp1 Sp2 Sp3"},
        ["gone: 1 hand + 3 market + 6 known + 8 unknown + 3 gone + 84 deck + 4 removed make 109 of 112 cards, 3 "],
    ),
    "a closing sale finished twice": (END | {"done": [1, 1]}, ["done: seat 1 can finish its closing sale only once"]),
    "a closing sale too early": (MARKET | {"done": [1]}, ["done: the closing sale has not begun"]),
    "a closing sale without end": (END | {"done": [2, 1, 0]}, ["done: all are done, so the game is over"]),
    "a game over too early": (END | {"phase": "over"}, ["done: the game is over when all are done, and seats 0, 1, 2"]),
    "somebody on the move after the end": (
        END | {"phase": "over", "done": [0, 1, 2], "to_move": 1},
        ["to_move: the game is over, nobody is on the move"],
    ),
    "the wrong seat in the closing sale": (
        END | {"to_move": 1},
        ["to_move: in the closing sale it is the first seat that is not done: seat 0"],
    ),
    "the wrong seat over its limit": (
        MARKET | {"phase": "hand_limit", "picked": 2},
        ["to_move: seat 1 received cards last"],
    ),
}


@pytest.mark.parametrize("parts", [START, MARKET, END], ids=["start", "market", "end"])
def test_what_the_wrong_positions_are_made_of_is_right(parts: dict[str, Any]) -> None:
    assert faults(parts) == ()


@pytest.mark.parametrize("name", WRONG)
def test_is_refused(name: str) -> None:
    parts, expected = WRONG[name]
    count = (
        () if name == "cards that do not add up" else ("gone: ", "unknown: say")
    )  # a card more or less shows there too
    found = [str(fault) for fault in faults(parts) if not str(fault).startswith(count)]
    assert len(found) == len(expected), found
    for text, beginning in zip(found, expected, strict=True):
        assert text.startswith(beginning)


def test_all_faults_are_listed_at_once_each_with_its_field() -> None:
    with pytest.raises(InvalidPosition) as caught:
        Position.at_table(
            4, hand="3xWi4 D", lot="Cl1 Cl2", round=9, offers={1: 5, 2: 5}, bids={1: "Gr1", 3: "D Ol1"}, passed=[2],
            market="D D D", profits={0: -2}, unknown={1: 4, 2: 4, 3: 4}, known={2: "4xOl1"},
        )  # fmt: skip
    assert [str(fault) for fault in caught.value.faults] == [
        "offers[2]: seat 1 has won the offer card 5 already",
        "round: 4 seats play rounds 1 to 6, there is no round 9",
        "passed: seat 2 has won the offer card 5 and is not in this auction",
        "bids[1]: seat 1 has won the offer card 5 and cannot bid",
        "bids[3]: dealers cannot be bid",
        "hand: there are 2 Wi4, not 3 (3 in hand)",
        "profits[0]: a profit is never below 0, not -2",
    ]
    assert str(caught.value) == "this position cannot be: " + "; ".join(map(str, caught.value.faults))


def test_a_fault_that_only_follows_from_another_is_not_listed() -> None:
    assert [fault.field for fault in faults(START | {"lot": "2xSp9"})] == ["lot"], "not that the lot is too small"
    assert [fault.field for fault in faults(START | {"phase": "auktion"})] == ["phase"]
    assert [fault.field for fault in faults(START | {"offers": {1: 9}})] == ["offers[1]"]


def test_the_error_travels_between_processes() -> None:
    error = InvalidPosition((Fault("hand", "is missing"), Fault("bids[1]", "dealers cannot be bid")))
    assert pickle.loads(pickle.dumps(error)).faults == error.faults
    assert [fault.base for fault in error.faults] == ["hand", "bids"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seat", 9), ("seat", True), ("hand", "Wi4"), ("to_move", -1), ("phase", "auction!"), ("round", "1"),
        ("round", 10**4000), ("offers", (0, 0, 0)), ("bids", ("Cl1",) * 4), ("known", [NO_CARDS] * 4),
        ("profits", (1.5, 0, 0, 0)), ("passes", (9,)), ("done", None), ("lot", None), ("sizes", (4, 4, 4)),
    ],
)  # fmt: skip
def test_values_of_the_wrong_kind_are_a_fault_not_an_accident(field: str, value: object) -> None:
    position = Position.at_table(**START)  # type: ignore[arg-type]
    if field in ("seat", "hand"):
        position = replace(position, **{field: value})
    else:
        position = replace(position, table=replace(position.table, **{field: value}))
    assert [fault.base for fault in faults(position)] == ["passed" if field == "passes" else field]
