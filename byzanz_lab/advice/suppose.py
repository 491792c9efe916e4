"""Suppositions: the same moment with another lot or market on the table.

The cards of the supposed lot or market come out of the unseen cards; those they replace go back among them. The hands
and the deck keep their sizes, so a supposed market may be bigger than the real one only while the removed cards, which
are drawn from the same pool, can give the difference.
"""

from __future__ import annotations

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.simulation.encoding import Start, encode


def suppose(
    position: Position, *, lot: Cards | None = None, market: Cards | None = None, to_move: int | None = None
) -> Start:
    """Lay out a Position for playouts, with another lot, market or seat on the move.

    Raises
    ------
    ValueError
        If the cards cannot be there, because this seat has seen them elsewhere, or there are too many.
    """
    start = encode(position)
    pool = position.unseen
    for old, new, what in ((position.lot, lot, "lot"), (position.market, market, "market")):
        if new is None:
            continue
        if not new <= pool + old:
            raise ValueError(
                f"the supposed {what} cannot be: {new.monus(pool + old)} lies elsewhere, as this seat has seen"
            )
        pool = (pool + old) - new
    needed = int(start.unknown.sum()) + start.deck_left
    if len(pool) < needed:
        raise ValueError(f"the supposed cards are {needed - len(pool)} too many: the hands and the deck need the rest")
    return start.supposing(pool, lot=lot, market=market, to_move=to_move)
