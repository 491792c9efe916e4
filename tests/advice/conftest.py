"""What the tests of advice share."""

from __future__ import annotations

import pytest

from byzanz_lab.game.position import Position
from tests.advice.positions import DECISIONS, sample


@pytest.fixture(params=DECISIONS)
def decision(request: pytest.FixtureRequest) -> Position:
    """One position for every kind of decision."""
    return sample(request.param)
