"""What the companions' games share where they are played: a session without a display, and the panel that shows it.

A ``SessionBase`` thinks in the background and drops what comes late about another moment; a ``PanelBase`` passes on
what the page asks for, and shows the session again whenever it changes. The games say what can be done and what is
drawn.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any, Final

import anywidget
import traitlets as t

from byzanz_lab.panels.job import STATES, Job

YOU: Final = 0
"""The player's seat."""


class SessionBase(t.HasTraits):
    """A game being played.

    Parameters
    ----------
    seed
        The game; the same seed gives the same one.
    policy
        Name of the policy that plays the other seats.
    worlds
        Worlds to play out for advice.
    """

    moment = t.Int(0, help="Goes up with every change of the game.")
    message = t.Unicode("", help="What was done, or why something could not be done.")
    advice = t.Any(None, allow_none=True, help="Advice on this moment; None for none yet.")
    thinking = t.Enum(STATES, "idle", help="Of the advice.")

    _recorder: Any

    def __init__(self, seed: int, policy: str, worlds: int) -> None:
        super().__init__()
        self.lock = threading.RLock()
        self._job = Job(self.lock)
        self._job.observe(self._on_job, "state")
        self.worlds, self.seed, self.policy = worlds, seed, policy

    # -- what each game says -----------------------------------------------------------------------------------------

    @abstractmethod
    def _ask(self) -> Callable[[threading.Event], Iterator[tuple[float, Any]]]:
        """What to work out about this moment: portions done, 0 to 1, and the answer so far."""

    @abstractmethod
    def _best(self, advice: Any) -> str:
        """What an answer recommends, in words."""

    # -- thinking ----------------------------------------------------------------------------------------------------

    def hint(self, wait: bool = False) -> Any:
        """Work out what each action is worth, in the background.

        Parameters
        ----------
        wait
            Whether to wait for the whole answer.

        Returns
        -------
        Advice or None
            The answer so far; ``None`` if there is none yet, or nothing to decide.
        """
        with self.lock:
            if self._recorder.state.to_move != YOU:
                self._refuse("There is nothing to decide.")
                return None
            moment = self.moment
            self._job.start(self._ask(), lambda advice, _: self._take(advice, moment))
        if wait:
            self._job.join()
        return self.advice

    def close(self) -> None:
        """Stop thinking, and let go of everybody who listens."""
        self._job.close()
        self._job.join()
        self.unobserve_all()

    def _refuse(self, message: str) -> bool:
        self.message = message
        return False

    def _take(self, advice: Any, moment: int) -> None:
        if moment == self.moment:
            self.advice = advice
            self.message = f"Best: {self._best(advice)} ({advice.basis})."

    def _on_job(self, change: Any) -> None:
        self.thinking = change["new"]
        if change["new"] == "error":
            self.message = self._job.error


class PanelBase(anywidget.AnyWidget):
    """A session shown in a notebook.

    Parameters
    ----------
    session
        The game to show.
    traits
        Names of the session's traits that are drawn.
    """

    view = t.Dict(help="All that is drawn.").tag(sync=True)

    def __init__(self, session: Any, traits: tuple[str, ...]) -> None:
        self.session = session
        super().__init__(view=self._drawn())
        self.session.observe(self._on_change, [*traits, "moment", "message", "advice", "thinking"])
        self.on_msg(self._hear)

    @abstractmethod
    def _drawn(self) -> dict[str, Any]:
        """All that is drawn."""

    @abstractmethod
    def _still(self) -> str:
        """What a page without a kernel shows below the summary, as HTML."""

    @abstractmethod
    def hear(self, message: Mapping[str, Any]) -> None:
        """Do what the page asks for; what cannot be done is told in ``session.message``."""

    def close(self) -> None:
        """Stop thinking, and take the panel away."""
        self.session.close()
        super().close()

    def _hear(self, _: Any, content: Any, buffers: Any) -> None:
        if not isinstance(content, Mapping):
            return
        try:
            self.hear(content)
        except Exception as error:  # what a callback raises is seen by nobody
            self.session.message = f"{type(error).__name__}: {error}"

    def _on_change(self, _: Any) -> None:
        with self.session.lock:
            self.view = self._drawn()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        summary = self.session.summary
        still = {
            "text/html": f"<p>{escape(summary)}</p>{self._still()}",
            "text/plain": f"{type(self).__name__}({summary!r})",
        }
        return {**(data or {}), **still}, metadata
