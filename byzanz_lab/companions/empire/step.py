"""What an action changes, worked out on a scratch copy of the state.

``Step`` takes a state apart, lets one action act and runs the game on to the next decision: the phases without a
decision (Draw Phase, Age Phase, the outcome of the melds, Legacy Phase) happen on the way. Whether the action is legal
was asked before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from byzanz_lab.companions.empire.actions import Action, HandOver, Meld, Negotiate, Redraw, Replace
from byzanz_lab.companions.empire.cards import Heap, heap, minus
from byzanz_lab.companions.empire.rules import RULES, Kind, Side
from byzanz_lab.companions.empire.table import Phase, Table, targets

if TYPE_CHECKING:
    from byzanz_lab.companions.empire.state import State

SIDES = tuple(Side)


class Step:
    """A state that is changed in place, for the length of one action.

    Parameters
    ----------
    state
        Where it begins; it stays as it is.
    """

    def __init__(self, state: State) -> None:
        table = state.table
        self.deck, self.chance = table.deck, state.chance
        self.turn, self.emperor, self.phase, self.to_move = table.turn, table.emperor, table.phase, table.to_move
        self.territory, self.legacy = table.territory, list(table.legacy)
        self.discards, self.removed = [list(pile) for pile in table.discards], list(table.removed)
        self.melds, self.target = [list(meld) for meld in table.melds], table.target
        self.known = [list(cards) for cards in table.known]
        self.redrawn, self.revealed = list(table.redrawn), [list(n) for n in table.revealed]
        self.hands = [list(hand) for hand in state.hands]
        self.chosen, self.laid = list(state.chosen), list(state.laid)
        self.piles = [list(pile) for pile in state.piles]
        self.drawn = [list(cards) for cards in state.drawn]

    def state(self) -> State:
        """The changed state, frozen."""
        from byzanz_lab.companions.empire.state import State  # State is built on this module

        held = [
            [*hand, *(meld or ()), *([] if card is None else [card])]
            for hand, meld, card in zip(self.hands, self.chosen, self.laid, strict=True)
        ]
        table = Table(
            self.deck, self.turn, self.emperor, self.phase, self.to_move, self.territory, _pair(self.legacy),
            discards=_heaps(self.discards), removed=heap(self.removed), melds=_heaps(self.melds), target=self.target,
            sizes=_pair([len(cards) for cards in held]), known=_heaps(self.known),
            redrawn=_pair(self.redrawn), revealed=_pair([_pair(n) for n in self.revealed]),
        )  # fmt: skip
        return State(
            table, _heaps(self.hands), _pair(self.chosen), _pair(self.laid), _heaps(self.piles),
            _pair([tuple(cards) for cards in self.drawn]), self.chance,
        )  # fmt: skip

    def do(self, seat: int, action: Action) -> None:
        """Let a seat act, and run on to the next decision."""
        match action:
            case Redraw(cards=cards):
                self._discard(seat, cards)
                self.revealed[seat] = [0, 0]
                self._draw(seat, len(cards), redraw=True)
                self._next_seat(seat, Phase.MELD)
            case Meld(cards=cards):
                self.hands[seat] = list(minus(self.hands[seat], cards))
                self.chosen[seat] = cards  # still among the known cards, until it is revealed
                if None in self.chosen:
                    self.to_move = 1 - seat
                else:
                    self._reveal()
            case Negotiate(card=card):
                self.target = card
                if card is None:
                    self._settle()
                else:
                    self.melds[1].remove(card)
                    self.phase, self.to_move = Phase.REPLACEMENT, seat ^ 1
            case Replace(card=card):
                if card is not None:
                    self._show(seat, [card])
                    self.melds[1].append(card)
                self._settle()
            case HandOver(card=card):
                assert card is not None  # HandOver makes sure
                self.hands[seat].remove(card)
                self.laid[seat] = card
                self._discard(seat, heap(self.hands[seat]))
                self._pass_on(after=seat)

    # -- the phases in order ------------------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """Draw Phase and Age Phase (rulings *age-cards*, *draw*, *shown-cards*)."""
        self.redrawn, self.revealed = [0, 0], [[0, 0], [0, 0]]
        if RULES.begins_age(self.turn):
            for side in SIDES:
                self.piles[side.number] += self.deck.joining(side, RULES.age(self.turn))
        foe = 1 - self.emperor
        for seat in (foe, self.emperor):
            missing = RULES.hand_size(self._side(seat), self.turn) - len(self.hands[seat])
            self._draw(seat, missing, shown=RULES.shown)
        for seat in (foe, self.emperor):
            while useless := heap(code for code in self.hands[seat] if self._useless(seat, code)):
                self._discard(seat, useless)
                self._draw(seat, len(useless))
        self.phase, self.to_move = Phase.REDRAW, foe

    def _reveal(self) -> None:
        """Both melds are shown; negotiation, if there is something to negotiate (rulings *meld*, *negotiation*)."""
        for seat in (0, 1):
            meld, self.chosen[seat] = self.chosen[seat] or (), None
            self._forget(seat, meld)
            self.melds[self._side(seat).number] = list(meld)
        negotiates = any(self.deck[code].kind is Kind.NEGOTIATION for code in self.melds[0])
        if negotiates and targets(self.deck, heap(self.melds[1])):
            self.phase, self.to_move = Phase.NEGOTIATION, self.emperor
        else:
            self._settle()

    def _settle(self) -> None:
        """Compare the melds, then the Legacy Phase (rulings *empty-meld*, *territory*, *legacy-floor*)."""
        difference = self.deck.force(self.melds[0]) - self.deck.force(self.melds[1])
        before, gain = self.territory, self.deck.legacy(self.melds[0])
        self.territory = min(before + difference, RULES.most_territory)
        melded = [*self.melds[0], *self.melds[1], *([] if self.target is None else [self.target])]
        for code in melded:
            self.removed.append(code) if self.deck[code].unique else self._put_away(code)
        self.melds, self.target = [[], []], None
        if self.territory <= 0:
            self._pay(RULES.collapse_cost)
            self.phase, self.to_move = Phase.OVER, None
            return
        if self.territory < before:
            self._pay(1)
        self.legacy[self.emperor] += gain + (self.territory > before)
        if self.turn == RULES.turns:
            self.phase, self.to_move = Phase.OVER, None
        else:
            self._pass_on(after=None)

    def _pass_on(self, after: int | None) -> None:
        """End Phase: who has cards left passes one, the Foe player first; then roles change (ruling *passed-card*)."""
        foe = 1 - self.emperor
        waiting = {None: (foe, self.emperor), foe: (self.emperor,), self.emperor: ()}[after]
        for seat in waiting:
            if self.hands[seat]:
                self.phase, self.to_move = Phase.PASS, seat
                return
        received = [self.laid[1], self.laid[0]]
        self.hands = [[] if card is None else [card] for card in received]
        self.known = [list(hand) for hand in self.hands]  # whoever passed it knows it
        self.laid = [None, None]
        self.turn, self.emperor = self.turn + 1, foe
        self.begin_turn()

    # -- cards --------------------------------------------------------------------------------------------------------

    def _draw(self, seat: int, n: int, shown: int = 0, redraw: bool = False) -> None:
        """Draw cards from the deck that a seat plays from; the opponent sees the first ``shown`` of them."""
        side = self._side(seat).number
        for i in range(n):
            if not self.piles[side]:
                self.piles[side], self.discards[side] = self.discards[side], []
                if not self.piles[side]:
                    return
                # Every other card of the deck lies open now: by elimination, all that this seat holds is known.
                self.known[seat], self.redrawn[seat] = list(self.hands[seat]), 0
            card = self.chance.pick(SIDES[side], heap(self.piles[side]), len(self.drawn[side]))
            self.piles[side].remove(card)
            self.drawn[side].append(card)
            self.hands[seat].append(card)
            if i < shown:
                self.known[seat].append(card)
            self.redrawn[seat] += redraw

    def _show(self, seat: int, cards: Heap | list[str]) -> None:
        """Take cards out of a hand, for all to see."""
        self.hands[seat] = list(minus(self.hands[seat], cards))
        self._forget(seat, cards)

    def _forget(self, seat: int, cards: Heap | list[str]) -> None:
        """These cards of a seat lie open: they are no longer among those that it is known to hold."""
        for code in minus(cards, self.known[seat]):
            self.revealed[seat][self.deck[code].ages[-1] < RULES.age(self.turn)] += 1
        self.known[seat] = list(minus(self.known[seat], cards))

    def _discard(self, seat: int, cards: Heap) -> None:
        """Discard cards from a hand (ruling *open-discards*)."""
        self._show(seat, cards)
        for code in cards:
            self._put_away(code)

    def _put_away(self, code: str) -> None:
        """Onto the discard pile of its deck; out of the game, if its ages are over."""
        card = self.deck[code]
        over = card.ages[-1] < RULES.age(self.turn)
        self.removed.append(code) if over else self.discards[card.side.number].append(code)

    def _useless(self, seat: int, code: str) -> bool:
        card = self.deck[code]
        return card.side is not self._side(seat) or not card.usable(RULES.age(self.turn))

    def _pay(self, tokens: int) -> None:
        """The Emperor loses legacy tokens, as far as he has some (ruling *legacy-floor*)."""
        self.legacy[self.emperor] = max(0, self.legacy[self.emperor] - tokens)

    def _next_seat(self, seat: int, phase: Phase) -> None:
        """After the Foe player the Emperor; after him the next phase, which the Foe player begins."""
        if seat == self.emperor:
            self.phase = phase
        self.to_move = 1 - seat

    def _side(self, seat: int) -> Side:
        return Side.BYZANTINE if seat == self.emperor else Side.FOES


def _pair(values: list[Any]) -> tuple[Any, Any]:
    first, second = values
    return first, second


def _heaps(piles: list[list[str]]) -> tuple[Heap, Heap]:
    first, second = piles
    return heap(first), heap(second)
