"""What is wrong with a position, all of it at once.

``faults`` goes through everything that can be said about what one seat sees: how many copies exist, whether the cards
add up, which bids can lie open together, who can be on the move. What a game can lead to has no faults; a person may
know less than that, and count as unknown what he has forgotten of a rival's hand. Each ``Fault`` names the field that
it is about by the name that `Position.at_table` has for it, so that a form can show it beside the control. How bids,
passes and turns of one auction fit together is in `position_turns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.game.cards import GROUPS, KINDS, Cards
from byzanz_lab.game.fault import MOST, Check, Fault, InvalidPosition, check, listed_seats
from byzanz_lab.game.position_turns import AUCTION_CHECKS
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import best_sale
from byzanz_lab.game.table import Phase

if TYPE_CHECKING:
    from byzanz_lab.game.position import Position

_WITH_LOT: Final = (Phase.AUCTION, Phase.TAX, Phase.LAST_LOT)
_AT_THE_END: Final = (Phase.CLOSING, Phase.OVER)


def faults(position: Position | Mapping[str, Any], unread: frozenset[str] = frozenset()) -> tuple[Fault, ...]:
    """Everything that is wrong with a position.

    Parameters
    ----------
    position
        A `Position`, or the keyword arguments of `Position.at_table`.
    unread
        Fields whose value stands for one that could not be read; checks that need them are left out.

    Returns
    -------
    tuple of Fault
        Empty when nothing is wrong.

    Examples
    --------
    >>> for fault in faults({"rules": 4, "hand": "Wi4 Wi4 Wi4 D", "lot": "Cl1 Sp2 Sp2 Gr3", "bids": {1: "D"}}):
    ...     print(fault)
    lot: this lot has 5 cards, by its offer card, not 4
    bids[1]: dealers cannot be bid
    hand: there are 2 Wi4, not 3 (3 in hand)
    """
    if isinstance(position, Mapping):
        from byzanz_lab.game.position_setup import build  # builds on this module

        try:
            build(position)
        except InvalidPosition as error:
            return error.faults
        return ()
    found = list(_shape(position))
    if found:
        return tuple(found)
    for one in _CHECKS:
        if not unread & one.reads and not {fault.base for fault in found} & one.trusts:
            found.extend(one.run(position))
    return tuple(found)


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


def _shape(p: Position) -> Iterator[Fault]:
    """Values of the wrong kind, which only the plain constructors can bring about."""
    t, n = p.table, p.rules.seats
    if not _is_seat(p.seat, n):
        yield Fault("seat", f"there is no seat {p.seat!r}, seats are 0 to {n - 1}")
    if t.to_move is not None and not _is_seat(t.to_move, n):
        yield Fault("to_move", f"there is no seat {t.to_move!r}, seats are 0 to {n - 1}")
    if not isinstance(t.phase, Phase):
        yield Fault("phase", f"{t.phase!r} is no phase")
    for field, cards in (("hand", p.hand), ("lot", t.lot), ("market", t.market), ("gone", t.gone)):
        if not isinstance(cards, Cards):
            yield Fault(field, f"needs Cards, not {type(cards).__name__}")
    for field, whole in (("round", t.round), ("picked", t.picked)):
        if not _is_whole(whole):
            yield Fault(field, f"needs a whole number, not {type(whole).__name__}")
    per_seat = {"offers": t.offers, "profits": t.profits, "sizes": t.sizes, "bids": t.bids, "known": t.known}
    for field, values in per_seat.items():
        wanted = _is_cards if field in ("bids", "known") else _is_whole
        if not isinstance(values, tuple) or len(values) != n or not all(map(wanted, values)):
            yield Fault(field, f"needs one {'Cards' if wanted is _is_cards else 'whole number'} a seat")
    for field, among in (("passed", t.passes), ("done", t.done)):
        if not isinstance(among, tuple) or not all(_is_seat(seat, n) for seat in among):
            yield Fault(field, f"needs seats, 0 to {n - 1}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST


def _is_cards(value: object) -> bool:
    return isinstance(value, Cards)


def _is_seat(value: object, seats: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < seats


# -- the round and its lots ------------------------------------------------------------------------------------------


@check("offers")
def _offer_cards(p: Position) -> Iterator[Fault]:
    there = p.rules.offers
    for seat, card in enumerate(p.offers):
        if card and card not in there:
            yield Fault(
                f"offers[{seat}]", f"there is no offer card {card}, with {len(there)} seats they are {_listed(there)}"
            )
        elif card and card in p.offers[:seat]:
            yield Fault(f"offers[{seat}]", f"seat {p.offers.index(card)} has won the offer card {card} already")
    skipped = [card for card in there if card not in p.offers and any(0 < won < card for won in p.offers)]
    if skipped:
        yield Fault("offers", f"lots go from the highest offer card down, and nobody has won the {_listed(skipped)}")


def _listed(numbers: tuple[int, ...] | list[int]) -> str:
    return ", ".join(map(str, numbers))


@check("round")
def _round(p: Position) -> Iterator[Fault]:
    if not 1 <= p.round <= p.rules.rounds:
        yield Fault("round", f"{p.rules.seats} seats play rounds 1 to {p.rules.rounds}, there is no round {p.round}")


@check("phase round", trusts="offers")
def _phase(p: Position) -> Iterator[Fault]:
    without = [seat for seat, card in enumerate(p.offers) if not card]
    if p.phase in (Phase.AUCTION, Phase.TAX) and len(without) < 2:
        left = f"only seat {without[0]} has" if without else "no seat has"
        yield Fault("phase", f"there is nothing to bid for, {left} yet to win a lot this round")
    if p.phase is Phase.LAST_LOT and len(without) != 1:
        yield Fault("phase", f"the last lot is for the last seat without an offer card, and that is not one: {without}")
    if p.phase is Phase.LAST_LOT and p.rules.offers[-1] == 1:
        yield Fault("phase", f"the last lot is a single card with {p.rules.seats} seats, there is nothing to decide")
    if p.phase is Phase.HAND_LIMIT and not p.table.lots_won:
        yield Fault("phase", "no lot has been won this round, so no hand can have grown over its limit")
    if p.phase in (Phase.MARKET, *_AT_THE_END) and without:
        what = "market opens" if p.phase is Phase.MARKET else "game ends"
        yield Fault("offers", f"the {what} after all lots are won, and {listed_seats(without)} have no offer card")
    if p.phase in _AT_THE_END and p.round != p.rules.rounds:
        yield Fault("round", f"the game ends with round {p.rules.rounds}, not {p.round}")


@check("lot", trusts="phase offers")
def _lot(p: Position) -> Iterator[Fault]:
    size = p.rules.offers[p.table.lots_won] if p.phase in _WITH_LOT else 0
    if len(p.lot) != size and size:
        yield Fault("lot", f"this lot has {size} cards, by its offer card, not {len(p.lot)}")
    elif len(p.lot) != size:
        yield Fault("lot", f"no lot is on the table in the phase {p.phase}")


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


@check("hand known unknown bids", trusts="phase offers to_move picked")
def _hand_limit(p: Position) -> Iterator[Fault]:
    limit = p.rules.hand_limit
    for seat, size in enumerate(p.sizes):
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


@check("hand known unknown bids round", trusts="phase offers to_move picked")
def _first_deal(p: Position) -> Iterator[Fault]:
    """Before its first lot a seat holds what it was dealt, unless it has sold a set of it."""
    dealt, sold = p.rules.start_hand, p.rules.start_hand - p.rules.set_size
    if p.round != 1 or p.picked or p.phase in (Phase.MARKET, *_AT_THE_END):
        return
    for seat, size in enumerate(p.sizes):
        held = size + len(p.bids[seat])
        paying = p.phase is Phase.TAX and seat == p.to_move
        if not p.offers[seat] and (held >= dealt if paying else held not in (dealt, sold)):
            what = f"fewer than {dealt} cards" if paying else f"{dealt} cards, or {sold} after selling a set"
            yield Fault(_in_hand(p, seat), f"before its first lot seat {seat} holds {what}, not {held}")


# -- all cards -------------------------------------------------------------------------------------------------------


@check("hand known lot market bids gone")
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


@check("profits gone")
def _profits(p: Position) -> Iterator[Fault]:
    for seat, profit in enumerate(p.profits):
        if profit < 0:
            yield Fault(f"profits[{seat}]", f"a profit is never below 0, not {profit}")
    total, most = sum(p.profits), _most_profit(p.gone, p.rules)
    if total > most:
        yield Fault("profits", f"come to {total} together, but sets of the cards gone make {most} at most")


@lru_cache(maxsize=64)
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
        yield Fault("done", f"the game is over when all are done, and {listed_seats(missing)} are not")
    if p.phase is Phase.CLOSING and not missing:
        yield Fault("done", "all are done, so the game is over")


_CHECKS: Final[tuple[Check, ...]] = (
    *(_offer_cards, _round, _phase, _lot),
    *AUCTION_CHECKS,
    *(_picks, _market, _known, _hand_limit, _first_deal, _copies, _adds_up, _profits, _done),
)
"""In this order, as later ones trust the fields that earlier ones look at."""
