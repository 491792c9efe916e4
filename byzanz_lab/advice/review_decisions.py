"""Decisions of a game, judged: what was done, what looks best, and what the difference cost.

Each decision is judged by what its seat could know then, never by cards it could not see. What cannot be told from the
best is *fine*, and so is a small loss; beyond that the words follow `LOSSES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from byzanz_lab.advice.advise import trial_for
from byzanz_lab.advice.options import Option, candidates_for
from byzanz_lab.advice.trial import PlayoutTrial
from byzanz_lab.evaluation import Estimate, compare
from byzanz_lab.game.actions import Action, Bid, Sell, format_action
from byzanz_lab.game.position import Position
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import encode, encode_action
from byzanz_lab.simulation.policies import CompiledPolicy

WORDS: Final = ("fine", "doubtful", "mistake", "blunder")
LOSSES: Final = {"profit": (0.25, 0.75, 1.5), "margin": (0.25, 0.75, 1.5), "win": (0.02, 0.05, 0.1)}
"""By objective: losses from which a decision is doubtful, a mistake, a blunder."""


@dataclass(frozen=True)
class Judged:
    """One decision of a game.

    Attributes
    ----------
    number
        Index of the action in the record.
    seat
        Who decided.
    position
        What that seat knew.
    action
        What it did.
    best
        What looks best; ``None`` is to wait, where a set was sold before it had to be.
    loss
        What the action gives away against the best, paired; 0 or more in the mean, exactly 0 for the best itself.
    is_level
        Whether the two cannot be told apart.
    word
        ``fine``, ``doubtful``, ``mistake`` or ``blunder``.
    choices
        Number of choices that were compared.
    """

    number: int
    seat: int
    position: Position
    action: Action
    best: Action | None
    loss: Estimate
    is_level: bool
    word: str
    choices: int

    @property
    def best_label(self) -> str:
        """The best in words."""
        return "wait" if self.best is None else label(self.position, self.best)

    @property
    def label(self) -> str:
        """What was done, in words."""
        return label(self.position, self.action)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "number": self.number,
            "seat": self.seat,
            "round": self.position.round,
            "phase": str(self.position.phase),
            "action": format_action(self.action),
            "best": None if self.best is None else format_action(self.best),
            "loss": self.loss.to_dict(),
            "level": self.is_level,
            "word": self.word,
            "choices": self.choices,
        }


def label(position: Position, action: Action) -> str:
    """An action in words: ``bid 5 with Sp3 Wo2``, or its text."""
    if isinstance(action, Bid):
        return f"bid {(position.bids[position.seat] + action.cards).total} with {action.cards}"
    return format_action(action)


def word_for(loss: Estimate, is_level: bool, objective: str) -> str:
    """What one calls a loss; level choices count as fine."""
    if is_level:
        return WORDS[0]
    return WORDS[sum(loss.mean >= least for least in LOSSES[objective])]


def judge(
    position: Position,
    action: Action,
    number: int,
    players: tuple[CompiledPolicy, ...],
    worlds: int,
    seed: int,
    objective: str,
    workers: int | None = None,
) -> Judged | None:
    """Judge one decision; ``None`` where there was no choice.

    Parameters
    ----------
    position
        What the deciding seat knew.
    action, number
        What it did, and the index of that in the record.
    players
        Who plays the worlds out, one a seat.
    worlds, seed
        Worlds a decision; root of all random numbers.
    objective
        What is lost.
    workers
        Threads.
    """
    early = isinstance(action, Sell) and position.phase not in (Phase.HAND_LIMIT, Phase.CLOSING)
    if early:
        actions: list[Action | None] = [None, action]
        trial = _selling_early(position, action, players, seed)
    else:
        options = _options(position, action, players)
        actions = [option.action for option in options]
        trial = trial_for(position, options, players, seed)
    if len(actions) < 2:
        return None
    compared = compare(trial, worlds, leading=objective, workers=workers)
    at, best = actions.index(action), compared.best(objective)
    loss = Estimate.exactly(0.0, compared.worlds) if at == best else compared.difference(best, at, objective)
    loss = replace(loss, of=f"{objective} that seat {position.seat} gives away")
    is_level = compared.verdicts(objective)[at] != "worse"
    word = word_for(loss, is_level, objective)
    return Judged(number, position.seat, position, action, actions[best], loss, is_level, word, len(actions))


def _options(position: Position, action: Action, players: Sequence[CompiledPolicy]) -> list[Option]:
    """The choices that advice would compare, with the best way known to pay each total, and what was done."""
    options = [group[0] for group in candidates_for(position, players[position.seat]).groups]
    if all(option.action != action for option in options):
        total = (position.bids[position.seat] + action.cards).total if isinstance(action, Bid) else None
        options.append(Option(action, total))
    return options


def _selling_early(position: Position, action: Action, players: tuple[CompiledPolicy, ...], seed: int) -> PlayoutTrial:
    """To wait, against selling a set before it has to be."""
    lines = np.zeros((2, 1, k.ACTION_SIZE), np.int64)
    lines[1, 0] = encode_action(position.seat, action, position.market)
    lengths, prices = np.array([0, 1], np.int64), np.array([-1, -1], np.int64)
    return PlayoutTrial(encode(position), lines, lengths, prices, position.seat, players, seed)
