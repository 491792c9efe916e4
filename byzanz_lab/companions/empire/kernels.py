"""The rules and the built-in policies once more, compiled, for playouts by the million.

Everything here works on small arrays that are changed in place. The readable form of the same rules is `step`; tests
hold the two together by replaying logged playouts. All compiled functions and the constants they use live in this one
file, because Numba's cache does not notice a change in another one. Every function also runs as plain Python
(``function.py_func``), slowly, with the same results; random numbers come from explicit 64-bit states that are handed
in, so they do not depend on threads.

Cards are numbers that follow side, kind and, within a kind, falling force; hands are kept sorted. So the best cards of
a kind are the first of a run, and what a meld takes and what is left over is found in one pass. Since a card that is
passed is always of the side that its receiver plays next, all cards are kept by side (0 Byzantine, 1 Foes) and stay
there when the roles change; only legacy tokens belong to seats. Each deck draws from a random state of its own, so that
the luck of one does not depend on how much the other is drawn from.

A call costs time for every array that is handed over, so there are few of them: all that changes is in one array
``store[row, place]``, all that is known of deck and rules in one array ``info[row, place]``. Rows and places are named
below. What is decided is a *choice*: a whole number whose bit ``i`` stands for the card at place ``i`` of the hand (of
the Foe meld, in negotiation). In lines and logs an action is its number of cards and then the cards.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from byzanz_lab.compiler import njit

# -- layout ------------------------------------------------------------------------------------------------------------

# rows of the store; hands, piles, discards and melds are two, one a side, and hold as many cards as the head says
HEAD, HANDS, PILES, DISCARDS, MELDS, SCRATCH, STORE_ROWS = 0, 1, 3, 5, 7, 9, 10
ROOM = 256
"""Places in a row."""

# places in the head; the last ones are two, one a side or a seat
STAGE, TURN, AGE, EMPEROR, TERRITORY, TARGET, N_LOG = range(7)
LEGACY, POLICY, N_HAND, N_PILE, N_DISCARD, N_MELD, HEAD_SIZE = 7, 9, 11, 13, 15, 17, 19

# stages: the next decision, and whose
BEGIN, REDRAW_F, REDRAW_E, MELD_F, MELD_E, NEGOTIATE, REPLACE, PASS_F, PASS_E, OVER = range(10)

# rows of the info: the rules, limits of kinds by side, cards that join ``JOINS + 3 * side + age - 1``, facts of cards
RULES, LIMITS, JOINS, KIND, FORCE, LEGACY_VALUE, UNIQUE, LAST, INFO_ROWS = 0, 1, 3, 9, 10, 11, 12, 13, 14

# places in the row of the rules; the last ones are six, ``[side, age]``
R_TURNS, R_AGES, R_MOST, R_COST, R_REDRAW, R_DISASTERS, R_HANDS, R_JOINS = 0, 1, 2, 3, 4, 5, 6, 12

# kinds
LEADER, RECOVERY, TROOP, ENVOY, MONUMENT, NORTHERN, SOUTHERN, NATURAL, OTHER, N_KINDS = range(10)
HAND, MOST_HELD = 16, 9
"""Room for a hand, and the most cards it holds."""
NEVER = 1 << 30
"""More than any number that is compared."""
LINE = 12
"""Room for an action: its number of cards, then the cards."""

RANDOM, TABLED = 0, 1
"""Kinds of policy: anything legal, or the best by tables of values."""

FORCES, FORCE_ZERO = 128, 32
"""Totals of force are looked up at ``FORCE_ZERO + total``, cut to 0 … 127."""
DIFFERENCES, DIFFERENCE_ZERO = 64, 32
"""Differences of force likewise; beyond the whole territory more makes no difference."""
LEVELS, BY_LEVEL, BY_AGE, BRAIN_ROWS = 21, 1, 274, 277
HOPE, IDEAL, AFTER, BRAIN_ROOM = 0, 256, 512, 576
"""Rows of a policy: its parameters; by turn and territory ``BY_LEVEL + 21 * turn + territory``: what a force is worth
to either side before the rival's is known, which force up to that would be best, and what a difference is worth to the
Emperor; by age: worth of cards."""
P_KIND, P_ENVOY, P_BAR = 0, 1, 2
"""Parameters: kind; force that a negotiation card is worth beyond its own; bars below which cards are redrawn, six of
them, ``[side, age]``."""

LOGGED_DRAW, LOGGED_TURN, LOG_ROOM = 20, 21, 16
"""Rows of a log begin with the stage of an action, its seat and the action; or with one of these: a draw (side, card);
a turn (its number, force of the Emperor and of the Foes, territory before and after, legacy of the Emperor)."""

DECK_LUCK, POLICY_LUCK, STREAMS = 0, 2, 3
"""Random states: one a deck, one for policies."""

SHORT_LOG = 12
"""A log with no more rows than that keeps turns only; one without rows, nothing."""

Game = namedtuple("Game", "store rng info log")
"""One game under way. ``log`` has no rows unless it is wanted."""

Start = namedtuple("Start", "store pile usable dead unknown rival dead_odds forced")
"""Where playouts begin: what is known, the own pile, the unseen cards of the rival's side by whether they can be used,
how many of them he holds, his side, the cumulated odds that 0, 1, … of them are dead, and the stage whose decision is
forced (-1: none)."""
# -- random numbers ----------------------------------------------------------------------------------------------------


@njit
def below(rng, stream, n):
    """A whole number from 0 to n-1 (xorshift64*, Vigna 2016; high bits, by multiplication)."""
    x = rng[stream]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    rng[stream] = x
    high = (x * np.uint64(2685821657736338717)) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))


# -- flow of the game --------------------------------------------------------------------------------------------------


@njit
def age_of(info, turn):
    """The age of a turn, 1 to 3."""
    return 1 + (turn - 1) * info[RULES, R_AGES] // info[RULES, R_TURNS]


@njit
def side_of(stage):
    """Which side decides at a stage."""
    return 1 if stage == REDRAW_F or stage == MELD_F or stage == REPLACE or stage == PASS_F else 0


@njit
def draw(game, side, n):
    """Draw cards; a deck that runs out is refilled with its discards (ruling *draw*)."""
    store, rng, log = game.store, game.rng, game.log
    pile, hand = store[PILES + side], store[HANDS + side]
    left, held = store[HEAD, N_PILE + side], store[HEAD, N_HAND + side]
    for _ in range(n):
        if left == 0:
            left = store[HEAD, N_DISCARD + side]
            if left == 0:
                break
            for i in range(left):
                pile[i] = store[DISCARDS + side, i]
            store[HEAD, N_DISCARD + side] = 0
        at = below(rng, DECK_LUCK + side, left)
        left -= 1
        hand[held] = pile[at]
        pile[at] = pile[left]
        if log.shape[0] > SHORT_LOG:
            row = log[store[HEAD, N_LOG]]
            row[0], row[1], row[2] = LOGGED_DRAW, side, hand[held]
            store[HEAD, N_LOG] += 1
        held += 1
    store[HEAD, N_PILE + side], store[HEAD, N_HAND + side] = left, held
    sort_hand(store, side)


@njit
def sort_hand(store, side):
    """Sort a hand of up to nine cards by a network of 25 comparisons: that has no branch to be guessed wrong.

    The network is Floyd's (Knuth, The Art of Computer Programming 3, section 5.3.4).
    """
    hand = store[HANDS + side]
    for place in range(store[HEAD, N_HAND + side], 9):
        hand[place] = NEVER
    a, b, c, d, e, f, g, h, i = hand[0], hand[1], hand[2], hand[3], hand[4], hand[5], hand[6], hand[7], hand[8]
    a, d = min(a, d), max(a, d)
    b, h = min(b, h), max(b, h)
    c, f = min(c, f), max(c, f)
    e, i = min(e, i), max(e, i)
    a, h = min(a, h), max(a, h)
    c, e = min(c, e), max(c, e)
    d, i = min(d, i), max(d, i)
    f, g = min(f, g), max(f, g)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    e, f = min(e, f), max(e, f)
    h, i = min(h, i), max(h, i)
    b, e = min(b, e), max(b, e)
    d, g = min(d, g), max(d, g)
    f, h = min(f, h), max(f, h)
    a, b = min(a, b), max(a, b)
    c, e = min(c, e), max(c, e)
    d, f = min(d, f), max(d, f)
    g, i = min(g, i), max(g, i)
    c, d = min(c, d), max(c, d)
    e, f = min(e, f), max(e, f)
    g, h = min(g, h), max(g, h)
    b, c = min(b, c), max(b, c)
    d, e = min(d, e), max(d, e)
    f, g = min(f, g), max(f, g)
    hand[0], hand[1], hand[2], hand[3], hand[4], hand[5], hand[6], hand[7], hand[8] = a, b, c, d, e, f, g, h, i


@njit
def clear_meld(store, info, side, card):
    """A melded card is discarded; a unique one is removed, and one whose ages are over."""
    n = store[HEAD, N_DISCARD + side]
    store[DISCARDS + side, n] = card
    store[HEAD, N_DISCARD + side] = n + (info[UNIQUE, card] == 0 and info[LAST, card] >= store[HEAD, AGE])


@njit
def discard_choice(store, info, side, choice):
    """Discard the chosen cards of a hand; those whose ages are over leave the game."""
    hand, discards = store[HANDS + side], store[DISCARDS + side]
    kept, n, age = 0, store[HEAD, N_DISCARD + side], store[HEAD, AGE]
    for i in range(store[HEAD, N_HAND + side]):
        card, chosen = hand[i], (choice >> i) & 1
        discards[n] = card
        n += chosen & int(info[LAST, card] >= age)
        hand[kept] = card
        kept += 1 - chosen
    store[HEAD, N_HAND + side], store[HEAD, N_DISCARD + side] = kept, n


@njit
def meld_choice(store, side, choice):
    """Move the chosen cards of a hand to the meld."""
    hand, meld = store[HANDS + side], store[MELDS + side]
    kept, melded = 0, store[HEAD, N_MELD + side]
    for i in range(store[HEAD, N_HAND + side]):
        card, chosen = hand[i], (choice >> i) & 1
        meld[melded] = card
        melded += chosen
        hand[kept] = card
        kept += 1 - chosen
    store[HEAD, N_HAND + side], store[HEAD, N_MELD + side] = kept, melded


@njit
def keep_choice(store, info, side, choice):
    """Keep the one chosen card of a hand and discard the others (ruling *passed-card*)."""
    everything = (1 << store[HEAD, N_HAND + side]) - 1
    discard_choice(store, info, side, everything & ~choice)


@njit
def drop_dead(store, info, side):
    """Remove the cards of a hand whose ages are over; returns how many."""
    kept, n = 0, store[HEAD, N_HAND + side]
    for i in range(n):
        card = store[HANDS + side, i]
        store[HANDS + side, kept] = card
        kept += info[LAST, card] >= store[HEAD, AGE]
    store[HEAD, N_HAND + side] = kept
    return n - kept


@njit
def begin_turn(game):
    """Draw Phase and Age Phase (rulings *age-cards*, *draw*)."""
    store, info = game.store, game.info
    turn, before = store[HEAD, TURN], store[HEAD, AGE]
    age = age_of(info, turn)
    store[HEAD, AGE] = age
    for side in range(2):
        n = store[HEAD, N_PILE + side]
        if age > before:
            joins = JOINS + 3 * side + age - 1
            for i in range(info[RULES, R_JOINS + 3 * side + age - 1]):
                store[PILES + side, n] = info[joins, i]
                n += 1
            store[HEAD, N_PILE + side] = n
        missing = info[RULES, R_HANDS + 3 * side + age - 1] - store[HEAD, N_HAND + side]
        while missing > 0:
            draw(game, side, missing)
            missing = drop_dead(store, info, side)
    store[HEAD, STAGE] = REDRAW_F


@njit
def total_force(store, info, side):
    """Total force of a meld."""
    total = 0
    for i in range(store[HEAD, N_MELD + side]):
        total += info[FORCE, store[MELDS + side, i]]
    return total


@njit
def reveal(game):
    """Both melds are shown; negotiation, if there is something to negotiate (ruling *negotiation*)."""
    store, info = game.store, game.info
    envoys, targets = 0, 0
    for i in range(store[HEAD, N_MELD]):
        envoys += info[KIND, store[MELDS, i]] == ENVOY
    for i in range(store[HEAD, N_MELD + 1]):
        kind = info[KIND, store[MELDS + 1, i]]
        targets += kind == NORTHERN or kind == SOUTHERN
    if envoys > 0 and targets > 0:
        store[HEAD, STAGE] = NEGOTIATE
    else:
        settle(game)


@njit
def clear_melds(store, info):
    """Melded cards are discarded, unique ones removed."""
    age = store[HEAD, AGE]
    for side in range(2):
        meld, discards, n = store[MELDS + side], store[DISCARDS + side], store[HEAD, N_DISCARD + side]
        for i in range(store[HEAD, N_MELD + side]):
            card = meld[i]
            discards[n] = card
            n += int(info[LAST, card] >= age) & (1 - info[UNIQUE, card])
        store[HEAD, N_DISCARD + side], store[HEAD, N_MELD + side] = n, 0
    if store[HEAD, TARGET] >= 0:
        clear_meld(store, info, 1, store[HEAD, TARGET])
        store[HEAD, TARGET] = -1


@njit
def settle(game):
    """Compare the melds, then the Legacy Phase (rulings *empty-meld*, *territory*, *legacy-floor*)."""
    store, info = game.store, game.info
    force, against = total_force(store, info, 0), total_force(store, info, 1)
    before, gain = store[HEAD, TERRITORY], 0
    for i in range(store[HEAD, N_MELD]):
        gain += info[LEGACY_VALUE, store[MELDS, i]]
    clear_melds(store, info)
    territory = min(before + force - against, info[RULES, R_MOST])
    store[HEAD, TERRITORY] = territory
    emperor = LEGACY + store[HEAD, EMPEROR]
    tokens = store[HEAD, emperor]
    left = tokens
    if territory <= 0:
        left = max(0, tokens - info[RULES, R_COST])
        store[HEAD, STAGE] = OVER
    else:
        if territory < before:
            left = max(0, tokens - 1)
        elif territory > before:
            left += 1
        left += gain
        store[HEAD, STAGE] = OVER if store[HEAD, TURN] == info[RULES, R_TURNS] else PASS_F
    store[HEAD, emperor] = left
    if game.log.shape[0] > 0:
        row = game.log[store[HEAD, N_LOG]]
        row[0], row[1], row[2], row[3] = LOGGED_TURN, store[HEAD, TURN], force, against
        row[4], row[5], row[6] = before, territory, left - tokens
        store[HEAD, N_LOG] += 1
    if store[HEAD, STAGE] == PASS_F:
        skip_empty(store)


@njit
def skip_empty(store):
    """Who has no cards left passes none; when both have passed, the roles change."""
    if store[HEAD, STAGE] == PASS_F and store[HEAD, N_HAND + 1] == 0:
        store[HEAD, STAGE] = PASS_E
    if store[HEAD, STAGE] == PASS_E and store[HEAD, N_HAND] == 0:
        end_turn(store)


@njit
def end_turn(store):
    """The roles change: cards stay with their side."""
    store[HEAD, TURN] += 1
    store[HEAD, EMPEROR] = 1 - store[HEAD, EMPEROR]
    store[HEAD, STAGE] = BEGIN


@njit
def log_choice(game, choice):
    """Write down what is about to be done, as an action."""
    store = game.store
    stage, emperor = store[HEAD, STAGE], store[HEAD, EMPEROR]
    side = side_of(stage)
    row = game.log[store[HEAD, N_LOG]]
    row[0], row[1], row[2] = stage, emperor if side == 0 else 1 - emperor, 0
    for i in range(HAND):
        if (choice >> i) & 1:
            row[2] += 1
            row[2 + row[2]] = store[MELDS + 1 if stage == NEGOTIATE else HANDS + side, i]
    store[HEAD, N_LOG] += 1


@njit
def act(game, choice):
    """Do what was decided, and run on to the next stage."""
    store, info = game.store, game.info
    stage = store[HEAD, STAGE]
    side = side_of(stage)
    if game.log.shape[0] > SHORT_LOG:
        log_choice(game, choice)
    if stage == REDRAW_F or stage == REDRAW_E:
        before = store[HEAD, N_HAND + side]
        discard_choice(store, info, side, choice)
        store[HEAD, STAGE] = stage + 1
        draw(game, side, before - store[HEAD, N_HAND + side])
    elif stage == MELD_F or stage == MELD_E:
        meld_choice(store, side, choice)
        store[HEAD, STAGE] = MELD_E
        if stage == MELD_E:
            reveal(game)
    elif stage == NEGOTIATE or stage == REPLACE:
        negotiate(game, choice)
    else:
        keep_choice(store, info, side, choice)
        store[HEAD, STAGE] = PASS_E
        if stage == PASS_F:
            skip_empty(store)
        else:
            end_turn(store)


@njit
def negotiate(game, choice):
    """Take a card out of the Foe meld, or put one in its place (ruling *negotiation*)."""
    store = game.store
    if store[HEAD, STAGE] == REPLACE:
        meld_choice(store, 1, choice)
    elif choice > 0:
        kept = 0
        for i in range(store[HEAD, N_MELD + 1]):
            card = store[MELDS + 1, i]
            if (choice >> i) & 1:
                store[HEAD, TARGET] = card
            else:
                store[MELDS + 1, kept] = card
                kept += 1
        store[HEAD, N_MELD + 1] = kept
        store[HEAD, STAGE] = REPLACE
        return
    settle(game)


@njit
def choice_of(store, line):
    """The choice that an action means at this stage; of equal cards the first ones."""
    stage, choice = store[HEAD, STAGE], 0
    side = side_of(stage)
    row = MELDS + 1 if stage == NEGOTIATE else HANDS + side
    n = store[HEAD, N_MELD + 1] if stage == NEGOTIATE else store[HEAD, N_HAND + side]
    for i in range(1, line[0] + 1):
        for at in range(n):
            if store[row, at] == line[i] and not (choice >> at) & 1:
                choice |= 1 << at
                break
    return choice


# -- decisions ---------------------------------------------------------------------------------------------------------


@njit
def hope(tables, policy, row, side, total):
    """What a total force is worth to a side before the rival's is known; ``row`` is that of turn and territory."""
    return tables[policy, row, HOPE + FORCES * side + min(max(FORCE_ZERO + total, 0), FORCES - 1)]


@njit
def ideal(tables, policy, row, side, total):
    """The best force of those that are not more than a total one."""
    at = min(max(FORCE_ZERO + total, 0), FORCES - 1)
    return total - at + int(tables[policy, row, IDEAL + FORCES * side + at])


@njit
def after(tables, policy, row, difference):
    """What the outcome of the melds is worth to the Emperor."""
    return tables[policy, row, AFTER + min(max(DIFFERENCE_ZERO + difference, 0), DIFFERENCES - 1)]


@njit
def level_row(store):
    """Row of the policies' tables for the present turn and territory."""
    return BY_LEVEL + LEVELS * store[HEAD, TURN] + max(store[HEAD, TERRITORY], 0)


@njit
def is_target(info, card):
    """Whether it is a northern or southern foe."""
    return info[KIND, card] == NORTHERN or info[KIND, card] == SOUTHERN


@njit
def can_replace(store, info, card):
    """Whether a card of the Foe player's hand can be put where one was taken out (ruling *negotiation*)."""
    kind = info[KIND, card]
    if not is_target(info, card) or info[LAST, card] < store[HEAD, AGE]:
        return False
    held = 0
    for i in range(store[HEAD, N_MELD + 1]):
        held += info[KIND, store[MELDS + 1, i]] == kind
    return held < info[LIMITS + 1, kind]


@njit
def decide_random(game):
    """Anything legal, each with some chance."""
    store, info, rng = game.store, game.info, game.rng
    stage = store[HEAD, STAGE]
    side = side_of(stage)
    n, choice = store[HEAD, N_HAND + side], 0
    if stage == REDRAW_F or stage == REDRAW_E:
        wanted = min(below(rng, POLICY_LUCK, info[RULES, R_REDRAW] + 1), n)
        for i in range(n):  # each card with the chance that leaves the number right
            if below(rng, POLICY_LUCK, n - i) < wanted:
                choice |= 1 << i
                wanted -= 1
    elif stage == MELD_F or stage == MELD_E:
        return random_meld(game, side)
    elif stage == NEGOTIATE or stage == REPLACE:
        seen = 1  # nothing
        for i in range(store[HEAD, N_MELD + 1] if stage == NEGOTIATE else n):
            possible = is_target(info, store[MELDS + 1, i])
            if stage == REPLACE:
                possible = can_replace(store, info, store[HANDS + 1, i])
            if possible:
                seen += 1
                if below(rng, POLICY_LUCK, seen) == 0:
                    choice = 1 << i
    else:
        choice = 1 << below(rng, POLICY_LUCK, n)
    return choice


@njit
def random_meld(game, side):
    """Each card that still fits, with one chance in two."""
    store, info = game.store, game.info
    choice, last, of_kind, disasters = 0, -1, 0, 0
    for i in range(store[HEAD, N_HAND + side]):
        card = store[HANDS + side, i]
        kind = info[KIND, card]
        of_kind = of_kind if kind == last else 0
        last = kind
        disaster = kind == NATURAL or kind == OTHER
        if info[LAST, card] < store[HEAD, AGE] or of_kind == info[LIMITS + side, kind]:
            continue
        if disaster and disasters == info[RULES, R_DISASTERS]:
            continue
        if below(game.rng, POLICY_LUCK, 2) == 0:
            of_kind += 1
            disasters += disaster
            choice |= 1 << i
    return choice


@njit
def strongest(store, info, side, envoy):
    """The strongest meld without monuments, as a choice; its force; and a choice of the monuments that can be used.

    There are few branches here: what a card is cannot be foreseen, and a wrong guess costs more than a sum.
    """
    age, choice, total, monuments = store[HEAD, AGE], 0, 0, 0
    last, of_kind, disasters, weakest = -1, 0, 0, NEVER
    for i in range(store[HEAD, N_HAND + side]):
        card = store[HANDS + side, i]
        kind, force = info[KIND, card], info[FORCE, card]
        alive, monument = int(info[LAST, card] >= age), int(kind == MONUMENT)
        of_kind *= kind == last
        last = kind
        wanted = int(force + envoy * (kind == ENVOY) >= 0)
        taken = alive & wanted & (1 - monument) & int(of_kind < info[LIMITS + side, kind])
        of_kind += taken
        choice |= taken << i
        total += force * taken
        monuments |= (alive & monument) << i
        disaster = taken & int(kind >= NATURAL)
        disasters += disaster
        weakest = min(weakest, HAND * force + i + NEVER * (1 - disaster))
    if disasters > info[RULES, R_DISASTERS]:  # no more than one too many: the limits allow three
        choice ^= 1 << weakest % HAND
        total -= weakest // HAND
    return choice, total, monuments


@njit
def add_monuments(store, info, tables, policy, row, monuments, total):
    """The legacy cards that are worth their force, one or two, as a choice."""
    best, chosen = hope(tables, policy, row, 0, total), 0
    for i in range(store[HEAD, N_HAND]):
        if not (monuments >> i) & 1:
            continue
        force, gain = total + info[FORCE, store[HANDS, i]], info[LEGACY_VALUE, store[HANDS, i]]
        value = hope(tables, policy, row, 0, force) + gain
        if value >= best:
            best, chosen = value, 1 << i
        for j in range(i + 1, store[HEAD, N_HAND]):
            if (monuments >> j) & 1 and info[LIMITS, MONUMENT] > 1:
                both = force + info[FORCE, store[HANDS, j]]
                value = hope(tables, policy, row, 0, both) + gain + info[LEGACY_VALUE, store[HANDS, j]]
                if value >= best:
                    best, chosen = value, 1 << i | 1 << j
    return chosen


@njit
def force_of_choice(store, info, side, choice):
    """Total force of the chosen cards of a hand."""
    total = 0
    for i in range(store[HEAD, N_HAND + side]):
        total += info[FORCE, store[HANDS + side, i]] * ((choice >> i) & 1)
    return total


@njit
def hold_back(store, info, tables, policy, row, side, choice, total):
    """Leave out the weakest cards as long as less force is worth more than all of it."""
    least_wanted = ideal(tables, policy, row, side, total)
    best, kept = hope(tables, policy, row, side, total) + np.float32(1e-6), choice
    while True:
        weakest, least = -1, 0
        for i in range(store[HEAD, N_HAND + side]):
            force = info[FORCE, store[HANDS + side, i]]
            if (choice >> i) & 1 and force > 0 and (weakest < 0 or force < least):
                weakest, least = i, force
        if weakest < 0 or total <= least_wanted:
            return kept
        choice ^= 1 << weakest
        total -= least
        value = hope(tables, policy, row, side, total)
        if value > best:
            best, kept = value, choice


@njit
def decide_meld(store, info, tables, policy, side):
    """The strongest meld, with the monuments that are worth their force, less what is better held back."""
    row = level_row(store)
    choice, total, monuments = strongest(store, info, side, tables[policy, 0, P_ENVOY])
    if monuments:
        choice |= add_monuments(store, info, tables, policy, row, monuments, total)
    total = force_of_choice(store, info, side, choice)
    if ideal(tables, policy, row, side, total) < total:
        choice = hold_back(store, info, tables, policy, row, side, choice, total)
    return choice


@njit
def decide_redraw(store, info, tables, policy, side):
    """Replace up to four cards: those that find no place in a meld, and those below the bar, worst first."""
    age, keys = store[HEAD, AGE], store[SCRATCH]
    row, bar = BY_AGE + age - 1, tables[policy, 0, P_BAR + 3 * side + age - 1]
    n, choice, chosen, last, of_kind = store[HEAD, N_HAND + side], 0, 0, -1, 0
    for i in range(n):
        card = store[HANDS + side, i]
        kind, worth = info[KIND, card], tables[policy, row, card]
        of_kind = of_kind * (kind == last) + 1
        last = kind
        bad = int(worth < bar) | int(of_kind > info[LIMITS + side, kind])
        choice |= bad << i
        chosen += bad
        keys[i] = HAND * int(1000 * worth) + i + NEVER * (1 - bad)
    if chosen <= info[RULES, R_REDRAW]:
        return choice
    choice = 0
    for _ in range(info[RULES, R_REDRAW]):
        worst = NEVER
        for i in range(n):
            worst = min(worst, keys[i])
        keys[worst % HAND] = NEVER
        choice |= 1 << worst % HAND
    return choice


@njit
def decide_negotiation(store, info, tables, policy):
    """Take out the strongest foe, if that helps; or put the best one in its place."""
    row = level_row(store)
    difference = total_force(store, info, 0) - total_force(store, info, 1)
    best, choice = after(tables, policy, row, difference), 0
    if store[HEAD, STAGE] == NEGOTIATE:
        for i in range(store[HEAD, N_MELD + 1]):
            card = store[MELDS + 1, i]
            value = after(tables, policy, row, difference + info[FORCE, card])
            if is_target(info, card) and value > best:
                best, choice = value, 1 << i
    else:
        for i in range(store[HEAD, N_HAND + 1]):
            card = store[HANDS + 1, i]
            value = after(tables, policy, row, difference - info[FORCE, card])
            if value < best and can_replace(store, info, card):
                best, choice = value, 1 << i
    return choice


@njit
def gift(store, info, tables, policy, side, age, card):
    """What a card is worth to the rival who gets it; a useless one is replaced, and so worth what is not redrawn."""
    if info[LAST, card] < age:
        return tables[policy, 0, P_BAR + 3 * side + age - 1]
    return tables[policy, BY_AGE + age - 1, card]


@njit
def decide_pass(store, info, tables, policy, side):
    """Pass what is worth least to the rival."""
    age = age_of(info, store[HEAD, TURN] + 1)
    best, least = 0, gift(store, info, tables, policy, side, age, store[HANDS + side, 0])
    for i in range(1, store[HEAD, N_HAND + side]):
        worth = gift(store, info, tables, policy, side, age, store[HANDS + side, i])
        if worth < least:
            best, least = i, worth
    return 1 << best


@njit
def decide(game, tables):
    """The choice of whoever is on the move."""
    store, info = game.store, game.info
    stage = store[HEAD, STAGE]
    side = side_of(stage)
    seat = store[HEAD, EMPEROR] if side == 0 else 1 - store[HEAD, EMPEROR]
    policy = store[HEAD, POLICY + seat]
    if tables[policy, 0, P_KIND] == RANDOM:
        return decide_random(game)
    if stage == REDRAW_F or stage == REDRAW_E:
        return decide_redraw(store, info, tables, policy, side)
    if stage == MELD_F or stage == MELD_E:
        return decide_meld(store, info, tables, policy, side)
    if stage == NEGOTIATE or stage == REPLACE:
        return decide_negotiation(store, info, tables, policy)
    return decide_pass(store, info, tables, policy, side)


# -- playouts ----------------------------------------------------------------------------------------------------------


@njit
def play_on(game, tables):
    """Play a game to its end."""
    store = game.store
    while store[HEAD, STAGE] != OVER:
        if store[HEAD, STAGE] == BEGIN:
            begin_turn(game)
        else:
            act(game, decide(game, tables))


@njit
def play_line(game, tables, line, forced):
    """Play a game to its end with one decision forced."""
    store = game.store
    while store[HEAD, STAGE] != forced:
        act(game, decide(game, tables))
    act(game, choice_of(store, line))
    play_on(game, tables)


@njit
def take_some(pool, n, store, row, at, rng):
    """Put ``n`` random cards of a pool at its front and into a row of cards."""
    for i in range(n):
        j = i + below(rng, 0, pool.shape[0] - i)
        card = pool[j]
        pool[j] = pool[i]
        pool[i] = card
        store[row, at + i] = card


@njit
def copy_row(store, start, row, n):
    """Bring the first places of a row back to what they were at the start."""
    for i in range(n):
        store[row, i] = start[row, i]


@njit
def deal(store, start, usable, dead, rng):
    """One world: the rival's unknown cards and what is left in his deck. ``usable`` and ``dead`` are scratch copies."""
    rival = start.rival
    copy_row(store, start.store, HEAD, HEAD_SIZE)
    for side in range(2):
        copy_row(store, start.store, HANDS + side, store[HEAD, N_HAND + side])
        copy_row(store, start.store, DISCARDS + side, store[HEAD, N_DISCARD + side])
        copy_row(store, start.store, MELDS + side, store[HEAD, N_MELD + side])
    for i in range(usable.shape[0]):
        usable[i] = start.usable[i]
    for i in range(dead.shape[0]):
        dead[i] = start.dead[i]
    n_dead = 0
    if start.dead_odds.shape[0] > 1:
        luck = below(rng, 0, 1 << 30) / (1 << 30)
        while luck >= start.dead_odds[n_dead]:
            n_dead += 1
    n_usable, at = start.unknown - n_dead, store[HEAD, N_HAND + rival]
    take_some(usable, n_usable, store, HANDS + rival, at, rng)
    take_some(dead, n_dead, store, HANDS + rival, at + n_usable, rng)
    store[HEAD, N_HAND + rival] += start.unknown
    sort_hand(store, rival)
    n = 0
    for i in range(n_usable, usable.shape[0]):
        store[PILES + rival, n] = usable[i]
        n += 1
    for i in range(n_dead, dead.shape[0]):
        store[PILES + rival, n] = dead[i]
        n += 1
    store[HEAD, N_PILE + rival] = n
    for i in range(start.pile.shape[0]):
        store[PILES + 1 - rival, i] = start.pile[i]
    store[HEAD, N_PILE + 1 - rival] = start.pile.shape[0]


@njit
def deal_world(game, start, usable, dead, seeds):
    """The world that belongs to some seeds: the first deals it, the others are the luck of the game."""
    game.rng[0] = seeds[0]
    deal(game.store, start, usable, dead, game.rng)
    for stream in range(STREAMS):
        game.rng[stream] = seeds[1 + stream]


@njit
def write_result(store, out):
    """Legacy of both seats, territory, turns."""
    out[0], out[1] = store[HEAD, LEGACY], store[HEAD, LEGACY + 1]
    out[2], out[3] = store[HEAD, TERRITORY], store[HEAD, TURN]


@njit
def play_worlds(game, start, usable, dead, seeds, lines, tables, out):
    """Play each line in each world to the end: ``seeds[world, 4]``, ``lines[line, 12]``, ``out[world, line, 4]``."""
    for world in range(seeds.shape[0]):
        for line in range(lines.shape[0]):
            deal_world(game, start, usable, dead, seeds[world])
            if start.forced >= 0:
                play_line(game, tables, lines[line], start.forced)
            else:
                play_on(game, tables)
            write_result(game.store, out[world, line])


@njit
def self_play(game, start, usable, dead, seeds, tables, out, turns):
    """Play whole games: ``out[game, 4]``, and ``turns[game, 12, 16]`` with the log of each turn that was played."""
    for world in range(seeds.shape[0]):
        deal_world(game, start, usable, dead, seeds[world])
        play_on(game, tables)
        write_result(game.store, out[world])
        for turn in range(game.store[HEAD, TURN]):
            for place in range(LOG_ROOM):
                turns[world, turn, place] = game.log[turn, place]


@njit
def deal_worlds(game, start, usable, dead, seeds, hands, sizes):
    """Deal worlds and keep the rival's hands: ``hands[world, 16]`` cards, ``sizes[world]`` how many."""
    store = game.store
    for world in range(seeds.shape[0]):
        deal_world(game, start, usable, dead, seeds[world])
        sizes[world] = store[HEAD, N_HAND + start.rival]
        for i in range(sizes[world]):
            hands[world, i] = store[HANDS + start.rival, i]


@njit
def play_after(game, start, usable, dead, seeds, plans, territories, tables, out):
    """Play on from after this turn's melds, for each plan and each territory that may be left.

    A plan is the own meld and the card passed then, one if cards are left: ``plans[plan, 14]`` holds the meld as an
    action, then the card passed as one. The rival melds and passes as his policy does. Legacy tokens stay as they were
    at the start: ``out[world, plan, territory, 2]`` holds the tokens of both seats in the end.
    """
    store, info = game.store, game.info
    own = 1 - start.rival
    for world in range(seeds.shape[0]):
        for plan in range(plans.shape[0]):
            for at in range(territories.shape[0]):
                deal_world(game, start, usable, dead, seeds[world])
                store[HEAD, STAGE] = MELD_F if start.rival == 1 else MELD_E
                meld_choice(store, start.rival, decide(game, tables))
                store[HEAD, STAGE] = start.forced
                meld_choice(store, own, choice_of(store, plans[plan]))
                clear_melds(store, info)
                pass_as_planned(game, tables, own, plans[plan, LINE:])
                store[HEAD, TERRITORY] = territories[at]
                end_turn(store)
                play_on(game, tables)
                out[world, plan, at, 0] = store[HEAD, LEGACY]
                out[world, plan, at, 1] = store[HEAD, LEGACY + 1]


@njit
def pass_as_planned(game, tables, own, line):
    """The End Phase, the Foe player first: one seat passes the card of a line, the other as his policy does."""
    store, info = game.store, game.info
    for side in (1, 0):
        if store[HEAD, N_HAND + side] == 0:
            continue
        store[HEAD, STAGE] = PASS_F if side == 1 else PASS_E
        if side == own:
            keep_choice(store, info, side, choice_of(store, line))
        else:
            keep_choice(store, info, side, decide(game, tables))
