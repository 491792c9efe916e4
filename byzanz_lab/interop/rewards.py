"""What a game was worth to each seat, and how long games can get.

The words are those of advice: ``profit`` is the points of a seat, ``margin`` its lead over the best rival, ``win`` its
share of the win (equal seats share it, ruling *tie*). A game is worth nothing before it has ended.
"""

from __future__ import annotations

from typing import Final

from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import Result
from byzanz_lab.safe_json import shown
from byzanz_lab.simulation.playouts import OBJECTIVES

REWARDS: Final = OBJECTIVES
"""What a reward can count."""


def check_reward(reward: str) -> str:
    """Let only a known reward through.

    Raises
    ------
    ValueError
        If there is no such reward; the message lists those that there are.
    """
    if reward not in REWARDS:
        raise ValueError(f"unknown reward {shown(reward)} (rewards are {', '.join(REWARDS)})")
    return reward


def rewards_of(result: Result, reward: str) -> tuple[float, ...]:
    """Per seat, what the game was worth.

    Examples
    --------
    >>> ended = Result.of(profits=[20, 31, 31], goods_left=[0, 2, 2])
    >>> rewards_of(ended, "profit"), rewards_of(ended, "margin"), rewards_of(ended, "win")
    ((20.0, 31.0, 31.0), (-11.0, 0.0, 0.0), (0.0, 0.5, 0.5))
    """
    profits, winners = result.profits, result.winners
    if check_reward(reward) == "profit":
        return tuple(map(float, profits))
    if reward == "win":
        return tuple((seat in winners) / len(winners) for seat in range(len(profits)))
    rivals = [max(profits[:seat] + profits[seat + 1 :]) for seat in range(len(profits))]
    return tuple(float(own - best) for own, best in zip(profits, rivals, strict=True))


def most_profit(rules: Rules) -> int:
    """More points than a seat can have: all cards sold, each set at the best price there is."""
    return rules.n_cards // rules.set_size * rules.dealer_set_profit


def reward_range(rules: Rules, reward: str) -> tuple[float, float]:
    """The least and the most that a reward can be."""
    most = float(most_profit(rules))
    return {"profit": (0.0, most), "margin": (-most, most), "win": (0.0, 1.0)}[check_reward(reward)]


def most_choices(rules: Rules) -> int:
    """More choices than a game can have, all seats together, waits not counted.

    In an auction a seat names each card of its hand at most once, with an ``end`` behind it, and passes once. A card
    leaves the game once, at two choices at most (dropped alone). The rest is one choice for each lot, turn at the
    market, and end of a closing sale.
    """
    bidders = sum(range(2, rules.seats + 1))  # over the auctions of a round
    auctions = bidders * (2 * rules.hand_limit + 1)
    taxes = market = rules.seats
    return rules.rounds * (auctions + taxes + market) + 2 * rules.n_cards + rules.seats
