"""What an action changes, and what follows by itself.

Between two decisions the game runs on without anybody: lots are drawn, auctions end, the single last card of a five- or
six-seat round goes where it belongs, seats that find the market empty are skipped. ``Step`` is a state taken apart into
parts that can be changed; `State.apply` puts them together again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import N_KINDS, Cards
from byzanz_lab.game.sales import set_profit
from byzanz_lab.game.table import IllegalAction, Phase, Table, left_of, one

NO_CARDS: Final = Cards()


def of_kinds(kinds: Sequence[int]) -> Cards:
    """Cards of a list of kinds."""
    counts = [0] * N_KINDS
    for kind in kinds:
        counts[kind] += 1
    return Cards.from_counts(counts)


class Step:
    """A state taken apart while one action is carried out; it does not ask whether the action is legal.

    Parameters
    ----------
    table, hands, deck
        The parts of the `State` before the action.
    """

    def __init__(self, table: Table, hands: tuple[Cards, ...], deck: tuple[int, ...]) -> None:
        self.rules = table.rules
        self.hands, self.bids = list(hands), list(table.bids)
        self.known, self.profits, self.offers = list(table.known), list(table.profits), list(table.offers)
        self.passes, self.done = list(table.passes), list(table.done)
        self.lot, self.market, self.gone = table.lot, table.market, table.gone
        self.deck = deck
        self.phase, self.to_move, self.round = table.phase, table.to_move, table.round
        self.picked = table.picked

    def table(self) -> Table:
        """The table after the action."""
        return Table(
            rules=self.rules, phase=self.phase, to_move=self.to_move, round=self.round, lot=self.lot,
            offers=tuple(self.offers), bids=tuple(self.bids), passes=tuple(self.passes),
            market=self.market, picked=self.picked, profits=tuple(self.profits),
            sizes=tuple(map(len, self.hands)), known=tuple(self.known), gone=self.gone, done=tuple(self.done),
        )  # fmt: skip

    def do(self, seat: int, action: Action) -> None:
        """Carry out a legal action, and then whatever follows without a decision."""
        handler: Any = _HANDLERS[type(action)]
        handler(self, seat, action)

    # -- the eight actions -------------------------------------------------------------------------------------------

    def bid(self, seat: int, action: Bid) -> None:
        """Add cards to the open bid (ruling *raise-adds*)."""
        self._show(seat, action.cards)
        self.bids[seat] = self.bids[seat] + action.cards
        self._next_bidder(seat)

    def pass_(self, seat: int, action: Pass) -> None:
        """Take the open bid back (ruling *pass-final*)."""
        self._receive(seat, self.bids[seat])
        self.bids[seat] = NO_CARDS
        self.passes.append(seat)
        self._next_bidder(seat)

    def tax(self, seat: int, action: Tax) -> None:
        """Pay one card of the lot and keep the rest (rulings *tax*, *last-lot*)."""
        card = one(action.card)
        self.market = self.market + card
        self._win(seat, self.lot - card)

    def take(self, seat: int, action: Take) -> None:
        """Take a group out of the market (ruling *market-order*)."""
        group = self.market.group(action.good)
        self.market = self.market - group
        self.picked += 1
        self._receive(seat, group)
        self._after_receiving(seat)

    def decline(self, seat: int, action: Decline) -> None:
        """Take nothing (variant ``may_decline_market``)."""
        self.picked += 1
        self._go_on()

    def sell(self, seat: int, action: Sell) -> None:
        """Sell a set (rulings *sell-any-time*, *set-profit*)."""
        self._show(seat, action.cards)
        self.gone = self.gone + action.cards
        self.profits[seat] += set_profit(action.cards)
        if self.phase is Phase.HAND_LIMIT and seat == self.to_move:
            self._after_receiving(seat)

    def discard(self, seat: int, action: Discard) -> None:
        """Drop cards (ruling *discard-open*)."""
        self._show(seat, action.cards)
        self.gone = self.gone + action.cards
        self._after_receiving(seat)

    def finish(self, seat: int, action: Done) -> None:
        """End the closing sale of a seat (ruling *closing-sale*)."""
        self.done.append(seat)
        self._closing_turn()

    # -- what follows by itself --------------------------------------------------------------------------------------

    def open_auction(self, opener: int) -> None:
        """Put the next lot on the table; a seat that is alone gets it without bidding (ruling *last-lot*)."""
        size = self.rules.offers[self._lots_won()]
        if len(self.deck) < size:
            raise IllegalAction(f"the deck of this record is cut short: {len(self.deck)} cards left, {size} are drawn")
        self.lot, self.deck = of_kinds(self.deck[:size]), self.deck[size:]
        self.to_move, self.passes, self.phase = opener, [], Phase.AUCTION
        if self._lots_won() < self.rules.seats - 1:
            return
        self.phase = Phase.LAST_LOT
        if size == 1:
            to_hand = self.rules.last_card_to_hand
            self.market = self.market if to_hand else self.market + self.lot
            self._win(opener, self.lot if to_hand else NO_CARDS)

    def _next_bidder(self, seat: int) -> None:
        waiting = tuple(s for s in range(self.rules.seats) if not self.offers[s] and s not in self.passes)
        if not waiting:  # ruling all-pass
            first = self.passes[0]
            self._win(first, self.lot)
        elif len(waiting) == 1 and self.bids[waiting[0]]:  # ruling auction-ends
            winner = waiting[0]
            self.market, self.bids[winner] = self.market + self.bids[winner], NO_CARDS
            self.phase, self.to_move = Phase.TAX, winner
        else:
            self.to_move = left_of(self.rules.seats, seat, waiting)

    def _win(self, seat: int, cards: Cards) -> None:
        self.offers[seat] = self.rules.offers[self._lots_won()]
        self.lot, self.passes = NO_CARDS, []
        self._receive(seat, cards)
        self._after_receiving(seat)

    def _after_receiving(self, seat: int) -> None:
        if len(self.hands[seat]) > self.rules.hand_limit:
            self.phase, self.to_move = Phase.HAND_LIMIT, seat
        else:
            self._go_on()

    def _go_on(self) -> None:
        waiting = tuple(s for s in range(self.rules.seats) if not self.offers[s])
        if waiting:
            self.open_auction(left_of(self.rules.seats, self._last_winner(), waiting))  # ruling next-opener
        elif self.picked < self.rules.seats and self.market:
            self.phase = Phase.MARKET
            self.to_move = sorted(range(self.rules.seats), key=lambda s: self.offers[s])[self.picked]
        else:
            self._end_round()

    def _end_round(self) -> None:
        self.gone, self.market = self.gone + self.market, NO_CARDS
        lowest = self._last_winner()
        if self.round == self.rules.rounds:
            self.picked = self.rules.seats
            self._closing_turn()
            return
        self.offers, self.picked, self.round = [0] * self.rules.seats, 0, self.round + 1
        self.open_auction(lowest)

    def _closing_turn(self) -> None:
        waiting = [s for s in range(self.rules.seats) if s not in self.done]
        self.phase = Phase.CLOSING if waiting else Phase.OVER
        self.to_move = waiting[0] if waiting else None

    # -- cards on the move -------------------------------------------------------------------------------------------

    def _show(self, seat: int, cards: Cards) -> None:
        """Cards leave a hand for all to see."""
        self.hands[seat] = self.hands[seat] - cards
        self.known[seat] = self.known[seat].monus(cards)

    def _receive(self, seat: int, cards: Cards) -> None:
        """Cards that all have seen come into a hand."""
        self.hands[seat] = self.hands[seat] + cards
        self.known[seat] = self.known[seat] + cards

    def _lots_won(self) -> int:
        return sum(card > 0 for card in self.offers)

    def _last_winner(self) -> int:
        return min((s for s in range(self.rules.seats) if self.offers[s]), key=lambda s: self.offers[s])


_HANDLERS: dict[type, Any] = {
    Bid: Step.bid, Pass: Step.pass_, Tax: Step.tax, Take: Step.take, Decline: Step.decline,
    Sell: Step.sell, Discard: Step.discard, Done: Step.finish,
}  # fmt: skip
