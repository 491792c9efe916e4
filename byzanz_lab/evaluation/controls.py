"""Control variates: taking known luck out of the outcome.

Some luck can be measured while a world is played: how much better than expected the cards drawn were, say.  Such a
*control* has expectation 0 by construction, so outcome minus coefficient times control has the same mean as the
outcome, and less variance if the two go together (Glasserman, "Monte Carlo Methods in Financial Engineering", Springer
2004, section 4.1; backgammon players know it as luck analysis).

**Which coefficients?**  Decisions turn on differences, so the coefficients of all options are fitted together, by least
squares, to make the average variance of all *paired differences* small, rather than that of each option; an option's
own variance counts a little (`OWN`), which settles what differences leave open.  One coefficient an option and control,
rather than one a pair, keeps the differences of three options consistent: a - b and b - c add up to a - c.

**Fitted when?**  On a pilot, the first few blocks, and frozen from then on.  Coefficients that were fitted on the very
worlds they correct would make a biased estimate: they adapt to the noise.  So the pilot is cut into two halves and each
is corrected with the coefficients of the other; later worlds with those of the whole pilot.  Every world is then
corrected with coefficients that know nothing of it, and the mean stays unbiased (Avramidis & Wilson, "A splitting
scheme for control variates", Operations Research Letters 14, 1993).  Until the pilot is complete, nothing is corrected.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from byzanz_lab.evaluation.trial import Floats

PILOT_WORLDS = 128
"""Worlds in the pilot, at least."""

OWN = 0.05
"""Weight of an option's own variance against that of its differences from the others."""


def fit(values: Floats, controls: Floats) -> Floats:
    """Return the coefficients that leave least variance in the paired differences.

    Parameters
    ----------
    values
        ``[n_options, n_worlds, n_outcomes]``.
    controls
        ``[n_options, n_worlds, n_controls]``.

    Returns
    -------
    Coefficients ``[n_options, n_controls, n_outcomes]``; 0 for a control that never varied.

    Notes
    -----
    With residuals ``r_i = x_i - C_i b_i``, centred over the worlds, the sum over all pairs of
    ``|r_i - r_j|**2 / n_options`` is ``sum |r_i|**2 - |sum r_i|**2 / n_options``.  It is quadratic in all coefficients
    together, and so is the sum of ``OWN * |r_i|**2`` added to it: one set of normal equations.
    """
    k, n, m = values.shape
    c = controls.shape[2]
    x = values - values.mean(axis=1, keepdims=True)
    z = controls - controls.mean(axis=1, keepdims=True)
    scale = np.sqrt(np.square(z).mean(axis=1))
    scale[scale < 1e-12 * (1.0 + np.abs(controls).max(axis=1))] = np.inf
    z = z / scale[:, None, :]
    columns = z.transpose(1, 0, 2).reshape(n, k * c)
    gram = (columns.T @ columns).reshape(k, c, k, c)
    normal = -gram / k
    own = np.arange(k)
    normal[own, :, own, :] += (1 + OWN) * gram[own, :, own, :]
    right = np.einsum("iwc,iwm->icm", z, (1 + OWN) * x - x.mean(axis=0))
    solution = np.linalg.lstsq(normal.reshape(k * c, k * c), right.reshape(k * c, m), rcond=1e-9)[0]
    return rounded(solution.reshape(k, c, m) / scale[..., None])


def rounded(x: Floats) -> Floats:
    """Round to 16 binary digits.

    Any coefficient close to the best one does.  Linear algebra may differ in the last bits with the number of threads
    it runs on; results must not.
    """
    fraction, exponent = np.frexp(x)
    return cast(Floats, np.ldexp(np.round(fraction * 2.0**16), exponent - 16))


def adjust(values: Floats, controls: Floats, coefficients: Floats) -> Floats:
    """Return outcomes without the part that the controls explain, ``[n_options, n_worlds, n_outcomes]``."""
    result = values.copy()
    for c in range(controls.shape[2]):
        result -= controls[:, :, c, None] * coefficients[:, None, c, :]
    return result


def split_adjust(values: Floats, controls: Floats, batch_size: int) -> Floats:
    """Correct each half of a pilot with the coefficients of the other half; halves are cut between batches."""
    half = values.shape[1] // batch_size // 2 * batch_size
    first, second = slice(None, half), slice(half, None)
    return np.concatenate(
        [
            adjust(values[:, here], controls[:, here], fit(values[:, there], controls[:, there]))
            for here, there in ((first, second), (second, first))
        ],
        axis=1,
    )
