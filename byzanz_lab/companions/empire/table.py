"""What both players can see, and what is legal: written once, for buttons, policies and records alike.

``verify`` raises `IllegalAction` with the reason, ``can`` of `State` and `Position` wraps it, ``apply`` calls it.

Some points on which the published rules are silent are settled here, so that the game has one course:

*open-discards*
    Whatever is discarded or removed lies face up; both players remember it.
*foe-first*
    In the Redraw Phase, the Meld Phase and the End Phase the Foe player decides first, as in the Draw Phase. In the
    Meld Phase nothing is seen of it before both have chosen.
*dead-redraw*
    The Redraw Phase comes after the Age Phase. So a card of an age that is over can be drawn in it; it is dead, and can
    only be passed or discarded.
*negotiated-card*
    A card taken out of the Foe meld by negotiation is a card of that meld: a unique one is removed from play.
*gain-at-cap*
    At 20 territory tokens nothing is gained, and so no legacy token is.
*loss-before-legacy*
    A lost legacy token is paid before those of legacy cards come in, which matters at 0 (ruling *legacy-floor*).
*no-last-pass*
    After the Legacy Phase of the last turn the game is over; no card is passed any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from byzanz_lab.companions.empire.actions import Action, HandOver, Meld, Negotiate, Redraw, Replace
from byzanz_lab.companions.empire.cards import Deck, Heap, heap
from byzanz_lab.companions.empire.rules import (
    AGES,
    DISASTERS,
    MELD_LIMITS,
    MOST_DISASTERS,
    RULES,
    TARGETS,
    Kind,
    Side,
)


class Phase(StrEnum):
    """The decision that is due. Draw, Age and Legacy Phase pass without one."""

    REDRAW = "redraw"
    MELD = "meld"
    NEGOTIATION = "negotiation"
    REPLACEMENT = "replacement"
    PASS = "pass"
    OVER = "over"


class IllegalAction(ValueError):
    """The rules do not allow the action; the message is the reason, fit to be shown to a player."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that both players see.

    Attributes
    ----------
    deck
        The cards of the game.
    turn
        From 1.
    emperor
        The seat that plays the Empire this turn; the other one plays the Foes.
    phase, to_move
        The decision that is due and the seat that takes it, ``None`` when the game is over.
    territory
        Territory tokens of the Empire.
    legacy
        Per seat, legacy tokens.
    discards
        Per side (Byzantine, Foes), the discard pile (ruling *open-discards*).
    removed
        Cards out of play for good.
    melds
        Per side, the revealed meld; empty but in the phases negotiation and replacement.
    target
        The card that negotiation took out of the Foe meld, in the phase replacement.
    sizes
        Per seat, cards held out of sight: the hand, a chosen meld, a card laid aside to be passed.
    known
        Per seat, those among them that the other seat knows of.
    redrawn
        Per seat, cards of unknown face drawn in this turn's Redraw Phase: only they can be of an age that is over
        (ruling *dead-redraw*).
    revealed
        Per seat, how many usable and how many dead cards it showed since then that the other seat did not know of.
    """

    deck: Deck
    turn: int
    emperor: int
    phase: Phase
    to_move: int | None
    territory: int
    legacy: tuple[int, int]
    discards: tuple[Heap, Heap] = ((), ())
    removed: Heap = ()
    melds: tuple[Heap, Heap] = ((), ())
    target: str | None = None
    sizes: tuple[int, int] = (0, 0)
    known: tuple[Heap, Heap] = ((), ())
    redrawn: tuple[int, int] = (0, 0)
    revealed: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))

    @property
    def age(self) -> int:
        """The age, 1 to 3."""
        return RULES.age(self.turn)

    @property
    def foe(self) -> int:
        """The seat that plays the Foes this turn."""
        return 1 - self.emperor

    def side_of(self, seat: int) -> Side:
        """What a seat plays this turn."""
        return Side.BYZANTINE if seat == self.emperor else Side.FOES

    def seat_of(self, side: Side) -> int:
        """Who plays a side this turn."""
        return self.emperor if side is Side.BYZANTINE else self.foe


def why_no_meld(deck: Deck, side: Side, age: int, cards: Iterable[str]) -> str | None:
    """Say why some cards are no meld of a side in an age; ``None`` if they are one."""
    kinds: Counter[Kind] = Counter()
    for code in cards:
        card = deck[code]
        if card.side is not side:
            return f"{card.name} is no {_ROLE[side]} card"
        if not card.usable(age):
            return f"{card.name} cannot be used in the {AGES[age - 1]} age"
        kinds[card.kind] += 1
    for kind, limit in MELD_LIMITS[side].items():
        if kinds[kind] > limit:
            return f"a meld may have at most {limit} {kind} card{'s' if limit > 1 else ''}, not {kinds[kind]}"
    disasters = sum(kinds[kind] for kind in DISASTERS)
    if disasters > MOST_DISASTERS:
        return f"a meld may have at most {MOST_DISASTERS} disasters, natural and other, not {disasters}"
    return None


def verify(table: Table, hand: Heap, seat: int, action: Action) -> None:
    """Raise `IllegalAction` with the reason unless a seat with this hand may do this."""
    if table.phase is Phase.OVER:
        raise IllegalAction("the game is over")
    if seat != table.to_move:
        raise IllegalAction(f"it is the turn of seat {table.to_move}, not of seat {seat}")
    wanted = _ACTIONS[table.phase]
    if not isinstance(action, wanted):
        raise IllegalAction(f"the decision is {table.phase}, not {str(action).partition(' ')[0]}")
    if isinstance(action, (Redraw, Meld)):
        _verify_held(table.deck, hand, action.cards)
    if isinstance(action, Redraw) and len(action.cards) > RULES.most_redrawn:
        raise IllegalAction(f"at most {RULES.most_redrawn} cards may be redrawn, not {len(action.cards)}")
    if isinstance(action, Meld):
        reason = why_no_meld(table.deck, table.side_of(seat), table.age, action.cards)
        if reason:
            raise IllegalAction(reason)
    if isinstance(action, Negotiate) and action.card is not None:
        _verify_target(table, action.card)
    if isinstance(action, Replace) and action.card is not None:
        _verify_replacement(table, hand, action.card)
    if isinstance(action, HandOver):
        assert action.card is not None  # HandOver makes sure
        _verify_held(table.deck, hand, (action.card,))


def legal_actions(table: Table, hand: Heap, seat: int) -> tuple[Action, ...]:
    """All legal actions of a seat with this hand, in a fixed order; none if it is not on the move."""
    if seat != table.to_move or table.phase is Phase.OVER:
        return ()
    match table.phase:
        case Phase.REDRAW:
            return tuple(Redraw(cards) for cards in sub_heaps(hand) if len(cards) <= RULES.most_redrawn)
        case Phase.MELD:
            side, age = table.side_of(seat), table.age
            return tuple(Meld(c) for c in sub_heaps(hand) if why_no_meld(table.deck, side, age, c) is None)
        case Phase.NEGOTIATION:
            return (Negotiate(), *map(Negotiate, targets(table.deck, table.melds[1])))
        case Phase.REPLACEMENT:
            return (Replace(), *map(Replace, replacements(table, hand)))
        case _:
            return tuple(HandOver(card) for card in sorted(set(hand)))


def targets(deck: Deck, meld: Heap) -> Heap:
    """The cards of a Foe meld that negotiation can take out (ruling *negotiation*)."""
    return heap({code for code in meld if deck[code].kind in TARGETS})


def replacements(table: Table, hand: Heap) -> Heap:
    """The cards of a hand that can be put where one was taken out, within the meld's limits (ruling *negotiation*)."""
    deck, meld = table.deck, table.melds[1]
    return heap(
        code
        for code in set(hand)
        if deck[code].kind in TARGETS and why_no_meld(deck, Side.FOES, table.age, (*meld, code)) is None
    )


def sub_heaps(cards: Heap) -> Iterator[Heap]:
    """All different choices of cards out of a heap, none and all included; fewest cards first.

    Examples
    --------
    >>> list(sub_heaps(("a", "a", "b")))
    [(), ('a',), ('b',), ('a', 'a'), ('a', 'b'), ('a', 'a', 'b')]
    """
    counted = sorted(Counter(cards).items())
    choices = product(*(range(n + 1) for _, n in counted))
    heaps = (tuple(code for (code, _), k in zip(counted, ks, strict=True) for _ in range(k)) for ks in choices)
    yield from sorted(heaps, key=lambda chosen: (len(chosen), chosen))


_ROLE = {Side.BYZANTINE: "Byzantine", Side.FOES: "Foe"}
_ACTIONS: dict[Phase, type] = {
    Phase.REDRAW: Redraw,
    Phase.MELD: Meld,
    Phase.NEGOTIATION: Negotiate,
    Phase.REPLACEMENT: Replace,
    Phase.PASS: HandOver,
}


def _verify_held(deck: Deck, hand: Heap, cards: Heap) -> None:
    missing = sorted((Counter(cards) - Counter(hand)).elements())
    if missing:
        held, asked = hand.count(missing[0]), cards.count(missing[0])
        name = deck[missing[0]].name if missing[0] in deck else missing[0]
        raise IllegalAction(f"{name} is not in the hand" if not held else f"the hand holds {held} {name}, not {asked}")


def _verify_target(table: Table, code: str) -> None:
    if code not in table.melds[1]:
        name = table.deck[code].name if code in table.deck else code
        raise IllegalAction(f"{name} is not in the Foe meld")
    if table.deck[code].kind not in TARGETS:
        raise IllegalAction(f"negotiation reaches northern and southern foes only, not a {table.deck[code].kind}")


def _verify_replacement(table: Table, hand: Heap, code: str) -> None:
    _verify_held(table.deck, hand, (code,))
    if table.deck[code].kind not in TARGETS:
        raise IllegalAction(f"only a northern or southern foe can be put in its place, not a {table.deck[code].kind}")
    reason = why_no_meld(table.deck, Side.FOES, table.age, (*table.melds[1], code))
    if reason:
        raise IllegalAction(reason)
