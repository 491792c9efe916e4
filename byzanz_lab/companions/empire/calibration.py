"""Whether forecasts come true: what was given as the chance to win, beside how often it was won.

``forecast`` plays a position to its end many times and tells lead and chance to win of one seat. ``calibrate`` takes
one moment at random out of each of many games, forecasts from what the seat on the move knows then, and compares with
how that game ended. The games are independent and each counts once, so the shares have honest intervals. The games are
played by the policies that the forecasts play on with; with others it is their difference that would be seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.cards import Deck
from byzanz_lab.companions.empire.deck_file import default_deck
from byzanz_lab.companions.empire.playouts import play_logged
from byzanz_lab.companions.empire.policies import CompiledPolicy, policies_for
from byzanz_lab.companions.empire.position import Position, observe, require_position
from byzanz_lab.companions.empire.seeds import world_seeds
from byzanz_lab.companions.empire.trials import OUTCOMES, ActionsTrial, share_of_win
from byzanz_lab.evaluation import Budget, Estimate, compare

BINS: Final = 5


def forecast(
    position: Position,
    budget: Budget | SupportsIndex = 1000,
    *,
    policy: CompiledPolicy | None = None,
    seed: int = 1,
) -> dict[str, Estimate]:
    """How the game will end for the seat on the move, if both play as a policy does.

    Parameters
    ----------
    position
        What the seat knows.
    budget
        What may be spent; a whole number is a number of worlds.
    policy
        Who plays for both; the default policy if not given.
    seed
        Root of the random numbers.

    Returns
    -------
    dict
        ``"lead"`` in legacy tokens and ``"win"``, the share of the win, each from the seat's point of view.

    Examples
    --------
    >>> position = Position.at_table("byzantine", "dromons 2xskoutatoi", turn=12, legacy=(15, 9))
    >>> forecast(position, 200)["win"].mean
    1.0
    """
    both = policies_for(policy)
    choice = both[require_position(position).seat].choose(position, seed)
    found = compare(ActionsTrial(position, (choice,), both, seed), budget, workers=1)
    of = f"of seat {position.seat}"
    return {
        outcome: Estimate(e.mean, e.se, e.n, e.unit, f"{outcome} {of}", df=e.df, share=e.share)
        for outcome in OUTCOMES
        for e in (found.estimate(0, outcome),)
    }


@dataclass(frozen=True, eq=False)
class Calibration:
    """Forecasts of the chance to win, and what came of them.

    Attributes
    ----------
    forecasts
        ``float64[n_games]``: chance to win of the seat that was on the move.
    won
        ``float64[n_games]``: its share of the win.
    worlds
        Worlds behind a forecast.
    """

    forecasts: NDArray[np.float64]
    won: NDArray[np.float64]
    worlds: int

    @property
    def bias(self) -> Estimate:
        """How much more was won than forecast, over all games."""
        return Estimate.from_samples(self.won - self.forecasts, "share", "won beyond the forecast")

    @property
    def brier(self) -> Estimate:
        """Mean squared difference between forecast and share of the win (G. W. Brier 1950); less is better."""
        return Estimate.from_samples((self.won - self.forecasts) ** 2, "squared share", "Brier score")

    def bins(self, n: int = BINS) -> list[tuple[Estimate, Estimate]]:
        """Mean forecast and share won, for games with similar forecasts; bins without games are left out."""
        place = np.minimum((self.forecasts * n).astype(int), n - 1)
        found = []
        for at in np.unique(place):
            of = f"forecasts from {at / n:.0%} to {(at + 1) / n:.0%}"
            said = Estimate.from_samples(self.forecasts[place == at], "share", of)
            came = self.won[place == at]
            spread = came.std(ddof=1) / np.sqrt(len(came)) if len(came) > 1 else np.inf
            found.append((said, Estimate(came.mean(), spread, len(came), "share", f"won with {of}", share=True)))
        return found

    def _lines(self) -> list[list[str]]:
        rows = []
        for said, came in self.bins():
            low, high = came.interval()
            rows.append([f"{said.mean:.1%}", f"{came.mean:.1%}", f"{low:.1%} to {high:.1%}", str(came.n)])
        return rows

    def __str__(self) -> str:
        head = f"{len(self.won)} games, {self.worlds} worlds a forecast; bias {self.bias}; Brier score {self.brier}"
        rows = [["forecast", "won", "95 %", "games"], *self._lines()]
        return "\n".join([head, *("  ".join(cell.rjust(15) for cell in row) for row in rows)])

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{head}</th>' for head in ("forecast", "won", "95 %", "games"))
        rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in self._lines())
        caption = escape(str(self).splitlines()[0])
        return f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def calibrate(
    games: int = 500,
    worlds: int = 256,
    *,
    deck: Deck | None = None,
    policy: CompiledPolicy | None = None,
    seed: int = 1,
) -> Calibration:
    """Forecast from one moment of each of many games, and see what came of it.

    Parameters
    ----------
    games
        Number of games, 2 or more.
    worlds
        Worlds behind each forecast.
    deck
        The cards; the deck that ships with the package if not given.
    policy
        Who plays the games and the forecasts; the default policy if not given.
    seed
        Root of the random numbers.

    Raises
    ------
    ValueError
        If there are fewer than two games.
    """
    if games < 2:
        raise ValueError(f"an error bar needs 2 games or more, not {games}")
    cards, both = default_deck() if deck is None else deck, policies_for(policy)
    said, came = np.zeros(games), np.zeros(games)
    for game in range(games):
        luck = [int(x) for x in world_seeds(seed, game, 1)[0]]
        record, ended = play_logged(cards, luck[0], both, emperor=luck[1] % 2)
        moment = record.state_at(luck[2] % len(record.moves))
        assert moment.to_move is not None  # an action follows
        legacy = ended.results[0]
        said[game] = forecast(observe(moment, moment.to_move), worlds, policy=both[0], seed=luck[3])["win"].mean
        came[game] = share_of_win(np.array(legacy[moment.to_move] - legacy[1 - moment.to_move]))
    return Calibration(said, came, worlds)
