"""A position as text, for terminals."""

from __future__ import annotations

from byzanz_lab.companions.empire.cards import format_heap
from byzanz_lab.companions.empire.position import Position, role_and_age
from byzanz_lab.companions.empire.rules import Side


def format_position(position: Position) -> str:
    """Some lines that say what one seat knows.

    Examples
    --------
    >>> print(format_position(Position.at_table("foes", "avars 2xraiders drought", known="envoys", rival_size=3)))
    View of seat 0: Foes, turn 1 of 12 (early age), meld, to move
    territory 10, legacy 10 (you) against 10
    your hand: avars drought 2xraiders
    the rival holds: envoys and 2 unknown cards
    decks: 29 Byzantine cards to draw, 27 Foe cards
    """
    table, rival = position.table, position.rival
    mover = {position.seat: "to move", rival: "the rival to move", None: "the game is over"}[table.to_move]
    unknown = position.rival_unknown
    held = ([format_heap(position.rival_known)] if position.rival_known else []) + (
        [f"{unknown} unknown card{'s' if unknown > 1 else ''}"] if unknown else []
    )
    lines = [
        f"View of seat {position.seat}: {role_and_age(position)}, {table.phase}, {mover}",
        f"territory {table.territory}, legacy {table.legacy[position.seat]} (you) against {table.legacy[rival]}",
        f"your hand: {format_heap(position.hand)}",
    ]
    if position.chosen is not None:
        lines.append(f"your meld, not revealed: {format_heap(position.chosen)}")
    if position.laid is not None:
        lines.append(f"laid aside to be passed: {position.laid}")
    lines.append(f"the rival holds: {' and '.join(held) or 'no cards'}")
    for side in Side:
        if table.melds[side.number]:
            lines.append(f"{side} meld: {format_heap(table.melds[side.number])}")
    if table.target is not None:
        lines.append(f"taken out by negotiation: {table.target}")
    sizes = [max(0, position.pile_size(side)) for side in Side]
    lines.append(f"decks: {sizes[0]} Byzantine cards to draw, {sizes[1]} Foe cards")
    for side in Side:
        if table.discards[side.number]:
            lines.append(f"{side} discards: {format_heap(table.discards[side.number])}")
    if table.removed:
        lines.append(f"out of play: {format_heap(table.removed)}")
    return "\n".join(lines)
