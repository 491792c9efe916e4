"""Sets, what they score, and the best that can be sold from a hand.

A set is three cards: goods of one kind, up to two of them replaced by dealers, or three dealers (ruling
*sell-any-time*). It scores its best card; three dealers score five (ruling *set-profit*). ``best_sale`` is the exact
optimum of the closing sale of any hand: most profit first, then most cards that count for the tie-break.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from byzanz_lab.game.cards import DEALER, GOODS, N_KINDS, VALUES, Cards
from byzanz_lab.game.rules import Rules

_PER_GOOD = 4
_Best = dict[int, tuple[int, int, tuple[Cards, ...]]]  # dealers spent: profit, tie cards spent, sets


def why_no_set(cards: Cards) -> str | None:
    """Why these cards are no set, or ``None`` when they are one.

    Examples
    --------
    >>> why_no_set(Cards("Wi4 Wi1 D")) is None
    True
    >>> why_no_set(Cards("Wi4 Sp1 D"))
    'a set holds goods of one kind only'
    """
    if len(cards) != Rules.set_size:
        return f"a set has exactly {Rules.set_size} cards, not {len(cards)}"
    if len([code for code in cards.groups() if code != "D"]) > 1:
        return "a set holds goods of one kind only"
    return None


def set_profit(cards: Cards) -> int:
    """Profit of one set: its best card, or five for three dealers (ruling *set-profit*).

    Raises
    ------
    ValueError
        If the cards are no set.
    """
    reason = why_no_set(cards)
    if reason:
        raise ValueError(f"{cards} cannot be sold: {reason}")
    return max(VALUES[kind] for kind, n in enumerate(cards.counts) if n) or Rules.dealer_set_profit


def sets_in(hand: Cards) -> tuple[Cards, ...]:
    """All distinct sets that can be sold from a hand, in a fixed order."""
    return _sets_in(hand.counts)


@lru_cache(maxsize=4096)
def _sets_in(counts: tuple[int, ...]) -> tuple[Cards, ...]:
    dealers = counts[DEALER]
    found: list[Cards] = []
    for good in range(len(GOODS)):
        first = _PER_GOOD * good
        held = counts[first : first + _PER_GOOD]
        for a in range(held[0] + 1):
            for b in range(held[1] + 1):
                for c in range(held[2] + 1):
                    for d in range(held[3] + 1):
                        goods = a + b + c + d
                        if goods and goods <= Rules.set_size <= goods + dealers:
                            found.append(_set_of(first, (a, b, c, d), Rules.set_size - goods))
    if dealers >= Rules.set_size:
        found.append(_set_of(0, (0, 0, 0, 0), Rules.set_size))
    return tuple(found)


def _set_of(first: int, goods: tuple[int, int, int, int], dealers: int) -> Cards:
    counts = [0] * N_KINDS
    counts[first : first + _PER_GOOD] = goods
    counts[DEALER] = dealers
    return Cards.from_counts(counts)


@dataclass(frozen=True, slots=True)
class Sale:
    """The best that a hand can sell at the end.

    Attributes
    ----------
    sets
        The sets, in the order in which they may be sold.
    profit
        Their profit together, in points.
    left
        Cards left over.
    tie_cards
        How many of those count for the tie-break (ruling *tie*).

    Examples
    --------
    >>> sale = best_sale(Cards("Wi4 Wi2 D Sp3"), Rules.for_seats(4))
    >>> sale.profit, str(sale.left)
    (4, 'Sp3')
    """

    sets: tuple[Cards, ...]
    profit: int
    left: Cards
    tie_cards: int


def tie_cards(hand: Cards, rules: Rules) -> int:
    """Cards of a hand that count when profits are equal: goods, with a variant dealers too (ruling *tie*)."""
    return len(hand) if rules.tie_counts_dealers else hand.goods


def best_sale(hand: Cards, rules: Rules) -> Sale:
    """Exact optimum of the closing sale: profit first, then cards that count for the tie-break.

    Works good by good: with ``s`` sets from one good, the best is to head them with its ``s`` highest cards and to fill
    up with dealers and its lowest cards; how the dealers are shared out is searched in full.

    Examples
    --------
    >>> sale = best_sale(Cards("Wi4 Wi3 Wi1 Wi1 D D Sp2"), Rules.for_seats(4))
    >>> sale.profit, sale.left
    (7, Cards('Sp2'))
    """
    best: _Best = {0: (0, 0, ())}
    for good in GOODS:
        best = _with_good(best, hand.group(good), hand.dealers, rules)
    options = []
    for spent, (profit, used, sets) in best.items():
        for triples in range((hand.dealers - spent) // Rules.set_size + 1):
            dealer_set = _set_of(0, (0, 0, 0, 0), Rules.set_size)
            cost = used + (Rules.set_size * triples if rules.tie_counts_dealers else 0)
            options.append((profit + Rules.dealer_set_profit * triples, -cost, sets + (dealer_set,) * triples))
    profit, _, sets = max(options, key=lambda option: option[:2])
    left = hand
    for cards in sets:
        left = left - cards
    return Sale(sets, profit, left, tie_cards(left, rules))


def _with_good(best: _Best, group: Cards, dealers: int, rules: Rules) -> _Best:
    out: _Best = {}
    kinds = [kind for kind, n in enumerate(group.counts) for _ in range(n)][::-1]  # highest value first
    for n_sets in range(len(kinds) + 1):
        for jokers in range(min(dealers, (Rules.set_size - 1) * n_sets) + 1):
            if Rules.set_size * n_sets - jokers > len(kinds):
                continue
            sets = _split(kinds, n_sets, jokers)
            gain = sum(VALUES[kind] for kind in kinds[:n_sets])
            cost = Rules.set_size * n_sets - (0 if rules.tie_counts_dealers else jokers)
            for spent, (profit, used, before) in best.items():
                if spent + jokers <= dealers:
                    new = (profit + gain, used + cost, before + sets)
                    old = out.get(spent + jokers)
                    if old is None or (new[0], -new[1]) > (old[0], -old[1]):
                        out[spent + jokers] = new
    return out


def _split(kinds: list[int], n_sets: int, jokers: int) -> tuple[Cards, ...]:
    """Deal the heads one a set, then dealers and the lowest cards as fillers."""
    fillers = [DEALER] * jokers + kinds[n_sets:][::-1]
    sets = []
    for head in range(n_sets):
        counts = [0] * N_KINDS
        counts[kinds[head]] += 1
        for kind in fillers[2 * head : 2 * head + 2]:
            counts[kind] += 1
        sets.append(Cards.from_counts(counts))
    return tuple(sets)
