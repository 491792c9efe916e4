"""The rules of Byzanz a second time, as plainly as possible, for the tests alone.

Nothing here is fast or clever, and nothing is shared with the package: a card is a text such as ``"Wi4"`` or ``"D"``,
a pile is a sorted list of them, and legal actions are found by trying every combination. A test plays the same game
with both implementations and demands the same legal actions, piles and result at every step. Names in brackets such
as ``raise-adds`` are those of the rulings.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

GOODS = ["Cl", "Gr", "Ol", "Sp", "Wi", "Wo"]
KINDS = [good + value for good in GOODS for value in "1234"] + ["D"]
OFFERS = {3: [6, 4, 2], 4: [5, 4, 3, 2], 5: [5, 4, 3, 2, 1], 6: [6, 5, 4, 3, 2, 1]}


def full_pack() -> list[str]:
    """All 112 cards: 16 of each good (6, 5, 3 and 2 of the values 1 to 4) and 16 dealers."""
    return [good + value for good in GOODS for value in "1111112222233344"] + ["D"] * 16


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards sorted by good, then value, dealers last."""
    return sorted(cards, key=KINDS.index)


def show(cards: Iterable[str]) -> str:
    """Canonical text of some cards: sorted, repeated cards written with a count."""
    cards = list(cards)
    words = []
    for kind in KINDS:
        count = cards.count(kind)
        if count:
            words.append(kind if count == 1 else f"{count}x{kind}")
    return " ".join(words)


def parse(text: str) -> list[str]:
    """The cards of a canonical text."""
    cards = []
    for word in text.split():
        count, kind = word.split("x") if "x" in word else ("1", word)
        cards += [kind] * int(count)
    return cards


def text_of(action: dict[str, Any]) -> str:
    """Canonical text of an action in record form (its seat is left out)."""
    name = action["type"]
    if name in ("bid", "sell", "discard"):
        return f"{name} {show(action['cards'])}"
    if name == "tax":
        return f"tax {action['card']}"
    if name == "take":
        return f"take {action['good']}"
    return str(name)


def value(card: str) -> int:
    """The number on a card; a dealer has 0."""
    return 0 if card == "D" else int(card[2])


def group(card: str) -> str:
    """The market group a card belongs to: its good, or ``"D"``."""
    return "D" if card == "D" else card[:2]


def choices(cards: list[str], size: int) -> set[tuple[str, ...]]:
    """All different ways to pick ``size`` of the cards."""
    return set(combinations(in_order(cards), size))


def is_set(cards: Iterable[str]) -> bool:
    """Three cards with at most one good among them; dealers stand for any good (sell-any-time)."""
    cards = list(cards)
    return len(cards) == 3 and len({group(card) for card in cards if card != "D"}) <= 1


def profit(cards: Iterable[str]) -> int:
    """What a set scores: its best card, or 5 for three dealers (set-profit)."""
    cards = list(cards)
    return 5 if cards == ["D", "D", "D"] else max(value(card) for card in cards)


class Naive:
    """A game from the setup part of a record; the actions of the record are not played."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.seats: int = record["players"]
        variant = dict(record.get("variant") or {})
        self.hand_limit: int = variant.pop("hand_limit", 7)
        self.last_card_to_hand: bool = variant.pop("last_card_to_hand", False)
        self.may_decline_market: bool = variant.pop("may_decline_market", False)
        self.tie_counts_dealers: bool = variant.pop("tie_counts_dealers", False)
        assert not variant, f"unknown variants: {variant}"
        self.hands = [in_order(hand) for hand in record["hands"]]
        self.deck: list[str] = list(record["deck"])
        self.removed = None if record["removed"] is None else in_order(record["removed"])
        self.bids: list[list[str]] = [[] for _ in range(self.seats)]
        self.market: list[str] = []
        self.lot: list[str] = []
        self.gone: list[str] = []  # sold, dropped or left over in the market: out of the game and seen by all
        self.profits = [0] * self.seats
        self.done: list[int] = []  # seats that are finished in the closing sale
        self.round = 0
        self.phase = ""
        self.to_move: int | None = None
        self._start_round(record["start_player"])

    # ------------------------------------------------------------------ what is allowed

    def legal(self, seat: int | None = None) -> set[str]:
        """All legal actions of a seat (by default the one to move), as canonical texts."""
        if self.phase == "over":
            return set()
        if seat is None:
            seat = self.to_move
        assert seat is not None
        if seat in self.done:
            return set()
        found = {"sell " + show(cards) for cards in choices(self.hands[seat], 3) if is_set(cards)}
        if self.phase == "closing":
            found.add("done")
        elif seat == self.to_move:
            if self.phase == "auction":
                found |= self._legal_in_auction(seat)
            elif self.phase in ("tax", "last_lot"):
                found |= {"tax " + card for card in self.lot}
            elif self.phase == "market":
                found |= {"take " + group(card) for card in self.market}
                if self.may_decline_market:
                    found.add("decline")
            elif self.phase == "hand_limit":
                too_many = len(self.hands[seat]) - self.hand_limit
                for size in range(1, too_many + 1):
                    found |= {"discard " + show(cards) for cards in choices(self.hands[seat], size)}
        return found

    def _legal_in_auction(self, seat: int) -> set[str]:
        """Pass, or add goods cards until the own bid is above all others (raise-adds, bid-beats)."""
        found = {"pass"}
        own = sum(value(card) for card in self.bids[seat])
        highest = max(sum(value(card) for card in bid) for bid in self.bids)
        goods = [card for card in self.hands[seat] if card != "D"]
        for size in range(1, len(goods) + 1):
            for added in choices(goods, size):
                if own + sum(value(card) for card in added) >= highest + 1:
                    found.add("bid " + show(added))
        return found

    # ------------------------------------------------------------------ what happens

    def play_dict(self, action: dict[str, Any]) -> None:
        """Perform an action given in record form."""
        self.play(action["player"], text_of(action))

    def play(self, seat: int, text: str) -> None:
        """Perform an action given as canonical text; it must be legal for the seat."""
        assert text in self.legal(seat), f"seat {seat} may not {text!r} in phase {self.phase}"
        name, _, rest = text.partition(" ")
        getattr(self, "_" + name)(seat, rest)
        for pile in [*self.hands, *self.bids, self.market, self.lot, self.gone]:
            pile.sort(key=KINDS.index)

    def _bid(self, seat: int, text: str) -> None:
        for card in parse(text):
            self.hands[seat].remove(card)
            self.bids[seat].append(card)
        self._next_bidder(seat)

    def _pass(self, seat: int, _: str) -> None:
        self.hands[seat] += self.bids[seat]
        self.bids[seat] = []
        self.passes.append(seat)
        self._next_bidder(seat)

    def _tax(self, seat: int, card: str) -> None:
        """One card of the lot to the market, the rest to the hand (tax, last-lot)."""
        self.lot.remove(card)
        self.market.append(card)
        self._receive_lot(seat)

    def _take(self, seat: int, wanted: str) -> None:
        self.hands[seat] += [card for card in self.market if group(card) == wanted]
        self.market = [card for card in self.market if group(card) != wanted]
        self.picked.append(seat)
        self._after_taking(seat)

    def _decline(self, seat: int, _: str) -> None:
        self.picked.append(seat)
        self._go_on()

    def _sell(self, seat: int, text: str) -> None:
        cards = parse(text)
        self._drop(seat, cards)
        self.profits[seat] += profit(cards)
        if self.phase == "hand_limit" and seat == self.to_move:
            self._after_taking(seat)

    def _discard(self, seat: int, text: str) -> None:
        self._drop(seat, parse(text))
        self._after_taking(seat)

    def _done(self, seat: int, _: str) -> None:
        self.done.append(seat)
        self._next_in_closing()

    def _drop(self, seat: int, cards: list[str]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
            self.gone.append(card)

    # ------------------------------------------------------------------ how the game runs on

    def _start_round(self, opener: int) -> None:
        self.round += 1
        self.offer_of: dict[int, int] = {}  # seat -> the offer card it has won this round
        self.picked: list[int] = []  # seats that have had their turn at the market
        self._start_auction(opener)

    def _start_auction(self, opener: int) -> None:
        self.offer = OFFERS[self.seats][len(self.offer_of)]
        self.lot = in_order(self.deck[: self.offer])
        self.deck = self.deck[self.offer :]
        self.passes: list[int] = []
        self.to_move = opener
        if len(self.offer_of) < self.seats - 1:
            self.phase = "auction"
        elif self.offer > 1:
            self.phase = "last_lot"
        else:  # five or six seats: the one card of the last seat needs no decision
            if not self.last_card_to_hand:
                self.market += self.lot
                self.lot = []
            self._receive_lot(opener)

    def _next_bidder(self, seat: int) -> None:
        """Whose turn it is after a bid or a pass of ``seat``, or the end of the auction (auction-ends, all-pass)."""
        left = [s for s in range(self.seats) if s not in self.offer_of and s not in self.passes]
        if not left:
            self._receive_lot(self.passes[0])
        elif len(left) == 1 and self.bids[left[0]]:
            winner = left[0]
            self.market += self.bids[winner]
            self.bids[winner] = []
            self.phase = "tax"
            self.to_move = winner
        else:
            self.to_move = self._first_to_the_left(seat, left)

    def _first_to_the_left(self, seat: int, candidates: list[int]) -> int:
        for step in range(1, self.seats + 1):
            if (seat + step) % self.seats in candidates:
                return (seat + step) % self.seats
        raise AssertionError("nobody is left")

    def _receive_lot(self, seat: int) -> None:
        self.hands[seat] += self.lot
        self.lot = []
        self.offer_of[seat] = self.offer
        self.last_winner = seat
        self._after_taking(seat)

    def _after_taking(self, seat: int) -> None:
        """Nothing goes on before the hand is within the limit (hand-limit)."""
        if len(self.hands[seat]) > self.hand_limit:
            self.phase = "hand_limit"
            self.to_move = seat
        else:
            self._go_on()

    def _go_on(self) -> None:
        """The next auction, the next seat at the market, the next round, or the closing sale."""
        without = [seat for seat in range(self.seats) if seat not in self.offer_of]
        if without:
            self._start_auction(self._first_to_the_left(self.last_winner, without))
            return
        ascending = sorted(self.offer_of, key=lambda seat: self.offer_of[seat])
        waiting = [seat for seat in ascending if seat not in self.picked]
        if waiting and self.market:
            self.phase = "market"
            self.to_move = waiting[0]
            return
        self.gone += self.market  # the surplus leaves the game; with an empty market those waiting get nothing
        self.market = []
        if self.deck:
            self._start_round(ascending[0])
        else:
            self.phase = "closing"
            self._next_in_closing()

    def _next_in_closing(self) -> None:
        waiting = [seat for seat in range(self.seats) if seat not in self.done]
        self.to_move = waiting[0] if waiting else None
        if not waiting:
            self.phase = "over"

    # ------------------------------------------------------------------ how it ends

    def result(self) -> dict[str, list[int]]:
        """Profits, goods cards left in hand, and the winning seats (tie); only when the game is over."""
        assert self.phase == "over", "the game is still running"
        goods_left = [sum(card != "D" for card in hand) for hand in self.hands]
        second = [len(hand) for hand in self.hands] if self.tie_counts_dealers else goods_left
        best = max(zip(self.profits, second, strict=True))
        winners = [seat for seat in range(self.seats) if (self.profits[seat], second[seat]) == best]
        return {"profits": list(self.profits), "goods_left": goods_left, "winners": winners}
