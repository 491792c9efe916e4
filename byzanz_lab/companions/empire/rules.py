"""The numbers of Byzantine Empire, Lloyd Krassner's duel for two.

Every number of the rules has its one home here: how many turns there are, how many cards a hand holds in each age, what
a meld may contain, what a collapse costs. What is on the cards is no rule but data: see
`byzanz_lab.companions.empire.cards`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

AGES: Final = ("early", "middle", "late")
"""The three ages, as deck files and texts name them; in code they are numbered 1 to 3."""


class Side(StrEnum):
    """One of the two decks, and the role of whoever plays from it this turn."""

    BYZANTINE = "byzantine"
    FOES = "foes"

    @property
    def number(self) -> int:
        """Its place where something is listed by side: 0 for the Byzantine one, 1 for the Foes."""
        return 0 if self is Side.BYZANTINE else 1


class Kind(StrEnum):
    """The type of a card. Troops are in both decks."""

    LEADER = "leader"
    RECOVERY = "recovery"
    TROOP = "troop"
    NEGOTIATION = "negotiation"
    LEGACY = "legacy"
    NORTHERN = "northern foe"
    SOUTHERN = "southern foe"
    NATURAL = "natural disaster"
    OTHER = "other disaster"


DISASTERS: Final = frozenset({Kind.NATURAL, Kind.OTHER})
"""The two types that share a limit."""

TARGETS: Final = frozenset({Kind.NORTHERN, Kind.SOUTHERN})
"""What a negotiation card can take out of a Foe meld, and what can replace it (ruling *negotiation*)."""

MELD_LIMITS: Final[Mapping[Side, Mapping[Kind, int]]] = MappingProxyType(
    {
        Side.BYZANTINE: MappingProxyType(
            {Kind.LEADER: 1, Kind.RECOVERY: 2, Kind.TROOP: 4, Kind.NEGOTIATION: 1, Kind.LEGACY: 2}
        ),
        Side.FOES: MappingProxyType(
            {Kind.NORTHERN: 1, Kind.SOUTHERN: 1, Kind.NATURAL: 1, Kind.OTHER: 2, Kind.TROOP: 4}
        ),
    }
)
"""How many cards of each type a meld of each side may hold. These are also the types of each deck."""

MOST_DISASTERS: Final = 2
"""Disasters of both types together in one meld."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The numbers of the game; there are no variants.

    Attributes
    ----------
    turns
        Turns of a game, the same number in each age (ruling *turns*).
    start_legacy, start_territory
        Legacy tokens of each player and territory tokens of the Empire at the beginning.
    most_territory
        Territory tokens the Empire can have (ruling *territory*).
    foe_hand, emperor_hands
        Cards to which each role fills its hand in the Draw Phase; the Emperor's by age.
    shown
        Cards drawn in a Draw Phase that the opponent sees (ruling *shown-cards*).
    most_redrawn
        Cards that may be replaced in the Redraw Phase.
    collapse_cost
        Legacy tokens the Emperor loses when the territory is gone (ruling *territory*).

    Examples
    --------
    >>> [RULES.age(turn) for turn in (1, 4, 5, 8, 9, 12)]
    [1, 1, 2, 2, 3, 3]
    >>> RULES.hand_size(Side.BYZANTINE, turn=9), RULES.hand_size(Side.FOES, turn=9)
    (7, 8)
    """

    turns: int = 12
    start_legacy: int = 10
    start_territory: int = 10
    most_territory: int = 20
    foe_hand: int = 8
    emperor_hands: tuple[int, int, int] = field(default=(9, 8, 7))
    shown: int = 4
    most_redrawn: int = 4
    collapse_cost: int = 3

    def age(self, turn: int) -> int:
        """The age of a turn, 1 to 3; `turn` counts from 1."""
        return 1 + (turn - 1) * len(AGES) // self.turns

    def begins_age(self, turn: int) -> bool:
        """Whether a new age starts with this turn."""
        return turn == 1 or self.age(turn) > self.age(turn - 1)

    def hand_size(self, side: Side, turn: int) -> int:
        """Cards to which a role fills its hand."""
        return self.foe_hand if side is Side.FOES else self.emperor_hands[self.age(turn) - 1]


RULES: Final = Rules()
"""The rules that everything here plays by."""
