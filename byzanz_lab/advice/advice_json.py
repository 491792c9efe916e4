"""Advice as JSON and back, with all that is needed to go on from where it stopped.

Format ``byzanz-advice``, version 1: the position (format ``byzanz-position``), the options as action texts with totals,
the policies with their numbers, seed, objective, the comparison with its moments; and, for readers that only want the
answer, the recommendation and a row an action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from byzanz_lab.advice.behaviour import Weighting
from byzanz_lab.advice.options import Option
from byzanz_lab.evaluation import Comparison
from byzanz_lab.evaluation.enumeration import Enumeration
from byzanz_lab.game.actions import format_action, parse_action
from byzanz_lab.game.position_json import position_from_dict, position_to_dict
from byzanz_lab.simulation.characters import Cautious, DealerHunter, LowLotWaiter, SetCollector
from byzanz_lab.simulation.learned import HandWeights, LearnedPolicy
from byzanz_lab.simulation.policies import CompiledPolicy, RandomPolicy, ValuePolicy

if TYPE_CHECKING:
    from byzanz_lab.advice.advise import Advice

FORMAT, VERSION = "byzanz-advice", 1
KINDS: dict[str, type[CompiledPolicy]] = {
    kind.__name__: kind
    for kind in (RandomPolicy, ValuePolicy, Cautious, SetCollector, LowLotWaiter, DealerHunter, LearnedPolicy)
}
"""Policies that can be read from a file, by the name of their class."""


def advice_to_dict(advice: Advice, timing: bool) -> dict[str, Any]:
    """Plain JSON values."""
    comparison = advice.comparison.to_dict()
    if not timing:
        comparison["seconds"] = 0.0
    return {
        "format": FORMAT,
        "version": VERSION,
        "position": position_to_dict(advice.position),
        "objective": advice.objective,
        "seed": advice.seed,
        "recommendation": {"action": format_action(advice.best.action), "text": advice.sentence},
        "worlds": advice.comparison.worlds,
        "playouts": advice.comparison.playouts,
        "stopped": advice.comparison.stopped,
        "rows": [row.to_dict() for row in advice.rows],
        "legal": advice.legal,
        "policies": [{"kind": type(policy).__name__, **asdict(policy)} for policy in advice.policies],
        "weighting": None if advice.weighting is None else asdict(advice.weighting),
        "comparison": comparison,
    }


def advice_from_dict(data: Mapping[str, Any]) -> Advice:
    """Read what `advice_to_dict` wrote.

    Raises
    ------
    ValueError
        If it is no advice of this version, or something in it cannot be.
    """
    from byzanz_lab.advice.advise import Advice, trial_for

    if not isinstance(data, Mapping) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ValueError(f"this is no advice of format {FORMAT}, version {VERSION}")
    try:
        position = position_from_dict(data["position"])
        options = tuple(Option(parse_action(row["action"]), row["total"]) for row in data["rows"])
        policies = tuple(_policy(entry) for entry in data["policies"])
        weighting = None if data.get("weighting") is None else Weighting(**data["weighting"])
        # What was seen is not kept: an answer that rests on it can be read, and not be gone on with.
        trial = None if weighting else trial_for(position, options, policies, int(data["seed"]))
        exact = data["comparison"].get("plan") == "exact"
        comparison: Comparison | Enumeration = (
            Enumeration.from_dict(data["comparison"]) if exact else Comparison.from_dict(data["comparison"], trial)
        )
        objective, seed, legal = str(data["objective"]), int(data["seed"]), int(data["legal"])
        return Advice(position, options, comparison, objective, seed, policies, legal, weighting)
    except (KeyError, TypeError) as fault:
        raise ValueError(f"the advice cannot be read: {type(fault).__name__} {fault}") from None


def _policy(entry: Mapping[str, Any]) -> CompiledPolicy:
    fields = {name: value for name, value in entry.items() if name != "kind"}
    if entry["kind"] not in KINDS:
        raise ValueError(f"unknown kind of policy {entry['kind']!r}")
    if fields.get("learned") is not None:
        learned = {name: np.array(table, float) for name, table in fields["learned"].items()}
        fields["learned"] = HandWeights.of(**learned)
    return KINDS[entry["kind"]](**fields)
