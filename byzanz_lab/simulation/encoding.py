"""Positions as the small arrays that the compiled kernels work on, and back.

``encode`` turns a `Position` into a `Start`: what is known, plus the pool of unseen cards and how many of them each
hand hides. Nothing hidden can enter, because a Position holds nothing hidden; a `State` is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import GROUPS, Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation import kernels as k

PHASE_CODES = {
    Phase.AUCTION: k.AUCTION,
    Phase.TAX: k.TAX,
    Phase.LAST_LOT: k.LAST_LOT,
    Phase.HAND_LIMIT: k.HAND_LIMIT,
    Phase.MARKET: k.MARKET,
    Phase.CLOSING: k.CLOSING,
    Phase.OVER: k.OVER,
}
MAX_LOG = 4000
"""Rows of a log: more actions than a game can have."""


@dataclass(frozen=True)
class Start:
    """Where playouts begin.

    Attributes
    ----------
    game
        Arrays with what is known; ``hands[n_seats, 7]`` hold the known part of each hand.
    unknown
        ``int64[n_seats]``, unknown cards in each hand.
    pool
        ``int8[n]``, kinds of all unseen cards, sorted.
    deck_left
        Cards in the deck.
    """

    game: k.Game
    unknown: NDArray[np.int64]
    pool: NDArray[np.int8]
    deck_left: int


def rules_array(rules: Rules) -> NDArray[np.int64]:
    """The numbers of the rules, laid out for the kernels."""
    out = np.zeros(k.RULES_SIZE, np.int64)
    out[: k.R_OFFERS] = (
        rules.seats,
        rules.hand_limit,
        rules.rounds,
        rules.last_card_to_hand,
        rules.may_decline_market,
        rules.tie_counts_dealers,
        rules.dealer_set_profit,
    )
    out[k.R_OFFERS : k.R_OFFERS + rules.seats] = rules.offers
    return out


def blank_game(rules: Rules, deck_left: int, log_rows: int = 0) -> k.Game:
    """An empty game of the right shape."""
    n = rules.seats
    return k.Game(
        head=np.zeros(k.HEAD_SIZE, np.int64),
        seats=np.zeros((k.SEAT_ROWS, n), np.int64),
        values=np.zeros((2, n)),
        hands=np.zeros((n, k.WIDTH), np.uint16),
        bids=np.zeros((n, k.WIDTH), np.uint16),
        lot=np.zeros(k.WIDTH, np.uint16),
        market=np.zeros(k.WIDTH, np.uint16),
        deck=np.zeros(deck_left, np.int8),
        rules=rules_array(rules),
        rng=np.ones(1, np.uint64),
        log=np.zeros((log_rows, k.ACTION_SIZE), np.uint16),
    )


def blank_work() -> k.Work:
    """Scratch space for one thread."""
    return k.Work(
        action=np.zeros(k.ACTION_SIZE, np.uint16),
        dp=np.zeros(24),
        share=np.zeros(k.N_GOODS, np.int64),
        choice=np.zeros((k.N_GOODS, 24), np.int64),
        cost=np.zeros((k.N_GOODS + 1, k.MAX_SPENT)),
        code=np.zeros((k.N_GOODS, k.MAX_SPENT), np.int64),
        hand=np.zeros(k.WIDTH, np.uint16),
        hand2=np.zeros(k.WIDTH, np.uint16),
        plan=np.zeros(k.WIDTH, np.uint16),
    )


def states_of(counts: Sequence[int] | NDArray[np.integer[Any]]) -> NDArray[np.uint16]:
    """States ``[..., 7]`` of multisets given as counts ``[..., 25]``."""
    array = np.asarray(counts)
    goods = array[..., :-1].reshape(*array.shape[:-1], k.N_GOODS, len(k.STRIDE)) @ np.array(k.STRIDE)
    return np.concatenate([goods, array[..., -1:]], axis=-1).astype(np.uint16)


def counts_of(states: NDArray[np.integer[Any]]) -> NDArray[np.int8]:
    """Counts ``[..., 25]`` of multisets given as states ``[..., 7]``."""
    goods = k.DIGITS[states[..., : k.N_GOODS]].reshape(*states.shape[:-1], -1)
    return np.concatenate([goods, states[..., k.DEALERS :]], axis=-1).astype(np.int8)


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
    game = blank_game(table.rules, table.deck_left)
    head, seats = game.head, game.seats
    head[[k.PHASE, k.TO_MOVE, k.ROUND]] = (
        PHASE_CODES[table.phase],
        -1 if table.to_move is None else table.to_move,
        table.round,
    )
    head[[k.PICKED, k.WON, k.HIGH]] = table.picked, table.lots_won, table.high_bid
    head[[k.N_PASSED, k.FIRST_PASS]] = len(table.passes), table.passes[0] if table.passes else -1
    head[k.LAST_WINNER] = -1 if table.last_winner is None else table.last_winner
    head[k.LOT_WINNER] = -1
    seats[k.OFFER] = table.offers
    seats[k.PASSED, list(table.passes)] = 1
    seats[k.DONE, list(table.done)] = 1
    seats[k.PROFIT], seats[k.SIZE] = table.profits, table.sizes
    seats[k.BID_TOTAL] = [bid.total for bid in table.bids]
    seats[k.ORDER] = table.pick_order
    for seat, known in enumerate(table.known):
        game.hands[seat] = states_of((position.hand if seat == position.seat else known).counts)
        game.bids[seat] = states_of(table.bids[seat].counts)
    game.lot[:], game.market[:] = states_of(table.lot.counts), states_of(table.market.counts)
    return Start(game, np.array(position.unknown, np.int64), pool_array(position.unseen), table.deck_left)


def encode_deal(rules: Rules, start_player: int = 0) -> Start:
    """The moment before a deal, when nobody has seen a card: playouts from here are whole games."""
    game = blank_game(rules, rules.cards_auctioned)
    game.head[[k.PHASE, k.TO_MOVE, k.ROUND, k.FIRST_PASS]] = k.START, start_player, 1, -1
    game.head[[k.LAST_WINNER, k.LOT_WINNER]] = -1
    game.seats[k.SIZE] = rules.start_hand
    unknown = np.full(rules.seats, rules.start_hand, np.int64)
    return Start(game, unknown, pool_array(Cards.from_counts(rules.copies)), rules.cards_auctioned)


def scratch_like(start: Start, log_rows: int = 0) -> k.Game:
    """A game of the same shape to play in."""
    game = start.game
    return game._replace(
        head=game.head.copy(),
        seats=game.seats.copy(),
        values=game.values.copy(),
        hands=game.hands.copy(),
        bids=game.bids.copy(),
        lot=game.lot.copy(),
        market=game.market.copy(),
        deck=np.zeros(start.deck_left, np.int8),
        rng=np.ones(1, np.uint64),
        log=np.zeros((log_rows, k.ACTION_SIZE), np.uint16),
    )


_CODES: dict[type, int] = {
    Bid: k.BID, Pass: k.PASS, Tax: k.A_TAX, Take: k.TAKE, Decline: k.DECLINE,
    Sell: k.SELL, Discard: k.DISCARD, Done: k.A_DONE,
}  # fmt: skip
_TYPES: dict[int, Any] = {code: kind for kind, code in _CODES.items()}


def encode_action(seat: int, action: Action, market: Cards) -> NDArray[np.uint16]:
    """Seat, type and seven states; a group is written out as the cards it holds in ``market``."""
    if isinstance(action, (Bid, Sell, Discard)):
        cards = action.cards
    elif isinstance(action, Tax):
        cards = Cards([action.card])
    else:
        cards = market.group(action.good) if isinstance(action, Take) else Cards()
    return np.concatenate([np.array([seat, _CODES[type(action)]], np.uint16), states_of(cards.counts)])


def decode_action(row: NDArray[np.uint16]) -> tuple[int, Action]:
    """The seat and action of one row (not for suppositions, which are no moves of the game)."""
    kind = _TYPES[int(row[1])]
    if kind in (Pass, Decline, Done):
        return int(row[0]), kind()
    if kind is Take:
        return int(row[0]), Take(GROUPS[int(np.flatnonzero(row[2:])[0])])
    cards = Cards.from_counts(counts_of(row[2:]).tolist())
    return int(row[0]), Tax(cards.codes()[0]) if kind is Tax else kind(cards)
