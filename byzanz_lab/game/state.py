"""The whole truth at one moment, and how it changes.

``State`` holds the table and everything hidden: hands, the deck in drawing order, the removed cards. It is frozen;
``apply`` returns a new one, which `step.Step` works out. A game begins with ``new_game``, or with ``deal`` from cards
that are given.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from byzanz_lab.game.actions import Action
from byzanz_lab.game.cards import KIND_INDEX, N_KINDS, Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.sales import tie_cards
from byzanz_lab.game.step import NO_CARDS, Step, of_kinds
from byzanz_lab.game.table import IllegalAction, Phase, Table, legal_actions, verify


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Attributes
    ----------
    profits
        Per seat, points.
    goods_left
        Per seat, goods cards left in hand.
    winners
        Seats that share the win.

    Examples
    --------
    >>> Result.of(profits=[20, 23, 23], goods_left=[1, 0, 2]).winners
    (2,)
    """

    profits: tuple[int, ...]
    goods_left: tuple[int, ...]
    winners: tuple[int, ...]

    @classmethod
    def of(cls, profits: Sequence[int], goods_left: Sequence[int], tie_cards: Sequence[int] | None = None) -> Result:
        """Find the winners: most profit, then most cards that count (by default the goods left), then shared."""
        ranks = list(zip(profits, goods_left if tie_cards is None else tie_cards, strict=True))
        return cls(tuple(profits), tuple(goods_left), tuple(s for s, rank in enumerate(ranks) if rank == max(ranks)))


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game, hidden cards included.

    Attributes
    ----------
    table
        What all can see.
    hands
        Per seat, cards in hand (an open bid is not in hand).
    deck
        Kinds left in the deck, in drawing order. Shorter than `Table.deck_left` in the record of an unfinished game
        at a real table, where nobody knows the rest.
    removed
        Cards removed unseen; ``None`` where nobody knows them.

    Examples
    --------
    >>> from byzanz_lab import Pass
    >>> state = new_game(Rules.for_seats(4), seed=7)
    >>> state.to_move, len(state.legal_actions()) > 1
    (0, True)
    >>> state.apply(Pass()).to_move  # a new state; the old one is as it was
    1
    """

    table: Table
    hands: tuple[Cards, ...]
    deck: tuple[int, ...]
    removed: Cards | None

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self.table.rules

    @property
    def phase(self) -> Phase:
        """The decision that is due."""
        return self.table.phase

    @property
    def to_move(self) -> int | None:
        """The seat that decides, ``None`` when the game is over."""
        return self.table.to_move

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.phase is Phase.OVER

    @property
    def scores(self) -> tuple[int, ...]:
        """Per seat, profit so far in points."""
        return self.table.profits

    def result(self) -> Result:
        """Profits, goods left, and winners (ruling *tie*).

        Raises
        ------
        ValueError
            If the game is not over.
        """
        if not self.is_over:
            raise ValueError("the game is not over yet")
        goods = [hand.goods for hand in self.hands]
        return Result.of(self.scores, goods, [tie_cards(hand, self.rules) for hand in self.hands])

    def verify(self, action: Action, seat: int | None = None) -> None:
        """Raise `IllegalAction` with the reason unless ``seat`` (by default the one on the move) may do this."""
        actor = self._actor(seat)
        verify(self.table, self.hands[actor], actor, action)

    def can(self, action: Action, seat: int | None = None) -> bool:
        """Whether ``seat`` (by default the one on the move) may do this."""
        try:
            self.verify(action, seat)
        except IllegalAction:
            return False
        return True

    def legal_actions(self, seat: int | None = None) -> tuple[Action, ...]:
        """All legal actions of ``seat`` (by default the one on the move), in a fixed order."""
        if self.is_over:
            return ()
        actor = self._actor(seat)
        return legal_actions(self.table, self.hands[actor], actor)

    def apply(self, action: Action, seat: int | None = None) -> State:
        """The state after ``seat`` (by default the one on the move) does this.

        Raises
        ------
        IllegalAction
            If the rules do not allow it; this state stays as it was.
        """
        actor = self._actor(seat)
        verify(self.table, self.hands[actor], actor, action)
        step = Step(self.table, self.hands, self.deck)
        step.do(actor, action)
        return State(step.table(), tuple(step.hands), step.deck, self.removed)

    def _actor(self, seat: int | None) -> int:
        actor = self.table.to_move if seat is None else seat
        if actor is None:
            raise IllegalAction("the game is over")
        if isinstance(actor, bool) or not isinstance(actor, int) or not 0 <= actor < self.rules.seats:
            raise IllegalAction(f"there is no seat {actor!r}, seats are 0 to {self.rules.seats - 1}")
        return actor


def new_game(rules: Rules, seed: int, start_player: int = 0) -> State:
    """Shuffle and deal a game.

    Parameters
    ----------
    rules
        The rules of the game.
    seed
        Any whole number; the same seed gives the same game everywhere.
    start_player
        Seat that opens the first auction.

    Examples
    --------
    >>> state = new_game(Rules.for_seats(4), seed=7)
    >>> len(state.hands), len(state.table.lot), len(state.deck)
    (4, 5, 79)
    >>> new_game(Rules.for_seats(4), seed=7) == state
    True
    """
    kinds = [kind for kind, n in enumerate(rules.copies) for _ in range(n)]
    random.Random(seed).shuffle(kinds)
    dealt = rules.start_hand * rules.seats
    hands = [of_kinds(kinds[rules.start_hand * s : rules.start_hand * (s + 1)]) for s in range(rules.seats)]
    removed = of_kinds(kinds[dealt : dealt + rules.removed])
    return deal(rules, hands, kinds[dealt + rules.removed :], removed, start_player)


def deal(
    rules: Rules,
    hands: Sequence[Cards],
    deck: Iterable[int | str],
    removed: Cards | None = None,
    start_player: int = 0,
) -> State:
    """Begin a game from a given deal.

    Parameters
    ----------
    rules
        The rules of the game.
    hands
        Per seat, the cards dealt.
    deck
        Kinds or card codes in drawing order; may be cut short (a game at a real table that is not finished).
    removed
        Cards removed, or ``None`` where nobody knows them.
    start_player
        Seat that opens the first auction.

    Raises
    ------
    ValueError
        If the cards do not add up; the message says how.

    Examples
    --------
    >>> full = new_game(Rules.for_seats(3), seed=1)
    >>> lot = [kind for kind, n in enumerate(full.table.lot.counts) for _ in range(n)]
    >>> again = deal(full.rules, full.hands, [*lot, *full.deck], full.removed)
    >>> again.table.lot == full.table.lot
    True
    """
    kinds = tuple(map(_kind, deck))
    _check_deal(rules, hands, kinds, removed, start_player)
    n = rules.seats
    table = Table(
        rules=rules, phase=Phase.AUCTION, to_move=start_player, round=1, lot=NO_CARDS,
        offers=(0,) * n, bids=(NO_CARDS,) * n, passes=(), market=NO_CARDS, picked=0, profits=(0,) * n,
        sizes=tuple(len(hand) for hand in hands), known=(NO_CARDS,) * n, gone=NO_CARDS, done=(),
    )  # fmt: skip
    step = Step(table, tuple(hands), kinds)
    step.open_auction(start_player)
    return State(step.table(), tuple(step.hands), step.deck, removed)


def _kind(card: int | str) -> int:
    kind = KIND_INDEX.get(card, -1) if isinstance(card, str) else card
    if not 0 <= kind < N_KINDS:
        raise ValueError(f"unknown card {card!r} in the deck")
    return kind


def _check_deal(
    rules: Rules, hands: Sequence[Cards], deck: tuple[int, ...], removed: Cards | None, start_player: int
) -> None:
    if len(hands) != rules.seats:
        raise ValueError(f"{rules.seats} seats need {rules.seats} hands, not {len(hands)}")
    for seat, hand in enumerate(hands):
        if len(hand) != rules.start_hand:
            raise ValueError(f"seat {seat} is dealt {rules.start_hand} cards, not {len(hand)}")
    if isinstance(start_player, bool) or not 0 <= start_player < rules.seats:
        raise ValueError(f"there is no seat {start_player!r} to start, seats are 0 to {rules.seats - 1}")
    if removed is not None and len(removed) != rules.removed:
        raise ValueError(f"{rules.removed} cards are removed, not {len(removed)}")
    least = rules.offers[0] if removed is None else rules.cards_auctioned
    if not least <= len(deck) <= rules.cards_auctioned:
        raise ValueError(f"the deck has {rules.cards_auctioned} cards, not {len(deck)}")
    seen = of_kinds(deck)
    for cards in (*hands, *([] if removed is None else [removed])):
        seen = seen + cards
    most = Cards.from_counts(rules.copies)
    if not seen <= most:
        raise ValueError(f"the deal has more copies than exist: {seen.monus(most)} too many")
