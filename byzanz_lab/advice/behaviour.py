"""Worlds that respect behaviour: what the others bid, and where they passed, says something about what they hold.

Before any inference all ways to lay the unseen cards are as likely. Rivals do not act at random, though: who passed at
two will seldom hold eleven. Given what was *seen* of the game so far (`Deed`, `deeds_of`), a `Belief` asks in each
world what the rival's policy would have done with the cards that this world gives it, and how well that agrees with
what it did. Each bid and each pass counts ``1 - softness`` where the policy would have bid the same cards, or passed
too, and `softness` where not: rivals are not the policy, and no single surprise may rule a world out. The product over
all bids and passes is the likelihood of the world (Bayes' rule; the uniform belief is the prior).

Worlds are drawn by *sampling importance resampling* (D. Rubin 1987), rival by rival: each world has `CANDIDATES`
uniform deals of its own, and each rival gets the hand that one of them gives it, picked with chances that go with its
likelihood, and with how likely it is that none of these cards is one that another rival has got already. So worlds stay
independent of each other, addressed by their number, and the same for every option; all means and standard errors stay
what they are without weights, and the statistics need to know nothing of it. What is lost is that the candidates are
finite in number: with few of them the belief lies between the uniform and the full one. How much the weights say is
told by the *effective sample size* (A. Kong 1992): so many of a hundred uniform worlds would count.

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
from scipy import special

from byzanz_lab.game.actions import Action, Bid, Discard, Pass, Sell
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.record import Record
from byzanz_lab.game.table import Phase, Table
from byzanz_lab.simulation import kernels as k
from byzanz_lab.simulation.answers import bids_with
from byzanz_lab.simulation.encoding import Start, encode, encode_action, pack, pack_counts, require_position
from byzanz_lab.simulation.policies import CompiledPolicy, Policy, brain_for
from byzanz_lab.simulation.seeds import DEAL, world_seeds
from byzanz_lab.simulation.worlds import deal_counts

SOFTNESS: Final = 0.05
"""Chance with which a rival does something else than its policy would."""
CANDIDATES: Final = 64
"""Uniform worlds out of which one is picked."""
CHOICE: Final = 3
"""Purpose of random numbers: which candidate is picked, and how the rest of the cards lies."""
APART: Final = 0xB31F
"""Turns a seed into that of the second of these."""
SWEEPS: Final = 2
"""Times that every rival's hand is picked, the later times with the hands of all others known."""
ESS_WORLDS: Final = 1024
"""Uniform worlds behind an effective sample size."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]
WAYS: Final = special.comb(np.arange(18)[:, None], np.arange(18))
"""Ways to choose so many cards of so many."""


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
    """The moment."""
    cards: int
    """What is known of its hand then, and what it has shown since of its hidden cards, packed."""
    answer: tuple[int, int]
    """What it did: type of action, packed cards."""


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
        known = self._start.board[k.HAND : k.HAND + self._start.seats]
        return np.sum([self._of_rival(rival, hands[:, rival] - known[rival]) for rival in self._rivals], axis=0)

    def _of_rival(self, rival: int, hidden: Ints) -> Floats:
        """The part of one rival, for its hidden cards, ``int64[n]``, packed."""
        cards, which = np.unique(hidden, return_inverse=True)
        logs = np.zeros(len(cards))
        for question in self._questions:
            if question.rival == rival:
                answers = bids_with(question.start, cards + question.cards, brain_for(self.policies))
                same = (answers == question.answer).all(axis=1)
                logs += np.where(same, log(1 - self.softness), log(self.softness))
        return logs[which]

    @property
    def _rivals(self) -> list[int]:
        """Those that hold cards which the seat does not know."""
        return [seat for seat, n in enumerate(self.position.unknown) if n]

    def relative_likelihoods(self, hands: Ints) -> Floats:
        """The same as factors, ``float64[n_worlds]``, 1 for the likeliest of these worlds."""
        return _weights(self.log_likelihoods(hands))

    @cached_property
    def effective_share(self) -> float:
        """Effective sample size of uniform worlds over their number: 1 where the deeds say nothing."""
        if not self._questions:
            return 1.0
        counts, _, _ = deal_counts(self._start, world_seeds(self.seed, 0, ESS_WORLDS, DEAL))
        weights = self.relative_likelihoods(pack_counts(counts))
        return float(weights.sum() ** 2 / (weights**2).sum()) / ESS_WORLDS

    # -- worlds ------------------------------------------------------------------------------------------------------

    def worlds(self, first: int, n: int) -> tuple[Ints, Bytes]:
        """Worlds ``first`` … ``first + n - 1``; each depends on the seed and its number alone.

        Returns
        -------
        hands, decks
            ``int64[n, n_seats]``, packed; ``int8[n, deck_left]``, kinds in drawing order.
        """
        start, per = self._start, self.candidates if self._questions else 1
        counts, decks, _ = deal_counts(start, world_seeds(self.seed, first * per, n * per, DEAL))
        if per == 1:
            return pack_counts(counts), decks
        hidden = (counts - start.known).reshape(n, per, start.seats, -1)
        order = _uniforms(self.seed ^ APART, first, n, len(start.pool))
        chosen = self._pick(hidden, _uniforms(self.seed, first, n, SWEEPS * start.seats), order)
        left = self._pool - chosen.sum(axis=1)
        return pack_counts(chosen + start.known), _in_order(left, order)[:, : start.deck_left]

    @cached_property
    def _pool(self) -> Ints:
        """How many unseen cards there are of each kind, ``int64[25]``."""
        return np.bincount(self._start.pool, minlength=self._start.known.shape[1])

    def _pick(self, hidden: Bytes, drawn: Floats, order: Floats) -> Ints:
        """Hidden cards of every seat, ``int64[n, n_seats, 25]``, out of candidates ``[n, candidates, n_seats, 25]``."""
        n = len(hidden)
        chosen = np.zeros((n, *hidden.shape[2:]), np.int64)
        packed = pack_counts(hidden)
        likely = {rival: self._of_rival(rival, packed[..., rival].ravel()).reshape(n, -1) for rival in self._rivals}
        for sweep in range(SWEEPS):
            for rival in self._rivals:
                chosen[:, rival] = 0
                free = self._pool - chosen.sum(axis=1)
                weights = _weights(likely[rival]) * _chance_to_be_free(hidden[:, :, rival], self._pool, free)
                heaped = weights.cumsum(axis=1)
                at = (heaped > drawn[:, sweep * self._start.seats + rival, None] * heaped[:, -1:]).argmax(axis=1)
                chosen[:, rival] = hidden[np.arange(n), at, rival]
                none = heaped[:, -1] == 0  # no candidate is free: any cards that are
                if none.any():
                    dealt = _in_order(free[none], order[none])[:, : self.position.unknown[rival]]
                    chosen[none, rival] = (dealt[..., None] == np.arange(free.shape[1])).sum(axis=1)
        return chosen

    @property
    def weighting(self) -> Weighting:
        """How much the deeds say, to be kept with an answer."""
        return Weighting(len(self._questions), self.effective_share, self.softness, self.candidates)


def _weights(logs: Floats) -> Floats:
    """Likelihoods up to a factor; the last axis holds the worlds that are compared."""
    return np.asarray(np.exp(logs - logs.max(axis=-1, keepdims=True)))


def _uniforms(seed: int, first: int, n: int, each: int) -> Floats:
    """Random numbers from 0 to 1, ``float64[n, each]``, of worlds ``first`` … ``first + n - 1``."""
    whole = world_seeds(seed, first * each, n * each, CHOICE) >> np.uint64(11)
    return np.asarray(whole.astype(float) / 2.0**53).reshape(n, each)


def _chance_to_be_free(cards: Bytes, pool: Ints, free: Ints) -> Floats:
    """Chance that cards drawn from the pool are among those that nobody has got, given their kinds.

    Parameters
    ----------
    cards
        ``int8[n, candidates, 25]``.
    pool, free
        ``int64[25]``, all unseen cards; ``int64[n, 25]``, those of them that nobody else has got.

    Returns
    -------
    numpy.ndarray
        ``float64[n, candidates]``.
    """
    taken = np.flatnonzero((free < pool).any(axis=0))
    chances = np.ones(cards.shape[:2])
    for kind in taken:
        chances *= WAYS[free[:, kind, None], cards[..., kind]] / WAYS[pool[kind], cards[..., kind]]
    return chances


def _in_order(counts: Ints, order: Floats) -> Bytes:
    """Cards given by counts ``[n, 25]``, as many in each row, in the order of random numbers: ``int8[n, m]``."""
    n, kinds = counts.shape
    laid = np.repeat(np.tile(np.arange(kinds, dtype=np.int8), n), counts.ravel()).reshape(n, -1)
    return np.ascontiguousarray(np.take_along_axis(laid, order[:, : laid.shape[1]].argsort(axis=1), axis=1))


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
            _, what, cards = encode_action(rival, action, table.market).tolist()
            moment = encode(Position(rival, table, Cards()))
            yield _Question(rival, moment, pack(table.known[rival] + shown), (what, cards))


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
