"""The naive rules against the worked examples of the rulebook, the rulings, and random games played to the end."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from .naive import OFFERS, Naive, full_pack, in_order, is_set, parse, profit, show, text_of

REMOVED = {3: 4, 4: 12, 5: 2, 6: 4}


def setup(hands: list[str], first_cards: str = "", seed: int = 1, start: int = 0, **variant: Any) -> dict[str, Any]:
    """A record's setup with the given hands, the given cards on top of the deck, and the rest shuffled."""
    piles = [parse(hand) for hand in hands]
    deck = [card for lot in first_cards.split("|") for card in parse(lot)]
    rest = Counter(full_pack())
    rest.subtract([card for pile in [*piles, deck] for card in pile])
    assert min(rest.values()) >= 0, "more copies of a card than there are"
    cards = in_order(rest.elements())
    random.Random(seed).shuffle(cards)
    aside = REMOVED[len(hands)]
    return {
        "players": len(hands),
        "variant": variant,
        "start_player": start,
        "hands": piles,
        "removed": cards[:aside],
        "deck": deck + cards[aside:],
    }


def shuffled(seats: int, seed: int, **variant: Any) -> dict[str, Any]:
    """A setup dealt at random."""
    cards = full_pack()
    random.Random(seed).shuffle(cards)
    dealt = [show(cards[4 * seat : 4 * seat + 4]) for seat in range(seats)]
    return setup(dealt, seed=seed, start=seed % seats, **variant)


def play(game: Naive, *moves: str) -> None:
    """Play moves written as ``"0 bid Cl1"``."""
    for move in moves:
        seat, text = move.split(" ", 1)
        game.play(int(seat), text)


def discard_sizes(game: Naive) -> set[int]:
    """How many cards the seat to move may drop at once."""
    return {len(parse(text[8:])) for text in game.legal() if text.startswith("discard ")}


def all_cards(game: Naive) -> list[str]:
    piles = [*game.hands, *game.bids, game.market, game.lot, game.gone, game.deck, game.removed or []]
    return [card for pile in piles for card in pile]


# seats: 0 Susanne, 1 Eva, 2 Wilhelm, 3 Axel
MARKET_HANDS = ["2xCl1 Cl4 Gr1", "Wo1 Wo2 2xD", "Sp1 Wi1 Gr3 D", "4xOl1"]
MARKET_LOTS = "2xOl2 Gr1 Wi2 D | 2xSp3 Wo3 Wi3 | Gr1 Gr4 Ol2 | Sp2 Wi4"


def market_example(**variant: Any) -> Naive:
    """One round of four that leads to the market of the rulebook's example."""
    game = Naive(setup(MARKET_HANDS, MARKET_LOTS, **variant))
    play(game, "0 bid 2xCl1 Cl4", "1 pass", "2 pass", "3 pass", "0 tax D")
    play(game, "1 bid Wo1 Wo2", "2 pass", "3 pass", "1 tax Wo3")
    play(game, "2 bid Sp1 Wi1", "3 pass", "2 tax Gr1", "3 tax Sp2")
    return game


def test_pack_and_deck_sizes() -> None:
    pack = Counter(full_pack())
    assert sum(pack.values()) == 112
    assert [pack["Wi" + v] for v in "1234"] == [6, 5, 3, 2]
    assert pack["D"] == 16
    for seats, auctioned in {3: 96, 4: 84, 5: 90, 6: 84}.items():
        assert len(shuffled(seats, 0)["deck"]) == auctioned


def test_rulebook_example_eva_wins_with_four() -> None:
    game = Naive(setup(["Cl1 2xSp1 Wi1", "4xGr1", "4xOl1", "4xWo1"], "Cl2 Gr3 Ol4 Wo2 D", start=1))
    assert game.lot == ["Cl2", "Gr3", "Ol4", "Wo2", "D"]
    play(game, "1 bid Gr1", "2 bid 3xOl1", "3 pass", "0 bid Cl1 2xSp1 Wi1", "1 pass")
    assert game.hands[1] == ["Gr1"] * 4, "the open bid returns to the hand"
    assert game.hands[2] == ["Ol1"] and game.bids[2] == ["Ol1"] * 3
    assert game.legal() == {"pass"}, "one more card makes 4, not 5"
    play(game, "2 pass")
    assert (game.phase, game.to_move) == ("tax", 0)
    assert game.market == ["Cl1", "Sp1", "Sp1", "Wi1"] and game.bids[0] == []
    assert game.legal() == {"tax Cl2", "tax Gr3", "tax Ol4", "tax Wo2", "tax D"}
    play(game, "0 tax D")
    assert game.market == ["Cl1", "Sp1", "Sp1", "Wi1", "D"]
    assert game.hands[0] == ["Cl2", "Gr3", "Ol4", "Wo2"]
    assert (game.phase, game.to_move, len(game.lot)) == ("auction", 1, 4)


def test_rulebook_example_of_the_market() -> None:
    game = market_example()
    assert show(game.market) == "2xCl1 Cl4 Gr1 Sp1 Sp2 Wi1 Wo1 Wo2 Wo3 D"
    assert game.to_move == 3, "the lowest offer card goes first"
    assert game.legal() == {f"take {g}" for g in ("Cl", "Gr", "Sp", "Wi", "Wo", "D")} | {"sell 3xOl1"}
    play(game, "3 take Wo")
    assert (game.phase, game.to_move, len(game.hands[3])) == ("hand_limit", 3, 8)
    play(game, "3 discard Ol1")
    play(game, "2 take Sp", "1 take D", "0 take Cl")
    assert (game.phase, game.to_move) == ("hand_limit", 0)
    assert show(game.market) == "Gr1 Wi1", "the surplus lies until the last hand is trimmed"
    play(game, "0 sell 2xCl1 Cl4")
    assert game.profits == [4, 0, 0, 0]
    assert game.market == []
    assert Counter(game.gone) == Counter(parse("Ol1 Gr1 Wi1 2xCl1 Cl4"))
    assert (game.round, game.phase, game.to_move, len(game.lot)) == (2, "auction", 3, 5)


def test_rulebook_examples_of_sales() -> None:
    game = market_example()
    play(game, "3 take Wo", "3 discard Ol1", "2 take Sp", "1 take D")
    play(game, "2 sell Gr3 Gr4 D", "1 sell 3xD")
    assert game.profits == [0, 5, 4, 0]
    assert game.to_move == 0, "sales out of turn do not move the turn"
    assert is_set(["D", "D", "Sp1"]) and profit(["Sp1", "D", "D"]) == 1
    assert not is_set(["Sp1", "Wi1", "D"]) and not is_set(["Sp1", "D"]) and not is_set(["Sp1"] * 4)
    assert profit(parse("2xCl1 Cl4")) == 4


def test_raise_adds_and_bid_beats() -> None:
    game = Naive(setup(["Cl1 Gr2 Wi4 D", "Cl1 Ol1 2xD", "2xD Gr1 Sp3"]))
    bids = ["Cl1", "Gr2", "Wi4", "Cl1 Gr2", "Cl1 Wi4", "Gr2 Wi4", "Cl1 Gr2 Wi4"]
    assert game.legal() == {"pass"} | {f"bid {cards}" for cards in bids}
    play(game, "0 bid Cl1")
    assert game.legal() == {"pass", "bid Cl1 Ol1", "sell Cl1 2xD", "sell Ol1 2xD"}
    assert game.legal(0) == set(), "the card of an open bid cannot be sold, and no set is in hand"
    assert game.legal(2) == {"sell Gr1 2xD", "sell Sp3 2xD"}
    play(game, "1 bid Cl1 Ol1", "2 bid Sp3")
    assert game.legal() == {"pass", "bid Wi4", "bid Gr2 Wi4"}, "1 lies already; 2 more only equals the 3 bid"
    play(game, "0 pass")
    assert game.hands[0] == ["Cl1", "Gr2", "Wi4", "D"]
    with pytest.raises(AssertionError, match="may not"):
        game.play(0, "bid Wi4")


def test_repeated_cards_are_written_with_a_count() -> None:
    game = Naive(setup(["2xSp1 Wi4 D", "4xGr1", "4xOl1"]))
    assert "bid 2xSp1 Wi4" in game.legal() and "bid Sp1" in game.legal()
    game.play_dict({"player": 0, "type": "bid", "cards": ["Wi4", "Sp1", "Sp1"]})
    assert game.bids[0] == ["Sp1", "Sp1", "Wi4"]
    assert text_of({"player": 0, "type": "take", "good": "D"}) == "take D"
    assert text_of({"player": 0, "type": "tax", "card": "Gr1"}) == "tax Gr1"
    assert text_of({"player": 0, "type": "done"}) == "done"


def test_all_pass_and_next_opener() -> None:
    game = Naive(setup(["4xCl1", "4xGr1", "4xOl1", "4xWo1"], "2xSp1 2xSp2 Sp3 | 2xWi1 2xWi2", start=2))
    play(game, "2 pass", "3 pass", "0 pass")
    assert game.legal() == {"pass", "bid Gr1", "bid 2xGr1", "bid 3xGr1", "bid 4xGr1", "sell 3xGr1"}
    play(game, "1 pass")
    assert game.market == [] and len(game.hands[2]) == 9
    assert (game.phase, game.to_move) == ("hand_limit", 2)
    assert {"discard Sp1", "discard Ol1 Sp3", "discard 2xSp2", "sell 3xOl1", "sell Sp1 Sp2 Sp3"} <= game.legal()
    assert discard_sizes(game) == {1, 2}
    assert "sell 3xCl1" in game.legal(0)
    play(game, "0 sell 3xCl1")
    assert game.to_move == 2, "a sale of another seat does not end the trimming"
    play(game, "2 discard Sp1")
    assert game.phase == "hand_limit" and discard_sizes(game) == {1}
    play(game, "2 sell Sp1 Sp2 Sp3")
    assert (game.phase, game.to_move) == ("auction", 3)
    play(game, "3 pass", "0 pass", "1 bid Gr1")
    assert (game.phase, game.to_move) == ("tax", 1), "the last seat's bid ends the auction at once"
    play(game, "1 tax Wi1")
    assert game.to_move == 3, "first seat left of the last winner that has not won: 2 has, so 3"


@pytest.mark.parametrize("to_hand", [False, True])
def test_last_lot_of_five_seats_goes_by_itself(to_hand: bool) -> None:
    game = Naive(shuffled(5, 5, last_card_to_hand=to_hand))
    for opener in range(4):
        for seat in range(opener, 5):
            game.play(seat, "pass")
        while game.phase == "hand_limit":
            game.play(opener, min(t for t in game.legal() if t.startswith("discard")))
    if to_hand:
        assert game.round == 2, "nothing was paid and no card was left, so all were skipped at the market"
        assert len(game.hands[4]) == 5 and game.to_move == 4
    else:
        assert (game.phase, game.to_move, len(game.market)) == ("market", 4, 1)
        play(game, f"4 {next(t for t in game.legal() if t.startswith('take'))}")
        assert game.round == 2, "where no group is left the seat gets nothing"


def test_may_decline_market() -> None:
    assert "decline" not in market_example().legal()
    game = market_example(may_decline_market=True)
    play(game, "3 decline")
    assert game.to_move == 2 and len(game.market) == 11
    play(game, "2 decline", "1 decline", "0 decline")
    assert game.round == 2 and len(game.gone) == 11


def test_hand_limit_of_eight() -> None:
    game = market_example(hand_limit=8)
    play(game, "3 take Wo")
    assert (game.phase, game.to_move, len(game.hands[3])) == ("market", 2, 8)


def closing(hands: list[str], profits: list[int], **variant: Any) -> Naive:
    """A game put into the closing sale with the given hands and profits."""
    game = Naive(shuffled(len(hands), 3, **variant))
    game.hands = [parse(hand) for hand in hands]
    game.profits = profits
    game.phase, game.to_move = "closing", 0
    return game


def test_closing_sale_in_any_order() -> None:
    game = closing(["3xCl1", "3xD", "2xGr1"], [0, 0, 0])
    assert game.legal(0) == {"done", "sell 3xCl1"} and game.legal(2) == {"done"}
    play(game, "1 sell 3xD", "2 done")
    assert game.to_move == 0 and game.legal(2) == set()
    play(game, "0 done")
    assert game.legal(0) == set(), "no sale after done"
    play(game, "1 done")
    assert game.phase == "over" and game.to_move is None and game.legal() == set()
    assert game.result() == {"profits": [0, 5, 0], "goods_left": [3, 0, 2], "winners": [1]}


@pytest.mark.parametrize(
    ("hands", "profits", "dealers", "winners"),
    [
        (["Cl1", "Cl1 Gr1", "Wi1"], [5, 5, 4], False, [1]),
        (["Cl1 2xD", "Cl1 Gr1", "Wi1"], [5, 5, 4], False, [1]),
        (["Cl1 2xD", "Cl1 Gr1", "Wi1"], [5, 5, 4], True, [0]),
        (["Cl1 D", "Cl1", "Wi1"], [5, 5, 4], False, [0, 1]),
        (["", "5xWo1", "Wi1"], [6, 5, 4], False, [0]),
    ],
)
def test_tie(hands: list[str], profits: list[int], dealers: bool, winners: list[int]) -> None:
    game = closing(hands, profits, tie_counts_dealers=dealers)
    play(game, "0 done", "1 done", "2 done")
    assert game.result()["winners"] == winners


def random_action(game: Naive, rng: random.Random) -> tuple[int, str]:
    """A random seat's sale now and then, else a random kind of action and a random one of that kind."""
    seat = rng.randrange(game.seats) if rng.random() < 0.2 else game.to_move
    assert game.to_move is not None and seat is not None
    if not game.legal(seat):
        seat = game.to_move
    legal = sorted(game.legal(seat))
    name = rng.choice(sorted({text.split()[0] for text in legal}))
    return seat, rng.choice([text for text in legal if text.split()[0] == name])


VARIANTS: list[dict[str, Any]] = [
    {},
    {"hand_limit": 8, "tie_counts_dealers": True},
    {"last_card_to_hand": True, "may_decline_market": True},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=["plain", "limit", "last card"])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_random_games_to_the_end(seats: int, variant: dict[str, Any]) -> None:
    seen: set[str] = set()  # phases met and kinds of action played
    for seed in range(6):
        game, rng = Naive(shuffled(seats, seed, **variant)), random.Random(seed)
        earned = 0
        while game.phase != "over":
            seat, text = random_action(game, rng)
            seen.update((game.phase, text.split()[0]))
            if text.startswith("sell"):
                earned += profit(parse(text[5:]))
            game.play(seat, text)
            assert Counter(all_cards(game)) == Counter(full_pack())
            for other, hand in enumerate(game.hands):
                over = len(hand) + len(game.bids[other]) > game.hand_limit
                assert over == (game.phase == "hand_limit" and game.to_move == other)
        assert game.round == {3: 8, 4: 6, 5: 6, 6: 4}[seats] == len(shuffled(seats, 0)["deck"]) // sum(OFFERS[seats])
        assert not game.deck and not game.market and not game.lot and not any(game.bids)
        assert sum(game.result()["profits"]) == earned
    assert {"auction", "tax", "hand_limit", "market", "closing", "sell", "discard", "take", "done"} <= seen
    assert ("last_lot" in seen) == (seats <= 4)
    assert ("decline" in seen) == bool(variant.get("may_decline_market"))
