"""Cards as a multiset over 25 kinds.

Byzanz has no two cards that differ and yet count the same, so a hand, a lot, a bid, the market or a set that is sold
is fully described by how many cards of each kind it holds: six goods with values 1 to 4, and the dealers. ``Cards`` is
that multiset. It is immutable, hashable and ordered by inclusion, reads and writes one short text form
(``Cards.parse`` and ``str`` are exact inverses), and shows itself in notebooks with colour *and* letters, so that it
reads without colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from operator import add, gt, mul, sub
from typing import Final

GOODS: Final = ("Cl", "Gr", "Ol", "Sp", "Wi", "Wo")
"""Codes of the six goods, in the order of the kinds."""

GOOD_NAMES: Final = {
    "Cl": "cloth",
    "Gr": "grain",
    "Ol": "olives",
    "Sp": "spice",
    "Wi": "wine",
    "Wo": "wood",
    "D": "dealer",
}
"""Full word for each group code."""

GROUPS: Final = (*GOODS, "D")
"""Codes of the seven groups the market can hold: the goods, then the dealers."""

GOOD_VALUES: Final = (1, 2, 3, 4)
"""Values printed on goods cards."""

KINDS: Final = (*(f"{good}{value}" for good in GOODS for value in GOOD_VALUES), "D")
"""Codes of the 25 kinds; kind ``4 * good + value - 1``, dealers last."""

N_KINDS: Final = len(KINDS)
DEALER: Final = N_KINDS - 1
"""Index of the dealer kind."""

VALUES: Final = (*GOOD_VALUES * len(GOODS), 0)
"""Value of each kind; a dealer is worth nothing as money."""

KIND_INDEX: Final = {code: kind for kind, code in enumerate(KINDS)}

COLOURS: Final = {
    "Cl": "#0072B2",
    "Gr": "#F0E442",
    "Ol": "#009E73",
    "Sp": "#D55E00",
    "Wi": "#9A4F96",
    "Wo": "#8C564B",
    "D": "#7F7F7F",
}
"""One display colour a group; never the only sign of it, letters always go along."""

_MAX_COUNT: Final = 112
_ALIASES: Final = {alias: code for code, name in GOOD_NAMES.items() for alias in (code.lower(), name)} | {
    "dealers": "D",
    "olive": "Ol",
    "spices": "Sp",
}
_TOKEN: Final = re.compile(
    r"(?:(?P<n>\d{1,3})\s*[x×*]\s*)?(?P<word>[a-z]+)"
    r"(?:\s*(?P<value>\d+)(?!\d*\s*[x×*]))?",  # a number before an x is the count of the next card
    re.IGNORECASE,
)
_SEPARATOR: Final = re.compile(r"[\s,;]*")


class Cards:
    """An immutable multiset of cards.

    Parameters
    ----------
    spec
        A text (see `parse`), an iterable of card codes such as ``["Wi4", "D"]``, other ``Cards``, or nothing.

    Raises
    ------
    ValueError
        If a card is unknown or the text cannot be read; the message says which part.

    Examples
    --------
    >>> hand = Cards("Wi4 2xSp1 D")
    >>> hand
    Cards('2xSp1 Wi4 D')
    >>> len(hand), hand.total, hand.dealers
    (4, 6, 1)
    >>> hand - Cards("spice 1") == Cards(["Sp1", "Wi4", "D"])
    True
    """

    __slots__ = ("_hash", "_len", "_total", "counts")  # all but counts are filled when first asked for
    _hash: int
    _len: int
    _total: int
    counts: tuple[int, ...]
    """How many cards of each of the 25 kinds, in the order of `KINDS`."""

    def __init__(self, spec: str | Iterable[str] | Cards = ()) -> None:
        if isinstance(spec, Cards):
            counts = spec.counts
        elif isinstance(spec, str):
            counts = _parse_counts(spec)
        else:
            counts = _count_codes(spec)
        object.__setattr__(self, "counts", counts)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Cards cannot be changed; add or subtract to get new ones")

    def __reduce__(self) -> tuple[type[Cards], tuple[str]]:
        return (Cards, (str(self),))

    @classmethod
    def parse(cls, text: str) -> Cards:
        """Read the text form: codes or words, any case, counts with ``x``, separated by blanks or commas.

        ``-`` or an empty text is no cards. Exact inverse of ``str``.

        Examples
        --------
        >>> Cards.parse("wine 4, dealer, 2x spice 1")
        Cards('2xSp1 Wi4 D')
        >>> Cards.parse("Xy7")
        Traceback (most recent call last):
        ...
        ValueError: unknown card 'Xy7' in 'Xy7' (goods are Cl Gr Ol Sp Wi Wo with a value 1 to 4, D is a dealer)
        """
        if not isinstance(text, str):
            raise ValueError(f"cards are read from a text, not from {type(text).__name__}")
        return cls(text)

    @classmethod
    def from_codes(cls, codes: Iterable[str]) -> Cards:
        """Make cards from a list of codes as files write them: one exact code a card, no words and no counts.

        Raises
        ------
        ValueError
            If an entry is not exactly one of `KINDS`.
        """
        counts = [0] * N_KINDS
        for code in codes:
            if not isinstance(code, str):
                raise ValueError(f"a card is a text such as 'Wi4', not {type(code).__name__}")
            kind = KIND_INDEX.get(code)
            if kind is None:
                raise ValueError(f"unknown card {_short(code)}")
            counts[kind] += 1
        return cls._raw(tuple(counts))

    @classmethod
    def from_counts(cls, counts: Iterable[int]) -> Cards:
        """Make cards from 25 counts, in the order of `KINDS`.

        Raises
        ------
        ValueError
            If there are not 25 counts or one is negative.
        """
        values = tuple(int(count) for count in counts)
        if len(values) != N_KINDS or min(values) < 0:
            raise ValueError(f"cards need {N_KINDS} counts, none negative; got {values}")
        return cls._raw(values)

    @classmethod
    def _raw(cls, counts: tuple[int, ...]) -> Cards:
        """Wrap counts that are known to be right (the hot path of the rules)."""
        cards = cls.__new__(cls)
        object.__setattr__(cards, "counts", counts)
        return cards

    def _keep(self, name: str, value: int) -> int:
        """Remember a number that is asked for again and again."""
        object.__setattr__(self, name, value)
        return value

    def __add__(self, other: Cards) -> Cards:
        if not other:
            return self
        return Cards._raw(tuple(map(add, self.counts, other.counts)))

    def __sub__(self, other: Cards) -> Cards:
        counts = tuple(map(sub, self.counts, other.counts))
        if min(counts) < 0:
            raise ValueError(f"{self} does not hold {other.monus(self)}")
        return Cards._raw(counts)

    def monus(self, other: Cards) -> Cards:
        """Cards of ``self`` that are left after taking away what it has of ``other``."""
        if not self:
            return self
        return Cards._raw(tuple([a - b if a > b else 0 for a, b in zip(self.counts, other.counts, strict=True)]))

    def __and__(self, other: Cards) -> Cards:
        return Cards._raw(tuple(map(min, self.counts, other.counts)))

    def __le__(self, other: Cards) -> bool:
        return not any(map(gt, self.counts, other.counts))

    def __ge__(self, other: Cards) -> bool:
        return other <= self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and self.counts == other.counts

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            return self._keep("_hash", hash(self.counts))

    def __len__(self) -> int:
        try:
            return self._len
        except AttributeError:
            return self._keep("_len", sum(self.counts))

    def __iter__(self) -> Iterator[str]:
        return iter(self.codes())

    def __contains__(self, code: object) -> bool:
        return code in KIND_INDEX and self.counts[KIND_INDEX[str(code)]] > 0

    def count(self, code: str) -> int:
        """How many cards of one kind, such as ``"Wi4"``, or of one group, such as ``"Wi"``."""
        return self.counts[KIND_INDEX[code]] if code in KIND_INDEX else len(self.group(code))

    def codes(self) -> list[str]:
        """Card codes, one for each card, in the order of `KINDS`."""
        return [KINDS[kind] for kind, n in enumerate(self.counts) if n for _ in range(n)]

    @property
    def total(self) -> int:
        """Sum of the values: what the cards are worth as money in a bid."""
        try:
            return self._total
        except AttributeError:
            return self._keep("_total", sum(map(mul, self.counts, VALUES)))

    @property
    def dealers(self) -> int:
        """Number of dealers."""
        return self.counts[DEALER]

    @property
    def goods(self) -> int:
        """Number of goods cards (all but the dealers)."""
        return len(self) - self.counts[DEALER]

    def group(self, code: str) -> Cards:
        """Only the cards of one group, ``"Cl"`` … ``"Wo"`` or ``"D"``."""
        if code not in GROUPS:
            raise ValueError(f"unknown group {code!r} (groups are {' '.join(GROUPS)})")
        first, last = _span(code)
        return Cards._raw((0,) * first + self.counts[first:last] + (0,) * (N_KINDS - last))

    def groups(self) -> list[str]:
        """Codes of the groups that are there, in the order of `GROUPS`."""
        return [code for code in GROUPS if any(self.counts[slice(*_span(code))])]

    def submultisets(self) -> Iterator[Cards]:
        """All distinct sub-multisets, the empty one first and the whole one last."""
        held = [kind for kind, n in enumerate(self.counts) if n]
        for chosen in product(*(range(self.counts[kind] + 1) for kind in held)):
            counts = [0] * N_KINDS
            for kind, n in zip(held, chosen, strict=True):
                counts[kind] = n
            yield Cards._raw(tuple(counts))

    def __str__(self) -> str:
        parts = [KINDS[kind] if n == 1 else f"{n}x{KINDS[kind]}" for kind, n in enumerate(self.counts) if n]
        return " ".join(parts) or "-"

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})" if self else "Cards()"

    def _repr_html_(self) -> str:
        from byzanz_lab.game.display import cards_html  # only notebooks need it

        return cards_html(self)


def kind_of(code: str) -> int:
    """Index of the kind with this code or word (``"wi4"``, ``"wine 4"``, ``"dealer"``).

    Raises
    ------
    ValueError
        If it does not name exactly one card.
    """
    cards = Cards.parse(code)
    if len(cards) != 1:
        raise ValueError(f"{code!r} is not one card")
    return cards.counts.index(1)


def _span(group: str) -> tuple[int, int]:
    """First kind of a group and the one after its last."""
    first = len(GOOD_VALUES) * GROUPS.index(group)
    return first, first + (1 if group == "D" else len(GOOD_VALUES))


def _count_codes(codes: Iterable[str]) -> tuple[int, ...]:
    counts = [0] * N_KINDS
    for code in codes:
        if not isinstance(code, str):
            raise ValueError(f"a card is a text such as 'Wi4', not {type(code).__name__}")
        if code in KIND_INDEX:  # the usual case when a record is read
            counts[KIND_INDEX[code]] += 1
            continue
        for kind, n in enumerate(_parse_counts(code)):
            counts[kind] += n
    return tuple(counts)


def _parse_counts(text: str) -> tuple[int, ...]:
    counts = [0] * N_KINDS
    stripped = text.strip()
    if stripped == "-":
        return tuple(counts)
    at = 0
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if match is None:
            raise ValueError(f"cannot read cards at {stripped[at : at + 12]!r} in {_short(text)}")
        kind, n = _kind_of_match(match, text), int(match["n"] or 1)
        counts[kind] += n
        if n == 0 or counts[kind] > _MAX_COUNT:
            raise ValueError(f"{match.group()!r} is not a possible number of cards in {_short(text)}")
        at = _SEPARATOR.match(stripped, match.end()).end()  # type: ignore[union-attr]
    return tuple(counts)


def _kind_of_match(match: re.Match[str], text: str) -> int:
    group = _ALIASES.get(match["word"].lower())
    code = f"{group}{match['value'] or ''}"
    if group is None or code not in KIND_INDEX:
        raise ValueError(
            f"unknown card {match.group().strip()!r} in {_short(text)} "
            f"(goods are {' '.join(GOODS)} with a value 1 to 4, D is a dealer)"
        )
    return KIND_INDEX[code]


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
