"""The worked examples of the rulebook: the end of an auction, the market of four players, each example of a sale."""

from __future__ import annotations

from byzanz_lab.game.actions import Bid
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.sales import set_profit, why_no_set
from byzanz_lab.game.table import Phase
from tests.game.tables import begin, options, play, sales

SUSANNE, EVA, WILHELM, AXEL = range(4)


def test_four_players_use_the_offer_cards_five_to_two() -> None:
    game = begin(["4xCl1", "4xGr1", "4xOl1", "4xSp1"])
    assert game.rules.offers == (5, 4, 3, 2) and game.rules.removed == 12
    assert game.table.offer == len(game.table.lot) == 5


def test_end_of_an_auction_that_eva_wins_with_a_bid_of_four() -> None:
    game = begin(["3xGr1 Gr2", "Cl1 2xSp1 Wi1", "4xOl1", "4xWo1"], "Cl2 Gr3 Ol4 Wo2 D")
    game = play(game, "0 bid Gr1", "1 bid Sp1 Wi1", "2 bid 3xOl1", "3 pass", "0 pass")
    assert not game.can(Bid("Cl1")), "3 does not beat 3"
    game = play(game, "1 bid Cl1 Sp1", "2 pass")
    assert game.hands[SUSANNE] == Cards("3xGr1 Gr2") and game.hands[WILHELM] == Cards("4xOl1"), "bids have come back"
    assert (game.phase, game.to_move) == (Phase.TAX, EVA)
    assert game.table.market == Cards("Cl1 2xSp1 Wi1"), "her full bid: one cloth, two spices, one wine"
    assert options(game) == {"tax Cl2", "tax Gr3", "tax Ol4", "tax Wo2", "tax D"}
    game = play(game, "1 tax Wo2")
    assert game.table.market == Cards("Cl1 2xSp1 Wi1 Wo2"), "and one of the auctioned cards"
    assert game.hands[EVA] == Cards("Cl2 Gr3 Ol4 D"), "the four others are hers"
    assert game.table.offers[EVA] == 5, "she has the offer card 5"
    assert (game.phase, game.to_move) == (Phase.AUCTION, WILHELM), "the first to her left begins"
    assert EVA not in game.table.still_in, "she takes no part in the auctions of this round any more"


def test_market_of_four_players() -> None:
    game = begin(
        ["2xCl1 Cl4 Gr1", "Wo1 Wo2 2xD", "Sp1 Wi1 Gr3 D", "4xOl1"],
        "2xOl2 Gr1 Wi2 D | 2xSp3 Wo3 Wi3 | Gr1 Gr4 Ol2 | Sp2 Wi4",
    )
    game = play(game, "0 bid 2xCl1 Cl4", "1 pass", "2 pass", "3 pass", "0 tax D")
    game = play(game, "1 bid Wo1 Wo2", "2 pass", "3 pass", "1 tax Wo3")
    game = play(game, "2 bid Sp1 Wi1", "3 pass", "2 tax Gr1", "3 tax Sp2")
    assert game.table.market == Cards("2xCl1 Cl4 Gr1 Sp1 Sp2 Wi1 Wo1 Wo2 Wo3 D"), "three wood, two spice, a dealer, …"
    assert game.table.pick_order == (AXEL, WILHELM, EVA, SUSANNE)
    before = game.hands
    game = play(game, "3 take Wo")
    assert game.hands[AXEL] == before[AXEL] + Cards("Wo1 Wo2 Wo3")
    game = play(game, "3 discard Ol1", "2 take Sp")
    assert game.hands[WILHELM] == before[WILHELM] + Cards("Sp1 Sp2")
    game = play(game, "1 take D")
    assert game.hands[EVA] == before[EVA] + Cards("D")
    game = play(game, "0 take Cl")
    assert game.hands[SUSANNE] == before[SUSANNE] + Cards("2xCl1 Cl4")
    assert game.table.market == Cards("Gr1 Wi1")
    game = play(game, "0 sell 2xCl1 Cl4")
    assert game.table.gone == Cards("Ol1 2xCl1 Cl4 Gr1 Wi1"), "the remaining wine and grain leave the game"
    assert game.to_move == AXEL and game.table.round == 2, "the lowest offer card opens the next round"


def test_sale_of_four_one_one() -> None:
    game = begin(["2xCl1 Cl4 Gr1", "Wo1 3xD", "Gr3 Gr4 D Sp1", "4xOl1"])
    game = play(game, "0 sell 2xCl1 Cl4")
    assert game.scores[SUSANNE] == 4 and game.hands[SUSANNE] == Cards("Gr1")


def test_two_dealers_and_a_spice_card_are_a_set() -> None:
    game = begin(["Sp1 2xD Cl1", "4xGr1", "4xOl1", "4xWo1"])
    assert "sell Sp1 2xD" in sales(game, 0)
    assert play(game, "0 sell Sp1 2xD").scores[0] == 1
    assert why_no_set(Cards("Sp3 2xD")) is None and set_profit(Cards("Sp3 2xD")) == 3


def test_sale_of_a_dealer_and_two_yellow_cards() -> None:
    game = begin(["4xCl1", "4xWo1", "Gr3 Gr4 D Sp1", "4xOl1"])
    assert play(game, "2 sell Gr3 Gr4 D").scores[WILHELM] == 4


def test_sale_of_three_dealers() -> None:
    game = begin(["4xCl1", "Wo1 3xD", "4xGr1", "4xOl1"])
    game = play(game, "1 sell 3xD")
    assert game.scores[EVA] == 5 and game.table.gone == Cards("3xD")
