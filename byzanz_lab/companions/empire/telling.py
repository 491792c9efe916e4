"""What a player sees of an action, in words: open discards, a meld chosen out of sight, how a turn came out.

Only what both players see is said, and the player's own cards: never what the rival keeps hidden.
"""

from __future__ import annotations

from byzanz_lab.companions.empire.actions import Action, HandOver, Meld, Negotiate, Redraw, Replace
from byzanz_lab.companions.empire.cards import Deck, minus
from byzanz_lab.companions.empire.rules import Side
from byzanz_lab.companions.empire.state import State
from byzanz_lab.companions.empire.table import Phase


def tell(before: State, action: Action, after: State, you: int) -> str:
    """What one player sees when whoever is on the move does this.

    Parameters
    ----------
    before, action, after
        A state, what was done in it, and what came of that.
    you
        The seat of the player who is told.

    Examples
    --------
    >>> from byzanz_lab.companions.empire.state import new_game
    >>> state = new_game(seed=1, emperor=0)
    >>> tell(state, Redraw(), state.apply(Redraw()), you=0)
    'Your rival redraws nothing.'
    """
    deck, seat = before.table.deck, before.to_move
    who, verb = ("You", "") if seat == you else ("Your rival", "s")
    match action:
        case Redraw(cards=cards):
            return f"{who} redraw{verb} {deck.names(cards) if cards else 'nothing'}."
        case Meld(cards=cards):
            if after.phase is Phase.MELD:
                return f"{who} ha{'s' if verb else 've'} chosen a meld."
            return _revealed(before, action, after, you)
        case Negotiate(card=card):
            taken = f"{who} take{verb} out {deck[card].name}." if card else f"{who} take{verb} nothing out."
            return taken if card else f"{taken} {_outcome(before, after)}"
        case Replace(card=card):
            put = (
                f"{who} put{verb} {deck[card].name} in its place." if card else f"{who} put{verb} nothing in its place."
            )
            return f"{put} {_outcome(before, after)}"
        case HandOver(card=card):
            passed = deck[card].name if seat == you and card else "a card"
            rest = minus(before.hands[seat or 0], (card,) if card else ())
            discarded = f", and discard{verb} {deck.names(rest)}" if rest else ""
            return f"{who} pass{'es' if verb else ''} {passed}{discarded}."
    return str(action)


def label(deck: Deck, action: Action) -> str:
    """The cards of an action by name, for people: ``"Belisarius, 2 × Tagmata"``."""
    if isinstance(action, (Redraw, Meld)):
        return deck.names(action.cards) if action.cards else "nothing"
    return "nothing" if action.card is None else deck[action.card].name


def _revealed(before: State, action: Meld, after: State, you: int) -> str:
    """Both melds, which lie open now, and the outcome unless somebody negotiates first."""
    table, seat = before.table, before.to_move
    assert seat is not None  # somebody melded
    melds = {seat: action.cards, 1 - seat: before.chosen[1 - seat] or ()}
    said = []
    for who in (you, 1 - you):
        name = "Your meld" if who == you else "Your rival's"
        cards, role = melds[who], "Emperor" if table.side_of(who) is Side.BYZANTINE else "Foes"
        said.append(f"{name} ({role}): {table.deck.names(cards)}, force {table.deck.force(cards)}.")
    if after.phase is not Phase.NEGOTIATION:
        said.append(_outcome(before, after))
    return " ".join(said)


def _outcome(before: State, after: State) -> str:
    old, new = before.table, after.table
    change = new.territory - old.territory
    moved = f"gains {change}" if change > 0 else f"loses {-change}" if change < 0 else "keeps its"
    tokens = new.legacy[old.emperor] - old.legacy[old.emperor]
    left = max(new.territory, 0)
    legacy = f"; the Emperor {'gains' if tokens > 0 else 'loses'} {abs(tokens)} legacy" if tokens else ""
    return f"The Empire {moved} territory ({left} now){legacy}."
