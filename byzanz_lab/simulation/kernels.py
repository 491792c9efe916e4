"""The rules and the built-in policies once more, compiled, for playouts by the million.

The readable form of the same rules is `byzanz_lab.game`; tests hold the two together by replaying logged playouts. All
compiled functions and the constants they use live in this one file, because Numba's cache does not notice a change in
another one. Every function also runs as plain Python (``function.py_func``), slowly, with the same results; random
numbers come from an explicit 64-bit state that is handed in, so they do not depend on threads.

A multiset of cards is one whole number, *packed*. Nine bits a good hold its state: how many cards of value 1, 2, 3, 4
there are, in mixed radix (7, 6, 4, 3: no more exist), which makes 504 states. The bits above count the dealers. So
``+`` puts cards together, ``-`` takes cards away, 0 is no cards, and whatever one asks of a good (how many cards, what
they pay, which set they make, what they are worth to a policy) is one look-up in a table with 504 entries.

A game under way is one array, the *board*, laid out by the constants below: what all can see, then one number a seat
for each thing a seat has, the hands among them. Worth to a policy is counted in thousandths of a point, in whole
numbers, so that no sum depends on its order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.compiler import inlined, njit

Array = NDArray[Any]

# -- packed cards ------------------------------------------------------------------------------------------------------

N_GOODS = 6
N_STATES = 7 * 6 * 4 * 3
"""States of one good."""
STRIDE = (1, 7, 42, 168)
"""What one card of value 1, 2, 3, 4 adds to a state."""
BITS, MASK = 9, 511
"""Width of a state; its mask."""
DEALERS = N_GOODS
"""Group of the dealers, after the six goods."""
TOP = BITS * N_GOODS
"""Place of the dealers' bits."""
DEALER = 1 << TOP
"""One dealer, packed."""
CARD = np.array([*(step << BITS * good for good in range(N_GOODS) for step in STRIDE), DEALER])
"""One card of each of the 25 kinds, packed."""

# -- layout of a board -------------------------------------------------------------------------------------------------

PHASE, TO_MOVE, ROUND, PICKED, WON, DECK_AT, HIGH, N_PASSED, FIRST_PASS, LAST_WINNER, LOT, MARKET = range(12)
"""What is going on; cards in the lot and in the market."""
N_LOG, LOTS, LOT_WINNER, LOT_PRICE, DECK_LEFT = range(12, 17)
"""Rows of the log, lots handed over so far; winner and price of the first of them."""
R_SEATS, R_LIMIT, R_ROUNDS, R_LAST_TO_HAND, R_DECLINE, R_TIE_DEALERS, R_DEALER_SET, R_OFFERS = range(17, 25)
"""The rules; six offer cards from ``R_OFFERS``."""
MAX_SEATS = 6
HAND, BID, BID_TOTAL, SIZE, OFFER, PASSED, PROFIT, DONE, ORDER, IS_READY, IF_LOST, TAX_CARD, LIMIT = range(31, 109, 6)
"""One number a seat from here: hand, open bid and its total, hand size, offer card, has passed, points, is done; which
seat picks in this place; and, kept during one auction: what losing it is worth, which card pays the tax, the limit."""
BOARD_SIZE = 109

# phases; START draws the first lot
AUCTION, TAX, LAST_LOT, HAND_LIMIT, MARKET_OPEN, CLOSING, OVER, START = range(8)

# types of action; the last two are suppositions of an adviser, no moves of the game
A_BID, A_PASS, A_TAX, A_TAKE, A_DECLINE, A_SELL, A_DISCARD, A_DONE, WIN, PICK_FIRST = range(10)
ACTION_SIZE = 3
"""Seat, type, packed cards."""

# -- layout of a policy's values ---------------------------------------------------------------------------------------

RANDOM = -1
"""Number of the policy that does anything legal; others are numbers of rows of values."""
POINT = 1000
"""Worth of one point."""
NEVER = -10_000_000
"""Worth of what cannot be."""
SHARE, PER_STATE = 2, 4
"""Most dealers put to one good; entries a state: worth of the good's cards with 0, 1, 2 dealers put to them; unused."""
DEALERS_AT = PER_STATE * (MASK + 1)
"""Worth of dealers put to nothing, by their number, from here."""
WAIT_AT = DEALERS_AT + 32
"""What waiting brings, by offer card, from here."""
VALUES_SIZE = WAIT_AT + 8

# -- layout of scratch space -------------------------------------------------------------------------------------------

BEST, USED, LOSS, AMOUNT, PART = 0, 32, 224, 800, 1376
"""Worth by dealers used; ``[6, 32]`` dealers each good gets; ways to pay from one good: worth lost, amount, cards."""
COST, PAY = 2000, 2048
"""Least worth lost by paying each amount, with what; there is room before for amounts below 0, which nobody can pay."""
BELOW = 40
WORK_SIZE = PAY + 48
MOST_PAID = 40
"""Nobody bids more: a hand of eight cards has 32 at most."""

# -- tables of one good's states ---------------------------------------------------------------------------------------


def _digits() -> Array:
    states = np.arange(N_STATES)
    return np.stack([states % 7, states // 7 % 6, states // 42 % 4, states // 168], axis=1)


def _packed_digits(digits: Array) -> Array:
    return (digits << 3 * np.arange(4)).sum(axis=1)


def _set_steps(digits: Array) -> Array:
    """State of the set with 0 to 2 jokers that is headed by the best card and filled with the lowest; 0: none."""
    out = np.zeros((3, N_STATES), np.int64)
    for state in range(N_STATES):
        cards = [v for v in range(4) for _ in range(digits[state, v])]  # lowest first
        for jokers in range(3):
            if cards and len(cards) + jokers >= 3:
                out[jokers, state] = sum(STRIDE[v] for v in [cards[-1], *cards[: 2 - jokers]])
    return out


def _sales(digits: Array) -> tuple[Array, Array]:
    """Best sale of one good with exactly ``j`` jokers: 100 a point less one per tie-break card, and how many sets."""
    score = np.full((2, N_STATES, MAX_JOKERS), -20_000, np.int16)
    sets = np.zeros((2, N_STATES, MAX_JOKERS), np.int8)
    for state in range(N_STATES):
        cards = [v + 1 for v in range(3, -1, -1) for _ in range(digits[state, v])]  # highest first
        for n in range(len(cards) + 1):
            for j in range(max(0, 3 * n - len(cards)), min(2 * n, MAX_JOKERS - 1) + 1):
                for tie in range(2):
                    value = 100 * sum(cards[:n]) - (3 * n if tie == 1 else 3 * n - j)
                    if value > score[tie, state, j]:
                        score[tie, state, j], sets[tie, state, j] = value, n
    return score, sets


def _ways(digits: Array) -> tuple[Array, Array]:
    """Parts of each state of at most ``MAX_WAYS`` cards, and where those of a state begin."""
    parts: list[int] = []
    begin = [0]
    for counts in digits.tolist():
        if sum(counts) <= MAX_WAYS:
            parts += [s for s in range(1, N_STATES) if all(x <= y for x, y in zip(digits[s], counts, strict=True))]
        begin.append(len(parts))
    return np.array(parts, np.int16), np.array(begin, np.int16)


MAX_WAYS = 8
MAX_JOKERS = 17
_DIGITS = _digits()
DIGITS = _packed_digits(_DIGITS)
"""Cards of each value, three bits each."""
SIZE_AND_PURSE = _DIGITS.sum(axis=1) + 256 * (_DIGITS @ np.arange(1, 5))
"""Number of cards, and from bit 8 their value as money: both add up."""
HEAD = np.where(_DIGITS > 0, np.arange(1, 5), 0).max(axis=1)
"""Highest card."""
LOWEST = np.array([0] + [STRIDE[np.flatnonzero(row)[0]] for row in _DIGITS[1:]], np.int64)
"""State of the lowest card alone."""
SET_STEPS = _set_steps(_DIGITS)
SALE_SCORE, SALE_SETS = _sales(_DIGITS)
WAYS, WAYS_AT = _ways(_DIGITS)
"""Ways to pay with cards of one good: states of the cards paid; from where to where for each state in hand."""

# -- random numbers ----------------------------------------------------------------------------------------------------


@njit
def below(rng: Array, n: int) -> Any:
    """A whole number from 0 to n-1 (xorshift64*, Vigna 2016; high bits, by multiplication)."""
    x = rng[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    rng[0] = x
    high = (x * np.uint64(2685821657736338717)) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))


@njit
def shuffle(cards: Array, n_needed: int, rng: Array) -> None:
    """Shuffle in place so that the first ``n_needed`` places are a uniform draw in uniform order."""
    n = cards.shape[0]
    for i in range(min(n_needed, n - 1)):
        j = i + below(rng, n - i)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


# -- cards -------------------------------------------------------------------------------------------------------------


@njit
def size_and_purse(cards: int) -> int:
    """Number of goods cards, and from bit 8 their value as money."""
    both = 0
    for good in range(N_GOODS):
        both += SIZE_AND_PURSE[(cards >> BITS * good) & MASK]
    return both


@njit
def count_cards(cards: int) -> int:
    """How many cards."""
    return (cards >> TOP) + (size_and_purse(cards) & 255)


@njit
def purse_of(cards: int) -> int:
    """Value as money."""
    return size_and_purse(cards) >> 8


@njit
def group_of(cards: int, group: int) -> int:
    """Only the cards of one group."""
    place = BITS * group
    return cards & ((MASK if group < DEALERS else 31) << place)


@njit
def set_points(cards: int, dealer_set: int) -> int:
    """Profit of a set."""
    best = 0
    for good in range(N_GOODS):
        best = max(best, HEAD[(cards >> BITS * good) & MASK])
    return best if best > 0 else dealer_set


# -- flow of the game --------------------------------------------------------------------------------------------------


@njit
def stage_of(board: Array) -> int:
    """Rounds to come, this one included while its auctions run: 0 when only the closing sale is left."""
    left = board[R_ROUNDS] - board[ROUND]
    return left + 1 if board[WON] < board[R_SEATS] else left


@njit
def draw_lot(board: Array, deck: Array, seat: int) -> None:
    """Put the next lot on the table; ``seat`` opens."""
    lot = 0
    at = board[DECK_AT]
    size = board[R_OFFERS + board[WON]]
    for i in range(at, at + size):
        lot += CARD[deck[i]]
    board[LOT] = lot
    board[DECK_AT] = at + size
    board[TO_MOVE] = seat
    board[PHASE] = AUCTION if board[WON] < board[R_SEATS] - 1 else LAST_LOT
    board[HIGH] = 0
    board[N_PASSED] = 0
    board[FIRST_PASS] = -1
    for s in range(MAX_SEATS):
        board[BID_TOTAL + s] = 0
        board[IS_READY + s] = 0


@njit
def note_win(board: Array, seat: int, price: int) -> None:
    """Hand over the offer card; the lot itself has been dealt with."""
    board[LOT] = 0
    for s in range(MAX_SEATS):
        board[PASSED + s] = 0
    board[OFFER + seat] = board[R_OFFERS + board[WON]]
    board[WON] += 1
    board[LAST_WINNER] = seat
    if board[LOTS] == 0:
        board[LOT_WINNER] = seat
        board[LOT_PRICE] = price
    board[LOTS] += 1
    n = board[R_SEATS]
    if board[WON] == n:  # the market opens: lowest offer card first
        board[PICKED] = 0
        for s in range(n):
            place = 0
            for other in range(n):
                place += board[OFFER + other] < board[OFFER + s]
            board[ORDER + place] = s


@njit
def settle(board: Array, deck: Array, seat: int) -> None:
    """Go on to the next decision after ``seat`` may have received cards."""
    n = board[R_SEATS]
    while True:
        if board[SIZE + seat] > board[R_LIMIT]:
            board[PHASE] = HAND_LIMIT
            board[TO_MOVE] = seat
            return
        if board[WON] < n:
            opener = board[LAST_WINNER]  # opens a new round himself, having the lowest card (ruling next-opener)
            if board[WON] > 0:
                opener = next_bidding(board, opener)
            draw_lot(board, deck, opener)
            if board[PHASE] == AUCTION or board[R_OFFERS + board[WON]] > 1:
                return
            if board[R_LAST_TO_HAND] == 1:
                gain(board, opener, board[LOT])
            else:
                board[MARKET] += board[LOT]
            note_win(board, opener, 0)
            seat = opener
            continue
        if board[PICKED] < n and board[MARKET] > 0:
            board[PHASE] = MARKET_OPEN
            board[TO_MOVE] = board[ORDER + board[PICKED]]
            return
        board[MARKET] = 0
        if board[ROUND] == board[R_ROUNDS]:
            board[PICKED] = n
            closing_turn(board)
            return
        board[ROUND] += 1
        board[WON] = 0
        board[PICKED] = 0
        for s in range(n):
            board[OFFER + s] = 0
        seat = board[LAST_WINNER]


@njit
def next_bidding(board: Array, seat: int) -> int:
    """First seat to the left that can still win this auction."""
    n = board[R_SEATS]
    while True:
        seat = seat + 1 if seat + 1 < n else 0
        if board[OFFER + seat] == 0 and board[PASSED + seat] == 0:
            return seat


@njit
def closing_turn(board: Array) -> None:
    """The first seat that is not done, or the end."""
    for s in range(board[R_SEATS]):
        if board[DONE + s] == 0:
            board[PHASE] = CLOSING
            board[TO_MOVE] = s
            return
    board[PHASE] = OVER


@njit
def gain(board: Array, seat: int, cards: int) -> None:
    """Cards come into a hand."""
    board[HAND + seat] += cards
    board[SIZE + seat] += count_cards(cards)


@njit
def lose(board: Array, seat: int, cards: int) -> None:
    """Cards leave a hand."""
    board[HAND + seat] -= cards
    board[SIZE + seat] -= count_cards(cards)


@njit
def take_back(board: Array, seat: int) -> None:
    """An open bid goes back into the hand."""
    gain(board, seat, board[BID + seat])
    board[BID + seat] = 0
    board[BID_TOTAL + seat] = 0


@njit
def won_auction(board: Array, seat: int) -> None:
    """The open bid goes to the market; the tax card is due."""
    board[MARKET] += board[BID + seat]
    board[BID + seat] = 0
    board[PHASE] = TAX
    board[TO_MOVE] = seat


@njit
def next_bidder(board: Array, seat: int) -> int:
    """Turn to the next seat that is still in, or end the auction; the seat that gets the lot for nothing, or -1."""
    waiting = board[R_SEATS] - board[WON] - board[N_PASSED]
    if waiting == 0:
        return board[FIRST_PASS]
    step = next_bidding(board, seat)
    if waiting == 1 and board[BID_TOTAL + step] > 0:
        won_auction(board, step)
    else:
        board[TO_MOVE] = step
    return -1


@njit
def apply(board: Array, deck: Array, seat: int, what: int, cards: int) -> None:
    """Carry out one action."""
    receiver, receives = -1, 0  # a seat that gets cards must come down to the hand limit before anything else
    winner, price = -1, 0
    if what == A_PASS:
        take_back(board, seat)
        board[PASSED + seat] = 1
        if board[N_PASSED] == 0:
            board[FIRST_PASS] = seat
        board[N_PASSED] += 1
        winner = next_bidder(board, seat)
        receives = board[LOT]
    elif what in (A_BID, WIN):
        lose(board, seat, cards)
        board[BID + seat] += cards
        board[BID_TOTAL + seat] += purse_of(cards)
        board[HIGH] = board[BID_TOTAL + seat]
        if what == A_BID:
            next_bidder(board, seat)
        else:
            for s in range(board[R_SEATS]):
                if s != seat:
                    take_back(board, s)
            won_auction(board, seat)
    elif what in (A_SELL, A_DISCARD):
        lose(board, seat, cards)
        board[IS_READY + seat] = 0
        if what == A_SELL:
            board[PROFIT + seat] += set_points(cards, board[R_DEALER_SET])
        if board[PHASE] == HAND_LIMIT and seat == board[TO_MOVE]:
            receiver = seat
    elif what == A_TAX:
        board[MARKET] += cards
        winner, price, receives = seat, board[HIGH], board[LOT] - cards
    elif what in (A_TAKE, A_DECLINE):
        board[MARKET] -= cards
        board[PICKED] += 1
        receiver, receives = seat, cards
    elif what == A_DONE:
        board[DONE + seat] = 1
        closing_turn(board)
    else:
        pick_first(board, seat)
    if winner >= 0:
        note_win(board, winner, price)
        receiver = winner
    if receiver >= 0:
        gain(board, receiver, receives)
        settle(board, deck, receiver)


@njit
def pick_first(board: Array, seat: int) -> None:
    """Suppose that this seat is the next to pick from the market."""
    place = board[PICKED]
    while board[ORDER + place] != seat:
        place += 1
    while place > board[PICKED]:
        board[ORDER + place] = board[ORDER + place - 1]
        place -= 1
    board[ORDER + place] = seat
    board[TO_MOVE] = seat


# -- what a hand is worth to a policy ----------------------------------------------------------------------------------


@njit
def hand_value(cards: int, v: Array, work: Array) -> int:
    """Most that a hand is worth over all ways to put up to two dealers to each good.

    Parameters
    ----------
    cards
        The hand, packed.
    v
        ``values[2088]`` of a policy for the rounds to come.
    work
        Scratch.
    """
    d = cards >> TOP
    if d == 0:
        total = v[DEALERS_AT]
        for good in range(N_GOODS):
            total += v[PER_STATE * ((cards >> BITS * good) & MASK)]
        return total
    if d == 1:
        total, gain = v[DEALERS_AT], v[DEALERS_AT + 1] - v[DEALERS_AT]
        for good in range(N_GOODS):
            at = PER_STATE * ((cards >> BITS * good) & MASK)
            total += v[at]
            gain = max(gain, v[at + 1] - v[at])
        return total + gain
    total, first, second, both = 0, NEVER, NEVER, NEVER
    if d == 2:
        for good in range(N_GOODS):
            at = PER_STATE * ((cards >> BITS * good) & MASK)
            worth = v[at]
            total += worth
            gain = v[at + 1] - worth
            second = max(second, min(first, gain))
            first = max(first, gain)
            both = max(both, v[at + 2] - worth)
        two = max(both, first + second) + v[DEALERS_AT]
        return total + max(two, max(first + v[DEALERS_AT + 1], v[DEALERS_AT + 2]))
    work[BEST] = 0
    for j in range(1, d + 1):
        work[BEST + j] = NEVER
    for good in range(N_GOODS):
        at = PER_STATE * ((cards >> BITS * good) & MASK)
        if at > 0:
            for j in range(d, 1, -1):
                work[BEST + j] = max(
                    work[BEST + j] + v[at], max(work[BEST + j - 1] + v[at + 1], work[BEST + j - 2] + v[at + 2])
                )
            work[BEST + 1] = max(work[BEST + 1] + v[at], work[BEST] + v[at + 1])
            work[BEST] += v[at]
    for j in range(d + 1):
        total = max(total, work[BEST + j] + v[DEALERS_AT + d - j])
    return total


@njit
def share_dealers(cards: int, v: Array, work: Array) -> tuple[int, int]:
    """As `hand_value`; and how many dealers each good gets, two bits a good."""
    d = cards >> TOP
    if d == 0:
        return hand_value(cards, v, work), 0
    if d == 1:
        total, gain, share = 0, v[DEALERS_AT + 1], 0
        for good in range(N_GOODS):
            at = PER_STATE * ((cards >> BITS * good) & MASK)
            total += v[at]
            if v[at + 1] - v[at] + v[DEALERS_AT] > gain:
                gain, share = v[at + 1] - v[at] + v[DEALERS_AT], 1 << 2 * good
        return total + gain, share
    work[BEST] = 0
    for j in range(1, d + 1):
        work[BEST + j] = NEVER
    for good in range(N_GOODS):
        at = PER_STATE * ((cards >> BITS * good) & MASK)
        if at > 0:
            for j in range(d, -1, -1):
                most, put = work[BEST + j] + v[at], 0
                if j >= 1 and work[BEST + j - 1] + v[at + 1] > most:
                    most, put = work[BEST + j - 1] + v[at + 1], 1
                if j >= 2 and work[BEST + j - 2] + v[at + 2] > most:
                    most, put = work[BEST + j - 2] + v[at + 2], 2
                work[BEST + j] = most
                work[USED + 32 * good + j] = put
    total, left = NEVER, 0
    for j in range(d + 1):
        if work[BEST + j] + v[DEALERS_AT + d - j] > total:
            total, left = work[BEST + j] + v[DEALERS_AT + d - j], j
    share = 0
    if left > 0:
        for good in range(N_GOODS - 1, -1, -1):
            if (cards >> BITS * good) & MASK > 0:
                share |= work[USED + 32 * good + left] << 2 * good
                left -= work[USED + 32 * good + left]
    return total, share


@njit
def least_missed(cards: int, among: int, v: Array, work: Array) -> tuple[int, int]:
    """The card of ``among`` that is missed least from ``cards``, which hold it; and the worth of what is left.

    Of each good only the lowest card comes into question, as no policy values a card above a better one.
    """
    card, kept = 0, 2 * NEVER
    for good in range(N_GOODS):
        low = LOWEST[(among >> BITS * good) & MASK]
        if low > 0:
            worth = hand_value(cards - (low << BITS * good), v, work)
            if worth > kept:
                card, kept = low << BITS * good, worth
    if among >= DEALER:
        worth = hand_value(cards - DEALER, v, work)
        if worth > kept:
            card, kept = DEALER, worth
    return card, kept


@njit
def fill_costs(hand: int, after: int, share: int, most: int, up_to: int, v: Array, work: Array) -> None:
    """Work out the least worth lost by paying each amount with cards of ``hand``, and with which cards.

    Adds up good by good, so that all ways to pay are compared at once. Worth is lost from ``after``, what is left if
    nothing need be paid; dealers stay where ``share`` puts them. Ways to pay from one good that lose ``most`` or more
    are left out, and so are amounts that beat ``up_to`` by more than 3: such a payment could leave a card out.
    """
    for t in range(up_to + 4):
        work[COST + t] = -NEVER
    work[COST], work[PAY] = 0, 0
    reach = 0
    for good in range(N_GOODS):
        state = (hand >> BITS * good) & MASK
        at = PER_STATE * ((after >> BITS * good) & MASK) + ((share >> 2 * good) & 3)
        n = 0
        for i in range(WAYS_AT[state], WAYS_AT[state + 1]):
            loss = v[at] - v[at - PER_STATE * WAYS[i]]
            if loss < most:
                work[LOSS + n] = loss
                work[AMOUNT + n] = SIZE_AND_PURSE[WAYS[i]] >> 8
                work[PART + n] = np.int64(WAYS[i]) << BITS * good
                n += 1
        if n > 0:
            reach = min(reach + (SIZE_AND_PURSE[state] >> 8), up_to + 3)
            for t in range(reach, 0, -1):
                least, way = work[COST + t], -1
                for i in range(n):
                    cost = work[COST + t - work[AMOUNT + i]] + work[LOSS + i]
                    if cost < least:
                        least, way = cost, i
                if way >= 0:
                    work[COST + t] = least
                    work[PAY + t] = work[PAY + t - work[AMOUNT + way]] + work[PART + way]


@njit
def cheapest(needed: int, work: Array) -> int:
    """The amount of at least ``needed`` that loses least, after `fill_costs`."""
    t = needed
    for more in range(needed + 1, needed + 4):
        if work[COST + more] < work[COST + t]:
            t = more
    return t


# -- decisions of a policy with values ---------------------------------------------------------------------------------


@njit
def decide_bid(board: Array, v: Array, work: Array, seat: int) -> tuple[int, int]:
    """Bid while the lot adds more than the payment costs and waiting would bring; pay with what is missed least.

    What a seat holds, its open bid with it, sets the limit up to which it goes in this auction. Which card pays the tax
    is settled before the payment, and dealers stay where they are worth most if nothing need be paid.
    """
    hand, bid, lot = board[HAND + seat], board[BID + seat], board[LOT]
    price = board[HIGH] + 1
    needed = price - board[BID_TOTAL + seat]
    if purse_of(hand) < needed:
        return A_PASS, 0
    is_new = board[IS_READY + seat] == 0
    if is_new:
        board[IS_READY + seat] = 1
        own = hand + bid
        if_lost = hand_value(own, v, work) + v[WAIT_AT + board[R_OFFERS + board[WON]]]
        tax, if_won = least_missed(own + lot, lot, v, work)
        limit = 0
        if if_won > if_lost:
            _, share = share_dealers(own + lot - tax, v, work)
            limit = min(purse_of(own), MOST_PAID)
            fill_costs(own, own + lot - tax, share, if_won - if_lost, limit, v, work)
            while limit > 0 and work[COST + limit] >= if_won - if_lost:
                limit -= 1
        board[IF_LOST + seat], board[TAX_CARD + seat], board[LIMIT + seat] = if_lost, tax, limit
    if price > board[LIMIT + seat]:
        return A_PASS, 0
    if bid > 0 or not is_new:
        after = hand + lot - board[TAX_CARD + seat]
        worth, share = share_dealers(after, v, work)
        most = worth - board[IF_LOST + seat]
        if most <= 0:
            return A_PASS, 0
        fill_costs(hand, after, share, most, needed, v, work)
        amount = cheapest(needed, work)
        if work[COST + amount] >= most:
            return A_PASS, 0
        return A_BID, work[PAY + amount]
    return A_BID, work[PAY + cheapest(needed, work)]


@njit
def set_of(cards: int, group: int) -> int:
    """The set of a group with as few dealers as will do, headed by its best card, filled with its lowest; 0: none."""
    d = cards >> TOP
    if group == DEALERS:
        return 3 * DEALER if d >= 3 else 0
    state = (cards >> BITS * group) & MASK
    if state == 0:
        return 0
    jokers = max(0, 3 - (SIZE_AND_PURSE[state] & 255))
    if jokers > d:
        return 0
    return (SET_STEPS[jokers, state] << BITS * group) + jokers * DEALER


@njit
def decide_trim(hand: int, size: int, board: Array, v: Array, work: Array) -> tuple[int, int]:
    """One step down to the hand limit: sell the set that costs least, or drop the cards that are missed least."""
    sold, sale = NEVER, 0
    for group in range(N_GOODS + 1):
        cards = set_of(hand, group)
        if cards > 0:
            worth = hand_value(hand - cards, v, work) + POINT * set_points(cards, board[R_DEALER_SET])
            if worth > sold:
                sold, sale = worth, cards
    drop = 0
    for _ in range(min(size - board[R_LIMIT], 3)):
        card, kept = least_missed(hand - drop, hand - drop, v, work)
        if kept <= sold:
            return A_SELL, sale
        drop += card
    return A_DISCARD, drop


@njit
def value_after_trim(hand: int, size: int, board: Array, v: Array, work: Array) -> int:
    """Worth of the points scored and of what is kept once a hand is down to the limit."""
    points = 0
    while size > board[R_LIMIT]:
        what, cards = decide_trim(hand, size, board, v, work)
        hand -= cards
        size -= count_cards(cards)
        if what == A_SELL:
            points += set_points(cards, board[R_DEALER_SET])
    return POINT * points + hand_value(hand, v, work)


@njit
def decide_pick(board: Array, v: Array, work: Array, seat: int) -> tuple[int, int]:
    """Take the group that leaves the most valuable hand after trimming; decline if that is allowed and none helps.

    A group whose worth before trimming does not beat the best so far is not looked at further.
    """
    hand, market = board[HAND + seat], board[MARKET]
    most, chosen = 2 * NEVER, 0
    if board[R_DECLINE] == 1:
        most = hand_value(hand, v, work)
    for group in range(N_GOODS + 1):
        cards = group_of(market, group)
        if cards > 0:
            worth = hand_value(hand + cards, v, work)
            size = board[SIZE + seat] + count_cards(cards)
            if worth > most and size > board[R_LIMIT]:
                worth = value_after_trim(hand + cards, size, board, v, work)
            if worth > most:
                most, chosen = worth, cards
    return (A_TAKE if chosen > 0 else A_DECLINE), chosen


# -- the closing sale, exactly -----------------------------------------------------------------------------------------


@njit
def decide_closing(hand: int, board: Array, work: Array) -> tuple[int, int]:
    """The next set of the best closing sale, or done (ruling *closing-sale*: profit first, then the tie-break)."""
    tie, d = board[R_TIE_DEALERS], hand >> TOP
    work[BEST] = 0
    for j in range(1, d + 1):
        work[BEST + j] = NEVER
    for good in range(N_GOODS):
        state = (hand >> BITS * good) & MASK
        for j in range(d, -1, -1):
            most, put = 2 * NEVER, 0
            for jokers in range(j + 1):
                worth = work[BEST + j - jokers] + SALE_SCORE[tie, state, jokers]
                if worth > most:
                    most, put = worth, jokers
            work[BEST + j] = most
            work[USED + 32 * good + j] = put
    most, left = 2 * NEVER, 0
    for j in range(d + 1):
        worth = work[BEST + j] + (d - j) // 3 * (100 * board[R_DEALER_SET] - 3 * tie)
        if worth > most:
            most, left = worth, j
    if (d - left) // 3 > 0:
        return A_SELL, 3 * DEALER
    for good in range(N_GOODS - 1, -1, -1):
        jokers = work[USED + 32 * good + left]
        state = (hand >> BITS * good) & MASK
        if SALE_SETS[tie, state, jokers] > 0:
            # one set now, with as many of the jokers as it takes; the heads of later sets stay
            jokers = min(2, jokers)
            return A_SELL, (SET_STEPS[jokers, state] << BITS * good) + jokers * DEALER
        left -= jokers
    return A_DONE, 0


# -- the random policy -------------------------------------------------------------------------------------------------


@njit
def draw_card(cards: int, n: int, rng: Array) -> int:
    """One of the ``n`` cards of a multiset, each as likely."""
    nth = below(rng, n)
    for good in range(N_GOODS):
        state = (cards >> BITS * good) & MASK
        size = SIZE_AND_PURSE[state] & 255
        if nth < size:
            digits = DIGITS[state]
            for v in range(4):
                nth -= digits >> 3 * v & 7
                if nth < 0:
                    return STRIDE[v] << BITS * good
        nth -= size
    return DEALER


@njit
def draw_set(hand: int, size: int, rng: Array) -> int:
    """Draw three cards of a hand: they, if they are a set, else 0."""
    cards = 0
    if size >= 3:
        for i in range(3):
            cards += draw_card(hand - cards, size - i, rng)
        goods = 0
        for good in range(N_GOODS):
            goods += (cards >> BITS * good) & MASK > 0
        if goods > 1:
            cards = 0
    return cards


@njit
def draw_bid(hand: int, rng: Array) -> int:
    """Some of the goods cards of a hand."""
    cards = 0
    for good in range(N_GOODS):
        digits = DIGITS[(hand >> BITS * good) & MASK]
        for v in range(4):
            n = digits >> 3 * v & 7
            if n > 0 and below(rng, 3) == 0:
                cards += STRIDE[v] * below(rng, n + 1) << BITS * good
    return cards


@njit
def decide_random(board: Array, rng: Array, seat: int) -> tuple[int, int]:
    """Any legal action, each with some chance."""
    hand, size, phase = board[HAND + seat], board[SIZE + seat], board[PHASE]
    tries = 1 if below(rng, 4) == 0 else 0
    if phase in (HAND_LIMIT, CLOSING):
        tries = 8 - 8 * tries
    for _ in range(tries):
        cards = draw_set(hand, size, rng)
        if cards > 0:
            return A_SELL, cards
    cards = 0
    if phase == AUCTION:
        if below(rng, 2) == 0:
            cards = draw_bid(hand, rng)
            if purse_of(cards) > board[HIGH] - board[BID_TOTAL + seat]:
                return A_BID, cards
        return A_PASS, 0
    if phase in (TAX, LAST_LOT):
        return A_TAX, draw_card(board[LOT], count_cards(board[LOT]), rng)
    if phase == MARKET_OPEN:
        if board[R_DECLINE] == 1 and below(rng, 4) == 0:
            return A_DECLINE, 0
        cards = draw_card(board[MARKET], count_cards(board[MARKET]), rng)
        for group in range(N_GOODS + 1):
            if group_of(cards, group) > 0:
                return A_TAKE, group_of(board[MARKET], group)
    if phase == HAND_LIMIT:
        for i in range(1 + below(rng, size - board[R_LIMIT])):
            cards += draw_card(hand - cards, size - i, rng)
        return A_DISCARD, cards
    return A_DONE, 0


# -- playing -----------------------------------------------------------------------------------------------------------


@inlined
def decide(board: Array, of: Array, values: Array, rng: Array, work: Array) -> tuple[int, int]:
    """What the seat on the move does: type of action and cards. Reads its own hand and what all can see, no more.

    Parameters
    ----------
    board
        The game.
    of, values
        Policies: ``of[n_seats]`` which one plays a seat; ``values[n, 9, 2088]`` what it values, by rounds to come.
    rng, work
        Random state; scratch.
    """
    phase, seat = board[PHASE], board[TO_MOVE]
    policy = of[seat]
    if policy == RANDOM:
        return decide_random(board, rng, seat)
    v = values[policy, stage_of(board)]
    if phase == AUCTION:
        return decide_bid(board, v, work, seat)
    if phase in (TAX, LAST_LOT):
        card, _ = least_missed(board[HAND + seat] + board[LOT], board[LOT], v, work)
        return A_TAX, card
    if phase == MARKET_OPEN:
        return decide_pick(board, v, work, seat)
    if phase == HAND_LIMIT:
        return decide_trim(board[HAND + seat], board[SIZE + seat], board, v, work)
    return decide_closing(board[HAND + seat], board, work)


@inlined
def play_on(board: Array, deck: Array, of: Array, values: Array, rng: Array, work: Array, log: Array) -> None:
    """Play to the end by the policies; write the actions into ``log[n, 3]`` if it has rows, stop when it is full."""
    if board[PHASE] == START:
        draw_lot(board, deck, board[TO_MOVE])
    while board[PHASE] != OVER:
        seat = board[TO_MOVE]
        what, cards = decide(board, of, values, rng, work)
        if log.shape[0] > 0:
            row = board[N_LOG]
            log[row, 0], log[row, 1], log[row, 2] = seat, what, cards
            board[N_LOG] = row + 1
            if row + 1 == log.shape[0]:
                return
        apply(board, deck, seat, what, cards)


@njit
def deal_worlds(
    known: Array,
    unknown: Array,
    pool: Array,
    cards: Array,
    rng: Array,
    seeds: Array,
    hands: Array,
    decks: Array,
    removed: Array,
) -> None:
    """Worlds for given seeds: counts ``hands[n, n_seats, 25]`` and ``removed[n, 25]``, kinds ``decks[n, deck_left]``.

    Deals the unseen cards of ``pool``: first the unknown parts of the hands, beside ``known[n_seats, 25]``, then the
    deck; what is left over was removed. Uniform over all assignments: multivariate hypergeometric. `play_worlds` deals
    in the same way.
    """
    needed = unknown.sum() + decks.shape[1]
    for w in range(seeds.shape[0]):
        rng[0] = seeds[w]
        for i in range(pool.shape[0]):
            cards[i] = pool[i]
        shuffle(cards, needed, rng)
        at = 0
        for s in range(unknown.shape[0]):
            for kind in range(known.shape[1]):
                hands[w, s, kind] = known[s, kind]
            for _ in range(unknown[s]):
                hands[w, s, cards[at]] += 1
                at += 1
        for i in range(decks.shape[1]):
            decks[w, i] = cards[at + i]
        for kind in range(known.shape[1]):
            removed[w, kind] = 0
        for i in range(needed, cards.shape[0]):
            removed[w, cards[i]] += 1


@njit
def play_worlds(
    start: Array, unknown: Array, pool: Array, listed: Array, decks: Array, deal_seeds: Array, play_seeds: Array,
    lines: Array, lengths: Array, of: Array, values: Array, cards: Array, rng: Array, work: Array,
    board: Array, log: Array, profits: Array, ties: Array, lots: Array,
) -> None:  # fmt: skip
    """Play every line in every world to the end.

    Parameters
    ----------
    start
        Board of the position, with the known part of each hand.
    unknown, pool
        Unknown cards a seat; all unseen cards, sorted.
    listed, decks
        Worlds that are given: packed hands ``[n_worlds, n_seats]``, kinds ``[n_worlds, deck_left]``. Without rows,
        worlds are dealt, one for each of ``deal_seeds``.
    deal_seeds, play_seeds
        One 64-bit state a world: for the deal, and for the policies' choices (the same for every line).
    lines, lengths
        ``[n_lines, n_actions, 3]`` first actions that are forced, and how many of them count.
    of, values
        Policies, see `decide`.
    cards, rng, work
        Scratch: of the shape of ``pool``, a random state, see above.
    board, log
        Out: the last game, and its actions if ``log`` has rows; it ends when they are full.
    profits, ties, lots
        Out: ``[n_worlds, n_lines, n_seats]`` points and cards for the tie-break; ``[n_worlds, n_lines, 2]`` who won the
        first lot, and at what price.
    """
    n = start[R_SEATS]
    in_hands = 0
    for s in range(n):
        in_hands += unknown[s]
    for w in range(play_seeds.shape[0]):
        deck = decks[0] if listed.shape[0] == 0 else decks[w]
        if listed.shape[0] == 0:
            for i in range(pool.shape[0]):
                cards[i] = pool[i]
            rng[0] = deal_seeds[w]
            shuffle(cards, in_hands + deck.shape[0], rng)
            for i in range(deck.shape[0]):
                deck[i] = cards[in_hands + i]
        for line in range(lines.shape[0]):
            for i in range(BOARD_SIZE):
                board[i] = start[i]
            at = 0
            for s in range(n):
                if listed.shape[0] > 0:
                    board[HAND + s] = listed[w, s]
                else:
                    for _ in range(unknown[s]):
                        board[HAND + s] += CARD[cards[at]]
                        at += 1
            rng[0] = play_seeds[w]
            for i in range(lengths[line]):
                apply(board, deck, lines[line, i, 0], lines[line, i, 1], lines[line, i, 2])
            play_on(board, deck, of, values, rng, work, log)
            for s in range(n):
                profits[w, line, s] = board[PROFIT + s]
                dealers = board[HAND + s] >> TOP
                ties[w, line, s] = board[SIZE + s] - (0 if board[R_TIE_DEALERS] == 1 else dealers)
            lots[w, line, 0] = board[LOT_WINNER]
            lots[w, line, 1] = board[LOT_PRICE]
