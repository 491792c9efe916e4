"""Making a position from what somebody at a table sees and remembers.

``build`` takes the keyword arguments of `Position.at_table`, reads each, fills in what follows from the rest, and
refuses what cannot be with an `InvalidPosition` that lists everything. What follows from the rest is: who passed in
which order while no turn has come round twice, how many seats have picked, how many cards of a hand are unknown when
only one number adds up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Final, TypeVar

from byzanz_lab.game.cards import Cards
from byzanz_lab.game.fault import MOST, Fault, InvalidPosition, listed_seats
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_cards import accounts, why_off
from byzanz_lab.game.position_faults import faults
from byzanz_lab.game.position_turns import opener, turn_order
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase, Table
from byzanz_lab.safe_json import shown

T = TypeVar("T")

FIELDS: Final = (
    "rules", "variant", "seat", "phase", "to_move", "round", "hand", "lot", "offers", "offers_left", "bids", "passed",
    "market", "picked", "profits", "known", "unknown", "sizes", "gone", "done",
)  # fmt: skip
"""Names of the inputs."""

NO_CARDS: Final = Cards()
_LAYOUT: Final = frozenset({"phase", "round", "offers", "lot"})
"""What one must know to tell how many cards are left in the deck."""


def build(parts: Mapping[str, Any]) -> Position:
    """Make the position; see `Position.at_table` for the inputs.

    Raises
    ------
    InvalidPosition
        If an input cannot be read or no game looks like this.
    """
    reader = _Reader(parts)
    position = reader.position()
    found = list(reader.found)
    if position is not None:
        found += faults(position, reader.unread)
    if position is None or found:
        raise InvalidPosition(tuple(found))
    return position


class _Reader:
    """Reads the inputs one by one and keeps what is wrong with them."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = parts
        self.found = [
            Fault(shown(str(name))[1:-1], "is no field of a position") for name in parts if name not in FIELDS
        ]
        self.open: set[str] = set()

    @property
    def unread(self) -> frozenset[str]:
        """Fields that could not be read, or do not follow from the others."""
        return frozenset(fault.base for fault in self.found) | self.open

    def position(self) -> Position | None:
        rules = self._rules()
        cards = {field: self._cards(field, self.parts.get(field)) for field in ("hand", "lot", "market", "gone")}
        seat = self._seat("seat", self.parts.get("seat", 0), rules)
        if rules is None or seat is None:
            return None
        n = rules.seats
        phase = self._phase()
        bids = self._per_seat("bids", n, self._cards, NO_CARDS)
        known = self._per_seat("known", n, self._cards, NO_CARDS)
        offers = self._per_seat("offers", n, self._count, 0)
        self._offers_left(rules, offers)
        done = self._seats("done", rules)
        passed = self._seats("passed", rules)
        table = Table(
            rules=rules, phase=phase, to_move=self._to_move(rules, seat, phase, done), lot=cards["lot"],
            round=self._whole("round", self.parts.get("round", 1)), offers=offers, bids=bids, passes=tuple(passed),
            market=cards["market"], picked=0, profits=self._per_seat("profits", n, self._whole, 0),
            sizes=tuple(map(len, known)), known=known, gone=cards["gone"], done=tuple(done),
        )  # fmt: skip
        table = replace(table, passes=self._passes(table), picked=self._picked(table))
        table = replace(table, sizes=tuple(len(cards["hand"]) if s == seat else len(known[s]) for s in range(n)))
        return Position(seat, replace(table, sizes=self._sizes(Position(seat, table, cards["hand"]))), cards["hand"])

    # -- one input at a time -----------------------------------------------------------------------------------------

    def _fault(self, field: str, message: str) -> None:
        self.found.append(Fault(field, message))

    def _rules(self) -> Rules | None:
        given, variant = self.parts.get("rules"), self.parts.get("variant") or {}
        if isinstance(given, Rules):
            if variant:
                self._fault("variant", "is part of the rules that were given")
            return given
        if not isinstance(variant, Mapping):
            self._fault("variant", f"needs the fields that differ from the defaults, not {shown(variant)}")
            variant = {}
        try:
            rules = Rules(given)  # type: ignore[arg-type]
        except ValueError as error:
            self._fault("rules", str(error))
            return None
        try:
            return Rules.for_seats(rules.seats, **{str(name): value for name, value in variant.items()})
        except ValueError as error:
            self._fault("variant", str(error))
            return rules

    def _cards(self, field: str, value: Any) -> Cards:
        try:
            return NO_CARDS if value is None else Cards(value)
        except ValueError as error:
            self._fault(field, str(error))
        except TypeError:
            self._fault(field, f"needs cards such as 'Wi4 2xSp1 D', not {shown(value)}")
        return NO_CARDS

    def _whole(self, field: str, value: Any) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST:
            return value
        self._fault(field, f"needs a whole number, not {shown(value)}")
        return 0

    def _count(self, field: str, value: Any) -> int:
        number = self._whole(field, value)
        if number < 0:
            self._fault(field, f"needs a number from 0, not {shown(number)}")
        return max(0, number)

    def _seat(self, field: str, value: Any, rules: Rules | None) -> int | None:
        seats = rules.seats if rules else 6
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < seats:
            return value
        self._fault(field, f"there is no seat {shown(value)}, seats are 0 to {seats - 1}")
        return None

    def _seats(self, field: str, rules: Rules) -> list[int]:
        given = self.parts.get(field)
        if isinstance(given, (str, Mapping)) or not isinstance(given, (Iterable, type(None))):
            self._fault(field, f"needs a list of seats, not {shown(given)}")
            return []
        read = [self._seat(field, seat, rules) for seat in given or ()]
        return [seat for seat in read if seat is not None]

    def _per_seat(self, field: str, n: int, read: Callable[[str, Any], T], default: T) -> tuple[T, ...]:
        """Read ``{seat: value}`` or one value a seat; seats left out, or ``None``, get the default."""
        given = self.parts.get(field)
        values = [default] * n
        for seat, value in self._pairs(field, given, n):
            values[seat] = read(f"{field}[{seat}]", value)
        return tuple(values)

    def _pairs(self, field: str, given: Any, n: int) -> list[tuple[int, Any]]:
        if given is None:
            return []
        if isinstance(given, Mapping):
            pairs = list(given.items())
        elif isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
            if len(given) != n:
                self._fault(field, f"needs one value a seat, {n}, not {len(given)}")
                return []
            pairs = list(enumerate(given))
        else:
            self._fault(field, f"needs {{seat: value}} or one value a seat, not {shown(given)}")
            return []
        known = []
        for seat, value in pairs:
            if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < n:
                self._fault(f"{field}[{shown(seat)}]", f"there is no seat {shown(seat)}, seats are 0 to {n - 1}")
            elif value is not None:
                known.append((seat, value))
        return known

    def _phase(self) -> Phase:
        given = self.parts.get("phase")
        try:
            return Phase(given.lower().replace(" ", "_") if isinstance(given, str) else given or Phase.AUCTION)
        except ValueError:
            self._fault("phase", f"there is no phase {shown(given)} (phases are {', '.join(Phase)})")
            return Phase.AUCTION

    # -- what follows from the rest ----------------------------------------------------------------------------------

    def _offers_left(self, rules: Rules, offers: tuple[int, ...]) -> None:
        given = self.parts.get("offers_left")
        if given is None:
            return
        if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
            self._fault("offers_left", f"needs a list of offer cards, not {shown(given)}")
            return
        left = sorted((self._whole("offers_left", card) for card in given), reverse=True)
        expected = sorted(set(rules.offers) - set(offers), reverse=True)
        if not {"offers", "offers_left"} & self.unread and left != expected:
            listed = ", ".join(map(str, expected)) or "none"
            self._fault("offers_left", f"by the offer cards won, those left are {listed}; say who won which in offers")

    def _to_move(self, rules: Rules, seat: int, phase: Phase, done: list[int]) -> int | None:
        given = self.parts.get("to_move")
        if given is not None:
            return self._seat("to_move", given, rules)
        if phase is Phase.OVER:
            return None
        if phase is Phase.CLOSING:  # the order does not matter, and the table names the first
            return next((s for s in range(rules.seats) if s not in done), seat)
        return seat

    def _passes(self, table: Table) -> tuple[int, ...]:
        """In order of passing; in turn order when that was not said."""
        given = self.parts.get("passed")
        if table.to_move is None or {"offers", "passed", "to_move", "phase"} & self.unread:
            return table.passes
        if given is None and table.phase is Phase.TAX:
            return tuple(turn_order(table, table.to_move)[1:])
        if isinstance(given, Set):
            first = opener(table)
            order = turn_order(table, table.to_move if first is None else first)
            return tuple(sorted(table.passes, key=lambda s: order.index(s) if s in order else len(order)))
        return table.passes

    def _picked(self, table: Table) -> int:
        given, seats = self.parts.get("picked"), table.rules.seats
        if given is not None:
            return self._whole("picked", given)
        if table.phase in (Phase.CLOSING, Phase.OVER):
            return seats
        if table.phase not in (Phase.MARKET, Phase.HAND_LIMIT) or table.lots_won < seats or table.to_move is None:
            return 0
        place = table.pick_order.index(table.to_move)
        if table.phase is Phase.MARKET:
            return place
        if table.to_move == table.last_winner and _last_lot_to_hand(table.rules):
            self._fault("picked", "say 0 if the last lot filled this hand, or 1 if it was a group from the market")
        return place + 1

    def _sizes(self, position: Position) -> tuple[int, ...]:
        """Cards in hand of each seat: those known and those unknown."""
        own, n, known = position.seat, position.rules.seats, position.table.sizes
        unknown = dict(enumerate(self._per_seat("unknown", n, self._count, None)))
        if unknown[own]:
            self._fault(f"unknown[{own}]", "no card of one's own hand is unknown")
        sizes = enumerate(self._per_seat("sizes", n, self._count, None))
        readable = not {"hand", "known", "unknown", "sizes"} & self.unread
        for seat, size in sizes:
            said = 0 if seat == own else unknown[seat]
            if size is None or not readable:
                continue
            if size < known[seat] or said not in (None, size - known[seat]):
                parts = f"{known[seat]} known cards" + (f" and {said} unknown ones" if said else "")
                self._fault(f"sizes[{seat}]", f"a hand of {size} does not fit {parts}")
                self.open.add("unknown")
            if seat != own:
                unknown[seat] = max(0, size - known[seat])
        missing = [seat for seat, number in unknown.items() if number is None and seat != own]
        if missing:
            unknown |= self._only_unknown(position, missing, sum(number or 0 for number in unknown.values()))
        return tuple(size if seat == own else size + (unknown[seat] or 0) for seat, size in enumerate(known))

    def _only_unknown(self, position: Position, missing: list[int], given: int) -> dict[int, int]:
        """The unknown cards in these hands, if only one answer adds up."""
        needed = {"hand", "known", "unknown", "sizes", "bids", "market", "gone", "to_move"} | _LAYOUT
        unread = self.unread
        self.open.add("unknown")
        if needed & unread or any(fault.base in _LAYOUT for fault in faults(position, self.unread)):
            return {}
        total, names = position.rules.n_cards, listed_seats(missing)
        parts = accounts(position) | {"unknown": given}
        rest = total - sum(parts.values())
        most = {seat: _most_unknown(position.table, seat) for seat in missing}
        room = sum(most.values())
        if 0 < rest < room and len(missing) > 1:
            self._fault("unknown", f"say how many cards are unknown to you in the hands of {names}, {rest} together")
        elif not 0 <= rest <= room:
            parts["unknown"] += min(max(rest, 0), room)
            self._fault("gone", f"{why_off(parts, total)} (with as many unknown cards of {names} as can be)")
        else:
            self.open.discard("unknown")
            return most if rest == room else dict.fromkeys(missing, rest)
        return {}


def _most_unknown(table: Table, seat: int) -> int:
    """How many cards of a hand can be unknown to somebody who remembers all that was shown (ruling perfect-recall)."""
    rules, bid = table.rules, len(table.bids[seat])
    if table.phase is Phase.TAX and seat == table.to_move and table.lots_won == 0:
        bid = len(table.market)
    dealt = rules.start_hand
    before_first_lot = table.round == 1 and not table.offers[seat] and table.phase is not Phase.MARKET
    if before_first_lot:
        return max(0, dealt - len(table.known[seat]) - bid)
    if table.phase is Phase.HAND_LIMIT and seat == table.to_move:
        return dealt
    return max(0, min(dealt, rules.hand_limit - len(table.known[seat]) - len(table.bids[seat])))


def _last_lot_to_hand(rules: Rules) -> bool:
    return rules.offers[-1] > 1 or rules.last_card_to_hand
