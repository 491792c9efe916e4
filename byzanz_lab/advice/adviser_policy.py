"""The adviser as a player: it asks `advise` at every decision, and does what looks best.

With a number of worlds its play is a function of the position and the seed, the same everywhere. With seconds it
depends on the machine, so a tournament with it cannot be repeated to the bit.

In a tournament it is told what was seen of the game so far, and weights its worlds by that (see `behaviour`), unless it
is made without memory. Asked about a bare position, all worlds are as likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from byzanz_lab.advice.advise import advise
from byzanz_lab.advice.behaviour import Deed
from byzanz_lab.advice.options import candidates_for
from byzanz_lab.evaluation import Budget
from byzanz_lab.game.actions import Action
from byzanz_lab.game.position import Position
from byzanz_lab.policy import Traits
from byzanz_lab.simulation.encoding import require_position
from byzanz_lab.simulation.playouts import OBJECTIVES
from byzanz_lab.simulation.policies import CompiledPolicy, policies_for


@dataclass(frozen=True)
class AdviserPolicy:
    """Plays what `advise` finds best.

    Parameters
    ----------
    worlds
        Worlds a decision, 1 or more.
    seconds
        Seconds a decision, more than 0; with both, whichever ends first. One of them is needed.
    playing
        Who plays the worlds out in all seats; the default policy if not given.
    objective
        ``profit``, ``margin`` or ``win``.
    workers
        Threads a decision; one a core if not given. In a tournament, which plays several games at a time, 1 is best.
    remembers
        Whether it draws conclusions from what the others did before, where it is told.
    name
        Short name.

    Raises
    ------
    ValueError
        If there is no budget, or an argument is out of range.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> str(AdviserPolicy(worlds=64).choose(load_sample("market")))
    'take ...'
    """

    worlds: int | None = None
    seconds: float | None = None
    playing: CompiledPolicy | None = None
    objective: str = "profit"
    workers: int | None = None
    remembers: bool = True
    name: str = "adviser"
    source: ClassVar[str] = "playouts of every choice in worlds that fit what the seat knows"

    def __post_init__(self) -> None:
        Budget(worlds=self.worlds, seconds=self.seconds)
        if self.objective not in OBJECTIVES:
            raise ValueError(f"unknown objective {self.objective!r} (objectives are {', '.join(OBJECTIVES)})")
        if self.playing is not None:
            policies_for(self.playing, 3)

    @property
    def traits(self) -> Traits:
        """It counts cards, knows what was shown of rivals' hands, and samples worlds by the seed."""
        return Traits(stochastic=True, counts_cards=True, reads_rivals=True)

    def choose(self, position: Position, seed: int = 0) -> Action:
        """What looks best for ``position.seat``, which must be on the move; see `Policy.choose`."""
        return self._choose(position, seed, None)

    def choose_after(self, seen: Sequence[Deed], position: Position, seed: int = 0) -> Action:
        """As `choose`, with everything that was done since the deal; see `behaviour.Remembering`."""
        return self._choose(position, seed, seen if self.remembers else None)

    def _choose(self, position: Position, seed: int, seen: Sequence[Deed] | None) -> Action:
        players = policies_for(self.playing, require_position(position).rules.seats)
        if position.is_to_move:
            choices = candidates_for(position, players[position.seat])
            if len(choices.groups) == 1 == len(choices.groups[0]):
                return choices.groups[0][0].action
        advice = advise(
            position,
            Budget(worlds=self.worlds, seconds=self.seconds),
            seed,
            objective=self.objective,
            policies=players,
            seen=seen,
            workers=self.workers,
        )
        return advice.best.action
