"""The cards on the table, and why a card may or may not be put somewhere.

A `Tableau` knows which card lies in which slot and nothing else. Whether a card may be put into a slot depends on the
tableau alone, not on the order in which its cards came, so all that the rules say of placing is written once, here:
`why_not` gives the reason against it as a sentence that can be shown to a player, or nothing if it is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from byzanz_lab.companions.byzantium.cards import COLOURS, Cards, colour_of, name_of, parse_card, rank_of
from byzanz_lab.companions.byzantium.geometry import Geometry, Slot
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.safe_json import shown

WAYS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}
RISING: Final = "rising"
FALLING: Final = "falling"


def parse_path(text: str) -> str:
    """Read a slot's path, in any case; whether the slot exists is for the tableau to say.

    Raises
    ------
    ValueError
        If it is not one to three compass points.
    """
    path = text.strip().upper() if isinstance(text, str) else ""
    if not 1 <= len(path) <= 3 or not set(path) <= set(WAYS):
        raise ValueError(f"unknown slot {shown(text)}; slots are written like N, NE or EEN")
    return path


@dataclass(frozen=True, repr=False)
class Tableau:
    """Which card lies in which slot.

    Made by `parse_tableau` or from an empty one by `place`; the plain constructor checks nothing.

    Attributes
    ----------
    rules
        The rules of the game; they fix the shape of the cards and the variant of the ruling *direction*.
    cards
        One entry a slot, in the order of ``rules.geometry.paths``: the code of the card there, or an empty text.

    Examples
    --------
    >>> tableau = Tableau.empty(Rules(1)).place("B7", "N").place("B9", "NE")
    >>> tableau.direction("NE"), tableau.slots_for("B8")
    ('rising', ('S', 'NN', 'NW'))
    >>> tableau.why_not("R3", "ES")
    'nothing lies at E yet, so there is no card to connect to'
    """

    rules: Rules
    cards: tuple[str, ...]

    @classmethod
    def empty(cls, rules: Rules) -> Tableau:
        """The table with the two aces alone."""
        return cls(rules, ("",) * len(rules.geometry.slots))

    # -- what lies where ---------------------------------------------------------------------------------------------

    @cached_property
    def geometry(self) -> Geometry:
        """The slots."""
        return self.rules.geometry

    @property
    def placed(self) -> Cards:
        """All cards that lie there, aces not counted."""
        return Cards([card for card in self.cards if card])

    @cached_property
    def filled(self) -> dict[str, str]:
        """Path -> card, parents before children."""
        return {path: card for path, card in zip(self.geometry.slots, self.cards, strict=True) if card}

    def card_at(self, path: str) -> str:
        """Code of the card in a slot, empty if none lies there."""
        return self.filled.get(path, "")

    def __len__(self) -> int:
        return len(self.filled)

    def direction(self, path: str) -> str | None:
        """``"rising"`` or ``"falling"``, as a card in this slot must continue; ``None`` while that is still free.

        The first child of a tree's first card fixes it for the whole tree; with ``direction_per_branch`` each branch
        has its own (ruling *direction*).
        """
        cards = self.filled
        first = cards.get(path[0])
        branch = path[:2] if self.rules.direction_per_branch else path[:1]
        second = next((card for at, card in cards.items() if len(at) == 2 and at.startswith(branch)), None)
        if first is None or second is None or len(path) == 1:
            return None
        return RISING if rank_of(second) > rank_of(first) else FALLING

    # -- what may be put there ---------------------------------------------------------------------------------------

    def why_closed(self, path: str) -> str:
        """Why no card at all can be put there now; empty if that is not so.

        Examples
        --------
        >>> Tableau.empty(Rules(1)).why_closed("NES")
        'a card there would touch the red ace'
        """
        slots, cards = self.geometry.slots, self.filled
        if path not in slots:
            return self._why_missing(path)
        if path in cards:
            return f"the {name_of(cards[path])} lies there"
        blocker = next((at for at in self.geometry.conflicts[path] if at in cards), None)
        if blocker:
            verb = "overlap" if slots[path].rect.overlaps(slots[blocker].rect) else "touch"
            return f"a card there would {verb} the {name_of(cards[blocker])} at {blocker}"
        if len(path) > 1 and path[:-1] not in cards:
            return f"nothing lies at {path[:-1]} yet, so there is no card to connect to"
        return ""

    def _why_missing(self, path: str) -> str:
        above = next((path[:n] for n in range(1, len(path) + 1) if path[:n] in self.geometry.missing), path)
        touched = self.geometry.missing.get(above)
        if touched is None:
            return f"there is no slot {path}"
        what = f"the {COLOURS[touched[0]]} ace" if touched in self.geometry.aces else f"the card at {touched}"
        return f"a card {'there' if above == path else f'at {above}'} would touch {what}"

    @cached_property
    def open_slots(self) -> tuple[str, ...]:
        """Slots that are not closed to all cards."""
        return tuple(path for path in self.geometry.slots if not self.why_closed(path))

    def why_not(self, card: str, path: str) -> str:
        """Why this card cannot be put there now; empty if it can (rulings *geometry*, *colour*, *direction*)."""
        return self.why_closed(path) or self._why_unfit(card, self.geometry.slots[path])

    def _why_unfit(self, card: str, slot: Slot) -> str:
        if slot.colour != colour_of(card):
            return f"the {name_of(card)} is not {COLOURS[slot.colour]}, as the cards of tree {slot.tree} are"
        return self._why_wrong_way(card, slot)

    def _why_wrong_way(self, card: str, slot: Slot) -> str:
        way = self.direction(slot.path)
        if way is None:
            return ""
        parent = self.card_at(slot.parent)
        if (rank_of(card) > rank_of(parent)) == (way == RISING):
            return ""
        owner = f"branch {slot.path[:2]}" if self.rules.direction_per_branch else f"tree {slot.tree}"
        order = "above" if way == RISING else "below"
        return f"{owner} is {way}, and the {name_of(card)} is not {order} the {name_of(parent)} at {slot.parent}"

    def slots_for(self, card: str) -> tuple[str, ...]:
        """Slots into which this card can be put now."""
        slots = self.geometry.slots
        return tuple(path for path in self.open_slots if not self._why_unfit(card, slots[path]))

    def fitting(self, cards: Cards) -> Cards:
        """Those of the cards that can be put somewhere now."""
        return Cards([card for card in cards if self.slots_for(card)])

    def place(self, card: str, path: str) -> Tableau:
        """The tableau with this card there.

        Raises
        ------
        ValueError
            If the rules do not allow it; the message is the reason.
        """
        reason = self.why_not(card, path)
        if not reason and card in self.cards:
            reason = f"the {name_of(card)} lies on the table already"
        if reason:
            raise ValueError(reason)
        at = self.geometry.paths.index(path)
        return Tableau(self.rules, (*self.cards[:at], card, *self.cards[at + 1 :]))

    # -- the same, seen in a mirror ----------------------------------------------------------------------------------

    def mirrored(self, mirror: Mapping[str, str]) -> Tableau:
        """The tableau with compass points exchanged, see `MIRRORS`; its play goes on in the same way."""
        cards = self.filled
        return Tableau(self.rules, tuple(cards.get(mirrored_path(path, mirror), "") for path in self.geometry.slots))

    def __str__(self) -> str:
        return " ".join(f"{path}={card}" for path, card in self.filled.items()) or "-"

    def __repr__(self) -> str:
        return f"parse_tableau({str(self)!r}, {self.rules!r})"

    def _repr_html_(self) -> str:
        from byzanz_lab.companions.byzantium.drawing import tableau_svg  # only notebooks need it

        return tableau_svg(self)


MIRRORS: Final = tuple(
    {**dict(zip("NESW", "NESW", strict=True)), **across, **along}
    for across in ({}, {"E": "W", "W": "E"})
    for along in ({}, {"N": "S", "S": "N"})
)
"""The four ways to look at a table under which each colour stays on its own axis."""


def mirrored_path(path: str, mirror: Mapping[str, str]) -> str:
    """A slot's path with its compass points exchanged."""
    return "".join(mirror[way] for way in path)


def parse_tableau(text: str, rules: Rules) -> Tableau:
    """Read a tableau, ``"N=B7 NE=B9"`` in any order; exact inverse of ``str``.

    Raises
    ------
    ValueError
        If it cannot be read, or cannot come about by placing cards one by one; the message says which entry is wrong.

    Examples
    --------
    >>> str(parse_tableau("ne=b9 n=b7", Rules(1)))
    'N=B7 NE=B9'
    >>> parse_tableau("N=B7 NE=B9 NW=B5", Rules(1))
    Traceback (most recent call last):
    ...
    ValueError: NW=B5 cannot be: tree N is rising, and the black 5 is not above the black 7 at N
    """
    entries: dict[str, str] = {}
    for word in text.replace(",", " ").split() if text.strip() != "-" else ():
        at, equals, card = word.partition("=")
        if not equals:
            raise ValueError(f"unknown entry {shown(word)}; a tableau is written like N=B7 NE=B9")
        path = parse_path(at)
        if path in entries:
            raise ValueError(f"slot {path} is filled twice")
        entries[path] = parse_card(card)
    tableau = Tableau.empty(rules)
    for path in sorted(entries, key=lambda path: (len(path), [*WAYS].index(path[0]), path)):
        try:
            tableau = tableau.place(entries[path], path)
        except ValueError as reason:
            raise ValueError(f"{path}={entries[path]} cannot be: {reason}") from None
    return tableau
