"""States set up by hand, for tests that need a certain moment of a game."""

from __future__ import annotations

from collections import Counter

import pytest

from byzanz_lab.companions.empire.actions import Meld
from byzanz_lab.companions.empire.cards import Deck, Heap, heap, parse_heap
from byzanz_lab.companions.empire.chance import Chance, Seeded
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.rules import RULES, Side
from byzanz_lab.companions.empire.state import State
from byzanz_lab.companions.empire.table import IllegalAction, Phase, Table

TEXT = """
leader general 3 u; leader duke 1 x2; recovery treasury 1 x4; troop guard 2 x6; troop levy 1 x8
negotiation envoy 0 x3
legacy icon 0 L1 x3; legacy church -2 L3 u; leader old-king 2 u early; troop old-guard 1 x3 early
troop knights 2 x2 middle; troop mercenaries 1 x2 late
northern foe huns 3 x2; northern foe khan 4 u; southern foe persians 3 x2; southern foe emirs 2 x2
natural disaster plague 2 x2; other disaster coup 2 x3; troop raiders 1 x8
troop horsemen 2 x6; troop old-raiders 1 x3 early
northern foe bulgars 4 x2 middle; southern foe ottomans 4 x2 late
"""


def small_deck() -> Deck:
    """A deck of few kinds, so that tests can count."""
    from byzanz_lab.companions.empire.deck_file import deck_from_dict

    sides: dict[str, list[dict[str, object]]] = {side: [] for side in Side}
    halves = TEXT.strip().split("northern foe huns")
    for side, text in zip(Side, (halves[0], "northern foe huns" + halves[1]), strict=True):
        for line in text.replace("\n", ";").split(";"):
            if line.strip():
                sides[side].append(_card(line.split()))
    head = {"format": "byzantine-empire-deck", "version": 1, "name": "Small"}
    return deck_from_dict({**head, **sides})


def _card(words: list[str]) -> dict[str, object]:
    at = next(i for i, word in enumerate(words) if word.lstrip("-").isdigit())
    card: dict[str, object] = {
        "code": words[at - 1],
        "name": words[at - 1].replace("-", " ").title(),
        "type": " ".join(words[: at - 1]),
        "force": int(words[at]),
    }
    for word in words[at + 1 :]:
        if word == "u":
            card["unique"] = True
        elif word[0] == "x":
            card["copies"] = int(word[1:])
        elif word[0] == "L":
            card["legacy"] = int(word[1:])
        else:
            card["ages"] = [word]
    return card


SMALL = small_deck()


def moment(
    emperor: str = "",
    foes: str = "",
    *,
    phase: Phase = Phase.MELD,
    to_move: int | None = None,
    turn: int = 1,
    territory: int = RULES.start_territory,
    legacy: tuple[int, int] = (10, 10),
    known: tuple[Heap, Heap] = ((), ()),
    discards: tuple[Heap, Heap] = ((), ()),
    removed: Heap = (),
    piles: tuple[Heap, Heap] | None = None,
    deck: Deck = SMALL,
    chance: Chance | None = None,
) -> State:
    """A state in which seat 0 is Emperor and seat 1 plays the Foes; by default the Foes decide.

    Whatever is not placed lies in the piles, unless those are given; then it is out of play.
    """
    hands = (parse_heap(emperor or "nothing"), parse_heap(foes or "nothing"))
    age, placed = RULES.age(turn), Counter((*hands[0], *hands[1], *discards[0], *discards[1], *removed))
    rest = [heap((deck.in_play(side, age) - placed).elements()) for side in Side]
    if piles is not None:
        removed = heap((*removed, *(Counter(rest[0] + rest[1]) - Counter(piles[0] + piles[1])).elements()))
        rest = list(piles)
    table = Table(
        deck, turn, 0, phase, 1 if to_move is None else to_move, territory, legacy, discards=discards,
        removed=removed, sizes=(len(hands[0]), len(hands[1])), known=known,
    )  # fmt: skip
    return State(table, hands, (None, None), (None, None), (rest[0], rest[1]), ((), ()), chance or Seeded(1))


def shipped(text: str) -> Heap:
    """Cards of the shipped deck, checked to be some."""
    cards = parse_heap(text)
    assert all(code in default_deck() for code in cards)
    return cards


def refused(state: State, action: object) -> str:
    """Why an action is refused."""
    with pytest.raises(IllegalAction) as error:
        state.apply(action)  # type: ignore[arg-type]
    assert not state.can(action)  # type: ignore[arg-type]
    return str(error.value)


def fought(emperor: str, foes: str, left: tuple[str, str] = ("", ""), **options: object) -> State:
    """The state after both have melded these cards; ``left`` stays in their hands."""
    state = moment(f"{emperor} {left[0]}", f"{foes} {left[1]}", **options)  # type: ignore[arg-type]
    return state.apply(Meld(foes)).apply(Meld(emperor))
