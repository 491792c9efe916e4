"""A game against policies, without any display: whose turn it is, what it looks like from your seat, and the record.

``Game`` keeps the whole truth to itself. What it shows is the `Position` of the human's seat; the policies are given
theirs, and nothing else. Moves of the policies depend on the seed and the number of the decision, so that undoing and
playing on the same way leads to the same game.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import traitlets as t

from byzanz_lab.advice.advise import Advice, advise
from byzanz_lab.evaluation import Budget
from byzanz_lab.game.actions import Action, parse_action
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.record import Record, Recorder
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import IllegalAction
from byzanz_lab.panels.job import STATES, Job
from byzanz_lab.simulation.policies import Policy, policy_named
from byzanz_lab.simulation.seeds import PLAY, world_seeds

PLAYERS: Final = {
    "you": "you",
    "default": "plays well",
    "learned": "plays best",
    "cautious": "never pays much",
    "set-collector": "wants every pair",
    "low-lot-waiter": "waits for small lots",
    "dealer-hunter": "wants dealers",
    "greedy": "sells what it can",
    "random": "plays anything",
}
"""Who can sit on a seat, and in a few words how that is."""
HINT_SECONDS: Final = 2.0
BIGGEST_SEED: Final = 10**9


class Game(t.HasTraits):
    """A game that one human plays against policies.

    Parameters
    ----------
    players
        A name of `PLAYERS` a seat, 3 to 6 of them, ``"you"`` exactly once.
    seed
        Of the deal and of the policies' choices.
    variant
        Fields in which the rules differ from the default.

    Raises
    ------
    ValueError
        If the seats, a name or the variant cannot be.

    Examples
    --------
    >>> game = Game(["you", "default", "greedy"], seed=4)
    >>> game.join()
    'done'
    >>> game.position.seat, game.is_your_turn
    (0, True)
    >>> game.play("pass")
    True
    """

    state = t.Enum(STATES, "idle", help="Of the policies, or of the hint.")
    hint = t.Any(None, allow_none=True, help="Advice on the decision at hand, once it was asked for.")
    error = t.Unicode("", help="What could not be done, in a sentence.")
    revision = t.Int(0, help="Rises after every change, when everything fits together again.")

    def __init__(
        self,
        players: Sequence[str] = ("you", "default", "default", "default"),
        seed: int = 1,
        variant: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.lock = threading.RLock()
        self._job = Job(self.lock, every=0.0)
        self._job.observe(self._on_job, "state")
        self.start(players, seed, variant)

    # -- what is shown -----------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """What your seat knows."""
        return observe(self._recorder.state, self.seat)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._recorder.state.is_over

    @property
    def is_your_turn(self) -> bool:
        """Whether the game waits for you."""
        return self._recorder.state.to_move == self.seat

    @property
    def can_undo(self) -> bool:
        """Whether you have done something that can be taken back."""
        return bool(self._own_moves())

    @property
    def log(self) -> list[tuple[int, str]]:
        """Seat and text of each action so far; none of them gives away anything hidden."""
        return [(seat, str(action)) for seat, action in self._recorder.moves]

    def why_not(self, action: Action | str) -> str:
        """Why you may not do this now, in a sentence; empty when you may."""
        try:
            self.position.verify(parse_action(action) if isinstance(action, str) else action)
        except IllegalAction as error:
            return str(error).partition(" is not allowed: ")[2] or str(error)
        except ValueError as error:
            return str(error)
        return ""

    def record(self) -> Record:
        """The game so far, hidden cards included: not to be looked at before the game is over."""
        return self._recorder.record()

    # -- what is done ------------------------------------------------------------------------------------------------

    def start(self, players: Sequence[str], seed: int = 1, variant: Mapping[str, Any] | None = None) -> None:
        """Begin another game; see the class."""
        players = tuple(players)
        for name in players:
            if name not in PLAYERS:
                raise ValueError(f"nobody is called {name!r} (players are {', '.join(PLAYERS)})")
        if players.count("you") != 1:
            raise ValueError(f"you sit on exactly one seat, not on {players.count('you')}")
        if not isinstance(seed, int) or not 0 <= seed <= BIGGEST_SEED:
            raise ValueError(f"a seed is a whole number from 0 to {BIGGEST_SEED:,}, not {seed!r}")
        rules = Rules.for_seats(len(players), **dict(variant or {}))
        with self.lock:
            self._job.stop()
            self.players, self.seed, self.seat = players, seed, players.index("you")
            self._policies: list[Policy | None] = [
                None if name == "you" else policy_named(name, len(players)) for name in players
            ]
            self._begin(new_game(rules, seed))
            self.error = ""
            self._go_on()

    def play(self, action: Action | str) -> bool:
        """Do something; says whether that was allowed, ``error`` says why not."""
        with self.lock:
            reason = self.why_not(action)
            if not reason and self.state == "running" and not self.is_your_turn:
                reason = "the others are playing"
            if reason:
                self._fail(reason[:1].upper() + reason[1:] + ".")
                return False
            self._job.stop()
            self._recorder.apply(parse_action(action) if isinstance(action, str) else action, self.seat)
            self.error, self.hint = "", None
            self._go_on()
        return True

    def undo(self) -> None:
        """Take back your last action, and all that came after it."""
        with self.lock:
            own = self._own_moves()
            if not own:
                return
            self._job.stop()
            moves = self._recorder.moves[: own[-1]]
            self._begin(self._initial)
            for seat, action in moves:
                self._recorder.apply(action, seat)
            self.error, self.hint = "", None
            self._changed()

    def ask(self, seconds: float = HINT_SECONDS, worlds: int | None = None) -> None:
        """Ask for a hint on the decision at hand; it stands in ``hint`` when it is there."""
        with self.lock:
            if not self.is_your_turn:
                self._fail("There is nothing for you to decide now.")
                return
            self.error = ""
            self._job.start(self._hints(self.position, seconds, worlds), self._on_hint)

    def join(self, timeout: float | None = None) -> str:
        """Wait until the policies, or the hint, are done; returns the state."""
        return self._job.join(timeout)

    def close(self) -> None:
        """Stop everything, and let go of everybody who listens."""
        self._job.close()
        self.unobserve_all()

    # -- inside ------------------------------------------------------------------------------------------------------

    def _begin(self, initial: State) -> None:
        self._initial = initial
        self._recorder = Recorder(initial, [f"{name}" for name in self.players])
        self.hint = None

    def _own_moves(self) -> list[int]:
        return [place for place, (seat, _) in enumerate(self._recorder.moves) if seat == self.seat]

    def _go_on(self) -> None:
        """Let the policies play until it is your turn."""
        self._job.start(self._others, self._on_move)

    def _others(self, stop: threading.Event) -> Iterator[tuple[float, tuple[int, Action]]]:
        """Decide for the policies, one move at a time; the move is made by whoever gets it, unless it is too late."""
        while not stop.is_set():
            with self.lock:
                state, number = self._recorder.state, len(self._recorder.moves)
            mover = state.to_move
            policy = None if mover is None else self._policies[mover]
            if mover is None or policy is None:
                return
            seed = int(world_seeds(self.seed, number, 1, PLAY)[0])
            yield 0.5, (number, policy.choose(observe(state, mover), seed))

    def _on_move(self, move: tuple[int, Action], final: bool) -> None:
        number, action = move
        if not final and number == len(self._recorder.moves):
            self._recorder.apply(action)
        self._changed()

    def _hints(self, position: Position, seconds: float, worlds: int | None) -> Any:
        budget = Budget(worlds=worlds) if worlds else Budget(seconds=seconds)

        def work(stop: threading.Event) -> Iterator[tuple[float, Advice]]:
            yield 1.0, advise(position, budget, cancel=stop)

        return work

    def _on_hint(self, advice: Advice, final: bool) -> None:
        self.hint = advice
        self._changed()

    def _on_job(self, _: Any) -> None:
        self.state = self._job.state
        if self._job.error:
            self.error = self._job.error
        self._changed()

    def _changed(self) -> None:
        self.revision += 1

    def _fail(self, sentence: str) -> None:
        self.error = sentence
        self._changed()
