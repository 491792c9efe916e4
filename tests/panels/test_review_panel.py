"""The review panel without a browser: records are opened and reviewed in the background, and gone through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from byzanz_lab.advice.review import review
from byzanz_lab.advice.review_decisions import WORDS
from byzanz_lab.charts.theme import describe
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import observe
from byzanz_lab.game.record import Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.panels import ReviewPanel, ReviewSession
from byzanz_lab.panels.review_panel import step_of
from byzanz_lab.simulation.playouts import play_logged
from byzanz_lab.simulation.policies import RandomPolicy, default_policy

NAMES = ("Ann <b>", "Ben", "Cleo")


@cache
def game() -> Record:
    record, _ = play_logged(Rules.for_seats(3), 1, [RandomPolicy(), default_policy(), default_policy()])
    return replace(record, names=NAMES)


@cache
def short() -> Record:
    """The same game, broken off."""
    return replace(game(), moves=game().moves[:25], result=None)


@cache
def from_a_table() -> Record:
    """The same, kept at a real table: nobody knows the removed cards, nor the rest of the deck."""
    drawn = len(game().deck) - short().replay().table.deck_left
    return replace(short(), removed=None, deck=game().deck[:drawn])


@pytest.fixture
def panel() -> Iterator[ReviewPanel]:
    panel = ReviewPanel(short(), worlds=4)
    yield panel
    panel.session.stop()
    panel.session.join(60)
    panel.close()


def tell(panel: ReviewPanel, **message: Any) -> None:
    """A message as the page sends it."""
    panel.bar._hear(None, message, [])


def reviewed(panel: ReviewPanel) -> dict[str, Any]:
    tell(panel, do="start")
    assert panel.session.join(120) == "done"
    return dict(panel.bar.view)


# -- reviewing ---------------------------------------------------------------------------------------------------------


def test_a_record_is_reviewed_in_the_background_and_gives_what_review_gives(panel: ReviewPanel) -> None:
    assert panel.bar.view["status"] == "A game of 3 seats, 25 actions, not finished: press Review."
    view, right = reviewed(panel), review(short(), 4)
    assert view["reviewed"] and view["sentence"] == right.sentence
    assert panel.session.review.to_dict() == right.to_dict()
    assert len(view["places"]) == len(right.decisions) and "Where each result came from" in view["accounts"]
    assert "not finished" in view["about"]
    json.dumps(view)  # plain values only


def test_decisions_are_stepped_through_with_best_loss_word_and_luck(panel: ReviewPanel) -> None:
    reviewed(panel)
    decisions, words = panel.session.review.decisions, []
    for judged in decisions:
        view = panel.bar.view
        assert view["title"].startswith(
            f"Action {judged.number}, round {judged.position.round} of 8: seat {judged.seat}"
        )
        assert view["played"] == judged.label and view["word"] == judged.word
        assert view["best"] == ("the same" if judged.best == judged.action else judged.best_label)
        assert "points" in view["loss"] and view["position"] == judged.position._repr_html_()
        assert panel.session.draw.number < judged.number and "Luck of the last draw" in view["luck"]
        words.append(judged.word)
        tell(panel, do="step", by=1)
    assert panel.session.place == len(decisions) - 1, "the last one stays"
    assert set(words) > {WORDS[0]}, "a random player makes mistakes"
    tell(panel, do="set", field="place", text="2")
    assert panel.session.current is decisions[2]
    tell(panel, do="step", by=-9)
    assert panel.session.place == 0


def test_only_the_costly_ones_can_be_gone_through(panel: ReviewPanel) -> None:
    reviewed(panel)
    tell(panel, do="step", by=3)
    tell(panel, do="set", field="only", text="costly")
    view = panel.bar.view
    assert panel.session.place == 0 and 0 < len(view["places"]) < len(panel.session.review.decisions)
    assert view["word"] != WORDS[0] and all(not text.endswith("(fine)") for _, text in view["places"])


def test_the_chart_marks_where_the_decision_was_taken(panel: ReviewPanel) -> None:
    assert "no game has been reviewed" in panel.bar.words
    reviewed(panel)
    review_made = panel.session.review
    for place in (0, 4):
        panel.session.go(place)
        (line,) = panel.figure.widget.layout.shapes
        assert line.x0 == line.x1 == step_of(review_made, panel.session.current)
        change = review_made.course.changes[int(line.x0) - 1]
        assert (change.number, change.seat) == (panel.session.current.number, panel.session.current.seat)
    assert "The course of the game" in panel.bar.view["figure"] and panel.bar.words == describe(panel.figure._shown)


def test_a_finished_game_says_nothing_of_what_can_be_expected() -> None:
    session = ReviewSession(game(), worlds=2)
    found = session.start(wait=True)
    assert found is not None and found.is_finished
    account = found.account(1)
    assert account.result.mean == pytest.approx(game().result.profits[1])  # type: ignore[union-attr]
    session.close()


# -- from one seat's view ----------------------------------------------------------------------------------------------


def test_a_record_kept_at_a_table_is_reviewed_from_one_seats_view() -> None:
    panel = ReviewPanel(from_a_table(), worlds=4)
    assert [key for key, _ in panel.bar.view["views"]] == ["0", "1", "2"] and panel.session.view == "0"
    tell(panel, do="set", field="view", text="1")
    reviewed(panel)
    assert panel.session.review.view == 1 and panel.session.review.seats == (1,)
    assert {judged.seat for judged in panel.session.review.decisions} == {1}
    tell(panel, do="set", field="view", text="open")
    assert panel.bar.view["error"] == "view cannot be 'open'"
    panel.close()


def test_from_one_seats_view_nothing_hidden_from_it_is_shown() -> None:
    """Another first deal that looks the same to the seat gives the same page, and the same curves."""
    first = replace(game(), moves=game().moves[:8], result=None)
    state = first.replay()
    one, other = (state.hands[seat] - state.table.known[seat] for seat in (1, 2))
    mine, theirs = next((Cards([a]), Cards([b])) for a in one.codes() for b in other.codes() if a != b)
    swapped = (first.hands[0], first.hands[1] - mine + theirs, first.hands[2] - theirs + mine)
    assert observe(replace(first, hands=swapped).replay(), 0) == observe(state, 0)
    views = []
    for record in (first, replace(first, hands=swapped)):
        panel = ReviewPanel(record, worlds=4)
        tell(panel, do="set", field="view", text="0")
        views.append((reviewed(panel), panel.figure.widget.to_plotly_json()["data"], panel.to_html()))
        panel.close()
    for view, *_ in views:
        view.pop("id")
    assert views[0][0] == views[1][0] and views[0][2] == views[1][2]
    assert [trace.get("y") for trace in views[0][1]] == [trace.get("y") for trace in views[1][1]]


# -- files -------------------------------------------------------------------------------------------------------------


def test_a_record_is_opened_as_a_file_and_forgets_the_former_review(panel: ReviewPanel) -> None:
    reviewed(panel)
    tell(panel, do="json", text=from_a_table().dumps())
    assert panel.session.record == from_a_table() and panel.session.review is None
    assert panel.bar.view["title"] == "" and "no game has been reviewed" in panel.bar.words


@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "may be cut short"), ('{"format": "x"}', "format"), ("[]", "record"), ("\x00", "it is no JSON")],
)
def test_what_is_no_record_is_refused_and_the_old_one_kept(panel: ReviewPanel, text: str, words: str) -> None:
    tell(panel, do="json", text=text)
    assert words in panel.bar.view["error"] and panel.session.record == short()
    tell(panel, do="set", field="objective", text="win")
    assert panel.bar.view["error"] == ""


def test_names_from_a_file_are_escaped_where_html_is_made(panel: ReviewPanel) -> None:
    view = reviewed(panel)
    for html in (view["accounts"], view["luck"], panel.to_html()):
        assert "Ann &lt;b&gt;" in html and "<b>" not in html


def test_the_report_is_saved(panel: ReviewPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(panel.bar, "send", sent.append)
    tell(panel, do="save")
    assert sent == []
    reviewed(panel)
    tell(panel, do="save")
    assert sent[-1]["name"] == "byzanz-review.html" and sent[-1]["text"].startswith("<!DOCTYPE html>")


# -- stopped, empty, refused -------------------------------------------------------------------------------------------


def test_it_can_be_stopped_and_started_again() -> None:
    panel = ReviewPanel(game(), worlds=64)
    tell(panel, do="start")
    tell(panel, do="stop")
    assert panel.session.join(60) == "stopped" and panel.session.review is None
    assert panel.bar.view["status"].endswith("Stopped.")
    panel.session.load(short())
    tell(panel, do="set", field="worlds", text="2")
    assert reviewed(panel)["reviewed"]
    panel.close()


def test_an_empty_panel_asks_for_a_record() -> None:
    panel = ReviewPanel()
    assert panel.bar.view["status"] == "Open the file of a recorded game." and not panel.bar.view["ready"]
    tell(panel, do="start")
    assert panel.bar.view["error"] == "open a record first"
    bundle = panel._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert data["text/plain"] == "ReviewPanel(no review yet)" and "No game has been reviewed" in data["text/html"]
    panel.close()


def test_what_cannot_be_is_refused_in_a_sentence(panel: ReviewPanel) -> None:
    for field, text in (("worlds", "1"), ("worlds", "many"), ("objective", "luck"), ("only", "x"), ("nothing", "1")):
        tell(panel, do="set", field=field, text=text)
        assert panel.bar.view["error"].startswith(f"{field} cannot be ")
    with pytest.raises(TypeError, match="a Record is needed"):
        ReviewPanel("game.json")  # type: ignore[arg-type]


def test_a_shared_session_goes_on_when_the_panel_is_closed() -> None:
    session = ReviewSession(short(), worlds=2)
    one, other = ReviewPanel(session), ReviewPanel(session)
    one.close()
    session.start(wait=True)
    assert other.bar.view["reviewed"]
    other.close()
    session.close()
