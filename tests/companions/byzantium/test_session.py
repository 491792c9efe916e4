"""The session and the panel without a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from byzanz_lab.companions.byzantium.actions import Pass
from byzanz_lab.companions.byzantium.panel import ByzantiumPanel
from byzanz_lab.companions.byzantium.position import observe
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.session import Session
from byzanz_lab.companions.byzantium.state import new_game
from byzanz_lab.companions.playing import YOU


@pytest.fixture(params=[1, 2, 3])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    session = Session(request.param, seed=5, policy="greedy", worlds=128)
    yield session
    session.close()


def play_through(session: Session) -> None:
    """Take the first placement there is until the deal is over."""
    while not session.state.is_over:
        if session.can_pass:
            assert session.pass_()
        else:
            fitting = session.state.tableau.fitting(session.hand).codes()[0]
            assert session.choose(fitting)
            assert session.place(session.state.tableau.slots_for(fitting)[0])


def test_a_deal_is_played_to_its_end(session: Session) -> None:
    play_through(session)
    assert session.record.replay().result() == session.state.result()
    assert "over" in session.summary or "win" in session.summary
    assert session.hint() is None and session.message == "There is nothing to decide."


def test_the_others_move_as_soon_as_it_is_their_turn(session: Session) -> None:
    assert session.state.to_move == YOU
    session.place(session.state.tableau.slots_for(session.card)[0])
    assert session.state.to_move == YOU
    others = session.state.rules.players - 1
    assert session.message.count("Seat ") == others == len(session.state.tableau) - 1


def test_undo_leads_back_to_every_moment(session: Session) -> None:
    seen = [session.state]
    for _ in range(5):
        session.place(session.state.tableau.slots_for(session.card)[0])
        seen.append(session.state)
    for state in seen[-2::-1]:
        assert session.undo()
        assert session.state == state
    assert not session.can_undo and not session.undo()
    assert session.message == "There is nothing to take back."


def test_what_cannot_be_done_is_said_and_changes_nothing(session: Session) -> None:
    state = session.state
    assert not session.place("NNN") and "cannot go to NNN: nothing lies at NN yet" in session.message
    assert not session.place("NES") and "would touch the red ace" in session.message
    assert not session.choose("X7") and "unknown card" in session.message
    assert not session.pass_() and "who can place must place" in session.message
    assert not session.choose("BK" if "BK" not in session.hand else "RK") or "RK" in session.hand
    assert session.state == state


def test_a_hint_is_advice_on_this_moment_and_goes_with_it(session: Session) -> None:
    advice = session.hint(wait=True)
    assert advice is not None and session.thinking == "done"
    assert set(advice.option_of) == set(session.position.legal_actions())
    assert str(advice.best) in session.message
    session.place(session.state.tableau.slots_for(session.card)[0])
    assert session.advice is None


def test_late_advice_on_an_old_moment_is_dropped() -> None:
    session = Session(1, seed=5, worlds=400_000)
    session.hint()
    session.place(session.state.tableau.slots_for(session.card)[0])
    session._job.join()
    assert session.advice is None
    session.close()


def test_the_same_seed_gives_the_same_session() -> None:
    one, two = (Session(2, seed=9, worlds=64) for _ in range(2))
    for session in (one, two):
        play_through(session)
    assert one.record == two.record
    one.new()
    assert one.seed == 10 and one.message == "A new deal."
    with pytest.raises(ValueError, match="unknown policy 'bold'"):
        one.new(policy="bold")
    with pytest.raises(ValueError, match="played by 1 to 4"):
        Session(5)


# -- panel -------------------------------------------------------------------------------------------------------------


def tell(panel: ByzantiumPanel, **message: Any) -> None:
    """A message as the page sends it."""
    panel._hear(None, message, [])


def test_the_view_shows_what_the_rules_say(session: Session) -> None:
    panel = ByzantiumPanel(session)
    for _ in range(4):
        view = panel.view
        assert json.loads(json.dumps(view)) == view
        fits = set(session.state.tableau.slots_for(session.card))
        assert {slot["key"] for slot in view["slots"] if slot["open"]} == fits
        for slot in view["slots"]:
            assert slot["open"] or session.why_not(slot["key"]) in slot["said"]
        assert [card["key"] for card in view["hand"]] == session.hand.codes()
        tell(panel, do="place", slot=sorted(fits)[0])


def test_only_what_the_player_may_see_is_sent() -> None:
    panel = ByzantiumPanel(rules=2, seed=3)
    hidden = {card for card in panel.session.state.hands[1] + panel.session.state.kitty}
    sent = json.dumps(panel.view)
    assert not [card for card in hidden if f'"{card}"' in sent]


def test_a_hint_gives_every_slot_a_number_and_a_shade(session: Session) -> None:
    panel = ByzantiumPanel(session)
    tell(panel, do="hint")
    session._job.join()
    lit = [slot for slot in panel.view["slots"] if slot["open"]]
    assert all(slot["value"] and 0 < slot["shade"] <= 0.75 for slot in lit)
    assert panel.view["rows"] and panel.view["heads"][0] == "placement"
    session.choose(session.advice.best.card)
    assert any(slot["best"] for slot in panel.view["slots"])


def test_messages_play_the_deal_and_never_raise() -> None:
    panel = ByzantiumPanel(seed=4)
    tell(panel, do="place", slot="E")
    assert len(panel.session.state.tableau) == 1
    tell(panel, do="undo")
    assert len(panel.session.state.tableau) == 0
    tell(panel, do="pass")
    assert "cannot pass" in panel.view["message"]
    tell(panel, do="choose", card="<b>")
    assert "unknown card" in panel.view["message"]
    tell(panel, do="place", slot=None)
    tell(panel, do="nonsense")
    panel._hear(None, "no message", [])
    tell(panel, do="new")
    assert panel.session.seed == 5
    tell(panel, do="new", players=3, policy="greedy")
    assert (panel.view["players"], panel.view["policy"]) == (3, "greedy")
    for wrong in ({"players": 7}, {"policy": "bold"}, {"players": "many"}):
        tell(panel, do="new", **wrong)
        assert "Error" in panel.session.message and panel.session.state.rules.players == 3
    panel.close()


def test_buttons_say_why_they_do_nothing() -> None:
    panel = ByzantiumPanel(seed=4)
    why = {button["key"]: button["why"] for button in panel.view["buttons"]}
    assert "who can place must place" in why["pass"] and why["undo"] == "nothing was done yet"
    assert why["hint"] == why["new"] == ""


def test_without_a_kernel_a_picture_is_shown() -> None:
    data, _ = ByzantiumPanel(seed=4)._repr_mimebundle_()
    assert "<svg" in data["text/html"] and "ByzantiumPanel(" in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_forced_pass_is_offered() -> None:
    session = Session(1, seed=2)
    play_through(session)
    moved = [turn for turn in session.record.states() if turn.action == Pass()]
    assert observe(new_game(Rules(1), 2), 0).hand == session.record.states().__next__().state.hands[0]
    assert len(moved) == len(session.state.table.aside)
