"""How much noise could be taken out of advice, and by what.

Run by hand: ``python -m tests.benchmarks.bench_noise``. For each sample position, the two actions that lead:

- the standard deviation of one action's profit, of the paired difference, and the correlation that common random
  numbers leave between the two (after the first different action the games soon go their own ways);
- *stratifying*: the most that balancing something over the worlds can gain is 1 / (1 - share of the variance that it
  explains). The share is measured by nested sampling (one-way analysis of variance): the thing is held fixed, all else
  is dealt anew. Things: the rivals' hands; those and the next lot; those and all lots to the end of this round;
- *control variates*, linear, fitted on one half and judged on the other: what the rivals hold and what the next two
  lots bring, kind by kind; and the luck of each draw (what the cards of a lot add to each hand that can still win it,
  less the mean over what is left to draw), for this seat and its rivals, summed over this round, the next and the rest.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.advice.advise import trial_for
from byzanz_lab.advice.options import candidates_for
from byzanz_lab.advice.trial import PlayoutTrial
from byzanz_lab.game.cards import KINDS, Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.state import State
from byzanz_lab.simulation.encoding import decode_action, pack_counts
from byzanz_lab.simulation.enumerate import AllWorlds
from byzanz_lab.simulation.playouts import log_line, play_listed
from byzanz_lab.simulation.policies import ValuePolicy, default_policy, policies_for
from byzanz_lab.simulation.worlds import Worlds, determinize
from tests.advice.positions import sample

NAMES = ("opening", "auction", "tax", "hand_limit", "last_lot", "market")


@dataclass
class Pair:
    """The two leading actions at a position."""

    position: Position
    trial: PlayoutTrial
    lines: list[int]

    @classmethod
    def of(cls, position: Position) -> Pair:
        players = policies_for(None, position.rules.seats)
        options = [group[0] for group in candidates_for(position, players[position.seat]).groups]
        trial = trial_for(position, options, players, 1)
        means = trial.play(0, 2000, range(len(options))).objectives(position.seat)[..., 0].mean(axis=0)
        return cls(position, trial, [int(i) for i in np.argsort(-means)[:2]])

    def profits(self, n: int) -> NDArray[np.float64]:
        """Profit of both actions in the first worlds, ``[n, 2]``."""
        return self.trial.play(0, n, self.lines).objectives(self.position.seat)[..., 0]


def explained(pair: Pair, lots: int, outer: int, inner: int) -> float:
    """Share of the variance of the difference that rivals' hands and so many cards of the deck explain."""
    worlds = determinize(pair.position, outer, seed=77)
    rng = np.random.default_rng(5)
    hands = np.repeat(pack_counts(worlds.hands), inner, axis=0)
    decks = np.empty((outer * inner, worlds.decks.shape[1]), np.int8)
    for i in range(outer):
        left_out = np.repeat(np.arange(len(KINDS)), worlds.removed[i])
        rest = np.concatenate([worlds.decks[i, lots:], left_out])
        for j in range(inner):
            rng.shuffle(rest)
            decks[i * inner + j] = [*worlds.decks[i, :lots], *rest[: worlds.decks.shape[1] - lots]]
    listed = AllWorlds(hands, decks, np.full(len(hands), 1 / len(hands)))
    trial = pair.trial
    out = play_listed(trial.start, listed, trial.lines[pair.lines], trial.lengths[pair.lines], trial.policies)
    profit = out.objectives(pair.position.seat)[..., 0]
    diff = (profit[:, 0] - profit[:, 1]).reshape(outer, inner)
    within = diff.var(axis=1, ddof=1).mean()
    between = diff.mean(axis=1).var(ddof=1) - within / inner
    return max(between / (between + within), 0.0)


def gain(y: NDArray[np.float64], x: NDArray[np.float64]) -> float:
    """Variance plain over variance after a linear correction that was fitted on the other half."""
    half = len(y) // 2
    x, y = x - x.mean(axis=0), y - y.mean()
    beta = np.linalg.lstsq(x[:half], y[:half], rcond=None)[0]
    return float(y[half:].var() / (y[half:] - x[half:] @ beta).var())


def world_features(pair: Pair, n: int) -> NDArray[np.float64]:
    """Counts of each kind in the rivals' hands together, and in the next 8 cards of the deck."""
    worlds = determinize(pair.position, n, seed=1)
    rivals = np.delete(worlds.hands, pair.position.seat, axis=1).sum(axis=1)
    drawn = np.stack([(worlds.decks[:, :8] == kind).sum(axis=1) for kind in range(len(KINDS))], axis=1)
    return np.concatenate([rivals, drawn], axis=1).astype(float)


def luck_features(pair: Pair, n: int) -> NDArray[np.float64]:
    """Luck of the draws in each playout of both actions, ``[n, 12]``."""
    policy, trial = default_policy(), pair.trial
    worlds = determinize(pair.position, n, seed=1)
    hands = pack_counts(worlds.hands)
    rows = []
    for w in range(n):
        row: list[float] = []
        for line in pair.lines:
            first = trial.lines[line][:1]
            moves, _ = log_line(trial.start, hands[w], worlds.decks[w], trial.policies, line=first)
            forced = [(seat, decode_action(what, cards)) for seat, what, cards in first.tolist()]
            row += _luck(worlds, w, [*forced, *moves], policy)
        rows.append(row)
    return np.array(rows)


def _luck(worlds: Worlds, w: int, moves: list, policy: ValuePolicy) -> list[float]:
    state, seat = worlds.state(w), worlds.position.seat
    begun, luck = state.table.round, np.zeros((2, 3))
    for actor, action in moves:
        after = state.apply(action, actor)
        if after.table.lot and len(after.deck) < len(state.deck):
            when = min(after.table.round - begun, 2)
            for s in range(state.rules.seats):
                if not after.table.offers[s]:
                    luck[int(s != seat), when] += _draw(state, after, s, policy)
        state = after
    return [*luck[0], *luck[1]]


def _draw(before: State, after: State, seat: int, policy: ValuePolicy) -> float:
    hand, stage = after.hands[seat], after.rules.rounds - after.table.round + 1
    pool = Cards([KINDS[kind] for kind in before.deck]) + (before.removed or Cards())
    base = policy.hand_value(hand, stage)
    worth = {code: policy.hand_value(hand + Cards([code]), stage) - base for code in KINDS if pool.count(code)}
    mean = sum(worth[code] for code in pool) / len(pool)
    return sum(worth[code] for code in after.table.lot) - len(after.table.lot) * mean


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=8000)
    parser.add_argument("--luck", type=int, default=400, help="worlds for the luck of the draw (slow)")
    options = parser.parse_args()
    head = ["position", "sd", "sd diff", "corr", "hands", "+ lot", "+ round", "worlds", "draws"]
    print("gain possible by stratifying (hands, + next lot, + lots of the round); gain by controls (worlds, draws)")
    print("".join(title.rjust(11) for title in head))
    for name in NAMES:
        pair = Pair.of(sample(name))
        profit = pair.profits(options.worlds)
        diff = profit[:, 0] - profit[:, 1]
        size = max(pair.position.rules.offers)
        this_round = pair.position.rules.deck_left(pair.position.round, 0) - pair.position.rules.deck_left(
            pair.position.round + 1, 0
        )
        bounds = [1 / (1 - explained(pair, lots, 400, 16)) for lots in (0, size, this_round)]
        few = pair.profits(options.luck)
        found = [
            gain(diff, world_features(pair, options.worlds)),
            gain(few[:, 0] - few[:, 1], luck_features(pair, options.luck)),
        ]
        numbers = [profit[:, 0].std(), diff.std(), np.corrcoef(profit.T)[0, 1], *bounds, *found]
        print(name.rjust(11) + "".join(f"{number:11.2f}" for number in numbers), flush=True)


if __name__ == "__main__":
    main()
