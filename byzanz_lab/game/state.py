"""The whole truth at one moment, and how it changes.

``State`` holds the table and everything hidden: hands, the deck in drawing order, the removed cards. It is frozen;
``apply`` returns a new one. Between two decisions it does by itself whatever needs no decision: draws lots, ends
auctions, moves the single last card of a five- or six-seat round, skips seats that find the market empty.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import KIND_INDEX, N_KINDS, Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import set_profit, tie_cards
from byzanz_lab.game.table import IllegalAction, Phase, Table, left_of, legal_actions, one, verify

NO_CARDS = Cards()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Attributes
    ----------
    profits
        Per seat, points.
    goods_left
        Per seat, cards that count for the tie-break (ruling *tie*).
    winners
        Seats that share the win.
    """

    profits: tuple[int, ...]
    goods_left: tuple[int, ...]
    winners: tuple[int, ...]

    @classmethod
    def of(cls, profits: Sequence[int], goods_left: Sequence[int]) -> Result:
        """Find the winners: most profit, then most cards left, then shared."""
        ranks = list(zip(profits, goods_left, strict=True))
        return cls(tuple(profits), tuple(goods_left), tuple(s for s, rank in enumerate(ranks) if rank == max(ranks)))


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game, hidden cards included.

    Attributes
    ----------
    table
        What all can see.
    hands
        Per seat, cards in hand (an open bid is not in hand).
    deck
        Kinds left in the deck, in drawing order. Shorter than `Table.deck_left` in the record of an unfinished game
        at a real table, where nobody knows the rest.
    removed
        Cards removed unseen; ``None`` where nobody knows them.
    """

    table: Table
    hands: tuple[Cards, ...]
    deck: tuple[int, ...]
    removed: Cards | None

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self.table.rules

    @property
    def phase(self) -> Phase:
        """The decision that is due."""
        return self.table.phase

    @property
    def to_move(self) -> int | None:
        """The seat that decides, ``None`` when the game is over."""
        return self.table.to_move

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.phase is Phase.OVER

    @property
    def scores(self) -> tuple[int, ...]:
        """Per seat, profit so far in points."""
        return self.table.profits

    def result(self) -> Result:
        """Profits, cards for the tie-break, and winners.

        Raises
        ------
        ValueError
            If the game is not over.
        """
        if not self.is_over:
            raise ValueError("the game is not over yet")
        return Result.of(self.scores, [tie_cards(hand, self.rules) for hand in self.hands])

    def verify(self, action: Action, seat: int | None = None) -> None:
        """Raise `IllegalAction` with the reason unless ``seat`` (by default the one on the move) may do this."""
        actor = self._actor(seat)
        verify(self.table, self.hands[actor], actor, action)

    def can(self, action: Action, seat: int | None = None) -> bool:
        """Whether ``seat`` (by default the one on the move) may do this."""
        try:
            self.verify(action, seat)
        except IllegalAction:
            return False
        return True

    def legal_actions(self, seat: int | None = None) -> tuple[Action, ...]:
        """All legal actions of ``seat`` (by default the one on the move), in a fixed order."""
        if self.is_over:
            return ()
        actor = self._actor(seat)
        return legal_actions(self.table, self.hands[actor], actor)

    def apply(self, action: Action, seat: int | None = None) -> State:
        """The state after ``seat`` (by default the one on the move) does this.

        Raises
        ------
        IllegalAction
            If the rules do not allow it; this state stays as it was.
        """
        actor = self._actor(seat)
        verify(self.table, self.hands[actor], actor, action)
        step = _Step(self)
        step.do(actor, action)
        return step.state()

    def _actor(self, seat: int | None) -> int:
        actor = self.table.to_move if seat is None else seat
        if actor is None:
            raise IllegalAction("the game is over")
        if isinstance(actor, bool) or not isinstance(actor, int) or not 0 <= actor < self.rules.seats:
            raise IllegalAction(f"there is no seat {actor!r}, seats are 0 to {self.rules.seats - 1}")
        return actor


def new_game(rules: Rules, seed: int, start_player: int = 0) -> State:
    """Shuffle and deal a game.

    Parameters
    ----------
    rules
        The rules of the game.
    seed
        Any whole number; the same seed gives the same game everywhere.
    start_player
        Seat that opens the first auction.
    """
    kinds = [kind for kind, n in enumerate(rules.copies) for _ in range(n)]
    random.Random(seed).shuffle(kinds)  # noqa: S311 - a game, not a secret
    dealt = rules.start_hand * rules.seats
    hands = [_of_kinds(kinds[rules.start_hand * s : rules.start_hand * (s + 1)]) for s in range(rules.seats)]
    removed = _of_kinds(kinds[dealt : dealt + rules.removed])
    return deal(rules, hands, kinds[dealt + rules.removed :], removed, start_player)


def deal(
    rules: Rules,
    hands: Sequence[Cards],
    deck: Iterable[int | str],
    removed: Cards | None = None,
    start_player: int = 0,
) -> State:
    """Begin a game from a given deal.

    Parameters
    ----------
    rules
        The rules of the game.
    hands
        Per seat, the cards dealt.
    deck
        Kinds or card codes in drawing order; may be cut short (a game at a real table that is not finished).
    removed
        Cards removed, or ``None`` where nobody knows them.
    start_player
        Seat that opens the first auction.

    Raises
    ------
    ValueError
        If the cards do not add up; the message says how.
    """
    kinds = tuple(KIND_INDEX[card] if isinstance(card, str) else int(card) for card in deck)
    _check_deal(rules, hands, kinds, removed, start_player)
    n = rules.seats
    table = Table(
        rules=rules, phase=Phase.AUCTION, to_move=start_player, round=1, lot=NO_CARDS,
        offers=(0,) * n, bids=(NO_CARDS,) * n, passes=(), market=NO_CARDS, picked=0, profits=(0,) * n,
        sizes=tuple(len(hand) for hand in hands), known=(NO_CARDS,) * n, gone=NO_CARDS, done=(),
    )  # fmt: skip
    step = _Step(State(table, tuple(hands), kinds, removed))
    step.open_auction(start_player)
    return step.state()


def _check_deal(
    rules: Rules, hands: Sequence[Cards], deck: tuple[int, ...], removed: Cards | None, start_player: int
) -> None:
    if len(hands) != rules.seats:
        raise ValueError(f"{rules.seats} seats need {rules.seats} hands, not {len(hands)}")
    for seat, hand in enumerate(hands):
        if len(hand) != rules.start_hand:
            raise ValueError(f"seat {seat} is dealt {rules.start_hand} cards, not {len(hand)}")
    if isinstance(start_player, bool) or not 0 <= start_player < rules.seats:
        raise ValueError(f"there is no seat {start_player!r} to start, seats are 0 to {rules.seats - 1}")
    if removed is not None and len(removed) != rules.removed:
        raise ValueError(f"{rules.removed} cards are removed, not {len(removed)}")
    least = rules.offers[0] if removed is None else rules.cards_auctioned
    if not least <= len(deck) <= rules.cards_auctioned:
        raise ValueError(f"the deck has {rules.cards_auctioned} cards, not {len(deck)}")
    seen = _of_kinds(deck)
    for cards in (*hands, *([] if removed is None else [removed])):
        seen = seen + cards
    most = Cards.from_counts(rules.copies)
    if not seen <= most:
        raise ValueError(f"the deal has more copies than exist: {seen.monus(most)} too many")


def _of_kinds(kinds: Sequence[int]) -> Cards:
    counts = [0] * N_KINDS
    for kind in kinds:
        counts[kind] += 1
    return Cards.from_counts(counts)


class _Step:
    """A state taken apart while one action is carried out."""

    def __init__(self, state: State) -> None:
        table = state.table
        self.before = state
        self.rules = table.rules
        self.hands, self.bids = list(state.hands), list(table.bids)
        self.known, self.profits, self.offers = list(table.known), list(table.profits), list(table.offers)
        self.passes, self.done = list(table.passes), list(table.done)
        self.lot, self.market, self.gone = table.lot, table.market, table.gone
        self.deck = state.deck
        self.phase, self.to_move, self.round = table.phase, table.to_move, table.round
        self.picked = table.picked

    def state(self) -> State:
        table = replace(
            self.before.table, phase=self.phase, to_move=self.to_move, round=self.round, lot=self.lot,
            offers=tuple(self.offers), bids=tuple(self.bids), passes=tuple(self.passes),
            market=self.market, picked=self.picked, profits=tuple(self.profits),
            sizes=tuple(len(hand) for hand in self.hands), known=tuple(self.known), gone=self.gone,
            done=tuple(self.done),
        )  # fmt: skip
        return State(table, tuple(self.hands), self.deck, self.before.removed)

    def do(self, seat: int, action: Action) -> None:
        handler: Any = _HANDLERS[type(action)]
        handler(self, seat, action)

    # -- the eight actions -------------------------------------------------------------------------------------------

    def bid(self, seat: int, action: Bid) -> None:
        self._show(seat, action.cards)
        self.bids[seat] = self.bids[seat] + action.cards
        self._next_bidder(seat)

    def pass_(self, seat: int, action: Pass) -> None:
        self._receive(seat, self.bids[seat])
        self.bids[seat] = NO_CARDS
        self.passes.append(seat)
        self._next_bidder(seat)

    def tax(self, seat: int, action: Tax) -> None:
        card = one(action.card)
        self.market = self.market + card
        self._win(seat, self.lot - card)

    def take(self, seat: int, action: Take) -> None:
        group = self.market.group(action.good)
        self.market = self.market - group
        self.picked += 1
        self._receive(seat, group)
        self._after_receiving(seat)

    def decline(self, seat: int, action: Decline) -> None:
        self.picked += 1
        self._go_on()

    def sell(self, seat: int, action: Sell) -> None:
        self._show(seat, action.cards)
        self.gone = self.gone + action.cards
        self.profits[seat] += set_profit(action.cards)
        if self.phase is Phase.HAND_LIMIT and seat == self.to_move:
            self._after_receiving(seat)

    def discard(self, seat: int, action: Discard) -> None:
        self._show(seat, action.cards)
        self.gone = self.gone + action.cards
        self._after_receiving(seat)

    def finish(self, seat: int, action: Done) -> None:
        self.done.append(seat)
        self._closing_turn()

    # -- what follows by itself --------------------------------------------------------------------------------------

    def open_auction(self, opener: int) -> None:
        """Put the next lot on the table; a seat that is alone gets it without bidding (ruling *last-lot*)."""
        size = self.rules.offers[self._lots_won()]
        if len(self.deck) < size:
            raise IllegalAction(f"the deck of this record is cut short: {len(self.deck)} cards left, {size} are drawn")
        self.lot, self.deck = _of_kinds(self.deck[:size]), self.deck[size:]
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
    Bid: _Step.bid, Pass: _Step.pass_, Tax: _Step.tax, Take: _Step.take, Decline: _Step.decline,
    Sell: _Step.sell, Discard: _Step.discard, Done: _Step.finish,
}  # fmt: skip
