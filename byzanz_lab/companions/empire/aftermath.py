"""What the rest of the game is worth, by the territory that a turn leaves.

After a turn all hands are emptied: what was not melded is discarded, but for one card each. So what a meld does to the
rest of the game is done, for the most part, through the territory. ``aftermath`` plays the rest out once for each level
of territory that may be left, all levels in the same worlds, with legacy tokens as they are now. What the turn itself
brings in tokens is then added exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from byzanz_lab.companions.empire import kernels as k
from byzanz_lab.companions.empire.actions import HandOver, Meld
from byzanz_lab.companions.empire.cards import minus
from byzanz_lab.companions.empire.encoding import blank_game, encode, encode_action
from byzanz_lab.companions.empire.playouts import Policies, begin
from byzanz_lab.companions.empire.policies import policies_for
from byzanz_lab.companions.empire.position import Position
from byzanz_lab.companions.empire.rules import RULES
from byzanz_lab.companions.empire.seeds import world_seeds
from byzanz_lab.companions.empire.table import Phase


@dataclass(frozen=True, eq=False)
class Aftermath:
    """How the game ends if this turn leaves the legacy tokens as they are.

    Attributes
    ----------
    leads
        ``float64[n_worlds, 21]``: by world and territory left, tokens of the seat less those of the rival in the end.
        The column of territory 0 is not used: there the game ends at once.
    lead
        The lead now.
    exact
        Whether this is the last turn, so that nothing had to be played.
    """

    leads: NDArray[np.float64]
    lead: float
    exact: bool


def aftermath(position: Position, n: int, seed: int = 1, policies: Policies = None, first: int = 0) -> Aftermath:
    """Play out the rest of a game after this turn's melds.

    Parameters
    ----------
    position
        What a seat knows that is to meld.
    n, seed, first
        Number of worlds, root of the random numbers, number of the first world.
    policies
        Who plays on, after the turn; and what the two meld and pass in this one, as far as that matters.

    Raises
    ------
    ValueError
        If the seat is not to meld.
    """
    table, seat = position.table, position.seat
    if table.phase is not Phase.MELD:
        raise ValueError(f"the decision is {table.phase}, not meld")
    lead = float(table.legacy[seat] - table.legacy[1 - seat])
    if table.turn == RULES.turns:
        return Aftermath(np.full((1, RULES.most_territory + 1), lead), lead, exact=True)
    both = policies_for(policies)
    meld = both[seat].choose(position, seed)
    assert isinstance(meld, Meld)  # the phase says so
    ends = play_after(position, meld, n, seed, both, first)
    leads = (ends[..., seat] - ends[..., 1 - seat]).astype(float)
    return Aftermath(np.concatenate([np.zeros((n, 1)), leads], axis=1), lead, exact=False)


def play_after(
    position: Position, meld: Meld, n: int, seed: int = 1, policies: Policies = None, first: int = 0
) -> NDArray[np.int32]:
    """Tokens of both seats in the end, ``int32[n_worlds, 20, 2]``, by the territory (1 to 20) that this turn leaves."""
    deck = position.table.deck
    left = minus(position.hand, meld.cards)
    passed = _passed(position, meld, policies) if left else None
    plan = np.concatenate([encode_action(deck, meld), np.zeros(2, np.int32)])
    if passed is not None:
        plan[k.LINE :] = encode_action(deck, passed)[:2]
    start, tables = begin(encode(position), policies, deck)
    territories = np.arange(1, RULES.most_territory + 1, dtype=np.int32)
    out = np.zeros((n, 1, len(territories), 2), np.int32)
    with np.errstate(over="ignore"):  # plain Python without Numba: 64-bit states are meant to wrap
        k.play_after(
            blank_game(deck), start, start.usable.copy(), start.dead.copy(), world_seeds(seed, first, n), plan[None],
            territories, tables, out,
        )  # fmt: skip
    return out[:, 0]


def _passed(position: Position, meld: Meld, policies: Policies) -> HandOver:
    """The card that the seat's policy passes, once this is melded; it is the same in all worlds."""
    seat, rest = position.seat, minus(position.hand, meld.cards)
    size = (len(rest), position.table.sizes[1 - seat])
    table = replace(position.table, phase=Phase.PASS, sizes=size if seat == 0 else size[::-1])
    choice = policies_for(policies)[seat].choose(replace(position, table=table, hand=rest))
    assert isinstance(choice, HandOver)  # the phase says so
    return choice
