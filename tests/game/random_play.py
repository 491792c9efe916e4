"""Games played at random, cheaply: moves are drawn without listing all legal actions first.

Random play from the list of legal actions is slow, and nearly always bids too much. Here every seat has a `Style` of
its own, drawn at random, so that a few thousand games reach what the rules can come to: long auctions and rounds in
which all pass, unpaid lots, full hands, empty markets, sales in and out of turn, early and never.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import GROUPS, KINDS, VALUES, Cards
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import State, new_game
from byzanz_lab.game.table import Phase

ALL_VARIANTS = tuple(
    {name: value for name, value in zip(Rules.variant_names(), chosen, strict=True) if value}
    for chosen in [(limit, a, b, c) for limit in (0, 8) for a in (0, True) for b in (0, True) for c in (0, True)]
)
"""Every combination of variants, the plain rules first."""


@dataclass(frozen=True)
class Style:
    """How a seat plays: each a chance from 0 to 1."""

    bids: float
    """To bid when its turn comes."""
    overbids: float
    """To add one more card than needed."""
    sells: float
    """To sell, when it is over the limit or at the end, rather than drop or stop."""
    interrupts: float
    """To sell between two actions, whosever turn it is."""
    declines: float
    """To decline a group, where the variant lets it."""


class Played(NamedTuple):
    """One action of a random game."""

    before: State
    seat: int
    action: Action
    after: State


def random_rules(seats: int, rng: random.Random) -> Rules:
    """The plain rules half of the time, else any combination of variants."""
    return Rules.for_seats(seats, **(rng.choice(ALL_VARIANTS) if rng.random() < 0.5 else {}))


def random_styles(seats: int, rng: random.Random) -> list[Style]:
    """A mix of styles, each trait anything from never to always."""
    return [
        Style(
            rng.choice([0.0, 0.2, 0.5, 0.8, 1.0]), rng.random() * 0.5, rng.random(), rng.choice([0, 0, 0.1, 0.3]), 0.2
        )
        for _ in range(seats)
    ]


def random_game(seats: int, seed: int) -> Iterator[Played]:
    """Play one game by mixed styles under mixed variants."""
    rng = random.Random(seed)
    rules = random_rules(seats, rng)
    yield from play_on(new_game(rules, seed, start_player=rng.randrange(seats)), random_styles(seats, rng), rng)


def play_on(state: State, styles: list[Style], rng: random.Random) -> Iterator[Played]:
    """Play from a state to the end of the game."""
    while not state.is_over:
        seat, action = random_move(state, styles, rng)
        after = state.apply(action, seat)
        yield Played(state, seat, action, after)
        state = after


def random_move(state: State, styles: list[Style], rng: random.Random) -> tuple[int, Action]:
    """Draw what happens next: a sale by anybody, or what the seat on the move does."""
    seat = state.to_move
    assert seat is not None
    style = styles[seat]
    other = rng.randrange(state.rules.seats)
    if rng.random() < styles[other].interrupts and other not in state.table.done:
        sale = random_set(state.hands[other], rng)
        if sale:
            return other, Sell(sale)
    if state.phase is Phase.AUCTION:
        return seat, random_bid(state, seat, style, rng)
    if state.phase in (Phase.TAX, Phase.LAST_LOT):
        return seat, Tax(rng.choice(state.table.lot.codes()))
    if state.phase is Phase.MARKET:
        if state.rules.may_decline_market and rng.random() < style.declines:
            return seat, Decline()
        return seat, Take(rng.choice(state.table.market.groups()))
    if state.phase is Phase.CLOSING:
        seat = rng.choice([s for s in range(state.rules.seats) if s not in state.table.done])
        style = styles[seat]
    hand = state.hands[seat]
    sale = random_set(hand, rng) if rng.random() < style.sells else None
    if sale:
        return seat, Sell(sale)
    if state.phase is Phase.CLOSING:
        return seat, Done()
    return seat, Discard(Cards(rng.sample(hand.codes(), rng.randint(1, len(hand) - state.rules.hand_limit))))


def random_bid(state: State, seat: int, style: Style, rng: random.Random) -> Bid | Pass:
    """Few cards that beat the highest bid, or a pass."""
    over = state.table.high_bid - state.table.bids[seat].total
    goods = [code for code in state.hands[seat].codes() if code != "D"]
    if rng.random() >= style.bids:
        return Pass()
    rng.shuffle(goods)
    added: list[str] = []
    total = 0
    while goods and total <= over:
        added.append(goods.pop())
        total += VALUES[KINDS.index(added[-1])]
    if goods and rng.random() < style.overbids:
        added.append(goods.pop())
    return Bid(Cards(added)) if total > over else Pass()


def random_set(hand: Cards, rng: random.Random) -> Cards | None:
    """A set of the hand, or nothing: any three cards of one good and dealers are one."""
    dealers = ["D"] * hand.dealers
    pools = [hand.group(good).codes() + dealers for good in GROUPS[:-1] if hand.group(good)] or [dealers]
    pools = [pool for pool in pools if len(pool) >= Rules.set_size]
    return Cards(rng.sample(rng.choice(pools), Rules.set_size)) if pools else None
