"""What to do: every choice of the seat on the move, compared in the same worlds.

``advise`` takes a `Position` and a budget. For a bid it first finds, on worlds of their own (so that choosing does not
flatter the choice), the best cards to pay each total with; then all choices are tried in the worlds that the budget
allows. The three objectives come from the same playouts, so changing between them costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from byzanz_lab.advice.behaviour import Belief, Deed, Weighting
from byzanz_lab.advice.exact import enumerate_trial
from byzanz_lab.advice.options import Candidates, Option, candidates_for
from byzanz_lab.advice.rows import Row
from byzanz_lab.advice.trial import PlayoutTrial, line_of
from byzanz_lab.evaluation import Budget, Comparison, Estimate, Progress, compare, halve
from byzanz_lab.evaluation.enumeration import Enumeration
from byzanz_lab.game.position import Position
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.encoding import encode, require_position
from byzanz_lab.simulation.playouts import OBJECTIVES
from byzanz_lab.simulation.policies import CompiledPolicy, policies_for

if TYPE_CHECKING:
    import pandas as pd

PILOT_WORLDS = 64
"""Worlds spent on choosing how to pay each total."""
PILOT_SEED = 0x9A17
"""Turns a seed into the one of the pilot's own worlds."""


@dataclass(frozen=True, eq=False)
class Advice:
    """The answer to "what should this seat do?".

    Attributes
    ----------
    position
        What was asked about; all numbers are from the point of view of ``position.seat``.
    options
        The actions that were compared, in the order of the comparison's options.
    comparison
        The statistics behind it; an `Enumeration` where all worlds could be listed, and the answer is exact.
    objective
        What the seat cares for: ``profit``, ``margin`` or ``win``.
    seed
        Root of all random numbers.
    policies
        Who plays the worlds out, one a seat.
    legal
        Number of legal actions that the options were chosen from.
    weighting
        How much what was seen before says about the hidden cards; ``None`` where all worlds counted as likely.

    Examples
    --------
    >>> from byzanz_lab import load_sample
    >>> found = advise(load_sample("closing"))
    >>> found.is_exact, found.best in found.level, found.with_objective("win").objective
    (True, True, 'win')
    """

    position: Position
    options: tuple[Option, ...]
    comparison: Comparison | Enumeration
    objective: str
    seed: int
    policies: tuple[CompiledPolicy, ...]
    legal: int
    weighting: Weighting | None = None

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """One row an action, in the order of the options: passing first, then bids by total."""
        return tuple(self._row(i) for i in range(len(self.options)))

    @property
    def is_exact(self) -> bool:
        """Whether every world was looked at, so that nothing is estimated."""
        return isinstance(self.comparison, Enumeration)

    @property
    def best(self) -> Row:
        """The action that looks best under the objective; others may be level with it."""
        return self.rows[self.comparison.best(self.objective)]

    @property
    def level(self) -> tuple[Row, ...]:
        """All actions that cannot be told from the best."""
        return tuple(row for row in self.rows if row.verdicts[self.objective] != "worse")

    def row(self, action: object) -> Row:
        """The row of one action.

        Raises
        ------
        KeyError
            If it was not compared.
        """
        for row in self.rows:
            if row.action == action:
                return row
        raise KeyError(f"{action} was not compared")

    def with_objective(self, objective: str) -> Advice:
        """The same playouts, judged by another objective."""
        return replace(self, objective=_objective(objective))

    def extend(self, budget: Budget | SupportsIndex, **how: Any) -> Advice:
        """Go on with further worlds: the same numbers as one longer run. ``how`` as in `evaluation.compare`."""
        return replace(self, comparison=self.comparison.extend(budget, **how))

    @property
    def sentence(self) -> str:
        """The recommendation in a sentence, as plain text."""
        from byzanz_lab.advice.render import sentence

        return sentence(self)

    def to_frame(self) -> pd.DataFrame:
        """A row an action; for each objective mean, standard error, n, difference to the best and its error."""
        from byzanz_lab.advice.render import frame

        return frame(self)

    def to_dict(self, timing: bool = True) -> dict[str, Any]:
        """Plain JSON values; without ``timing`` they are the same on every run with a fixed number of worlds."""
        from byzanz_lab.advice.advice_json import advice_to_dict

        return advice_to_dict(self, timing)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Advice:
        """Exact inverse of `to_dict`; what was saved can be extended."""
        from byzanz_lab.advice.advice_json import advice_from_dict

        return advice_from_dict(data)

    def __str__(self) -> str:
        from byzanz_lab.advice.render import text_table

        return text_table(self)

    def _repr_html_(self) -> str:
        from byzanz_lab.advice.render import html_table

        return html_table(self)

    def _row(self, i: int) -> Row:
        comparison, seat = self.comparison, self.position.seat
        best = {name: comparison.best(name) for name in OBJECTIVES}
        return Row(
            action=self.options[i].action,
            total=self.options[i].total,
            estimates={name: _seen_by(seat, comparison.estimate(i, name), name) for name in OBJECTIVES},
            to_best={
                name: None if i == best[name] else _seen_by(seat, comparison.difference(i, best[name], name), name)
                for name in OBJECTIVES
            },
            lot=_seen_by(seat, comparison.estimate(i, "lot"), "lot") if self.position.phase is Phase.AUCTION else None,
            verdicts={name: comparison.verdicts(name)[i] for name in OBJECTIVES},
        )


def advise(
    position: Position,
    budget: Budget | SupportsIndex | None = None,
    seed: int = 1,
    *,
    objective: str = "profit",
    policies: CompiledPolicy | Sequence[CompiledPolicy] | None = None,
    seen: Sequence[Deed] | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Any = None,
    racing: bool | Literal["halving"] = True,
    allow_exact: bool = True,
) -> Advice:
    """Compare all choices of the seat on the move.

    Parameters
    ----------
    position
        What the seat knows; it must be on the move.
    budget
        Worlds, seconds or a target standard error, whichever ends first; a whole number is worlds. By default two
        seconds.
    seed
        Root of all random numbers: the same seed and number of worlds give the same answer anywhere.
    objective
        ``profit``, ``margin`` (over the best rival) or ``win`` (share): what decides and when to stop.
    policies
        Who plays the worlds out: one policy for all seats, or one a seat; by default the default policy.
    seen
        Everything that was done since the deal (`byzanz_lab.advice.behaviour.deeds_of`): worlds in which these policies
        would have bid and passed like that then count for more. By default all worlds are as likely.
    executor, workers, progress, cancel
        As in `byzanz_lab.evaluation.compare`.
    racing
        Whether actions that are clearly worse are dropped on the way. With ``"halving"`` the playouts that so
        many worlds would take for all actions are spent on ever fewer contenders (`byzanz_lab.evaluation.halve`).
    allow_exact
        Whether to list all worlds where they are few, instead of sampling.

    Raises
    ------
    TypeError
        If it is given a State: that would be looking at the cards.
    ValueError
        If the seat is not on the move, or an argument is out of range.

    Examples
    --------
    >>> from byzanz_lab import Rules, new_game, observe
    >>> advice = advise(observe(new_game(Rules.for_seats(4), seed=7), 0), budget=256)
    >>> advice.rows[0].label
    'pass'
    """
    require_position(position)
    if position.to_move != position.seat:
        whose = "the game is over" if position.to_move is None else f"it is the turn of seat {position.to_move}"
        raise ValueError(f"there is nothing to advise seat {position.seat} on: {whose}")
    budget, objective = Budget(seconds=2.0) if budget is None else Budget.of(budget), _objective(objective)
    players = policies_for(policies, position.rules.seats)
    candidates = candidates_for(position, players[position.seat])
    how: dict[str, Any] = {"executor": executor, "workers": workers, "cancel": cancel}
    belief = None if seen is None else Belief(position, seen, players, seed)
    weighting = None if belief is None else belief.weighting
    exact = _exact(position, candidates, players, seed, objective, belief) if allow_exact else None
    if exact is not None:
        return replace(exact, weighting=weighting)
    if budget.seconds is not None:  # loading or compiling the playouts is not thinking
        trial_for(position, [candidates.groups[0][0]], players, seed).play(0, 1, [0])
    options, spent = _choose_payments(position, candidates, players, seed, objective, belief, how)
    if budget.seconds is not None:
        budget = replace(budget, seconds=max(budget.seconds - spent, 0.05))
    trial = trial_for(position, options, players, seed, belief)
    if racing == "halving":
        if budget.worlds is None:
            raise ValueError("halving spends a fixed number of worlds: give the budget in worlds")
        comparison = halve(trial, budget.worlds * len(options), leading=objective, progress=progress, **how)
    else:
        comparison = compare(trial, budget, leading=objective, progress=progress, racing=racing, **how)
    return Advice(position, options, comparison, objective, seed, players, candidates.legal, weighting)


def _exact(
    position: Position,
    candidates: Candidates,
    players: tuple[CompiledPolicy, ...],
    seed: int,
    objective: str,
    belief: Belief | None,
) -> Advice | None:
    """The answer over all worlds, if they are few: all ways to pay are compared, and the best of each total kept."""
    options = [option for group in candidates.groups for option in group]
    found = enumerate_trial(trial_for(position, options, players, seed, belief), objective)
    if found is None:
        return None
    rank = {i: place for place, i in enumerate(found.ranking(objective))}
    kept, first = [], 0
    for group in candidates.groups:
        kept.append(min(range(first, first + len(group)), key=rank.__getitem__))
        first += len(group)
    chosen = tuple(options[i] for i in kept)
    return Advice(position, chosen, found.only(kept), objective, seed, players, candidates.legal)


def trial_for(
    position: Position,
    options: Sequence[Option],
    players: tuple[CompiledPolicy, ...],
    seed: int,
    belief: Belief | None = None,
) -> PlayoutTrial:
    """The playouts behind a comparison of these options."""
    lines = np.stack([line_of(position.seat, [option.action], position.market) for option in options])
    prices = np.array([-1 if option.total is None else option.total for option in options], np.int64)
    ones = np.ones(len(options), np.int64)
    return PlayoutTrial(encode(position), lines, ones, prices, position.seat, players, seed, belief=belief)


def _choose_payments(
    position: Position,
    candidates: Candidates,
    players: tuple[CompiledPolicy, ...],
    seed: int,
    objective: str,
    belief: Belief | None,
    how: Mapping[str, Any],
) -> tuple[tuple[Option, ...], float]:
    """One option a group: the best of each by a pilot on worlds of its own; and the seconds that took."""
    contested = [option for group in candidates.groups if len(group) > 1 for option in group]
    if not contested:
        return tuple(group[0] for group in candidates.groups), 0.0
    apart = seed ^ PILOT_SEED
    trial = trial_for(position, contested, players, apart, belief and replace(belief, seed=apart))
    pilot = compare(trial, PILOT_WORLDS, leading=objective, racing=False, **how)
    if not pilot.blocks:  # cancelled before anything was played
        return tuple(group[0] for group in candidates.groups), pilot.seconds
    score = {option.action: pilot.estimate(i, objective).mean for i, option in enumerate(contested)}
    chosen = (max(group, key=lambda option: score.get(option.action, 0.0)) for group in candidates.groups)
    return tuple(chosen), pilot.seconds


def _objective(name: str) -> str:
    if name not in OBJECTIVES:
        raise ValueError(f"unknown objective {name!r} (objectives are {', '.join(OBJECTIVES)})")
    return name


def _seen_by(seat: int, estimate: Estimate, name: str) -> Estimate:
    """Name the point of view."""
    return replace(estimate, of=f"{name} of seat {seat}")
