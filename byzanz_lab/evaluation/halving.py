"""Spending a fixed budget on the contenders.

Where the number of playouts is given and only the choice counts, it is a waste to play the hopeless options as long as
the good ones.  Sequential halving plays all options a little, keeps the better half, gives those the same number of
playouts again, and so on until two are left for the last round.  It needs no parameter, and its chance of missing the
best option is within a factor of logarithms of the best possible (Karnin, Koren & Somekh, "Almost optimal exploration
in multi-armed bandits", ICML 2013).

Halving drops options without proof: an option out of the race is not thereby worse, and the verdicts say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from byzanz_lab.evaluation.moments import Moments
from byzanz_lab.evaluation.stopping import Plan, Race
from byzanz_lab.evaluation.trial import Shape


class Round(NamedTuple):
    """A round of sequential halving: how many contenders play how many further worlds each."""

    contenders: int
    worlds: int


def halving_schedule(n_options: int, total_worlds: int, block_size: int = 1) -> tuple[Round, ...]:
    """Return the rounds of sequential halving.

    Parameters
    ----------
    n_options
        Number of options, 2 or more.
    total_worlds
        Worlds to hand out, each counted once for every option that plays it (so, playouts).
    block_size
        Rounds are whole blocks of so many worlds, one or more.

    Returns
    -------
    Rounds, each with half the contenders of the one before (rounded up) and about the same share of the total, which is
    never exceeded.

    Raises
    ------
    ValueError
        If there is nothing to choose, or not a block for each option in each round.

    Examples
    --------
    >>> halving_schedule(8, 2400)
    (Round(contenders=8, worlds=100), Round(contenders=4, worlds=200), Round(contenders=2, worlds=400))
    """
    if n_options < 2:
        raise ValueError(f"halving needs 2 options or more, not {n_options}")
    contenders = [n_options]
    while contenders[-1] > 2:
        contenders.append((contenders[-1] + 1) // 2)
    share = total_worlds // len(contenders)
    rounds = tuple(Round(c, share // (c * block_size) * block_size) for c in contenders)
    if rounds[0].worlds < 1:
        least = n_options * block_size * len(contenders)
        raise ValueError(
            f"halving {n_options} options in blocks of {block_size} takes {least} worlds, not {total_worlds}"
        )
    return rounds


@dataclass(frozen=True, slots=True)
class Halving:
    """The plan of sequential halving.

    Parameters
    ----------
    ends
        Blocks, counted from the start, after which each round ends.
    keeps
        How many options go on after each round; the last number is the number of contenders of the last round.
    first
        Blocks before which no difference is called clear.
    """

    ends: tuple[int, ...]
    keeps: tuple[int, ...]
    first: int

    @classmethod
    def of(cls, rounds: Sequence[Round], block_size: int, first: int) -> Halving:
        """Make a plan of a schedule."""
        ends, blocks = [], 0
        for round_ in rounds:
            blocks += round_.worlds // block_size
            ends.append(blocks)
        keeps = [round_.contenders for round_ in rounds[1:]] + [rounds[-1].contenders]
        return cls(tuple(ends), tuple(keeps), first)

    @property
    def last(self) -> int:
        """Blocks at the end of the last round."""
        return self.ends[-1]

    @property
    def racing(self) -> bool:
        """False: what halving drops is not proven worse."""
        return False

    def is_checkpoint(self, blocks: int) -> bool:
        """Tell whether a round ends after so many blocks."""
        return blocks in self.ends

    def survivors(self, moments: Moments, outcome: int, alive: Sequence[int], shape: Shape) -> tuple[int, ...]:
        """Return the better half; of equal ones, those with the lower numbers."""
        blocks = int(moments.count[alive[0], alive[0]]) * shape.batch_size // shape.block_size
        keep = self.keeps[self.ends.index(blocks)]
        return tuple(sorted(sorted(alive, key=lambda i: (-moments.mean[i, i, outcome], i))[:keep]))

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"plan": "halving", "ends": list(self.ends), "keeps": list(self.keeps), "first": self.first}


def plan_from_dict(data: Mapping[str, Any]) -> Plan:
    """Build the plan that a plan's `to_dict` wrote."""
    match data["plan"]:
        case "race":
            return Race(bool(data["racing"]), int(data["first"]))
        case "halving":
            return Halving(tuple(map(int, data["ends"])), tuple(map(int, data["keeps"])), int(data["first"]))
        case other:
            raise ValueError(f"there is no plan {other!r}; there is 'race' and 'halving'")
