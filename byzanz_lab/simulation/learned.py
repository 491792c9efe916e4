"""The learned policy: a value of a hand, and of waiting, that was fitted to games played against itself.

The value of a hand is a weighted sum of ten features (`FEATURES`): what its sets pay, which sets are begun and with
which card they would be headed, cash, cards, dealers. The weights depend on the rounds still to come and on the number
of seats. What a seat gains by letting a lot go, `hold`, is learned in the same way: the difference between what seats
that are still waiting in a round and seats that have just won a lot get in the rest of the game, hands being equal.

The numbers ship as a small file, ``learned_policy.json``, which `byzanz_lab.simulation.training` made and can make
again; the file also says how strong each generation was.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.actions import Action
from byzanz_lab.game.position import Position
from byzanz_lab.game.rules import Rules
from byzanz_lab.safe_json import load_json
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import require_position
from byzanz_lab.simulation.policies import MAX_DEALERS, N_STAGES, ValuePolicy

SHIPPED: Final = files("byzanz_lab") / "data" / "policies" / "learned_policy.json"
"""The numbers that ship with the package."""
FORMAT: Final = "byzanz-learned-policy"
VERSION: Final = 1
SEATS: Final = (3, 4, 5, 6)

FEATURES: Final = (
    "set points",
    "head of a pair",
    "pair",
    "head of a single",
    "single",
    "cash",
    "goods card",
    "first dealer over",
    "two dealers over",
    "three dealers over",
)
"""What the value of a hand is made of.

Dealers are put to the goods first, up to two each, so that the value is greatest. Then, good by good: points of its
sets; where two cards of the next set are there, the value of the card that would head it, and 1; the same where one
card of it is there; value of the cards as money; their number. Last, dealers put to nothing, counted in threes, and the
one or two left.
"""
N_FEATURES: Final = len(FEATURES)
N_GOODS_FEATURES: Final = 7
N_OFFERS: Final = 7
CLOSING: Final = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, float(Rules.dealer_set_profit))
"""Weights when only the closing sale is to come: what can be sold."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HandWeights:
    """What was learned for one number of seats.

    Attributes
    ----------
    weights
        ``[9][10]``: points for each feature, by rounds to come (0 to 8) and in the order of `FEATURES`.
    hold
        ``[9][7]``: what letting the lot go brings, in points, by rounds to come and offer card.
    """

    weights: tuple[tuple[float, ...], ...]
    hold: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, weights: Floats, hold: Floats) -> HandWeights:
        """Of arrays ``[9, 10]`` and ``[9, 7]``, rounded to the thousandths of a point that the kernels count in."""
        return cls(*(tuple(map(tuple, np.round(array, 3).tolist())) for array in (weights, hold)))

    def goods_table(self) -> Floats:
        """Value of one good's cards, see `ValuePolicy.goods_table`."""
        features, possible = goods_features()
        worth = np.einsum("sf,fjc->sjc", np.array(self.weights)[:, :N_GOODS_FEATURES], features)
        return np.where(possible, worth, k.NEVER)

    def dealers_table(self) -> Floats:
        """Value of dealers put to nothing, see `ValuePolicy.dealers_table`."""
        return np.array(self.weights)[:, N_GOODS_FEATURES:] @ dealer_features()

    def hold_table(self) -> Floats:
        """What letting a lot go brings, see `ValuePolicy.hold_table`."""
        return np.array(self.hold)


@dataclass(frozen=True)
class LearnedPolicy(ValuePolicy):
    """Plays by what it learned from games against itself; the strongest policy that kernels can play out.

    Parameters
    ----------
    name
        Short name.
    seats
        Seats at the table, 3 to 6: it has learned for each on its own.
    learned
        What it learned for that number of seats; what ships with the package if not given.

    Raises
    ------
    ValueError
        If it has learned nothing for so many seats.
    """

    name: str = "learned"
    seats: int = 4
    learned: HandWeights | None = None
    source: ClassVar[str] = "value of a hand and of waiting, by regression on self-play, over generations"

    def __post_init__(self) -> None:
        if self.seats not in SEATS:
            raise ValueError(f"the learned policy knows 3 to 6 seats, not {self.seats!r}")

    def at(self, seats: int) -> Self:
        """The same policy at a table of another size.

        Raises
        ------
        ValueError
            If it was handed what it learned for its own size only.
        """
        if seats == self.seats:
            return self
        if self.learned is not None:
            raise ValueError(f"policy {self.name!r} has learned for {self.seats} seats only, not for {seats}")
        return replace(self, seats=seats)

    def choose(self, position: Position, seed: int = 0) -> Action:
        """The action of ``position.seat``; see `Policy.choose`."""
        return ValuePolicy.choose(self.at(require_position(position).rules.seats), position, seed)

    @property
    def hand_weights(self) -> HandWeights:
        """The numbers that it plays by."""
        return self.learned or shipped()[self.seats]

    @property
    def digest(self) -> str:
        """Says whether two policies of this name play by the same numbers."""
        return hashlib.blake2b(repr(self.hand_weights).encode(), digest_size=8).hexdigest()

    def goods_table(self) -> Floats:
        """Value of one good's cards, see `ValuePolicy.goods_table`."""
        return self.hand_weights.goods_table()

    def dealers_table(self) -> Floats:
        """Value of dealers put to nothing, see `ValuePolicy.dealers_table`."""
        return self.hand_weights.dealers_table()

    def hold_table(self) -> Floats:
        """What letting a lot go brings, see `ValuePolicy.hold_table`."""
        return self.hand_weights.hold_table()


def learned_policy(seats: int = 4) -> LearnedPolicy:
    """The learned policy that ships with the package, for a number of seats.

    Examples
    --------
    >>> learned_policy(4).name
    'learned'
    """
    return LearnedPolicy(seats=seats)


# -- features ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def goods_features() -> tuple[Floats, NDArray[np.bool_]]:
    """Features of one good's cards.

    Returns
    -------
    features
        ``float64[7, 3, 504]``: by feature, dealers put to the good (0 to 2), and state of the good (see `kernels`).
    possible
        ``bool[3, 504]``: whether dealers can be put there: not where there is no card.
    """
    out = np.zeros((N_GOODS_FEATURES, k.SHARE + 1, k.N_STATES))
    possible = np.ones(out.shape[1:], bool)
    for state in range(k.N_STATES):
        counts = (state % 7, state // 7 % 6, state // 42 % 4, state // 168)
        cards = [value for value in (4, 3, 2, 1) for _ in range(counts[value - 1])]
        for dealers in range(k.SHARE + 1):
            sets = min(len(cards), (len(cards) + dealers) // Rules.set_size)
            left, head = len(cards) + dealers - Rules.set_size * sets, cards[sets] if len(cards) > sets else 0
            pair, single = (head > 0 and left >= 2), (head > 0 and left == 1)
            money = sum(cards), len(cards)
            out[:, dealers, state] = (sum(cards[:sets]), head * pair, pair, head * single, single, *money)
            possible[dealers, state] = bool(cards) or dealers == 0
    return out, possible


@lru_cache(maxsize=1)
def dealer_features() -> Floats:
    """Features of dealers put to nothing: ``float64[3, 17]`` by number."""
    n = np.arange(MAX_DEALERS)
    return np.stack([n % Rules.set_size == 1, n % Rules.set_size == 2, n // Rules.set_size]).astype(float)


# -- the file ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def shipped() -> Mapping[int, HandWeights]:
    """What ships with the package, by number of seats."""
    return parse_learned(SHIPPED.read_text("utf-8"))


def parse_learned(text: str) -> dict[int, HandWeights]:
    """Read the numbers of a learned policy.

    Raises
    ------
    ValueError
        If the text is no learned policy of this version, or lacks something.
    """
    data = load_json(text, "learned policy")
    if not isinstance(data, dict) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"this is no learned policy (format {FORMAT}, version {VERSION})")
    if data.get("features") != list(FEATURES):
        raise ValueError(f"the learned policy has other features than {', '.join(FEATURES)}")
    seats = data.get("seats")
    if not isinstance(seats, dict) or not seats:
        raise ValueError("the learned policy has no seats")
    return {int(n): _hand_weights(n, entry) for n, entry in seats.items()}


def _hand_weights(seats: str, entry: Any) -> HandWeights:
    try:
        weights = _table(entry["weights"], N_STAGES, N_FEATURES)
        hold = _table(entry["hold"], N_STAGES, N_OFFERS)
    except (KeyError, TypeError, ValueError) as fault:
        raise ValueError(f"the learned policy for {seats} seats cannot be read: {fault}") from None
    return HandWeights(weights, hold)


def _table(rows: Sequence[Sequence[float]], n: int, m: int) -> tuple[tuple[float, ...], ...]:
    table = tuple(tuple(map(float, row)) for row in rows)
    if len(table) != n or any(len(row) != m for row in table):
        raise ValueError(f"a table has {n} rows of {m} numbers")
    if not all(math.isfinite(x) and abs(x) <= 1000 for row in table for x in row):
        raise ValueError("a number is not within -1000 to 1000")
    return table
