"""The game tree with all chance in the open: the deal and each lot, card by card.

`game.state.State` knows the whole deck from the start. A tree search wants the opposite: nothing is fixed before it is
drawn. A `Node` holds no deck; when cards are due it is a chance node, at which each kind comes with the probability of
drawing it from all cards that have not been drawn yet. The cards that are removed unseen are simply never drawn, which
comes to the same. A decision node asks the rules for what is legal, and offers it choice by choice (see `choices`).

``resampled`` deals anew what one seat cannot know, by `simulation.worlds.determinize`: rivals' unknown cards all come
from the first deal, so that the result is a node of the same tree, with a history of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from byzanz_lab.game.actions import Action
from byzanz_lab.game.cards import KINDS, Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, deal
from byzanz_lab.game.step import of_kinds
from byzanz_lab.interop.choices import CHOICES, WAIT, Composition, Word, word_of
from byzanz_lab.simulation.worlds import determinize

N_CHOICES: Final = WAIT
"""Choices of the game itself; to wait is none, and stands last in `CHOICES`."""


class Seen(NamedTuple):
    """Everything that a seat has seen and done since the game began."""

    dealt: Cards
    """Its own first cards; in a tree that begins in the middle of a game, its hand there."""
    played: Word
    """A code for each public choice and each card of a lot, in their order, see `code_name`."""
    chosen: Word
    """What it has chosen of an action that is not complete."""


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the game tree.

    Attributes
    ----------
    rules
        The rules of this game.
    left
        How many cards of each kind have not been drawn yet.
    dealt
        Kinds of the first deal, seat by seat, as far as they have been dealt.
    state
        The truth at the last decision, without a deck; ``None`` before the first lot is on the table.
    due
        How many cards are still to be drawn before the next decision.
    drawn
        Kinds drawn since the last decision.
    pending
        The action that is carried out once the cards are there.
    composing
        At a decision node, the action that is being named.
    played
        A code for each public choice and card since the tree began, see `Seen`.
    begun
        Hands at the root of a tree that begins in the middle of a game.
    """

    rules: Rules
    left: tuple[int, ...]
    due: int
    dealt: Word = ()
    state: State | None = None
    drawn: Word = ()
    pending: Action | None = None
    composing: Composition | None = None
    played: Word = ()
    begun: tuple[Cards, ...] = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self  # nothing in it can change

    @classmethod
    def root(cls, rules: Rules) -> Node:
        """The moment before the deal."""
        return cls(rules, rules.copies, rules.seats * rules.start_hand + rules.offers[0])

    @classmethod
    def at(cls, position: Position, seed: int, number: int = 0) -> Node:
        """A tree that begins in the middle of a game, in one world that fits what a seat knows.

        Nobody knows here what was dealt and played before: `seen` begins at this node, and it cannot be `resampled`.

        Parameters
        ----------
        position
            What the seat knows; it is not over.
        seed, number
            Root of the random numbers, and number of the world, as in `simulation.worlds.determinize`.
        """
        worlds = determinize(position, 1, seed, number)
        state = worlds.state(0)
        assert state.removed is not None
        left = (of_kinds(state.deck) + state.removed).counts
        return cls(position.rules, left, 0, begun=state.hands)._at(replace(state, deck=(), removed=None))

    @property
    def is_chance(self) -> bool:
        """Whether a card is drawn next."""
        return self.due > 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.due and self.state is not None and self.state.is_over

    @property
    def seat(self) -> int | None:
        """The seat that chooses next; ``None`` at a chance node and when the game is over."""
        return None if self.is_chance or self.state is None else self.state.to_move

    def outcomes(self) -> list[tuple[int, float]]:
        """At a chance node, each kind that can be drawn, and how likely it is."""
        total = sum(self.left)
        return [(kind, n / total) for kind, n in enumerate(self.left) if n]

    @property
    def choices(self) -> Word:
        """At a decision node, the choices of the seat on the move, ascending."""
        return self.composing.choices if self.composing else ()

    def after(self, what: int) -> Node:
        """The node after a card of this kind is drawn, or after this choice.

        Raises
        ------
        ValueError
            If no card of this kind is left, or the choice is not one of `choices`.
        """
        if self.is_chance:
            return self._draw(what)
        if self.composing is None:
            raise ValueError("the game is over")
        named = self.composing.choose(what)
        if isinstance(named, Composition):
            return replace(self, composing=named)
        assert self.state is not None and self.state.to_move is not None
        first = self.state.to_move * N_CHOICES
        played = (*self.played, *(first + choice for choice in word_of(named)))
        blank = replace(self.state, deck=(0,) * (2 * self.rules.offers[0]))  # how many cards come, not which
        ahead = blank.apply(named)
        due = self.state.table.deck_left - ahead.table.deck_left
        if due:
            return replace(self, due=due, pending=named, composing=None, played=played)
        return replace(self, played=played)._at(replace(ahead, deck=()))

    def _draw(self, kind: int) -> Node:
        if not 0 <= kind < len(KINDS) or not self.left[kind]:
            raise ValueError(f"no card of kind {kind} is left to be drawn")
        left = (*self.left[:kind], self.left[kind] - 1, *self.left[kind + 1 :])
        if self.state is None and len(self.dealt) < self.rules.seats * self.rules.start_hand:
            return replace(self, left=left, due=self.due - 1, dealt=(*self.dealt, kind))
        node = replace(self, left=left, due=self.due - 1, drawn=(*self.drawn, kind))
        return node if node.due else node._lay_out()

    def _lay_out(self) -> Node:
        """Carry out what waited for the cards that have been drawn."""
        lot = tuple(self.rules.seats * N_CHOICES + kind for kind in sorted(self.drawn))
        node = replace(self, played=self.played + lot, drawn=(), pending=None)
        if self.state is None:
            return node._at(replace(deal(self.rules, self.hands_dealt, self.drawn), deck=()))
        assert self.pending is not None
        return node._at(replace(self.state, deck=self.drawn).apply(self.pending))

    def _at(self, state: State, chosen: Word = ()) -> Node:
        composing = None if state.is_over else Composition.of(state.legal_actions(), chosen)
        return replace(self, state=state, composing=composing)

    # -- what a seat knows -------------------------------------------------------------------------------------------

    @property
    def hands_dealt(self) -> tuple[Cards, ...]:
        """Per seat, its first cards, as far as they have been dealt; or its hand where the tree begins."""
        if self.begun:
            return self.begun
        n = self.rules.start_hand
        return tuple(of_kinds(self.dealt[n * seat : n * (seat + 1)]) for seat in range(self.rules.seats))

    def position(self, seat: int) -> Position | None:
        """What a seat knows at the last decision; ``None`` before the first one."""
        return None if self.state is None else observe(self.state, seat)

    def chosen(self, seat: int) -> Word:
        """What a seat has chosen of an action that is not complete; nobody else knows."""
        return self.composing.chosen if self.composing and seat == self.seat else ()

    def seen(self, seat: int) -> Seen:
        """Everything that a seat has seen and done: its information state, with perfect recall."""
        return Seen(self.hands_dealt[seat], self.played, self.chosen(seat))

    def resampled(self, seat: int, seed: int) -> Node:
        """A node at which this seat has seen the same, with everything that it cannot know dealt anew.

        Uniform over all deals that fit what it has seen; what its rivals were up to is not read into it. What a rival
        has chosen of an action that is not complete is forgotten.

        Raises
        ------
        ValueError
            At a chance node, where nobody knows yet what is known next, and once the game is over.
        """
        if self.state is None or self.seat is None:
            raise ValueError("hidden cards are dealt anew at decisions only, this is none")
        if self.begun:
            raise ValueError("this tree does not begin with the deal: begin it anew in another world")
        world = determinize(observe(self.state, seat), 1, seed).state(0)
        hands, known = self.state.hands, self.state.table.known
        first: list[int] = []
        left = list(self.left)
        for other, dealt in enumerate(self.hands_dealt):
            old = Cards() if other == seat else hands[other] - known[other]
            new = Cards() if other == seat else world.hands[other] - known[other]
            left = [n + back - out for n, back, out in zip(left, old.counts, new.counts, strict=True)]
            first += [kind for kind, n in enumerate((dealt - old + new).counts) for _ in range(n)]
        node = replace(self, left=tuple(left), dealt=tuple(first))
        return node._at(replace(self.state, hands=world.hands), self.chosen(seat))


def code_name(code: int, rules: Rules) -> str:
    """What a code of `Seen` says, such as ``"2:pass"`` or ``"lot:Wi4"``."""
    who, what = divmod(code, N_CHOICES)
    return f"lot:{CHOICES[what]}" if who == rules.seats else f"{who}:{CHOICES[what]}"
