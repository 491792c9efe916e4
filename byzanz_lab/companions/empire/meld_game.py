"""Both melds are chosen at the same moment: the turn as a game of its own, and its equilibrium.

What is best against a rival who melds as usual can be bad against one who sees it coming. The *sampled meld game* looks
at the turn from that side. The seat's hand is taken as known to the rival; the rival's hand is dealt at random in some
worlds, and he knows which it is. What two melds bring is told by `payoffs`. ``equilibrium`` solves this game (see
`matrix_game`): a mixed strategy, that is a chance for each meld, which secures as much as can be secured even if the
rival knows it. What it secures is then measured in fresh worlds, as is what each single meld would secure: the
difference is how much that meld can be exploited. Fresh are the rival's hands and the rest of the game, since what was
solved flatters its own solution.

Three things are left out. The rival does not really know the seat's hand, so against him it gets at least as much. What
is melded counts for the rest of the game through the territory only. And playing on is as good as the policy that does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.aftermath import aftermath
from byzanz_lab.companions.empire.matrix_game import Solution, cut, dominators, solve
from byzanz_lab.companions.empire.melds import Melds, melds_of
from byzanz_lab.companions.empire.payoffs import Payoffs
from byzanz_lab.companions.empire.playouts import Policies, deal_rivals
from byzanz_lab.companions.empire.position import Position, require_position
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.table import Phase
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
class MeldGame:
    """The meld game against some hands of the rival.

    Attributes
    ----------
    payoffs
        What melds are worth against each other, to the seat.
    own
        The melds of the seat; one stands for all that are alike.
    rivals
        A world: the melds of the rival.
    """

    payoffs: Payoffs
    own: Melds
    rivals: tuple[Melds, ...]

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], ...]:
        """A world: differences of force in the end, ``int64[n_own, n_rival]``, as places in the tables of payoffs."""
        return tuple(self.payoffs.outcomes(self.own, rival) for rival in self.rivals)

    @cached_property
    def matrices(self) -> tuple[Floats, ...]:
        """A world: payoffs to the seat ``float64[n_own, n_rival]``."""
        legacies = (self.payoffs.legacy(self.own, rival) for rival in self.rivals)
        return tuple(self.payoffs.to_seat[at, legacy] for at, legacy in zip(self.places, legacies, strict=True))

    @cached_property
    def dominators(self) -> NDArray[np.int64]:
        """For each own meld one that is not dominated and nowhere worse, whatever the rival melds in any world."""
        return dominators(np.hstack(self.matrices))

    def solve(self, pruned: bool = True) -> Solution:
        """The equilibrium, with a chance for each own meld; without pruning too, which is slower and has its value."""
        if not pruned:
            return solve(self.matrices)
        left = cut(self.matrices)
        found = solve(left.payoffs)
        rows = np.zeros(len(self.own))
        rows[left.rows] = found.rows
        columns = []
        for matrix, kept, chances in zip(self.matrices, left.columns, found.columns, strict=True):
            columns.append(np.zeros(matrix.shape[1]))
            columns[-1][kept] = chances
        worst = sum((m @ c for m, c in zip(self.matrices, columns, strict=True)), np.zeros(len(rows)))
        return Solution(found.value, rows, tuple(columns), float(worst.max()) / len(columns))

    def secured(self, strategies: Floats) -> tuple[Floats, Floats]:
        """What strategies receive in each world if the rival knows them, and how that comes about.

        Parameters
        ----------
        strategies
            ``float64[n, n_own]``: a chance for each own meld.

        Returns
        -------
        tuple of numpy.ndarray
            ``float64[n, n_worlds]``; and ``float64[n, n_gains, 21]``, the chances of the ends that the turn can take,
            as `Payoffs.ends` places them.
        """
        payoffs, at = self.payoffs, np.arange(len(strategies))
        found = np.zeros((len(strategies), len(self.rivals)))
        ends = np.zeros((len(strategies), *payoffs.shape_of_ends))
        who, played = np.nonzero(strategies)
        chances = strategies[who, played] / len(self.rivals)
        for world, (rival, places, matrix) in enumerate(zip(self.rivals, self.places, self.matrices, strict=True)):
            answers = strategies @ matrix
            best = answers.argmin(axis=1)
            found[:, world] = answers[at, best]
            legacy = self.own.legacy[played] if payoffs.is_emperor else rival.legacy[best[who]]
            np.add.at(ends, (who, *payoffs.ends(places[played, best[who]], legacy)), chances)
        return found, ends


def meld_game(
    position: Position, rivals: Sequence[Sequence[str]], payoffs: Payoffs, *, grouped: bool = True
) -> MeldGame:
    """The meld game of a position against these hands of the rival."""
    table, side = position.table, position.side
    other = Side.FOES if side is Side.BYZANTINE else Side.BYZANTINE
    own = melds_of(table.deck, side, table.age, position.hand, grouped=grouped)
    melds = tuple(melds_of(table.deck, other, table.age, hand, grouped=grouped) for hand in rivals)
    return MeldGame(payoffs, own, melds)


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
        The value of the sampled game: what both sides can hold each other to in the worlds that were solved.
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
    value: float
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
            "value": self.value,
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
    _require_meld(position)
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
        solution.value,
        measured.of(0),
        {melds[i]: lost[melds[i]] for i in ranked},
        {Meld(cards): melds[i] for cards, i in _left_out(position, game.own, by, set(kept)).items()},
        worlds,
    )


def candidates(
    position: Position,
    *,
    outcome: str = OUTCOMES[0],
    seed: int = 1,
    policies: Policies = None,
    worlds: int = WORLDS // 2,
    rest: int = REST // 6,
) -> tuple[Meld, ...]:
    """The melds that are not dominated in a sampled meld game, without solving it; parameters as for `equilibrium`."""
    _require_meld(position)
    payoffs = Payoffs(position, aftermath(position, rest, seed, policies), outcome)
    game = meld_game(position, deal_rivals(position, worlds, seed), payoffs)
    return tuple(Meld(game.own.cards[i]) for i in np.unique(game.dominators))


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
    def _seat(self) -> str:
        return f"seat {self.payoffs.position.seat}"

    def _estimate(self, by_world: Floats, ends: Floats, of: str) -> Estimate:
        se = float(by_world.std(ddof=1)) / np.sqrt(len(by_world))
        if not self.payoffs.rest.exact:
            by_rest = self.payoffs.by_rest(ends)
            se = float(np.hypot(se, by_rest.std(ddof=1) / np.sqrt(len(by_rest))))
        unit = UNITS[OUTCOMES.index(self.payoffs.outcome)]
        return Estimate(float(by_world.mean()), se, len(by_world), unit, of)


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


def _require_meld(position: Position) -> None:
    if require_position(position).table.phase is Phase.MELD and position.to_move == position.seat:
        return
    where = f"the decision is {position.table.phase}, of seat {position.to_move}"
    if position.to_move is None:
        where = "the game is over"
    raise ValueError(f"there is no meld to choose for seat {position.seat}: {where}")
