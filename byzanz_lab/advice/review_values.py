"""Where a game was won: the value of every moment, and how it changed by draws and by choices.

The value of a moment is what each seat gets in the end if the policies play on from there, over all orders in which the
cards that are still to come may lie. Between two moments it changes by what was *done*, which is the doer's credit or
blame, and by what was *drawn*, which is luck. At the end it is the result, so that all changes together, and the value
before the deal, add up to the result exactly: nothing is left over (as in the analysis of luck in backgammon, and in
D. Zinkevich et al., "Optimal Unbiased Estimators for Evaluating Agent Performance", 2006).

Two views are possible. With *open cards* all hands count as known, and only the deck is hidden. From *one seat's view*
the rivals' unknown cards are hidden too; then what rivals do also changes the value by what it tells.

All moments are valued in the same worlds: each world is one random order of all cards, and what is hidden at a moment
lies in that order. So a choice that the policy would have made too changes nothing, exactly, and errors stay small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.actions import Action, Bid, Discard, Sell
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import Start, encode, encode_action, encode_deal
from byzanz_lab.simulation.playouts import Outcomes, play_out
from byzanz_lab.simulation.policies import CompiledPolicy, brain_for
from byzanz_lab.simulation.running import NO_LINE, run
from byzanz_lab.simulation.seeds import PLAY, world_seeds

BEFORE_DEAL: Final = 0xDEA1
"""Turns a seed into that of the worlds before the deal."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Change:
    """How one event of a game changed what each seat gets in the end.

    Attributes
    ----------
    number
        Index of the action in the record; -1 for the deal.
    seat
        Who did it; ``None`` for a draw.
    action
        What was done; ``None`` for a draw.
    cards
        What was drawn; no cards for a deed, and for the deal, which also draws the first lot.
    values
        ``float64[n_worlds, n_seats, 3]``: change in each world, by seat and in the order of `OBJECTIVES`.
    """

    number: int
    seat: int | None
    action: Action | None
    cards: Cards
    values: Floats


@dataclass(frozen=True, eq=False)
class Course:
    """The course of a game as changes of value.

    Attributes
    ----------
    before
        ``float64[n_worlds, n_seats, 3]``: value before the deal.
    changes
        In the order in which they came; with `before` they add up to the result, or to the value of the last moment.
    """

    before: Floats
    changes: tuple[Change, ...]

    @property
    def end(self) -> Floats:
        """``float64[n_worlds, n_seats, 3]``: the value of the last moment: of a finished game, its result."""
        return np.asarray(self.before + sum(change.values for change in self.changes))


def course_of(
    record: Record, view: int | None, players: tuple[CompiledPolicy, ...], worlds: int, seed: int
) -> Iterator[Change | Floats]:
    """Work out the course of a game: first the value before the deal, then its changes one by one.

    Parameters
    ----------
    record
        The game, finished or not.
    view
        Whose view; ``None`` for open cards.
    players
        Who plays on from each moment, one a seat.
    worlds, seed
        Number of worlds; root of all random numbers.
    """
    valuer = Valuer(record.rules, players, worlds, seed)
    before = valuer.before_deal(record.start_player)
    yield before
    state = record.initial()
    value = valuer(seen(state, view))
    yield Change(-1, None, None, state.table.lot, value - before)
    for number, (seat, action) in enumerate(record.moves):
        shown = showing(seen(state, view), seat, action)
        done = valuer(shown, seat, action)
        yield Change(number, seat, action, Cards(), done - value)
        value, drawn = done, state.table.deck_left
        state = state.apply(action, seat)
        if state.table.deck_left < drawn:
            value = valuer(seen(state, view))
            yield Change(number, None, None, _drawn(state), value - done)


def seen(state: State, view: int | None) -> Position:
    """What one seat knows at a moment; with ``None``, what all would know if they played with open cards."""
    if view is not None:
        return observe(state, view)
    return Position(0, replace(state.table, known=state.hands), state.hands[0])


def showing(position: Position, seat: int, action: Action) -> Position:
    """The same moment, with the cards that a seat is about to show known to be in its hand."""
    if seat == position.seat or not isinstance(action, (Bid, Sell, Discard)):
        return position
    known = list(position.table.known)
    known[seat] = known[seat] + action.cards.monus(known[seat])
    return replace(position, table=replace(position.table, known=tuple(known)))


def _drawn(state: State) -> Cards:
    """The lot just drawn; no cards where it went to the market at once (one-card lots)."""
    return state.table.lot


class Valuer:
    """Puts values on moments of one game, all in the same worlds.

    Parameters
    ----------
    rules
        Of the game.
    players
        Who plays on, one a seat.
    worlds, seed
        Number of worlds; root of all random numbers.
    """

    def __init__(self, rules: Rules, players: tuple[CompiledPolicy, ...], worlds: int, seed: int) -> None:
        self.rules, self.players, self.worlds, self.seed = rules, players, worlds, seed
        self._copies = np.array(rules.copies)
        draws = np.random.Generator(np.random.Philox(key=int(world_seeds(seed, 0, 1, PLAY)[0])))
        self._order = draws.random((worlds, int(self._copies.sum())))
        self._play_seeds = world_seeds(seed, 0, worlds, PLAY)

    def before_deal(self, start_player: int) -> Floats:
        """Value before a card is dealt, ``float64[n_worlds, n_seats, 3]``."""
        start = encode_deal(self.rules, start_player)
        return _objectives(play_out(start, *NO_LINE, self.players, self.seed ^ BEFORE_DEAL, 0, self.worlds))

    def __call__(self, position: Position, seat: int = 0, action: Action | None = None) -> Floats:
        """Value of a moment, or of what an action makes of it before anybody sees what it draws.

        Returns
        -------
        numpy.ndarray
            ``float64[n_worlds, n_seats, 3]``, by seat and in the order of `OBJECTIVES`.
        """
        start = encode(position)
        lines = NO_LINE
        if action is not None:
            lines = encode_action(seat, action, position.market)[None, None], np.ones(1, np.int64)
        played = run(start, brain_for(self.players), self._play_seeds, worlds=self.deal(start), lines=lines)
        return _objectives(Outcomes(*played[:3]))

    def deal(self, start: Start) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
        """Lay the unseen cards of a moment as each world has them: packed hands, and decks in drawing order.

        A world is an order of all cards. Of each kind, as many of its cards are left in the order as are unseen, always
        the same ones, so that what is left is in uniform order whatever was seen.
        """
        unseen = np.bincount(start.pool, minlength=len(self._copies))
        ids = np.concatenate(
            [first + np.arange(n) for first, n in zip(np.cumsum(self._copies) - self._copies, unseen, strict=True)]
        )
        kinds = np.repeat(np.arange(len(unseen), dtype=np.int8), unseen)
        laid = kinds[np.argsort(self._order[:, ids], axis=1, kind="stable")]
        hands = np.tile(start.board[k.HAND : k.HAND + start.seats], (self.worlds, 1))
        at = 0
        for seat, n in enumerate(start.unknown):
            hands[:, seat] += k.CARD[laid[:, at : at + n]].sum(axis=1)
            at += int(n)
        return hands, np.ascontiguousarray(laid[:, at : at + start.deck_left])


def _objectives(outcomes: Outcomes) -> Floats:
    seats = outcomes.profits.shape[-1]
    return np.stack([outcomes.objectives(seat)[:, 0] for seat in range(seats)], axis=1)
