"""What hypothesis draws for tests of the rules: cards, hands, actions."""

from __future__ import annotations

from hypothesis import strategies as st

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import GROUPS, KINDS, Cards
from byzanz_lab.game.rules import Rules

PACK = [code for code, n in zip(KINDS, Rules.copies, strict=True) for _ in range(n)]
"""All 112 cards."""


def piles() -> st.SearchStrategy[Cards]:
    """Any part of the pack."""
    return st.tuples(*(st.integers(0, n) for n in Rules.copies)).map(Cards.from_counts)


def hands(least: int = 0, most: int = 9) -> st.SearchStrategy[Cards]:
    """A hand dealt from the pack."""
    places = st.lists(st.integers(0, len(PACK) - 1), min_size=least, max_size=most, unique=True)
    return places.map(lambda drawn: Cards(PACK[place] for place in drawn))


def narrow_hands(most: int = 9) -> st.SearchStrategy[Cards]:
    """A hand of two goods and dealers only, so that there is much to choose when it is sold."""
    few = [code for code in PACK if code[:2] in ("Wi", "Sp", "D")]
    places = st.lists(st.integers(0, len(few) - 1), max_size=most, unique=True)
    return places.map(lambda drawn: Cards(few[place] for place in drawn))


def actions() -> st.SearchStrategy[Action]:
    """Any action, legal somewhere or not."""
    return st.one_of(
        st.sampled_from([Pass(), Decline(), Done()]),
        st.builds(Tax, st.sampled_from(KINDS)),
        st.builds(Take, st.sampled_from(GROUPS)),
        st.builds(Bid, hands(1)),
        st.builds(Sell, hands(1)),
        st.builds(Discard, hands(1)),
    )
