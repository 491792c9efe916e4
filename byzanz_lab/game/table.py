"""What everybody at the table can see, and which actions are legal there.

``Table`` is the public part of the truth: the lot, open bids, who has passed, the market, profits, how many cards each
hand holds and which of them were shown, cards that are gone. `State` adds the hidden cards, `Position` adds one seat's
own hand. Whether a seat may do something depends on the table and that seat's own hand only, so legality is written
once, here: `verify` says why an action is illegal, `legal_actions` lists the legal ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import DEALER, KINDS, Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import sets_in, why_no_set


class IllegalAction(ValueError):
    """The rules do not allow the action; the message is the reason, fit to be shown to a player.

    Examples
    --------
    >>> from byzanz_lab import Rules, Tax, new_game
    >>> try:
    ...     new_game(Rules.for_seats(4), seed=7).apply(Tax("D"))
    ... except IllegalAction as reason:
    ...     print(reason)
    seat 0: tax D is not allowed: no card of a lot is due to the market, the decision is auction
    """


class Phase(StrEnum):
    """What kind of decision is due.

    Examples
    --------
    >>> Phase("hand_limit") is Phase.HAND_LIMIT
    True
    """

    AUCTION = "auction"
    TAX = "tax"
    LAST_LOT = "last_lot"
    HAND_LIMIT = "hand_limit"
    MARKET = "market"
    CLOSING = "closing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Table:
    """Everything all seats can see at one moment.

    Attributes
    ----------
    rules
        The rules of this game.
    phase
        The decision that is due.
    to_move
        The seat that decides; ``None`` when the game is over. In the closing sale, where the order does not matter,
        the first seat that is not done.
    round
        Number of the round, from 1.
    lot
        Cards on offer: during an auction, the winner's choice of a tax card, and the last lot.
    offers
        Per seat, the offer card it has won this round; 0 for none yet.
    bids
        Per seat, the open bid.
    passes
        Seats that have passed in this auction, in that order.
    market
        Cards in the market.
    picked
        How many seats have had their turn at the market this round.
    profits
        Per seat, points.
    sizes
        Per seat, cards in hand (an open bid is not in hand).
    known
        Per seat, cards that are in its hand for all to know, because they were shown since (ruling *perfect-recall*).
    gone
        Cards that left the game openly: sold, dropped, left in the market.
    done
        Seats that have finished the closing sale.

    Examples
    --------
    >>> from byzanz_lab import Rules, new_game
    >>> table = new_game(Rules.for_seats(4), seed=7).table
    >>> table.round, table.offer, table.sizes, table.deck_left
    (1, 5, (4, 4, 4, 4), 79)
    """

    rules: Rules
    phase: Phase
    to_move: int | None
    round: int
    lot: Cards
    offers: tuple[int, ...]
    bids: tuple[Cards, ...]
    passes: tuple[int, ...]
    market: Cards
    picked: int
    profits: tuple[int, ...]
    sizes: tuple[int, ...]
    known: tuple[Cards, ...]
    gone: Cards
    done: tuple[int, ...]

    @property
    def lots_won(self) -> int:
        """Lots of this round that have gone to a seat."""
        return sum(card > 0 for card in self.offers)

    @property
    def offer(self) -> int:
        """Offer card of the lot that is on the table; 0 when none is."""
        return self.rules.offers[self.lots_won] if self.lot else 0

    @property
    def deck_left(self) -> int:
        """Cards left in the deck."""
        return self.rules.deck_left(self.round, self.lots_won + bool(self.lot))

    @property
    def high_bidder(self) -> int | None:
        """Seat with the highest open bid, if any."""
        high = max(range(self.rules.seats), key=lambda seat: self.bids[seat].total)
        return high if self.bids[high] else None

    @property
    def high_bid(self) -> int:
        """Total of the highest open bid; 0 when nobody has bid."""
        return max(bid.total for bid in self.bids)

    @property
    def still_in(self) -> tuple[int, ...]:
        """Seats that can still win this auction."""
        return tuple(s for s in range(self.rules.seats) if not self.offers[s] and s not in self.passes)

    @property
    def pick_order(self) -> tuple[int, ...]:
        """Seats in the order of their offer cards, lowest first (ruling *market-order*)."""
        return tuple(sorted(range(self.rules.seats), key=lambda seat: self.offers[seat]))

    @property
    def last_winner(self) -> int | None:
        """Seat that won the latest lot of this round: offer cards go down, so it holds the lowest (*next-opener*)."""
        won = [seat for seat in range(self.rules.seats) if self.offers[seat]]
        return min(won, key=lambda seat: self.offers[seat]) if won else None


def verify(table: Table, hand: Cards, seat: int, action: Action) -> None:
    """Check that ``seat``, holding ``hand``, may do this now.

    Raises
    ------
    IllegalAction
        With the reason.
    """
    reason = why_illegal(table, hand, seat, action)
    if reason:
        raise IllegalAction(f"seat {seat}: {action} is not allowed: {reason}")


def why_illegal(table: Table, hand: Cards, seat: int, action: Action) -> str | None:
    """The reason why an action is illegal, or ``None`` when it is legal."""
    if table.phase is Phase.OVER:
        return "the game is over"
    if isinstance(action, Sell):
        return _why_not_sell(table, hand, seat, action.cards)
    if isinstance(action, Done):
        return _why_not_done(table, seat)
    if seat != table.to_move:
        return f"it is the turn of seat {table.to_move}"
    if isinstance(action, Bid):
        return _why_not_bid(table, hand, seat, action.cards)
    if isinstance(action, Pass):
        return None if table.phase is Phase.AUCTION else f"there is no auction, the decision is {table.phase}"
    if isinstance(action, Tax):
        if table.phase not in (Phase.TAX, Phase.LAST_LOT):
            return f"no card of a lot is due to the market, the decision is {table.phase}"
        return None if action.card in table.lot else f"the lot {table.lot} does not hold {action.card}"
    if isinstance(action, (Take, Decline)):
        return _why_not_pick(table, action)
    if isinstance(action, Discard):
        return _why_not_discard(table, hand, action.cards)
    return f"{action!r} is no action"


def _why_not_sell(table: Table, hand: Cards, seat: int, cards: Cards) -> str | None:
    if seat in table.done:
        return "this seat has finished its closing sale"
    reason = why_no_set(cards)
    if reason is None and not cards <= hand:
        reason = f"the hand does not hold {cards.monus(hand)}"
    return reason


def _why_not_done(table: Table, seat: int) -> str | None:
    if table.phase is not Phase.CLOSING:
        return f"the closing sale has not begun, the decision is {table.phase}"
    return "this seat has finished its closing sale" if seat in table.done else None


def _why_not_bid(table: Table, hand: Cards, seat: int, cards: Cards) -> str | None:
    if table.phase is not Phase.AUCTION:
        return f"there is no auction, the decision is {table.phase}"
    if cards.dealers:
        return "dealers cannot be bid"
    if not cards <= hand:
        return f"the hand does not hold {cards.monus(hand)}"
    total = table.bids[seat].total + cards.total
    if total <= table.high_bid:
        return f"the bid comes to {total} and must beat {table.high_bid}"
    return None


def _why_not_pick(table: Table, action: Take | Decline) -> str | None:
    if table.phase is not Phase.MARKET:
        return f"the market is not open, the decision is {table.phase}"
    if isinstance(action, Decline):
        return None if table.rules.may_decline_market else "a group must be taken while one is there"
    return None if table.market.group(action.good) else f"the market {table.market} has no group {action.good}"


def _why_not_discard(table: Table, hand: Cards, cards: Cards) -> str | None:
    if table.phase is not Phase.HAND_LIMIT:
        return f"cards are dropped only at the hand limit, the decision is {table.phase}"
    over = len(hand) - table.rules.hand_limit
    if len(cards) > over:
        return f"{len(cards)} cards are too many, the hand is only {over} over its limit of {table.rules.hand_limit}"
    return None if cards <= hand else f"the hand does not hold {cards.monus(hand)}"


def legal_actions(table: Table, hand: Cards, seat: int) -> tuple[Action, ...]:
    """All actions that ``seat``, holding ``hand``, may take now, in a fixed order.

    Bids and discards are distinct multisets. A seat that is not on the move can only sell, or finish its closing sale.
    """
    if table.phase is Phase.OVER or seat in table.done:
        return ()
    actions: list[Action] = []
    if table.phase is Phase.CLOSING:
        actions.append(Done())
    elif seat == table.to_move:
        actions.extend(_due_actions(table, hand, seat))
    actions.extend(Sell(cards) for cards in sets_in(hand))
    return tuple(actions)


def _due_actions(table: Table, hand: Cards, seat: int) -> list[Action]:
    if table.phase is Phase.AUCTION:
        over = table.high_bid - table.bids[seat].total
        return [Pass(), *(Bid(cards) for cards in _payments(hand.counts) if cards.total > over)]
    if table.phase in (Phase.TAX, Phase.LAST_LOT):
        return [Tax(KINDS[kind]) for kind, n in enumerate(table.lot.counts) if n]
    if table.phase is Phase.MARKET:
        takes: list[Action] = [Take(good) for good in table.market.groups()]
        return [*takes, Decline()] if table.rules.may_decline_market else takes
    over = len(hand) - table.rules.hand_limit
    return [Discard(cards) for cards in _drops(hand.counts, over)]


@lru_cache(maxsize=4096)
def _payments(counts: tuple[int, ...]) -> tuple[Cards, ...]:
    """Distinct non-empty multisets of goods in a hand, cheapest first."""
    goods = Cards.from_counts((*counts[:DEALER], 0))
    return tuple(sorted((c for c in goods.submultisets() if c), key=lambda c: (c.total, len(c), c.counts)))


@lru_cache(maxsize=1024)
def _drops(counts: tuple[int, ...], most: int) -> tuple[Cards, ...]:
    """Distinct multisets of 1 to ``most`` cards of a hand, fewest first."""
    chosen = (c for c in Cards.from_counts(counts).submultisets() if 0 < len(c) <= most)
    return tuple(sorted(chosen, key=lambda c: (len(c), c.counts)))


_ONE: Final = {code: Cards([code]) for code in KINDS}


def one(code: str) -> Cards:
    """A single card."""
    return _ONE[code]


def left_of(seats: int, seat: int, among: tuple[int, ...]) -> int:
    """The first seat to the left of ``seat`` that is among these; itself last."""
    return min(among, key=lambda other: (other - seat - 1) % seats)
