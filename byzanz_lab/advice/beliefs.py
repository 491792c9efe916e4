"""What the others hold and what comes next: exact chances, with the ingredients of their formulas.

Before any inference from behaviour all ways to lay the unseen cards are as likely (ruling *perfect-recall*). So
whatever is asked of one hidden place (a rival's unknown cards, the next lot) is a draw without replacement from the
unseen cards, and its chances are ratios of binomial coefficients. Nothing here is sampled. Each answer is a
`Distribution`: it carries the numbers that go into the formula and the formula itself, for teaching, and agrees with
sampled worlds within their error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import comb, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from byzanz_lab.game.cards import GOOD_NAMES, GOODS, GROUPS, KIND_INDEX, KINDS, VALUES, Cards
from byzanz_lab.game.position import Position
from byzanz_lab.simulation.encoding import require_position

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Distribution:
    """Exact chances of a whole number.

    Attributes
    ----------
    question
        What the number is, and from whose point of view.
    first
        Smallest value listed.
    chances
        ``float64[n]``, chances of ``first``, ``first + 1``, …; they add up to 1.
    formula
        How they are found, in words and symbols.
    ingredients
        The numbers that go into the formula, by name.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = count_in_next_lot(load_sample("auction"), "D")
    >>> found.values.tolist(), round(found.exactly(0), 3)
    ([0, 1, 2, 3], 0.626)
    """

    question: str
    first: int
    chances: NDArray[np.float64]
    formula: str
    ingredients: Mapping[str, int]

    @property
    def values(self) -> NDArray[np.int64]:
        """The values that the chances belong to, ``int64[n]``."""
        return np.arange(self.first, self.first + len(self.chances))

    def exactly(self, value: int) -> float:
        """Chance of this value."""
        at = value - self.first
        return float(self.chances[at]) if 0 <= at < len(self.chances) else 0.0

    def at_least(self, value: int) -> float:
        """Chance of this value or more."""
        return float(min(1.0, self.chances[max(value - self.first, 0) :].sum()))

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self.values @ self.chances)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return sqrt(max(float((self.values - self.mean) ** 2 @ self.chances), 0.0))

    def to_frame(self) -> pd.DataFrame:
        """A row a value: chance of it, and of it or more."""
        import pandas as pd

        more = self.chances[::-1].cumsum()[::-1]
        return pd.DataFrame({"value": self.values, "chance": self.chances, "at_least": np.minimum(more, 1.0)})

    def __str__(self) -> str:
        shown = ", ".join(f"{v}: {p:.1%}" for v, p in zip(self.values, self.chances, strict=True) if p >= 0.0005)
        return f"{self.question}: {shown}; mean {self.mean:.2f}"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{v}</td><td>{p:.2%}</td></tr>" for v, p in zip(self.values, self.chances, strict=True) if p > 0
        )
        parts = ", ".join(f"{name} = {value}" for name, value in self.ingredients.items())
        return (
            f"<div><p><strong>{escape(self.question)}</strong></p>"
            f"<p><code>{escape(self.formula)}</code><br>{escape(parts)}</p>"
            f"<table><tr><th scope='col'>value</th><th scope='col'>chance</th></tr>{rows}</table></div>"
        )


def count_in_next_lot(position: Position, what: str) -> Distribution:
    """How many cards of a kind (``"Wi4"``) or group (``"Wi"``, ``"D"``) the next lot will hold.

    Raises
    ------
    ValueError
        If no further lot will be drawn, or there is no such kind or group.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = count_in_next_lot(load_sample("auction"), "D")
    >>> round(found.at_least(1), 3), round(found.mean, 3)
    (0.374, 0.429)
    """
    size, name = next_lot_size(require_position(position)), _name_of(what)
    if size == 0:
        raise ValueError("no further lot will be drawn")
    return _hypergeometric(position, what, size, 0, f"{name} in the next lot, as seat {position.seat} sees it")


def count_in_hand(position: Position, seat: int, what: str) -> Distribution:
    """How many cards of a kind or group a seat holds in hand: those known, plus a draw for those unknown.

    Raises
    ------
    ValueError
        If there is no such seat, kind or group.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = count_in_hand(load_sample("auction"), seat=1, what="Sp")
    >>> found.first, round(found.at_least(3), 3)  # two are known
    (2, 0.267)
    """
    held = _known_hand(require_position(position), seat).count(_checked(what))
    question = f"{_name_of(what)} in the hand of seat {seat}, as seat {position.seat} sees it"
    return _hypergeometric(position, what, position.unknown[seat], held, question)


def purse(position: Position, seat: int) -> Distribution:
    """What a seat could bid in all: the value of its goods in hand and in its open bid.

    ``purse(position, seat).at_least(b)`` is the chance that it can pay ``b``. Counted by how many unknown cards have
    each value: the numbers of ways multiply, so they are the coefficients of a product of polynomials.

    Raises
    ------
    ValueError
        If there is no such seat.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> round(purse(load_sample("auction"), seat=2).at_least(9), 3)
    0.273
    """
    base = _known_hand(require_position(position), seat).total + position.bids[seat].total
    draws, unseen = position.unknown[seat], position.unseen
    by_value = [sum(n for n, v in zip(unseen.counts, VALUES, strict=True) if v == value) for value in range(5)]
    ways: dict[tuple[int, int], int] = {(0, 0): 1}  # cards drawn and their value: number of ways
    for value, copies in enumerate(by_value):
        grown: dict[tuple[int, int], int] = {}
        for (cards, total), number in ways.items():
            for n in range(min(copies, draws - cards) + 1):
                key = (cards + n, total + n * value)
                grown[key] = grown.get(key, 0) + number * comb(copies, n)
        ways = grown
    totals = {total: number for (cards, total), number in ways.items() if cards == draws}
    all_ways, most = comb(len(unseen), draws), max(totals)
    chances = np.array([totals.get(total, 0) / all_ways for total in range(most + 1)])
    return Distribution(
        question=f"purse of seat {seat}, as seat {position.seat} sees it",
        first=base,
        chances=chances,
        formula="P(known + t) = [x^t y^u] prod_v sum_n C(K_v, n) x^(v n) y^n / C(N, u)",
        ingredients={"known": base, "u": draws, "N": len(unseen)} | {f"K_{v}": n for v, n in enumerate(by_value)},
    )


def pair_in_hand(position: Position, seat: int, good: str | None = None) -> Distribution:
    """Whether (1 or 0) a seat holds two or more cards of one good: of this one, or of any.

    For any good the chance is 1 less that of no pair: at most one card of each good, and any number of dealers.

    Raises
    ------
    ValueError
        If there is no such seat or good.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> round(pair_in_hand(load_sample("auction"), seat=1, good="Sp").mean, 6)  # both are known
    1.0
    """
    if good is not None and good not in GOODS:
        raise ValueError(f"unknown good {good!r} (goods are {' '.join(GOODS)})")
    known, unseen, draws = _known_hand(require_position(position), seat), position.unseen, position.unknown[seat]
    if good is not None:
        chance = count_in_hand(position, seat, good).at_least(2)
        what, formula = f"a pair of {GOOD_NAMES[good]}", "P = P(known + X >= 2), X hypergeometric"
        parts = {"known": known.count(good), "K": unseen.count(good), "u": draws, "N": len(unseen)}
    else:
        ways = {0: 1}
        for group in GOODS:
            room = 1 - known.count(group)
            ways = _times(ways, {n: comb(unseen.count(group), n) for n in range(room + 1)}) if room >= 0 else {}
        ways = _times(ways, {n: comb(unseen.dealers, n) for n in range(draws + 1)})
        chance = 1.0 - ways.get(draws, 0) / comb(len(unseen), draws)
        what, formula = "a pair of any good", "P = 1 - [y^u] prod_g (1 + K_g y) sum_n C(K_D, n) y^n / C(N, u)"
        parts = {f"K_{group}": unseen.count(group) for group in GROUPS} | {"u": draws, "N": len(unseen)}
    question = f"{what} in the hand of seat {seat} (1: yes), as seat {position.seat} sees it"
    return Distribution(question, 0, np.array([1.0 - chance, chance]), formula, parts)


def expected_counts(position: Position) -> pd.DataFrame:
    """Expected number of each kind in each hidden place: a row a kind, a column a place.

    Places are the rivals' hands (known cards are counted in), the deck and the removed cards.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> expected_counts(load_sample("auction")).sum().round(6).to_dict()["deck"]
    61.0
    """
    import pandas as pd

    unseen = np.array(require_position(position).unseen.counts, float)
    share = unseen / max(unseen.sum(), 1.0)
    columns = {}
    for seat in range(position.rules.seats):
        if seat != position.seat:
            columns[f"seat {seat}"] = np.array(position.known[seat].counts) + position.unknown[seat] * share
    columns["deck"] = position.deck_left * share
    columns["removed"] = position.removed_left * share
    return pd.DataFrame(columns, index=pd.Index(KINDS, name="kind"))


def next_lot_size(position: Position) -> int:
    """Cards of the next lot to be drawn; 0 when none will be."""
    rules, table = position.rules, position.table
    drawn = table.lots_won + bool(table.lot)
    if drawn < rules.seats:
        return rules.offers[drawn]
    return rules.offers[0] if table.round < rules.rounds else 0


def _hypergeometric(position: Position, what: str, draws: int, known: int, question: str) -> Distribution:
    population, successes = len(position.unseen), position.unseen.count(_checked(what))
    values = np.arange(min(draws, successes) + 1)
    chances = stats.hypergeom(population, successes, draws).pmf(values) if population else np.ones(1)
    return Distribution(
        question=question,
        first=known,
        chances=np.asarray(chances, float),
        formula="P(known + k) = C(K, k) C(N - K, n - k) / C(N, n)",
        ingredients={"known": known, "N": population, "K": successes, "n": draws},
    )


def _known_hand(position: Position, seat: int) -> Cards:
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < position.rules.seats:
        raise ValueError(f"there is no seat {seat!r}, seats are 0 to {position.rules.seats - 1}")
    return position.hand if seat == position.seat else position.known[seat]


def _checked(what: str) -> str:
    if what not in KIND_INDEX and what not in GROUPS:
        raise ValueError(f"unknown kind or group {what!r} (such as Wi4, Wi or D)")
    return what


def _name_of(what: str) -> str:
    group = _checked(what).rstrip("1234")
    return f"cards of {GOOD_NAMES[group]} {what[len(group) :]}".strip() if group != "D" else "dealers"


def _times(a: Mapping[int, int], b: Mapping[int, int]) -> dict[int, int]:
    """Product of two polynomials with whole coefficients."""
    out: dict[int, int] = {}
    for i, x in a.items():
        for j, y in b.items():
            out[i + j] = out.get(i + j, 0) + x * y
    return out
