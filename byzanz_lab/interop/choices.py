"""Actions as short sequences of choices out of one fixed list.

Byzanz has thousands of possible bids and discards; learners and tree searches want a small fixed list to choose from.
So an action is named step by step: a bid is its cards, one by one in the order of `KINDS`, and then ``end``; a discard
likewise; a set to sell is ``sell`` and three cards; a tax card, a group of the market, a pass are one choice each.
Every action has exactly one such sequence, its *word*, and no word begins another one.

Nothing here knows what is legal. A `Composition` is given the legal actions, and offers at each step the choices that
lead on to one of them: there are no dead ends, and whatever is offered ends in a legal action.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import GROUPS, KIND_INDEX, KINDS, Cards

CHOICES: Final = (*KINDS, *(f"take {group}" for group in GROUPS), "end", "pass", "decline", "done", "sell", "wait")
"""Names of all choices; a choice is its place in this list.

The 25 kinds of card name cards of a bid, a discard or a set, and the tax card; ``take …`` takes a group of the market;
``end`` says that a bid or a discard is complete; ``sell`` begins a set. ``wait`` is what a seat may do that has nothing
to decide; it is no action of the game.
"""

CHOICE: Final = {name: choice for choice, name in enumerate(CHOICES)}
"""Name of a choice -> its place in `CHOICES`."""

WAIT: Final = CHOICE["wait"]
_FIRST_GROUP: Final = CHOICE[f"take {GROUPS[0]}"]
_END, _SELL = CHOICE["end"], CHOICE["sell"]
_PLAIN: Final[dict[type, int]] = {Pass: CHOICE["pass"], Decline: CHOICE["decline"], Done: CHOICE["done"]}

Word = tuple[int, ...]
"""The choices that name an action, in their order."""


def word_of(action: Action) -> Word:
    """The choices that name an action.

    Examples
    --------
    >>> [CHOICES[choice] for choice in word_of(Bid("Wi4 2xSp1"))]
    ['Sp1', 'Sp1', 'Wi4', 'end']
    >>> [CHOICES[choice] for choice in word_of(Sell("D Cl2 Cl1"))]
    ['sell', 'Cl1', 'Cl2', 'D']
    """
    if isinstance(action, (Bid, Discard)):
        return (*_kinds(action.cards), _END)
    if isinstance(action, Sell):
        return (_SELL, *_kinds(action.cards))
    if isinstance(action, Tax):
        return (KIND_INDEX[action.card],)
    if isinstance(action, Take):
        return (_FIRST_GROUP + GROUPS.index(action.good),)
    return (_PLAIN[type(action)],)


@lru_cache(maxsize=1 << 16)
def _kinds(cards: Cards) -> Word:
    return tuple(kind for kind, n in enumerate(cards.counts) for _ in range(n))


@dataclass(frozen=True, slots=True)
class Composition:
    """An action that is being named, choice by choice.

    Attributes
    ----------
    words
        The words that can still be completed, sorted, each with its action.
    chosen
        What has been chosen so far: all these words begin with it.

    Examples
    --------
    >>> composing = Composition.of([Pass(), Bid("Wi4"), Bid("Sp2 Wi4"), Bid("Sp2 Wo1")])
    >>> [CHOICES[choice] for choice in composing.choices]
    ['Sp2', 'Wi4', 'pass']
    >>> after = composing.choose(CHOICE["Sp2"])
    >>> [CHOICES[choice] for choice in after.choices]
    ['Wi4', 'Wo1']
    >>> after.choose(CHOICE["Wo1"]).choose(CHOICE["end"])
    Bid('Sp2 Wo1')
    """

    words: tuple[tuple[Word, Action], ...]
    chosen: Word = ()

    @classmethod
    def of(cls, actions: Iterable[Action], chosen: Word = ()) -> Composition:
        """Begin with the legal actions, or go on with what has been chosen of one of them."""
        words = [(word_of(action), action) for action in actions]
        kept = [pair for pair in words if pair[0][: len(chosen)] == chosen] if chosen else words
        return cls(tuple(sorted(kept, key=_by_word)), chosen)

    @property
    def choices(self) -> Word:
        """The choices that lead on to a legal action, ascending."""
        at = len(self.chosen)
        return tuple(sorted({word[at] for word, _ in self.words}))

    def choose(self, choice: int) -> Composition | Action:
        """What comes of a choice: the action if it is now complete, else the longer composition.

        Raises
        ------
        ValueError
            If the choice is not one of `choices`.
        """
        chosen = (*self.chosen, choice)
        first = bisect_left(self.words, chosen, key=_by_word)
        stop = bisect_left(self.words, (*self.chosen, choice + 1), key=_by_word)
        if first == stop:
            raise ValueError(f"{named(choice)} is not one of the choices here: {listed(self.choices)}")
        word, action = self.words[first]
        return action if len(word) == len(chosen) else Composition(self.words[first:stop], chosen)


def _by_word(pair: tuple[Word, Action]) -> Word:
    return pair[0]


def named(choice: int) -> str:
    """The name of a choice, or the number itself where there is no such choice."""
    return repr(CHOICES[choice]) if 0 <= choice < len(CHOICES) else repr(choice)


def listed(choices: Iterable[int]) -> str:
    """Names of some choices, for sentences."""
    return ", ".join(CHOICES[choice] for choice in choices) or "none"
