"""A game being played at a panel, without any display: what is marked, what may be done, what the rival does.

A ``Session`` holds the game, the cards that are marked, the advice on this moment and what is to be said. Panels show
it and call its methods; so can a cell or a test. The player sits in seat 0 and is shown only what that seat knows; a
policy plays the other seat, and moves as soon as it is its turn. Advice is worked out in the background; what comes
late about another moment is dropped. Nothing here prints: what cannot be done is told in the trait ``message``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final

import traitlets as t

from byzanz_lab.companions.empire.actions import Action, HandOver, Meld, Negotiate, Redraw, Replace
from byzanz_lab.companions.empire.advice import Advice, advise
from byzanz_lab.companions.empire.cards import Deck, Heap
from byzanz_lab.companions.empire.policies import policy_named
from byzanz_lab.companions.empire.position import Position, observe, role_and_age
from byzanz_lab.companions.empire.record import Record, Recorder
from byzanz_lab.companions.empire.rules import RULES
from byzanz_lab.companions.empire.seeds import world_seeds
from byzanz_lab.companions.empire.state import State, new_game
from byzanz_lab.companions.empire.table import IllegalAction, Phase
from byzanz_lab.companions.empire.telling import label, tell
from byzanz_lab.companions.playing import YOU, SessionBase
from byzanz_lab.evaluation import Budget

PORTIONS: Final = 4
"""Steps in which worlds are added to an answer, so that it can be shown while it grows."""
ASKED: Final = {
    Phase.REDRAW: f"Mark up to {RULES.most_redrawn} cards to replace, or none.",
    Phase.MELD: "Mark the cards of your meld.",
    Phase.NEGOTIATION: "Your envoys can take one northern or southern foe out of the Foe meld: mark it, or none.",
    Phase.REPLACEMENT: "You may put a northern or southern foe of your hand in its place: mark it, or none.",
    Phase.PASS: "Mark the card that you pass to your rival; the others are discarded.",
    Phase.OVER: "The game is over.",
}
"""What is asked of the player in each phase."""


class Session(SessionBase):
    """A game being played.

    Parameters
    ----------
    seed
        The game; the same seed gives the same one.
    policy
        Name of the policy that plays the other seat.
    worlds
        Worlds to play out for advice.
    deck
        The cards; the deck that ships with the package if not given.

    Raises
    ------
    ValueError
        If there is no such policy.

    Examples
    --------
    >>> session = Session(seed=3)
    >>> session.phase.value, len(session.hand)
    ('redraw', 8)
    >>> session.mark(0), session.action()
    (True, Redraw('arab-raiders'))
    """

    marked = t.Tuple(help="Places of the marked cards among `cards`, ascending.")

    def __init__(self, *, seed: int = 1, policy: str = "default", worlds: int = 512, deck: Deck | None = None) -> None:
        super().__init__(seed, policy, worlds)
        self.deck = deck
        self.new(seed=seed)

    # -- what is there -----------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The whole truth; a panel shows `position` instead."""
        return self._recorder.state

    @property
    def position(self) -> Position:
        """What the player knows."""
        return observe(self.state, YOU)

    @property
    def record(self) -> Record:
        """The game so far."""
        return self._recorder.record()

    @property
    def phase(self) -> Phase:
        """The decision that is due."""
        return self.state.phase

    @property
    def hand(self) -> Heap:
        """The player's cards in hand."""
        return self.state.hands[YOU]

    @property
    def cards(self) -> Heap:
        """The cards that can be marked: the hand, or the Foe meld where one of it can be taken out."""
        return self.state.table.melds[1] if self.phase is Phase.NEGOTIATION else self.hand

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return any(seat == YOU for seat, _ in self._recorder.moves)

    @property
    def asked(self) -> str:
        """What is asked of the player."""
        return ASKED[self.phase]

    @property
    def summary(self) -> str:
        """Where the game stands, in a sentence or two."""
        table = self.state.table
        tokens = f"legacy {table.legacy[YOU]} (you) to {table.legacy[1 - YOU]}"
        if not self.state.is_over:
            return f"You play the {role_and_age(self.position)}. Territory {max(table.territory, 0)}, {tokens}."
        result = self.state.result()
        end = "You win" if result.winners == (YOU,) else "You share the win" if YOU in result.winners else "You lose"
        fell = f"The Empire fell in turn {result.turns}. " if result.collapsed else ""
        return f"The game is over. {fell}{tokens[0].upper()}{tokens[1:]}. {end}."

    def action(self, marked: tuple[int, ...] | None = None) -> Action | None:
        """The action that the marked cards mean; ``None`` if they can mean none in this phase."""
        codes = tuple(self.cards[place] for place in (self.marked if marked is None else marked))
        match self.phase:
            case Phase.REDRAW:
                return Redraw(codes)
            case Phase.MELD:
                return Meld(codes)
            case Phase.NEGOTIATION | Phase.REPLACEMENT if len(codes) <= 1:
                kind = Negotiate if self.phase is Phase.NEGOTIATION else Replace
                return kind(codes[0] if codes else None)
            case Phase.PASS if len(codes) == 1:
                return HandOver(codes[0])
        return None

    def why_not(self, marked: tuple[int, ...] | None = None) -> str:
        """Why the marked cards, or others, cannot be played so; empty if they can."""
        if self.state.is_over:
            return "the game is over"
        action = self.action(marked)
        if action is None:
            return "one card is passed" if self.phase is Phase.PASS else "one card at most is named"
        try:
            self.position.verify(action)
        except IllegalAction as error:
            return str(error)
        return ""

    def why_not_mark(self, place: int) -> str:
        """Why a card cannot be marked besides those that are; empty if it can, or is marked already."""
        if place in self.marked or self.state.is_over:
            return ""
        if self.phase in (Phase.NEGOTIATION, Phase.REPLACEMENT, Phase.PASS):  # it would be marked in place of another
            return self.why_not((place,))
        return self.why_not((*self.marked, place))

    # -- what can be done --------------------------------------------------------------------------------------------

    def new(self, *, seed: int | None = None, policy: str | None = None) -> None:
        """Begin another game; what is left out stays as it was, but for the seed, which goes up by one.

        Raises
        ------
        ValueError
            If there is no such policy.
        """
        with self.lock:
            name = self.policy if policy is None else policy
            policy_named(name)
            self.seed = self.seed + 1 if seed is None else seed
            self.policy = name
            self._recorder = Recorder(new_game(self.deck, self.seed), ("you", name))
            self.log: list[str] = []
            said = "A new game." if self.moment else ""
            self._changed([said, *self._let_rival_move()])

    def mark(self, place: int) -> bool:
        """Mark a card, or unmark it; says whether that was possible."""
        with self.lock:
            if not 0 <= place < len(self.cards):
                return self._refuse("There is no such card.")
            reason = self.why_not_mark(place)
            if reason:
                return self._refuse(f"{reason[0].upper()}{reason[1:]}.")
            one = self.phase in (Phase.NEGOTIATION, Phase.REPLACEMENT, Phase.PASS)
            if place in self.marked:
                self.marked = tuple(other for other in self.marked if other != place)
            else:
                self.marked = (place,) if one else tuple(sorted((*self.marked, place)))
            return True

    def take(self, text: str) -> bool:
        """Mark the cards of an action in its text form, such as ``"meld dromons"``; says whether that was possible."""
        from byzanz_lab.companions.empire.actions import parse_action

        with self.lock:
            try:
                action = parse_action(text)
                self.position.verify(action)
            except ValueError as error:
                return self._refuse(f"{error}.")
            free = list(range(len(self.cards)))
            codes = action.cards if isinstance(action, (Redraw, Meld)) else (action.card,) if action.card else ()
            places = []
            for code in codes:
                place = next(place for place in free if self.cards[place] == code)
                free.remove(place)
                places.append(place)
            self.marked = tuple(sorted(places))
            return True

    def do(self) -> bool:
        """Do what the marked cards mean; says whether that was allowed. The rival moves next."""
        with self.lock:
            reason = self.why_not()
            if reason:
                return self._refuse(f"{reason[0].upper()}{reason[1:]}.")
            action = self.action()
            assert action is not None  # else there is a reason
            self._changed([self._apply(action), *self._let_rival_move()])
            return True

    def undo(self) -> bool:
        """Take back the player's last action and what the rival did since; says whether there was one."""
        with self.lock:
            moves = list(self._recorder.moves)
            while moves and moves.pop()[0] != YOU:
                pass
            if not self.can_undo:
                return self._refuse("There is nothing to take back.")
            self._recorder = Recorder(new_game(self.deck, self.seed), ("you", self.policy))
            self.log = []
            for _, action in moves:
                self.log.append(self._apply(action))
            self._changed(["Taken back."])
            return True

    # -- inside ------------------------------------------------------------------------------------------------------

    def _apply(self, action: Action) -> str:
        """Let whoever is on the move act; returns what the player sees of it."""
        before = self.state
        return tell(before, action, self._recorder.apply(action), YOU)

    def _let_rival_move(self) -> list[str]:
        said = []
        while self.state.to_move not in (YOU, None):
            luck = int(world_seeds(self.seed, len(self._recorder.moves), 1)[0, 0])
            said.append(self._apply(policy_named(self.policy).choose(observe(self.state, 1 - YOU), luck)))
        return said

    def _changed(self, said: list[str]) -> None:
        self._job.stop()
        told = [line for line in said if line]
        self.log += told
        with self.hold_trait_notifications():  # whoever looks sees all of the change, or nothing
            self.advice, self.marked, self.message = None, (), " ".join(told)
            self.moment += 1

    def _ask(self) -> Callable[[threading.Event], Iterator[tuple[float, Advice]]]:
        position = self.position
        return lambda stop: self._advised(position, stop)

    def _advised(self, position: Position, stop: threading.Event) -> Iterator[tuple[float, Advice]]:
        worlds = max(1, self.worlds // PORTIONS)
        found = advise(position, Budget(worlds=worlds), cancel=stop, racing=False)
        for done in range(1, PORTIONS + 1):
            yield done / PORTIONS, found
            if done < PORTIONS:
                found = found.extended(worlds, cancel=stop)

    def _best(self, advice: Advice) -> str:
        return label(self.state.table.deck, advice.best)
