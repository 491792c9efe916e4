"""Positions as one line of text, to paste and to read.

The line names what there is, in clauses ended by ``;``::

    byzanz 4 seats; you are seat 0; round 2; phase auction; to move 0; hand 2xSp1 Wi4 D; lot 2xCl2 Gr1 D; passed 3;
    market 2xGr1 D; gone 2xOl1 Ol3; seat 0: profit 4; seat 1: offer 5, known Wi1, unknown 3;
    seat 2: bid Sp2, unknown 4; seat 3: unknown 4

What is empty is left out, except how many cards of each rival's hand are unknown. Clauses may come in any order and
case; what is left out is filled in as `Position.at_table` does. ``parse_position`` and ``format_position`` are exact
inverses.
"""

from __future__ import annotations

import re
from typing import Any, Final

from byzanz_lab.game.fault import Fault, InvalidPosition
from byzanz_lab.game.position import Position
from byzanz_lab.game.position_setup import build
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.table import Phase
from byzanz_lab.safe_json import shown

MAX_LENGTH: Final = 10_000
"""Longest text that is read, in characters."""

_CLAUSE: Final = re.compile(
    r"(?P<start>byzanz)|(?P<view>(?:you are )?seat)(?= \d+$)|(?P<one>seat) (?P<seat>\d{1,6}):|"
    r"(?P<word>variant|round|phase|to move|hand|lot|passed|market|picked|gone|done)\b",
    re.IGNORECASE,
)
_PART: Final = re.compile(r"(?P<word>offer|bid|known|unknown|profit)\b", re.IGNORECASE)
_NEXT_PART: Final = re.compile(r"[,\s]+(?=(?:offer|bid|known|unknown|profit)\b)", re.IGNORECASE)
_PER_SEAT: Final = {"offer": "offers", "bid": "bids", "known": "known", "unknown": "unknown", "profit": "profits"}


def format_position(position: Position) -> str:
    """The line of a position; exact inverse of `parse_position`.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> format_position(load_sample("closing"))[:52]
    'byzanz 3 seats; you are seat 0; round 8; phase closi'
    """
    table, rules = position.table, position.rules
    clauses = [f"byzanz {rules.seats} seats"]
    if rules.variant:
        clauses.append("variant " + " ".join(f"{name}={int(value)}" for name, value in rules.variant.items()))
    clauses += [f"you are seat {position.seat}", f"round {table.round}", f"phase {table.phase}"]
    if table.to_move is not None:
        clauses.append(f"to move {table.to_move}")
    clauses.append(f"hand {position.hand}")
    if table.lot:
        clauses.append(f"lot {table.lot}")
    if table.passes:
        clauses.append("passed " + " ".join(map(str, table.passes)))
    if table.market:
        clauses.append(f"market {table.market}")
    if table.phase in (Phase.MARKET, Phase.HAND_LIMIT):
        clauses.append(f"picked {table.picked}")
    if table.gone:
        clauses.append(f"gone {table.gone}")
    if table.done:
        clauses.append("done " + " ".join(map(str, table.done)))
    clauses += filter(None, (_format_seat(position, seat) for seat in range(rules.seats)))
    return "; ".join(clauses)


def parse_position(text: str) -> Position:
    """Read the line of a position.

    Raises
    ------
    InvalidPosition
        If the text cannot be read or no game looks like this; it lists everything that is wrong.

    Examples
    --------
    >>> line = "byzanz 4 seats; seat 0; hand 2xSp1 Wi4 D; lot 2xCl2 Gr1 D Wo4; to move 0; seat 3: bid Wo1, known Wo2"
    >>> position = parse_position(line)
    >>> print(position)
    byzanz 4 seats; you are seat 0; round 1; phase auction; to move 0; hand 2xSp1 Wi4 D; lot 2xCl2 Gr1 Wo4 D; ...
    >>> parse_position(str(position)) == position
    True
    """
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        given = f"a text of {len(text)} characters" if isinstance(text, str) else type(text).__name__
        raise InvalidPosition((Fault("text", f"must be one line of at most {MAX_LENGTH} characters, not {given}"),))
    reading = _Reading()
    for clause in text.split(";"):
        if clause.strip():
            reading.clause(" ".join(clause.split()))
    if "rules" not in reading.parts and not reading.found:
        reading.fault("text", "must begin with how many play: 'byzanz 4 seats'")
    if reading.found:
        raise InvalidPosition(tuple(reading.found))
    return build(reading.parts)


class _Reading:
    """What has been read of a line."""

    def __init__(self) -> None:
        self.parts: dict[str, Any] = {}
        self.found: list[Fault] = []

    def fault(self, field: str, message: str) -> None:
        self.found.append(Fault(field, message))

    def clause(self, clause: str) -> None:
        match = _CLAUSE.match(clause)
        if match is None:
            self.fault("text", f"{shown(clause)} is no clause of a position")
        elif match["one"]:
            self._seat_clause(int(match["seat"]), clause[match.end() :])
        else:
            rest = clause[match.end() :].strip()
            word = "start" if match["start"] else "seat" if match["view"] else match["word"].lower()
            self._simple_clause(word, rest)

    def _simple_clause(self, word: str, rest: str) -> None:
        field = {"start": "rules", "to move": "to_move"}.get(word, word)
        if field in self.parts:
            self.fault(field, f"stands in the text twice: {shown(rest)}")
        elif word == "start":
            match = re.fullmatch(r"(\d) (?:seats|players)", rest, re.IGNORECASE)
            self.parts["rules"] = int(match[1]) if match else 0
            if match is None:
                self.fault("rules", f"needs how many play, as in 'byzanz 4 seats', not {shown(rest)}")
        elif word == "variant":
            self.parts["variant"] = self._variant(rest)
        elif word in ("seat", "round", "picked", "to move"):
            self.parts[field] = self._whole(field, rest)
        elif word in ("passed", "done"):
            self.parts[field] = [self._whole(field, one) for one in rest.replace(",", " ").split()]
        else:
            self.parts[field] = rest

    def _seat_clause(self, seat: int, rest: str) -> None:
        for part in _NEXT_PART.split(rest.strip()):
            match = _PART.match(part)
            if match is None:
                self.fault("text", f"{shown(part)} says nothing about seat {seat}")
                continue
            field, value = _PER_SEAT[match["word"].lower()], part[match.end() :].strip(" ,")
            values = self.parts.setdefault(field, {})
            if seat in values:
                self.fault(f"{field}[{seat}]", f"stands in the text twice: {shown(value)}")
            values[seat] = value if field in ("bids", "known") else self._whole(f"{field}[{seat}]", value)

    def _whole(self, field: str, text: str) -> int:
        if re.fullmatch(r"\d{1,6}", text):
            return int(text)
        self.fault(field, f"needs a whole number, not {shown(text)}")
        return 0

    def _variant(self, rest: str) -> dict[str, Any]:
        variant: dict[str, Any] = {}
        flags = {name for name in Rules.variant_names() if name != "hand_limit"}
        for one in rest.lower().split():
            name, _, value = one.partition("=")
            number = self._whole("variant", value)
            variant[name] = bool(number) if name in flags and number < 2 else number
        return variant


def _format_seat(position: Position, seat: int) -> str:
    table = position.table
    parts = [f"offer {table.offers[seat]}"] if table.offers[seat] else []
    if table.bids[seat]:
        parts.append(f"bid {table.bids[seat]}")
    if table.known[seat]:
        parts.append(f"known {table.known[seat]}")
    if seat != position.seat:
        parts.append(f"unknown {position.unknown[seat]}")
    if table.profits[seat]:
        parts.append(f"profit {table.profits[seat]}")
    return f"seat {seat}: {', '.join(parts)}" if parts else ""
