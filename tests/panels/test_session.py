"""Advice in the background: it follows the decision, goes stale and comes back, and can be stopped and gone on with."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from byzanz_lab import advise, load_sample
from byzanz_lab.game.actions import Bid, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.panels import session as session_module
from byzanz_lab.panels.entry import EXAMPLES
from byzanz_lab.panels.session import Session
from byzanz_lab.panels.thinking import Answer, think

DECISIONS = {
    "auction": (Pass, Bid),
    "opening": (Pass, Bid),
    "tax": (Tax,),
    "last_lot": (Tax,),
    "hand_limit": (Sell, Discard),
    "market": (Take,),
    "closing": (Sell, Done),
}


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session(load_sample("market"), worlds=128)
    yield session
    session.close()
    session.join(60)


class Slow:
    """Stands for thinking: answers come one by one, when a test lets them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[Any] = []
        self.go = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)
        monkeypatch.setattr(session_module, "think", self)

    def __call__(self, position: Any, stop: threading.Event, **how: Any) -> Iterator[tuple[float, Answer]]:
        self.asked.append((position, how))
        advice = advise(position, 64, objective=how["objective"])
        for step in range(4):
            self.begun.release()
            assert self.go.acquire(timeout=60)
            yield (step + 1) / 4, Answer(advice)

    def open(self) -> None:
        for _ in range(50):
            self.go.release()

    def wait(self) -> None:
        assert self.begun.acquire(timeout=60)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    slow = Slow(monkeypatch)
    yield slow
    slow.open()


@pytest.mark.parametrize("name", EXAMPLES)
def test_advice_follows_the_decision_at_hand(name: str) -> None:
    session = Session(load_sample(name), worlds=64)
    answer = session.think(wait=True)
    assert answer is not None, session.error
    assert answer.position == load_sample(name)
    assert isinstance(answer.advice.best.action, DECISIONS[name])
    assert (answer.lot is not None) == (name in ("auction", "opening"))
    assert (answer.market is not None) == (name == "market")
    assert (session.state, session.progress) == ("done", 1.0)


def test_the_same_seed_and_worlds_give_the_answer_that_advise_gives(session: Session) -> None:
    answer = session.think(wait=True)
    direct = advise(load_sample("market"), 128, seed=1)
    assert answer is not None
    assert answer.advice.to_dict(timing=False) == direct.to_dict(timing=False)


def test_thinking_longer_equals_one_longer_run(session: Session) -> None:
    session.think(wait=True)
    session.think_longer(wait=True)
    direct = advise(load_sample("market"), 256, seed=1)
    assert session.answer.advice.to_dict(timing=False) == direct.to_dict(timing=False)
    assert [step.comparison.worlds for step in session.answer.steps] == sorted(
        step.comparison.worlds for step in session.answer.steps
    )


def test_changing_the_position_makes_the_answer_stale_and_going_back_makes_it_good_again(session: Session) -> None:
    answer = session.think(wait=True)
    session.set("profits[1]", "9")
    assert session.stale
    assert session.answer is answer  # greyed, not lost
    session.set("profits[1]", "nine")
    assert session.stale
    session.undo()
    session.undo()
    assert not session.stale


def test_the_objective_changes_without_thinking_again(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.think(wait=True)
    monkeypatch.setattr(session_module, "think", None)  # thinking would fail from now on
    comparison = session.answer.advice.comparison
    for objective in ("win", "margin", "profit"):
        session.objective = objective
        assert session.answer.advice.objective == objective
        assert session.answer.market.objective == objective
        assert {step.objective for step in session.answer.steps} <= {objective}
        assert session.answer.advice.comparison is comparison
    assert (session.state, session.error) == ("done", "")


def test_thinking_longer_about_another_objective_starts_again_with_it_leading(session: Session) -> None:
    session.think(wait=True)
    session.objective = "win"
    session.think_longer(wait=True)
    assert session.answer.advice.comparison.leading == "win"
    assert session.answer.advice.comparison.worlds == 128


def test_stop_answers_at_once_and_keeps_what_is_known(session: Session, slow: Slow) -> None:
    session.think()
    slow.wait()
    slow.go.release()
    slow.wait()  # the first answer has been handed on
    session.stop()
    assert session.state == "stopped"  # the thread is still held back
    assert session.answer is not None
    kept = session.answer
    slow.open()
    assert session.join(60) == "stopped"
    assert session.answer is kept


def test_moving_a_control_drops_results_about_the_former_position(session: Session, slow: Slow) -> None:
    session.think()
    slow.wait()
    session.set("profits[1]", "4")
    assert session.state == "stopped"
    slow.open()
    session.join(60)
    assert session.answer is None


def test_a_new_question_replaces_the_one_under_way(session: Session, slow: Slow) -> None:
    session.think()
    slow.wait()
    session.load_example("tax")
    session.think()
    slow.open()
    assert session.join(60) == "done"
    assert session.answer.position == load_sample("tax")
    assert [position for position, _ in slow.asked] == [load_sample("market"), load_sample("tax")]


def test_a_change_that_comes_to_the_same_position_does_not_stop_the_thinking(session: Session, slow: Slow) -> None:
    session.think()
    slow.wait()
    session.set("hand", " ".join(reversed(str(session.position.hand).split())))
    assert session.state == "running"


def test_the_objective_can_change_while_it_thinks(session: Session, slow: Slow) -> None:
    session.think()
    slow.wait()
    session.objective = "margin"
    slow.open()
    session.join(60)
    assert session.answer.advice.objective == "margin"


def test_an_error_while_thinking_is_shown_and_the_answer_kept(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = session.think(wait=True)

    def broken(*_: Any, **__: Any) -> Iterator[tuple[float, Answer]]:
        raise MemoryError("no room")
        yield

    monkeypatch.setattr(session_module, "think", broken)
    assert session.think(wait=True) is None
    assert (session.state, session.error) == ("error", "MemoryError: no room")
    assert session.answer is answer
    session.set("profits[1]", "4")
    assert session.error == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hand": "Wi9"}, "One thing is missing or does not fit yet. See what is marked."),
        ({"hand": "Wi9", "round": "x"}, "2 things are missing or do not fit yet."),
        ({"to_move": "1", "picked": "1", "market": "Cl1 Cl3"}, "It is the turn of seat 1, and you are seat 0."),
    ],
)
def test_why_there_can_be_no_advice_is_said(changes: dict[str, str], said: str) -> None:
    session = Session(load_sample("market"))
    session.set_many(changes)
    if "to_move" in changes:
        session.set("offers[0]", "3")
        session.set("offers[1]", "2")
        session.set_many({"picked": "0", "market": str(load_sample("market").market)})
    assert said in session.problem
    assert session.think(wait=True) is None
    assert said in session.error
    assert session.state == "idle"


def test_after_the_game_there_is_nothing_to_advise() -> None:
    assert Session(load_sample("over")).problem == "The game is over: there is nothing left to decide."


def test_it_never_prints(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.think(wait=True)
    session.set("hand", "Wi9")
    session.load_json("{")
    session.think(wait=True)
    assert capsys.readouterr() == ("", "")


def test_closing_leaves_no_thread_and_no_listener(slow: Slow) -> None:
    session, seen = Session(load_sample("market")), []
    session.observe(seen.append, "state")
    session.think()
    slow.wait()
    session.close()
    slow.open()
    session.join(60)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("byzanz-job")]
    told = len(seen)
    session.set("round", "1")
    session.think(wait=True)
    assert len(seen) == told


def test_thinking_stops_by_itself_once_the_answer_cannot_change() -> None:
    answers = list(think(load_sample("closing"), threading.Event(), seconds=1000.0))
    assert answers[-1][0] == 1.0
    assert answers[-1][1].advice.is_exact
    assert answers[-1][1].is_settled


def test_thinking_ends_when_it_is_told_to() -> None:
    stop = threading.Event()
    seen = 0
    for _ in think(load_sample("tax"), stop, seconds=1000.0):
        seen += 1
        stop.set()
    assert seen <= 2


def test_code_asks_for_as_many_worlds_as_the_answer_has(session: Session) -> None:
    assert "budget=1000" in session.to_code()
    session.think(wait=True)
    assert "budget=128" in session.to_code()
    session.set("hand", "Wi9")
    assert session.to_code() == ""
