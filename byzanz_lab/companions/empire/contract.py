"""What every game state and every policy must keep, as functions that any test can call.

``check_game`` walks through a whole game by choices of its own and makes sure at every step that legality is told the
same way by everyone who tells it, that no card appears or vanishes, that a Position holds only what its seat can know,
and that records and positions come back from JSON as they went. ``check_policy`` lets a policy play and makes sure that
it names legal actions, is given Positions only, and answers the same to the same question.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any, Protocol

from byzanz_lab.companions.empire import position_json
from byzanz_lab.companions.empire.actions import Action, HandOver, Meld, Negotiate, Redraw, Replace, parse_action
from byzanz_lab.companions.empire.cards import Deck, Heap, heap
from byzanz_lab.companions.empire.chance import Seeded
from byzanz_lab.companions.empire.position import Position, observe
from byzanz_lab.companions.empire.position_faults import faults
from byzanz_lab.companions.empire.record import Record, Recorder
from byzanz_lab.companions.empire.rules import RULES, Side
from byzanz_lab.companions.empire.state import State, new_game
from byzanz_lab.companions.empire.table import IllegalAction


class PolicyLike(Protocol):
    """What is asked of a policy here."""

    @property
    def name(self) -> str:
        """Short name."""
        ...

    @property
    def traits(self) -> Any:
        """What kind of policy it is; ``traits.stochastic`` says whether it may vary with the seed."""
        ...

    def choose(self, position: Position, seed: int = 0) -> Action:
        """Its decision."""
        ...


def check_game(seed: int, deck: Deck | None = None) -> Record:
    """Play a game by random choices and check every promise at every step.

    Parameters
    ----------
    seed
        Decides the draws and the choices.
    deck
        The cards; the deck that ships with the package if not given.

    Returns
    -------
    The record of the game.

    Raises
    ------
    AssertionError
        At the first promise that is broken, in one sentence.
    """
    rng = random.Random(seed)
    recorder = Recorder(new_game(deck, seed), ("first", "second"))
    while not recorder.state.is_over:
        state = recorder.state
        check_state(state)
        actions = state.legal_actions()
        assert actions, f"seat {state.to_move} must decide, but has no legal action"
        for action in rng.sample(actions, min(len(actions), 3)):
            assert state.can(action), f"{action} is listed as legal, but verify refuses it"
            assert parse_action(str(action)) == action, f"{action!r} is not read back as it is printed"
        for action in _illegal(state, set(actions)):
            assert not state.can(action), f"{action} is not listed as legal, but verify lets it pass"
            _check_refusal(state, action)
        recorder.apply(rng.choice(actions))
    check_state(recorder.state)
    record = recorder.record()
    assert record.replay() == recorder.state, "the record does not lead to the state it was made from"
    again = Record.loads(record.dumps(), deck)
    assert again == record, "the record is not read back as it was written"
    return record


def check_state(state: State) -> None:
    """Check the promises that a single state keeps; raises AssertionError."""
    table, deck = state.table, state.table.deck
    assert table.to_move == (None if state.is_over else table.to_move) and table.to_move in (0, 1, None)
    everything: Counter[str] = Counter((*table.removed, *(() if table.target is None else (table.target,))))
    for piles in (table.discards, table.melds, state.piles, (state.held(0), state.held(1))):
        everything.update(piles[0] + piles[1])
    in_play = sum((deck.in_play(side, table.age) for side in Side), Counter[str]())
    assert everything == in_play, "a card appeared or vanished"
    assert state.is_over or 1 <= table.territory <= RULES.most_territory, "the territory is out of range"
    assert min(table.legacy) >= 0, "a player has fewer than no legacy tokens"
    for seat in (0, 1):
        position = observe(state, seat)
        assert table.sizes[seat] == len(state.held(seat)), "the table does not tell the size of a hand"
        assert not faults(position), f"an observed position is refused: {faults(position)[0]}"
        text = position_json.dumps(position)
        assert position_json.loads(text, deck) == position, "a position is not read back as it was written"
        assert observe(_reshuffled(state, seat), seat) == position, "a position tells something hidden"


def check_policy(
    policy: PolicyLike, seed: int = 1, deck: Deck | None = None, rival: PolicyLike | None = None
) -> Record:
    """Let a policy play a whole game and check what every policy must keep.

    Parameters
    ----------
    policy
        The policy.
    seed
        Decides the draws, and is what the policy's own seeds come from.
    deck
        The cards.
    rival
        Who plays the other seat; the policy itself if not given.

    Returns
    -------
    The record of the game.

    Raises
    ------
    AssertionError
        At the first promise that is broken, in one sentence.
    """
    assert policy.name, "a policy has a name"
    players = (policy, rival or policy)
    recorder = Recorder(new_game(deck, seed), [player.name for player in players])
    number = 0
    while recorder.state.to_move is not None:
        state, seat = recorder.state, recorder.state.to_move
        position, player = observe(state, seat), players[seat]
        action = player.choose(position, seed + number)
        if player is policy:
            assert state.can(action), f"{policy.name} names {action}, which is illegal"
            same = observe(_reshuffled(state, seat), seat)
            assert policy.choose(same, seed + number) == action, f"{policy.name} answers the same question differently"
            if not policy.traits.stochastic:
                assert policy.choose(position, seed + number + 1) == action, f"{policy.name} varies with the seed"
            _check_state_is_refused(policy, state)
        recorder.apply(action)
        number += 1
    return recorder.record()


def _check_state_is_refused(policy: PolicyLike, state: State) -> None:
    try:
        policy.choose(state)  # type: ignore[arg-type]
    except TypeError:
        return
    raise AssertionError(f"{policy.name} takes a State, and could look at the cards")


def _reshuffled(state: State, seat: int) -> State:
    """Another state that looks the same to a seat: the rival's unknown cards are others, as far as can be."""
    table, rival = state.table, 1 - seat
    side, known = table.side_of(rival), table.known[rival]
    if state.chosen[rival] is not None or state.laid[rival] is not None or table.redrawn[rival]:
        return replace(state, chance=Seeded(99))
    pool = [code for code in state.piles[side.number] if table.deck[code].usable(table.age)]
    dead = [code for code in state.piles[side.number] if not table.deck[code].usable(table.age)]
    pool = sorted((*pool, *(Counter(state.hands[rival]) - Counter(known)).elements()), reverse=True)
    n = len(state.hands[rival]) - len(known)
    hand: Heap = heap((*known, *pool[:n]))
    hands = (hand, state.hands[1]) if rival == 0 else (state.hands[0], hand)
    pile = heap((*pool[n:], *dead))
    piles = (pile, state.piles[1]) if side is Side.BYZANTINE else (state.piles[0], pile)
    return replace(state, hands=hands, piles=piles, chance=Seeded(99))


def _illegal(state: State, legal: set[Action]) -> tuple[Action, ...]:
    """Some actions that are not legal at this moment."""
    assert state.to_move is not None
    hand = state.hands[state.to_move]
    stranger = next(card.code for card in state.table.deck if card.code not in hand)
    tried: tuple[Action, ...] = (
        Redraw((stranger,)), Redraw(hand), Redraw(), Meld((stranger,)), Meld(hand), Meld(), Negotiate(stranger),
        Negotiate(), Replace(stranger), Replace(), HandOver(stranger), *map(Replace, set(hand)),
    )  # fmt: skip
    return tuple(action for action in tried if action not in legal)


def _check_refusal(state: State, action: Action) -> None:
    try:
        state.apply(action)
    except IllegalAction as error:
        assert str(error), "a refusal has a reason"
        return
    raise AssertionError(f"{action} is illegal, but apply does it")
