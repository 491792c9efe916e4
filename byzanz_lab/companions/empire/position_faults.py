"""Everything that is wrong with a position, found at once.

Two kinds of check: the numbers and the phase, and the cards. Every card lies in one place; so what is seen in all
places together must not be more than what is in play. The cards are judged only if they are cards of the deck, and what
is in play only if the turn is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from byzanz_lab.companions.empire.cards import Heap
from byzanz_lab.companions.empire.fault import Fault
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.rules import AGES, RULES, TARGETS, Kind, Side
from byzanz_lab.companions.empire.table import Phase, Table, targets, why_no_meld

MOST: int = 10**6
"""No number of a game is bigger than this."""


def faults(position: Position) -> tuple[Fault, ...]:
    """Find everything that is wrong with a position; nothing, if a game can look like this."""
    found = [*_numbers(position)]
    if any(fault.where in ("seat", "turn", "emperor") for fault in found):
        return tuple(found)
    strange = [*_strangers(position)]
    if strange:
        return (*found, *strange)
    for check in (_turns, _hands, _copies, _melds):
        found += check(position)
    return tuple(found)


def _numbers(position: Position) -> Iterator[Fault]:
    table = position.table
    whole = {
        "seat": (position.seat, 0, 1),
        "emperor": (table.emperor, 0, 1),
        "turn": (table.turn, 1, RULES.turns),
        "territory": (table.territory, -MOST if table.phase is Phase.OVER else 1, RULES.most_territory),
        **{f"legacy[{seat}]": (value, 0, MOST) for seat, value in enumerate(table.legacy)},
        **{f"sizes[{seat}]": (value, 0, MOST) for seat, value in enumerate(table.sizes)},
        **{f"redrawn[{seat}]": (value, 0, RULES.most_redrawn) for seat, value in enumerate(table.redrawn)},
        **{f"revealed[{seat}]": (n, 0, MOST) for seat, pair in enumerate(table.revealed) for n in pair},
    }
    for name, (value, least, most) in whole.items():
        if isinstance(value, bool) or not isinstance(value, int):
            yield Fault(name, f"must be a whole number, not {value!r}")
        elif not least <= value <= most:
            limits = f"{least} to {most}" if most < MOST and least > -MOST else f"at least {least}"
            yield Fault(name, f"must be {limits}, not {value}")


def _places(position: Position) -> Iterator[tuple[str, Heap]]:
    """Where cards are seen; each card stands in one place."""
    table = position.table
    yield "hand", position.hand
    yield "chosen", position.chosen or ()
    yield "laid", () if position.laid is None else (position.laid,)
    yield "known", position.rival_known
    for side in Side:
        yield f"discards.{side}", table.discards[side.number]
        yield f"melds.{side}", table.melds[side.number]
    yield "removed", table.removed
    yield "target", () if table.target is None else (table.target,)


def _strangers(position: Position) -> Iterator[Fault]:
    deck = position.table.deck
    for where, cards in (*_places(position), ("known_to_rival", position.table.known[position.seat])):
        for code in dict.fromkeys(cards):
            if code not in deck:
                yield Fault(where, f"{code!r} is no card of the deck {deck.name!r}")
    for side in Side:
        for code in dict.fromkeys(position.table.discards[side.number]):
            if code in deck and deck[code].side is not side:
                yield Fault(f"discards.{side}", f"{deck[code].name} belongs to the other deck")


def _turns(position: Position) -> Iterator[Fault]:
    """The phase, who is on the move, and what may lie aside."""
    table = position.table
    movers = {Phase.OVER: (None,), Phase.NEGOTIATION: (table.emperor,), Phase.REPLACEMENT: (table.foe,)}
    if table.to_move not in movers.get(table.phase, (0, 1)) or isinstance(table.to_move, bool):
        allowed = " or ".join(map(str, movers.get(table.phase, (0, 1)))).replace("None", "nobody")
        yield Fault("to_move", f"in the phase {table.phase} it is {allowed}, not {table.to_move}")
    if table.phase is Phase.PASS and table.turn == RULES.turns:
        yield Fault("phase", f"after turn {RULES.turns} the game is over, and no card is passed")
    early = table.turn < RULES.turns and table.territory > 0
    if table.phase is Phase.OVER and early:
        yield Fault("phase", f"the game is not over in turn {table.turn} with {table.territory} territory tokens")
    waiting = position.seat == table.foe and table.to_move == table.emperor
    for name, value, phase in (("chosen", position.chosen, Phase.MELD), ("laid", position.laid, Phase.PASS)):
        if value is not None and not (table.phase is phase and waiting):
            yield Fault(name, f"only the Foe player has one, in the phase {phase}, while the Emperor decides")
    if table.phase is Phase.MELD and waiting and position.chosen is None:
        yield Fault("chosen", "the Emperor decides after the Foe player has chosen, but no meld is named")


def _hands(position: Position) -> Iterator[Fault]:
    table, deck = position.table, position.table.deck
    for name, seat, cards in (
        ("hand", position.seat, position.held),
        ("known", position.rival, position.rival_known),
        ("known_to_rival", position.seat, table.known[position.seat]),
    ):
        side = table.side_of(seat)
        for code in dict.fromkeys(cards):
            if deck[code].side is not side:
                yield Fault(name, f"{deck[code].name} is no card of the side that seat {seat} plays in this turn")
            elif not deck[code].usable(table.age) and not _may_hold_dead(table, seat, deck[code].ages[-1]):
                yield Fault(name, f"{deck[code].name} cannot be used in the {AGES[table.age - 1]} age")
    if table.sizes[position.seat] != len(position.held):
        yield Fault("sizes", f"seat {position.seat} holds {len(position.held)} cards, not {table.sizes[position.seat]}")
    if Counter(table.known[position.seat]) - Counter(position.held):
        yield Fault("known_to_rival", "the rival knows of cards that are not held")
    if position.rival_unknown < 0:
        yield Fault("known", f"{len(position.rival_known)} cards are known of {table.sizes[position.rival]}")
    for seat in (0, 1):
        side = table.side_of(seat)
        melded = len(table.melds[side.number]) + (table.target is not None and side is Side.FOES)
        most = RULES.hand_size(side, table.turn)
        if table.sizes[seat] + melded > most:
            more = f" with {melded} melded" if melded else ""
            yield Fault(
                f"sizes[{seat}]", f"a hand has at most {most} cards in this turn, not {table.sizes[seat]}{more}"
            )
    passed = table.phase is Phase.PASS and table.to_move == table.emperor
    if passed and table.sizes[table.foe] > 1:
        yield Fault(f"sizes[{table.foe}]", "the Foe player has passed, and holds no more than that one card")


def _may_hold_dead(table: Table, seat: int, last_age: int) -> bool:
    """Whether a seat may hold a card of an age that is over: after its redraw (ruling *dead-redraw*)."""
    to_come = table.phase is Phase.REDRAW and (seat == table.emperor or table.to_move == table.foe)
    return last_age < table.age and not to_come


def _copies(position: Position) -> Iterator[Fault]:
    """No card is seen more often than it exists, and enough are left for what the rival holds."""
    table, deck = position.table, position.table.deck
    seen = Counter(code for _, cards in _places(position) for code in cards)
    in_play = sum((deck.in_play(side, table.age) for side in Side), Counter[str]())
    for code, n in sorted(seen.items()):
        if not in_play[code]:
            yield Fault(
                "cards", f"{deck[code].name} does not join its deck before the {AGES[deck[code].joins - 1]} age"
            )
        elif n > in_play[code]:
            copies = f"{in_play[code]} cop{'y' if in_play[code] == 1 else 'ies'}"
            yield Fault("cards", f"{deck[code].name} is seen {n} times, and the deck has {copies}")
    for code in dict.fromkeys(table.removed):
        if not deck[code].unique and deck[code].ages[-1] >= table.age:
            yield Fault("removed", f"{deck[code].name} is not unique and its age is not over: it cannot be out of play")
    unseen = position.unseen(table.side_of(position.rival))
    usable = sum(n for code, n in unseen.items() if deck[code].usable(table.age))
    room = usable + min(unseen.total() - usable, table.redrawn[position.rival])
    if position.rival_unknown > room:
        yield Fault("known", f"the rival is said to hold {position.rival_unknown} unknown cards, but {room} are unseen")


def _melds(position: Position) -> Iterator[Fault]:
    table, deck = position.table, position.table.deck
    revealed = table.phase in (Phase.NEGOTIATION, Phase.REPLACEMENT)
    for side in Side:
        meld = table.melds[side.number]
        if meld and not revealed:
            yield Fault(f"melds.{side}", f"no meld lies open in the phase {table.phase}")
        whole = (*meld, table.target) if table.target is not None and side is Side.FOES else meld
        reason = why_no_meld(deck, side, table.age, whole)
        if reason:
            yield Fault(f"melds.{side}", reason)
    if position.chosen is not None:
        reason = why_no_meld(deck, position.side, table.age, position.chosen)
        if reason:
            yield Fault("chosen", reason)
    if (table.target is not None) != (table.phase is Phase.REPLACEMENT):
        yield Fault("target", "a card is taken out in the phase replacement, and in no other")
    elif table.target is not None and deck[table.target].kind not in TARGETS:
        yield Fault("target", f"negotiation reaches northern and southern foes only, not {deck[table.target].name}")
    if revealed and not any(deck[code].kind is Kind.NEGOTIATION for code in table.melds[0]):
        yield Fault("melds.byzantine", f"without a negotiation card there is no phase {table.phase}")
    if table.phase is Phase.NEGOTIATION and not targets(deck, table.melds[1]):
        yield Fault("melds.foes", "without a northern or southern foe there is nothing to negotiate")
