"""What to redraw, meld, negotiate, replace and pass: every decision with what it is worth, and how sure that is.

``advise`` plays out worlds that fit what the seat knows, all options in the same worlds and with the same luck of the
decks, until the best one is clear or the budget is spent. Of each option it tells the lead in legacy tokens at the end
and the share of the win, and how far it is behind the best one, paired. The rival melds as his policy does; what a meld
is worth if he sees it coming is told by the `mixed_strategy` beside it, which also says which melds can be left out.

One error is not in the standard errors: the playouts are only as good as the policy that plays on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from html import escape
from typing import Any, ClassVar, Final, SupportsIndex

from byzanz_lab.companions.empire.actions import Action, Meld, Redraw
from byzanz_lab.companions.empire.meld_game import candidates
from byzanz_lab.companions.empire.mixed_strategy import Equilibrium, equilibrium
from byzanz_lab.companions.empire.playouts import Policies
from byzanz_lab.companions.empire.policies import CompiledPolicy, policies_for
from byzanz_lab.companions.empire.position import Position, require_position
from byzanz_lab.companions.empire.seeds import world_seeds
from byzanz_lab.companions.empire.table import Phase
from byzanz_lab.companions.empire.trials import OUTCOMES, ActionsTrial, block_size
from byzanz_lab.evaluation import Budget, Comparison, Estimate, Progress, compare, halve
from byzanz_lab.evaluation.budget import Cancellable
from byzanz_lab.evaluation.comparison import Verdict
from byzanz_lab.policy import Traits

DEFAULT_BUDGET: Final = Budget(seconds=1.0)
LEAST_SECONDS: Final = 0.1
"""What is left for playouts, at the least, when the meld game took its share of the seconds."""
SELDOM: Final = 0.01
"""Melds that the mixed strategy plays less often are counted only, in its sentence."""
SHOWN: Final = 12
"""Rows that are printed; `Advice.rows` has them all."""


@dataclass(frozen=True, eq=False)
class Advice:
    """The legal actions of a position and what they are worth to the seat on the move.

    Attributes
    ----------
    position
        What was asked about.
    options
        The actions that were compared: one of each group that differ by names only.
    option_of
        Action -> the number of the option that stands for it. All legal actions are there, but for melds left out.
    left_out
        A meld that was not compared -> an option that brings no less this turn, whatever the rival melds.
    result
        The comparison.
    equilibrium
        The mixed strategy, where a meld is to be chosen; else ``None``.
    """

    position: Position
    options: tuple[Action, ...]
    option_of: Mapping[Action, int]
    left_out: Mapping[Action, Action]
    result: Comparison
    equilibrium: Equilibrium | None = None

    @property
    def best(self) -> Action:
        """The action that looks best; the first of equal ones."""
        return self.options[self.result.best()]

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What is told of each action, the leading outcome first."""
        leading = self.result.leading
        return (leading, *(outcome for outcome in OUTCOMES if outcome != leading))

    def estimate(self, action: Action, outcome: str | None = None) -> Estimate:
        """What an action is worth to the seat: the leading outcome, if none is named."""
        found = self.result.estimate(self._option(action), outcome)
        return replace(found, of=f"{found.of} of seat {self.position.seat}")

    def difference(self, action: Action, other: Action, outcome: str | None = None) -> Estimate:
        """How much more an action is worth than another, in the same worlds; nothing, if they are the same."""
        option, against = self._option(action), self._option(other)
        if option == against:
            found = self.result.estimate(option, outcome)
            return Estimate.exactly(0.0, max(found.n, 1), found.unit, f"{found.of} of seat {self.position.seat}")
        found = self.result.difference(option, against, outcome)
        what = self.result.leading if outcome is None else outcome
        return replace(found, of=f"{what} of seat {self.position.seat}, {action} over {other}")

    def verdict(self, action: Action) -> Verdict:
        """Whether an action is best, level with the best, or worse."""
        return self.result.verdicts()[self._option(action)]

    def ranking(self) -> tuple[Action, ...]:
        """The actions that were compared, best first."""
        return tuple(self.options[option] for option in self.result.ranking())

    def extended(
        self, budget: Budget | SupportsIndex, *, workers: int | None = None, cancel: Cancellable | None = None
    ) -> Advice:
        """The same advice after more worlds; the meld game stays as it is."""
        return replace(self, result=self.result.extend(budget, workers=workers, cancel=cancel))

    def rows(self) -> list[dict[str, Any]]:
        """One row an option, best first: the action, its estimates by outcome, the paired gap to the best, a verdict.

        Where a meld is chosen, the row has its chance in the mixed strategy and how much it can be exploited too.
        """
        verdicts, best, game = self.result.verdicts(), self.best, self.equilibrium
        rows = []
        for action in self.ranking():
            row: dict[str, Any] = {"action": action}
            row |= {outcome: self.estimate(action, outcome) for outcome in self.outcomes}
            row |= {"to the best": self.difference(action, best), "verdict": verdicts[self.option_of[action]]}
            if game is not None:
                assert isinstance(action, Meld)  # the phase says so
                row |= {"chance": game.mixture.get(action, 0.0), "exploited": game.exploited.get(action)}
            rows.append(row)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the position, the rows, and the meld game if there is one."""
        from byzanz_lab.companions.empire.position_json import position_to_dict

        rows = [
            {
                "action": str(row["action"]),
                "estimates": {outcome: row[outcome].to_dict() for outcome in self.outcomes},
                "to_the_best": row["to the best"].to_dict(),
                "verdict": row["verdict"],
            }
            for row in self.rows()
        ]
        return {
            "position": position_to_dict(self.position),
            "seat": self.position.seat,
            "worlds": self.result.worlds,
            "stopped": self.result.stopped,
            "options": rows,
            "left_out": {str(action): str(by) for action, by in self.left_out.items()},
            "equilibrium": None if self.equilibrium is None else self.equilibrium.to_dict(),
        }

    @property
    def heads(self) -> tuple[str, ...]:
        """Heads of the table."""
        game = () if self.equilibrium is None else ("chance", "exploited by")
        return ("action", *self.outcomes, "to the best", "verdict", *game)

    def lines(self, most: int | None = SHOWN) -> list[list[str]]:
        """The table, as texts, best first; not more than ``most`` lines."""
        return [
            [
                str(row["action"]),
                *(str(row[outcome]) for outcome in (*self.outcomes, "to the best", "verdict")),
                *([] if self.equilibrium is None else [f"{row['chance']:.0%}", _or_dash(row["exploited"])]),
            ]
            for row in self.rows()[:most]
        ]

    @property
    def basis(self) -> str:
        """In a few words, what the numbers rest on."""
        more = len(self.options) - SHOWN
        cut = f"; {more} more options are not shown" if more > 0 else ""
        return f"{self.result.worlds} worlds played out, ± 95 %, {self.result.stopped}{cut}"

    def __str__(self) -> str:
        table = [list(self.heads), *self.lines()]
        widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in table]
        said = [f"seat {self.position.seat}: {self.basis}", *(line.rstrip() for line in lines)]
        return "\n".join(said if self.equilibrium is None else [*said, mixed_sentence(self.equilibrium)])

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in self.heads)
        body = "".join(
            "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in line) + "</tr>"
            for line in self.lines()
        )
        caption = escape(f"Advice for seat {self.position.seat}: {self.basis}")
        table = f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        return table if self.equilibrium is None else f"{table}<p>{escape(mixed_sentence(self.equilibrium))}</p>"

    def _option(self, action: Action) -> int:
        if action in self.option_of:
            return self.option_of[action]
        if action in self.left_out:
            raise ValueError(f"{action} was left out, because {self.left_out[action]} is nowhere worse")
        raise ValueError(f"{action} was not compared; legal are {', '.join(map(str, self.options[:SHOWN]))} …")


def mixed_sentence(game: Equilibrium) -> str:
    """The mixed strategy in a sentence or two."""
    shown = [f"{chance:.0%} {meld}" for meld, chance in game.mixture.items() if chance >= SELDOM]
    rest = len(game.mixture) - len(shown)
    more = f", and {rest} more, each below {SELDOM:.0%}" if rest else ""
    return f"Mixed strategy: {', '.join(shown)}{more}. {game.basis}"


def advise(
    position: Position,
    budget: Budget | SupportsIndex = DEFAULT_BUDGET,
    *,
    policies: Policies = None,
    objective: str = OUTCOMES[0],
    seed: int = 1,
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
    policies
        Who plays the worlds out: one policy for both seats, or one a seat; the default policy when left out.
    objective
        What decides: ``"lead"``, legacy tokens more than the rival at the end, or ``"win"``, the share of the win.
    seed
        Root of the random numbers: the same seed and number of worlds give the same advice.
    racing, executor, workers, progress, cancel
        As for `byzanz_lab.evaluation.compare`.

    Raises
    ------
    TypeError
        If it is handed a State: that would be looking at the cards.
    ValueError
        If another seat is on the move, the game is over, or there is no such objective.

    Examples
    --------
    >>> position = Position.at_table("byzantine", "dromons 2xskoutatoi strategos", turn=12, territory=10)
    >>> advise(position, 500).best
    Meld('dromons 2xskoutatoi strategos')
    """
    begin, spend = time.perf_counter(), Budget.of(budget)
    options, option_of, left_out, game = _options(position, policies, objective, seed)
    if game is not None and spend.seconds is not None:
        spend = replace(spend, seconds=max(LEAST_SECONDS, spend.seconds - (time.perf_counter() - begin)))
    trial = ActionsTrial(position, options, policies_for(policies), seed, block_size(len(options)))
    result = compare(
        trial,
        spend,
        leading=objective,
        racing=racing,
        executor=executor,
        workers=workers,
        progress=progress,
        cancel=cancel,
    )
    return Advice(position, options, option_of, left_out, result, game)


def _options(
    position: Position, policies: Policies, objective: str, seed: int
) -> tuple[tuple[Action, ...], dict[Action, int], dict[Action, Action], Equilibrium | None]:
    """The actions to compare, what they stand for, those left out, and the meld game if there is one."""
    _require_move(position)
    if objective not in OUTCOMES:
        raise ValueError(f"there is no objective {objective!r}; there is {', '.join(OUTCOMES)}")
    if position.phase is not Phase.MELD:
        return *_grouped(position), {}, None
    game = equilibrium(position, outcome=objective, seed=seed, policies=policies)
    usual = policies_for(policies)[position.seat].choose(position, seed)
    options = tuple(dict.fromkeys([*game.candidates, usual]))
    left_out: dict[Action, Action] = {meld: by for meld, by in game.dominated.items() if meld not in options}
    return options, {meld: at for at, meld in enumerate(options)}, left_out, game


def _require_move(position: Position) -> None:
    if require_position(position).to_move != position.seat:
        where = "the game is over" if position.to_move is None else f"it is the turn of seat {position.to_move}"
        raise ValueError(f"there is nothing to advise seat {position.seat} on: {where}")


def _grouped(position: Position) -> tuple[tuple[Action, ...], dict[Action, int]]:
    """Options, and the option of each legal action: cards that differ by their names only make actions alike."""
    deck = position.table.deck
    options: list[Action] = []
    option_of: dict[Action, int] = {}
    number_of: dict[Any, int] = {}
    for action in position.legal_actions():
        codes = action.cards if isinstance(action, (Redraw, Meld)) else () if action.card is None else (action.card,)
        facts = sorted((c.kind, c.force, c.legacy, c.ages, c.unique) for c in map(deck.__getitem__, codes))
        number = number_of.setdefault(tuple(facts), len(options))
        if number == len(options):
            options.append(action)
        option_of[action] = number
    return tuple(options), option_of


def _or_dash(value: Estimate | None) -> str:
    return "–" if value is None else str(value)


@dataclass(frozen=True)
class AdviserPolicy:
    """Does what playouts name best, after a fixed number of them.

    Parameters
    ----------
    playouts
        Playouts a decision and option, on average; they are handed out by sequential halving.
    policy
        Who plays them out; the default policy when left out.
    mixes
        Whether it melds by the mixed strategy of the meld game, and not what is best against the usual rival.
    name
        Short name.
    """

    playouts: int = 32
    policy: CompiledPolicy | None = None
    mixes: bool = False
    name: str = "adviser"
    traits: ClassVar[Traits] = Traits(stochastic=True, counts_cards=True, reads_rivals=True, plays_out=True)
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
        _require_move(position)
        if position.phase is not Phase.MELD:
            options, _ = _grouped(position)
        elif self.mixes:
            game = equilibrium(position, seed=seed, policies=self.policy, fresh=2)  # nothing needs to be measured
            return game.draw(int(world_seeds(seed, 0, 1)[0, 1] >> 11) / 2**53)
        else:
            usual = policies_for(self.policy)[position.seat].choose(position, seed)
            options = tuple(dict.fromkeys([*candidates(position, seed=seed, policies=self.policy), usual]))
        if len(options) == 1:
            return options[0]
        trial = ActionsTrial(position, options, policies_for(self.policy), seed, block_size=4)
        rounds = max(1, (len(options) - 1).bit_length())
        found = halve(trial, max(self.playouts * len(options), 4 * rounds * len(options)), workers=1)
        return options[found.best()]
