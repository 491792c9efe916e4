"""What is wrong with a position, all of it at once.

``faults`` goes through everything that can be said about what one seat sees: how many copies exist, whether the cards
add up, which bids can lie open together, who can be on the move. What a game can lead to has no faults; a person may
know less than that, and count as unknown what he has forgotten of a rival's hand. Each ``Fault`` names the field that
it is about by the name that `Position.at_table` has for it, so that a form can show it beside the control. Round and
lots are looked at here, bids, passes and turns in `position_turns`, where the cards lie in `position_cards`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.fault import MOST, Check, Fault, InvalidPosition, check, listed_seats
from byzanz_lab.game.position_cards import CARD_CHECKS
from byzanz_lab.game.position_turns import AUCTION_CHECKS
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
        yield Fault("offers", f"the {what} when all lots are won, and {listed_seats(without, 'has', 'have')} none")
    if p.phase in _AT_THE_END and p.round != p.rules.rounds:
        yield Fault("round", f"the game ends with round {p.rules.rounds}, not {p.round}")


@check("lot", trusts="phase offers")
def _lot(p: Position) -> Iterator[Fault]:
    size = p.rules.offers[p.table.lots_won] if p.phase in _WITH_LOT else 0
    if len(p.lot) != size and size:
        yield Fault("lot", f"this lot has {size} cards, by its offer card, not {len(p.lot)}")
    elif len(p.lot) != size:
        yield Fault("lot", f"no lot is on the table in the phase {p.phase}")


_CHECKS: Final[tuple[Check, ...]] = (_offer_cards, _round, _phase, _lot, *AUCTION_CHECKS, *CARD_CHECKS)
"""In this order, as later ones trust the fields that earlier ones look at."""
