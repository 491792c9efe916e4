"""What everybody at the table can see, and which actions are legal there.

``Table`` is the public part of the truth: the tableau, whose turn it is, how many cards each hand holds, and, since a
player must place while he can, what each pass has told about his hand. `State` adds the hidden cards, `Position` one
seat's own hand. Legality depends on the table and the own hand only and is written once, here.
"""

from __future__ import annotations

from dataclasses import dataclass

from byzanz_lab.companions.byzantium.actions import Action, Pass, Place
from byzanz_lab.companions.byzantium.cards import ALL_CARDS, Cards, name_of
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.tableau import Tableau


class IllegalAction(ValueError):
    """The rules do not allow the action; the message is the reason, fit to be shown to a player."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything all players can see at one moment.

    Attributes
    ----------
    tableau
        The cards on the table.
    dealer
        Seat of the dealer; the seat to the left of it began.
    to_move
        The seat that decides; ``None`` when the deal is over.
    sizes
        Per seat, cards in hand; alone, the one card that was drawn.
    barred
        Per seat, cards that are known not to be in its hand because it passed while they could be placed (ruling
        *must-place*).
    passes
        How many seats have passed in a row.
    aside
        Cards laid aside for good, alone only (ruling *solitaire*).
    """

    tableau: Tableau
    dealer: int
    to_move: int | None
    sizes: tuple[int, ...]
    barred: tuple[Cards, ...]
    passes: int
    aside: Cards

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.tableau.rules

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return self.to_move is None

    @property
    def unplaced(self) -> Cards:
        """Cards in hands, kitty or deck."""
        return ALL_CARDS - self.tableau.placed - self.aside

    @property
    def deck_left(self) -> int:
        """Cards in the deck, alone only."""
        return len(self.unplaced) - sum(self.sizes) if self.rules.is_solitaire else 0


def verify(table: Table, hand: Cards, seat: int, action: Action) -> None:
    """Check that ``seat``, holding ``hand``, may do this now.

    Raises
    ------
    IllegalAction
        With the reason, if it may not.
    """
    reason = why_illegal(table, hand, seat, action)
    if reason:
        raise IllegalAction(reason)


def why_illegal(table: Table, hand: Cards, seat: int, action: Action) -> str:
    """Why ``seat``, holding ``hand``, may not do this now; empty if it may."""
    if table.to_move is None:
        return "the deal is over"
    if table.to_move != seat:
        return f"it is the turn of seat {table.to_move}"
    if isinstance(action, Place):
        if action.card not in hand:
            return f"the {name_of(action.card)} is not in hand"
        return table.tableau.why_not(action.card, action.slot)
    if not isinstance(action, Pass):
        return f"{action!r} is no action of Byzantium"
    fitting = table.tableau.fitting(hand).codes()
    if not fitting:
        return ""
    return f"who can place must place: the {name_of(fitting[0])} fits at {table.tableau.slots_for(fitting[0])[0]}"


def legal_actions(table: Table, hand: Cards, seat: int) -> tuple[Action, ...]:
    """All legal actions of ``seat``, holding ``hand``: by card, then by slot, or the one pass."""
    if table.to_move != seat:
        return ()
    places = tuple(Place(card, slot) for card in hand for slot in table.tableau.slots_for(card))
    return places or (Pass(),)


def after(table: Table, hand: Cards, action: Action) -> Table:
    """The table after a legal action of the seat on the move, which holds ``hand``."""
    seat, n = table.to_move, table.rules.players
    assert seat is not None  # a legal action has a seat
    if table.rules.is_solitaire:
        return _after_alone(table, hand, action)
    tableau, sizes, barred, passes = table.tableau, table.sizes, table.barred, 0
    if isinstance(action, Place):
        sizes = tuple(size - (at == seat) for at, size in enumerate(sizes))
        tableau = tableau.place(action.card, action.slot)
    else:
        passes = table.passes + 1
        told = barred[seat] | tableau.fitting(table.unplaced)
        barred = tuple(told if at == seat else cards for at, cards in enumerate(barred))
    over = passes == n or not all(sizes)
    return Table(tableau, table.dealer, None if over else (seat + 1) % n, sizes, barred, passes, table.aside)


def _after_alone(table: Table, hand: Cards, action: Action) -> Table:
    tableau, aside = table.tableau, table.aside
    if isinstance(action, Place):
        tableau = tableau.place(action.card, action.slot)
    else:
        aside = aside + hand
    ends = table.deck_left == 0 or (isinstance(action, Pass) and table.rules.stop_at_first_misfit)
    return Table(tableau, table.dealer, None if ends else 0, (0 if ends else 1,), table.barred, 0, aside)
