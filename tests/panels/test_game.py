"""A game against policies: hidden is hidden, undo leads to the same game again, and the record can be replayed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from byzanz_lab.game.actions import Bid, Pass
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import Position, observe
from byzanz_lab.game.record import Record
from byzanz_lab.panels.game import Game
from byzanz_lab.panels.play_panel import PlayPanel, table_view


@pytest.fixture
def game() -> Iterator[Game]:
    game = Game(["default", "you", "greedy", "random"], seed=4)
    game.join(60)
    yield game
    game.close()
    game.join(60)


def play_on(game: Game, seed: int = 1, most: int = 1000) -> None:
    """Do anything that is allowed, until the game is over."""
    chance = random.Random(seed)
    for _ in range(most):
        if game.is_over:
            return
        assert game.is_your_turn
        assert game.play(chance.choice(game.position.legal_actions())), game.error
        game.join(60)


def test_policies_play_until_it_is_your_turn(game: Game) -> None:
    assert game.is_your_turn
    assert game.position.seat == 1
    assert [seat for seat, _ in game.log] == [0]


def test_only_the_view_of_your_seat_is_given_away(game: Game) -> None:
    assert isinstance(game.position, Position)
    shown = {name for name in vars(type(game)) if not name.startswith("_")}
    assert "state" in shown  # of the thinking; not a State
    assert game.state == "done"
    view = table_view(game)
    rivals = [seat for seat in view["table"] if not seat["you"]]
    assert all(sum(seat["known"]) == len(game.position.known[seat["seat"]]) for seat in rivals)
    assert sum(seat["unknown"] for seat in rivals) == sum(game.position.unknown)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_whole_game_can_be_played_and_its_record_replayed(seats: int) -> None:
    game = Game(["you", *["default"] * (seats - 1)], seed=seats)
    game.join(60)
    play_on(game)
    assert game.is_over
    record = Record.loads(game.record().dumps())
    assert record.replay().result() == record.result
    assert record.names[0] == "you"
    assert not game.is_your_turn
    game.close()


def test_the_same_seed_and_the_same_play_are_the_same_game() -> None:
    records = []
    for _ in range(2):
        game = Game(["you", "random", "random"], seed=8)
        game.join(60)
        play_on(game)
        records.append(game.record())
    assert records[0] == records[1]


def test_undo_takes_back_your_last_action_and_all_after_it(game: Game) -> None:
    assert not game.can_undo
    before, seen = list(game.log), game.position
    game.play("pass")
    game.join(60)
    after = list(game.log)
    game.undo()
    assert (game.log, game.position) == (before, seen)
    assert not game.can_undo
    game.play("pass")
    game.join(60)
    assert game.log == after  # the policies do the same again


def test_a_finished_game_can_be_taken_back(game: Game) -> None:
    play_on(game)
    game.undo()
    assert not game.is_over
    assert game.is_your_turn


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("bid D", "Dealers cannot be bid."),
        ("tax D", "No card of a lot is due to the market, the decision is auction."),
        ("bid Wi9", "Unknown card 'Wi9'"),
        ("sell Wi1", "A set has exactly 3 cards, not 1."),
        ("dance", "Unknown action 'dance'"),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_reason(game: Game, action: str, said: str) -> None:
    before = list(game.log)
    assert not game.play(action)
    assert game.error.startswith(said)
    assert game.log == before


def test_the_reason_is_that_of_the_rules(game: Game) -> None:
    assert game.why_not(Pass()) == ""
    assert game.why_not(Bid(Cards("D"))) == "dealers cannot be bid"


def test_a_hint_is_advice_on_what_you_see(game: Game) -> None:
    game.ask(worlds=64)
    game.join(60)
    assert game.hint.position == game.position
    assert PlayPanel(game).view["prompt"].startswith("Hint: ")
    game.play("pass")
    assert game.hint is None


def test_without_a_decision_there_is_no_hint(game: Game) -> None:
    play_on(game)
    game.ask(worlds=64)
    assert game.error == "There is nothing for you to decide now."
    assert game.hint is None


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (["default"] * 4, "you sit on exactly one seat, not on 0"),
        (["you", "you", "default"], "you sit on exactly one seat, not on 2"),
        (["you", "default"], "3 to 6 seats"),
        (["you", "nobody", "default"], "nobody is called 'nobody'"),
    ],
)
def test_seats_that_cannot_be_are_refused_and_the_game_goes_on(game: Game, players: list[str], said: str) -> None:
    before = list(game.log)
    with pytest.raises(ValueError, match=said):
        game.start(players)
    assert game.log == before


@pytest.mark.parametrize("seed", [-1, 10**10])
def test_a_seed_that_cannot_be_is_refused(game: Game, seed: int) -> None:
    with pytest.raises(ValueError, match="a seed is a whole number"):
        game.start(["you", "default", "default"], seed)


def test_policies_are_given_their_own_view_only(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    class Spy:
        def choose(self, position: object, seed: int = 0) -> object:
            seen.append(position)
            return Pass()

    monkeypatch.setattr("byzanz_lab.panels.game.policy_named", lambda name, seats: Spy())
    game.start(["greedy", "you", "default"], 3)
    game.join(60)
    assert [type(one) for one in seen] == [Position]
    assert seen[0].seat == 0  # type: ignore[attr-defined]
    assert observe(game.record().initial(), 0) == seen[0]
