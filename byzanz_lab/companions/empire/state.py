"""The whole truth at one moment, and how it changes.

``State`` holds the table and everything hidden: hands, melds that are chosen but not revealed, cards laid aside to be
passed, the decks. It is frozen; ``apply`` returns a new one, which `step.Step` works out. A game begins with
``new_game``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from byzanz_lab.companions.empire.actions import Action
from byzanz_lab.companions.empire.cards import Deck, Heap
from byzanz_lab.companions.empire.chance import Chance, Seeded
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.rules import RULES, Side
from byzanz_lab.companions.empire.step import Step
from byzanz_lab.companions.empire.table import IllegalAction, Phase, Table, legal_actions, verify


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Attributes
    ----------
    legacy
        Per seat, legacy tokens.
    territory
        Territory tokens of the Empire; 0 or less if it collapsed.
    turns
        Turns played.
    winners
        Seats that share the win (ruling *final-tie*).
    """

    legacy: tuple[int, int]
    territory: int
    turns: int
    winners: tuple[int, ...]

    @property
    def collapsed(self) -> bool:
        """Whether the Empire collapsed (ruling *territory*)."""
        return self.territory <= 0


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game, hidden cards included.

    Attributes
    ----------
    table
        What both players see.
    hands
        Per seat, cards in hand.
    chosen
        Per seat, the meld that is chosen but not revealed, or ``None``.
    laid
        Per seat, the card laid aside to be passed, or ``None``.
    piles
        Per side (Byzantine, Foes), cards that can be drawn; in no order, see `chance`.
    drawn
        Per side, all cards drawn so far, in that order.
    chance
        What decides the next draws; no part of what is compared.
    """

    table: Table
    hands: tuple[Heap, Heap]
    chosen: tuple[Heap | None, Heap | None]
    laid: tuple[str | None, str | None]
    piles: tuple[Heap, Heap]
    drawn: tuple[tuple[str, ...], tuple[str, ...]]
    chance: Chance = field(compare=False, repr=False)

    @property
    def phase(self) -> Phase:
        """The decision that is due."""
        return self.table.phase

    @property
    def to_move(self) -> int | None:
        """The seat that decides, ``None`` when the game is over."""
        return self.table.to_move

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.phase is Phase.OVER

    def result(self) -> Result:
        """How the game ended.

        Raises
        ------
        ValueError
            If it has not ended yet.
        """
        if not self.is_over:
            raise ValueError("the game is not over yet")
        legacy = self.table.legacy
        return Result(
            legacy, self.table.territory, self.table.turn, tuple(s for s in (0, 1) if legacy[s] == max(legacy))
        )

    def verify(self, action: Action, seat: int | None = None) -> None:
        """Raise `IllegalAction` with the reason unless ``seat`` (by default the one on the move) may do this."""
        actor = self._actor(seat)
        verify(self.table, self.hands[actor], actor, action)

    def can(self, action: Action, seat: int | None = None) -> bool:
        """Whether ``seat`` (by default the one on the move) may do this."""
        try:
            self.verify(action, seat)
        except IllegalAction:
            return False
        return True

    def legal_actions(self, seat: int | None = None) -> tuple[Action, ...]:
        """All legal actions of ``seat`` (by default the one on the move), in a fixed order."""
        if self.is_over:
            return ()
        actor = self._actor(seat)
        return legal_actions(self.table, self.hands[actor], actor)

    def apply(self, action: Action, seat: int | None = None) -> State:
        """The state at the next decision after ``seat`` (by default the one on the move) does this.

        Raises
        ------
        IllegalAction
            If the rules do not allow it; this state stays as it was.
        """
        actor = self._actor(seat)
        verify(self.table, self.hands[actor], actor, action)
        step = Step(self)
        step.do(actor, action)
        return step.state()

    def held(self, seat: int) -> Heap:
        """All cards that a seat holds out of sight: hand, chosen meld, card laid aside."""
        laid = self.laid[seat]
        return tuple(sorted((*self.hands[seat], *(self.chosen[seat] or ()), *(() if laid is None else (laid,)))))

    def _actor(self, seat: int | None) -> int:
        actor = self.table.to_move if seat is None else seat
        if actor is None:
            raise IllegalAction("the game is over")
        if isinstance(actor, bool) or actor not in (0, 1):
            raise IllegalAction(f"there is no seat {actor!r}, seats are 0 and 1")
        return actor


def new_game(
    deck: Deck | None = None, seed: int = 1, emperor: int | None = None, chance: Chance | None = None
) -> State:
    """Begin a game: the state at its first decision.

    Parameters
    ----------
    deck
        The cards; the deck that ships with the package if not given.
    seed
        Decides the draws and, where it is not given, the first Emperor.
    emperor
        The seat that is Emperor in the first turn; drawn by lot if not given (ruling *turns*).
    chance
        What decides the draws, instead of the seed.

    Examples
    --------
    >>> state = new_game(seed=1, emperor=0)
    >>> state.phase.value, state.to_move, state.table.sizes
    ('redraw', 1, (9, 8))
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"a seed is a whole number, not {type(seed).__name__}")
    if emperor is None:
        lots = ("0", "1")
        emperor = lots.index(Seeded(seed).pick(Side.BYZANTINE, lots, -1))
    if emperor not in (0, 1) or isinstance(emperor, bool):
        raise ValueError(f"the first Emperor is seat 0 or 1, not {emperor!r}")
    table = Table(
        default_deck() if deck is None else deck, 1, emperor, Phase.OVER, None,
        RULES.start_territory, (RULES.start_legacy, RULES.start_legacy),
    )  # fmt: skip
    nothing: tuple[Heap, Heap] = ((), ())
    step = Step(State(table, nothing, (None, None), (None, None), nothing, nothing, chance or Seeded(seed)))
    step.begin_turn()
    return step.state()
