"""The rulings on the deal, auctions, tax and the order of auctions, one or more tests each, by their names."""

from __future__ import annotations

import pytest

from byzanz_lab.game.actions import Bid, Pass, Take, Tax
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import deal, new_game
from byzanz_lab.game.table import IllegalAction, Phase
from tests.game.tables import begin, bids, options, play, sales

ONES = ["4xCl1", "4xGr1", "4xOl1", "4xSp1", "4xWi1", "4xWo1"]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_removed_mixed(seats: int) -> None:
    games = [new_game(Rules.for_seats(seats), seed) for seed in range(40)]
    assert all(len(game.removed or "") == game.rules.removed for game in games)
    removed = sum((game.removed for game in games if game.removed is not None), Cards())
    assert removed.dealers and len(removed.groups()) == 7, "goods and dealers are removed together"
    assert not any(game.table.gone for game in games), "nobody sees them"


def test_new_game_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    rules = Rules.for_seats(4)
    assert new_game(rules, 7) == new_game(rules, 7) != new_game(rules, 8)
    assert new_game(rules, 7, start_player=2).to_move == 2


def test_pass_final() -> None:
    game = begin(["Cl1 Gr2 Wi4 D", *ONES[1:4]])
    game = play(game, "0 bid Cl1", "1 bid 2xGr1", "2 pass", "3 bid 3xSp1", "0 pass")
    assert game.hands[0] == Cards("Cl1 Gr2 Wi4 D") and not game.table.bids[0], "the open bid is back in the hand"
    assert game.table.still_in == (1, 3)
    game = play(game, "1 bid 2xGr1")
    assert game.to_move == 3, "seat 2 and seat 0 are not asked again"
    assert game.can(Pass(), 3) and not game.can(Bid("Wi4 Gr2"), 0)
    with pytest.raises(IllegalAction, match="it is the turn of seat 3"):
        game.apply(Bid("Wi4 Gr2"), 0)
    game = play(game, "3 pass", "1 tax " + game.table.lot.codes()[0])
    assert game.to_move == 2, "a pass holds for one auction, not for the round"
    assert set(game.table.still_in) == {0, 2, 3}


def test_raise_adds() -> None:
    game = begin(["Cl1 Gr2 Wi3 Wi4", "Sp2 Sp3 2xD", *ONES[2:4]])
    game = play(game, "0 bid Cl1 Gr2", "1 bid Sp2 Sp3", "2 pass", "3 pass")
    assert bids(game) == {"bid Wi3", "bid Wi4", "bid Wi3 Wi4"}, "3 lie already, 6 are needed; the 3 stay"
    with pytest.raises(IllegalAction, match="the hand does not hold Gr2"):
        game.apply(Bid("Gr2 Wi4"))
    game = play(game, "0 bid Wi3")
    assert game.table.bids[0] == Cards("Cl1 Gr2 Wi3") and game.hands[0] == Cards("Wi4")


def test_bid_beats() -> None:
    game = begin(["Cl3 3xD", "Gr1 Gr2 Gr3 Gr4", "4xD", *ONES[3:4]])
    game = play(game, "0 bid Cl3")
    with pytest.raises(IllegalAction, match="the bid comes to 3 and must beat 3"):
        game.apply(Bid("Gr1 Gr2"))
    assert bids(game) == {str(Bid(c)) for c in Cards("Gr1 Gr2 Gr3 Gr4").submultisets() if c.total > 3}
    game = play(game, "1 bid Gr4")
    assert options(game) == {"pass", "sell 3xD"}, "with no goods in hand one can only pass"
    with pytest.raises(IllegalAction, match="dealers cannot be bid"):
        game.apply(Bid("D"))


def test_bid_beats_nothing_with_one_card_of_one() -> None:
    game = begin(["Cl1 3xD", *ONES[1:4]])
    assert options(game) == {"pass", "bid Cl1", "sell 3xD", "sell Cl1 2xD"}


def test_bid_open() -> None:
    game = begin(["3xCl1 D", "3xGr1 Gr4", *ONES[2:4]])
    assert sales(game, 0) == {"sell 3xCl1", "sell 2xCl1 D"}
    game = play(game, "0 bid 2xCl1")
    assert game.table.bids[0] == Cards("2xCl1") and game.table.sizes[0] == 2, "all can see it; it is not in hand"
    assert sales(game, 0) == set(), "cards of an open bid cannot be sold"
    game = play(game, "1 bid 3xGr1", "2 pass", "3 pass", "0 pass")
    assert sales(game, 0) == {"sell 3xCl1", "sell 2xCl1 D"}, "they are his hand again once he passes"
    assert game.table.known[0] == Cards("2xCl1"), "and all know it"


def test_auction_ends_with_one_bidder_left() -> None:
    game = play(begin(ONES[:4]), "0 pass", "1 bid Gr1", "2 pass")
    assert game.phase is Phase.AUCTION
    game = play(game, "3 pass")
    assert (game.phase, game.to_move) == (Phase.TAX, 1)


def test_auction_ends_at_once_when_the_last_seat_bids() -> None:
    game = play(begin(ONES[:4]), "0 pass", "1 pass", "2 pass")
    assert options(game) == {"pass", "sell 3xSp1", *(f"bid {n}Sp1" for n in ("", "2x", "3x", "4x"))}
    game = play(game, "3 bid Sp1")
    assert (game.phase, game.to_move) == (Phase.TAX, 3)


def test_all_pass() -> None:
    game = begin(ONES[:4], "Cl2 Gr2 D D Wi4", start=2)
    game = play(game, "2 pass", "3 pass", "0 pass", "1 pass")
    assert game.table.offers == (0, 0, 5, 0), "the first passer has it"
    assert game.hands[2] == Cards("4xOl1 Cl2 Gr2 2xD Wi4"), "the whole lot, no payment"
    assert not game.table.market, "no tax card"
    assert (game.phase, game.to_move) == (Phase.HAND_LIMIT, 2)


def test_tax() -> None:
    game = begin(["Cl1 Gr2 2xD", *ONES[1:4]], "D Wi4 Sp1 Sp1 Ol2")
    game = play(game, "0 bid Cl1 Gr2", "1 pass", "2 pass", "3 pass")
    assert game.table.market == Cards("Cl1 Gr2"), "first the bid goes into the market"
    assert options(game) == {"tax D", "tax Wi4", "tax Sp1", "tax Ol2"}, "then one card of the lot, a dealer too"
    with pytest.raises(IllegalAction, match="the lot Ol2 2xSp1 Wi4 D does not hold Cl1"):
        game.apply(Tax("Cl1"))
    game = play(game, "0 tax D")
    assert game.table.market == Cards("Cl1 Gr2 D")
    assert game.hands[0] == Cards("2xD Ol2 2xSp1 Wi4"), "then he takes the rest"
    assert game.table.offers == (5, 0, 0, 0)


LOTS = {
    3: "Cl2 Cl3 Gr3 Gr4 Ol2 Ol3 | Sp2 Sp3 Wi2 Wi3 | Wo4 D",
    4: "Cl2 Cl3 Gr3 Gr4 Ol2 | Sp2 Sp3 Wi2 Wi3 | Wo2 Wo3 D | Wo4 D",
}


@pytest.mark.parametrize("seats", [3, 4])
def test_last_lot_of_two_cards(seats: int) -> None:
    game = begin(ONES[:seats], LOTS[seats])
    for seat in range(seats - 1):
        game = play(game, f"{seat} bid {ONES[seat][2:]}", *(f"{s} pass" for s in range(seat + 1, seats)))
        game = play(game, f"{seat} tax {game.table.lot.codes()[0]}")
        if game.phase is Phase.HAND_LIMIT:
            game = play(game, f"{seat} discard {ONES[seat][2:]}")
    last = seats - 1
    assert (game.phase, game.to_move, game.table.lot) == (Phase.LAST_LOT, last, Cards("Wo4 D"))
    assert {"tax Wo4", "tax D"} <= options(game) and "pass" not in options(game), "no bidding"
    paid, hand = game.table.market, game.hands[last]
    game = play(game, f"{last} tax D")
    assert game.table.market == paid + Cards("D") and game.hands[last] == hand + Cards("Wo4")
    assert (game.phase, game.to_move) == (Phase.MARKET, last)


@pytest.mark.parametrize("to_hand", [False, True])
@pytest.mark.parametrize("seats", [5, 6])
def test_last_lot_of_one_card(seats: int, to_hand: bool) -> None:
    game = new_game(Rules.for_seats(seats, last_card_to_hand=to_hand), 11)
    for opener in range(seats - 1):
        card = game.deck[0]
        while game.phase is Phase.AUCTION and game.table.lots_won == opener:
            game = game.apply(Pass())
        while game.phase is Phase.HAND_LIMIT:
            game = game.apply(game.legal_actions()[0])
    if to_hand:
        assert game.table.round == 2 and len(game.hands[-1]) == 5, "kept; nothing was paid, so the market is empty"
        assert game.table.known[-1].counts[card] == 1
    else:
        assert (game.phase, game.to_move) == (Phase.MARKET, seats - 1)
        assert game.table.market.counts[card] == 1 and len(game.table.market) == 1
        assert len(game.hands[-1]) == 4, "nothing to hand"


def test_last_lot_variant_changes_nothing_at_smaller_tables() -> None:
    plain, variant = (new_game(Rules.for_seats(3, last_card_to_hand=on), 2) for on in (False, True))
    for _ in range(400):
        if plain.is_over:
            break
        action = plain.legal_actions()[-1 if plain.phase is not Phase.AUCTION else 0]
        plain, variant = plain.apply(action), variant.apply(action)
    assert plain.is_over and plain.result() == variant.result() and plain.hands == variant.hands


def test_next_opener_is_the_first_to_the_left_that_has_not_won() -> None:
    game = begin(ONES[:5])
    game = play(game, "0 pass", "1 pass", "2 pass", "3 bid Sp1", "4 pass", "3 tax " + game.table.lot.codes()[0])
    assert game.to_move == 4
    game = play(game, "4 pass", "0 pass", "1 pass", "2 bid Ol1", "2 tax " + game.table.lot.codes()[0])
    assert game.to_move == 4, "seat 3 has won, so seat 4 is first to the left of seat 2"


def test_next_opener_of_a_round_held_the_lowest_offer_card() -> None:
    game = new_game(Rules.for_seats(4), 3)
    lowest = None
    while game.table.round == 1:
        if game.phase is Phase.LAST_LOT:
            lowest = game.to_move
        game = game.apply(game.legal_actions()[0])
    assert game.to_move == lowest is not None
    assert game.table.offers == (0, 0, 0, 0) and game.table.offer == 5


def test_deal_refuses_what_cannot_be() -> None:
    rules = Rules.for_seats(3)
    good = new_game(rules, 1)
    deck = (*good.table.lot.codes(), *good.deck)
    assert deal(rules, good.hands, deck, good.removed) == good
    for hands, cards, removed, start, complaint in [
        (good.hands[:2], deck, good.removed, 0, "3 seats need 3 hands, not 2"),
        ((*good.hands[:2], Cards("D")), deck, good.removed, 0, "seat 2 is dealt 4 cards, not 1"),
        (good.hands, deck[1:], good.removed, 0, "the deck has 96 cards, not 95"),
        (good.hands, (*deck, 0), None, 0, "the deck has 96 cards, not 97"),
        (good.hands, deck[:5], None, 0, "the deck has 96 cards, not 5"),
        (good.hands, deck, Cards("D"), 0, "4 cards are removed, not 1"),
        (good.hands, (24,) * 96, None, 0, "more copies than exist"),
        (good.hands, (25, *deck[1:]), good.removed, 0, "unknown card 25"),
        (good.hands, ("wi4", *deck[1:]), good.removed, 0, "unknown card 'wi4'"),
        (good.hands, deck, good.removed, 3, "there is no seat 3 to start"),
        (good.hands, deck, good.removed, True, "there is no seat True to start"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            deal(rules, hands, cards, removed, start)


def test_who_is_not_a_seat_cannot_act() -> None:
    game = begin(ONES[:4])
    for seat in (-1, 4, True, "0"):
        with pytest.raises(IllegalAction, match="there is no seat"):
            game.apply(Pass(), seat)  # type: ignore[arg-type]
    with pytest.raises(IllegalAction, match="the market is not open"):
        game.apply(Take("Wi"))
