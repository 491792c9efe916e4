"""One line of advice: an action, and what it brings under each objective."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from byzanz_lab.evaluation import Estimate
from byzanz_lab.game.actions import Action, Bid, format_action

VERDICT_WORDS = {"best": "best", "level": "level with the best", "worse": "worse"}
"""How verdicts are shown."""


@dataclass(frozen=True)
class Row:
    """What one action brings.

    Attributes
    ----------
    action
        The action; for a bid, with the best cards found to pay it.
    total
        For a bid, what the open bid comes to; otherwise ``None``.
    estimates
        By objective (``profit`` and ``margin`` in points, ``win`` as a share): what the seat ends with.
    to_best
        By objective: how much more than the best action, paired, with the standard error of the difference; 0 or less
        in the mean for all but noise. ``None`` for the best itself.
    lot
        Chance that the seat wins the lot on the table at this bid; without a bid, that it wins it at all. ``None``
        when there is no auction.
    verdicts
        By objective: ``best``, ``level`` with the best, or ``worse``.
    """

    action: Action
    total: int | None
    estimates: Mapping[str, Estimate]
    to_best: Mapping[str, Estimate | None]
    lot: Estimate | None
    verdicts: Mapping[str, str]

    @property
    def label(self) -> str:
        """Short name: ``bid 5 with Sp3 Wo2``, or the action's text."""
        if isinstance(self.action, Bid):
            return f"bid {self.total} with {self.action.cards}"
        return format_action(self.action)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "action": format_action(self.action),
            "total": self.total,
            "estimates": {name: value.to_dict() for name, value in self.estimates.items()},
            "to_best": {name: value and value.to_dict() for name, value in self.to_best.items()},
            "lot": self.lot and self.lot.to_dict(),
            "verdicts": dict(self.verdicts),
        }
