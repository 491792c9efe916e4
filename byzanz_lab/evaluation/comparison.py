"""What a run found out, and how to go on from there.

A `Comparison` holds the moments of all options and pairs, and answers from them: how good an option is, how much better
than another, which is best, and which are level with it.  It says what it cost and why it ended.  It can be written as
JSON, read again, and extended: since every world depends on its number alone and decisions are taken at fixed
checkpoints, the extended run holds the same numbers, to the last bit, as one that was longer from the start.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, SupportsIndex, cast

import numpy as np

from byzanz_lab.evaluation.budget import Budget
from byzanz_lab.evaluation.estimate import Estimate
from byzanz_lab.evaluation.halving import plan_from_dict
from byzanz_lab.evaluation.moments import Moments
from byzanz_lab.evaluation.stopping import Plan, clearly_above, early_stop, excess_of_pairs, observations
from byzanz_lab.evaluation.trial import Floats, Shape, Trial

Verdict = Literal["best", "level", "worse"]
Stopped = Literal["clear", "accurate enough", "out of budget", "cancelled"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comparison:
    """Options compared over common worlds.

    Parameters
    ----------
    shape
        Numbers of options and outcomes, sizes of blocks and batches.
    leading
        Name of the outcome that decides what is dropped and when to stop.
    plan
        Where decisions were taken, and how.
    now
        Moments of the outcomes, corrected by control variates if there are any; an observation is a batch.
    plain
        Moments of the uncorrected outcomes of single worlds, where they differ from `now`; else None.
    coefficients
        Frozen coefficients of the control variates ``[n_options, n_controls, n_outcomes]``; None without any, and until
        the pilot is complete.
    controlled
        Whether the trial has control variates; None before the first block.
    alive
        Options that were not dropped, ascending.
    blocks
        Blocks that were used.
    playouts
        Worlds times options that were tried in them.
    seconds
        Wall time spent, over all extensions.
    stopped
        Why the run ended: "clear", "accurate enough", "out of budget" or "cancelled".
    trial
        What was tried, if known; needed to extend.
    """

    shape: Shape
    leading: str
    plan: Plan
    now: Moments
    plain: Moments | None
    coefficients: Floats | None
    controlled: bool | None
    alive: tuple[int, ...]
    blocks: int
    playouts: int
    seconds: float
    stopped: Stopped
    trial: Trial | None = field(default=None, repr=False)

    @property
    def worlds(self) -> int:
        """Worlds that the options still alive have seen."""
        return self.blocks * self.shape.block_size

    @property
    def playouts_per_second(self) -> float:
        """Playouts a second of wall time, all workers together."""
        return self.playouts / self.seconds if self.seconds > 0 else math.nan

    def estimate(self, option: int, outcome: str | None = None) -> Estimate:
        """Estimate an outcome (the leading one, if none is named) of an option over all worlds it has seen.

        Where racing ended the option's observation, the standard error includes an allowance for that; see
        `difference`.
        """
        option, at = self.shape.option(option), self.shape.outcome(outcome, self.leading)
        plain = self._plain_estimate(option, option, at, self.shape.outcomes[at])
        rival = self._rival(option)
        if rival is None:
            return plain
        (n, _, own), (n_rival, _, others), (n_pair, _, pair) = (
            self.now.pair(*who, at) for who in ((option, option), (rival, rival), (option, rival))
        )
        difference = self._plain_estimate(option, rival, at, "")
        # The mean owes to the overstated difference what regression on it says: their covariance over its variance.
        share = (own / n + pair / n_pair - others / n_rival) / (2 * pair / n_pair) if pair > 0 else 0.0
        bias = share * self._allowance(option, rival) * difference.se
        return replace(plain, se=math.hypot(plain.se, bias))

    def difference(self, option: int, other: int, outcome: str | None = None) -> Estimate:
        """Estimate how much more `option` gives than `other`, paired over the worlds that both have seen.

        Where racing dropped one of the two, chance had a hand in when it did, and the difference is overstated on
        average; the standard error includes an allowance for it (`byzanz_lab.evaluation.stopping.early_stop`).
        """
        option, other = self.shape.option(option), self.shape.option(other)
        at = self.shape.outcome(outcome, self.leading)
        if option == other:
            raise ValueError(f"option {option} cannot be compared with itself")
        plain = self._plain_estimate(
            option, other, at, f"{self.shape.outcomes[at]}, option {option} over option {other}"
        )
        return replace(plain, se=plain.se * math.hypot(1.0, self._allowance(option, other)))

    def _plain_estimate(self, option: int, other: int, at: int, of: str) -> Estimate:
        n, mean, m2 = self.now.pair(option, other, at)
        se = math.sqrt(m2 / (n - 1) / n) if n > 1 else math.inf
        worlds = n * self.shape.batch_size
        unit, share = self.shape.units[at], option == other and self.shape.units[at] == "share" and n > 0
        return Estimate(mean if n else math.nan, se, worlds, unit, of, df=max(n - 1, 0), share=share)

    def _allowance(self, option: int, other: int) -> float:
        """Return the allowance for an end because of being clear, in standard errors of the difference."""
        if not self.plan.racing or {option, other} <= set(self.alive):
            return 0.0
        leading = self.shape.outcomes.index(self.leading)
        excess = excess_of_pairs(self.now, leading, observations(self.plan.first, self.shape))
        return early_stop(float(excess[min(option, other), max(option, other)]))

    def _rival(self, option: int) -> int | None:
        """Return the option that racing ended the observation of this one against, if it did."""
        dropped = [i for i in range(self.shape.n_options) if i not in self.alive]
        if not self.plan.racing or not dropped or (option in self.alive and len(self.alive) > 1):
            return None
        if option not in self.alive:
            return self.best()
        return max(dropped, key=lambda i: (self.now.count[i, i], self.now.mean[i, i, 0]))

    def ranking(self, outcome: str | None = None) -> tuple[int, ...]:
        """Return all options, best first.

        Options that were dropped have seen fewer worlds.  They are ranked by their paired difference from the best of
        those still alive, not by their mean: that would credit them with the luck of the early worlds.
        """
        at = self.shape.outcome(outcome, self.leading)
        reference = max(self.alive, key=lambda i: (self.now.mean[i, i, at], -i))

        def key(i: int) -> tuple[bool, float, int]:
            proven_worse = self.plan.racing and at == self.shape.outcomes.index(self.leading) and i not in self.alive
            return proven_worse, 0.0 if i == reference else self.now.pair(reference, i, at)[1], i

        return tuple(sorted(range(self.shape.n_options), key=key))

    def best(self, outcome: str | None = None) -> int:
        """Return the option that looks best; `verdicts` says which are level with it."""
        return self.ranking(outcome)[0]

    def verdicts(self, outcome: str | None = None) -> tuple[Verdict, ...]:
        """Say of each option whether it is best, level with the best, or worse.

        Worse is what is clearly below the best (see `byzanz_lab.evaluation.stopping`), or was dropped for being clearly
        below another option.  Exactly one option is best, even if others are level with it; before the first world all
        are level.
        """
        at = self.shape.outcome(outcome, self.leading)
        if not self.blocks:
            return tuple[Verdict, ...](["level"] * self.shape.n_options)
        best = self.best(outcome)
        below = clearly_above(self.now, at, observations(self.plan.first, self.shape))[best]
        if self.plan.racing and self.shape.outcomes[at] == self.leading:
            below[[i for i in range(self.shape.n_options) if i not in self.alive]] = True
        found: list[Verdict] = ["worse" if below[i] else "level" for i in range(self.shape.n_options)]
        found[best] = "best"
        return tuple(found)

    @property
    def gain(self) -> float:
        """Variance of the leading difference as independent plain worlds would have it, divided by its variance now.

        So many times fewer worlds are needed thanks to control variates and stratification; 1.0 without either, NaN
        while there is too little to tell.  With one option it is about the mean.
        """
        if self.plain is None:
            return 1.0
        first, second = (*self.ranking(), *self.ranking())[:2]
        at = self.shape.outcomes.index(self.leading)
        variances = []
        for moments in (self.plain, self.now):
            n, _, m2 = moments.pair(first, second, at)
            variances.append(m2 / (n - 1) / n if n > 1 else math.nan)
        return variances[0] / variances[1] if variances[1] > 0 else math.nan

    def extend(self, budget: Budget | SupportsIndex, trial: Trial | None = None, **options: Any) -> Comparison:
        """Go on with further worlds; the result equals one longer run.

        A run that ended because the best option was clear is handed back as it is: a longer one would have ended there
        too.

        Parameters
        ----------
        budget
            What may be spent in addition; a target standard error is about the result as a whole.
        trial
            The same trial, where this comparison was read from a file and does not know it.
        **options
            executor, workers, progress and cancel, as for `compare`.

        Raises
        ------
        ValueError
            If the trial is unknown or another one, or the plan's fixed budget was spent.
        """
        from byzanz_lab.evaluation.engine import resume

        return resume(self, budget, trial, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values, moments included, so that what was saved can be extended."""
        return {
            "shape": self.shape.to_dict(),
            "leading": self.leading,
            "plan": self.plan.to_dict(),
            "now": self.now.to_dict(),
            "plain": self.plain.to_dict() if self.plain else None,
            "coefficients": None if self.coefficients is None else self.coefficients.tolist(),
            "controlled": self.controlled,
            "alive": list(self.alive),
            "blocks": self.blocks,
            "playouts": self.playouts,
            "seconds": self.seconds,
            "stopped": self.stopped,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], trial: Trial | None = None) -> Comparison:
        """Build the comparison that `to_dict` wrote; raises ValueError saying what does not fit."""
        try:
            shape = Shape.from_dict(data["shape"])
            m = len(shape.outcomes)
            coefficients = data["coefficients"]
            return cls(
                shape=shape,
                leading=str(data["leading"]),
                plan=plan_from_dict(data["plan"]),
                now=Moments.from_dict(data["now"], m),
                plain=None if data["plain"] is None else Moments.from_dict(data["plain"], m),
                coefficients=None if coefficients is None else np.asarray(coefficients, dtype=np.float64),
                controlled=data["controlled"],
                alive=tuple(int(i) for i in data["alive"]),
                blocks=int(data["blocks"]),
                playouts=int(data["playouts"]),
                seconds=float(data["seconds"]),
                stopped=cast(Stopped, str(data["stopped"])),
                trial=trial,
            )
        except (KeyError, TypeError) as wrong:
            raise ValueError(f"this is no saved comparison: {wrong}") from None
