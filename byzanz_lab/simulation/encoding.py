"""Positions as the small arrays that the compiled kernels work on, and back.

``encode`` turns a `Position` into a `Start`: what is known, plus the pool of unseen cards and how many of them each
hand hides. Nothing hidden can enter, because a Position holds nothing hidden; a `State` is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation import kernels as k

PHASE_CODES = {
    Phase.AUCTION: k.AUCTION,
    Phase.TAX: k.TAX,
    Phase.LAST_LOT: k.LAST_LOT,
    Phase.HAND_LIMIT: k.HAND_LIMIT,
    Phase.MARKET: k.MARKET_OPEN,
    Phase.CLOSING: k.CLOSING,
    Phase.OVER: k.OVER,
}
_CARDS: list[int] = k.CARD.tolist()


@dataclass(frozen=True)
class Start:
    """Where playouts begin.

    Attributes
    ----------
    board
        ``int64[109]``, see `kernels`; its hands are the known part of each hand.
    known
        ``int8[n_seats, 25]``, the same hands as counts.
    unknown
        ``int64[n_seats]``, unknown cards in each hand.
    pool
        ``int8[n]``, kinds of all unseen cards, sorted.
    """

    board: NDArray[np.int64]
    known: NDArray[np.int8]
    unknown: NDArray[np.int64]
    pool: NDArray[np.int8]

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.unknown)

    @property
    def deck_left(self) -> int:
        """Cards in the deck."""
        return int(self.board[k.DECK_LEFT])

    def supposing(
        self,
        pool: Cards,
        *,
        lot: Cards | None = None,
        market: Cards | None = None,
        to_move: int | None = None,
    ) -> Start:
        """The same moment with another lot, market or seat on the move, and the unseen cards that then remain."""
        board = self.board.copy()
        for place, cards in ((k.LOT, lot), (k.MARKET, market)):
            if cards is not None:
                board[place] = pack(cards)
        if to_move is not None:
            board[k.TO_MOVE] = to_move
        return replace(self, board=board, pool=pool_array(pool))


def blank_board(rules: Rules) -> NDArray[np.int64]:
    """A board with nothing on it but the rules."""
    board = np.zeros(k.BOARD_SIZE, np.int64)
    board[[k.R_SEATS, k.R_LIMIT, k.R_ROUNDS]] = rules.seats, rules.hand_limit, rules.rounds
    board[[k.R_LAST_TO_HAND, k.R_DECLINE]] = rules.last_card_to_hand, rules.may_decline_market
    board[[k.R_TIE_DEALERS, k.R_DEALER_SET]] = rules.tie_counts_dealers, rules.dealer_set_profit
    board[k.R_OFFERS : k.R_OFFERS + rules.seats] = rules.offers
    board[[k.FIRST_PASS, k.LAST_WINNER, k.LOT_WINNER]] = -1
    return board


def blank_work() -> NDArray[np.int64]:
    """Scratch space for one thread."""
    work = np.zeros(k.WORK_SIZE, np.int64)
    work[k.COST - k.BELOW : k.COST] = -k.NEVER  # amounts below 0 cannot be paid
    return work


def pack(cards: Cards) -> int:
    """A multiset as one whole number, see `kernels`."""
    return sum(n * card for n, card in zip(cards.counts, _CARDS, strict=True) if n)


def pack_counts(counts: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Multisets given as counts ``[..., 25]``, packed ``[...]``."""
    return np.asarray(counts.astype(np.int64) @ k.CARD)


def unpack(packed: int) -> Cards:
    """Exact inverse of `pack`."""
    digits = [int(k.DIGITS[packed >> k.BITS * good & k.MASK]) for good in range(k.N_GOODS)]
    return Cards.from_counts([*(digit >> 3 * v & 7 for digit in digits for v in range(4)), packed >> k.TOP])


def pool_array(cards: Cards) -> NDArray[np.int8]:
    """Kinds, one for each card, sorted."""
    return np.repeat(np.arange(len(cards.counts), dtype=np.int8), cards.counts)


def require_position(position: object) -> Position:
    """Let only a Position through: advisers and policies must not see hidden cards.

    Raises
    ------
    TypeError
        If it is anything else, a State above all.
    """
    if not isinstance(position, Position):
        raise TypeError(f"a Position is needed (what one seat knows), not {type(position).__name__}; see observe()")
    return position


def encode(position: Position) -> Start:
    """Lay out a Position for playouts."""
    table = require_position(position).table
    board = blank_board(table.rules)
    board[[k.PHASE, k.ROUND]] = PHASE_CODES[table.phase], table.round
    board[k.TO_MOVE] = -1 if table.to_move is None else table.to_move
    board[[k.PICKED, k.WON, k.HIGH, k.DECK_LEFT]] = table.picked, table.lots_won, table.high_bid, table.deck_left
    board[[k.N_PASSED, k.FIRST_PASS]] = len(table.passes), table.passes[0] if table.passes else -1
    board[k.LAST_WINNER] = -1 if table.last_winner is None else table.last_winner
    board[[k.LOT, k.MARKET]] = pack(table.lot), pack(table.market)
    known = [position.hand if seat == position.seat else cards for seat, cards in enumerate(table.known)]
    rows: dict[int, Sequence[int]] = {
        k.HAND: [pack(cards) for cards in known],
        k.BID: [pack(bid) for bid in table.bids],
        k.BID_TOTAL: [bid.total for bid in table.bids],
        k.SIZE: table.sizes,
        k.OFFER: table.offers,
        k.PROFIT: table.profits,
        k.PASSED: [seat in table.passes for seat in range(table.rules.seats)],
        k.DONE: [seat in table.done for seat in range(table.rules.seats)],
        k.ORDER: table.pick_order,
    }
    for first, values in rows.items():
        board[first : first + table.rules.seats] = values
    counts = np.array([cards.counts for cards in known], np.int8)
    return Start(board, counts, np.array(position.unknown, np.int64), pool_array(position.unseen))


def encode_deal(rules: Rules, start_player: int = 0) -> Start:
    """The moment before a deal, when nobody has seen a card: playouts from here are whole games."""
    board = blank_board(rules)
    board[[k.PHASE, k.TO_MOVE, k.ROUND, k.DECK_LEFT]] = k.START, start_player, 1, rules.cards_auctioned
    board[k.SIZE : k.SIZE + rules.seats] = rules.start_hand
    known = np.zeros((rules.seats, len(rules.copies)), np.int8)
    unknown = np.full(rules.seats, rules.start_hand, np.int64)
    return Start(board, known, unknown, pool_array(Cards.from_counts(rules.copies)))


_CODES: dict[type, int] = {
    Bid: k.A_BID, Pass: k.A_PASS, Tax: k.A_TAX, Take: k.A_TAKE, Decline: k.A_DECLINE,
    Sell: k.A_SELL, Discard: k.A_DISCARD, Done: k.A_DONE,
}  # fmt: skip
_TYPES: dict[int, Any] = {code: kind for kind, code in _CODES.items()}


def encode_action(seat: int, action: Action, market: Cards) -> NDArray[np.int64]:
    """Seat, type and packed cards; a group is written out as the cards it holds in ``market``."""
    if isinstance(action, (Bid, Sell, Discard)):
        cards = action.cards
    elif isinstance(action, Tax):
        cards = Cards([action.card])
    else:
        cards = market.group(action.good) if isinstance(action, Take) else Cards()
    return np.array([seat, _CODES[type(action)], pack(cards)], np.int64)


def suppose_win(seat: int, bid: Cards) -> NDArray[np.int64]:
    """The supposition that a seat wins the lot on the table at once, by adding these cards to its open bid."""
    return np.array([seat, k.WIN, pack(bid)], np.int64)


def suppose_pick(seat: int) -> NDArray[np.int64]:
    """The supposition that a seat is the next to pick from the market."""
    return np.array([seat, k.PICK_FIRST, 0], np.int64)


def decode_action(what: int, packed: int) -> Action:
    """The action of a type and packed cards (not for suppositions, which are no moves of the game)."""
    kind = _TYPES[int(what)]
    if kind in (Pass, Decline, Done):
        return cast(Action, kind())
    cards = unpack(int(packed))
    if kind is Take:
        return Take(cards.groups()[0])
    return Tax(cards.codes()[0]) if kind is Tax else cast(Action, kind(cards))
