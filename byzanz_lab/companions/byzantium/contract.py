"""What every game and every policy of this package promises, as checks that anybody can run.

Hand your own policy to `check_policy`, or a set of rules to `check_game`: they play deals and raise `AssertionError` at
the first broken promise. The idea is that of OpenSpiel's ``api_test``: one list of promises, written once, run on all.
"""

from __future__ import annotations

import json
import random
from typing import Any

from byzanz_lab.companions.byzantium.actions import Action, Pass, Place, format_action, parse_action
from byzanz_lab.companions.byzantium.cards import ALL_CARDS, Cards
from byzanz_lab.companions.byzantium.position import Position, faults, observe
from byzanz_lab.companions.byzantium.position_text import load_position, parse_position
from byzanz_lab.companions.byzantium.record import Record, Recorder
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import State, new_game
from byzanz_lab.companions.byzantium.table import IllegalAction


def check_game(rules: Rules, deals: int = 5, seed: int = 0) -> None:
    """Play deals at random and check everything that holds at every moment of any deal.

    Raises
    ------
    AssertionError
        At the first promise that is broken; the message says which, and in which deal.
    """
    for number in range(deals):
        choose = random.Random(seed + number)
        recorder = Recorder(new_game(rules, seed + number, dealer=number % rules.players))
        where = f"{rules!r}, deal {seed + number}"
        while not recorder.state.is_over:
            check_moment(recorder.state, where)
            recorder.apply(choose.choice(recorder.state.legal_actions()))
        check_moment(recorder.state, where)
        record = recorder.record()
        _promise(Record.loads(record.dumps()) == record, "a record is read as it was written", where)
        _promise(record.replay() == recorder.state, "a record leads to the same end", where)


def check_moment(state: State, where: str = "here") -> None:
    """Check everything that holds at any moment; see `check_game`."""
    _check_cards(state, where)
    _check_legality(state, where)
    for seat in range(state.rules.players):
        _check_view(state, observe(state, seat), where)


def check_policy(policy: Any, rules: Rules | None = None, deals: int = 2, seed: int = 0) -> None:
    """Let a policy play all seats, and check that it keeps to the rules and to what it may know.

    Parameters
    ----------
    policy
        Has ``name``, ``traits``, ``source`` and ``choose(position, seed)``.
    rules
        One set of rules; tables of one to four players when left out.
    deals, seed
        How many deals, and the seed of the first.

    Raises
    ------
    AssertionError
        At the first promise that is broken.
    """
    where = f"policy {getattr(policy, 'name', policy)!r}"
    for field in ("name", "source"):
        _promise(isinstance(getattr(policy, field, None), str), f"it has a {field}", where)
    stochastic = policy.traits.stochastic
    for table in [rules] if rules is not None else [Rules(n) for n in range(1, 5)]:
        for number in range(deals):
            state = new_game(table, seed + number)
            _check_refusal(policy, state, where)
            while state.to_move is not None:
                position = observe(state, state.to_move)
                chosen = policy.choose(position, seed)
                _promise(state.can(chosen), f"{chosen} is legal in {position}", where)
                _promise(policy.choose(position, seed) == chosen, "the same seed gives the same choice", where)
                if not stochastic:
                    _promise(policy.choose(position, seed + 1) == chosen, "only a stochastic policy uses seeds", where)
                state = state.apply(chosen)


def _check_refusal(policy: Any, state: State, where: str) -> None:
    try:
        policy.choose(state, 0)
    except TypeError:
        return
    _promise(False, "a policy that is handed a State raises TypeError", where)


def _check_cards(state: State, where: str) -> None:
    table = state.table
    places = [table.tableau.placed, table.aside, state.kitty, Cards(state.deck), *state.hands]
    _promise(sum(map(len, places)) == len(ALL_CARDS), "there are 24 cards", where)
    union = Cards()
    for cards in places:
        union = union | cards
    _promise(union == ALL_CARDS, "every card is in one place", where)
    _promise(table.sizes == tuple(map(len, state.hands)), "sizes are those of the hands", where)
    for seat, hand in enumerate(state.hands):
        _promise(not hand & table.barred[seat], "no hand holds what its passes rule out", where)


def _check_legality(state: State, where: str) -> None:
    legal = state.legal_actions()
    _promise(bool(legal) != state.is_over, "there is an action until the deal is over", where)
    _promise(len(set(legal)) == len(legal), "no action is listed twice", where)
    if state.to_move is None:
        return
    hand = state.hands[state.to_move]
    conceivable: list[Action] = [Place(card, slot) for card in ALL_CARDS for slot in state.rules.geometry.slots]
    for action in [*conceivable, Pass()]:
        allowed = state.can(action)
        _promise(allowed == (action in legal), f"{action} is listed if and only if it is allowed", where)
    for action in legal:
        _promise(parse_action(format_action(action)) == action, f"{action} is read as it was written", where)
        after = state.apply(action)
        moved = isinstance(action, Place)
        _promise(len(after.tableau) == len(state.tableau) + moved, "a card comes down if and only if placed", where)
    _promise((Pass() in legal) == (not state.tableau.fitting(hand)), "one passes if and only if nothing fits", where)
    _check_other_seats(state, where)


def _check_other_seats(state: State, where: str) -> None:
    for seat in range(state.rules.players):
        if seat != state.to_move:
            try:
                state.apply(Pass(), seat)
            except IllegalAction:
                continue
            _promise(False, "only the seat on the move acts", where)


def _check_view(state: State, position: Position, where: str) -> None:
    seat = position.seat
    _promise(list(faults(position)) == [], "a view that comes about in play has no faults", where)
    _promise(parse_position(str(position)) == position, "a position is read as it was written, as text", where)
    _promise(Position.from_dict(position.to_dict()) == position, "and as JSON", where)
    _promise(load_position(json.dumps(position.to_dict())) == position, "and as JSON text", where)
    hidden = state.kitty | Cards(state.deck)
    for other, hand in enumerate(state.hands):
        hidden = hidden | (hand if other != seat else Cards())
    _promise(position.unseen == hidden, "unseen are the others' cards, kitty and deck", where)
    _promise(position.worlds >= 1, "the truth is one of the worlds", where)
    legal = state.legal_actions() if state.to_move == seat else ()
    _promise(position.legal_actions() == legal, "a seat knows what it may do", where)


def _promise(kept: bool, promise: str, where: str) -> None:
    if not kept:
        raise AssertionError(f"broken in {where}: {promise}")
