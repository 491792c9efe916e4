"""The session and the panel without a browser: what can be marked, what is told, what stays hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from byzanz_lab.companions.empire.actions import Meld, Redraw
from byzanz_lab.companions.empire.advice import advise
from byzanz_lab.companions.empire.panel import EmpirePanel
from byzanz_lab.companions.empire.session import Session
from byzanz_lab.companions.empire.table import Phase
from byzanz_lab.companions.empire.telling import label
from byzanz_lab.companions.playing import YOU
from tests.companions.empire.moments import SMALL


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session(seed=5, policy="greedy", worlds=64)
    yield session
    session.close()


def follow(session: Session, until: Phase | None = None) -> None:
    """Do what the first legal action says, but for melds of all that fits, until a phase of the player or the end."""
    while not session.state.is_over and session.phase is not until:
        step(session)


def step(session: Session) -> None:
    if session.phase is Phase.MELD:
        for place in range(len(session.cards)):
            session.mark(place)
    else:
        assert session.take(str(session.position.legal_actions()[-1]))
    assert session.do(), session.message


def test_a_game_is_played_to_its_end(session: Session) -> None:
    follow(session)
    assert session.record.replay().result() == session.state.result()
    assert session.summary.startswith("The game is over.") and session.asked == "The game is over."
    assert session.hint() is None and session.message == "There is nothing to decide."
    assert not session.do() and session.message == "The game is over."
    turns = session.state.table.turn
    assert sum("The Empire " in line for line in session.log) == turns


def test_the_rival_moves_as_soon_as_it_is_his_turn(session: Session) -> None:
    for _ in range(12):
        assert session.state.to_move == YOU
        step(session)


def test_undo_leads_back_to_every_moment(session: Session) -> None:
    seen = [session.state]
    for _ in range(7):
        step(session)
        seen.append(session.state)
    for state in seen[-2::-1]:
        assert session.undo()
        assert session.state == state
    assert not session.can_undo and not session.undo()
    assert session.message == "There is nothing to take back."


def test_what_cannot_be_marked_says_why(session: Session) -> None:
    state = session.state
    places = iter(range(len(session.cards)))
    for _ in range(4):
        assert session.mark(next(places))
    assert not session.mark(next(places))
    assert session.message == "At most 4 cards may be redrawn, not 5."
    assert session.mark(0) and session.marked == (1, 2, 3), "marking again takes the mark away"
    assert not session.mark(99) and session.message == "There is no such card."
    assert not session.take("redraw belisarius 3xdromons") and "is not in the hand" in session.message
    assert not session.take("dance") and "unknown action 'dance'" in session.message
    assert session.state == state


def test_melds_are_refused_card_by_card_as_the_rules_refuse_them() -> None:
    session = Session(seed=2, deck=SMALL, worlds=64)
    refused = 0
    for _ in range(6):
        follow(session, Phase.MELD)
        if session.state.is_over:
            break
        for place in range(len(session.cards)):
            meld = session.action((*session.marked, place))
            assert session.mark(place) == session.position.can(meld), session.message  # type: ignore[arg-type]
            refused += session.message.startswith("A meld may have at most")
        assert session.do()
    assert refused
    session.close()


def test_only_one_card_is_passed(session: Session) -> None:
    follow(session, Phase.PASS)
    assert session.why_not() == "one card is passed" and not session.do()
    last = len(session.cards) - 1
    assert session.mark(0) and session.mark(last) and session.marked == (last,)
    assert session.do()


def test_a_chosen_meld_of_the_rival_is_told_only_when_both_lie_open() -> None:
    told = 0
    for seed in range(1, 8):
        session = Session(seed=seed)
        follow(session, Phase.MELD)
        chosen = session.state.chosen[1 - YOU]
        if session.state.table.emperor == YOU:
            assert chosen is not None and session.log[-1] == "Your rival has chosen a meld."
            step(session)
            assert f"Your rival's (Foes): {session.state.table.deck.names(chosen)}" in " ".join(session.log)
            told += 1
        session.close()
    assert told


def test_only_what_the_player_may_see_is_sent() -> None:
    session = Session(seed=9, worlds=32)
    panel = EmpirePanel(session)
    for _ in range(14):
        if session.state.is_over:
            break
        state = session.state
        seen = {state.table.deck[code].name for code in (*state.hands[YOU], *state.table.known[1 - YOU])}
        hidden = {state.table.deck[code].name for code in state.held(1 - YOU)} - seen
        now = {name: panel.view[name] for name in ("cards", "others", "buttons", "rows", "summary", "total", "why")}
        shown = {state.table.deck[code].name for meld in state.table.melds for code in meld}
        sent = json.dumps(now)
        assert not [name for name in hidden - shown if f'"{name}' in sent or f" {name}" in sent]
        step(session)
    panel.close()


def test_a_hint_is_advice_on_this_moment_and_goes_with_it(session: Session) -> None:
    follow(session, Phase.MELD)
    advice = session.hint(wait=True)
    assert advice is not None and session.thinking == "done"
    assert advice.to_dict() == advise(session.position, advice.result.worlds, racing=False).to_dict()
    assert advice.equilibrium is not None
    assert session.message.startswith(f"Best: {label(session.state.table.deck, advice.best)} (")
    assert session.take(str(advice.best)) and session.action() == advice.best
    assert session.do() and session.advice is None


def test_whoever_looks_sees_marks_that_fit_the_cards(session: Session) -> None:
    seen: list[bool] = []
    names = ["moment", "marked", "message", "advice"]
    session.observe(lambda _: seen.append(all(place < len(session.cards) for place in session.marked)), names)
    for _ in range(8):
        session.mark(len(session.cards) - 1)
        step(session)
    assert len(seen) > 16 and all(seen)


def test_late_advice_on_an_old_moment_is_dropped() -> None:
    session = Session(seed=5, worlds=20_000)
    session.hint()
    step(session)
    session._job.join()
    assert session.advice is None
    session.close()


def test_the_same_seed_gives_the_same_session_and_bad_options_are_refused() -> None:
    one, two = (Session(seed=9, policy="random") for _ in range(2))
    for session in (one, two):
        follow(session)
    assert one.record == two.record
    one.new()
    assert one.seed == 10 and one.message.startswith("A new game.")
    with pytest.raises(ValueError, match="unknown policy 'bold'"):
        one.new(policy="bold")


# -- panel -------------------------------------------------------------------------------------------------------------


def tell(panel: EmpirePanel, **message: Any) -> None:
    """A message as the page sends it."""
    panel._hear(None, message, [])


def test_the_view_shows_what_the_rules_say(session: Session) -> None:
    panel = EmpirePanel(session)
    for _ in range(10):
        if session.state.is_over:
            break
        view = panel.view
        assert json.loads(json.dumps(view)) == view
        assert [card["name"] for card in view["cards"]] == [
            session.state.table.deck[code].name for code in session.cards
        ]
        for place, card in enumerate(view["cards"]):
            assert card["why"] == session.why_not_mark(place) and card["said"].startswith(card["name"])
        step(session)


def test_messages_play_the_game_and_never_raise(session: Session) -> None:
    panel = EmpirePanel(session)
    assert panel.view["buttons"][0]["label"] == "Redraw nothing"
    tell(panel, do="mark", place="0")
    assert panel.view["cards"][0]["marked"] and panel.view["buttons"][0]["label"] == "Redraw"
    tell(panel, do="do")
    assert isinstance(session.record.moves[-1][1], Redraw) or session.can_undo
    tell(panel, do="undo")
    assert not session.can_undo
    tell(panel, do="hint")
    session._job.join()
    assert panel.view["rows"] and panel.view["heads"][0] == "action"
    tell(panel, do="take", action=panel.view["rows"][0]["action"])
    assert str(session.action()) == panel.view["rows"][0]["action"]
    for nonsense in ({"do": "mark", "place": "<b>"}, {"do": "take"}, {"do": "dance"}, {}):
        tell(panel, **nonsense)
    panel._hear(None, "no message", [])
    tell(panel, do="new")
    assert session.seed == 6


def test_the_mixed_strategy_is_shown_where_a_meld_is_chosen() -> None:
    session = Session(seed=1, worlds=64)
    panel = EmpirePanel(session)
    assert panel.view["mixture"] == [] and panel.view["mixed"] == ""
    follow(session, Phase.MELD)
    session.hint(wait=True)
    shown = panel.view["mixture"]
    assert 0.9 < sum(one["chance"] for one in shown) <= 1.001
    assert "even if the rival knows it" in panel.view["mixed"]
    assert panel.view["heads"][-3:] == ["chance", "exploited by (tokens)", "verdict"]
    assert all(len(row["cells"]) == len(panel.view["heads"]) for row in panel.view["rows"])
    panel.close()


def test_without_a_kernel_a_text_is_shown(session: Session) -> None:
    data, _ = EmpirePanel(session)._repr_mimebundle_()
    assert "Your hand: " in data["text/html"] and "EmpirePanel(" in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data
    assert label(session.state.table.deck, Meld()) == "nothing"
