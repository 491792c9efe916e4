"""What a tournament found: win shares, profits, differences, ratings, and what each seat is worth.

All standard errors count deals: every deal was played in all rotations by every line-up, and the mean over those games
is one observation. Differences between two policies are taken deal by deal over the tables at which both sat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.advice.render import number, signed
from byzanz_lab.advice.tournament_file import header
from byzanz_lab.advice.tournament_play import Plan, Shorts, seatings
from byzanz_lab.evaluation import Estimate
from byzanz_lab.evaluation.ratings import Ratings, choice_ratings
from byzanz_lab.simulation.playouts import OBJECTIVES, Outcomes

if TYPE_CHECKING:
    import pandas as pd

UNITS = {"profit": "points", "margin": "points", "win": "share"}

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Standing:
    """One policy of a tournament.

    Attributes
    ----------
    name
        The policy's name.
    games
        Games times seats that it played.
    wins
        Share of the win in one seat, 0 to 1; with equals it is one by the number of seats.
    profit
        Points at the end.
    margin
        Points ahead of the best rival at the table; negative if behind.
    rating
        On the scale of chess: 400 points are odds of ten to one; the mean of all policies is 0.
    """

    name: str
    games: int
    wins: Estimate
    profit: Estimate
    margin: Estimate
    rating: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        estimates = {name: getattr(self, name).to_dict() for name in ("wins", "profit", "margin", "rating")}
        return {"name": self.name, "games": self.games, **estimates}


@dataclass(frozen=True, eq=False)
class Standings:
    """The result of a tournament.

    Attributes
    ----------
    plan
        What was played.
    profits, ties
        ``int16[n_deals, n_lineups, n_rotations, n_seats]``: points, and cards that count for the tie-break.
    """

    plan: Plan
    profits: Shorts
    ties: Shorts

    @property
    def names(self) -> tuple[str, ...]:
        """Of the policies, in the order in which they were given."""
        return tuple(policy.name for policy in self.plan.policies)

    @property
    def deals(self) -> int:
        """Number of deals, the unit of all standard errors."""
        return len(self.profits)

    @property
    def games(self) -> int:
        """Number of games."""
        return int(np.prod(self.profits.shape[:3]))

    @property
    def fair_share(self) -> float:
        """Share of the win of one seat among equals."""
        return 1 / self.plan.rules.seats

    @cached_property
    def rows(self) -> tuple[Standing, ...]:
        """One a policy, in the order in which they were given."""
        return tuple(self._standing(i) for i in range(len(self.names)))

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """The same, most wins first."""
        return tuple(sorted(self.rows, key=lambda row: -row.wins.mean))

    @property
    def best(self) -> str:
        """Name of the policy with most wins; others may be level with it."""
        return self.ranking[0].name

    def row(self, name: str) -> Standing:
        """The row of one policy; `ValueError` if there is none of that name."""
        return self.rows[self._number(name)]

    def against(self, name: str, rival: str, outcome: str = "win") -> Estimate:
        """What one policy gets in its seat where it sits alone against a table of rivals (line-ups ``"duels"``).

        Raises
        ------
        ValueError
            If no such line-up was played.
        """
        lineup = tuple(sorted((self._number(name), *(self._number(rival),) * (self.plan.rules.seats - 1))))
        for at, played in enumerate(self.plan.lineups):
            if tuple(sorted(played)) == lineup:
                x = self._by_deal(lineup_numbers=[at])[OBJECTIVES.index(_known(outcome)), :, self._number(name)]
                return Estimate.from_samples(x, UNITS[outcome], f"{outcome} of {name} alone against {rival}")
        raise ValueError(f"{name!r} did not sit alone at a table of {rival!r}")

    def difference(self, name: str, other: str, outcome: str = "win") -> Estimate:
        """How much more one policy gets in a seat than another, paired by deal.

        Taken over the tables at which both sat, or, where they never met, over all.
        """
        a, b, at = self._number(name), self._number(other), OBJECTIVES.index(_known(outcome))
        if a == b:
            raise ValueError(f"{name!r} cannot be compared with itself")
        common = [i for i, lineup in enumerate(self.plan.lineups) if a in lineup and b in lineup]
        x = self._by_deal(common or list(range(len(self.plan.lineups))))[at]
        return Estimate.from_samples(x[:, a] - x[:, b], UNITS[outcome], f"{outcome}, {name} over {other}")

    def seat(self, seat: int, outcome: str = "win") -> Estimate:
        """What a seat gets; seat 0 opens the first auction, and every policy sat in every seat equally often."""
        if not 0 <= seat < self.plan.rules.seats:
            raise ValueError(f"there is no seat {seat}, seats are 0 to {self.plan.rules.seats - 1}")
        x = self._objectives[OBJECTIVES.index(_known(outcome)), ..., seat].mean(axis=(1, 2))
        return Estimate.from_samples(x, UNITS[outcome], f"{outcome} of seat {seat}")

    @cached_property
    def ratings(self) -> Ratings:
        """Strengths, see `byzanz_lab.evaluation.ratings`."""
        shares, who = self._objectives[OBJECTIVES.index("win")], self._who
        wins = np.stack([(shares * (who == i)).sum(axis=(2, 3)) for i in range(len(self.names))], axis=-1)
        return choice_ratings(self.plan.lineups, wins, self.plan.rules.seats)

    # -- shown -------------------------------------------------------------------------------------------------------

    def to_frame(self, what: str = "standings") -> pd.DataFrame:
        """Numbers to go on with.

        Parameters
        ----------
        what
            ``"standings"``: a row a policy; ``"pairs"``: a row for each ordered pair, with paired differences;
            ``"seats"``: a row a seat.
        """
        import pandas as pd

        if what == "standings":
            return pd.DataFrame(
                [_flat({"policy": row.name, "games": row.games}, _estimates(row)) for row in self.ranking]
            )
        if what == "pairs":
            pairs = ((a, b) for a in self.names for b in self.names if a != b)
            return pd.DataFrame(
                [_flat({"policy": a, "other": b}, {o: self.difference(a, b, o) for o in OBJECTIVES}) for a, b in pairs]
            )
        if what == "seats":
            seats = range(self.plan.rules.seats)
            return pd.DataFrame([_flat({"seat": s}, {o: self.seat(s, o) for o in OBJECTIVES}) for s in seats])
        raise ValueError(f"unknown table {what!r} (tables are standings, pairs, seats)")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: what was played and what came out, without the single games."""
        return {
            **header(self.plan),
            "deals": self.deals,
            "games": self.games,
            "standings": [row.to_dict() for row in self.ranking],
            "seats": [self.seat(seat).to_dict() for seat in range(self.plan.rules.seats)],
        }

    @property
    def sentence(self) -> str:
        """The result in a sentence."""
        first, *others = self.ranking
        text = f"{first.name} won {number(first.wins, 'win')} of its games, where a fair share is {self.fair_share:.1%}"
        if others:
            ahead = self.difference(first.name, others[0].name)
            text += f": {signed(ahead, 'win')} more than {others[0].name}"
            text += "" if ahead.interval()[0] > 0 else ", which may be chance"
        return f"{text}."

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        head = ["policy", "games", "wins ± 95 %", "profit", "lead over best rival", "rating"]
        body = [
            [
                row.name,
                f"{row.games:,}",
                number(row.wins, "win"),
                number(row.profit, "profit"),
                signed(row.margin, "margin"),
                _rating(row.rating),
            ]
            for row in self.ranking
        ]
        return head, body

    def _footer(self) -> str:
        rules = self.plan.rules
        variant = "".join(f", {name} = {value}" for name, value in rules.variant.items())
        return (
            f"{self.deals:,} deals of {rules.seats} seats{variant}, seed {self.plan.seed}, each in all rotations by "
            f"{len(self.plan.lineups)} line-up{'s' if len(self.plan.lineups) > 1 else ''}: {self.games:,} games."
        )

    def __str__(self) -> str:
        head, body = self._cells()
        widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
        lines = []
        for row in [head, *body]:
            cells = (c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
            lines.append("  ".join(cells).rstrip())
        return "\n".join([*lines, "", self.sentence, self._footer()])

    def _repr_html_(self) -> str:
        head, body = self._cells()
        heads = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in head)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in body)
        return (
            f"<div><p><strong>{escape(self.sentence)}</strong></p>"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table><p>{escape(self._footer())}</p></div>"
        )

    # -- counting ----------------------------------------------------------------------------------------------------

    @cached_property
    def _objectives(self) -> Floats:
        """``[n_objectives, n_deals, n_lineups, n_rotations, n_seats]``."""
        outcomes = Outcomes(self.profits, self.ties, np.empty(0, np.int16))
        points = self.profits.astype(float)
        ahead = np.stack([outcomes.objectives(s)[..., 1] for s in range(points.shape[-1])], axis=-1)
        return np.stack([points, ahead, outcomes.win_shares()])

    @cached_property
    def _who(self) -> NDArray[np.int64]:
        """Number of the policy in each seat, ``[n_deals, n_lineups, n_rotations, n_seats]``."""
        circles = factorial(self.plan.rules.seats - 1)
        by_circle: dict[int, NDArray[np.int64]] = {}
        rows = []
        for deal in range(self.deals):
            circle = deal // self.plan.block_deals % circles
            if circle not in by_circle:
                by_circle[circle] = np.array([seatings(lineup, circle) for lineup in self.plan.lineups])
            rows.append(by_circle[circle])
        return np.stack(rows)

    def _by_deal(self, lineup_numbers: list[int]) -> Floats:
        """Mean over the seats of each policy, ``[n_objectives, n_deals, n_policies]``; nought where it did not sit."""
        values, who = self._objectives[:, :, lineup_numbers], self._who[:, lineup_numbers]
        means = []
        for policy in range(len(self.names)):
            sat = who == policy
            means.append((values * sat).sum(axis=(2, 3, 4)) / np.maximum(sat.sum(axis=(1, 2, 3)), 1))
        return np.stack(means, axis=-1)

    @cached_property
    def _overall(self) -> Floats:
        return self._by_deal(list(range(len(self.plan.lineups))))

    def _standing(self, policy: int) -> Standing:
        name = self.names[policy]
        found = {
            outcome: Estimate.from_samples(x[:, policy], UNITS[outcome], f"{outcome} of {name}")
            for outcome, x in zip(OBJECTIVES, self._overall, strict=True)
        }
        games = int((self._who == policy).sum())
        return Standing(name, games, found["win"], found["profit"], found["margin"], self.ratings.estimate(policy))

    def _number(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"nobody in the tournament is named {name!r} (there are {', '.join(self.names)})")
        return self.names.index(name)


def _known(outcome: str) -> str:
    if outcome not in OBJECTIVES:
        raise ValueError(f"unknown outcome {outcome!r} (outcomes are {', '.join(OBJECTIVES)})")
    return outcome


def _estimates(row: Standing) -> dict[str, Estimate]:
    return {"win": row.wins, "profit": row.profit, "margin": row.margin, "rating": row.rating}


def _flat(head: Mapping[str, Any], estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """A row of a frame: mean, standard error and number of deals, side by side."""
    row = dict(head)
    for name, estimate in estimates.items():
        row |= {name: estimate.mean, f"{name}_se": estimate.se}
    return row | {"deals": next(iter(estimates.values())).n}


def _rating(estimate: Estimate) -> str:
    half = estimate.half_width()
    return f"{estimate.mean:+.0f}" + (f" ± {half:.0f}" if np.isfinite(half) else "")
