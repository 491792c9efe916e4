"""Both melds are chosen at the same moment: the turn as a game of its own.

What is best against a rival who melds as usual can be bad against one who sees it coming. The *sampled meld game* looks
at the turn from that side. The seat's hand is taken as known to the rival; the rival's hand is dealt at random in some
worlds, and he knows which it is. What two melds bring is told by `payoffs`. How it is solved is told in `matrix_game`,
what follows for the seat in `mixed_strategy`.

Three things are left out. The rival does not really know the seat's hand, so against him it gets at least as much. What
is melded counts for the rest of the game through the territory only. And playing on is as good as the policy that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

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
from byzanz_lab.companions.empire.trials import OUTCOMES

Floats = NDArray[np.float64]

HANDS: Final = 32
"""Hands of the rival by which candidates are chosen, where the game is not solved."""
REST: Final = 128
"""Worlds in which the rest of the game is played out for that."""


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


def candidates(
    position: Position,
    *,
    outcome: str = OUTCOMES[0],
    seed: int = 1,
    policies: Policies = None,
    worlds: int = HANDS,
    rest: int = REST,
) -> tuple[Meld, ...]:
    """The melds that are not dominated in a sampled meld game, without solving it; parameters as for `equilibrium`."""
    require_meld(position)
    payoffs = Payoffs(position, aftermath(position, rest, seed, policies), outcome)
    game = meld_game(position, deal_rivals(position, worlds, seed), payoffs)
    return tuple(Meld(game.own.cards[i]) for i in np.unique(game.dominators))


def require_meld(position: Position) -> None:
    """Refuse anything but the Position of a seat that is to meld, with TypeError or ValueError."""
    if require_position(position).table.phase is Phase.MELD and position.to_move == position.seat:
        return
    where = f"the decision is {position.table.phase}, of seat {position.to_move}"
    if position.to_move is None:
        where = "the game is over"
    raise ValueError(f"there is no meld to choose for seat {position.seat}: {where}")
