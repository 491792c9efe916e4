"""Worlds, seconds, target standard error: whichever is reached first."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from byzanz_lab.evaluation import Budget, Cancel


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (500, Budget(worlds=500)),
        (np.int64(500), Budget(worlds=500)),
        (Budget(seconds=2), Budget(seconds=2.0)),
    ],
)
def test_a_whole_number_is_a_number_of_worlds(given: Any, wanted: Budget) -> None:
    assert Budget.of(given) == wanted


@pytest.mark.parametrize("given", [2.0, "1000", None, [3], True])
def test_anything_else_is_refused_with_a_way_out(given: Any) -> None:
    with pytest.raises(ValueError, match=r"a budget is a Budget or a whole number of worlds.*Budget\(seconds=2\.0\)"):
        Budget.of(given)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "a budget needs at least one of worlds, seconds and target_se"),
        ({"worlds": 0}, "a budget needs 1 world or more, not 0"),
        ({"worlds": True}, "worlds is a whole number, not True"),
        ({"worlds": 10.5}, "worlds is a whole number, not 10.5"),
        ({"seconds": 0}, "seconds is a finite number above 0, not 0"),
        ({"seconds": math.inf}, "seconds is a finite number above 0, not inf"),
        ({"seconds": "3"}, "seconds is a finite number above 0, not '3'"),
        ({"worlds": 10, "target_se": -0.1}, "target_se is a finite number above 0, not -0.1"),
        ({"target_se": math.nan}, "target_se is a finite number above 0, not nan"),
    ],
)
def test_limits_out_of_range_are_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Budget(**given)


@pytest.mark.parametrize("budget", [Budget(worlds=3), Budget(seconds=0.1, target_se=0.3), Budget(7, 8.0, 9.0)])
def test_through_json_and_back(budget: Budget) -> None:
    assert Budget.from_dict(json.loads(json.dumps(budget.to_dict()))) == budget


def test_a_cancel_switch_stays_thrown() -> None:
    stop = Cancel()
    assert not stop.is_set()
    stop()
    stop.cancel()
    assert stop.is_set()
