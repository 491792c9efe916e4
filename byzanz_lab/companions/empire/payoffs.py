"""What two melds against each other are worth: the payoffs of the meld game.

Once both melds lie open, all that matters of them is the difference of their forces, the legacy in the Emperor's meld,
and what negotiation makes of it. ``Payoffs`` looks the rest up in tables: what a difference and a legacy are worth to a
seat, by the turn's own tokens (exactly) and by the rest of the game (`aftermath`).

Negotiation is settled on the spot. Who plays the Foes knows his hand and answers as is best for him. The Emperor does
not know what answer there is: if it is the seat that is advised, it takes out what would help most if there were none;
if it is the rival, he is credited with the best choice, as if he knew. So what a seat secures here it does secure.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.aftermath import Aftermath
from byzanz_lab.companions.empire.melds import Face, Melds
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.rules import RULES, Side
from byzanz_lab.companions.empire.trials import OUTCOMES, share_of_win

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ZERO: Final = 100
"""A difference of force is looked up at ``ZERO + difference``; a hand of nine cards has a force of -81 to 81."""
DIFFERENCES: Final = 2 * ZERO + 1
MOST_LEGACY: Final = 18
"""Most legacy of a meld: two cards of nine."""


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Payoffs of one seat that is to meld.

    Parameters
    ----------
    position
        What it knows.
    rest
        What the rest of the game is worth.
    outcome
        What it cares for: ``"lead"`` or ``"win"``.
    """

    position: Position
    rest: Aftermath
    outcome: str = OUTCOMES[0]

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES:
            raise ValueError(f"there is no outcome {self.outcome!r}; there is {', '.join(OUTCOMES)}")
        object.__setattr__(self, "_settled", {})

    @property
    def is_emperor(self) -> bool:
        """Whether the seat is the Emperor."""
        return self.position.side is Side.BYZANTINE

    @cached_property
    def territory(self) -> Ints:
        """``int64[201, 19]``: territory left, by difference and legacy; 0 if the Empire collapses (ruling)."""
        left = self.position.table.territory + np.arange(DIFFERENCES) - ZERO
        return np.tile(np.clip(left, 0, RULES.most_territory)[:, None], (1, MOST_LEGACY + 1))

    @cached_property
    def gain(self) -> Ints:
        """``int64[201, 19]``: legacy tokens that the Emperor gains by the turn, by difference and legacy."""
        table = self.position.table
        tokens, before = table.legacy[table.emperor], table.territory
        change = np.sign(self.territory - before)
        gain = np.where(change < 0, -min(1, tokens), change) + np.arange(MOST_LEGACY + 1)
        return np.where(self.territory == 0, -min(RULES.collapse_cost, tokens), gain)

    @cached_property
    def to_seat(self) -> Floats:
        """``float64[201, 19]``: what that is worth to the seat."""
        return self.worth.mean(axis=1)[self.gain - self.gain.min(), self.territory]

    @cached_property
    def worth(self) -> Floats:
        """``float64[n_gains, n_worlds, 21]``: outcomes by gain (from the least one on), world and territory."""
        return np.array([self._worth(gain) for gain in range(self.gain.min(), self.gain.max() + 1)])

    def _worth(self, gain: int) -> Floats:
        shift = gain if self.is_emperor else -gain
        leads = self.rest.leads + shift
        leads[:, 0] = self.rest.lead + shift  # the game ends at once
        return leads if self.outcome == "lead" else share_of_win(leads)

    @cached_property
    def to_emperor(self) -> Floats:
        """``float64[201, 19]``: the same from the Emperor's point of view."""
        return self.to_seat if self.is_emperor else -self.to_seat

    def settled(self, face: Face) -> Ints:
        """``int64[201, 19]``: difference after negotiation with a Foe meld, looked up and kept by its place."""
        known: dict[Face, Ints] = self._settled  # type: ignore[attr-defined]
        if face not in known:
            known[face] = self._negotiated(face)
        return known[face]

    def _negotiated(self, face: Face) -> Ints:
        worth, places = self.to_emperor, np.tile(np.arange(DIFFERENCES)[:, None], (1, MOST_LEGACY + 1))
        best, result = np.take_along_axis(worth, places, 0), places
        for force, answers in face.without():
            taken = _moved(places, force)
            after, value = taken, _look_up(worth, taken)
            hoped = value
            for answer in answers:
                tried = _moved(taken, -answer)
                better = _look_up(worth, tried) < value
                after, value = np.where(better, tried, after), np.where(better, _look_up(worth, tried), value)
            judged = hoped if self.is_emperor else value
            result, best = np.where(judged > best, after, result), np.maximum(judged, best)
        return result

    def outcomes(self, own: Melds, rival: Melds) -> Ints:
        """``int64[n_own, n_rival]``: place of the difference in the tables once negotiation is over."""
        emperor, foes = (own, rival) if self.is_emperor else (rival, own)
        places = emperor.force[:, None] - foes.force + ZERO
        envoys = np.flatnonzero(emperor.envoy)
        facing = [i for i, face in enumerate(foes.faces) if face.targets]
        if len(envoys) and facing:
            tables = np.stack([self.settled(foes.faces[i]) for i in range(len(foes.faces))])
            found = tables[foes.face[None], places[envoys], emperor.legacy[envoys, None]]
            places[envoys] = found
        return places if self.is_emperor else places.T

    def matrix(self, own: Melds, rival: Melds) -> Floats:
        """``float64[n_own, n_rival]``: what the seat gets for each of its melds against each of the rival's."""
        return self.to_seat[self.outcomes(own, rival), self.legacy(own, rival)]

    def legacy(self, own: Melds, rival: Melds) -> Ints:
        """Legacy in the Emperor's meld, in a shape that fits `matrix`."""
        return own.legacy[:, None] if self.is_emperor else rival.legacy[None]

    def ends(self, places: Ints, legacy: Ints) -> tuple[Ints, Ints]:
        """Places in an array of `shape_of_ends`: by gain, from the least one on, and by territory."""
        return self.gain[places, legacy] - self.gain.min(), self.territory[places, legacy]

    @property
    def shape_of_ends(self) -> tuple[int, int]:
        """Number of gains, and of levels of territory."""
        return len(self.worth), self.worth.shape[2]

    def by_rest(self, chances: Floats) -> Floats:
        """``float64[n_worlds]``: what these chances of ends are worth in each world of the rest of the game."""
        return np.einsum("gwt,gt->w", self.worth, chances)


def _moved(places: Ints, force: int) -> Ints:
    return np.clip(places + force, 0, DIFFERENCES - 1)


def _look_up(worth: Floats, places: Ints) -> Floats:
    return np.take_along_axis(worth, places, 0)
