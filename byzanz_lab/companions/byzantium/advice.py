"""What to place where: every legal action with what it is worth, how sure that is, and which differ clearly.

``advise`` plays out worlds that fit what the seat knows, all actions in the same worlds, until the best action is clear
or the budget is spent. Alone it tells the expected number of cards placed and the chance of all 24; together the margin
over the best rival, the points and the share of the win. Late in a deal, where all worlds can be listed and solved, the
answer is exact (see `endgame`).

Actions that lead to the same tableau seen in a mirror are worth the same; they are compared once. Two errors are not in
the standard errors: the playouts are only as good as the policy that plays on, and in each world it plays as well as it
does without knowing the world (strategy fusion does arise in endgames that are solved with open hands).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from html import escape
from typing import Any, ClassVar, SupportsIndex

from byzanz_lab.companions.byzantium.actions import Action, Pass, Place
from byzanz_lab.companions.byzantium.endgame import exact_endgame
from byzanz_lab.companions.byzantium.policies import CompiledPolicy, default_policy, policies_for
from byzanz_lab.companions.byzantium.position import Position, require_position
from byzanz_lab.companions.byzantium.tableau import MIRRORS, mirrored_path
from byzanz_lab.companions.byzantium.trials import ActionsTrial, PlacesTrial
from byzanz_lab.evaluation import Budget, Comparison, Estimate, Progress, compare
from byzanz_lab.evaluation.budget import Cancellable
from byzanz_lab.evaluation.comparison import Verdict
from byzanz_lab.evaluation.enumeration import Enumeration
from byzanz_lab.policy import Traits

DEFAULT_BUDGET = Budget(seconds=1.0)
LATE = 14
"""Cards in all hands together from which on an exact answer is tried."""


@dataclass(frozen=True, eq=False)
class Advice:
    """The legal actions of a position and what they are worth to the seat on the move.

    Attributes
    ----------
    position
        What was asked about.
    options
        The actions that were compared: one of each group that a mirror shows to be alike.
    option_of
        Every legal action -> the number of the option that stands for it.
    result
        The comparison, or an exact one.
    """

    position: Position
    options: tuple[Action, ...]
    option_of: Mapping[Action, int]
    result: Comparison | Enumeration

    @property
    def best(self) -> Action:
        """The action that looks best; the first of equal ones."""
        return self.options[self.result.best()]

    @property
    def is_exact(self) -> bool:
        """Whether all worlds were listed and solved with open hands."""
        return isinstance(self.result, Enumeration)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What is told of each action, the leading outcome first."""
        return self.result.outcomes if isinstance(self.result, Enumeration) else self.result.shape.outcomes

    def estimate(self, action: Action, outcome: str | None = None) -> Estimate:
        """What an action is worth to the seat: the leading outcome, if none is named."""
        return self.result.estimate(self._option(action), outcome)

    def difference(self, action: Action, other: Action, outcome: str | None = None) -> Estimate:
        """How much more an action is worth than another, in the same worlds."""
        option, against = self._option(action), self._option(other)
        if option == against:
            estimate = self.result.estimate(option, outcome)
            return Estimate.exactly(0.0, max(estimate.n, 1), estimate.unit, "the same, seen in a mirror")
        return self.result.difference(option, against, outcome)

    def verdict(self, action: Action) -> Verdict:
        """Whether an action is best, level with the best, or worse."""
        return self.result.verdicts()[self._option(action)]

    def ranking(self) -> tuple[Action, ...]:
        """All legal actions, best first."""
        place = {option: at for at, option in enumerate(self.result.ranking())}
        return tuple(sorted(self.option_of, key=lambda action: place[self.option_of[action]]))

    def extended(
        self, budget: Budget | SupportsIndex, *, workers: int | None = None, cancel: Cancellable | None = None
    ) -> Advice:
        """The same advice after more worlds; an exact one stays as it is."""
        if isinstance(self.result, Enumeration):
            return self
        return replace(self, result=self.result.extend(budget, workers=workers, cancel=cancel))

    def rows(self) -> list[dict[str, Any]]:
        """One row an option, best first: the action, its estimates by outcome, its verdict."""
        verdicts = self.result.verdicts()
        return [
            {
                "action": self.options[option],
                "alike": [a for a, at in self.option_of.items() if at == option and a != self.options[option]],
                **{outcome: self.result.estimate(option, outcome) for outcome in self.outcomes},
                "verdict": verdicts[option],
            }
            for option in self.result.ranking()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the position, and the rows."""
        rows = [
            {
                "action": str(row["action"]),
                "alike": [str(action) for action in row["alike"]],
                "estimates": {outcome: row[outcome].to_dict() for outcome in self.outcomes},
                "verdict": row["verdict"],
            }
            for row in self.rows()
        ]
        how = "exact" if self.is_exact else "playouts"
        return {"position": self.position.to_dict(), "method": how, "stopped": self.result.stopped, "options": rows}

    def _option(self, action: Action) -> int:
        if action not in self.option_of:
            raise ValueError(f"{action} was not compared; legal are {', '.join(map(str, self.option_of))}")
        return self.option_of[action]

    def _lines(self) -> list[list[str]]:
        lines = []
        for row in self.rows():
            alike = f" (or {', '.join(str(action).removeprefix('place ') for action in row['alike'])})"
            name = f"{row['action']}{alike if row['alike'] else ''}"
            lines.append([name, *(str(row[outcome]) for outcome in self.outcomes), row["verdict"]])
        return lines

    @property
    def basis(self) -> str:
        """In a few words, what the numbers rest on."""
        if self.is_exact:
            return f"exact over all {self.result.worlds} worlds, each solved with open hands"
        return f"{self.result.worlds} worlds played out, ± 95 %, {self.result.stopped}"

    def __str__(self) -> str:
        table = [["action", *self.outcomes, ""], *self._lines()]
        widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in table]
        return "\n".join([f"seat {self.position.seat}: {self.basis}", *(line.rstrip() for line in lines)])

    def _repr_html_(self) -> str:
        from byzanz_lab.companions.byzantium.drawing import advice_svg  # only notebooks need it

        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in ("action", *self.outcomes, "verdict"))
        body = "".join(
            "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in line) + "</tr>"
            for line in self._lines()
        )
        caption = escape(f"Advice for seat {self.position.seat}: {self.basis}")
        table = f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        return f"{advice_svg(self)}{table}"


def advise(
    position: Position,
    budget: Budget | SupportsIndex = DEFAULT_BUDGET,
    *,
    policy: CompiledPolicy | None = None,
    seed: int = 1,
    exact: bool = True,
    racing: bool = True,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | bool | None = None,
    cancel: Cancellable | None = None,
) -> Advice:
    """Compare the legal actions of the seat on the move.

    Parameters
    ----------
    position
        What the seat knows.
    budget
        What may be spent; a whole number is a number of worlds. A second, when left out.
    policy
        Who plays the worlds out, for all seats; the default policy of that number of players when left out.
    seed
        Root of the random numbers: the same seed and number of worlds give the same advice.
    exact
        Whether to solve the endgame instead, where that can be done.
    racing, executor, workers, progress, cancel
        As for `byzanz_lab.evaluation.compare`.

    Raises
    ------
    TypeError
        If it is handed a State: that would be looking at the cards.
    ValueError
        If another seat is on the move, or the deal is over.

    Examples
    --------
    >>> from byzanz_lab.companions.byzantium.position_text import parse_position
    >>> position = parse_position("players 1; tableau N=B7 NN=B9; hand B10")
    >>> advice = advise(position, 2000)
    >>> advice.best
    Place('B10', 'S')
    """
    if not require_position(position).is_to_move:
        where = "the deal is over" if position.is_over else f"it is the turn of seat {position.to_move}"
        raise ValueError(f"there is nothing to advise seat {position.seat} on: {where}")
    options, option_of = _grouped(position)
    budget = Budget.of(budget)
    if exact and not position.rules.is_solitaire and sum(position.table.sizes) <= LATE:
        begin, half = time.perf_counter(), budget.seconds and budget.seconds / 2
        solved = exact_endgame(position, options, seconds=half)
        if solved is not None:
            return Advice(position, options, option_of, solved)
        if budget.seconds and half:  # compiling, which may have come first, is not thinking
            budget = replace(budget, seconds=budget.seconds - min(half, time.perf_counter() - begin))
    result = compare(
        trial_of(position, options, policy, seed),
        budget,
        racing=racing,
        executor=executor,
        workers=workers,
        progress=progress,
        cancel=cancel,
    )
    return Advice(position, options, option_of, result)


def trial_of(
    position: Position, options: tuple[Action, ...], policy: CompiledPolicy | None, seed: int
) -> PlacesTrial | ActionsTrial:
    """The trial that compares these actions of a position."""
    n = position.rules.players
    if position.rules.is_solitaire:
        return PlacesTrial(position, options, policy or default_policy(), seed)
    return ActionsTrial(position, options, policies_for(policy, n), seed)


def _grouped(position: Position) -> tuple[tuple[Action, ...], dict[Action, int]]:
    """Options, and the option of each legal action: a mirror that keeps the tableau makes actions alike."""
    tableau = position.tableau
    mirrors = [mirror for mirror in MIRRORS if tableau.mirrored(mirror) == tableau]
    options: list[Action] = []
    option_of: dict[Action, int] = {}
    for action in position.legal_actions():
        if isinstance(action, Pass):
            images: set[Action] = {action}
        else:
            images = {Place(action.card, mirrored_path(action.slot, mirror)) for mirror in mirrors}
        known = next((option_of[image] for image in images if image in option_of), None)
        if known is None:
            known = len(options)
            options.append(action)
        option_of[action] = known
    return tuple(options), option_of


@dataclass(frozen=True)
class AdviserPolicy:
    """Does what `advise` names best, after a fixed number of worlds.

    Parameters
    ----------
    worlds
        Worlds to play out for a decision.
    policy
        Who plays them out; the default policy when left out.
    name
        Short name.
    """

    worlds: int = 256
    policy: CompiledPolicy | None = None
    name: str = "adviser"
    traits: ClassVar[Traits] = Traits(stochastic=True, counts_cards=True, plays_out=True)
    source: ClassVar[str] = "one step of policy iteration by playouts, as in Tesauro and Galperin's rollouts (1996)"

    def choose(self, position: Position, seed: int = 0) -> Action:
        """The best action after playouts; the only legal one without.

        Raises
        ------
        TypeError
            If it is given anything but a Position.
        ValueError
            If another seat is on the move.
        """
        legal = require_position(position).legal_actions()
        if len(legal) == 1:
            return legal[0]
        return advise(position, self.worlds, policy=self.policy, seed=seed, workers=1).best
