"""The rulings on the market, sales, the hand limit, what is known, and the end, by their names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from byzanz_lab.game.actions import Decline, Discard, Done, Sell, Take
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import IllegalAction, Phase
from tests.game.random_play import random_game
from tests.game.tables import begin, closing, drops, options, play, sales

HANDS = ["4xCl1", "4xGr1", "3xOl1 D", "2xSp1 2xD"]
LOTS = "Cl2 Cl3 Gr3 Gr4 Ol2 | Sp2 Sp3 Wi2 Wi3 | Wo2 Wo3 D | Wo4 D"


def market(**variant: Any) -> State:
    """The first market of a game of four: seats 0 to 3 hold the offer cards 5 4 3 2, and cloth, grain … were paid."""
    game = begin(HANDS, LOTS, **variant)
    for seat, (bid, tax) in enumerate([("2xCl1", "Gr3"), ("2xGr1", "Wi3"), ("Ol1", "D")]):
        game = play(game, f"{seat} bid {bid}", *(f"{s} pass" for s in range(seat + 1, 4)), f"{seat} tax {tax}")
    return play(game, "3 tax D")


def test_market_order() -> None:
    game = market()
    assert game.table.market == Cards("2xCl1 2xGr1 Gr3 Ol1 Wi3 2xD")
    assert game.table.pick_order == (3, 2, 1, 0), "ascending offer card"
    assert options(game) - sales(game, 3) == {"take Cl", "take Gr", "take Ol", "take Wi", "take D"}
    before = game.hands[3]
    game = play(game, "3 take Gr")
    assert game.hands[3] == before + Cards("2xGr1 Gr3"), "the whole group, into his hand"
    assert game.table.market == Cards("2xCl1 Ol1 Wi3 2xD")
    assert game.phase is Phase.HAND_LIMIT
    game = play(game, "3 discard Gr1")
    assert game.to_move == 2
    game = play(game, "2 take D", "1 take Wi", "0 take Ol")
    assert game.table.gone == Cards("Gr1 2xCl1") and not game.table.market, "the rest leaves the game"
    assert (game.table.round, game.to_move) == (2, 3)


def test_market_order_refuses_groups_that_are_not_there() -> None:
    with pytest.raises(IllegalAction, match="has no group Sp"):
        market().apply(Take("Sp"))
    with pytest.raises(IllegalAction, match="it is the turn of seat 3"):
        market().apply(Take("Cl"), 0)


def test_market_must() -> None:
    game = market()
    assert not game.can(Decline())
    with pytest.raises(IllegalAction, match="a group must be taken while one is there"):
        game.apply(Decline())


def test_market_must_gives_nothing_where_no_group_is_left() -> None:
    game = begin(HANDS, LOTS)
    game = play(game, "0 pass", "1 pass", "2 pass", "3 pass", "0 discard 2xCl1")
    game = play(game, "1 pass", "2 pass", "3 pass", "1 discard Gr1", "2 pass", "3 pass", "3 tax D")
    assert game.table.market == Cards("D")
    sizes = game.table.sizes
    game = play(game, "3 take D")
    assert game.table.round == 2, "seats 2, 1 and 0 are passed over"
    assert game.table.sizes == (*sizes[:3], sizes[3] + 1)
    assert game.to_move == 3


def test_may_decline_market() -> None:
    game = market(may_decline_market=True)
    assert "decline" in options(game)
    size = len(game.table.market)
    game = play(game, "3 decline")
    assert game.to_move == 2 and len(game.table.market) == size and not game.table.gone
    game = play(game, "2 decline", "1 decline", "0 decline")
    assert game.table.round == 2 and len(game.table.gone) == size, "what nobody takes leaves the game"


def test_sell_any_time_in_and_out_of_turn() -> None:
    game = begin(["2xCl1 2xD", "3xGr1 Gr4", *HANDS[2:]])
    assert game.to_move == 0
    for seat, text in [(0, "sell Cl1 2xD"), (1, "sell 2xGr1 Gr4"), (2, "sell 2xOl1 D"), (3, "sell Sp1 2xD")]:
        after = play(game, f"{seat} {text}")
        assert (after.phase, after.to_move) == (Phase.AUCTION, 0), "a sale does not move the turn"
        assert after.scores[seat] > 0 and len(after.hands[seat]) == 1
    game = play(game, "1 sell 2xGr1 Gr4", "0 bid Cl1", "1 pass", "2 pass", "3 pass")
    assert game.phase is Phase.TAX
    game = play(game, "2 sell 3xOl1", "0 tax " + game.table.lot.codes()[0], "3 sell 2xSp1 D")
    assert game.scores == (0, 4, 1, 1)


def test_sell_any_time_needs_a_set_in_hand() -> None:
    game = begin(["2xCl1 2xD", "2xGr1 Sp1 D", *HANDS[2:]])
    for seat, cards, complaint in [
        (0, "2xCl1", "a set has exactly 3 cards, not 2"),
        (0, "2xCl1 2xD", "a set has exactly 3 cards, not 4"),
        (1, "Gr1 Sp1 D", "a set holds goods of one kind only"),
        (0, "3xCl1", "the hand does not hold Cl1"),
        (1, "Gr1 2xD", "the hand does not hold D"),
    ]:
        with pytest.raises(IllegalAction, match=complaint):
            game.apply(Sell(cards), seat)


def test_set_profit_is_public_and_the_set_leaves_the_game() -> None:
    game = play(begin(["2xCl1 Cl4 D", "D D D Gr2", *HANDS[2:]]), "0 sell Cl1 Cl4 D", "1 sell 3xD")
    assert game.table.profits == (4, 5, 0, 0)
    assert game.table.gone == Cards("Cl1 Cl4 4xD"), "shown to all"


@pytest.mark.parametrize("limit", [7, 8])
def test_hand_limit(limit: int) -> None:
    game = begin(["4xCl1", *HANDS[1:]], "Cl2 Cl3 Gr3 Wi4 Ol2", hand_limit=limit)
    game = play(game, "0 pass", "1 pass", "2 pass", "3 pass")
    over = 9 - limit
    assert (game.phase, game.to_move, len(game.hands[0])) == (Phase.HAND_LIMIT, 0, 9)
    assert drops(game) == set(range(1, over + 1)), "down to the limit, not below"
    assert sales(game, 0) and "pass" not in options(game), "sell or discard, before anything else happens"
    with pytest.raises(IllegalAction, match=f"{over + 1} cards are too many, the hand is only {over} over its limit"):
        game.apply(Discard(game.hands[0].codes()[: over + 1]))
    sold = play(game, "0 sell 2xCl1 Cl3")
    assert (sold.phase, sold.to_move) == (Phase.AUCTION, 1), "one set is enough, and the next auction begins"
    dropped = play(game, f"0 discard {str(over) + 'x' if over > 1 else ''}Cl1")
    assert (dropped.phase, dropped.to_move, len(dropped.hands[0])) == (Phase.AUCTION, 1, limit)


def test_hand_limit_may_be_reached_step_by_step_while_others_sell() -> None:
    game = begin(["4xCl1", "2xGr1 Gr2 D", *HANDS[2:]], "Wi1 Wi2 Gr3 Wi4 Ol2")
    game = play(game, "0 pass", "1 pass", "2 pass", "3 pass", "0 discard Wi1")
    assert (game.phase, drops(game)) == (Phase.HAND_LIMIT, {1})
    game = play(game, "1 sell 2xGr1 D")
    assert (game.phase, game.to_move) == (Phase.HAND_LIMIT, 0), "another seat's sale does not end it"
    game = play(game, "0 sell 3xCl1")
    assert game.phase is Phase.AUCTION and len(game.hands[0]) == 5


def test_hand_limit_holds_at_the_market_too() -> None:
    game = play(market(), "3 take Gr")
    assert (game.phase, game.to_move) == (Phase.HAND_LIMIT, 3)
    game = play(game, "3 discard Sp1")
    assert (game.phase, game.to_move) == (Phase.MARKET, 2)


def test_hand_limit_is_the_only_time_to_discard() -> None:
    game = new_game(Rules.for_seats(4), 1)
    with pytest.raises(IllegalAction, match="cards are dropped only at the hand limit"):
        game.apply(Discard(game.hands[0].codes()[:1]))


def test_discard_open() -> None:
    game = begin(HANDS, LOTS)
    game = play(game, "0 pass", "1 pass", "2 pass", "3 pass", "0 discard Cl1 Cl2")
    assert game.table.gone == Cards("Cl1 Cl2")


def test_perfect_recall_remembers_cards_that_were_shown() -> None:
    game = play(begin(HANDS, LOTS), "0 bid 2xCl1", "1 bid 3xGr1")
    assert game.table.known == (Cards(),) * 4 and game.table.bids[0] == Cards("2xCl1"), "open bids are not in hand"
    game = play(game, "2 pass", "3 pass", "0 pass")
    assert game.table.known[0] == Cards("2xCl1"), "an open bid that came back"
    game = play(game, "1 tax Gr4")
    assert game.table.known[1] == Cards("Cl2 Cl3 Gr3 Ol2"), "a lot that was won"
    game = play(game, "2 pass", "3 pass", "0 bid 3xCl1", "0 tax Wi3")
    assert game.table.known[0] == Cards("Sp2 Sp3 Wi2"), "the third cloth was not known, the two are spent"
    game = play(game, "2 pass", "3 pass", "3 tax D", "3 take Gr")
    assert game.table.known[3] == Cards("Wo4 3xGr1 Gr4"), "a group from the market"
    game = play(game, "3 discard 2xGr1", "2 take Cl")
    assert game.table.known[3] == Cards("Wo4 Gr1 Gr4"), "cards that were dropped are in the hand no longer"


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_perfect_recall_knows_only_cards_that_are_there(seats: int) -> None:
    for seed in range(12):
        for step in random_game(seats, seed):
            table, hands = step.after.table, step.after.hands
            assert all(known <= hand for known, hand in zip(table.known, hands, strict=True))
            assert table.sizes == tuple(map(len, hands))
            hidden = [len(hand) - len(known) for known, hand in zip(table.known, hands, strict=True)]
            assert sum(hidden) <= 4 * seats, "only cards of the first deal are hidden"


def test_closing_sale_in_any_order() -> None:
    game = closing(["3xCl1 Gr1", "3xD", "2xGr1"])
    assert options(game, 0) == {"done", "sell 3xCl1"} and options(game, 2) == {"done"}
    game = play(game, "1 sell 3xD", "2 done")
    assert game.to_move == 0
    with pytest.raises(IllegalAction, match="has finished its closing sale"):
        game.apply(Done(), 2)
    game = play(game, "0 sell 3xCl1", "0 done")
    with pytest.raises(IllegalAction, match="has finished its closing sale"):
        game.apply(Sell("Cl1 Cl1 Cl1"), 0)
    assert game.to_move == 1 and not game.is_over
    game = play(game, "1 done")
    assert game.is_over and game.to_move is None and game.legal_actions() == () and game.legal_actions(1) == ()
    assert game.result().profits == (1, 5, 0), "cards left over score nothing"
    with pytest.raises(IllegalAction, match="the game is over"):
        game.apply(Done())


def test_closing_sale_comes_after_the_last_market_only() -> None:
    game = new_game(Rules.for_seats(3), 1)
    with pytest.raises(IllegalAction, match="the closing sale has not begun"):
        game.apply(Done())
    with pytest.raises(ValueError, match="not over yet"):
        game.result()
    for step in random_game(3, 5):
        game = step.after
        assert (game.phase in (Phase.CLOSING, Phase.OVER)) <= (game.table.round == 8 and not game.deck)
        if game.phase is Phase.CLOSING:
            assert not game.table.market and not game.table.lot and not any(game.table.bids)


@pytest.mark.parametrize(
    ("hands", "profits", "dealers", "goods_left", "winners"),
    [
        (["Cl1", "Cl1 Gr1", "Wi1"], [5, 5, 4], False, (1, 2, 1), (1,)),
        (["Cl1 2xD", "Cl1 Gr1", "5xWi1"], [5, 5, 4], False, (1, 2, 5), (1,)),
        (["Cl1 2xD", "Cl1 Gr1", "Wi1"], [5, 5, 4], True, (1, 2, 1), (0,)),
        (["Cl1 D", "Cl4", "Wi1"], [5, 5, 4], False, (1, 1, 1), (0, 1)),
        (["Cl1 D", "Cl1", "Gr1 Wi1"], [5, 5, 5], True, (1, 1, 2), (0, 2)),
        (["-", "5xWo1", "Wi1"], [6, 5, 4], False, (0, 5, 1), (0,)),
    ],
)
def test_tie(hands: list[str], profits: list[int], dealers: bool, goods_left: object, winners: object) -> None:
    game = closing(hands, profits, **({"tie_counts_dealers": True} if dealers else {}))
    result = play(game, "0 done", "1 done", "2 done").result()
    assert (result.profits, result.goods_left, result.winners) == (tuple(profits), goods_left, winners)


# -- consequences -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [7, 8])
def test_at_most_thirteen_cards_before_trimming(limit: int) -> None:
    game = begin(["4xCl1", "4xGr1", "4xOl1"], "2xCl2 2xCl3 Cl4 D", hand_limit=limit)
    full = replace(game, hands=(Cards(["Wi1"] * 6 + ["Gr4"] + ["Gr3"] * (limit - 7)), *game.hands[1:]))
    game = play(full, "0 pass", "1 pass", "2 pass")
    assert len(game.hands[0]) == limit + 6, "a full hand and the largest lot, unpaid"
    assert drops(game) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_at_most_thirteen_cards_before_trimming_in_any_game(seats: int) -> None:
    for seed in range(40):
        for step in random_game(seats, seed):
            if step.after.table.offers != step.before.table.offers:
                most = step.after.rules.hand_limit + step.after.rules.offers[0]
                assert max(map(len, step.after.hands)) <= most <= step.after.rules.hand_limit + 6


def test_group_of_the_market_may_be_larger_than_any_lot() -> None:
    game = market()
    wood = Cards("6xWo1 5xWo2")
    table = replace(game.table, market=wood, sizes=(*game.table.sizes[:3], 7))
    game = replace(game, table=table, hands=(*game.hands[:3], Cards("3xSp1 4xD")))
    game = play(game, "3 take Wo")
    assert len(game.hands[3]) == 18 and drops(game) == set(range(1, 12))


def test_selling_early_is_never_worth_more() -> None:
    """Whatever a seat can do after a sale, it can do before it, and sell then: both ways lead to the same game."""
    tried = 0
    for seed in range(24):
        for step in list(random_game(3 + seed % 4, seed))[::7]:
            game, seat = step.before, step.before.to_move
            assert seat is not None
            for sale in [action for action in game.legal_actions() if isinstance(action, Sell)][:3]:
                if game.phase is Phase.HAND_LIMIT:
                    continue  # it is due now
                early = game.apply(sale)
                for action in early.legal_actions(seat)[:8]:
                    if isinstance(action, Done):
                        continue  # nothing can be sold later
                    sooner, later = early.apply(action, seat), game.apply(action, seat).apply(sale, seat)
                    assert without_memory(sooner) == without_memory(later)
                    tried += 1
    assert tried > 500


def without_memory(state: State) -> State:
    """All but which cards are known: a late sale may show a card that all knew in place of one that nobody did."""
    return replace(state, table=replace(state.table, known=()))
