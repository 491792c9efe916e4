"""Worlds that respect behaviour: what the others bid, and where they passed, says something about what they hold.

Before any inference all ways to lay the unseen cards are as likely. Rivals do not act at random, though: who passed at
two will seldom hold eleven. Given what was *seen* of the game so far (`Deed`, `deeds_of`), a `Belief` asks in each
world what the rival's policy would have done with the cards that this world gives it, and how well that agrees with
what it did. Each bid and each pass counts ``1 - softness`` where the policy would have bid the same total, or passed
too, and `softness` where not: rivals are not the policy, and no single surprise may rule a world out. The product over
all bids and passes is the likelihood of the world (Bayes' rule; the uniform belief is the prior).

Worlds are drawn by *sampling importance resampling* (D. Rubin 1987): every world is one of `CANDIDATES` uniform ones of
its own, picked with chances that go with their likelihoods. So worlds stay independent of each other, addressed by
their number, and the same for every option; all means and standard errors stay what they are without weights, and the
statistics need to know nothing of it. What is lost is that a candidate set is finite: with few candidates the belief
lies between the uniform and the full one. How much the weights say is told by the *effective sample size* (A. Kong
1992): so many of a hundred uniform worlds would count.

Only what all could see goes in, and the asking seat's own cards: two truths that look the same give the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from typing import Final, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.game.actions import Action, Bid, Discard, Pass, Sell
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.record import Record
from byzanz_lab.game.table import Phase, Table
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.encoding import Start, encode, pack, pack_counts, require_position
from byzanz_lab.simulation.policies import CompiledPolicy, Policy, brain_for
from byzanz_lab.simulation.running import run
from byzanz_lab.simulation.seeds import DEAL, world_seeds
from byzanz_lab.simulation.worlds import deal_counts

SOFTNESS: Final = 0.1
"""Chance with which a rival does something else than its policy would."""
CANDIDATES: Final = 64
"""Uniform worlds out of which one is picked."""
CHOICE: Final = 3
"""Purpose of random numbers: which candidate is picked."""
ESS_WORLDS: Final = 1024
"""Uniform worlds behind an effective sample size."""
ROWS: Final = 3
"""Rows of a log that a question needs: the bid, the tax, and one at which the game is stopped."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Deed:
    """Something that all could see: what was done, and the table on which it was done.

    Attributes
    ----------
    table
        What all could see just before.
    seat
        Who did it.
    action
        What.
    """

    table: Table
    seat: int
    action: Action


@runtime_checkable
class Remembering(Policy, Protocol):
    """A policy that is told what was seen of the game so far, in tournaments."""

    def choose_after(self, seen: Sequence[Deed], position: Position, seed: int = 0) -> Action:
        """As `Policy.choose`, with everything that was done before, in order."""
        ...


def deeds_of(record: Record, before: int | None = None) -> tuple[Deed, ...]:
    """What all could see of a recorded game.

    Parameters
    ----------
    record
        The game, finished or not; nothing that was hidden enters.
    before
        Only what was done before the action of this number; everything if not given.

    Raises
    ------
    InvalidRecord
        If an action is not allowed.

    Examples
    --------
    >>> from byzanz_lab import Rules, default_policy, new_game, play_game
    >>> record = play_game([default_policy()] * 3, new_game(Rules.for_seats(3), seed=1))
    >>> deeds = deeds_of(record, before=5)
    >>> len(deeds), type(deeds[0].action).__name__ in ("Bid", "Pass")
    (5, True)
    """
    turns = (turn for turn in record.states() if before is None or turn.number < before)
    return tuple(Deed(turn.state.table, turn.seat, turn.action) for turn in turns)


@dataclass(frozen=True)
class Weighting:
    """How much what was seen says about the hidden cards.

    Attributes
    ----------
    deeds
        Number of bids and passes that were asked about.
    effective_share
        Effective sample size of uniform worlds over their number, 0 to 1; 1 where the deeds say nothing.
    softness, candidates
        As in `Belief`.
    """

    deeds: int
    effective_share: float
    softness: float
    candidates: int

    @property
    def sentence(self) -> str:
        """The same in a sentence."""
        if not self.deeds:
            return "Nothing that was seen says more about the hidden cards: all ways to lay them are as likely."
        return (
            f"Worlds weighted by {self.deeds} bids and passes seen: effective sample size "
            f"{100 * self.effective_share:.0f} of 100 uniform worlds."
        )


class _Question(NamedTuple):
    """One bid or pass of a rival: what would its policy have done there."""

    rival: int
    start: Start
    """The moment, with all others out of the auction."""
    cards: int
    """What is known of its hand then, and what it has shown since of its hidden cards, packed."""
    total: int
    """What it bid in all; 0 where it passed."""


@dataclass(frozen=True, eq=False)
class Belief:
    """What a seat may believe of the hidden cards, having seen what was done.

    Parameters
    ----------
    position
        What the seat knows.
    seen
        Everything that was done since the deal, in order, see `deeds_of`. Without any, the belief is uniform.
    policies
        Who is thought to bid, one a seat. Deeds of a rival that is thought to leave things to chance say nothing.
    seed
        Root of the random numbers.
    softness
        Chance with which a rival does something else, above 0 and at most one half; at one half deeds say nothing.
    candidates
        Uniform worlds out of which one is picked, 1 or more; with 1 the belief is uniform.

    Raises
    ------
    TypeError
        If it is given a State: that would be looking at the cards.
    ValueError
        If the deeds are of another game, or an argument is out of range.

    Examples
    --------
    >>> from byzanz_lab import Rules, observe
    >>> from byzanz_lab.simulation.playouts import play_logged
    >>> from byzanz_lab.simulation.policies import default_policy
    >>> record, _ = play_logged(Rules.for_seats(4), seed=1)
    >>> turn = list(record.states())[30]
    >>> belief = Belief(observe(turn.state, turn.seat), deeds_of(record, 30), (default_policy(),) * 4, seed=1)
    >>> 0 < belief.effective_share < 1
    True
    """

    position: Position
    seen: Sequence[Deed]
    policies: tuple[CompiledPolicy, ...]
    seed: int = 1
    softness: float = SOFTNESS
    candidates: int = CANDIDATES

    def __post_init__(self) -> None:
        require_position(self.position)
        object.__setattr__(self, "seen", tuple(self.seen))
        if not 0 < self.softness <= 0.5:
            raise ValueError(f"softness lies above 0 and at most at one half, not at {self.softness}")
        if self.candidates < 1:
            raise ValueError(f"a world is picked out of 1 candidate or more, not of {self.candidates}")
        _ = self._questions

    # -- likelihoods -------------------------------------------------------------------------------------------------

    @cached_property
    def _start(self) -> Start:
        return encode(self.position)

    @cached_property
    def _questions(self) -> tuple[_Question, ...]:
        """Bids and passes of rivals that hold cards which the seat does not know."""
        unknown = self.position.unknown
        doubtful = [
            seat for seat, n in enumerate(unknown) if n and not self.policies[seat].traits.stochastic
        ]  # the seat itself has no unknown cards
        return tuple(question for rival in doubtful for question in _asked(self.position, self.seen, rival))

    def log_likelihoods(self, hands: Ints) -> Floats:
        """Logarithm of how likely the deeds are in worlds with these hands.

        Parameters
        ----------
        hands
            ``int64[n_worlds, n_seats]``, packed (see `kernels`).

        Returns
        -------
        numpy.ndarray
            ``float64[n_worlds]``, 0 or less.
        """
        found = np.zeros(len(hands))
        agrees, differs = log(1 - self.softness), log(self.softness)
        known = self._start.board[k.HAND : k.HAND + self._start.seats]
        hidden: dict[int, tuple[Ints, Ints]] = {}
        for question in self._questions:
            rival = question.rival
            if rival not in hidden:
                hidden[rival] = np.unique(hands[:, rival] - known[rival], return_inverse=True)
            cards, which = hidden[rival]
            same = self._bids(question, cards) == question.total
            found += np.where(same, agrees, differs)[which]
        return found

    def relative_likelihoods(self, hands: Ints) -> Floats:
        """The same as factors, ``float64[n_worlds]``, 1 for the likeliest of these worlds."""
        return _weights(self.log_likelihoods(hands))

    def _bids(self, question: _Question, hidden: Ints) -> Ints:
        """What the rival's policy would have bid in all, with each of these hidden cards; 0 where it would pass."""
        start, n = question.start, len(hidden)
        hands = np.zeros((n, start.seats), np.int64)
        hands[:, question.rival] = hidden + question.cards
        decks = np.zeros((n, start.deck_left), np.int8)
        brain = brain_for(self.policies)
        lots = run(start, brain, np.ones(n, np.uint64), worlds=(hands, decks), log_rows=ROWS).lots[:, 0]
        return np.where(lots[:, 0] == question.rival, lots[:, 1], 0).astype(np.int64)

    @cached_property
    def effective_share(self) -> float:
        """Effective sample size of uniform worlds over their number: 1 where the deeds say nothing."""
        if not self._questions:
            return 1.0
        counts, _, _ = deal_counts(self._start, world_seeds(self.seed, 0, ESS_WORLDS, DEAL))
        weights = self.relative_likelihoods(pack_counts(counts))
        return float(weights.sum() ** 2 / (weights**2).sum()) / ESS_WORLDS

    # -- worlds ------------------------------------------------------------------------------------------------------

    def worlds(self, first: int, n: int) -> tuple[Ints, NDArray[np.int8]]:
        """Worlds ``first`` … ``first + n - 1``; each depends on the seed and its number alone.

        Returns
        -------
        hands, decks
            ``int64[n, n_seats]``, packed; ``int8[n, deck_left]``, kinds in drawing order.
        """
        per = self.candidates if self._questions else 1
        counts, decks, _ = deal_counts(self._start, world_seeds(self.seed, first * per, n * per, DEAL))
        hands = pack_counts(counts)
        if per == 1:
            return hands, decks
        heaped = _weights(self.log_likelihoods(hands).reshape(n, per)).cumsum(axis=1)
        drawn = (world_seeds(self.seed, first, n, CHOICE) >> np.uint64(11)).astype(float) / 2.0**53
        picked = (heaped > drawn[:, None] * heaped[:, -1:]).argmax(axis=1) + per * np.arange(n)
        return hands[picked], decks[picked]

    @property
    def weighting(self) -> Weighting:
        """How much the deeds say, to be kept with an answer."""
        return Weighting(len(self._questions), self.effective_share, self.softness, self.candidates)


def _weights(logs: Floats) -> Floats:
    """Likelihoods up to a factor; the last axis holds the worlds that are compared."""
    return np.asarray(np.exp(logs - logs.max(axis=-1, keepdims=True)))


def _asked(position: Position, seen: Sequence[Deed], rival: int) -> Iterator[_Question]:
    """The bids and passes of one rival, the latest first, each with what is known by now of its hand at that time."""
    shown = Cards()
    for deed in reversed(seen):
        if deed.seat != rival:
            continue
        table, action = deed.table, deed.action
        if isinstance(action, (Bid, Sell, Discard)):
            shown += action.cards.monus(table.known[rival])
        hidden = table.sizes[rival] - len(table.known[rival])
        if table.rules != position.rules or hidden != len(shown) + position.unknown[rival]:
            raise ValueError(
                f"the deeds do not lead to this position: seat {rival} had {hidden} unknown cards before it did "
                f"{action}, and {len(shown) + position.unknown[rival]} by what is known now"
            )
        if table.phase is Phase.AUCTION and isinstance(action, (Bid, Pass)):
            total = (table.bids[rival] + action.cards).total if isinstance(action, Bid) else 0
            yield _Question(rival, alone(table, rival), pack(table.known[rival] + shown), total)


def alone(table: Table, rival: int) -> Start:
    """A moment of an auction with all others out of it, so that it ends with what this rival does next."""
    start = encode(Position(rival, table, Cards()))
    board = start.board.copy()
    out = [seat for seat in table.still_in if seat != rival]
    for seat in out:
        board[k.PASSED + seat] = 1
    passes = (*table.passes, *out)
    board[[k.N_PASSED, k.FIRST_PASS]] = len(passes), passes[0] if passes else -1
    board[k.TO_MOVE] = rival
    return replace(start, board=board)
