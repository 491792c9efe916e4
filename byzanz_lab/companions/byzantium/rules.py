"""The numbers of Byzantium, and its variants.

One to four players. Alone, one draws and places; two to four hold hands of ten, eight or six cards, and with two four
cards are set aside unseen. Where the source leaves a choice, the choice is a field that is off by default.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Final

from byzanz_lab.companions.byzantium.cards import N_CARDS
from byzanz_lab.companions.byzantium.geometry import Geometry, card_sides, geometry_of
from byzanz_lab.safe_json import shown

_DEALT: Final = {1: 1, 2: 10, 3: 8, 4: 6}
"""Cards in hand at the start; alone, the one card that was drawn."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one table size.

    Parameters
    ----------
    players
        1 (solitaire) to 4.
    direction_per_branch
        The one direction holds for each path from the ace, not for the whole tree (ruling *direction*).
    stop_at_first_misfit
        Solitaire ends at the first card that fits nowhere (ruling *solitaire*).
    card
        Short and long side of a card, in any unit: whole numbers, fractions, or texts such as ``"2.5"``; kept as the
        smallest whole numbers. Poker size by default (ruling *slots*).

    Raises
    ------
    ValueError
        If a field is out of range; the message names it.

    Examples
    --------
    >>> rules = Rules(2)
    >>> rules.dealt, rules.kitty
    (10, 4)
    >>> Rules(1, stop_at_first_misfit=True, card=(56, 88))
    Rules(1, stop_at_first_misfit=True, card=(7, 11))
    """

    players: int
    direction_per_branch: bool = False
    stop_at_first_misfit: bool = False
    card: tuple[int | str | Fraction, int | str | Fraction] = (63, 88)

    win: ClassVar[int] = N_CARDS
    """Cards to place for a win at solitaire."""

    def __post_init__(self) -> None:
        if isinstance(self.players, bool) or not isinstance(self.players, int) or self.players not in _DEALT:
            raise ValueError(f"Byzantium is played by 1 to 4 players, not {shown(self.players)}")
        for name in ("direction_per_branch", "stop_at_first_misfit"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be true or false, not {shown(getattr(self, name))}")
        if self.stop_at_first_misfit and self.players > 1:
            raise ValueError("stop_at_first_misfit is a variant of solitaire, for 1 player")
        if not isinstance(self.card, (tuple, list)) or len(self.card) != 2:
            raise ValueError(f"card must be the short and the long side, not {shown(self.card)}")
        object.__setattr__(self, "card", card_sides(*self.card))

    @classmethod
    def for_players(cls, players: int, **variants: Any) -> Rules:
        """The rules for this many players, with the named variants.

        Raises
        ------
        ValueError
            If a variant is unknown or out of range, or ``players`` is not 1 to 4.
        """
        known = cls.variant_names()
        for name in variants:
            if name not in known:
                raise ValueError(f"unknown variant {shown(name)} (variants are {', '.join(known)})")
        return cls(players, **variants)

    @classmethod
    def variant_names(cls) -> tuple[str, ...]:
        """Names of the fields in which a game can differ from the default."""
        return tuple(field.name for field in fields(cls) if field.name != "players")

    @property
    def variant(self) -> dict[str, Any]:
        """Only the fields that differ from the defaults."""
        usual = Rules(self.players)
        names = [name for name in self.variant_names() if getattr(self, name) != getattr(usual, name)]
        return {name: list(self.card) if name == "card" else getattr(self, name) for name in names}

    @property
    def dealt(self) -> int:
        """Cards in each hand at the start; alone, the one card that was drawn."""
        return _DEALT[self.players]

    @property
    def kitty(self) -> int:
        """Cards set aside unseen; alone there are none, all others are in the deck."""
        return 0 if self.players == 1 else N_CARDS - self.players * self.dealt

    @property
    def is_solitaire(self) -> bool:
        """Whether one plays alone."""
        return self.players == 1

    @property
    def geometry(self) -> Geometry:
        """The slots for these cards."""
        return geometry_of(*self.card)

    def __repr__(self) -> str:
        shown_as = {name: tuple(value) if name == "card" else value for name, value in self.variant.items()}
        return f"Rules({self.players}{''.join(f', {name}={value!r}' for name, value in shown_as.items())})"
