"""Checks of a position: whether open bids, passes and the seat on the move can belong together.

In an auction turns go round to the left, and at its turn a seat bids more than all before it or passes for good. So,
going round from the seat on the move, seats that have not had a turn come first, then those that have, and open bids go
up. Which seat opened is known too, after the first lot of a round (ruling *next-opener*). And a seat that has had
several turns has added a card at each of them (ruling *raise-adds*).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from byzanz_lab.game.fault import Check, Fault, check, listed_seats
from byzanz_lab.game.table import Phase, Table, left_of

if TYPE_CHECKING:
    from byzanz_lab.game.position import Position


def opener(table: Table) -> int | None:
    """The seat that opened this auction; ``None`` in a round's first one, where the table does not show it."""
    last = table.last_winner
    waiting = tuple(seat for seat, card in enumerate(table.offers) if not card)
    return None if last is None or not waiting else left_of(table.rules.seats, last, waiting)


def turn_order(table: Table, first: int) -> list[int]:
    """Seats of this auction, those that have passed too, from ``first`` to the left."""
    n = table.rules.seats
    return [seat for seat in ((first + step) % n for step in range(n)) if not table.offers[seat]]


@check("passed offers", trusts="phase")
def _passes(p: Position) -> Iterator[Fault]:
    if p.passes and p.phase not in (Phase.AUCTION, Phase.TAX):
        yield Fault("passed", f"there is no auction to pass in, the phase is {p.phase}")
        return
    for seat in sorted({seat for seat in p.passes if p.passes.count(seat) > 1}):
        yield Fault("passed", f"seat {seat} can pass only once in an auction")
    for seat in sorted({seat for seat in p.passes if p.offers[seat]}):
        yield Fault("passed", f"seat {seat} has won the offer card {p.offers[seat]} and is not in this auction")
    if p.phase is Phase.TAX and p.to_move is not None:
        silent = [seat for seat in p.table.still_in if seat != p.to_move]
        if silent:
            yield Fault(
                "passed", f"a lot is won when all others have passed, {listed_seats(silent, 'has', 'have')} not"
            )


@check("phase")
def _bids(p: Position) -> Iterator[Fault]:
    for seat, bid in enumerate(p.bids):
        if not bid:
            continue
        if p.phase is not Phase.AUCTION:
            yield Fault(f"bids[{seat}]", f"no bid lies open in the phase {p.phase}")
        if bid.dealers:
            yield Fault(f"bids[{seat}]", "dealers cannot be bid")
        if p.offers[seat]:
            yield Fault(f"bids[{seat}]", f"seat {seat} has won the offer card {p.offers[seat]} and cannot bid")
        if seat in p.passes:
            yield Fault(f"bids[{seat}]", f"seat {seat} has passed and has its bid back in hand")


@check("to_move picked done", trusts="phase offers passed")
def _to_move(p: Position) -> Iterator[Fault]:
    reason = _why_not_to_move(p)
    if reason:
        yield Fault("to_move", reason)


def _why_not_to_move(p: Position) -> str | None:
    seat, table = p.to_move, p.table
    if p.phase is Phase.OVER:
        return None if seat is None else "the game is over, nobody is on the move"
    if seat is None:
        return f"a seat must be on the move in the phase {p.phase}"
    if p.phase in (Phase.AUCTION, Phase.TAX, Phase.LAST_LOT) and p.offers[seat]:
        return f"seat {seat} has won the offer card {p.offers[seat]} and is not in for this lot"
    if p.phase in (Phase.AUCTION, Phase.TAX):
        return f"seat {seat} has passed in this auction" if seat in p.passes else None
    if p.phase is Phase.MARKET and 0 <= p.picked < p.rules.seats and seat != table.pick_order[p.picked]:
        return f"after {p.picked} seats it is seat {table.pick_order[p.picked]} that picks (lowest offer card first)"
    if p.phase is Phase.HAND_LIMIT and 0 <= p.picked <= p.rules.seats:
        last = table.pick_order[p.picked - 1] if p.picked else table.last_winner
        return None if seat == last else f"seat {last} received cards last, only its hand can be over the limit"
    if p.phase is Phase.CLOSING:
        waiting = [s for s in range(p.rules.seats) if s not in p.done]
        if waiting and seat != waiting[0]:
            return f"in the closing sale it is the first seat that is not done: seat {waiting[0]}"
    return None


@check("", trusts="phase offers passed bids to_move")
def _turns(p: Position) -> Iterator[Fault]:
    if p.phase is not Phase.AUCTION or p.to_move is None:
        return
    order = turn_order(p.table, p.to_move)
    own = p.bids[p.to_move].total
    if own > max((bid.total for seat, bid in enumerate(p.bids) if seat != p.to_move), default=0):
        yield Fault("to_move", f"seat {p.to_move} holds the highest bid, {own}, so another seat is on the move")
        return
    found = [*_skipped(p.table, order), *_not_beaten(p.table, order)]
    yield from found or _wrong_history(p.table, order)


def _acted(table: Table, seat: int) -> bool:
    return bool(table.bids[seat]) or seat in table.passes


def _skipped(table: Table, order: list[int]) -> Iterator[Fault]:
    """Seats that have done nothing although the turn has come past them."""
    acted = [_acted(table, seat) for seat in order]
    first = acted.index(True) if any(acted) else len(order)
    for seat, did in list(zip(order, acted, strict=True))[first:]:
        if not did:
            what = "bid" if table.bids[order[first]] else "passed"
            yield Fault(
                f"bids[{seat}]",
                f"seat {seat} has neither bid nor passed, but its turn has come since seat {order[first]} {what}: "
                f"it is now that of seat {table.to_move}",
            )


def _not_beaten(table: Table, order: list[int]) -> Iterator[Fault]:
    """Bids that do not beat the one before."""
    high, holder = 0, -1
    for seat in order:
        total = table.bids[seat].total
        if total > high:
            high, holder = total, seat
        elif total:
            yield Fault(
                f"bids[{seat}]",
                f"seat {seat} cannot have bid {total} after the {high} of seat {holder}, as each bid beats the last "
                f"(with seat {table.to_move} on the move, bids go up from it round the table)",
            )


def _wrong_history(table: Table, order: list[int]) -> Iterator[Fault]:
    """Passes, opener and laps that do not fit."""
    first_lap = not table.bids[order[0]]
    known = opener(table)
    if first_lap:
        acted = [seat for seat in order if _acted(table, seat)]
        first = acted[0] if acted else order[0]
        if known is not None and first != known:
            yield Fault(
                "to_move",
                f"seat {known} opened this auction (first to the left of the last winner, seat {table.last_winner}), "
                f"but it looks as if seat {first} did",
            )
        passed = [seat for seat in acted if seat in table.passes]
        if passed != list(table.passes):
            yield Fault("passed", f"the order of passing must be {passed}, as no turn has come round twice")
        return
    openers = order if known is None else [known]
    if not any(_enough_turns(table, turn_order(table, seat)) for seat in openers):
        order_of_passing = f"with passing in the order {list(table.passes)}" if table.passes else "with this opener"
        yield Fault(
            "passed",
            f"{order_of_passing} there have been more turns than the open bids allow: each turn adds a card to a bid "
            "and 1 to the highest",
        )


def _enough_turns(table: Table, order: list[int]) -> bool:
    """Whether the open bids can be the outcome of as few turns as there must have been, the first of ``order`` opening.

    A turn is a pair of lap and place. Each pass is put in the earliest lap possible, and there are no more laps than
    that takes; then a bid needs a card for each turn of its seat, and a point for each bid made up to then by anybody.
    """
    place = {seat: at for at, seat in enumerate(order)}
    last = (1, -1)
    passed: dict[int, tuple[int, int]] = {}
    for seat in table.passes:
        last = passed[seat] = (last[0] + (place[seat] < last[1]), place[seat])
    to_move = place[order[0] if table.to_move is None else table.to_move]
    laps = max(1, last[0] - (last[1] < to_move))  # that the seat on the move has behind it
    latest = {seat: (laps + (place[seat] < to_move), place[seat]) for seat in order if seat not in passed}
    for seat, turn in latest.items():
        bid = table.bids[seat]
        made = sum(
            (lap, place[other]) <= turn
            for other in order
            for lap in range(1, passed[other][0] if other in passed else latest[other][0] + 1)
        )
        if len(bid) < turn[0] or bid.total < made:
            return False
    return True


AUCTION_CHECKS: Final[tuple[Check, ...]] = (_passes, _bids, _to_move, _turns)
"""Each trusts what the ones before it look at."""
