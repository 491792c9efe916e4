"""The mixed strategy of the meld game: how often to meld what, and how much a single choice can be exploited.

``equilibrium`` solves the sampled meld game (see `meld_game`): a mixed strategy, that is a chance for each meld, which
secures as much as can be secured even if the rival knows it. What it secures is then measured in fresh worlds, as is
what each single meld would secure: the difference is how much that meld can be exploited. Fresh are the rival's hands
and the rest of the game, since what was solved flatters its own solution.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.aftermath import aftermath
from byzanz_lab.companions.empire.meld_game import meld_game, require_meld
from byzanz_lab.companions.empire.melds import Melds, melds_of
from byzanz_lab.companions.empire.payoffs import Payoffs
from byzanz_lab.companions.empire.playouts import Policies, deal_rivals
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.trials import OUTCOMES, UNITS
from byzanz_lab.evaluation import Estimate

Floats = NDArray[np.float64]

WORLDS: Final = 64
"""Hands of the rival in the game that is solved."""
FRESH: Final = 192
"""Hands of the rival in which it is measured what strategies secure."""
REST: Final = 768
"""Worlds in which the rest of the game is played out."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """The mixed strategy that secures most, and what single melds secure.

    Attributes
    ----------
    position
        What was asked about.
    outcome
        What the seat cares for: ``"lead"`` or ``"win"``.
    mixture
        The melds that are played, and the chance of each, falling.
    value
        The value of the sampled game, without error: what both can hold each other to in the worlds that were solved.
    secures
        What the mixed strategy gets in fresh worlds against a rival who knows it and the seat's hand.
    exploited
        A candidate meld -> how much less it gets than the mixed strategy, if the rival sees it coming.
    dominated
        A meld left out -> a candidate that is nowhere worse; for melds that are alike, the one that stands for them.
    worlds
        Worlds that were solved.
    """

    position: Position
    outcome: str
    mixture: Mapping[Meld, float]
    value: Estimate
    secures: Estimate
    exploited: Mapping[Meld, Estimate]
    dominated: Mapping[Meld, Meld]
    worlds: int

    @property
    def candidates(self) -> tuple[Meld, ...]:
        """The melds that are not dominated, least exploitable first."""
        return tuple(self.exploited)

    @property
    def is_pure(self) -> bool:
        """Whether a single meld secures as much as any mixture."""
        return len(self.mixture) == 1

    def draw(self, luck: float) -> Meld:
        """The meld for a random number from 0 to 1: each comes up with its chance."""
        total = 0.0
        for meld, chance in self.mixture.items():
            total += chance
            if luck < total:
                return meld
        return meld

    def rows(self) -> list[dict[str, Any]]:
        """One row a candidate: the meld, its chance in the mixed strategy, how much it can be exploited."""
        return [
            {"action": meld, "chance": self.mixture.get(meld, 0.0), "exploited": lost}
            for meld, lost in self.exploited.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        rows = [
            {"action": str(row["action"]), "chance": row["chance"], "exploited": row["exploited"].to_dict()}
            for row in self.rows()
        ]
        return {
            "outcome": self.outcome,
            "seat": self.position.seat,
            "worlds": self.worlds,
            "value": self.value.to_dict(),
            "secures": self.secures.to_dict(),
            "melds": rows,
            "dominated": {str(meld): str(by) for meld, by in self.dominated.items()},
        }

    @property
    def basis(self) -> str:
        """In a sentence, what the numbers rest on."""
        return (
            f"The mixed strategy secures {self.secures} ({self.secures.of}), even if the rival knows it and the hand; "
            f"{self.worlds} worlds solved, {self.secures.n} fresh ones to measure, ± 95 %; "
            f"{len(self.dominated)} melds left out, as another one is nowhere worse."
        )

    def _lines(self) -> list[list[str]]:
        return [[str(row["action"]), f"{row['chance']:.0%}", str(row["exploited"])] for row in self.rows()]

    def __str__(self) -> str:
        table = [list(HEADS), *self._lines()]
        widths = [max(len(line[column]) for line in table) for column in range(len(HEADS))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in table]
        return "\n".join([self.basis, *(line.rstrip() for line in lines)])

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{head}</th>' for head in HEADS)
        body = "".join(
            "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in line) + "</tr>"
            for line in self._lines()
        )
        caption = f"<caption>{escape(self.basis)}</caption>"
        return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


HEADS: Final = ("meld", "chance", "can be exploited by")


def equilibrium(
    position: Position,
    *,
    outcome: str = OUTCOMES[0],
    seed: int = 1,
    policies: Policies = None,
    worlds: int = WORLDS,
    fresh: int = FRESH,
    rest: int = REST,
) -> Equilibrium:
    """Solve the sampled meld game of a seat that is to meld.

    Parameters
    ----------
    position
        What the seat knows.
    outcome
        What it cares for: ``"lead"``, tokens more than the rival in the end, or ``"win"``, its share of the win.
    seed
        Root of the random numbers: the same seed gives the same answer.
    policies
        Who plays the rest of the game; the default policy if not given.
    worlds, fresh
        Hands of the rival in the game that is solved, and to measure what strategies secure.
    rest
        Worlds in which the rest of the game is played out, for each of the two; none are needed in the last turn.

    Raises
    ------
    TypeError
        If it is given anything but a Position.
    ValueError
        If the seat is not on the move to meld, or a number is below 2.

    Examples
    --------
    >>> position = Position.at_table("byzantine", "dromons chora-church", turn=12, territory=10)
    >>> equilibrium(position).mixture
    {Meld('chora-church dromons'): 1.0}
    """
    require_meld(position)
    if min(worlds, fresh, rest) < 2:
        raise ValueError(f"a standard error needs 2 worlds or more, not {min(worlds, fresh, rest)}")
    hands = deal_rivals(position, worlds + fresh, seed)
    game, test = (
        meld_game(position, some, Payoffs(position, aftermath(position, rest, seed, policies, first), outcome))
        for some, first in ((hands[:worlds], 0), (hands[worlds:], rest))
    )
    solution, by = game.solve(), game.dominators
    kept = [i for i in range(len(game.own)) if by[i] == i or solution.rows[i] > 0]
    melds = {i: Meld(game.own.cards[i]) for i in range(len(game.own))}
    measured = _Measured(
        test.payoffs, *test.secured(np.concatenate([solution.rows[None], np.eye(len(game.own))[kept]]))
    )
    lost = {melds[i]: measured.over(0, at) for at, i in enumerate(kept, start=1)}
    ranked = sorted(kept, key=lambda i: (lost[melds[i]].mean, -solution.rows[i], i))
    played = sorted(np.flatnonzero(solution.rows).tolist(), key=lambda i: (-solution.rows[i], i))
    return Equilibrium(
        position,
        outcome,
        {melds[i]: float(solution.rows[i]) for i in played},
        Estimate.exactly(
            solution.value, worlds, measured.unit, f"{outcome} of seat {position.seat}, value of the sampled game"
        ),
        measured.of(0),
        {melds[i]: lost[melds[i]] for i in ranked},
        {Meld(cards): melds[i] for cards, i in _left_out(position, game.own, by, set(kept)).items()},
        worlds,
    )


@dataclass(frozen=True, eq=False)
class _Measured:
    """What strategies secure in some worlds; the error has two sources, the worlds and the rest of the game."""

    payoffs: Payoffs
    by_world: Floats
    ends: Floats

    def of(self, strategy: int) -> Estimate:
        """What a strategy secures."""
        return self._estimate(self.by_world[strategy], self.ends[strategy], f"{self.payoffs.outcome} of {self._seat}")

    def over(self, strategy: int, other: int) -> Estimate:
        """How much more a strategy secures than another one, in the same worlds."""
        apart, ends = (x[strategy] - x[other] for x in (self.by_world, self.ends))
        return self._estimate(apart, ends, f"{self.payoffs.outcome} that {self._seat} loses if seen through")

    @property
    def unit(self) -> str:
        """Unit of the outcome."""
        return UNITS[OUTCOMES.index(self.payoffs.outcome)]

    @property
    def _seat(self) -> str:
        return f"seat {self.payoffs.position.seat}"

    def _estimate(self, by_world: Floats, ends: Floats, of: str) -> Estimate:
        se = float(by_world.std(ddof=1)) / np.sqrt(len(by_world))
        if not self.payoffs.rest.exact:
            by_rest = self.payoffs.by_rest(ends)
            se = float(np.hypot(se, by_rest.std(ddof=1) / np.sqrt(len(by_rest))))
        return Estimate(float(by_world.mean()), se, len(by_world), self.unit, of)


def _left_out(position: Position, own: Melds, by: NDArray[np.int64], kept: set[int]) -> dict[tuple[str, ...], int]:
    """Every other legal meld, and the candidate that is nowhere worse."""
    table = position.table
    every = melds_of(table.deck, position.side, table.age, position.hand, grouped=False)
    found = {}
    for i, cards in enumerate(every.cards):
        stands_for = own.key[every.facts(i)]
        candidate = stands_for if stands_for in kept else int(by[stands_for])
        if cards != own.cards[candidate]:
            found[cards] = candidate
    return found
