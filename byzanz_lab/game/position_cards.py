"""Checks of a position: whether the cards can lie where they are said to.

How many copies of a kind exist, whether all 112 cards are accounted for, how many a hand can hold, what bids and tax
cards can have put into the market, and whether the sets that were sold can have scored the profits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from byzanz_lab.game.cards import GROUPS, KINDS, Cards
from byzanz_lab.game.fault import Check, Fault, check, listed_seats
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import best_sale
from byzanz_lab.game.table import Phase

if TYPE_CHECKING:
    from byzanz_lab.game.position import Position

_AT_THE_END: Final = (Phase.CLOSING, Phase.OVER)


def accounts(position: Position) -> dict[str, int]:
    """How many cards lie where: they add up to 112 when nothing is missing. Needs a possible round and offer cards."""
    table = position.table
    rivals = [len(known) for seat, known in enumerate(table.known) if seat != position.seat]
    return {
        "hand": len(position.hand),
        "lot": len(table.lot),
        "bids": sum(map(len, table.bids)),
        "market": len(table.market),
        "known": sum(rivals),
        "unknown": sum(position.unknown),
        "gone": len(table.gone),
        "deck": table.deck_left,
        "removed": table.rules.removed,
    }


def why_off(parts: Mapping[str, int], total: int) -> str | None:
    """What to say when the cards that lie somewhere are not ``total``; ``None`` when they are."""
    off = sum(parts.values()) - total
    if not off:
        return None
    listed = " + ".join(f"{n} {name}" for name, n in parts.items() if n)
    usual = (
        "one entered twice (an open bid is not in hand), or unknown cards of a rival that lie in his open bid"
        if off > 0
        else "sets that were sold, cards dropped at the hand limit and what was left of the market after each round"
    )
    many = f"{abs(off)} too {'many' if off > 0 else 'few'}"
    return f"{listed} make {total + off} of {total} cards, {many}; usually it is {usual}"


def _in_hand(position: Position, seat: int) -> str:
    """The input that says how many cards a seat holds."""
    return "hand" if seat == position.seat else f"unknown[{seat}]"


# -- the market ------------------------------------------------------------------------------------------------------


@check("picked", trusts="phase offers")
def _picks(p: Position) -> Iterator[Fault]:
    seats = p.rules.seats
    low, high = {
        Phase.MARKET: (0, seats - 1),
        Phase.HAND_LIMIT: (0, seats if p.table.lots_won == seats else 0),
        Phase.CLOSING: (seats, seats),
        Phase.OVER: (seats, seats),
    }.get(p.phase, (0, 0))
    if not low <= p.picked <= high:
        many = str(low) if low == high else f"{low} to {high}"
        yield Fault("picked", f"in this phase {many} seats have had their turn at the market, not {p.picked}")


@check("market", trusts="phase offers picked")
def _market(p: Position) -> Iterator[Fault]:
    won, picked = p.table.lots_won, p.picked
    if p.phase in _AT_THE_END and p.market:
        yield Fault("market", "what was left of the last market is gone from the game")
    elif p.phase is Phase.MARKET and not p.market:
        yield Fault("market", "the market is open only while it holds cards")
    elif p.phase is Phase.AUCTION and not won and p.market:
        yield Fault("market", "the market is empty when a round begins")
    elif p.market.dealers > won:
        yield Fault("market", f"holds more dealers than lots were won, {won}: only a lot's tax card can be one")
    elif picked and not p.rules.may_decline_market and len(p.market.groups()) > len(GROUPS) - picked:
        yield Fault("market", f"holds {len(p.market.groups())} groups, but {picked} of {len(GROUPS)} have been taken")
    elif not picked and p.phase not in _AT_THE_END and not _can_have_come(p):
        yield Fault(
            "market",
            f"cannot have come from {won} lots: each that was paid for puts in its bid, "
            f"1 to {p.rules.hand_limit} goods, and one card of the lot",
        )


def _can_have_come(p: Position) -> bool:
    """Whether bids and tax cards of the lots won this round can make up the market, before anybody picks."""
    dealers, goods, won, limit = p.market.dealers, p.market.goods, p.table.lots_won, p.rules.hand_limit
    if p.phase is Phase.TAX:  # the bid that has just won lies in it
        return any(_from_paid_lots(dealers, goods - bid, won, limit) for bid in range(1, min(goods, limit) + 1))
    if won == p.rules.seats and not (p.rules.offers[-1] == 1 and p.rules.last_card_to_hand):  # one card of the last lot
        return any(_from_paid_lots(dealers - d, goods - 1 + d, won - 1, limit) for d in (0, 1))
    return _from_paid_lots(dealers, goods, won, limit)


def _from_paid_lots(dealers: int, goods: int, won: int, limit: int) -> bool:
    if min(dealers, goods) < 0:
        return False
    return not dealers + goods or any(
        dealers <= paid <= dealers + goods - paid <= paid * limit for paid in range(1, won + 1)
    )


# -- hands -----------------------------------------------------------------------------------------------------------


@check("hand known")
def _known(p: Position) -> Iterator[Fault]:
    for seat, (known, size) in enumerate(zip(p.known, p.sizes, strict=True)):
        if seat == p.seat and size != len(p.hand):
            yield Fault("hand", f"has {len(p.hand)} cards, but all can see that it has {size}")
        elif seat == p.seat and not known <= p.hand:
            yield Fault(f"known[{seat}]", f"the others cannot know of {known.monus(p.hand)}, which is not in the hand")
        elif size < 0 or size < len(known):
            yield Fault(f"known[{seat}]", f"seat {seat} cannot hold {len(known)} known cards in a hand of {size}")


@check("hand bids", trusts="phase offers to_move picked")
def _own_limit(p: Position) -> Iterator[Fault]:
    yield from _over_limit(p, [p.seat])


@check("known unknown bids", trusts="phase offers to_move picked")
def _rival_limits(p: Position) -> Iterator[Fault]:
    yield from _over_limit(p, _rivals(p))


def _rivals(p: Position) -> list[int]:
    return [seat for seat in range(p.rules.seats) if seat != p.seat]


def _over_limit(p: Position, seats: list[int]) -> Iterator[Fault]:
    limit = p.rules.hand_limit
    for seat in seats:
        size = p.sizes[seat]
        held = size + len(p.bids[seat])
        if p.phase is Phase.HAND_LIMIT and seat == p.to_move:
            most = limit + _most_received(p, seat)
            if size <= limit:
                yield Fault("phase", f"seat {seat} holds {size} cards and is not over the limit of {limit}")
            elif size > most:
                yield Fault(_in_hand(p, seat), f"seat {seat} can have at most {most} cards now, not {size}")
        elif held > limit:
            bid = " with its open bid" if p.bids[seat] else ""
            yield Fault(_in_hand(p, seat), f"seat {seat} holds {held} cards{bid}, over the limit of {limit}")


def _most_received(p: Position, seat: int) -> int:
    """Cards that a hand can have grown by when it went over the limit."""
    if p.picked:
        return max(p.rules.copies[-1], sum(p.rules.copies[:4]))
    if p.table.lots_won < p.rules.seats:
        return p.offers[seat]  # a lot that nobody paid for (ruling all-pass)
    return int(p.rules.offers[-1] > 1 or p.rules.last_card_to_hand)


@check("hand bids round", trusts="phase offers")
def _own_deal(p: Position) -> Iterator[Fault]:
    yield from _first_deal(p, [p.seat])


@check("known unknown bids round", trusts="phase offers")
def _rival_deals(p: Position) -> Iterator[Fault]:
    yield from _first_deal(p, _rivals(p))


def _first_deal(p: Position, seats: list[int]) -> Iterator[Fault]:
    """Before its first lot a seat holds what it was dealt, unless it has sold a set of it."""
    dealt, sold = p.rules.start_hand, p.rules.start_hand - p.rules.set_size
    for seat in seats:
        if p.round != 1 or p.offers[seat] or p.phase in _AT_THE_END:
            continue
        held = p.sizes[seat] + len(p.bids[seat])
        paying = p.phase is Phase.TAX and seat == p.to_move
        if held >= dealt if paying else held not in (dealt, sold):
            what = f"fewer than {dealt} cards" if paying else f"{dealt} cards, or {sold} after selling a set"
            bid = " with its open bid" if p.bids[seat] else ""
            yield Fault(_in_hand(p, seat), f"before its first lot seat {seat} holds {what}, not {held}{bid}")


# -- all cards -------------------------------------------------------------------------------------------------------


@check("")
def _copies(p: Position) -> Iterator[Fault]:
    places = {"hand": p.hand, "lot": p.lot, "market": p.market, "gone": p.gone}
    places |= {f"bids[{seat}]": bid for seat, bid in enumerate(p.bids)}
    places |= {f"known[{seat}]": known for seat, known in enumerate(p.known) if seat != p.seat}
    for kind, most in enumerate(p.rules.copies):
        lying = {place: cards.counts[kind] for place, cards in places.items() if cards.counts[kind]}
        n = sum(lying.values())
        if n > most:
            listed = ", ".join(f"{count} in {place}" for place, count in lying.items())
            yield Fault(
                max(lying, key=lambda place: lying[place]), f"there are {most} {KINDS[kind]}, not {n} ({listed})"
            )


@check("hand known unknown lot market bids gone", trusts="phase offers round lot")
def _adds_up(p: Position) -> Iterator[Fault]:
    reason = why_off(accounts(p), p.rules.n_cards)
    if reason:
        yield Fault("gone", reason)


@check("gone")
def _profits(p: Position) -> Iterator[Fault]:
    for seat, profit in enumerate(p.profits):
        if profit < 0:
            yield Fault(f"profits[{seat}]", f"a profit is never below 0, not {profit}")
    total, most = sum(p.profits), _most_profit(p.gone, p.rules)
    if total > most:
        yield Fault("profits", f"come to {total} together, but sets of the cards gone make {most} at most")


@lru_cache(maxsize=1024)
def _most_profit(cards: Cards, rules: Rules) -> int:
    return best_sale(cards, rules).profit


@check("done", trusts="phase")
def _done(p: Position) -> Iterator[Fault]:
    for seat in sorted({seat for seat in p.done if p.done.count(seat) > 1}):
        yield Fault("done", f"seat {seat} can finish its closing sale only once")
    if p.done and p.phase not in _AT_THE_END:
        yield Fault("done", f"the closing sale has not begun, the phase is {p.phase}")
    missing = [seat for seat in range(p.rules.seats) if seat not in p.done]
    if p.phase is Phase.OVER and missing:
        yield Fault("done", f"the game is over when all are done, and {listed_seats(missing, 'is', 'are')} not")
    if p.phase is Phase.CLOSING and not missing:
        yield Fault("done", "all are done, so the game is over")


CARD_CHECKS: Final[tuple[Check, ...]] = (
    *(_picks, _market, _known, _own_limit, _rival_limits, _own_deal, _rival_deals),
    *(_copies, _adds_up, _profits, _done),
)
"""Each trusts what the ones before it look at."""
