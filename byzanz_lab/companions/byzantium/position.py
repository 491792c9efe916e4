"""What one player knows at one moment.

``Position`` is the public table plus one seat's own hand: all that it can know if it remembers the passes. It is the
only thing that a policy or an adviser may be given. ``observe`` takes it out of a `State`; ``Position.at_table`` makes
it from what one sees at a real table, and refuses what cannot be. Hidden are the ``unseen`` cards, and how many of them
lie where: ``unknown`` in each rival's hand, the rest in the kitty or, alone, in the deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from byzanz_lab.companions.byzantium.actions import Action
from byzanz_lab.companions.byzantium.belief import Bin, count_ways
from byzanz_lab.companions.byzantium.cards import Cards
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.table import IllegalAction, Table, legal_actions, verify
from byzanz_lab.companions.byzantium.tableau import Tableau, parse_tableau
from byzanz_lab.safe_json import shown

if TYPE_CHECKING:
    from byzanz_lab.companions.byzantium.state import State

T = TypeVar("T")
CardsLike = Cards | str | Iterable[str]
"""What `Cards` can be made of."""
PerSeat = Mapping[int, T] | Sequence[T]
"""``{seat: value}``, or one value a seat."""


class InvalidPosition(ValueError):
    """No deal looks like this; ``faults`` lists everything that is wrong with it, a sentence each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("this position cannot be: " + "; ".join(faults))
        self.faults = tuple(faults)

    def __reduce__(self) -> tuple[type[InvalidPosition], tuple[tuple[str, ...]]]:
        return InvalidPosition, (self.faults,)


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Everything that one seat knows.

    Made by `observe`, `Position.at_table`, `parse_position` or `Position.from_dict`; the plain constructor checks
    nothing (see `faults`). ``repr`` can be pasted back.

    Attributes
    ----------
    seat
        Whose view it is.
    table
        What all can see.
    hand
        This seat's cards in hand; alone, the card that was drawn.
    """

    seat: int
    table: Table
    hand: Cards

    @classmethod
    def at_table(
        cls,
        rules: Rules | int,
        *,
        tableau: str | Tableau = "",
        hand: CardsLike,
        seat: int = 0,
        dealer: int | None = None,
        to_move: int | None = -1,
        sizes: PerSeat[int] | None = None,
        barred: PerSeat[CardsLike] | None = None,
        passes: int = 0,
        aside: CardsLike = (),
    ) -> Position:
        """Make a position from what one sees and remembers at a table.

        Parameters
        ----------
        rules
            The rules, or the number of players.
        tableau
            The cards on the table, such as ``"N=B7 NE=B9"``.
        hand
            Cards in hand; alone, the one that was drawn.
        seat
            Whose view it is.
        dealer
            Seat of the dealer; the seat to the right of ``seat`` when left out.
        to_move
            Who decides, ``None`` when the deal is over; ``seat`` when left out.
        sizes
            Cards in each hand. May be left out while nobody has passed yet, and with one or two players.
        barred
            Cards that a seat cannot hold, since it passed while they could be placed; none when left out.
        passes
            How many seats have passed in a row.
        aside
            Cards laid aside for good, alone.

        Raises
        ------
        InvalidPosition
            If an input cannot be read or no deal looks like this; ``faults`` of the error lists what is wrong.

        Examples
        --------
        >>> position = Position.at_table(2, tableau="N=B7", hand="B2 B9 B10 BJ BQ BK R2 R3 R4 R5", seat=1, dealer=1)
        >>> position.unknown, position.kitty_left, len(position.unseen)
        ((9, 0), 4, 13)
        """
        try:
            rules = Rules(rules) if not isinstance(rules, Rules) else rules
            lying = parse_tableau(tableau, rules) if isinstance(tableau, str) else tableau
            cards, gone, n = Cards(hand), Cards(aside), rules.players
            for name, at in (("seat", seat), ("dealer", 0 if dealer is None else dealer)):
                _check_seat(name, at, n)
            dealer = (seat - 1) % n if dealer is None else dealer
            known = Cards() if barred is None else None
            bars = [known or Cards(each) for each in _per_seat(barred or {}, n, (), "barred")]
            counts = _guessed_sizes(rules, lying, cards, seat, dealer) if sizes is None else None
            counts = list(_per_seat(sizes or {}, n, len(cards), "sizes")) if counts is None else counts
        except (ValueError, TypeError) as error:
            raise InvalidPosition([str(error)]) from None
        mover = seat if to_move == -1 else to_move
        table = Table(lying, dealer, mover, tuple(counts), tuple(bars), passes, gone)
        position = cls(seat, table, cards)
        wrong = list(faults(position))
        if wrong:
            raise InvalidPosition(wrong)
        return position

    # -- what is hidden ----------------------------------------------------------------------------------------------

    @property
    def unseen(self) -> Cards:
        """All cards that this seat has not seen: in rivals' hands, kitty or deck."""
        return self.table.unplaced - self.hand

    @property
    def unknown(self) -> tuple[int, ...]:
        """Per seat, how many cards of its hand this seat does not know; 0 for itself."""
        return tuple(0 if seat == self.seat else size for seat, size in enumerate(self.table.sizes))

    @property
    def kitty_left(self) -> int:
        """Cards in the kitty."""
        return self.rules.kitty

    @property
    def deck_left(self) -> int:
        """Cards in the deck, alone; ``len(unseen) == sum(unknown) + kitty_left + deck_left``."""
        return self.table.deck_left

    @property
    def bins(self) -> tuple[Bin, ...]:
        """Where unseen cards may lie, and what each place cannot hold: rivals in seat order, then the kitty."""
        rivals = [
            Bin(size, barred) for at, (size, barred) in enumerate(zip(self.table.sizes, self.table.barred, strict=True))
            if at != self.seat
        ]  # fmt: skip
        return (*rivals, *([Bin(self.kitty_left, Cards())] if self.kitty_left else []))

    @property
    def worlds(self) -> int:
        """How many ways there are for the unseen cards to lie: hands and kitty or, alone, orders of the deck.

        All are equally likely before anything is read from how the others play, and this is exact: a pass tells that
        a hand holds none of the cards that could be placed (ruling *must-place*).
        """
        return count_ways(self.unseen, self.bins, self.deck_left)

    # -- what this seat may do ---------------------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        """All actions this seat may take now, in a fixed order; none when another seat is on the move."""
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
        """The rules of the game."""
        return self.table.rules

    @property
    def tableau(self) -> Tableau:
        """The cards on the table."""
        return self.table.tableau

    @property
    def to_move(self) -> int | None:
        """The seat that decides; ``None`` when the deal is over."""
        return self.table.to_move

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return self.table.is_over

    # -- as text and data --------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; exact inverse of `from_dict`."""
        from byzanz_lab.companions.byzantium.position_text import position_to_dict  # builds on this module

        return position_to_dict(self)

    @classmethod
    def from_dict(cls, data: object) -> Position:
        """Read what `to_dict` wrote; raises `InvalidPosition`."""
        from byzanz_lab.companions.byzantium.position_text import position_from_dict  # builds on this module

        return position_from_dict(data)

    def __str__(self) -> str:
        from byzanz_lab.companions.byzantium.position_text import format_position  # builds on this module

        return format_position(self)

    def __repr__(self) -> str:
        return f"parse_position({str(self)!r})"

    def _repr_html_(self) -> str:
        from byzanz_lab.companions.byzantium.drawing import position_html  # only notebooks need it

        return position_html(self)


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
    >>> from byzanz_lab.companions.byzantium.state import new_game
    >>> position = observe(new_game(Rules(4), seed=7), seat=0)
    >>> position.unknown, len(position.unseen), position.worlds
    ((0, 6, 6, 6), 18, 17153136)
    """
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < state.rules.players:
        raise ValueError(f"there is no seat {seat!r}, seats are 0 to {state.rules.players - 1}")
    return Position(seat, state.table, state.hands[seat])


def require_position(position: object) -> Position:
    """Let only a Position through: advisers and policies must not see hidden cards.

    Raises
    ------
    TypeError
        If it is anything else, a State above all.
    """
    if not isinstance(position, Position):
        raise TypeError(f"a Position is needed (what one seat knows), not {type(position).__name__}; see observe()")
    return position


def faults(position: Position) -> Iterator[str]:
    """Everything that is wrong with a position, a sentence each."""
    table, hand, rules = position.table, position.hand, position.table.rules
    n = rules.players
    for name, seat in (("seat", position.seat), ("dealer", table.dealer), ("to_move", table.to_move)):
        if seat is not None or name != "to_move":
            try:
                _check_seat(name, seat, n)
            except ValueError as error:
                yield str(error)
                return
    sizes = table.sizes
    if any(isinstance(size, bool) or not isinstance(size, int) or not 0 <= size <= rules.dealt for size in sizes):
        yield f"sizes: a hand holds 0 to {rules.dealt} cards, not {', '.join(map(shown, sizes))}"
        return
    seen_twice = (table.tableau.placed & hand) | (table.tableau.placed & table.aside) | (hand & table.aside)
    if seen_twice:
        yield f"hand: {seen_twice} cannot be in two places"
        return
    if sizes[position.seat] != len(hand):
        yield f"sizes: seat {position.seat} holds {len(hand)} cards, not {sizes[position.seat]}"
        return
    yield from (_faults_alone if rules.is_solitaire else _faults_together)(position)


def _faults_alone(position: Position) -> Iterator[str]:
    table = position.table
    if table.is_over == bool(position.hand):
        yield "hand: alone one holds the card that was drawn, until the deal is over"
    if table.is_over and position.unseen and not table.rules.stop_at_first_misfit:
        yield f"to_move: the deal is not over while cards are in the deck: {position.unseen}"
    if table.rules.stop_at_first_misfit and len(table.aside) > (1 if table.is_over else 0):
        yield "aside: with stop_at_first_misfit the deal ends with the first card laid aside"
    if table.passes:
        yield "passes: alone, passing lays the card aside"


def _faults_together(position: Position) -> Iterator[str]:
    table, rules = position.table, position.table.rules
    n, total = rules.players, len(table.tableau) + sum(table.sizes)
    if table.aside:
        yield "aside: cards are laid aside at solitaire only"
    if total != rules.dealt * n:
        yield f"sizes: {len(table.tableau)} cards on the table, {sum(table.sizes)} in hands: not {rules.dealt * n}"
        return
    if isinstance(table.passes, bool) or not isinstance(table.passes, int) or not 0 <= table.passes <= n:
        yield f"passes: {shown(table.passes)} seats cannot have passed in a row"
    elif table.is_over != (table.passes == n or 0 in table.sizes):
        yield "to_move: a deal is over when a hand is empty or all have passed in a row, and not before"
    impossible = table.barred[position.seat] & position.hand
    if impossible:
        yield f"barred: seat {position.seat} holds {impossible}, so it did not pass then"
    elif not position.worlds:
        yield "barred: the unseen cards cannot be spread over the hands like this"


def _check_seat(name: str, seat: object, n: int) -> None:
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < n:
        raise ValueError(f"{name}: there is no seat {shown(seat)}, seats are 0 to {n - 1}")


def _per_seat(values: PerSeat[Any], n: int, default: Any, name: str) -> list[Any]:
    if isinstance(values, Mapping):
        for seat in values:
            if seat not in range(n):
                raise ValueError(f"{name}: there is no seat {shown(seat)}, seats are 0 to {n - 1}")
        return [values.get(seat, default) for seat in range(n)]
    listed = list(values)
    if len(listed) != n:
        raise ValueError(f"{name}: {n} players need {n} entries, not {len(listed)}")
    return listed


def _guessed_sizes(rules: Rules, lying: Tableau, hand: Cards, seat: int, dealer: int) -> list[int]:
    """Sizes of all hands where only one answer adds up, or if nobody has passed yet."""
    n, placed = rules.players, len(lying)
    if n == 1:
        return [len(hand)]
    if n == 2:
        rival = 2 * rules.dealt - placed - len(hand)
        return [len(hand) if at == seat else rival for at in range(2)]
    turns = [(at - dealer - 1) % n for at in range(n)]
    sizes = [rules.dealt - placed // n - (turn < placed % n) for turn in turns]
    if sizes[seat] != len(hand):
        raise ValueError("sizes: say how many cards each hand holds, since somebody must have passed")
    return sizes
