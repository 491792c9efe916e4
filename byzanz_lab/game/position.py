"""What one seat knows at one moment.

``Position`` is the public table plus one seat's own hand: all that a seat can know, if it remembers everything that was
shown (ruling *perfect-recall*). It is the only thing that a policy or an adviser may be given. ``observe`` takes it out
of a `State`; ``Position.at_table`` makes it from what one sees and remembers at a real table, and refuses what cannot
be. What stays hidden are ``unseen`` cards, and how many of them lie where: ``unknown`` in each rival's hand, the rest
in the deck and among the removed cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import TYPE_CHECKING, Any, TypeVar

from byzanz_lab.game.actions import Action
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import IllegalAction, Phase, Table, legal_actions, verify

if TYPE_CHECKING:
    from byzanz_lab.game.state import State

T = TypeVar("T")
CardsLike = Cards | str | Iterable[str]
"""What `Cards` can be made of."""
PerSeat = Mapping[int, T] | Sequence[T]
"""``{seat: value}``, or one value a seat."""


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Everything that one seat knows.

    Made by `observe`, `Position.at_table`, `position_text.parse_position` or `position_json.loads`; the plain
    constructor checks nothing (see `position_faults.faults`). ``repr`` can be pasted back.

    Attributes
    ----------
    seat
        Whose view it is.
    table
        What all can see.
    hand
        This seat's cards in hand; its open bid, if any, is in ``bids``.

    Examples
    --------
    >>> position = Position.at_table(4, hand="Sp4 Wo3 Wo2 Cl1", lot="Sp3 2xSp2 D Cl2", bids={2: "Ol1", 3: "Wo2"})
    >>> position.high_bid, position.still_in, len(position.unseen)
    (2, (0, 1, 2, 3), 101)
    """

    seat: int
    table: Table
    hand: Cards

    @classmethod
    def at_table(
        cls,
        rules: Rules | int,
        *,
        variant: Mapping[str, Any] | None = None,
        seat: int = 0,
        hand: CardsLike,
        phase: Phase | str = Phase.AUCTION,
        to_move: int | None = None,
        round: int = 1,
        lot: CardsLike = (),
        offers: PerSeat[int] | None = None,
        offers_left: Iterable[int] | None = None,
        bids: PerSeat[CardsLike] | None = None,
        passed: Iterable[int] | None = None,
        market: CardsLike = (),
        picked: int | None = None,
        profits: PerSeat[int] | None = None,
        known: PerSeat[CardsLike] | None = None,
        unknown: PerSeat[int] | None = None,
        sizes: PerSeat[int] | None = None,
        gone: CardsLike = (),
        done: Iterable[int] = (),
    ) -> Position:
        """Make a position from what one sees and remembers at a table.

        Cards are texts such as ``"Wi4 2xSp1 D"`` or `Cards`. Where a value belongs to each seat, give ``{seat: value}``
        for those that have one, or a list with one entry a seat.

        Parameters
        ----------
        rules
            The rules, or the number of seats, 3 to 6.
        variant
            Fields in which the rules differ from the default, such as ``{"hand_limit": 8}``.
        seat
            Whose view it is.
        hand
            Cards in its hand; its open bid is not among them.
        phase
            The decision that is due.
        to_move
            Who decides: ``seat`` when left out.
        round
            From 1.
        lot
            Cards on offer.
        offers
            The offer cards won so far this round.
        offers_left
            Offer cards still to be won, the present lot's too: only compared with ``offers``.
        bids
            Open bids.
        passed
            Seats that have passed in this auction, in that order; a set is put in turn order. In the phase ``tax``,
            all others when left out.
        market
            Cards in the market.
        picked
            How many seats have had their turn at the market; follows from the offer cards when left out.
        profits
            Points; 0 where left out.
        known
            The known cards in each hand; for ``seat`` itself, those that the others know of.
        unknown
            How many cards more each rival holds. May be left out where only one answer adds up.
        sizes
            How many cards each rival holds in hand: another way to say ``unknown``.
        gone
            All cards that have left the game: sold, dropped, left in the market at the end of a round.
        done
            Seats that have finished the closing sale.

        Raises
        ------
        InvalidPosition
            If an input cannot be read or no game looks like this; ``faults`` of the error lists everything that is
            wrong, each with the name of its input.

        Examples
        --------
        The first auction of a game; the others hold four cards, less what they bid:

        >>> position = Position.at_table(4, hand="Wi4 Wi1 Sp2 D", lot="2xSp1 Gr3 D Cl2", bids={2: "Ol1", 3: "Wo3"})
        >>> position.unknown, len(position.unseen)
        ((0, 4, 3, 3), 101)

        With seat 2 on the move after a bid of seat 3, two seats in between must have bid or passed:

        >>> Position.at_table(4, hand="Wi4 Wi1 Sp2 D", lot="2xSp1 Gr3 D Cl2", to_move=2, bids={3: "Wo3"})
        Traceback (most recent call last):
        ...
        byzanz_lab.game.fault.InvalidPosition: this position cannot be: bids[0]: seat 0 has neither ...
        """
        from byzanz_lab.game.position_setup import build  # builds on this module

        return build(
            {
                "rules": rules, "variant": variant, "seat": seat, "hand": hand, "phase": phase, "to_move": to_move,
                "round": round, "lot": lot, "offers": offers, "offers_left": offers_left, "bids": bids,
                "passed": passed, "market": market, "picked": picked, "profits": profits, "known": known,
                "unknown": unknown, "sizes": sizes, "gone": gone, "done": done,
            }
        )  # fmt: skip

    def __str__(self) -> str:
        from byzanz_lab.game.position_text import format_position  # builds on this module

        return format_position(self)

    def __repr__(self) -> str:
        return f"parse_position({str(self)!r})"

    def _repr_html_(self) -> str:
        from byzanz_lab.game.display import position_html  # only notebooks need it

        return position_html(self)

    # -- what is hidden ----------------------------------------------------------------------------------------------

    @property
    def unseen(self) -> Cards:
        """All cards that this seat has not seen: in rivals' hands, in the deck or removed."""
        return Cards.from_counts(self.rules.copies) - self.seen

    @property
    def seen(self) -> Cards:
        """All cards whose place this seat knows: its hand, open bids, lot, market, rivals' known cards, gone ones."""
        table = self.table
        rivals = (cards for seat, cards in enumerate(table.known) if seat != self.seat)
        counts = (0,) * len(self.rules.copies)
        for cards in (self.hand, table.lot, table.market, table.gone, *table.bids, *rivals):
            counts = tuple(map(add, counts, cards.counts))
        return Cards.from_counts(counts)

    @property
    def unknown(self) -> tuple[int, ...]:
        """Per seat, how many cards of its hand this seat does not know; 0 for itself."""
        pairs = zip(self.table.sizes, self.table.known, strict=True)
        return tuple(0 if seat == self.seat else size - len(known) for seat, (size, known) in enumerate(pairs))

    @property
    def deck_left(self) -> int:
        """Cards left in the deck."""
        return self.table.deck_left

    @property
    def removed_left(self) -> int:
        """Cards that were removed unseen; ``len(unseen) == sum(unknown) + deck_left + removed_left``."""
        return self.rules.removed

    # -- what this seat may do ---------------------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        """All actions this seat may take now, in a fixed order; only sales when another seat is on the move."""
        return legal_actions(self.table, self.hand, self.seat)

    def verify(self, action: Action) -> None:
        """Raise `IllegalAction` with the reason unless this seat may do this now."""
        verify(self.table, self.hand, self.seat, action)

    def can(self, action: Action) -> bool:
        """Whether this seat may do this now."""
        try:
            self.verify(action)
        except IllegalAction:
            return False
        return True

    @property
    def is_to_move(self) -> bool:
        """Whether this seat is the one to decide."""
        return self.table.to_move == self.seat

    # -- the table, by its own words ---------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self.table.rules

    @property
    def phase(self) -> Phase:
        """The decision that is due."""
        return self.table.phase

    @property
    def to_move(self) -> int | None:
        """The seat that decides; ``None`` when the game is over."""
        return self.table.to_move

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.phase is Phase.OVER

    @property
    def round(self) -> int:
        """Number of the round, from 1."""
        return self.table.round

    @property
    def lot(self) -> Cards:
        """Cards on offer."""
        return self.table.lot

    @property
    def offer(self) -> int:
        """Offer card of the lot on the table; 0 when none is."""
        return self.table.offer

    @property
    def offers(self) -> tuple[int, ...]:
        """Per seat, the offer card it has won this round; 0 for none yet."""
        return self.table.offers

    @property
    def bids(self) -> tuple[Cards, ...]:
        """Per seat, the open bid."""
        return self.table.bids

    @property
    def high_bid(self) -> int:
        """Total of the highest open bid; 0 when nobody has bid."""
        return self.table.high_bid

    @property
    def high_bidder(self) -> int | None:
        """Seat with the highest open bid, if any."""
        return self.table.high_bidder

    @property
    def still_in(self) -> tuple[int, ...]:
        """Seats that can still win this auction."""
        return self.table.still_in

    @property
    def passes(self) -> tuple[int, ...]:
        """Seats that have passed in this auction, in that order."""
        return self.table.passes

    @property
    def market(self) -> Cards:
        """Cards in the market."""
        return self.table.market

    @property
    def picked(self) -> int:
        """How many seats have had their turn at the market this round."""
        return self.table.picked

    @property
    def profits(self) -> tuple[int, ...]:
        """Per seat, points."""
        return self.table.profits

    @property
    def sizes(self) -> tuple[int, ...]:
        """Per seat, cards in hand; an open bid is not in hand."""
        return self.table.sizes

    @property
    def known(self) -> tuple[Cards, ...]:
        """Per seat, the part of its hand that all know; for this seat, what the others know of it."""
        return self.table.known

    @property
    def gone(self) -> Cards:
        """Cards that left the game openly: sold, dropped, left in the market."""
        return self.table.gone

    @property
    def done(self) -> tuple[int, ...]:
        """Seats that have finished the closing sale."""
        return self.table.done


def observe(state: State, seat: int) -> Position:
    """Take out of the whole truth what one seat knows of it.

    Parameters
    ----------
    state
        The whole truth.
    seat
        Whose view to take, from 0.

    Raises
    ------
    ValueError
        If there is no such seat.

    Examples
    --------
    >>> from byzanz_lab.game.state import new_game
    >>> position = observe(new_game(Rules.for_seats(4), seed=7), seat=0)
    >>> position.unknown, len(position.unseen), position.deck_left, position.removed_left
    ((0, 4, 4, 4), 103, 79, 12)
    """
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < state.rules.seats:
        raise ValueError(f"there is no seat {seat!r}, seats are 0 to {state.rules.seats - 1}")
    return Position(seat, state.table, state.hands[seat])
