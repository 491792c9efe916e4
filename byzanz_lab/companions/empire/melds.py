"""All melds of a hand at once, and what tells them apart.

For the outcome of a turn much of a meld does not matter: of the Emperor's its total force, its legacy and whether it
negotiates; of the Foes' its force and, against a negotiation card, which targets are in it and which are left to
replace them. ``Melds`` lists the legal melds of a hand as arrays with these facts, so that whole hands can be compared
without a loop. `table.why_no_meld` is where the limits are explained; tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.cards import Card, Deck, Heap, heap
from byzanz_lab.companions.empire.rules import DISASTERS, MELD_LIMITS, MOST_DISASTERS, TARGETS, Kind, Side

Ints = NDArray[np.int64]
Target = tuple[Kind, int]
"""A northern or southern foe, as far as negotiation goes: its type and its force."""


@dataclass(frozen=True)
class Face:
    """The targets of a Foe meld, and the foes in hand that could replace them (ruling *negotiation*).

    Attributes
    ----------
    targets
        Those in the meld.
    left
        Those left in hand that can be used.
    """

    targets: tuple[Target, ...] = ()
    left: tuple[Target, ...] = ()

    def without(self) -> list[tuple[int, tuple[int, ...]]]:
        """For each target that can be taken out, its force and the forces that can be put in its place, ascending."""
        found = []
        for kind, force in sorted(set(self.targets), key=lambda target: (target[0], target[1])):
            kinds = [k for k, _ in self.targets]
            kinds.remove(kind)
            fits = {f for k, f in self.left if kinds.count(k) < MELD_LIMITS[Side.FOES][k]}
            found.append((force, tuple(sorted(fits))))
        return found


NO_FACE = Face()
"""Of the Emperor's melds, and of Foe melds without targets."""


@dataclass(frozen=True, eq=False)
class Melds:
    """The legal melds of a hand, without repetition of what is alike.

    Attributes
    ----------
    side
        Whose melds they are.
    usable
        The cards of the hand that can be melded, by code.
    choices
        ``int64[n, n_usable]`` of zeros and ones: which of them are in each meld. Of melds that are alike, one stands
        there with the fewest unique cards, then the fewest cards.
    force, legacy
        ``int64[n]``: totals.
    envoy
        ``bool[n]``: whether it holds a negotiation card.
    face
        ``int64[n]``: its place in `faces`.
    faces
        What negotiation finds in the melds.
    """

    side: Side
    usable: tuple[str, ...]
    choices: Ints
    force: Ints
    legacy: Ints
    envoy: NDArray[np.bool_]
    face: Ints
    faces: tuple[Face, ...]

    def __len__(self) -> int:
        return len(self.force)

    @cached_property
    def cards(self) -> tuple[Heap, ...]:
        """The cards of each meld."""
        return tuple(heap(np.array(self.usable, object)[row > 0]) for row in self.choices)

    @cached_property
    def key(self) -> dict[tuple[int, int, bool, Face], int]:
        """What tells melds apart -> the place of the one that stands for it."""
        return {self.facts(i): i for i in range(len(self))}

    def facts(self, i: int) -> tuple[int, int, bool, Face]:
        """What tells a meld apart from the others: force, legacy, whether it negotiates, what negotiation finds."""
        return int(self.force[i]), int(self.legacy[i]), bool(self.envoy[i]), self.faces[self.face[i]]


def melds_of(deck: Deck, side: Side, age: int, hand: Sequence[str], *, grouped: bool = True) -> Melds:
    """The legal melds of a hand.

    Parameters
    ----------
    deck, side, age
        The cards of the game, whose meld it is, and when.
    hand
        The cards in hand.
    grouped
        Whether one meld stands for all that are alike; else all are listed, but for copies of the same card.

    Examples
    --------
    >>> from byzanz_lab.companions.empire.deck_file import default_deck
    >>> melds = melds_of(default_deck(), Side.BYZANTINE, 1, ["strategos", "toxotai", "skoutatoi", "icons"])
    >>> sorted(zip(melds.force.tolist(), melds.legacy.tolist()))
    [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)]
    """
    cards = [deck[code] for code in sorted(hand)]
    usable = [card for card in cards if card.side is side and card.usable(age)]
    choices = _choices(len(usable))
    choices = choices[_legal(usable, side, choices)]
    face, faces = _faces(usable, side, choices)
    force, legacy = (choices @ _column(usable, name) for name in ("force", "legacy"))
    envoy = choices @ np.array([card.kind is Kind.NEGOTIATION for card in usable], np.int64) > 0
    uniques = choices @ np.array([card.unique for card in usable], np.int64)
    order = np.lexsort([choices.sum(axis=1), uniques])
    keys = np.stack([force, legacy, envoy, face] if grouped else [*_counted(usable, choices)], axis=1)[order]
    _, first = np.unique(keys, axis=0, return_index=True)
    chosen = order[np.sort(first)]
    codes = tuple(card.code for card in usable)
    return Melds(side, codes, choices[chosen], force[chosen], legacy[chosen], envoy[chosen], face[chosen], faces)


@lru_cache(maxsize=16)
def _choices(n: int) -> Ints:
    """All choices out of ``n`` cards: ``int64[2**n, n]`` of zeros and ones."""
    return np.arange(2**n)[:, None] >> np.arange(n) & 1


def _legal(cards: Sequence[Card], side: Side, choices: Ints) -> NDArray[np.bool_]:
    limits = MELD_LIMITS[side]
    of_kind = np.array([[card.kind is kind for kind in limits] for card in cards], np.int64).reshape(-1, len(limits))
    disasters = choices @ np.array([card.kind in DISASTERS for card in cards], np.int64)
    within = (choices @ of_kind <= np.array(list(limits.values()))).all(axis=1)
    return within & (disasters <= MOST_DISASTERS)


def _column(cards: Sequence[Card], name: str) -> Ints:
    return np.array([getattr(card, name) for card in cards], np.int64)


def _counted(cards: Sequence[Card], choices: Ints) -> list[Ints]:
    """How many copies of each card are chosen."""
    codes = sorted({card.code for card in cards})
    counts = [choices @ np.array([card.code == code for card in cards], np.int64) for code in codes]
    return counts or [np.zeros(len(choices), np.int64)]


def _faces(cards: Sequence[Card], side: Side, choices: Ints) -> tuple[Ints, tuple[Face, ...]]:
    """What negotiation finds in each choice: its place in the list of faces, and the list."""
    at = [i for i, card in enumerate(cards) if card.kind in TARGETS]
    if side is not Side.FOES or not at:
        return np.zeros(len(choices), np.int64), (NO_FACE,)
    targets = [(cards[i].kind, cards[i].force) for i in at]
    patterns, place = np.unique(choices[:, at], axis=0, return_inverse=True)
    faces: dict[Face, int] = {}
    number = []
    for pattern in patterns:
        inside = tuple(sorted(target for target, taken in zip(targets, pattern, strict=True) if taken))
        left = tuple(sorted(target for target, taken in zip(targets, pattern, strict=True) if not taken))
        number.append(faces.setdefault(Face(inside, left) if inside else NO_FACE, len(faces)))
    return np.array(number, np.int64)[place.ravel()], tuple(faces)
