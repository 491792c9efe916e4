"""What one seat knows at one moment.

``Position`` is the public table plus one seat's own cards: all that a seat can know, if it remembers everything that
was shown. It is the only thing that a policy or an adviser may be given. ``observe`` takes it out of a `State`;
``Position.at_table`` makes it from what one sees and remembers at a real table, and refuses what cannot be. What stays
hidden are ``unseen`` cards: some lie in the deck that the rival plays from, ``rival_unknown`` of them in his hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from byzanz_lab.companions.empire.actions import Action
from byzanz_lab.companions.empire.cards import Deck, Heap, heap, parse_heap
from byzanz_lab.companions.empire.fault import Fault, InvalidPosition
from byzanz_lab.companions.empire.rules import AGES, RULES, Side
from byzanz_lab.companions.empire.table import IllegalAction, Phase, Table, legal_actions, verify

if TYPE_CHECKING:
    from byzanz_lab.companions.empire.state import State

CardsLike = str | Iterable[str]
"""Cards: a text such as ``"belisarius 2xdromons"``, or their codes."""


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Everything that one seat knows.

    Made by `observe`, `Position.at_table` or `position_json.loads`; the plain constructor checks nothing (see
    `position_faults.faults`).

    Attributes
    ----------
    seat
        Whose view it is, 0 or 1.
    table
        What both can see.
    hand
        This seat's cards in hand.
    chosen
        Its meld, once it is chosen and not yet revealed, else ``None``.
    laid
        The card that it laid aside to be passed, else ``None``.
    """

    seat: int
    table: Table
    hand: Heap
    chosen: Heap | None = None
    laid: str | None = None

    @classmethod
    def at_table(
        cls,
        role: Side | str,
        hand: CardsLike,
        *,
        deck: Deck | None = None,
        seat: int = 0,
        turn: int = 1,
        phase: Phase | str = Phase.MELD,
        territory: int = RULES.start_territory,
        legacy: Sequence[int] = (RULES.start_legacy, RULES.start_legacy),
        known: CardsLike = (),
        known_to_rival: CardsLike = (),
        rival_size: int | None = None,
        rival_redrew: int = 0,
        discards: CardsLike = (),
        removed: CardsLike = (),
        melds: CardsLike = (),
        target: str | None = None,
    ) -> Position:
        """Make a position from what one sees and remembers at a table, with this seat to decide.

        Parameters
        ----------
        role
            What the seat plays this turn: ``"byzantine"`` (it is the Emperor) or ``"foes"``.
        hand
            Its cards in hand.
        deck
            The cards of the game; the deck that ships with the package if not given.
        seat
            Whose view it is; ``legacy`` is listed by seat.
        turn
            From 1.
        phase
            The decision that is due.
        territory
            Territory tokens of the Empire.
        legacy
            Per seat, legacy tokens.
        known
            The known cards in the rival's hand.
        known_to_rival
            Cards of this hand that the rival knows of.
        rival_size
            How many cards the rival holds; a full hand, less what he melded, if not given.
        rival_redrew
            How many cards he drew in the Redraw Phase of this turn, of those still unknown.
        discards
            Both discard piles.
        removed
            Cards out of play for good.
        melds
            Both revealed melds, in the phases negotiation and replacement.
        target
            The card that negotiation took out of the Foe meld, in the phase replacement.

        Raises
        ------
        InvalidPosition
            If no game looks like this; the error lists everything that is wrong.

        Examples
        --------
        >>> position = Position.at_table("byzantine", "belisarius 2xskoutatoi full-treasury envoys icons", turn=2)
        >>> position.side.value, position.rival_unknown, position.unseen(Side.FOES).total()
        ('byzantine', 8, 31)
        """
        from byzanz_lab.companions.empire.deck_file import default_deck
        from byzanz_lab.companions.empire.position_faults import faults  # builds on this module

        deck = default_deck() if deck is None else deck
        found: list[Fault] = []
        heaps = {
            name: _read(name, cards, deck, found)
            for name, cards in (
                ("hand", hand), ("known", known), ("known_to_rival", known_to_rival), ("discards", discards),
                ("removed", removed), ("melds", melds), ("target", () if target is None else (target,)),
            )
        }  # fmt: skip
        if role not in list(Side):
            found.append(Fault("role", f"is 'byzantine' or 'foes', not {role!r}"))
        if phase not in list(Phase):
            found.append(Fault("phase", f"is one of {', '.join(Phase)}, not {phase!r}"))
        if seat not in (0, 1) or isinstance(seat, bool):
            found.append(Fault("seat", f"is 0 or 1, not {seat!r}"))
        if isinstance(turn, bool) or not isinstance(turn, int) or not 1 <= turn <= RULES.turns:
            found.append(Fault("turn", f"is a number from 1 to {RULES.turns}, not {turn!r}"))
        if len(legacy) != 2:
            found.append(Fault("legacy", f"has an entry for each of 2 seats, not {len(legacy)}"))
        if found:
            raise InvalidPosition(found)
        own_side, phase = Side(role), Phase(phase)
        piles, laid_out = ([_of_side(deck, heaps[name], side) for side in Side] for name in ("discards", "melds"))
        rival_side = Side.FOES if own_side is Side.BYZANTINE else Side.BYZANTINE
        if rival_size is None:
            gone = len(laid_out[rival_side.number]) + (len(heaps["target"]) if rival_side is Side.FOES else 0)
            rival_size = RULES.hand_size(rival_side, turn) - gone
        by_seat = (lambda own, rival: (own, rival)) if seat == 0 else (lambda own, rival: (rival, own))
        table = Table(
            deck, turn, seat if own_side is Side.BYZANTINE else 1 - seat, phase,
            None if phase is Phase.OVER else seat, territory, (legacy[0], legacy[1]),
            discards=(piles[0], piles[1]), removed=heaps["removed"], melds=(laid_out[0], laid_out[1]), target=target,
            sizes=by_seat(len(heaps["hand"]), rival_size), known=by_seat(heaps["known_to_rival"], heaps["known"]),
            redrawn=by_seat(0, rival_redrew),
        )  # fmt: skip
        position = cls(seat, table, heaps["hand"])
        wrong = faults(position)
        if wrong:
            raise InvalidPosition(wrong)
        return position

    def __repr__(self) -> str:
        table = self.table
        return f"<Position: seat {self.seat} as {_ROLES[self.side]}, turn {table.turn}, {table.phase}>"

    def __str__(self) -> str:
        from byzanz_lab.companions.empire.position_text import format_position  # builds on this module

        return format_position(self)

    @property
    def phase(self) -> Phase:
        """The decision that is due."""
        return self.table.phase

    @property
    def to_move(self) -> int | None:
        """The seat that decides, ``None`` when the game is over."""
        return self.table.to_move

    @property
    def rival(self) -> int:
        """The other seat."""
        return 1 - self.seat

    @property
    def side(self) -> Side:
        """What this seat plays this turn."""
        return self.table.side_of(self.seat)

    @property
    def held(self) -> Heap:
        """All of this seat's cards: hand, chosen meld, card laid aside."""
        return heap((*self.hand, *(self.chosen or ()), *(() if self.laid is None else (self.laid,))))

    @property
    def rival_known(self) -> Heap:
        """Cards that the rival is known to hold."""
        return self.table.known[self.rival]

    @property
    def rival_unknown(self) -> int:
        """How many cards more the rival holds."""
        return self.table.sizes[self.rival] - len(self.rival_known)

    def unseen(self, side: Side) -> Counter[str]:
        """The cards of a deck that this seat cannot place: in the pile, or unknown in the rival's hand."""
        table = self.table
        seen = Counter((*table.discards[side.number], *table.removed, *table.melds[side.number]))
        seen.update((*self.held, *self.rival_known, *(() if table.target is None else (table.target,))))
        return table.deck.in_play(side, table.age) - seen

    def pile_size(self, side: Side) -> int:
        """How many cards can be drawn from a deck before it must be refilled."""
        hidden = self.rival_unknown if side is self.table.side_of(self.rival) else 0
        return self.unseen(side).total() - hidden

    def verify(self, action: Action) -> None:
        """Raise `IllegalAction` with the reason unless this seat may do this."""
        verify(self.table, self.hand, self.seat, action)

    def can(self, action: Action) -> bool:
        """Whether this seat may do this."""
        try:
            self.verify(action)
        except IllegalAction:
            return False
        return True

    def legal_actions(self) -> tuple[Action, ...]:
        """All legal actions of this seat, in a fixed order; none if it is not on the move."""
        return legal_actions(self.table, self.hand, self.seat)


def observe(state: State, seat: int) -> Position:
    """What a seat knows of a state."""
    return Position(seat, state.table, state.hands[seat], state.chosen[seat], state.laid[seat])


def require_position(value: object) -> Position:
    """Refuse anything but a Position: a State would be looking at the cards.

    Raises
    ------
    TypeError
        If it is something else.
    """
    if not isinstance(value, Position):
        raise TypeError(f"policies and advisers are given a Position, not {type(value).__name__}; see observe")
    return value


_ROLES = {Side.BYZANTINE: "Emperor", Side.FOES: "Foes"}


def role_and_age(position: Position) -> str:
    """In words: ``"Emperor, turn 2 of 12 (early age)"``."""
    table = position.table
    return f"{_ROLES[position.side]}, turn {table.turn} of {RULES.turns} ({AGES[table.age - 1]} age)"


def _of_side(deck: Deck, cards: Heap, side: Side) -> Heap:
    return tuple(code for code in cards if deck[code].side is side)


def _read(name: str, cards: CardsLike, deck: Deck, found: list[Fault]) -> Heap:
    """Read some cards; what is wrong with them is added to the faults."""
    try:
        codes = (parse_heap(cards) if cards.strip() else ()) if isinstance(cards, str) else heap(cards)
    except ValueError as error:
        found.append(Fault(name, str(error)))
        return ()
    strange = [code for code in codes if code not in deck]
    found += [Fault(name, f"{code!r} is no card of the deck {deck.name!r}") for code in dict.fromkeys(strange)]
    return codes if not strange else ()
