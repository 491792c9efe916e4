"""Whether a deck makes an even game: measured by self-play.

``python -m byzanz_lab.companions.empire.balance`` lets a policy play both seats some thousand times with a deck and
prints how often the Empire gained and lost territory in each age, how strong the melds were, and how many games ended
early. Three things make a deck even (`Balance.verdicts`): over all turns territory is gained about as often as it is
lost; in no age does one side win more than two turns of three; fewer than 15 % of games end before their time.

Turns of one game depend on each other, so all standard errors count games, not turns: a share is the mean over games of
what each game contributed, divided by the mean number of turns.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire.cards import Deck
from byzanz_lab.companions.empire.deck_file import default_deck, read_deck
from byzanz_lab.companions.empire.playouts import Games, Policies, play_games
from byzanz_lab.companions.empire.policies import BUILT_IN, policy_named
from byzanz_lab.companions.empire.rules import AGES, RULES
from byzanz_lab.evaluation.estimate import Estimate

EVEN: Final = 0.1
"""Gains and losses are about equal if their shares of all turns differ by less than this."""
FOREGONE: Final = 2 / 3
"""An age in which one side wins more turns than this is a foregone conclusion."""
EARLY: Final = 0.15
"""At most this share of games may end early."""

TURN, EMPEROR, FOES, BEFORE, AFTER, LEGACY = range(6)
"""Fields of `Games.turns`."""


@dataclass(frozen=True)
class AgeBalance:
    """What happened in the turns of one age, or of all.

    Attributes
    ----------
    gained, lost
        Shares of turns in which the Empire gained and lost territory.
    emperor, foes
        Total force of the melds of either side.
    legacy
        Legacy tokens that the Emperor gained in a turn.
    """

    gained: Estimate
    lost: Estimate
    emperor: Estimate
    foes: Estimate
    legacy: Estimate


@dataclass(frozen=True)
class Balance:
    """How even a deck is.

    Attributes
    ----------
    deck, policy, games
        What was played.
    ages
        By age, from early to late.
    all_turns
        All turns together.
    early
        Share of games that ended early.
    first_emperor
        Lead in legacy tokens of the seat that was Emperor first.
    """

    deck: str
    policy: str
    games: int
    ages: tuple[AgeBalance, ...]
    all_turns: AgeBalance
    early: Estimate
    first_emperor: Estimate

    def verdicts(self) -> dict[str, bool]:
        """The three things that make a deck even, and whether they hold."""
        apart = self.all_turns.gained.mean - self.all_turns.lost.mean
        won = [(age.gained.mean, age.lost.mean) for age in self.ages]
        return {
            f"gains and losses differ by less than {EVEN:.0%} of turns": abs(apart) < EVEN,
            f"no side wins more than {FOREGONE:.0%} of the turns of an age": bool(np.all(np.array(won) <= FOREGONE)),
            f"fewer than {EARLY:.0%} of games end early": self.early.mean < EARLY,
        }

    def __str__(self) -> str:
        lines = [
            f"{self.deck}: {self.games:,} games, {self.policy} against itself (± two standard errors)",
            f"{'':8}{'gained':>16}{'lost':>16}{'Emperor':>15}{'Foes':>15}{'legacy':>15}",
        ]
        for name, age in (*zip(AGES, self.ages, strict=True), ("all", self.all_turns)):
            shares = "".join(f"{e.mean:>9.1%} ±{2 * e.se:5.1%}" for e in (age.gained, age.lost))
            rest = "".join(f"{e.mean:>8.2f} ±{2 * e.se:5.2f}" for e in (age.emperor, age.foes, age.legacy))
            lines.append(f"{name:8}{shares}{rest}")
        lines.append(f"ended early: {self.early.mean:.1%} ±{2 * self.early.se:.1%}")
        lines.append(f"lead of the first Emperor: {self.first_emperor}")
        lines += [f"{'yes' if holds else 'NO '}  {said}" for said, holds in self.verdicts().items()]
        return "\n".join(lines)


def measure(
    deck: Deck, games: int = 20_000, seed: int = 1, policies: Policies = None, name: str = "default"
) -> Balance:
    """Measure how even a deck is.

    Parameters
    ----------
    deck
        The cards.
    games, seed
        How many games, and the root of their luck.
    policies
        Who plays; the default policy if not given.
    name
        What the policy is called in the result.
    """
    played = play_games(deck, games, seed, policies)
    ages = tuple(_turns(played, age) for age in range(1, len(AGES) + 1))
    territory, legacy = played.results[:, 2], played.results[:, :2]
    return Balance(
        deck.name,
        name,
        games,
        ages,
        _turns(played, None),
        Estimate.from_samples(territory <= 0, of="games that ended early"),
        Estimate.from_samples(legacy[:, 0] - legacy[:, 1], "tokens", "lead of the first Emperor"),
    )


def _turns(played: Games, age: int | None) -> AgeBalance:
    turns = [t for t in range(1, RULES.turns + 1) if age in (None, RULES.age(t))]
    rows = played.turns[:, [t - 1 for t in turns]]
    was_played = rows[..., TURN] > 0
    change = rows[..., AFTER] - rows[..., BEFORE]
    return AgeBalance(
        gained=_ratio(change > 0, was_played, "turns that gain territory"),
        lost=_ratio(change < 0, was_played, "turns that lose territory"),
        emperor=_ratio(rows[..., EMPEROR], was_played, "force of the Emperor", "force"),
        foes=_ratio(rows[..., FOES], was_played, "force of the Foes", "force"),
        legacy=_ratio(rows[..., LEGACY], was_played, "legacy of the Emperor in a turn", "tokens"),
    )


def _ratio(values: NDArray[np.generic], played: NDArray[np.bool_], of: str, unit: str = "") -> Estimate:
    """Mean over the turns that were played, with the standard error of a ratio of two means over games."""
    x, n = (values * played).sum(axis=1, dtype=float), played.sum(axis=1)
    if not n.any():
        return Estimate(np.nan, np.inf, 0, unit, of)
    mean = x.sum() / n.sum()
    se = float(np.std(x - mean * n, ddof=1)) / (n.mean() * np.sqrt(len(n)))
    return Estimate(mean, se, len(n), unit, of)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a deck and print what was found; 0 if it is even, 1 if not, 2 if it cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m byzanz_lab.companions.empire.balance", description=__doc__)
    parser.add_argument("deck", nargs="?", help="deck file; the deck that ships with the package if not given")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--policy", choices=BUILT_IN, default="default")
    given = parser.parse_args(arguments)
    if given.games < 2:
        parser.error("--games: two games or more are needed for an error bar")
    try:
        deck = default_deck() if given.deck is None else read_deck(given.deck)
    except (OSError, ValueError) as error:
        print(f"{given.deck}: {error}", file=sys.stderr)
        return 2
    result = measure(deck, given.games, given.seed, policy_named(given.policy), given.policy)
    print(result)
    return 0 if all(result.verdicts().values()) else 1


if __name__ == "__main__":
    sys.exit(main())
