"""The numbers of Byzanz, and its variants.

Every number of the rules has its one home here: which offer cards a table of three to six uses, how many cards are
removed, how many rounds are played, what the deck holds, when a hand is too big, what a set of dealers scores. Where
the sources leave a choice, the choice is a field that is off by default (`Rules.variant` lists those that are on).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final

from byzanz_lab.game.cards import GOODS, N_KINDS
from byzanz_lab.safe_json import shown

_OFFERS: Final = {3: (6, 4, 2), 4: (5, 4, 3, 2), 5: (5, 4, 3, 2, 1), 6: (6, 5, 4, 3, 2, 1)}
_REMOVED: Final = {3: 4, 4: 12, 5: 2, 6: 4}
_ROUNDS: Final = {3: 8, 4: 6, 5: 6, 6: 4}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one table size.

    Parameters
    ----------
    seats
        Number of players, 3 to 6.
    hand_limit
        Cards a hand may hold once it has been trimmed: 7, or 8 (ruling *hand-limit*).
    last_card_to_hand
        With 5 or 6 seats, the last seat of a round keeps the single card (ruling *last-lot*).
    may_decline_market
        A seat may take no group although there is one (ruling *market-must*).
    tie_counts_dealers
        Dealers left in hand count for the tie-break too (ruling *tie*).

    Raises
    ------
    ValueError
        If a field is out of range; the message names it.

    Examples
    --------
    >>> rules = Rules.for_seats(4)
    >>> rules.offers, rules.rounds, rules.removed, rules.cards_auctioned
    ((5, 4, 3, 2), 6, 12, 84)
    >>> Rules.for_seats(5, hand_limit=8).variant
    {'hand_limit': 8}
    """

    seats: int
    hand_limit: int = 7
    last_card_to_hand: bool = False
    may_decline_market: bool = False
    tie_counts_dealers: bool = False

    start_hand: ClassVar[int] = 4
    """Cards dealt to each seat."""
    set_size: ClassVar[int] = 3
    """Cards in a set that is sold (ruling *sell-any-time*)."""
    dealer_set_profit: ClassVar[int] = 5
    """Profit of three dealers (ruling *set-profit*)."""
    copies: ClassVar[tuple[int, ...]] = (6, 5, 3, 2) * len(GOODS) + (16,)
    """Copies of each of the 25 kinds: 112 cards."""
    n_cards: ClassVar[int] = sum(copies)

    def __post_init__(self) -> None:
        if isinstance(self.seats, bool) or not isinstance(self.seats, int) or self.seats not in _OFFERS:
            raise ValueError(f"Byzanz is played by 3 to 6 seats, not {shown(self.seats)}")
        if not isinstance(self.hand_limit, int) or self.hand_limit not in (7, 8):
            raise ValueError(f"hand_limit must be 7 or 8, not {shown(self.hand_limit)}")
        for name in ("last_card_to_hand", "may_decline_market", "tie_counts_dealers"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be true or false, not {shown(getattr(self, name))}")

    @classmethod
    def for_seats(cls, seats: int, /, **variants: Any) -> Rules:
        """The rules for this many seats, with the named variants.

        Raises
        ------
        ValueError
            If a variant is unknown or out of range, or ``seats`` is not 3 to 6.
        """
        known = cls.variant_names()
        for name in variants:
            if name not in known:
                raise ValueError(f"unknown variant {shown(name)} (variants are {', '.join(known)})")
        return cls(seats, **variants)

    @classmethod
    def variant_names(cls) -> tuple[str, ...]:
        """Names of the fields in which a game can differ from the default."""
        return tuple(field.name for field in fields(cls) if field.name != "seats")

    @property
    def variant(self) -> dict[str, Any]:
        """Only the fields that differ from the defaults."""
        defaults = {field.name: field.default for field in fields(self) if field.name != "seats"}
        return {name: getattr(self, name) for name, usual in defaults.items() if getattr(self, name) != usual}

    @property
    def offers(self) -> tuple[int, ...]:
        """Offer cards of a round, highest first: sizes of the lots."""
        return _OFFERS[self.seats]

    @property
    def rounds(self) -> int:
        """Rounds in a game."""
        return _ROUNDS[self.seats]

    @property
    def removed(self) -> int:
        """Cards removed unseen after the deal (ruling *removed-mixed*)."""
        return _REMOVED[self.seats]

    @property
    def cards_auctioned(self) -> int:
        """Cards that come up in lots over the whole game: the size of the deck."""
        return sum(self.offers) * self.rounds

    def deck_left(self, round_: int, lots_drawn: int) -> int:
        """Cards still in the deck once ``lots_drawn`` lots of round ``round_`` (1-based) are on or off the table."""
        return sum(self.offers) * (self.rounds - round_) + sum(self.offers[lots_drawn:])

    def __repr__(self) -> str:
        variants = "".join(f", {name}={value!r}" for name, value in self.variant.items())
        return f"Rules.for_seats({self.seats}{variants})"


assert len(Rules.copies) == N_KINDS
