"""Between the readable rules and the kernels: decks, positions and actions as arrays, and back.

The layout is described in `kernels`; `cards_of` gives the cards in the order of their numbers there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire import kernels as k
from byzanz_lab.companions.empire.actions import Action, HandOver, Meld, Negotiate, Redraw, Replace
from byzanz_lab.companions.empire.cards import Card, Deck
from byzanz_lab.companions.empire.position import Position, require_position
from byzanz_lab.companions.empire.rules import AGES, MELD_LIMITS, MOST_DISASTERS, RULES, Kind, Side
from byzanz_lab.companions.empire.table import Phase

KINDS: Final = (
    Kind.LEADER, Kind.RECOVERY, Kind.TROOP, Kind.NEGOTIATION, Kind.LEGACY, Kind.NORTHERN, Kind.SOUTHERN, Kind.NATURAL,
    Kind.OTHER,
)  # fmt: skip
"""Types in the kernels' order."""

MAX_LOG: Final = 12 * (8 + 1 + 4 * k.HAND)
"""Decisions, turns and draws of a game, at most."""

_STAGES: Final = {
    Phase.REDRAW: (k.REDRAW_E, k.REDRAW_F),
    Phase.MELD: (k.MELD_E, k.MELD_F),
    Phase.NEGOTIATION: (k.NEGOTIATE, k.NEGOTIATE),
    Phase.REPLACEMENT: (k.REPLACE, k.REPLACE),
    Phase.PASS: (k.PASS_E, k.PASS_F),
    Phase.OVER: (k.OVER, k.OVER),
}
"""Stage of a phase, by who decides (Emperor, Foe player)."""


@lru_cache(maxsize=32)
def cards_of(deck: Deck) -> tuple[Card, ...]:
    """The cards of a deck as kernels number them: by side, type and falling force."""
    return tuple(
        sorted(deck.cards, key=lambda c: (c.side.number, KINDS.index(c.kind), -c.force, -c.legacy, c.unique, c.code))
    )


def numbers(deck: Deck, codes: Iterable[str]) -> NDArray[np.int32]:
    """Cards by number, sorted."""
    places = _places(deck)
    return np.array(sorted(places[code] for code in codes), np.int32)


@lru_cache(maxsize=32)
def _places(deck: Deck) -> dict[str, int]:
    return {card.code: number for number, card in enumerate(cards_of(deck))}


@lru_cache(maxsize=32)
def info_of(deck: Deck) -> NDArray[np.int32]:
    """What kernels know of a deck and of the rules; not to be changed."""
    info = np.zeros((k.INFO_ROWS, k.ROOM), np.int32)
    turns = [1 + age * RULES.turns // len(AGES) for age in range(len(AGES))]
    rules = {
        k.R_TURNS: RULES.turns, k.R_AGES: len(AGES), k.R_MOST: RULES.most_territory, k.R_COST: RULES.collapse_cost,
        k.R_REDRAW: RULES.most_redrawn, k.R_DISASTERS: MOST_DISASTERS,
    }  # fmt: skip
    for place, number in rules.items():
        info[k.RULES, place] = number
    for side, by_kind in MELD_LIMITS.items():
        for kind, limit in by_kind.items():
            info[k.LIMITS + side.number, KINDS.index(kind)] = limit
        for age, turn in enumerate(turns):
            at = len(AGES) * side.number + age
            new = numbers(deck, deck.joining(side, age + 1))
            info[k.RULES, k.R_HANDS + at] = RULES.hand_size(side, turn)
            info[k.RULES, k.R_JOINS + at] = len(new)
            info[k.JOINS + at, : len(new)] = new
    for number, card in enumerate(cards_of(deck)):
        facts = (KINDS.index(card.kind), card.force, card.legacy, card.unique, card.ages[-1])
        info[k.KIND : k.LAST + 1, number] = facts
    return info


def blank_game(deck: Deck, log_rows: int = 0) -> k.Game:
    """An empty game to play in; with `MAX_LOG` rows it logs everything, with `kernels.SHORT_LOG` the turns."""
    return k.Game(
        store=np.zeros((k.STORE_ROWS, k.ROOM), np.int32),
        rng=np.ones(k.STREAMS, np.uint64),
        info=info_of(deck),
        log=np.zeros((log_rows, k.LOG_ROOM), np.int32),
    )


def encode_new_game(emperor: int = 0) -> k.Start:
    """The moment before a game, when nobody has seen a card: playouts from here are whole games."""
    store, nothing = np.zeros((k.STORE_ROWS, k.ROOM), np.int32), np.zeros(0, np.int32)
    head = store[k.HEAD]
    head[[k.STAGE, k.TURN, k.EMPEROR, k.TERRITORY, k.TARGET]] = k.BEGIN, 1, emperor, RULES.start_territory, -1
    head[k.LEGACY : k.LEGACY + 2] = RULES.start_legacy
    return k.Start(store, nothing, nothing, nothing, 0, 1, np.ones(1), -1)


def encode(position: Position) -> k.Start:
    """Lay out a Position for playouts, with the decision of its seat to be forced.

    Raises
    ------
    TypeError
        If it is anything but a Position.
    ValueError
        If another seat is on the move.
    """
    table, deck = require_position(position).table, position.table.deck
    if table.to_move is None or table.to_move != position.seat:
        whose = "the game is over" if table.to_move is None else f"it is the turn of seat {table.to_move}"
        raise ValueError(f"{whose}, and seat {position.seat} has nothing to decide")
    if max(len(position.held), table.sizes[position.rival]) > k.MOST_HELD:
        raise ValueError(f"a hand holds at most {k.MOST_HELD} cards; see position_faults")
    store = np.zeros((k.STORE_ROWS, k.ROOM), np.int32)
    head, forced = store[k.HEAD], _STAGES[table.phase][position.side.number]
    head[k.STAGE] = k.MELD_F if forced == k.MELD_E else forced  # the Foe player's meld is not known: he chooses again
    target = -1 if table.target is None else _places(deck)[table.target]
    head[[k.TURN, k.AGE, k.EMPEROR, k.TERRITORY, k.TARGET]] = (
        table.turn, table.age, table.emperor, table.territory, target
    )  # fmt: skip
    head[k.LEGACY : k.LEGACY + 2] = table.legacy
    own, rival = position.side.number, 1 - position.side.number
    for side in (own, rival):
        heaps = {
            (k.HANDS, k.N_HAND): position.held if side == own else position.rival_known,
            (k.DISCARDS, k.N_DISCARD): table.discards[side],
            (k.MELDS, k.N_MELD): table.melds[side],
        }
        for (row, count), codes in heaps.items():
            store[row + side, : len(codes)], head[count + side] = numbers(deck, codes), len(codes)
    sides = tuple(Side)
    unseen = position.unseen(sides[rival])
    usable = numbers(deck, (code for code in unseen.elements() if deck[code].usable(table.age)))
    dead = numbers(deck, (code for code in unseen.elements() if not deck[code].usable(table.age)))
    pile = numbers(deck, position.unseen(sides[own]).elements())
    odds = dead_odds(position, len(usable), len(dead))
    return k.Start(store, pile, usable, dead, position.rival_unknown, rival, odds, forced)


def dead_odds(position: Position, usable: int, dead: int) -> NDArray[np.float64]:
    """Cumulated odds that 0, 1, … of the rival's unknown cards are of an age that is over (ruling *dead-redraw*).

    Cards that he kept through the Age Phase can be used; those of his redraw can be any. All pairs of such hands are
    equally likely; counted by their union, a hand of ``u`` unknown cards after the redraw, of which ``b`` were drawn in
    it and ``d`` are dead, stands for the pairs in which all dead ones are among the ``b``: ``C(u - d, b - d)``. What he
    has shown since (``m`` usable and ``s`` dead cards) belongs to the union.

    Parameters
    ----------
    position
        What one seat knows.
    usable, dead
        Unseen cards of the rival's side by whether they can be used.

    Returns
    -------
    ``float64[n]``, ascending, the last one 1.
    """
    hidden, redrawn = position.rival_unknown, position.table.redrawn[position.rival]
    m, s = position.table.revealed[position.rival]
    union = hidden + m + s
    most = max(0, min(hidden, dead, redrawn - s))
    weights = np.array(
        [
            comb(dead, d) * comb(usable, hidden - d) * comb(union - s - d, max(redrawn - s - d, 0))
            for d in range(most + 1)
        ],
        dtype=float,
    )
    if not weights.sum():
        weights = np.eye(1, most + 1, max(0, hidden - usable))[0]
    odds = np.cumsum(weights) / weights.sum()
    odds[-1] = 1.0
    return odds


def encode_action(deck: Deck, action: Action) -> NDArray[np.int32]:
    """A row of a line: the number of cards, then the cards."""
    if isinstance(action, (Redraw, Meld)):
        cards = numbers(deck, action.cards)
    else:
        cards = numbers(deck, () if action.card is None else (action.card,))
    row = np.zeros(k.LINE, np.int32)
    row[0], row[1 : 1 + len(cards)] = len(cards), cards
    return row


def decode_action(deck: Deck, stage: int, row: Sequence[int] | NDArray[np.int32]) -> Action:
    """The action that a kernel decided on at a stage."""
    cards = cards_of(deck)
    codes = [cards[int(number)].code for number in row[1 : 1 + int(row[0])]]
    if stage in (k.REDRAW_F, k.REDRAW_E):
        return Redraw(codes)
    if stage in (k.MELD_F, k.MELD_E):
        return Meld(codes)
    card = codes[0] if codes else None
    if stage == k.NEGOTIATE:
        return Negotiate(card)
    return Replace(card) if stage == k.REPLACE else HandOver(card)
