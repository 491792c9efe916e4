"""Statistics that know no game: estimates, budgets, paired comparison, stopping, spreading work.

A *trial* plays numbered blocks of worlds with each of several options (`Trial`, `Sample`).  `compare` plays as many as
a `Budget` allows, drops what is clearly worse, stops as soon as the best is clear, and returns a `Comparison`, which
holds an `Estimate` for each option and for each paired difference.  `halve` spends a fixed number of playouts on the
contenders.

The modules are short lectures, best read in this order: `estimate`, `trial`, `moments`, `stopping`, `halving`,
`controls`, `strata`.

Examples
--------
>>> import numpy as np
>>> class Dice:
...     n_options, outcomes, block_size = 2, ("pips",), 100
...     def __call__(self, block, options):
...         pips = np.random.default_rng(block).integers(1, 7, size=100)
...         return Sample(np.array([pips + option for option in options], dtype=float)[..., None])
>>> result = compare(Dice(), 1000)
>>> result.stopped, result.best(), result.verdicts()
('clear', 1, ('worse', 'best'))
>>> str(result.difference(1, 0))
'+1.00 ± 0.00'
"""

from __future__ import annotations

from byzanz_lab.evaluation.budget import Budget, Cancel
from byzanz_lab.evaluation.comparison import Comparison
from byzanz_lab.evaluation.engine import compare, halve
from byzanz_lab.evaluation.estimate import Estimate
from byzanz_lab.evaluation.halving import Round, halving_schedule
from byzanz_lab.evaluation.progress import Progress
from byzanz_lab.evaluation.strata import balanced_uniforms, permutations
from byzanz_lab.evaluation.trial import Sample, Trial

__all__ = [
    "Budget",
    "Cancel",
    "Comparison",
    "Estimate",
    "Progress",
    "Round",
    "Sample",
    "Trial",
    "balanced_uniforms",
    "compare",
    "halve",
    "halving_schedule",
    "permutations",
]
