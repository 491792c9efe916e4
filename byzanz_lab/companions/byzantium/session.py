"""A deal being played at a panel, without any display: what is chosen, what may be done, what the others do.

A ``Session`` holds the deal, the card that is chosen, the advice on it and what is to be said. Panels show it and call
its methods; so can a cell or a test. The player sits in seat 0 and is shown only what that seat knows; policies play
the other seats, and move as soon as it is their turn. Advice is worked out in the background; what comes late about
another moment is dropped. Nothing here prints: what cannot be done is told in the trait ``message``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final

import traitlets as t

from byzanz_lab.companions.byzantium.actions import Action, Pass, Place
from byzanz_lab.companions.byzantium.advice import Advice, advise
from byzanz_lab.companions.byzantium.cards import Cards, name_of, parse_card
from byzanz_lab.companions.byzantium.policies import policy_named
from byzanz_lab.companions.byzantium.position import Position, observe
from byzanz_lab.companions.byzantium.record import Record, Recorder
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, new_game
from byzanz_lab.companions.byzantium.table import why_illegal
from byzanz_lab.companions.playing import YOU, SessionBase
from byzanz_lab.evaluation import Budget

PORTIONS: Final = 8
"""Steps in which worlds are added to an answer, so that it can be shown while it grows."""


class Session(SessionBase):
    """A deal being played.

    Parameters
    ----------
    rules
        The rules, or the number of players.
    seed
        The deal; the same seed gives the same deal.
    policy
        Name of the policy that plays the other seats.
    worlds
        Worlds to play out for advice.

    Examples
    --------
    >>> session = Session(seed=4)
    >>> session.state.tableau, session.card
    (parse_tableau('-', Rules(1)), 'RK')
    >>> session.place("E")
    True
    >>> session.place("ENW")
    False
    >>> session.message
    'BQ cannot go to ENW: a card there would touch the black ace.'
    """

    card = t.Unicode("", help="The card that is chosen, from the hand; empty for none.")

    def __init__(self, rules: Rules | int = 1, *, seed: int = 1, policy: str = "default", worlds: int = 2000) -> None:
        super().__init__(seed, policy, worlds)
        self.new(rules, seed=seed)

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
        """The deal so far."""
        return self._recorder.record()

    @property
    def hand(self) -> Cards:
        """The player's cards; alone, the one that was drawn."""
        return self.state.hands[YOU]

    @property
    def can_pass(self) -> bool:
        """Whether the player may pass: only if nothing fits."""
        return not self.why_no_pass

    @property
    def why_no_pass(self) -> str:
        """Why the player may not pass now; empty if he may."""
        return why_illegal(self.state.table, self.hand, YOU, Pass())

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return any(seat == YOU for seat, _ in self._recorder.moves)

    def why_not(self, path: str) -> str:
        """Why the chosen card cannot go to a slot; empty if it can."""
        if not self.card:
            return self.state.tableau.why_closed(path) or "no card is chosen"
        return why_illegal(self.state.table, self.hand, YOU, Place(self.card, path))

    @property
    def summary(self) -> str:
        """Where the deal stands, in a sentence."""
        state, rules = self.state, self.state.rules
        if rules.is_solitaire:
            so_far = f"{len(state.tableau)} cards placed, {len(state.table.aside)} laid aside"
            if state.is_over:
                return f"{so_far}. {'You win!' if state.result().winners else 'The deal is over.'}"
            return f"{so_far}, {len(state.deck)} to come."
        left = ", ".join(f"{'you' if seat == YOU else f'seat {seat}'} {n}" for seat, n in enumerate(state.scores))
        if not state.is_over:
            return f"Cards in hand: {left}."
        winners = state.result().winners
        end = "You win" if winners == (YOU,) else "You share the win" if YOU in winners else "You do not win"
        return f"The deal is over. Cards left: {left}. {end}."

    # -- what can be done --------------------------------------------------------------------------------------------

    def new(self, rules: Rules | int | None = None, *, seed: int | None = None, policy: str | None = None) -> None:
        """Begin another deal; what is left out stays as it was, but for the seed, which goes up by one.

        Raises
        ------
        ValueError
            If there are no such rules or no such policy.
        """
        with self.lock:
            chosen = self.state.rules if rules is None else rules if isinstance(rules, Rules) else Rules(rules)
            name = self.policy if policy is None else policy
            policy_named(name, chosen.players)
            self.seed = self.seed + 1 if seed is None else seed
            self.policy = name
            self._recorder = Recorder(new_game(chosen, self.seed, dealer=chosen.players - 1))
            self._changed("A new deal." if self.moment else "")

    def choose(self, card: str) -> bool:
        """Choose a card of the hand; says whether it is there."""
        with self.lock:
            try:
                code = parse_card(card)
            except ValueError as error:
                return self._refuse(str(error))
            if code not in self.hand:
                return self._refuse(f"The {name_of(code)} is not in your hand.")
            self.card = code
            slots = self.state.tableau.slots_for(code)
            self.message = f"{name_of(code)}: {', '.join(slots) if slots else 'fits nowhere'}.".capitalize()
            return True

    def place(self, path: str) -> bool:
        """Place the chosen card; says whether that was allowed. The other seats move next."""
        with self.lock:
            reason = self.why_not(path)
            if reason:
                return self._refuse(f"{self.card or 'A card'} cannot go to {path}: {reason}.")
            return self._do(Place(self.card, path), f"{self.card} at {path}.")

    def pass_(self) -> bool:
        """Pass, or lay the drawn card aside; says whether that was allowed."""
        with self.lock:
            if self.why_no_pass:
                return self._refuse(f"You cannot pass: {self.why_no_pass}.")
            alone = self.state.rules.is_solitaire
            return self._do(Pass(), f"{self.hand} laid aside." if alone else "You passed.")

    def undo(self) -> bool:
        """Take back the player's last action and what the others did since; says whether there was one."""
        with self.lock:
            if not self.can_undo:
                return self._refuse("There is nothing to take back.")
            while self._recorder.moves[-1][0] != YOU:
                self._recorder.undo()
            self._recorder.undo()
            self._changed("Taken back.")
            return True

    # -- inside ------------------------------------------------------------------------------------------------------

    def _do(self, action: Action, said: str) -> bool:
        self._recorder.apply(action)
        others = []
        while self.state.to_move not in (YOU, None):
            others.append(self._let_move())
        self._changed(" ".join([said, *others]))
        return True

    def _let_move(self) -> str:
        """One action of another seat, in words."""
        seat = self.state.to_move
        assert seat is not None  # somebody is on the move
        policy = policy_named(self.policy, self.state.rules.players)
        action = policy.choose(observe(self.state, seat), self.seed + len(self._recorder.moves))
        self._recorder.apply(action)
        where = f"{action.card} at {action.slot}" if isinstance(action, Place) else "passes"
        return f"Seat {seat}: {where}."

    def _changed(self, message: str) -> None:
        self._job.stop()
        self.advice = None
        best = self.hand.codes()
        fitting = self.state.tableau.fitting(self.hand).codes()
        self.card = (fitting or best or [""])[0]
        self.message = message
        self.moment += 1

    def _ask(self) -> Callable[[threading.Event], Iterator[tuple[float, Advice]]]:
        position = self.position
        return lambda stop: self._advised(position, stop)

    def _advised(self, position: Position, stop: threading.Event) -> Iterator[tuple[float, Advice]]:
        found = advise(position, Budget(worlds=max(1, self.worlds // PORTIONS)), cancel=stop, racing=False)
        for done in range(1, PORTIONS + 1):
            yield done / PORTIONS, found
            if found.is_exact or done == PORTIONS:
                return
            found = found.extended(max(1, self.worlds // PORTIONS), cancel=stop)

    def _best(self, advice: Advice) -> str:
        return str(advice.best)
