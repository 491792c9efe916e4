"""Panels without a browser: messages change the session, views follow it, and closing frees everything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from ipywidgets.widgets.widget import _instances as instances

from byzanz_lab import load_sample
from byzanz_lab.charts import describe, plot_choices
from byzanz_lab.panels import AdvicePanel, Advisor, CardsPanel, Game, PlayPanel, PositionPanel, Session
from byzanz_lab.panels.advice_panel import charts_of
from byzanz_lab.panels.advisor import show
from byzanz_lab.panels.cards_panel import CHARTS
from byzanz_lab.panels.entry import EXAMPLES

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session(load_sample("auction"), worlds=64)
    yield session
    session.close()
    session.join(60)


def tell(panel: Any, **message: Any) -> None:
    """A message as the page sends it."""
    panel._hear(None, message, [])


# -- position --------------------------------------------------------------------------------------------------------


def test_clicks_and_letters_become_a_position() -> None:
    panel = PositionPanel()
    for card in ("Wi4", "Wi1", "Sp2", "D"):
        tell(panel, do="add", field="hand", card=card, step=1)
    tell(panel, do="set", field="lot", text="2xSp1 Gr3 D Cl", typing=True)
    assert "unknown card 'Cl'" in panel.view["faults"]["lot"][0]
    tell(panel, do="set", field="lot", text="2xSp1 Gr3 D Cl2", typing=True)
    assert panel.view["valid"]
    assert panel.view["summary"].startswith("This position can be.")
    tell(panel, do="pass", seat=1)
    assert panel.view["passed"] == [1]
    tell(panel, do="undo")
    assert panel.view["passed"] == []
    tell(panel, do="redo")
    assert panel.view["passed"] == [1]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_fill_the_form(name: str) -> None:
    panel = PositionPanel()
    tell(panel, do="set", field="example", text=name)
    assert panel.session.position == load_sample(name)
    assert panel.view["faults"] == {}
    json.dumps(panel.view)  # plain values only


def test_what_is_only_missing_is_told_from_what_is_wrong() -> None:
    panel = PositionPanel()
    assert set(panel.view["missing"]) == set(panel.view["faults"]) & {"hand", "lot"}
    tell(panel, do="set", field="hand", text="Wi9")
    assert "hand" not in panel.view["missing"]


def test_files_are_saved_and_opened(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, sent = PositionPanel(session), []
    monkeypatch.setattr(panel, "send", sent.append)
    tell(panel, do="save")
    (message,) = sent
    assert message["do"] == "download"
    tell(panel, do="set", field="example", text="empty 6")
    assert not session.is_valid
    tell(panel, do="save")
    assert len(sent) == 1
    assert "no position yet" in panel.view["error"]
    tell(panel, do="json", text=message["text"])
    assert session.position == load_sample("auction")
    assert session.is_valid


@pytest.mark.parametrize(
    "message",
    [
        {"do": "set", "field": "deck", "text": "1"},
        {"do": "add", "field": "hand", "card": "Xx", "step": 1},
        {"do": "set"},
        {"do": "pass", "seat": "x"},
        {"do": "json", "text": "{"},
        {"do": "paste", "text": "nonsense"},
        {"do": "set", "field": "example", "text": "nothing"},
    ],
)
def test_whatever_a_page_sends_nothing_is_raised_and_the_reason_is_shown(
    session: Session, message: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    panel = PositionPanel(session)
    before = dict(session.draft)
    tell(panel, **message)
    assert panel.view["error"]
    assert session.draft == before
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("message", [{}, {"do": "fly"}, "text", None, 7])
def test_messages_that_mean_nothing_do_nothing(session: Session, message: Any) -> None:
    panel = PositionPanel(session)
    before = panel.view
    panel._hear(None, message, [])
    assert panel.view == before


def test_controls_follow_the_decision(session: Session) -> None:
    panel = PositionPanel(session)
    assert panel.view["shown"]["bids"]
    assert not panel.view["shown"]["picked"]
    session.load_example("market")
    assert not panel.view["shown"]["bids"]
    assert panel.view["shown"]["picked"]
    session.set("bids[2]", "Wo1")  # wrong here, and so it has to be seen
    assert panel.view["shown"]["bids"]


# -- advice ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_answer_is_a_sentence_a_table_and_a_figure(name: str) -> None:
    session = Session(load_sample(name), worlds=64)
    panel = AdvicePanel(session)
    assert panel.bar.view["sentence"] == ""
    session.think(wait=True)
    view = panel.bar.view
    assert view["sentence"] == session.answer.advice.sentence
    assert session.answer.advice.best.label in view["table"]
    assert panel.bar.words == panel.figure.words != ""
    assert view["state"] == "done"
    json.dumps(view)
    for chart in charts_of(session.answer):
        tell(panel.bar, do="set", field="chart", text=chart)
        assert panel.bar.view["chart"] == chart
        assert panel.bar.view["error"] == ""
    panel.close()


def test_a_stale_answer_is_greyed_and_not_lost(session: Session) -> None:
    panel = AdvicePanel(session)
    session.think(wait=True)
    sentence = panel.bar.view["sentence"]
    session.set("hand", "Wi9")
    assert (panel.bar.view["stale"], panel.bar.view["sentence"]) == (True, sentence)
    assert not panel.bar.view["can_extend"]
    assert "bz-stale-figure" in panel.figure.widget._dom_classes
    session.undo()
    assert not panel.bar.view["stale"]
    assert "bz-stale-figure" not in panel.figure.widget._dom_classes


def test_buttons_think_stop_and_think_longer(session: Session) -> None:
    panel = AdvicePanel(session)
    tell(panel.bar, do="think")
    session.join(60)
    assert session.answer.advice.comparison.worlds == 64
    tell(panel.bar, do="more")
    session.join(60)
    assert session.answer.advice.comparison.worlds == 128
    tell(panel.bar, do="set", field="objective", text="win")
    assert panel.bar.view["sentence"] == session.answer.advice.with_objective("win").sentence
    tell(panel.bar, do="set", field="objective", text="glory")
    assert "glory" in panel.bar.view["error"]
    tell(panel.bar, do="stop")
    assert session.state == "done"


def test_each_panel_has_one_figure_widget_for_good(session: Session) -> None:
    panel, cards = AdvicePanel(session), CardsPanel(session)
    session.think(wait=True)
    figures = (panel.figure.widget, cards.figure.widget)
    session.load_example("market")
    session.think(wait=True)
    assert (panel.figure.widget, cards.figure.widget) == figures
    assert panel.children[1] is figures[0]


# -- cards, play -----------------------------------------------------------------------------------------------------


def test_chances_follow_the_position(session: Session) -> None:
    panel = CardsPanel(session)
    assert "seat 3" in panel.bar.view["purses"]
    before = panel.bar.view["lot"]
    session.load_example("opening")
    assert panel.bar.view["lot"] != before
    session.set("hand", "Wi9")
    assert panel.bar.view["note"] == "This is about the last position that had no faults."
    for chart in CHARTS:
        tell(panel.bar, do="set", field="chart", text=chart)
        assert panel.bar.view["chart"] == chart
    tell(panel.bar, do="set", field="what", text="Xx")
    assert session.error == "there is no kind or group 'Xx'"
    tell(panel.bar, do="set", field="what", text="Wi4")
    assert "wine 4" in panel.bar.view["formula"]


def test_without_a_position_the_chances_say_so() -> None:
    view = CardsPanel().bar.view
    assert not view["ready"]
    assert view["note"].startswith("Enter a position first")


def test_a_bid_is_put_together_by_clicks() -> None:
    game = Game(["you", "default", "default"], seed=1)
    game.join(60)
    panel = PlayPanel(game)
    goods = game.position.hand - game.position.hand.group("D")
    tell(panel, do="weigh", cards=str(goods))
    (bid,) = [button for button in panel.view["buttons"] if button["text"].startswith("Bid")]
    assert (bid["text"], bid["why"]) == (f"Bid {goods.total}", "")
    tell(panel, do="weigh", cards="D")
    assert "dealers cannot be bid" in [button["why"] for button in panel.view["buttons"]]
    tell(panel, do="act", action=bid["does"]["action"])
    game.join(60)
    assert game.log[0] == (0, bid["does"]["action"])
    tell(panel, do="act", action="bid Wi9")
    assert "Wi9" in panel.view["error"]
    panel.close()
    game.close()


def test_seats_are_given_to_policies_and_one_is_yours() -> None:
    panel = PlayPanel(Game(["you", "default", "default"], seed=1))
    tell(panel, do="set", field="seats", text="5")
    tell(panel, do="set", field="player 3", text="you")
    tell(panel, do="set", field="player 1", text="random")
    tell(panel, do="set", field="seed", text="77")
    assert panel.view["players"] == ["default", "random", "default", "you", "default"]
    tell(panel, do="deal")
    panel.game.join(60)
    assert (panel.game.seat, panel.game.seed, len(panel.game.players)) == (3, 77, 5)
    tell(panel, do="set", field="player 3", text="greedy")
    assert panel.view["players"].count("you") == 1
    tell(panel, do="set", field="seed", text="7x")
    tell(panel, do="deal")
    assert "a seed is a whole number, not '7x'" in panel.view["error"]
    panel.close()


# -- the whole -------------------------------------------------------------------------------------------------------


def test_a_state_is_refused_everywhere() -> None:
    from byzanz_lab import Rules, new_game

    for make in (Advisor, show, Session):
        with pytest.raises(TypeError, match="not State"):
            make(new_game(Rules.for_seats(4), 1))  # type: ignore[arg-type]


def test_a_moment_of_the_game_can_be_taken_to_the_advisor() -> None:
    advisor = Advisor(worlds=64)
    advisor.play.game.join(60)
    tell(advisor.play, do="advise")
    advisor.session.join(60)
    assert advisor.session.position == advisor.play.game.position
    assert advisor.session.answer is not None
    assert advisor.tabs.selected_index == 0
    advisor.close()


def test_closing_takes_every_widget_away_and_every_listener() -> None:
    session = Session(load_sample("auction"), worlds=64)
    before = set(instances)
    for _ in range(3):
        advisor = Advisor(session)
        assert set(instances) > before
        advisor.close()
        advisor.close()  # twice does no harm
    assert [type(instances[key]).__name__ for key in set(instances) - before] == []
    assert session._trait_notifiers.get("revision", {}).get("change", []) == []
    assert session.think(wait=True) is not None


class Shell:
    """Stands for the shell of a notebook: which cell runs, and which run of it."""

    def __init__(self) -> None:
        self.run = 0

    def get_parent(self) -> dict[str, Any]:
        return {"metadata": {"cellId": "cell-1"}, "header": {"msg_id": f"run-{self.run}"}}


def test_running_a_cell_again_leaves_one_working_advisor(monkeypatch: pytest.MonkeyPatch) -> None:
    import IPython

    shell, session = Shell(), Session(load_sample("auction"), worlds=64)
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    made = []
    for run in range(5):
        shell.run = run
        made.append((Advisor(session), Advisor(session)))  # two in one run of a cell stay both
    listeners = session._trait_notifiers["revision"]["change"]
    assert len(listeners) == 6  # three panels of each of the two
    assert [one._open for pair in made for one in pair] == [False] * 8 + [True] * 2
    for one in made[0]:
        tell(one.entry, do="set", field="round", text="5")  # from a page that still shows it
    assert session.draft["round"] == "2"
    for pair in made:
        for one in pair:
            one.close()


def test_the_widgets_of_a_former_run_stay_open_and_its_figures_are_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    import IPython

    shell = Shell()
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    first = Advisor(load_sample("auction"), worlds=64)
    first.session.think(wait=True)
    shell.run += 1
    second = Advisor(load_sample("market"), worlds=64)
    assert first.entry.comm is not None
    assert (second.advice.figure, second.cards.figure) == (first.advice.figure, first.cards.figure)
    assert not [trace for trace in second.advice.figure.widget._widget_data if trace.get("visible")]
    second.session.think(wait=True)
    assert second.advice.figure.words == describe(plot_choices(second.session.answer.advice))
    second.close()


@pytest.mark.parametrize("make", [PositionPanel, AdvicePanel, CardsPanel, Advisor])
def test_pages_without_a_kernel_get_a_table(make: Any, session: Session) -> None:
    panel = make(session)
    bundle = panel._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert WIDGET in data
    assert "<p>" in data["text/html"] or "<table" in data["text/html"]
    session.think(wait=True)
    bundle = panel._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "<table" in data["text/html"]
    if make in (AdvicePanel, Advisor):
        assert "<svg" in data["text/html"]
        assert session.answer.advice.best.label in data["text/html"]
    panel.close()
