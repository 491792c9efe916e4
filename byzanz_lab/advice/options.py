"""Which choices are worth comparing at a decision.

Most decisions have a handful of legal actions, and all are compared. Two have many: a bid can be paid in many ways, and
many cards can be dropped at the hand limit. There the playout policy's own value of what is left in hand picks the
candidates, and the advice says how many legal actions were left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from byzanz_lab.game.actions import Action, Bid, Discard, Sell
from byzanz_lab.game.cards import KINDS, Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.sales import set_profit
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.policies import CompiledPolicy, ValuePolicy, default_policy

PAYMENTS_A_TOTAL = 3
"""Ways to pay the same total that are tried before one is chosen."""
MOST_TRIMS = 16
"""Candidates at the hand limit."""


@dataclass(frozen=True)
class Option:
    """One candidate action.

    Attributes
    ----------
    action
        What the seat does.
    total
        For a bid, what the open bid comes to; otherwise ``None``.
    """

    action: Action
    total: int | None = None


@dataclass(frozen=True)
class Candidates:
    """What is compared.

    Attributes
    ----------
    groups
        Options that answer the same question (ways to pay one total), best first by the policy's value.
    legal
        Number of legal actions they were chosen from; early sales are not counted (see `candidates_for`).
    """

    groups: tuple[tuple[Option, ...], ...]
    legal: int


def candidates_for(position: Position, policy: CompiledPolicy) -> Candidates:
    """The choices of the seat on the move.

    Outside the hand limit and the closing sale, selling a set now is left out: it is never worth more profit than
    selling it at the next of those moments (ruling *sell-any-time*).
    """
    legal = position.legal_actions()
    if position.phase is Phase.HAND_LIMIT:
        return _trims(position, legal, _valuer(policy))
    if position.phase is Phase.CLOSING:
        return Candidates(tuple((Option(action),) for action in legal), len(legal))
    due = [action for action in legal if not isinstance(action, Sell)]
    bids: dict[int, list[Bid]] = {}
    plain: list[tuple[Option, ...]] = []
    for action in due:
        if isinstance(action, Bid):
            total = (position.bids[position.seat] + action.cards).total
            bids.setdefault(total, []).append(action)
        else:
            plain.append((Option(action),))
    paid = [best_payments(position, total, ways, policy) for total, ways in sorted(bids.items())]
    return Candidates((*plain, *paid), len(due))


def stage_of(position: Position) -> int:
    """Rounds to come, the present one included while its auctions run."""
    left = position.rules.rounds - position.round
    return left + 1 if position.table.lots_won < position.rules.seats else left


def _valuer(policy: CompiledPolicy) -> ValuePolicy:
    return policy if isinstance(policy, ValuePolicy) else default_policy()


def best_payments(position: Position, total: int, ways: list[Bid], policy: CompiledPolicy) -> tuple[Option, ...]:
    """The ways to pay one total that leave most, best first, if the lot is won and the card missed least is taxed."""
    stage, whole, valuer = stage_of(position), position.hand + position.lot, _valuer(policy)

    def left(bid: Bid) -> float:
        kept = whole - bid.cards
        return max(
            valuer.hand_value(kept - Cards([KINDS[kind]]), stage) for kind, n in enumerate(position.lot.counts) if n
        )

    best = sorted(ways, key=left, reverse=True)[:PAYMENTS_A_TOTAL]
    return tuple(Option(bid, total) for bid in best)


def _trims(position: Position, legal: tuple[Action, ...], policy: ValuePolicy) -> Candidates:
    """Sets to sell, and ways to drop exactly what is over the limit, by what they leave."""
    stage, hand = stage_of(position), position.hand
    over = len(hand) - position.rules.hand_limit
    valued: list[tuple[float, Action]] = []
    for action in legal:
        if isinstance(action, Sell):
            valued.append((set_profit(action.cards) + policy.hand_value(hand - action.cards, stage), action))
        elif isinstance(action, Discard) and len(action.cards) == over:
            valued.append((policy.hand_value(hand - action.cards, stage), action))
    valued.sort(key=lambda pair: pair[0], reverse=True)
    return Candidates(tuple((Option(action),) for _, action in valued[:MOST_TRIMS]), len(legal))
