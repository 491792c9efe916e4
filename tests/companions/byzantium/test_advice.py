"""Advice: what it says, what it may look at, and that it plays better than what it is built on."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from byzanz_lab.companions.byzantium import advice as advice_room
from byzanz_lab.companions.byzantium.actions import Pass, Place
from byzanz_lab.companions.byzantium.advice import AdviserPolicy, advise
from byzanz_lab.companions.byzantium.contract import check_policy
from byzanz_lab.companions.byzantium.duplicate import numbered_deal, play_deals, tournament
from byzanz_lab.companions.byzantium.luck import luck_and_skill, win_rates
from byzanz_lab.companions.byzantium.playouts import play_deal
from byzanz_lab.companions.byzantium.policies import default_policy, greedy_policy, policy_named, random_policy
from byzanz_lab.companions.byzantium.position import observe
from byzanz_lab.companions.byzantium.position_text import parse_position
from byzanz_lab.companions.byzantium.rules import Rules
from byzanz_lab.companions.byzantium.state import new_game
from byzanz_lab.evaluation import Budget
from tests.companions.byzantium.play import random_states

LATE_ALONE = parse_position("players 1; tableau N=B8 E=R6 S=B3 W=RJ EE=R9 SS=B7 WW=R4 SSE=BJ SSS=BQ; hand R3")


def test_alone_it_tells_the_cards_placed_and_the_chance_of_all_24() -> None:
    advice = advise(LATE_ALONE, 2000)
    assert advice.outcomes == ("placed", "all 24")
    assert set(advice.option_of) == set(LATE_ALONE.legal_actions())
    rows = advice.rows()
    assert [row["placed"].unit for row in rows] == ["cards"] * len(rows)
    assert all(10 <= row["placed"].mean <= 24 and 0 <= row["all 24"].mean <= 1 for row in rows)
    assert rows[0]["action"] == advice.best == advice.ranking()[0]
    assert advice.verdict(advice.best) == "best"
    worst = advice.ranking()[-1]
    assert advice.verdict(worst) == "worse"
    assert advice.difference(advice.best, worst).interval()[0] > 0


def test_together_it_tells_margin_points_and_win() -> None:
    state = new_game(Rules(3), 4)
    advice = advise(observe(state, state.to_move or 0), 64)
    assert advice.outcomes == ("margin", "points", "win")
    for row in advice.rows():
        assert row["points"].mean <= 0 and 0 <= row["win"].mean <= 1
    assert not advice.is_exact


def test_late_it_is_exact() -> None:
    state = next(s for s in random_states(Rules(3), 1) if sum(s.table.sizes) == 8 and len(s.legal_actions()) > 1)
    position = observe(state, state.to_move or 0)
    advice = advise(position)
    assert advice.is_exact and advice.estimate(advice.best).exact
    assert "exact over all" in str(advice)
    playouts = advise(position, 100, exact=False)
    assert not playouts.is_exact
    assert set(playouts.option_of) == set(advice.option_of)


def test_an_exact_answer_that_is_given_up_costs_no_more_than_half_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    state = next(s for s in random_states(Rules(2), 1) if sum(s.table.sizes) == 12)
    asked: list[float] = []

    def slow(*_: object, seconds: float) -> None:
        asked.append(seconds)

    clock = iter(range(0, 100, 9))
    with monkeypatch.context() as patched:
        patched.setattr(advice_room, "exact_endgame", slow)
        patched.setattr(advice_room, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
        patched.setattr(advice_room, "compare", lambda trial, budget, **_: asked.append(budget.seconds))
        for seconds in (4.0, 100.0):
            advice_room.advise(observe(state, state.to_move or 0), Budget(seconds=seconds))
    assert asked == [2.0, 2.0, 50.0, 91.0]


def test_the_same_seed_gives_the_same_advice_on_any_number_of_workers() -> None:
    state = new_game(Rules(2), 4)
    position = observe(state, state.to_move or 0)
    for about in (position, LATE_ALONE):
        one, three = (advise(about, 300, workers=n, seed=5).to_dict() for n in (1, 3))
        assert one == three
    assert advise(LATE_ALONE, 300, seed=6).to_dict() != advise(LATE_ALONE, 300, seed=5).to_dict()


def test_mirror_images_are_compared_once() -> None:
    advice = advise(parse_position("players 1; hand B7"), 300)
    assert advice.options == (Place("B7", "N"),)
    assert advice.option_of == {Place("B7", "N"): 0, Place("B7", "S"): 0}
    assert advice.estimate(Place("B7", "S")) == advice.estimate(Place("B7", "N"))
    same = advice.difference(Place("B7", "S"), Place("B7", "N"))
    assert same.exact and same.mean == 0
    assert "place B7 N (or B7 S)" in str(advice)
    second = advise(parse_position("players 1; tableau N=B7 E=R5; hand R9"), 300)
    assert {str(action) for action in second.options} == {"place R9 W", "place R9 EE", "place R9 ES", "place R9 EN"}


def test_what_is_not_legal_has_no_value() -> None:
    with pytest.raises(ValueError, match="place R3 N was not compared; legal are"):
        advise(LATE_ALONE, 128).estimate(Place("R3", "N"))


def test_a_pass_is_valued_too() -> None:
    state = next(s for s in random_states(Rules(1), 5) if s.legal_actions() == (Pass(),))
    advice = advise(observe(state, 0), 200)
    assert advice.best == Pass()
    assert advice.estimate(Pass(), "all 24").mean == 0


def test_advisers_may_not_look_at_the_cards() -> None:
    state = new_game(Rules(2), 1)
    with pytest.raises(TypeError, match="a Position is needed"):
        advise(state)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nothing to advise seat 0 on: it is the turn of seat 1"):
        advise(observe(state, 0))
    over = list(random_states(Rules(2), 1))[-1]
    with pytest.raises(ValueError, match="the deal is over"):
        advise(observe(over, 0))


def test_it_ends_in_time_and_shows_itself() -> None:
    advice = advise(LATE_ALONE, Budget(seconds=0.05), racing=False)
    assert json.loads(json.dumps(advice.to_dict()))["stopped"] == "out of budget"
    assert advice._repr_html_().count("<tr>") == len(advice.options) + 1
    assert "worlds played out" in str(advice)


def test_the_adviser_is_a_policy() -> None:
    check_policy(AdviserPolicy(worlds=8), Rules(4), deals=1)


# -- luck and skill ----------------------------------------------------------------------------------------------------


def test_the_chance_of_all_24_has_an_interval_that_holds_for_rare_events() -> None:
    ladder = win_rates([random_policy()], 200)
    chance, low, high = ladder.chance("random")
    assert 0 <= low <= chance <= high < 0.05
    assert high > 0
    narrow, wide = (ladder.chance("random", level)[2] for level in (0.5, 0.99))
    assert narrow < wide
    assert ladder.wins("random") == round(chance * ladder.deals)


def test_policies_are_ordered_as_their_makers_think() -> None:
    ladder = win_rates(budget=3000)
    assert [row["player"] for row in ladder.rows()] == ["random", "roomy", "greedy", "default"]
    for better, worse in zip(ladder.names[1:], ladder.names, strict=False):
        assert ladder.step(better, worse).interval(0.99)[0] > 0
    assert "default" in str(ladder) and "95 % interval" in ladder._repr_html_()


def test_variants_change_the_chances() -> None:
    free, stop, usual = (
        win_rates([default_policy()], 1000, rules=Rules(1, **variant)).placed("default").mean
        for variant in ({"direction_per_branch": True}, {"stop_at_first_misfit": True}, {})
    )
    assert stop < usual < free


def test_skill_stands_between_greed_and_the_clairvoyant() -> None:
    ladder = luck_and_skill(16, policies=[greedy_policy(), AdviserPolicy(worlds=64)])
    assert ladder.names == ("greedy", "adviser", "clairvoyant")
    assert ladder.step("adviser", "greedy").interval()[0] > 0
    assert ladder.step("clairvoyant", "adviser").mean >= 0
    bound, placed = (ladder.comparison.estimate(2, outcome).mean for outcome in ("bound", "placed"))
    assert bound == placed, "all deals were solved"


def test_ladders_refuse_what_they_cannot_tell() -> None:
    with pytest.raises(ValueError, match="players need different names"):
        win_rates([greedy_policy(), greedy_policy()])
    with pytest.raises(ValueError, match="this is about solitaire, not about 2 players"):
        win_rates(rules=Rules(2))
    with pytest.raises(ValueError, match="there is no player 'bold'; there are greedy"):
        win_rates([greedy_policy()], 10).placed("bold")


# -- tournaments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_deals_of_a_tournament_are_the_same_by_kernels_and_by_rules(players: int) -> None:
    rules = Rules(players)
    policies = [policy_named("greedy", players)] * players
    left = play_deals(rules, policies, 3, 5, 2)
    for row, number in enumerate((5, 6)):
        assert play_deal(policies, numbered_deal(rules, 3, number)).replay().scores == tuple(left[row])


def test_against_itself_a_policy_is_level() -> None:
    result = tournament(Rules(2), [greedy_policy()], greedy_policy(), 100)
    assert result.estimate("greedy", "win").mean == 0.5
    assert result.estimate("greedy").mean == 0.0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_default_policy_beats_greed_and_greed_beats_chance(players: int) -> None:
    rules = Rules(players)
    contenders = [policy_named(name, players) for name in ("default", "random")]
    result = tournament(rules, contenders, greedy_policy(), 400)
    fair = 1 / players
    assert result.estimate("default", "win").interval(0.99)[0] > fair
    assert result.estimate("random", "win").interval(0.99)[1] < fair
    assert "default" in str(result) and "against greedy" in result._repr_html_()


def test_the_adviser_does_better_than_chance() -> None:
    contenders = [AdviserPolicy(worlds=16), random_policy()]
    result = tournament(Rules(4), contenders, random_policy(), 8)
    assert result.comparison.difference(0, 1, "margin").interval()[0] > 0
    assert result.comparison.difference(0, 1, "win").interval()[0] > 0


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rivals", ["random", "greedy", "default"])
def test_the_adviser_clearly_beats_what_it_plays_out_with(players: int, rivals: str) -> None:
    result = tournament(Rules(players), [AdviserPolicy(worlds=64)], policy_named(rivals, players), 60)
    assert result.estimate("adviser", "win").interval()[0] > 1 / players


def test_tournaments_refuse_what_they_cannot_tell() -> None:
    with pytest.raises(ValueError, match="a tournament needs two to four players"):
        tournament(Rules(1), [greedy_policy()], random_policy())
    with pytest.raises(ValueError, match="different names"):
        tournament(Rules(2), [greedy_policy(), greedy_policy()], random_policy())
    with pytest.raises(ValueError, match="there is no contender 'bold'"):
        tournament(Rules(2), [greedy_policy()], random_policy(), 10).estimate("bold")
