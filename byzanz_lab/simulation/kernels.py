"""The rules and the built-in policies once more, compiled, for playouts by the million.

Everything here works on small arrays that are changed in place. The readable form of the same rules is
`byzanz_lab.game`; tests hold the two together by replaying logged playouts. All compiled functions and the constants
they use live in this one file, because Numba's cache does not notice a change in another one. Every function also runs
as plain Python (``function.py_func``), slowly, with the same results; random numbers come from an explicit 64-bit state
that is handed in, so they do not depend on threads.

A multiset of cards is seven whole numbers, its *states*: for each good how many cards of value 1, 2, 3, 4 it holds, in
mixed radix (7, 6, 4, 3: no more exist), then the number of dealers. Adding multisets adds their states, and whatever one
asks of a good (how many cards, what they pay, which set they make, what they are worth to a policy) is one look-up in a
table with 504 entries. Counting 25 kinds instead made whole games five times slower.

Axes: ``hands[n_seats, 7]`` and ``bids[n_seats, 7]`` are states; ``seats[row, n_seats]`` and ``head[field]`` are laid out
by the constants below; ``actions[n, 9]`` hold seat, type and seven states.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from byzanz_lab.compiler import njit

# -- layout ------------------------------------------------------------------------------------------------------------

N_GOODS, DEALERS, WIDTH = 6, 6, 7
"""Goods; place of the dealers among the states; length of a multiset."""

# head
PHASE, TO_MOVE, ROUND, PICKED, WON, DECK_AT, HIGH, N_PASSED, FIRST_PASS, LAST_WINNER, N_LOG, LOTS = range(12)
LOT_WINNER, LOT_PRICE, HEAD_SIZE = 12, 13, 14

# phases; START draws the first lot
AUCTION, TAX, LAST_LOT, HAND_LIMIT, MARKET, CLOSING, OVER, START = range(8)

# rows of seats
OFFER, PASSED, PROFIT, DONE, SIZE, CACHED, ORDER, BID_TOTAL, SEAT_ROWS = range(9)

# rules
R_SEATS, R_LIMIT, R_ROUNDS, R_LAST_TO_HAND, R_DECLINE, R_TIE_DEALERS, R_DEALER_SET, R_OFFERS = range(8)
RULES_SIZE = R_OFFERS + 6

# types of action; the last two are suppositions of an adviser, no moves of the game
BID, PASS, A_TAX, TAKE, DECLINE, SELL, DISCARD, A_DONE, WIN, PICK_FIRST = range(10)
ACTION_SIZE = 2 + WIDTH

RANDOM, VALUED = 0, 1
"""Kinds of policy: any legal action, or the best by tables of values."""

N_STATES = 7 * 6 * 4 * 3
"""States of one good."""
STRIDE = (1, 7, 42, 168)
"""What one card of value 1, 2, 3, 4 adds to a state."""
MAX_SPENT = 64
MAX_JOKERS = 9
NEVER = -1.0e9

Game = namedtuple("Game", "head seats values hands bids lot market deck rules rng log")
"""One game under way: ``values[2, n_seats]`` keeps what passing and winning are worth during one auction."""

Brain = namedtuple("Brain", "of kind goods dealers hold")
"""Policies: ``of[n_seats]`` which one plays a seat, ``kind[n]``, ``goods[n, 9, 3, 504]`` value of a good's cards with 0 to
2 dealers put to them, by rounds to come; ``dealers[n, 9, 17]`` value of dealers left over; ``hold[n, 9, 7]`` what waiting
brings, by offer card."""

Work = namedtuple("Work", "action dp share choice cost code hand hand2 plan")
"""Scratch space."""

# -- tables of one good's 504 states -----------------------------------------------------------------------------------


def _digits():
    states = np.arange(N_STATES)
    return np.stack([states % 7, states // 7 % 6, states // 42 % 4, states // 168], axis=1)


def _set_steps():
    """State of the set with 0 to 2 jokers that is headed by the best card and filled with the lowest; 0: none."""
    out = np.zeros((3, N_STATES), np.int64)
    for state in range(N_STATES):
        cards = [v for v in range(4) for _ in range(DIGITS[state, v])]  # lowest first
        for jokers in range(3):
            if cards and len(cards) + jokers >= 3:
                out[jokers, state] = sum(STRIDE[v] for v in [cards[-1], *cards[: 2 - jokers]])
    return out


def _sales():
    """Best sale of one good with exactly ``j`` jokers: 1000 a point less one per tie-break card, and how many sets."""
    score = np.full((2, N_STATES, MAX_JOKERS), NEVER)
    sets = np.zeros((2, N_STATES, MAX_JOKERS), np.int64)
    for state in range(N_STATES):
        cards = [v + 1 for v in range(3, -1, -1) for _ in range(DIGITS[state, v])]  # highest first
        for n in range(len(cards) + 1):
            for j in range(max(0, 3 * n - len(cards)), min(2 * n, MAX_JOKERS - 1) + 1):
                for tie in range(2):
                    value = 1000.0 * sum(cards[:n]) - (3 * n if tie == 1 else 3 * n - j)
                    if value > score[tie, state, j]:
                        score[tie, state, j], sets[tie, state, j] = value, n
    return score, sets


DIGITS = _digits()
"""``[504, 4]`` cards of each value."""
N_OF = DIGITS.sum(axis=1)
PURSE = DIGITS @ np.arange(1, 5)
"""Value as money."""
TOP = np.where(DIGITS > 0, np.arange(1, 5), 0).max(axis=1)
"""Highest card."""
SET_STEPS = _set_steps()
SALE_SCORE, SALE_SETS = _sales()
SLOT = np.append(np.repeat(np.arange(N_GOODS), 4), DEALERS)
"""Place of each of the 25 kinds among the states."""
STEP = np.append(np.tile(np.array(STRIDE), N_GOODS), 1)
"""What a card of each of the 25 kinds adds there."""

# -- random numbers ----------------------------------------------------------------------------------------------------


@njit
def below(rng, n):
    """A whole number from 0 to n-1 (xorshift64*, Vigna 2016; high bits, by multiplication)."""
    x = rng[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    rng[0] = x
    high = (x * np.uint64(2685821657736338717)) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))


@njit
def shuffle(cards, n_needed, rng):
    """Shuffle in place so that the first ``n_needed`` places are a uniform draw in uniform order."""
    n = cards.shape[0]
    for i in range(min(n_needed, n - 1)):
        j = i + below(rng, n - i)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


# -- cards -------------------------------------------------------------------------------------------------------------


@njit
def count_cards(cards):
    """How many cards."""
    n = int(cards[DEALERS])
    for good in range(N_GOODS):
        n += N_OF[cards[good]]
    return n


@njit
def count_group(cards, group):
    """How many cards of one group (6 for the dealers)."""
    return int(cards[DEALERS]) if group == DEALERS else int(N_OF[cards[group]])


@njit
def purse_of(cards):
    """Value as money."""
    total = 0
    for good in range(N_GOODS):
        total += PURSE[cards[good]]
    return total


@njit
def set_points(cards, dealer_set):
    """Profit of a set."""
    best = 0
    for good in range(N_GOODS):
        best = max(best, TOP[cards[good]])
    return best if best > 0 else dealer_set


@njit
def clear(cards):
    """Make it no cards."""
    for i in range(WIDTH):
        cards[i] = 0


@njit
def put(into, cards):
    """Add cards."""
    for i in range(WIDTH):
        into[i] += cards[i]


@njit
def remove(from_, cards):
    """Take cards away."""
    for i in range(WIDTH):
        from_[i] -= cards[i]


@njit
def copy(into, cards):
    """Make it the same cards."""
    for i in range(WIDTH):
        into[i] = cards[i]


# -- flow of the game --------------------------------------------------------------------------------------------------


@njit
def stage_of(game):
    """Rounds to come, this one included while its auctions run: 0 when only the closing sale is left."""
    left = game.rules[R_ROUNDS] - game.head[ROUND]
    return left + 1 if game.head[WON] < game.rules[R_SEATS] else left


@njit
def draw_lot(game, seat):
    """Put the next lot on the table; ``seat`` opens."""
    head, n = game.head, game.rules[R_SEATS]
    size = game.rules[R_OFFERS + head[WON]]
    clear(game.lot)
    for i in range(size):
        kind = game.deck[head[DECK_AT] + i]
        game.lot[SLOT[kind]] += STEP[kind]
    head[DECK_AT] += size
    head[TO_MOVE] = seat
    head[PHASE] = AUCTION if head[WON] < n - 1 else LAST_LOT
    head[HIGH] = 0
    head[N_PASSED] = 0
    head[FIRST_PASS] = -1
    for s in range(n):
        game.seats[PASSED, s] = 0
        game.seats[CACHED, s] = 0
        game.seats[BID_TOTAL, s] = 0


@njit
def note_win(game, seat, price):
    """Hand over the offer card; the lot itself has been dealt with."""
    head = game.head
    game.seats[OFFER, seat] = game.rules[R_OFFERS + head[WON]]
    head[WON] += 1
    head[LAST_WINNER] = seat
    if head[LOTS] == 0:
        head[LOT_WINNER] = seat
        head[LOT_PRICE] = price
    head[LOTS] += 1


@njit
def open_market(game):
    """Order the seats by their offer cards, lowest first."""
    n = game.rules[R_SEATS]
    for place in range(n):
        card = game.rules[R_OFFERS + n - 1 - place]
        for s in range(n):
            if game.seats[OFFER, s] == card:
                game.seats[ORDER, place] = s
    game.head[PICKED] = 0


@njit
def settle(game, seat):
    """Go on to the next decision after ``seat`` may have received cards."""
    head, rules, seats = game.head, game.rules, game.seats
    n = rules[R_SEATS]
    while True:
        if seats[SIZE, seat] > rules[R_LIMIT]:
            head[PHASE] = HAND_LIMIT
            head[TO_MOVE] = seat
            return
        if head[WON] < n:
            opener = head[LAST_WINNER]  # opens a new round himself, having the lowest card (ruling next-opener)
            if head[WON] > 0:
                opener = (opener + 1) % n
                while seats[OFFER, opener] > 0:
                    opener = (opener + 1) % n
            draw_lot(game, opener)
            if head[PHASE] == AUCTION or rules[R_OFFERS + head[WON]] > 1:
                return
            if rules[R_LAST_TO_HAND] == 1:
                gain(game, opener, game.lot)
            else:
                put(game.market, game.lot)
            clear(game.lot)
            note_win(game, opener, 0)
            open_market(game)
            seat = opener
            continue
        if head[PICKED] < n and count_cards(game.market) > 0:
            head[PHASE] = MARKET
            head[TO_MOVE] = seats[ORDER, head[PICKED]]
            return
        clear(game.market)
        if head[ROUND] == rules[R_ROUNDS]:
            head[PICKED] = n
            closing_turn(game)
            return
        head[ROUND] += 1
        head[WON] = 0
        head[PICKED] = 0
        for s in range(n):
            seats[OFFER, s] = 0
        seat = head[LAST_WINNER]


@njit
def closing_turn(game):
    """The first seat that is not done, or the end."""
    for s in range(game.rules[R_SEATS]):
        if game.seats[DONE, s] == 0:
            game.head[PHASE] = CLOSING
            game.head[TO_MOVE] = s
            return
    game.head[PHASE] = OVER


@njit
def gain(game, seat, cards):
    """Cards come into a hand."""
    put(game.hands[seat], cards)
    game.seats[SIZE, seat] += count_cards(cards)


@njit
def lose(game, seat, cards):
    """Cards leave a hand."""
    remove(game.hands[seat], cards)
    game.seats[SIZE, seat] -= count_cards(cards)


@njit
def won_auction(game, seat):
    """The open bid goes to the market; the tax card is due."""
    put(game.market, game.bids[seat])
    clear(game.bids[seat])
    game.head[PHASE] = TAX
    game.head[TO_MOVE] = seat


@njit
def next_bidder(game, seat):
    """Turn to the next seat that is still in, or end the auction."""
    head, seats = game.head, game.seats
    n = game.rules[R_SEATS]
    waiting = n - head[WON] - head[N_PASSED]
    if waiting == 0:
        first = head[FIRST_PASS]
        gain(game, first, game.lot)
        clear(game.lot)
        note_win(game, first, 0)
        if head[WON] == n:
            open_market(game)
        settle(game, first)
        return
    step = (seat + 1) % n
    while seats[OFFER, step] > 0 or seats[PASSED, step] == 1:
        step = (step + 1) % n
    if waiting == 1 and seats[BID_TOTAL, step] > 0:
        won_auction(game, step)
    else:
        head[TO_MOVE] = step


@njit
def apply(game, action):
    """Carry out one action: seat, type and seven states."""
    head, seats = game.head, game.seats
    seat, what, cards = action[0], action[1], action[2:]
    if game.log.shape[0] > 0:
        for i in range(ACTION_SIZE):
            game.log[head[N_LOG], i] = action[i]
        head[N_LOG] += 1
    if what == BID or what == WIN:
        lose(game, seat, cards)
        put(game.bids[seat], cards)
        seats[BID_TOTAL, seat] += purse_of(cards)
        head[HIGH] = seats[BID_TOTAL, seat]
        if what == WIN:
            for s in range(game.rules[R_SEATS]):
                if s != seat and seats[BID_TOTAL, s] > 0:
                    gain(game, s, game.bids[s])
                    clear(game.bids[s])
            won_auction(game, seat)
        else:
            next_bidder(game, seat)
    elif what == PASS:
        gain(game, seat, game.bids[seat])
        clear(game.bids[seat])
        seats[BID_TOTAL, seat] = 0
        seats[PASSED, seat] = 1
        if head[N_PASSED] == 0:
            head[FIRST_PASS] = seat
        head[N_PASSED] += 1
        next_bidder(game, seat)
    elif what == A_TAX:
        put(game.market, cards)
        remove(game.lot, cards)
        gain(game, seat, game.lot)
        clear(game.lot)
        note_win(game, seat, head[HIGH])
        if head[WON] == game.rules[R_SEATS]:
            open_market(game)
        settle(game, seat)
    elif what == TAKE:
        gain(game, seat, cards)
        remove(game.market, cards)
        head[PICKED] += 1
        settle(game, seat)
    elif what == DECLINE:
        head[PICKED] += 1
        settle(game, seat)
    elif what == SELL:
        lose(game, seat, cards)
        seats[PROFIT, seat] += set_points(cards, game.rules[R_DEALER_SET])
        seats[CACHED, seat] = 0
        if head[PHASE] == HAND_LIMIT and seat == head[TO_MOVE]:
            settle(game, seat)
    elif what == DISCARD:
        lose(game, seat, cards)
        settle(game, seat)
    elif what == A_DONE:
        seats[DONE, seat] = 1
        closing_turn(game)
    else:  # PICK_FIRST: suppose that this seat is the next to pick
        place = head[PICKED]
        while seats[ORDER, place] != seat:
            place += 1
        while place > head[PICKED]:
            seats[ORDER, place] = seats[ORDER, place - 1]
            place -= 1
        seats[ORDER, place] = seat
        head[TO_MOVE] = seat


# -- what a hand is worth to a policy ----------------------------------------------------------------------------------


@njit
def hand_value(hand, goods, dealers, dp):
    """Best value over all ways to put up to two dealers to each good; the rest are worth ``dealers[rest]``."""
    d = int(hand[DEALERS])
    if d == 0:
        total = dealers[0]
        for good in range(N_GOODS):
            total += goods[0, hand[good]]
        return total
    if d == 1:
        total, best = dealers[0], dealers[1] - dealers[0]
        for good in range(N_GOODS):
            at = hand[good]
            if at > 0:
                total += goods[0, at]
                best = max(best, goods[1, at] - goods[0, at])
        return total + best
    dp[0] = 0.0
    for j in range(1, d + 1):
        dp[j] = NEVER
    for good in range(N_GOODS):
        at = hand[good]
        if at > 0:
            for j in range(d, 1, -1):
                dp[j] = max(dp[j] + goods[0, at], max(dp[j - 1] + goods[1, at], dp[j - 2] + goods[2, at]))
            dp[1] = max(dp[1] + goods[0, at], dp[0] + goods[1, at])
            dp[0] += goods[0, at]
    best = NEVER
    for j in range(d + 1):
        best = max(best, dp[j] + dealers[d - j])
    return best


@njit
def share_dealers(hand, goods, dealers, dp, choice, share):
    """As `hand_value`, writing into ``share[good]`` how many dealers each good gets."""
    d = int(hand[DEALERS])
    dp[0] = 0.0
    for j in range(1, d + 1):
        dp[j] = NEVER
    for good in range(N_GOODS):
        at = hand[good]
        for j in range(d, -1, -1):
            best, k = dp[j] + goods[0, at], 0
            if at > 0 and j >= 1 and dp[j - 1] + goods[1, at] > best:
                best, k = dp[j - 1] + goods[1, at], 1
            if at > 0 and j >= 2 and dp[j - 2] + goods[2, at] > best:
                best, k = dp[j - 2] + goods[2, at], 2
            dp[j] = best
            choice[good, j] = k
    best, at_j = NEVER, 0
    for j in range(d + 1):
        if dp[j] + dealers[d - j] > best:
            best, at_j = dp[j] + dealers[d - j], j
    for good in range(N_GOODS - 1, -1, -1):
        share[good] = choice[good, at_j]
        at_j -= choice[good, at_j]
    return best


@njit
def least_missed(hand, lot, goods, dealers, dp):
    """Place and step of the card of ``lot`` that is missed least from ``hand``, which holds it; and the value left."""
    place, step, kept = -1, 0, 2.0 * NEVER
    for good in range(N_GOODS):
        for v in range(4):
            if DIGITS[lot[good], v] > 0:
                hand[good] -= STRIDE[v]
                value = hand_value(hand, goods, dealers, dp)
                hand[good] += STRIDE[v]
                if value > kept:
                    place, step, kept = good, STRIDE[v], value
    if lot[DEALERS] > 0:
        hand[DEALERS] -= 1
        value = hand_value(hand, goods, dealers, dp)
        hand[DEALERS] += 1
        if value > kept:
            place, step, kept = DEALERS, 1, value
    return place, step, kept


@njit
def spend_good(state, at, k, goods, cap, before, after, code):
    """Add one good to the table of cheapest payments: ``after[t]`` is the least value lost by paying ``t``."""
    for t in range(cap + 1):
        after[t] = before[t]
        code[t] = 0
    for a in range(DIGITS[state, 0] + 1):
        for b in range(DIGITS[state, 1] + 1):
            for c in range(DIGITS[state, 2] + 1):
                for d in range(DIGITS[state, 3] + 1):
                    amount = a + 2 * b + 3 * c + 4 * d
                    if amount == 0 or amount > cap:
                        continue
                    step = a + 7 * b + 42 * c + 168 * d
                    loss = goods[k, at] - goods[k, at - step]
                    for t in range(amount, cap + 1):
                        if before[t - amount] + loss < after[t]:
                            after[t] = before[t - amount] + loss
                            code[t] = step


@njit
def cheapest_payment(hand, after, needed, goods, share, work, pay):
    """Write into ``pay`` the cards of ``hand`` worth at least ``needed`` that are missed least from ``after``.

    Adds up, good by good, what it costs to spend each amount (dealers stay where they are put), so all ways to pay are
    compared at once. Returns the value lost, or a huge number if the hand cannot pay.
    """
    cap = min(needed + 3, MAX_SPENT - 1)  # a payment that overshoots by 4 could leave a card out
    cost, code = work.cost, work.code
    for t in range(cap + 1):
        cost[0, t] = -NEVER
    cost[0, 0] = 0.0
    row = 0
    for good in range(N_GOODS):
        if hand[good] > 0:
            spend_good(hand[good], after[good], share[good], goods, cap, cost[row], cost[row + 1], code[good])
            row += 1
    best = needed
    for t in range(needed, cap + 1):
        if cost[row, t] < cost[row, best]:
            best = t
    loss, t = cost[row, best], best
    clear(pay)
    if loss >= -0.5 * NEVER:
        return loss
    for good in range(N_GOODS - 1, -1, -1):
        if hand[good] > 0:
            pay[good] = code[good, t]
            t -= PURSE[code[good, t]]
    return loss


# -- decisions of a policy with values ---------------------------------------------------------------------------------


@njit
def decide_bid(game, brain, work, seat, goods, dealers, stage):
    """Bid while the lot adds more than the payment costs and waiting would bring; pay with what is missed least."""
    action, hand, cards = work.action, work.hand, work.action[2:]
    needed = game.head[HIGH] + 1 - game.seats[BID_TOTAL, seat]
    action[1] = PASS
    clear(cards)
    if purse_of(game.hands[seat]) < needed:
        return
    if game.seats[CACHED, seat] == 0:
        hold = brain.hold[brain.of[seat], stage, game.rules[R_OFFERS + game.head[WON]]]
        copy(hand, game.hands[seat])
        put(hand, game.bids[seat])
        game.values[0, seat] = hand_value(hand, goods, dealers, work.dp) + hold
        put(hand, game.lot)
        place, step, game.values[1, seat] = least_missed(hand, game.lot, goods, dealers, work.dp)
        game.seats[CACHED, seat] = 1 + WIDTH * step + place
    if game.values[1, seat] <= game.values[0, seat]:
        return
    copy(hand, game.hands[seat])
    put(hand, game.lot)
    tax = game.seats[CACHED, seat] - 1
    hand[tax % WIDTH] -= tax // WIDTH
    value = share_dealers(hand, goods, dealers, work.dp, work.choice, work.share)
    if value <= game.values[0, seat]:
        return
    value -= cheapest_payment(game.hands[seat], hand, needed, goods, work.share, work, cards)
    if value > game.values[0, seat]:
        action[1] = BID
    else:
        clear(cards)


@njit
def make_set(hand, group, out):
    """Write the set of a group with as few dealers as will do, headed by its best card, filled with its lowest."""
    clear(out)
    if group == DEALERS:
        if hand[DEALERS] < 3:
            return False
        out[DEALERS] = 3
        return True
    held = N_OF[hand[group]]
    jokers = max(0, 3 - held)
    if held == 0 or hand[DEALERS] < jokers:
        return False
    out[group] = SET_STEPS[jokers, hand[group]]
    out[DEALERS] = jokers
    return True


@njit
def decide_trim(game, seat, hand, size, goods, dealers, work, out):
    """One step down to the hand limit: sell the set that costs least, or drop the cards that are missed least."""
    over, cards, dealer_set = size - game.rules[R_LIMIT], out[2:], game.rules[R_DEALER_SET]
    sold, chosen = NEVER, -1
    for group in range(WIDTH):
        if make_set(hand, group, cards):
            remove(hand, cards)
            value = hand_value(hand, goods, dealers, work.dp) + set_points(cards, dealer_set)
            put(hand, cards)
            if value > sold:
                sold, chosen = value, group
    clear(cards)
    kept = NEVER
    for _ in range(min(over, 3)):
        place, step, kept = least_missed(hand, hand, goods, dealers, work.dp)
        hand[place] -= step
        cards[place] += step
    put(hand, cards)
    out[0] = seat
    out[1] = DISCARD
    if chosen >= 0 and sold >= kept:
        out[1] = SELL
        make_set(hand, chosen, cards)


@njit
def value_after_trim(game, seat, hand, size, goods, dealers, work, out):
    """Points scored and value kept once ``hand`` (scratch, changed) is down to the limit."""
    points = 0
    while size > game.rules[R_LIMIT]:
        decide_trim(game, seat, hand, size, goods, dealers, work, out)
        remove(hand, out[2:])
        size -= count_cards(out[2:])
        if out[1] == SELL:
            points += set_points(out[2:], game.rules[R_DEALER_SET])
    return points + hand_value(hand, goods, dealers, work.dp)


@njit
def decide_pick(game, seat, goods, dealers, work):
    """Take the group that leaves the most valuable hand after trimming; decline if that is allowed and none helps.

    A group whose value before trimming does not beat the best so far is not looked at further.
    """
    action, hand = work.action, work.hand2
    best, chosen = 2.0 * NEVER, -1
    if game.rules[R_DECLINE] == 1:
        best = hand_value(game.hands[seat], goods, dealers, work.dp)
    for group in range(WIDTH):
        if game.market[group] == 0:
            continue
        copy(hand, game.hands[seat])
        hand[group] += game.market[group]
        value = hand_value(hand, goods, dealers, work.dp)
        size = game.seats[SIZE, seat] + count_group(game.market, group)
        if value > best and size > game.rules[R_LIMIT]:
            value = value_after_trim(game, seat, hand, size, goods, dealers, work, action)
        if value > best:
            best, chosen = value, group
    clear(action[2:])
    action[0] = seat
    action[1] = DECLINE
    if chosen >= 0:
        action[1] = TAKE
        action[2 + chosen] = game.market[chosen]


# -- the closing sale, exactly -----------------------------------------------------------------------------------------


@njit
def decide_closing(game, seat, work):
    """The next set of the best closing sale, or done (ruling *closing-sale*: profit first, then the tie-break)."""
    action, hand, cards = work.action, game.hands[seat], work.action[2:]
    tie, d = game.rules[R_TIE_DEALERS], int(game.hands[seat, DEALERS])
    dp, choice = work.dp, work.choice
    for j in range(1, d + 1):
        dp[j] = NEVER
    dp[0] = 0.0
    for good in range(N_GOODS):
        state = hand[good]
        for j in range(d, -1, -1):
            best, used = NEVER, 0
            for jokers in range(j + 1):
                value = dp[j - jokers] + SALE_SCORE[tie, state, jokers]
                if value > best:
                    best, used = value, jokers
            dp[j] = best
            choice[good, j] = used
    best, at = NEVER, 0
    for j in range(d + 1):
        value = dp[j] + (d - j) // 3 * (1000.0 * game.rules[R_DEALER_SET] - 3 * tie)
        if value > best:
            best, at = value, j
    clear(cards)
    action[1] = SELL
    if (d - at) // 3 > 0:
        cards[DEALERS] = 3
        return
    for good in range(N_GOODS - 1, -1, -1):
        jokers = choice[good, at]
        if SALE_SETS[tie, hand[good], jokers] > 0:
            # one set now, with as many of the jokers as it takes; the heads of later sets stay
            cards[DEALERS] = min(2, jokers)
            cards[good] = SET_STEPS[min(2, jokers), hand[good]]
            return
        at -= jokers
    action[1] = A_DONE


# -- the random policy -------------------------------------------------------------------------------------------------


@njit
def draw_card(cards, n, rng):
    """Place and step of one of the ``n`` cards of a multiset, each as likely."""
    nth = below(rng, n)
    for good in range(N_GOODS):
        for v in range(4):
            nth -= DIGITS[cards[good], v]
            if nth < 0:
                return good, STRIDE[v]
    return DEALERS, 1


@njit
def draw_set(hand, size, rng, rest, out):
    """Draw three cards of a hand; whether they are a set."""
    clear(out)
    if size < 3:
        return False
    copy(rest, hand)
    good = -1
    for i in range(3):
        place, step = draw_card(rest, size - i, rng)
        rest[place] -= step
        out[place] += step
        if place < DEALERS:
            if good >= 0 and place != good:
                return False
            good = place
    return True


@njit
def decide_random(game, seat, work):
    """Any legal action, each with some chance."""
    action, rng, head, rules = work.action, game.rng, game.head, game.rules
    hand, size, cards = game.hands[seat], int(game.seats[SIZE, seat]), work.action[2:]
    tries = 8 if head[PHASE] == HAND_LIMIT or head[PHASE] == CLOSING else 1
    for _ in range(tries):
        if draw_set(hand, size, rng, work.hand, cards):
            action[1] = SELL
            return
    clear(cards)
    if head[PHASE] == AUCTION:
        action[1] = PASS
        if below(rng, 2) == 0:
            for good in range(N_GOODS):
                for v in range(4):
                    n = DIGITS[hand[good], v]
                    if n > 0 and below(rng, 3) == 0:
                        cards[good] += STRIDE[v] * below(rng, n + 1)
            if purse_of(cards) > head[HIGH] - game.seats[BID_TOTAL, seat]:
                action[1] = BID
            else:
                clear(cards)
    elif head[PHASE] == TAX or head[PHASE] == LAST_LOT:
        action[1] = A_TAX
        place, step = draw_card(game.lot, count_cards(game.lot), rng)
        cards[place] = step
    elif head[PHASE] == MARKET:
        action[1] = TAKE
        if rules[R_DECLINE] == 1 and below(rng, 4) == 0:
            action[1] = DECLINE
        else:
            place, step = draw_card(game.market, count_cards(game.market), rng)
            cards[place] = game.market[place]
    elif head[PHASE] == HAND_LIMIT:
        action[1] = DISCARD
        copy(work.hand, hand)
        for i in range(1 + below(rng, size - rules[R_LIMIT])):
            place, step = draw_card(work.hand, size - i, rng)
            work.hand[place] -= step
            cards[place] += step
    else:
        action[1] = A_DONE


# -- playing -----------------------------------------------------------------------------------------------------------


@njit
def decide(game, brain, work):
    """Write into ``work.action`` what the seat on the move does. Reads its own hand and what all can see, no more."""
    phase, seat = game.head[PHASE], game.head[TO_MOVE]
    policy, stage, action = brain.of[seat], stage_of(game), work.action
    action[0] = seat
    if brain.kind[policy] == RANDOM:
        decide_random(game, seat, work)
        return
    goods, dealers = brain.goods[policy, stage], brain.dealers[policy, stage]
    if phase == AUCTION:
        decide_bid(game, brain, work, seat, goods, dealers, stage)
    elif phase == TAX or phase == LAST_LOT:
        copy(work.hand, game.hands[seat])
        put(work.hand, game.lot)
        place, step, _ = least_missed(work.hand, game.lot, goods, dealers, work.dp)
        clear(action[2:])
        action[1] = A_TAX
        action[2 + place] = step
    elif phase == MARKET:
        decide_pick(game, seat, goods, dealers, work)
    elif phase == HAND_LIMIT:
        copy(work.hand, game.hands[seat])
        decide_trim(game, seat, work.hand, game.seats[SIZE, seat], goods, dealers, work, action)
    else:
        decide_closing(game, seat, work)


@njit
def play_on(game, brain, work):
    """Play to the end by the policies."""
    if game.head[PHASE] == START:
        draw_lot(game, game.head[TO_MOVE])
    while game.head[PHASE] != OVER:
        decide(game, brain, work)
        apply(game, work.action)


@njit
def deal_world(start, unknown, pool, rng, hands, deck):
    """Deal the unseen cards: first the unknown parts of the hands, then the deck; what is left over was removed.

    ``pool`` is shuffled in place. Uniform over all assignments: multivariate hypergeometric.
    """
    needed = deck.shape[0]
    for s in range(hands.shape[0]):
        needed += unknown[s]
    shuffle(pool, needed, rng)
    at = 0
    for s in range(hands.shape[0]):
        for place in range(WIDTH):
            hands[s, place] = start[s, place]
        for _ in range(unknown[s]):
            hands[s, SLOT[pool[at]]] += STEP[pool[at]]
            at += 1
    for i in range(deck.shape[0]):
        deck[i] = pool[at + i]
    return at + deck.shape[0]


@njit
def deal_worlds(start, unknown, pool, cards, rng, seeds, hands, decks, removed):
    """Worlds for given seeds: states ``hands[n, n_seats, 7]`` and ``removed[n, 7]``, kinds ``decks[n, deck_left]``."""
    for w in range(seeds.shape[0]):
        rng[0] = seeds[w]
        for i in range(pool.shape[0]):
            cards[i] = pool[i]
        at = deal_world(start, unknown, cards, rng, hands[w], decks[w])
        clear(removed[w])
        for i in range(at, cards.shape[0]):
            removed[w, SLOT[cards[i]]] += STEP[cards[i]]


@njit
def copy_start(start, game, hands):
    """Set a game to its start, with these hands."""
    for i in range(HEAD_SIZE):
        game.head[i] = start.head[i]
    for s in range(start.rules[R_SEATS]):
        for row in range(SEAT_ROWS):
            game.seats[row, s] = start.seats[row, s]
        copy(game.hands[s], hands[s])
        copy(game.bids[s], start.bids[s])
    copy(game.lot, start.lot)
    copy(game.market, start.market)


@njit
def play_line(start, hands, line, length, brain, game, work):
    """Play a line from the start with these hands to the end."""
    copy_start(start, game, hands)
    for i in range(length):
        apply(game, line[i])
    play_on(game, brain, work)


@njit
def note_outcome(game, profits, ties, lots):
    """Write down how a game ended, a seat each, and who won the first lot at what price."""
    for s in range(game.rules[R_SEATS]):
        profits[s] = game.seats[PROFIT, s]
        ties[s] = game.seats[SIZE, s] - (0 if game.rules[R_TIE_DEALERS] == 1 else game.hands[s, DEALERS])
    lots[0] = game.head[LOT_WINNER]
    lots[1] = game.head[LOT_PRICE]


@njit
def play_worlds(
    start, unknown, pool, cards, hands, deal_seeds, play_seeds, lines, lengths, brain, game, work, profits, ties, lots
):
    """Play every line in every world to the end.

    Parameters
    ----------
    start, game
        Position with the known part of each hand; scratch game of the same shape.
    unknown, pool
        Unknown cards a seat; all unseen cards, sorted.
    cards, hands
        Scratch, of the shape of ``pool`` and ``start.hands``.
    deal_seeds, play_seeds
        One 64-bit state a world: for the deal, and for the policies' choices (the same for every line).
    lines, lengths
        ``[n_lines, n_actions, 9]`` first actions that are forced, and how many of them count.
    profits, ties, lots
        Out: ``[n_worlds, n_lines, n_seats]`` points and cards for the tie-break; ``[n_worlds, n_lines, 2]`` who won the
        first lot, and at what price.
    """
    for w in range(deal_seeds.shape[0]):
        game.rng[0] = deal_seeds[w]
        for i in range(pool.shape[0]):
            cards[i] = pool[i]
        deal_world(start.hands, unknown, cards, game.rng, hands, game.deck)
        for line in range(lines.shape[0]):
            game.rng[0] = play_seeds[w]
            play_line(start, hands, lines[line], lengths[line], brain, game, work)
            note_outcome(game, profits[w, line], ties[w, line], lots[w, line])


@njit
def play_listed(start, hands, decks, lines, lengths, brain, game, work, profits, ties, lots):
    """As `play_worlds`, in worlds that are given: states ``hands[n, n_seats, 7]``, kinds ``decks[n, deck_left]``."""
    for w in range(hands.shape[0]):
        for i in range(decks.shape[1]):
            game.deck[i] = decks[w, i]
        for line in range(lines.shape[0]):
            game.rng[0] = 1
            play_line(start, hands[w], lines[line], lengths[line], brain, game, work)
            note_outcome(game, profits[w, line], ties[w, line], lots[w, line])
