"""Answers that the chart tests draw, computed once."""

from __future__ import annotations

from functools import lru_cache

from byzanz_lab import Advice, LotValue, advise, load_sample, lot_value

OBJECTIVES = ("profit", "margin", "win")
CHOICES = ("tax", "last_lot", "hand_limit", "market", "closing")
"""Samples whose decision is no bid."""


@lru_cache
def advice(sample: str = "auction", worlds: int = 128) -> Advice:
    """Advice on a sample position."""
    return advise(load_sample(sample), budget=worlds, seed=3)


@lru_cache
def lot(worlds: int = 128) -> LotValue:
    """The worth of the lot in the sample auction."""
    return lot_value(load_sample("auction"), budget=worlds, seed=3)
