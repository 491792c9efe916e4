"""The whole truth at one moment of a deal, and how it changes.

``State`` is frozen: ``apply`` checks an action and gives the state after it. `new_game` shuffles and deals, `deal`
begins from given cards. A game is one deal for each player, each with another dealer (ruling *score*); `standings`
adds the deals up.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from byzanz_lab.companions.byzantium.actions import Action
from byzanz_lab.companions.byzantium.cards import CARDS, Cards, parse_card
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.table import IllegalAction, Table, after, legal_actions, verify
from byzanz_lab.companions.byzantium.tableau import Tableau

NO_CARDS = Cards()


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal, or a whole game, ended.

    Attributes
    ----------
    left
        Per seat, points against it: cards left in hand (alone: not placed). Lowest wins (ruling *score*).
    winners
        Seats that won; several if they share. Alone: seat 0 if all cards were placed, else nobody.
    """

    left: tuple[int, ...]
    winners: tuple[int, ...]

    @classmethod
    def of(cls, left: Sequence[int]) -> Result:
        """The result for these points: lowest wins, ties are shared; alone only 0 wins."""
        best = min(left) if len(left) > 1 else 0
        return cls(tuple(left), tuple(seat for seat, points in enumerate(left) if points == best))


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a deal, hidden cards included.

    Attributes
    ----------
    table
        What all can see.
    hands
        Per seat, cards in hand; alone, the one card that was drawn.
    kitty
        Cards set aside unseen, with two players.
    deck
        Alone: card codes still to be drawn, in that order.
    """

    table: Table
    hands: tuple[Cards, ...]
    kitty: Cards
    deck: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.table.rules

    @property
    def tableau(self) -> Tableau:
        """The cards on the table."""
        return self.table.tableau

    @property
    def to_move(self) -> int | None:
        """The seat that decides, ``None`` when the deal is over."""
        return self.table.to_move

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return self.table.is_over

    @property
    def scores(self) -> tuple[int, ...]:
        """Per seat, the points against it if the deal ended now: cards in hand; alone, cards not placed."""
        if self.rules.is_solitaire:
            return (self.rules.win - len(self.tableau),)
        return self.table.sizes

    def result(self) -> Result:
        """Points and winners of the deal (ruling *score*).

        Raises
        ------
        ValueError
            If the deal is not over.
        """
        if not self.is_over:
            raise ValueError("the deal is not over yet")
        return Result.of(self.scores)

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

    def legal_actions(self) -> tuple[Action, ...]:
        """All legal actions of the seat on the move, in a fixed order; none when the deal is over."""
        if self.to_move is None:
            return ()
        return legal_actions(self.table, self.hands[self.to_move], self.to_move)

    def apply(self, action: Action, seat: int | None = None) -> State:
        """The state after ``seat`` (by default the one on the move) does this.

        Raises
        ------
        IllegalAction
            If the rules do not allow it; this state stays as it was.
        """
        actor = self._actor(seat)
        self.verify(action, actor)
        table = after(self.table, self.hands[actor], action)
        if self.rules.is_solitaire:
            drawn = Cards() if table.is_over else Cards(self.deck[:1])
            return State(table, (drawn,), self.kitty, self.deck[len(drawn) :])
        hand = self.hands[actor] & table.unplaced
        return State(table, tuple(hand if s == actor else h for s, h in enumerate(self.hands)), self.kitty, ())

    def _actor(self, seat: int | None) -> int:
        actor = self.to_move if seat is None else seat
        if actor is None:
            raise IllegalAction("the deal is over")
        if isinstance(actor, bool) or not isinstance(actor, int) or not 0 <= actor < self.rules.players:
            raise IllegalAction(f"there is no seat {actor!r}, seats are 0 to {self.rules.players - 1}")
        return actor


def new_game(rules: Rules, seed: int, dealer: int = 0) -> State:
    """Shuffle and deal.

    Parameters
    ----------
    rules
        The rules of the game.
    seed
        Any whole number; the same seed gives the same deal everywhere.
    dealer
        Seat of the dealer; the next one begins.
    """
    cards = list(CARDS)
    random.Random(seed).shuffle(cards)
    if rules.is_solitaire:
        return deal(rules, deck=cards, dealer=dealer)
    size = rules.dealt
    return deal(rules, [Cards(cards[size * s : size * (s + 1)]) for s in range(rules.players)], dealer=dealer)


def deal(
    rules: Rules,
    hands: Sequence[Cards | str | Iterable[str]] = (),
    deck: Iterable[str] = (),
    dealer: int = 0,
) -> State:
    """Begin a deal from given cards.

    Parameters
    ----------
    rules
        The rules of the game.
    hands
        Per seat, the cards dealt, with two to four players; those that nobody gets are the kitty.
    deck
        All 24 cards in the order in which they are drawn, alone.
    dealer
        Seat of the dealer.

    Raises
    ------
    ValueError
        If the cards do not add up; the message says how.

    Examples
    --------
    >>> state = new_game(Rules(2), seed=7)
    >>> state.to_move, len(state.kitty), state.legal_actions()[0]
    (1, 4, Place('B2', 'N'))
    """
    if isinstance(dealer, bool) or not isinstance(dealer, int) or not 0 <= dealer < rules.players:
        raise ValueError(f"there is no seat {dealer!r} to deal, seats are 0 to {rules.players - 1}")
    order = tuple(map(parse_card, deck))
    if rules.is_solitaire:
        if hands:
            raise ValueError("alone one has no hand: give the deck in drawing order")
        if len(Cards(order)) != len(CARDS):
            raise ValueError(f"the deck has {len(CARDS)} cards, not {len(order)}")
        table = Table(Tableau.empty(rules), dealer, 0, (1,), (NO_CARDS,), 0, NO_CARDS)
        return State(table, (Cards(order[:1]),), NO_CARDS, order[1:])
    if order:
        raise ValueError("only solitaire has a deck: give the hands")
    dealt = _checked_hands(rules, hands)
    n = rules.players
    table = Table(Tableau.empty(rules), dealer, (dealer + 1) % n, (rules.dealt,) * n, (NO_CARDS,) * n, 0, NO_CARDS)
    kitty = table.unplaced
    for hand in dealt:
        kitty = kitty - hand
    return State(table, dealt, kitty, ())


def _checked_hands(rules: Rules, hands: Sequence[Cards | str | Iterable[str]]) -> tuple[Cards, ...]:
    if len(hands) != rules.players:
        raise ValueError(f"{rules.players} players need {rules.players} hands, not {len(hands)}")
    dealt = tuple(map(Cards, hands))
    seen = NO_CARDS
    for seat, hand in enumerate(dealt):
        if len(hand) != rules.dealt:
            raise ValueError(f"seat {seat} is dealt {rules.dealt} cards, not {len(hand)}")
        if hand & seen:
            raise ValueError(f"{hand & seen} cannot be dealt twice")
        seen = seen + hand
    return dealt


def standings(results: Iterable[Result]) -> Result:
    """Add up the deals of a game, one for each player: lowest total wins, ties are shared (ruling *score*).

    Raises
    ------
    ValueError
        If there are no deals, or not as many as players, or they are of different numbers of players.

    Examples
    --------
    >>> standings([Result.of((0, 2)), Result.of((3, 0))])
    Result(left=(3, 2), winners=(1,))
    """
    deals = list(results)
    players = {len(one.left) for one in deals}
    if len(players) != 1:
        raise ValueError("a game needs deals, all of the same number of players")
    if len(deals) not in players:
        raise ValueError(f"a game of {players.pop()} players has a deal for each, not {len(deals)}")
    return Result.of([sum(one.left[seat] for one in deals) for seat in range(len(deals))])


def next_deal(state: State, seed: int) -> State:
    """The next deal of a game: the dealer to the left deals (ruling *score*)."""
    return new_game(state.rules, seed, (state.table.dealer + 1) % state.rules.players)
