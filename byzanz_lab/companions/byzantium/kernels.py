"""The rules and the built-in policies once more, compiled, for playouts by the million and for searches.

Everything here works on small arrays that are changed in place; the readable form of the same rules is in `tableau` and
`state`, and tests hold the two together by replaying logged playouts. All compiled functions stand in this one file,
because Numba's cache does not notice a change in another one, and what they know of the geometry is handed in. Every
function also runs as plain Python (``function.py_func``), slowly, with the same results; random numbers come from an
explicit 64-bit state, so they do not depend on threads.

Slots are numbered so that those which exclude one another stand together: first the 12 without conflicts, then four
corners of 8 each. Sets of slots are 64-bit masks. Cards are a colour (0 black, 1 red) and a rank (0 for 2 to 11 for
king); sets of ranks are 12-bit masks. A hand is two of them, one a colour: ``hands[n_seats, 2]``.

A slot is *open* when its parent lies and nothing is in its way; ``fits`` holds the ranks that the ruling *direction*
allows there. How many open slots of a colour would take each rank is kept up to date in one 64-bit word of twelve
counters, 4 bits each: a slot that opens or closes adds or takes away its `spread` ranks, and what a placement is worth
is read off the counters, without a walk over the open slots.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from byzanz_lab.compiler import inlined, njit

# -- layout ------------------------------------------------------------------------------------------------------------

N_SLOTS, N_TREES, N_RANKS, N_CORNERS = 44, 4, 12, 4
FULL = (1 << N_RANKS) - 1
"""All ranks."""

# columns of Board.slots and Board.bits, places in Board.facts
TREE, DEPTH, PARENT, SIDE, N_KIDS, KIDS, SLOTS_SIZE = 0, 1, 2, 3, 4, 5, 8
BIT, BLOCK, BELOW, BITS_SIZE = range(4)
BRANCHES, SPINE_BLACK, SPINE_RED, ROOTS, FACTS_SIZE = 0, 1, 2, 3, 7
ABOVE, UNDER = 0, 1
"""Rows of Board.sides."""

# places in Game.ints
FITS, FIRST, WAY, COUNTS = 0, N_SLOTS, N_SLOTS + N_TREES, N_SLOTS + 2 * N_TREES
TO_MOVE, PASSES, OVER, N_LOG, INTS_SIZE = range(COUNTS + 2, COUNTS + 7)
# places in Game.bits
FILLED, CLOSED, OPEN, RNG, GAME_BITS = range(5)

# counters of ranks: 4 bits each, for no more than 14 slots of a colour are ever open
ONES = 0x111111111111
EVEN = 0x0F0F0F0F0F0F

# the direction of a tree
FREE, RISING, FALLING = range(3)

RANDOM, WEIGHED = range(2)
"""Kinds of policy: any legal action, or the one with the best weighed features."""

# features of what an action leaves, see `weigh`
OWN_FIT, OWN_WAYS, UNSEEN_FIT, UNSEEN_WAYS, ROOM, SLOTS_LEFT, N_FEATURES = range(7)

Board = namedtuple("Board", "slots bits sides pop comb room facts")
"""What the geometry and the rules fix. ``slots[44, 8]``: tree (0 to 3, odd for red), depth (1 to 3), parent (-1: the
ace), side (1 if a step goes south, plus 2 if one goes west), number of children and those. ``bits[44, 3]``: a slot's
own mask, the slots that a card there closes for good, its descendants. ``sides[2, 12]``: ranks above and under a rank.
``pop[4096]``: how many ranks a mask has. ``comb[64]``: six ranks as counters, see `spread`. ``room[4, 256]``: how many
cards at most fit into the free slots of a corner.
``facts[7]``: the variant, masks of the slots without conflicts in black and red trees, the four roots."""

Game = namedtuple("Game", "bits ints hands log")
"""A deal under way. ``bits[4]``: masks of the slots that are filled, closed and open, and the state of the random
numbers. ``ints``: per slot the ranks that fit while it is open; per tree its first rank and its direction; per colour
how many open slots would take each rank, as counters; and single numbers. ``hands[n_seats, 2]``. ``log[n, 4]``: seat,
colour, rank and slot of each action (-1: a pass)."""

Brain = namedtuple("Brain", "of kind weights")
"""Policies: ``of[n_seats]`` which one plays a seat, ``kind[n]``, ``weights[n, 6]``."""

# -- random numbers ----------------------------------------------------------------------------------------------------


@njit
def world_state(root, world, purpose):
    """The 64-bit state of a world: SplitMix64 of a counter (Steele, Lea and Flood 2014); never 0."""
    x = root + (np.uint64(world) * np.uint64(4) + np.uint64(purpose) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return x if x != np.uint64(0) else np.uint64(1)


@njit
def below(bits, n):
    """A whole number from 0 to n-1 (xorshift64*, Vigna 2016; high bits, by multiplication)."""
    x = bits[RNG]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    bits[RNG] = x
    high = (x * np.uint64(2685821657736338717)) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))


# -- the tableau -------------------------------------------------------------------------------------------------------


@njit
def count_bits(x):
    """How many bits of a 64-bit mask are set."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit
def first_of(mask):
    """Number of the lowest bit of a 64-bit mask that is not 0."""
    return count_bits(~mask & (mask - np.uint64(1)))


@njit
def spread(board, ranks):
    """Ranks as counters, 4 bits each: 1 for each rank of the mask."""
    return board.comb[ranks & 63] + (board.comb[ranks >> 6] << 24)


@njit
def total(counts):
    """The sum of twelve counters."""
    pairs = (counts & EVEN) + (counts >> 4 & EVEN)
    threes = pairs + (pairs >> 24)
    return (threes + (threes >> 8) + (threes >> 16)) & 255


@njit
def some(counts):
    """1 in each counter that is not 0."""
    return (counts | counts >> 1 | counts >> 2 | counts >> 3) & ONES


@njit
def clear_tableau(game, board):
    """The aces alone: the four roots are open to every rank."""
    game.bits[FILLED] = np.uint64(0)
    game.bits[CLOSED] = np.uint64(0)
    game.bits[OPEN] = np.uint64(0)
    for tree in range(N_TREES):
        game.ints[FIRST + tree] = 0
        game.ints[WAY + tree] = FREE
        game.ints[FITS + board.facts[ROOTS + tree]] = FULL
        game.bits[OPEN] |= board.bits[board.facts[ROOTS + tree], BIT]
    for colour in range(2):
        game.ints[COUNTS + colour] = 2 * ONES


# Written into their callers, though these are more than one: a call hands over a dozen arrays, which takes longest.


@inlined
def allowed_by(game, board, slot, rank):
    """Ranks that a card in an open slot leaves to its children and to the slots beside it (ruling *direction*)."""
    tree, depth = board.slots[slot, TREE], board.slots[slot, DEPTH]
    if depth == 1:
        return FULL, FULL
    first = game.ints[FIRST + tree]
    rising = rank > first if depth == 2 else game.ints[WAY + tree] == RISING
    side = ABOVE if rising else UNDER
    if depth == 2 and board.facts[BRANCHES] == 0 and game.ints[WAY + tree] == FREE:
        return board.sides[side, rank], board.sides[side, first]
    return board.sides[side, rank], FULL


@inlined
def counts_after(game, board, slot, beyond, beside):
    """Counters of both colours after a card in an open slot, which leaves these ranks to its children and siblings."""
    blocked, red, parent = board.bits[slot, BLOCK], board.slots[slot, TREE] & 1, board.slots[slot, PARENT]
    gone = game.bits[OPEN] & (board.bits[slot, BIT] | blocked)
    mine, theirs = game.ints[COUNTS + red], game.ints[COUNTS + 1 - red]
    while gone != np.uint64(0):
        other = first_of(gone)
        gone &= gone - np.uint64(1)
        if board.slots[other, TREE] & 1 == red:
            mine -= spread(board, game.ints[FITS + other])
        else:
            theirs -= spread(board, game.ints[FITS + other])
    if beside != FULL:
        still = game.bits[OPEN] & ~(board.bits[slot, BIT] | blocked)
        for i in range(board.slots[parent, N_KIDS]):
            other = board.slots[parent, KIDS + i]
            if board.bits[other, BIT] & still != np.uint64(0):
                mine -= spread(board, game.ints[FITS + other] & ~beside)
    closed = game.bits[CLOSED] | blocked
    for i in range(board.slots[slot, N_KIDS]):
        if board.bits[board.slots[slot, KIDS + i], BIT] & closed == np.uint64(0):
            mine += spread(board, beyond)
    return (theirs, mine) if red else (mine, theirs)


@njit
def put(game, board, slot, rank):
    """Put a card into an open slot that it fits (rulings *slots*, *geometry*, *direction*)."""
    tree, parent = board.slots[slot, TREE], board.slots[slot, PARENT]
    beyond, beside = allowed_by(game, board, slot, rank)
    black, red = counts_after(game, board, slot, beyond, beside)
    game.ints[COUNTS] = black
    game.ints[COUNTS + 1] = red
    game.bits[FILLED] |= board.bits[slot, BIT]
    game.bits[CLOSED] |= board.bits[slot, BLOCK]
    game.bits[OPEN] &= ~(board.bits[slot, BIT] | board.bits[slot, BLOCK])
    if parent < 0:
        game.ints[FIRST + tree] = rank
    elif beside != FULL:
        game.ints[WAY + tree] = RISING if rank > game.ints[FIRST + tree] else FALLING
        for i in range(board.slots[parent, N_KIDS]):
            game.ints[FITS + board.slots[parent, KIDS + i]] &= beside
    for i in range(board.slots[slot, N_KIDS]):
        kid = board.slots[slot, KIDS + i]
        if board.bits[kid, BIT] & game.bits[CLOSED] == np.uint64(0):
            game.ints[FITS + kid] = beyond
            game.bits[OPEN] |= board.bits[kid, BIT]


@njit
def room_left(board, taken):
    """How many more cards the tableau has room for at most, whatever they are (ruling *geometry* alone)."""
    free = ~taken
    room = count_bits(free & np.uint64(0xFFF))
    for corner in range(N_CORNERS):
        room += int(board.room[corner, np.int64((free >> np.uint64(12 + 8 * corner)) & np.uint64(255))])
    return room


@inlined
def weigh(game, board, slot, rank, own, unseen, weights):
    """What the tableau is worth to a seat after it puts a card into an open slot, without doing it.

    ``own`` and ``unseen`` are ranks a colour: cards the seat wants to place (alone: all that are still to come), and
    cards that the others may hold. Features are how many of each would then fit somewhere, in how many slots they would
    fit, for how many cards there would be room, and how many slots would be left.
    """
    beyond, beside = allowed_by(game, board, slot, rank)
    black, red = counts_after(game, board, slot, beyond, beside)
    own0, own1 = spread(board, own[0]), spread(board, own[1])
    value = weights[OWN_FIT] * (total(some(black) & own0) + total(some(red) & own1))
    value += weights[OWN_WAYS] * (total(black & 15 * own0) + total(red & 15 * own1))
    if weights[UNSEEN_FIT] != 0.0 or weights[UNSEEN_WAYS] != 0.0:
        unseen0, unseen1 = spread(board, unseen[0]), spread(board, unseen[1])
        value += weights[UNSEEN_FIT] * (total(some(black) & unseen0) + total(some(red) & unseen1))
        value += weights[UNSEEN_WAYS] * (total(black & 15 * unseen0) + total(red & 15 * unseen1))
    taken = game.bits[FILLED] | game.bits[CLOSED] | board.bits[slot, BIT] | board.bits[slot, BLOCK]
    if weights[ROOM] != 0.0:
        value += weights[ROOM] * room_left(board, taken)
    if weights[SLOTS_LEFT] != 0.0:
        value += weights[SLOTS_LEFT] * count_bits(~taken & np.uint64((1 << N_SLOTS) - 1))
    return value


# -- playing -----------------------------------------------------------------------------------------------------------


@njit
def choose(game, board, cards, own, unseen, kind, weights, best):
    """Choose a card and a slot for it; writes colour, rank and slot into ``best`` and tells whether anything fits.

    ``cards`` are the ranks a colour that may be placed now. Equal values: the lowest slot, then the lowest rank. A
    choice of one is not weighed.
    """
    n = 0
    for colour in range(2):
        n += total(game.ints[COUNTS + colour] & 15 * spread(board, cards[colour]))
    wanted = below(game.bits, n) if kind == RANDOM and n > 1 else -1
    found, top = 0, 0.0
    slots = game.bits[OPEN]
    while found < n:
        slot = first_of(slots)
        slots &= slots - np.uint64(1)
        colour = board.slots[slot, TREE] & 1
        ranks = game.ints[FITS + slot] & cards[colour]
        while ranks:
            lowest = ranks & -ranks
            ranks ^= lowest
            rank = int(board.pop[lowest - 1])
            better = n == 1 or found == wanted
            if kind != RANDOM and n > 1:
                own[colour] ^= lowest  # a card that is placed need not fit any more
                value = weigh(game, board, slot, rank, own, unseen, weights)
                own[colour] ^= lowest
                better = found == 0 or value > top
                top = value if better else top
            if better:
                best[0] = colour
                best[1] = rank
                best[2] = slot
            found += 1
    return n > 0


@njit
def write_down(game, seat, colour, rank, slot):
    """Log an action, if there is a log."""
    at = game.ints[N_LOG]
    if at < game.log.shape[0]:
        game.log[at, 0] = seat
        game.log[at, 1] = colour
        game.log[at, 2] = rank
        game.log[at, 3] = slot
        game.ints[N_LOG] = at + 1


@njit
def play_alone(game, board, deck, stop, kind, weights, work, forced):
    """Draw and place, alone, to the end of the deck; returns how many cards were placed (ruling *solitaire*).

    ``deck[n, 2]`` holds colours and ranks; ``forced`` is the slot of its first card, or -1; ``stop`` the variant.
    ``work[4, 2]`` is scratch: the card, what is still to come, no cards, and three numbers of the choice.
    """
    card, own, nothing, best = work[0], work[1], work[2], work[3]
    for colour in range(2):
        own[colour] = 0
        nothing[colour] = 0
    for i in range(deck.shape[0]):
        own[deck[i, 0]] |= 1 << deck[i, 1]
    placed = 0
    for i in range(deck.shape[0]):
        colour, rank = deck[i, 0], deck[i, 1]
        card[0] = 0
        card[1] = 0
        card[colour] = 1 << rank
        fits = True
        if i == 0 and forced >= 0:
            best[2] = forced
        else:
            fits = choose(game, board, card, own, nothing, kind, weights, best)
        own[colour] &= ~(1 << rank)
        write_down(game, 0, colour, rank, best[2] if fits else -1)
        if fits:
            put(game, board, best[2], rank)
            placed += 1
        elif stop:
            break
    return placed


@njit
def seat_view(game, board, seat, unplaced, unseen):
    """What a seat cannot see: all unplaced cards that are not in its hand; it does not look into other hands."""
    for colour in range(2):
        unseen[colour] = unplaced[colour] & ~game.hands[seat, colour]


@njit
def turn(game, board, seat, colour, rank, slot, unplaced):
    """Do an action (slot -1: pass) and hand on the turn (rulings *must-place*, *score*)."""
    write_down(game, seat, colour, rank, slot)
    if slot >= 0:
        put(game, board, slot, rank)
        game.hands[seat, colour] &= ~(1 << rank)
        unplaced[colour] &= ~(1 << rank)
        game.ints[PASSES] = 0
        if game.hands[seat, 0] == 0 and game.hands[seat, 1] == 0:
            game.ints[OVER] = 1
    else:
        game.ints[PASSES] += 1
        if game.ints[PASSES] == game.hands.shape[0]:
            game.ints[OVER] = 1
    game.ints[TO_MOVE] = (seat + 1) % game.hands.shape[0]


@njit
def play_on(game, board, brain, unplaced, work):
    """Play a deal of two to four to its end by the policies."""
    own, unseen, best = work[1], work[2], work[3]
    while game.ints[OVER] == 0:
        seat = game.ints[TO_MOVE]
        policy = brain.of[seat]
        seat_view(game, board, seat, unplaced, unseen)
        own[0] = game.hands[seat, 0]
        own[1] = game.hands[seat, 1]
        found = choose(game, board, game.hands[seat], own, unseen, brain.kind[policy], brain.weights[policy], best)
        turn(game, board, seat, best[0], best[1], best[2] if found else -1, unplaced)


@njit
def copy_game(start, game):
    """Set a game to another one; logs and random numbers stay."""
    for i in range(RNG):
        game.bits[i] = start.bits[i]
    for i in range(INTS_SIZE):
        game.ints[i] = start.ints[i]
    for seat in range(start.hands.shape[0]):
        game.hands[seat, 0] = start.hands[seat, 0]
        game.hands[seat, 1] = start.hands[seat, 1]


@njit
def deal_hands(pool, bins, barred, ways, bits, hands, left, dealt):
    """Spread unseen cards over bins, evenly over all ways that fit (see `belief.ways_table`).

    ``pool[n, 2]`` holds colours and ranks, ``bins[n_bins]`` the sizes, ``barred[n_bins, n]`` whether a bin cannot hold
    a card; ``hands[n_bins, 2]`` is added to. ``left`` is scratch; ``dealt[n]`` says which bin each card went to.
    """
    n_bins = bins.shape[0]
    for b in range(n_bins):
        left[b] = bins[b]
    for i in range(pool.shape[0]):
        second = left[1] if n_bins > 1 else 0
        pick = below(bits, ways[i, left[0], second])
        chosen = n_bins - 1
        for b in range(n_bins):
            if left[b] == 0 or barred[b, i]:
                continue
            count = ways[i + 1, left[0] - (b == 0), second - (b == 1)]
            if pick < count:
                chosen = b
                break
            pick -= count
        left[chosen] -= 1
        dealt[i] = chosen
        hands[chosen, pool[i, 0]] |= 1 << pool[i, 1]


@njit
def shuffle_world(deck, fixed, root, world, bits):
    """Shuffle the cards ``deck[n, 2]`` of a world in place, but for the first ``fixed``."""
    bits[RNG] = world_state(root, world, 1)
    for i in range(deck.shape[0] - 1, fixed, -1):
        j = fixed + below(bits, i + 1 - fixed)
        for side in range(2):
            held = deck[i, side]
            deck[i, side] = deck[j, side]
            deck[j, side] = held


@njit
def shuffle_worlds(decks, fixed, root, first, bits):
    """Shuffle ``decks[n_worlds, n, 2]``, one a world, as `play_worlds_alone` does."""
    for w in range(decks.shape[0]):
        shuffle_world(decks[w], fixed, root, first + w, bits)


@njit
def play_worlds_alone(start, game, board, same, fixed, stop, root, first, lines, kinds, weights, deck, work, out):
    """Play every line in worlds ``first`` on, alone.

    Parameters
    ----------
    start, game
        The tableau, and a scratch game.
    same, fixed
        ``[n, 2]`` cards to come; the first ``fixed`` are known, the others are shuffled for each world.
    stop
        Whether the deal ends at the first misfit.
    root, first
        Root of the random numbers and number of the first world.
    lines, kinds, weights
        Per line, the slot of the first card (-1: the policy chooses) and the policy.
    deck, work
        Scratch, of the shape of ``same``, and ``[4, 3]``.
    out
        ``[n_worlds, n_lines]``: how many cards were placed.
    """
    for w in range(out.shape[0]):
        for i in range(same.shape[0]):
            deck[i, 0] = same[i, 0]
            deck[i, 1] = same[i, 1]
        shuffle_world(deck, fixed, root, first + w, game.bits)
        for line in range(lines.shape[0]):
            copy_game(start, game)
            game.bits[RNG] = world_state(root, first + w, 2)
            out[w, line] = play_alone(game, board, deck, stop, kinds[line], weights[line], work, lines[line])


@njit
def deal_worlds(pool, bins, barred, ways, root, first, scratch, hands, dealt):
    """Deal worlds ``first`` on; ``hands[n_worlds, n_bins, 2]`` and ``dealt[n_worlds, n]`` receive them."""
    left, bits = scratch
    for w in range(hands.shape[0]):
        bits[RNG] = world_state(root, first + w, 1)
        for b in range(hands.shape[1]):
            hands[w, b, 0] = 0
            hands[w, b, 1] = 0
        deal_hands(pool, bins, barred, ways, bits, hands[w], left, dealt[w])


@njit
def sizes_of(game, board, out):
    """Cards in each hand."""
    for seat in range(out.shape[0]):
        out[seat] = int(board.pop[game.hands[seat, 0]]) + int(board.pop[game.hands[seat, 1]])


@njit
def play_worlds(start, game, board, brain, worlds, owners, unplaced, root, first, lines, work, out):
    """Play every line in every world, two to four players.

    Parameters
    ----------
    start, game
        The table with the known hand, and a scratch game.
    worlds, owners
        ``[n_worlds, n_bins, 2]`` dealt cards, and the seat of each bin (-1: the kitty).
    unplaced
        ``[2]`` ranks a colour of all cards that are not placed.
    lines
        ``[n_lines, 3]`` first action: colour, rank and slot (-1: a pass; -2: the policy chooses).
    out
        ``[n_worlds, n_lines, n_seats]``: cards left in hand.
    """
    left = work[0]
    for w in range(worlds.shape[0]):
        for line in range(lines.shape[0]):
            copy_game(start, game)
            game.bits[RNG] = world_state(root, first + w, 2)
            for b in range(owners.shape[0]):
                if owners[b] >= 0:
                    game.hands[owners[b], 0] = worlds[w, b, 0]
                    game.hands[owners[b], 1] = worlds[w, b, 1]
            left[0] = unplaced[0]
            left[1] = unplaced[1]
            if lines[line, 2] > -2 and game.ints[OVER] == 0:
                seat = game.ints[TO_MOVE]
                turn(game, board, seat, lines[line, 0], lines[line, 1], lines[line, 2], left)
            play_on(game, board, brain, left, work)
            sizes_of(game, board, out[w, line])


# -- solitaire with the order known: the most cards that can be placed -------------------------------------------------

# places in Search.control
NODES, LIMIT, STOP, CONTROL_SIZE = range(4)

SPARE, N_TRIED = range(2)
"""Columns of Search.notes."""

Search = namedtuple("Search", "deck rest bits ints hands log line found scratch tried notes keys failed control")
"""A search under way. One row a depth of what a `Game` holds: ``bits[n + 1, 4]``, ``ints[n + 1, ...]``; ``deck[n, 2]``
the cards in their order, ``rest[n + 1, 2]`` the ranks a colour from each card on, ``line[n]`` the slots being looked at
(-1: laid aside), ``found[n]`` those of the line that was found, ``scratch[n, 2]`` keys, ``tried[n]`` slots that were
tried, ``notes[n + 1, 2]`` how many cards may be left and how many slots were tried; the transposition table
``keys[size, 2]``, ``failed[size]``; ``control[3]``: nodes so far, how many are allowed, and a switch that ends the
search."""

MIXED = np.uint64(0x9E3779B97F4A7C15)
PROMISE = np.array([1.0, 0.2, 0.0, 0.0, 0.6, 0.25])
"""Weights by which the search looks at promising slots first; those of the default policy."""


@njit
def mixed(x):
    """Scatter a 64-bit number (finalizer of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit
def reach_of(game, board, slot, ranks, come):
    """All ranks that this open slot or a slot beyond it could ever take, and a code of what decides about that."""
    tree, depth = board.slots[slot, TREE], board.slots[slot, DEPTH]
    if depth == 1:
        return FULL, ranks
    if depth == 3:
        return ranks, ranks
    if game.ints[WAY + tree] == FREE:  # also with directions per branch, where no tree has one
        above = board.sides[ABOVE, game.ints[FIRST + tree]] & come
        return FULL, ranks | above << N_RANKS | 1 << 2 * N_RANKS
    if game.ints[WAY + tree] == RISING:
        lowest = int(board.pop[(ranks & -ranks) - 1])
        return ranks | board.sides[ABOVE, lowest], ranks
    highest = 0
    while ranks >> highest > 1:
        highest += 1
    return ranks | board.sides[UNDER, highest], ranks


@njit
def outlook(game, board, rest, key):
    """What the rest of the deck can still make of a tableau.

    Writes into ``key[2]`` 128 bits that are the same for tableaux with the same future: they depend on which open slots
    are still of use, the ranks to come that fit there, and the slots that may still open. Returns how many cards at
    most can still be placed: no more than there is room for, and none that no slot could ever take.
    """
    dead = game.bits[FILLED] | game.bits[CLOSED]
    one, two, listed = np.uint64(0), np.uint64(0), np.uint64(0)
    some0, some1 = 0, 0
    slots = game.bits[OPEN]
    while slots != np.uint64(0):
        slot = first_of(slots)
        slots &= slots - np.uint64(1)
        red = board.slots[slot, TREE] & 1
        ranks = game.ints[FITS + slot] & rest[red]
        if ranks == 0:
            dead |= board.bits[slot, BIT] | board.bits[slot, BELOW]
            continue
        listed |= board.bits[slot, BIT]
        reach, code = reach_of(game, board, slot, ranks, rest[red])
        if red:
            some1 |= reach
        else:
            some0 |= reach
        word = mixed(np.uint64(code) + (np.uint64(slot) << np.uint64(32)) + MIXED)
        one += word
        two += mixed(word + MIXED)
    closed = mixed(~dead & ~listed)
    key[0] = mixed(one + closed)
    key[1] = mixed(two ^ closed)
    fitting = int(board.pop[some0 & rest[0]]) + int(board.pop[some1 & rest[1]])
    return min(fitting, room_left(board, dead))


@njit
def some_day(game, board, rest, some_ranks):
    """Ranks a colour that some open slot, or a slot beyond it, could ever take; see `reach_of`."""
    some_ranks[0] = 0
    some_ranks[1] = 0
    slots = game.bits[OPEN]
    while slots != np.uint64(0):
        slot = first_of(slots)
        slots &= slots - np.uint64(1)
        red = board.slots[slot, TREE] & 1
        ranks = game.ints[FITS + slot] & rest[red]
        if ranks != 0:
            reach, _ = reach_of(game, board, slot, ranks, rest[red])
            some_ranks[red] |= reach


@njit
def mirror_images(game, board):
    """Mask of slots that need not be tried, since the tableau looks the same in a mirror that exchanges them."""
    mask, filled = np.uint64(0), game.bits[FILLED]
    for way in range(2):
        spine = np.uint64(board.facts[SPINE_RED if way == 0 else SPINE_BLACK])
        if filled & ~spine == np.uint64(0):
            for slot in range(N_SLOTS):
                if board.slots[slot, SIDE] & (1 << way):
                    mask |= board.bits[slot, BIT]
    return mask


@njit
def promising(game, board, colour, rank, rest, nothing, tried):
    """The slot for a card that leaves most, among those not tried yet; -1 if there is none."""
    best, top = -1, 0.0
    slots = game.bits[OPEN]
    while slots != np.uint64(0):
        slot = first_of(slots)
        slots &= slots - np.uint64(1)
        if board.slots[slot, TREE] & 1 != colour or (game.ints[FITS + slot] >> rank) & 1 == 0:
            continue
        if board.bits[slot, BIT] & tried != np.uint64(0):
            continue
        value = weigh(game, board, slot, rank, rest, nothing, PROMISE)
        if best < 0 or value > top:
            best, top = slot, value
    return best


@njit
def level(search, at):
    """The game at a depth of a search."""
    return Game(search.bits[at], search.ints[at], search.hands, search.log)


@njit
def place_all(search, board, spare):
    """Whether all cards but at most ``spare`` can be placed: 1 yes, 0 no, -1 gave up.

    A depth-first search: the most promising slot first, cut where `outlook` leaves too little, where the same future
    was found wanting before, and where a mirror shows what was tried already. It keeps its own stack, since Numba's
    cache cannot hold functions that call themselves.
    """
    n, control, tried = search.deck.shape[0], search.control, search.tried
    at, arriving = 0, True
    search.notes[0, SPARE] = spare
    while at >= 0:
        if at == n:
            for i in range(n):
                search.found[i] = search.line[i]
            return 1
        game, key, spare = level(search, at), search.scratch[at], search.notes[at, SPARE]
        if arriving:
            control[NODES] += 1
            if control[NODES] > control[LIMIT] or control[STOP] != 0:
                return -1
            arriving = False
            hopeless = n - at - outlook(game, board, search.rest[at], key) > spare
            key[0] ^= mixed(np.uint64(at) + MIXED)
            place = np.int64(key[0] & np.uint64(search.failed.shape[0] - 1))
            known = search.keys[place, 0] == key[0] and search.keys[place, 1] == key[1]
            if hopeless or (known and search.failed[place] >= spare):
                at -= 1
                continue
            tried[at] = mirror_images(game, board)
            search.notes[at, N_TRIED] = 0
        colour, rank = search.deck[at, 0], search.deck[at, 1]
        slot = promising(game, board, colour, rank, search.rest[at + 1], search.rest[n], tried[at])
        after = level(search, at + 1)
        if slot >= 0:
            tried[at] |= board.bits[slot, BIT]
            copy_game(game, after)
            put(after, board, slot, rank)
        elif search.notes[at, N_TRIED] == 0 and spare > 0:  # it fits nowhere and is laid aside
            spare -= 1
            copy_game(game, after)
        else:
            place = np.int64(key[0] & np.uint64(search.failed.shape[0] - 1))
            search.keys[place, 0] = key[0]
            search.keys[place, 1] = key[1]
            search.failed[place] = spare
            at -= 1
            continue
        search.notes[at, N_TRIED] += 1
        search.line[at] = slot
        search.notes[at + 1, SPARE] = spare
        at, arriving = at + 1, True
    return 0


# -- two to four players with all hands open: how a deal ends if everybody plays on perfectly ------------------------

UNKNOWN = -1000
"""No value yet."""
# columns of Endgame.notes
NEXT_SLOT, RANKS_LEFT, MOVED, BEST, BEST_LEFT, LOW, HIGH, NOTES_SIZE = range(8)

Endgame = namedtuple("Endgame", "bits ints hands log unplaced left notes control")
"""A search under way, one row a depth of what a `Game` holds; ``unplaced[n, 2]``, ranks a colour; ``left[n, n_seats]``,
cards left in hand at the end; ``notes[n, 7]``: the slot and the ranks to try next, whether anything was tried (2:
a pass), the best value so far and how many cards it leaves its seat, bounds; ``control[3]`` as in `Search`."""


@njit
def margin_of(left, seat):
    """How many cards fewer a seat is left with than its best rival."""
    best = 100
    for other in range(left.shape[0]):
        if other != seat:
            best = min(best, left[other])
    return best - left[seat]


@njit
def step_down(search, board, at, colour, rank, slot):
    """Do an action at one depth; the next one holds the state after it."""
    game = Game(search.bits[at], search.ints[at], search.hands[at], search.log)
    after = Game(search.bits[at + 1], search.ints[at + 1], search.hands[at + 1], search.log)
    copy_game(game, after)
    search.unplaced[at + 1, 0] = search.unplaced[at, 0]
    search.unplaced[at + 1, 1] = search.unplaced[at, 1]
    turn(after, board, game.ints[TO_MOVE], colour, rank, slot, search.unplaced[at + 1])


@njit
def try_next(search, board, at):
    """Do the next action at a depth that was not tried yet; tells whether there was one. Passes if nothing fits."""
    game, notes = Game(search.bits[at], search.ints[at], search.hands[at], search.log), search.notes[at]
    hand = game.hands[game.ints[TO_MOVE]]
    while notes[RANKS_LEFT] == 0 and notes[NEXT_SLOT] < N_SLOTS:
        slot = notes[NEXT_SLOT]
        if game.bits[OPEN] & board.bits[slot, BIT] != np.uint64(0):
            notes[RANKS_LEFT] = game.ints[FITS + slot] & hand[board.slots[slot, TREE] & 1]
        notes[NEXT_SLOT] += 1
    if notes[RANKS_LEFT] != 0:
        lowest = notes[RANKS_LEFT] & -notes[RANKS_LEFT]
        notes[RANKS_LEFT] ^= lowest
        slot = notes[NEXT_SLOT] - 1
        step_down(search, board, at, board.slots[slot, TREE] & 1, int(board.pop[lowest - 1]), slot)
        notes[MOVED] = 1
        return True
    if notes[MOVED] == 0:
        step_down(search, board, at, 0, 0, -1)
        notes[MOVED] = 2
        return True
    return False


@njit
def take_in(search, at):
    """Take in the end that was found below a depth: keep it if it is the best for the seat that decides there."""
    seat, n = search.ints[at, TO_MOVE], search.left.shape[1]
    notes, left, found = search.notes[at], search.left[at], search.left[at + 1]
    value = margin_of(found, seat)
    better = notes[BEST] == UNKNOWN or value > notes[BEST]
    if not better and n > 2 and value == notes[BEST]:
        better = found[seat] < notes[BEST_LEFT]
    if better:
        notes[BEST] = value
        notes[BEST_LEFT] = found[seat]
        for s in range(n):
            left[s] = found[s]
    if seat == 0:
        notes[LOW] = max(notes[LOW], notes[BEST])
    else:
        notes[HIGH] = min(notes[HIGH], -notes[BEST])


@njit
def play_open(search, board, base):
    """Find how the deal at depth ``base`` ends with perfect play and open hands, into ``left[base]``.

    Two seats: alpha-beta for the margin of seat 0 over seat 1. More: max^n (Luckhardt and Irani, "An algorithmic
    solution of n-person games", AAAI 1986), where everyone plays for his own margin over the best rival, then for few
    cards left. Returns False if it gave up. It keeps its own stack, see `place_all`.
    """
    control, n = search.control, search.left.shape[1]
    at, arriving = base, True
    search.notes[base, LOW], search.notes[base, HIGH] = UNKNOWN, -UNKNOWN
    while True:
        notes, done = search.notes[at], False
        if arriving:
            arriving = False
            control[NODES] += 1
            if control[NODES] > control[LIMIT] or control[STOP] != 0:
                return False
            if search.ints[at, OVER] != 0:
                done = True
                game = Game(search.bits[at], search.ints[at], search.hands[at], search.log)
                sizes_of(game, board, search.left[at])
            else:
                notes[NEXT_SLOT] = notes[RANKS_LEFT] = notes[MOVED] = 0
                notes[BEST] = UNKNOWN
        if not done:
            cut = n == 2 and notes[BEST] != UNKNOWN and notes[LOW] >= notes[HIGH]
            if not cut and try_next(search, board, at):
                search.notes[at + 1, LOW] = notes[LOW]
                search.notes[at + 1, HIGH] = notes[HIGH]
                at, arriving = at + 1, True
                continue
        if at == base:
            return True
        at -= 1
        take_in(search, at)


@njit
def solve_worlds(search, board, worlds, owners, lines, out):
    """Play every line in every world with open hands; ``out[n_worlds, n_lines, n_seats]`` receives the cards left.

    The tableau, the known hand, the turn and ``unplaced`` stand at depth 0. Returns how many worlds were finished.
    """
    hands = search.hands[0]
    for w in range(worlds.shape[0]):
        for b in range(owners.shape[0]):
            if owners[b] >= 0:
                hands[owners[b], 0] = worlds[w, b, 0]
                hands[owners[b], 1] = worlds[w, b, 1]
        for line in range(lines.shape[0]):
            step_down(search, board, 0, lines[line, 0], lines[line, 1], lines[line, 2])
            if not play_open(search, board, 1):
                return w
            for seat in range(out.shape[2]):
                out[w, line, seat] = search.left[1, seat]
    return worlds.shape[0]
