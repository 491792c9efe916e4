"""The player's questions, answered with error bars: what to bid, pay, tax, take, sell or drop, and what it is worth.

Each question is put to a `Position`, never to a State. The answer comes from worlds that fit what the seat knows, each
played to its end once for every choice: paired comparison under common random numbers. Two known limits are part of
what the numbers mean. The playouts are only as wise as the policy that plays them. And in each world every later choice
may depend on cards that the seat cannot really see then, so plans that gain by waiting for information look a little
better than they are (*strategy fusion*; Frank and Basin 1998).
"""

from __future__ import annotations

from byzanz_lab.advice.advise import Advice, advise
from byzanz_lab.advice.lots import LotValue, lot_value
from byzanz_lab.advice.markets import MarketValues, market_values
from byzanz_lab.advice.rows import Row

__all__ = ["Advice", "LotValue", "MarketValues", "Row", "advise", "lot_value", "market_values"]
