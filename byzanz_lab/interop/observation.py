"""What a seat sees, as one flat row of numbers, and the table that says what each number is.

A row is made from a `Position`, which holds nothing that the seat cannot know, and from what the seat has chosen of an
action so far. Seats are counted from the seat that looks, to the left: 0 is itself, 1 its left neighbour. So all seats
see the table in the same way, and one learner can play them all. ``observation_table`` lists the row, index by index,
with the range of each number; ``pandas.DataFrame(observation_table(rules))`` shows it as a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.cards import KINDS, N_KINDS
from byzanz_lab.game.position import Position
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.interop.choices import CHOICE, Word
from byzanz_lab.interop.rewards import most_profit
from byzanz_lab.simulation.encoding import require_position


class Entry(NamedTuple):
    """What one number of an observation is."""

    place: int
    """Its index in the row."""
    block: str
    """What it is about; numbers of a block stand side by side."""
    seat: int | None
    """Whose it is, counted to the left from the seat that looks; ``None`` for what belongs to nobody."""
    item: str
    """Which of a block: a kind of card, a phase; empty where there is only one."""
    low: int
    """The least that it can be."""
    high: int
    """A bound that it never exceeds."""
    meaning: str
    """In words."""


Values = Callable[[Position, Word], Sequence[int]]
Highs = Callable[[Rules], Sequence[int]]


class _Block(NamedTuple):
    """One source for the numbers of a block and for what the table says about them."""

    name: str
    meaning: str
    items: Sequence[str]
    low: int
    high: Highs
    values: Values


class _SeatBlock(NamedTuple):
    """The same, for something that each seat has."""

    name: str
    meaning: str
    items: Sequence[str]
    low: int
    high: Highs
    values: Callable[[Position, int], Sequence[int]]


_PHASES: Final = tuple(Phase)
_ONE: Final = ("",)


def _copies(rules: Rules) -> Sequence[int]:
    return rules.copies


def _flags(n: int) -> Highs:
    return lambda rules: [1] * n


def _chosen(position: Position, chosen: Word) -> Sequence[int]:
    return np.bincount([choice for choice in chosen if choice < N_KINDS], minlength=N_KINDS).tolist()


def _passed(position: Position, seat: int) -> Sequence[int]:
    return [position.passes.index(seat) + 1 if seat in position.passes else 0]


_BLOCKS: Final = (
    _Block("phase", "1 for the decision that is due", [str(phase) for phase in _PHASES], 0, _flags(len(_PHASES)),
           lambda p, chosen: [phase is p.phase for phase in _PHASES]),
    _Block("round", "number of the round", _ONE, 1, lambda rules: [rules.rounds], lambda p, chosen: [p.round]),
    _Block("offer", "offer card of the lot on the table, 0 without one", _ONE, 0, lambda rules: [rules.offers[0]],
           lambda p, chosen: [p.offer]),
    _Block("picked", "seats that have had their turn at the market", _ONE, 0, lambda rules: [rules.seats],
           lambda p, chosen: [p.picked]),
    _Block("deck_left", "cards left in the deck", _ONE, 0, lambda rules: [rules.cards_auctioned],
           lambda p, chosen: [p.deck_left]),
    _Block("hand", "cards in the own hand, of each kind", KINDS, 0, _copies, lambda p, chosen: p.hand.counts),
    _Block("lot", "cards on offer", KINDS, 0, _copies, lambda p, chosen: p.lot.counts),
    _Block("market", "cards in the market", KINDS, 0, _copies, lambda p, chosen: p.market.counts),
    _Block("gone", "cards that left the game openly", KINDS, 0, _copies, lambda p, chosen: p.gone.counts),
    _Block("unseen", "cards that this seat has not seen", KINDS, 0, _copies, lambda p, chosen: p.unseen.counts),
    _Block("selling", "1 while a set is being named", _ONE, 0, _flags(1),
           lambda p, chosen: [chosen[:1] == (CHOICE["sell"],)]),
    _Block("chosen", "cards named so far of a bid, a discard or a set", KINDS, 0, _copies, _chosen),
)  # fmt: skip

_SEAT_BLOCKS: Final = (
    _SeatBlock("to_move", "1 for the seat that decides", _ONE, 0, _flags(1), lambda p, seat: [p.to_move == seat]),
    _SeatBlock("bid", "cards of the open bid", KINDS, 0, _copies, lambda p, seat: p.bids[seat].counts),
    _SeatBlock("known", "cards in hand that all know of", KINDS, 0, _copies, lambda p, seat: p.known[seat].counts),
    _SeatBlock("size", "cards in hand", _ONE, 0, lambda rules: [rules.n_cards], lambda p, seat: [p.sizes[seat]]),
    _SeatBlock("offer_won", "offer card won this round, 0 for none yet", _ONE, 0, lambda rules: [rules.offers[0]],
               lambda p, seat: [p.offers[seat]]),
    _SeatBlock("passed", "1 for the first that passed in this auction, 2 for the second, …; 0: not passed", _ONE, 0,
               lambda rules: [rules.seats], _passed),
    _SeatBlock("profit", "points", _ONE, 0, lambda rules: [most_profit(rules)], lambda p, seat: [p.profits[seat]]),
    _SeatBlock("done", "1 once the closing sale is finished", _ONE, 0, _flags(1), lambda p, seat: [seat in p.done]),
)  # fmt: skip


@lru_cache(maxsize=64)
def observation_table(rules: Rules) -> tuple[Entry, ...]:
    """What each number of an observation is.

    Parameters
    ----------
    rules
        The rules of the game; the row's length depends on the number of seats only.

    Examples
    --------
    >>> table = observation_table(Rules.for_seats(4))
    >>> len(table)
    386
    >>> table[11 + KINDS.index("Wi4")][1:6]
    ('hand', None, 'Wi4', 0, 2)
    """
    rows: list[Entry] = []
    for block in _BLOCKS:
        for item, high in zip(block.items, block.high(rules), strict=True):
            rows.append(Entry(len(rows), block.name, None, item, block.low, high, block.meaning))
    for seat in range(rules.seats):
        for per_seat in _SEAT_BLOCKS:
            for item, high in zip(per_seat.items, per_seat.high(rules), strict=True):
                rows.append(Entry(len(rows), per_seat.name, seat, item, per_seat.low, high, per_seat.meaning))
    return tuple(rows)


def observation(position: Position, chosen: Word = ()) -> NDArray[np.float32]:
    """What a seat sees, as `observation_table` says.

    Parameters
    ----------
    position
        Everything that the seat knows.
    chosen
        The choices that the seat itself has made of an action that is not complete.

    Returns
    -------
    numpy.ndarray
        ``float32[n]``, whole numbers: cards, points, or 0 and 1.

    Raises
    ------
    TypeError
        If it is given a State: that would be looking at the cards.
    """
    require_position(position)
    row: list[int] = []
    for block in _BLOCKS:
        row.extend(block.values(position, chosen))
    n = position.rules.seats
    for step in range(n):
        for per_seat in _SEAT_BLOCKS:
            row.extend(per_seat.values(position, (position.seat + step) % n))
    return np.array(row, np.float32)
