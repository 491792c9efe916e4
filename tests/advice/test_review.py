"""Reviews: luck and skill add up to the result exactly, losses use what could be known, words mean what they say."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from byzanz_lab.advice.review import Review, review
from byzanz_lab.advice.review_decisions import LOSSES, WORDS, judge, word_for
from byzanz_lab.advice.review_page import review_page
from byzanz_lab.advice.review_values import Change, Valuer, course_of, seen, showing
from byzanz_lab.charts.forecast import plot_forecast
from byzanz_lab.charts.review import plot_review
from byzanz_lab.charts.theme import describe
from byzanz_lab.charts.tournament import plot_tournament
from byzanz_lab.evaluation import Estimate
from byzanz_lab.game.actions import Action, Bid, Done, Pass, Sell
from byzanz_lab.game.cards import Cards
from byzanz_lab.game.position import observe
from byzanz_lab.game.record import InvalidRecord, Record
from byzanz_lab.game.rules import Rules
from byzanz_lab.game.state import new_game
from byzanz_lab.game.table import Phase
from byzanz_lab.simulation.encoding import encode
from byzanz_lab.simulation.playouts import OBJECTIVES, play_game
from byzanz_lab.simulation.policies import RandomPolicy, default_policy, greedy_policy

WORLDS = 24
PLAYERS = {
    3: (RandomPolicy(), default_policy(), greedy_policy()),
    4: (greedy_policy(), default_policy(), RandomPolicy(), default_policy()),
    5: (default_policy(), greedy_policy(), default_policy(), default_policy(), RandomPolicy()),
    6: (default_policy(),) * 5 + (greedy_policy(),),
}


@cache
def game(seats: int, seed: int = 1) -> Record:
    return play_game(PLAYERS[seats], new_game(Rules.for_seats(seats), seed, seed % seats), seed)


@cache
def reviewed(seats: int, seat: int | None = None, objective: str = "profit") -> Review:
    return review(game(seats), WORLDS, seat=seat, objective=objective, workers=1)


# -- luck and skill add up ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("from_one_seat", [False, True], ids=["open cards", "one seat"])
def test_luck_own_play_and_the_play_of_others_add_up_to_the_result_exactly(seats: int, from_one_seat: bool) -> None:
    found, result = reviewed(seats, 1 if from_one_seat else None), game(seats).result
    assert result is not None
    for account in found.accounts:
        whole = account.before.mean + account.luck.mean + account.own.mean + account.others.mean
        assert whole == pytest.approx(result.profits[account.seat], abs=1e-9)
        assert account.result.mean == pytest.approx(result.profits[account.seat], abs=1e-9)
        assert account.result.se == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_they_add_up_under_every_objective(objective: str) -> None:
    found, result = reviewed(4, None, objective), game(4).result
    assert result is not None
    for account in found.accounts:
        seat = account.seat
        best_rival = max(p for s, p in enumerate(result.profits) if s != seat)
        won = 1 / len(result.winners) if seat in result.winners else 0.0
        right = won if objective == "win" else result.profits[seat] - best_rival
        assert account.before.mean + account.luck.mean + account.own.mean + account.others.mean == pytest.approx(right)


def test_every_world_adds_up_not_only_the_mean() -> None:
    found, result = reviewed(4), game(4).result
    assert result is not None
    assert found.course.end[..., 0] == pytest.approx(np.tile(result.profits, (WORLDS, 1)), abs=1e-9)


def test_who_plays_like_the_policy_has_no_skill_to_show() -> None:
    """Seats of the default policy: their choices are what was expected of them, so they change nothing, exactly."""
    found = reviewed(4)
    for change in found.course.changes:
        if change.seat in (1, 3):
            assert not change.values.any()
    assert found.account(1).own.mean == 0 == found.account(1).own.se


def test_a_random_player_loses_by_its_play() -> None:
    account = reviewed(4).account(2)
    assert account.own.mean < -2 and account.loss.mean > 2
    assert sum(account.words[word] for word in WORDS[1:]) > 2


def test_every_draw_is_told_with_the_luck_it_brought() -> None:
    """The deal, then every lot but the first, each once."""
    found, record = reviewed(4), game(4)
    rules = record.rules
    assert found.draws[0].number == -1
    assert len(found.draws) == rules.rounds * rules.seats
    lots = Cards()
    for draw in found.draws:
        lots = lots + draw.cards
    assert len(lots) == rules.cards_auctioned and list(record.deck) and lots == Cards(list(record.deck))
    total = sum(found.luck_of(draw, 0).mean for draw in found.draws)
    assert total == pytest.approx(found.account(0).luck.mean)


def test_luck_is_fair_on_average() -> None:
    """Over several games the luck of all seats together has mean nought, within its error."""
    sums, players = [], (default_policy(),) * 3
    for seed in range(2, 14):
        record = play_game(players, new_game(Rules.for_seats(3), seed), seed)
        changes = [event for event in course_of(record, None, players, 16, seed) if isinstance(event, Change)]
        luck = sum(change.values.mean(axis=0) for change in changes if change.seat is None)
        sums += np.asarray(luck)[:, 0].tolist()
    assert abs(np.mean(sums)) < 3 * np.std(sums, ddof=1) / np.sqrt(len(sums) / 3)


def test_the_values_of_one_seat_do_not_depend_on_what_it_cannot_see() -> None:
    """Two games that look the same to seat 0 begin with the same value from its view; with open cards they differ."""
    state = new_game(Rules.for_seats(4), 3)
    swapped = replace(state, hands=(state.hands[0], state.hands[3], state.hands[2], state.hands[1]))
    valuer = Valuer(state.rules, (default_policy(),) * 4, 32, 1)
    assert np.array_equal(valuer(seen(state, 0)), valuer(seen(swapped, 0)))
    assert not np.array_equal(valuer(seen(state, None)), valuer(seen(swapped, None)))


@pytest.mark.parametrize("view", [None, 1])
def test_after_a_choice_the_value_is_that_of_the_next_moment(view: int | None) -> None:
    """As long as nothing is drawn, what an action makes of a moment and the moment after it are valued alike."""
    record, checked = game(4), 0
    valuer = Valuer(record.rules, (default_policy(),) * 4, 12, 1)
    state = record.initial()
    for seat, action in record.moves:
        after = state.apply(action, seat)
        if after.table.deck_left == state.table.deck_left and not after.is_over:
            done = valuer(showing(seen(state, view), seat, action), seat, action)
            assert np.array_equal(done, valuer(seen(after, view)))
            checked += 1
        state = after
    assert checked > 60


def test_worlds_are_uniform_whatever_was_seen() -> None:
    """The first card of the deck is each unseen card equally often, in a late moment too."""
    record = game(4)
    state = record.state_at(len(record.moves) // 2)
    position = seen(state, 0)
    start = encode(position)
    _, decks = Valuer(record.rules, (default_policy(),) * 4, 6000, 7).deal(start)
    counts = np.bincount(decks[:, 0], minlength=25)
    expected = 6000 * np.array(position.unseen.counts) / len(position.unseen)
    there = expected > 0
    assert not counts[~there].any()
    assert ((counts - expected)[there] ** 2 / expected[there]).sum() < 2 * there.sum() + 15


# -- decisions ---------------------------------------------------------------------------------------------------------


def test_every_decision_with_a_choice_is_judged_once() -> None:
    found, record = reviewed(4), game(4)
    numbers = [judged.number for judged in found.decisions]
    assert numbers == sorted(set(numbers))
    for judged in found.decisions:
        assert record.moves[judged.number] == (judged.seat, judged.action)
        assert judged.choices >= 2 and judged.loss.mean >= 0
        assert judged.word in WORDS and (judged.word == "fine" or not judged.is_level)


def test_decisions_are_judged_by_what_the_seat_could_know() -> None:
    state = new_game(Rules.for_seats(4), 3)
    swapped = replace(state, hands=(state.hands[0], state.hands[3], state.hands[2], state.hands[1]))
    players = (default_policy(),) * 4
    one, other = (judge(observe(s, 0), Pass(), 0, players, 64, 1, "profit") for s in (state, swapped))
    assert one is not None and other is not None
    assert one.loss == other.loss and one.best == other.best


def test_a_blunder_is_found_and_the_better_choice_named() -> None:
    """In the closing sale, to stop with a set in hand gives away what it sells for."""
    record = game(4)
    for turn in record.states():
        if turn.state.phase is Phase.CLOSING and isinstance(turn.action, Sell):
            judged = judge(observe(turn.state, turn.seat), Done(), turn.number, PLAYERS[4][1:2] * 4, 64, 1, "profit")
            assert judged is not None
            assert isinstance(judged.best, Sell) and judged.loss.mean >= 1
            assert judged.word in ("mistake", "blunder")
            return
    raise AssertionError("no sale in the closing sale of this game")


def test_a_dear_way_to_pay_is_compared_though_nobody_would_advise_it() -> None:
    record = game(4)
    for turn in record.states():
        position = observe(turn.state, turn.seat)
        bids = [action for action in position.legal_actions() if isinstance(action, Bid)]
        if len(bids) > 12:
            odd = max(bids, key=lambda bid: len(bid.cards))
            judged = judge(position, odd, turn.number, (default_policy(),) * 4, 64, 1, "profit")
            assert judged is not None and judged.action == odd and judged.loss.mean > 0
            return
    raise AssertionError("no decision with many bids")


def test_selling_before_it_must_be_is_compared_with_waiting() -> None:
    """A set sold during an auction, by a seat that is not on the move."""
    record = game(4)
    for turn in record.states():
        state = turn.state
        if state.phase is not Phase.AUCTION:
            continue
        for seat in range(4):
            sets = [action for action in state.legal_actions(seat) if isinstance(action, Sell)]
            if sets and seat != state.to_move:
                moves = (*record.moves[: turn.number], (seat, sets[0]))
                early = replace(record, moves=moves, result=None)
                judged = review(early, 16, seat=seat, workers=1).decisions[-1]
                assert judged.action == sets[0] and judged.choices == 2 and judged.best_label
                return
    raise AssertionError("nobody could sell out of turn")


@pytest.mark.parametrize(
    ("loss", "objective", "word"),
    [
        (0.0, "profit", "fine"), (0.2, "profit", "fine"), (0.3, "profit", "doubtful"), (1.0, "profit", "mistake"),
        (1.5, "profit", "blunder"), (0.01, "win", "fine"), (0.03, "win", "doubtful"), (0.2, "win", "blunder"),
    ],
)  # fmt: skip
def test_words_follow_the_loss_and_level_choices_are_fine(loss: float, objective: str, word: str) -> None:
    estimate = Estimate(loss, 0.1, 100)
    assert word_for(estimate, False, objective) == word
    assert word_for(estimate, True, objective) == "fine"


def test_losses_have_words_under_every_objective() -> None:
    assert LOSSES.keys() == set(OBJECTIVES)
    for limits in LOSSES.values():
        assert list(limits) == sorted(limits) and len(limits) == len(WORDS) - 1


def test_the_same_seed_gives_the_same_review_on_any_number_of_workers() -> None:
    one, other = (review(unfinished(3, 40), 16, seed=4, workers=w).to_dict() for w in (1, 3))
    assert one == other != review(unfinished(3, 40), 16, seed=5).to_dict()


# -- records that are not whole ----------------------------------------------------------------------------------------


def unfinished(seats: int = 4, moves: int = 50) -> Record:
    return replace(game(seats), moves=game(seats).moves[:moves], result=None)


def test_an_unfinished_game_adds_up_to_what_can_be_expected_now() -> None:
    found = review(unfinished(), WORLDS, workers=1)
    assert not found.is_finished and "not finished" in str(found)
    end = Valuer(found.record.rules, found.policies, WORLDS, 1)(seen(found.record.replay(), None))
    for account in found.accounts:
        whole = account.before.mean + account.luck.mean + account.own.mean + account.others.mean
        assert whole == pytest.approx(end[:, account.seat, 0].mean())


def test_a_game_without_actions_is_all_luck() -> None:
    found = review(replace(game(4), moves=(), result=None), WORLDS)
    assert not found.decisions
    assert all(account.own.mean == 0 == account.others.mean for account in found.accounts)


def test_a_record_kept_at_a_table_is_reviewed_from_one_seats_view() -> None:
    """Nobody knows the removed cards, nor the rest of the deck: it is cut short."""
    whole = unfinished()
    seen_cards = len(whole.deck) - whole.replay().table.deck_left
    kept = replace(whole, removed=None, deck=whole.deck[:seen_cards])
    with pytest.raises(ValueError, match="say from whose view"):
        review(kept, WORLDS)
    found = review(kept, WORLDS, seat=2, workers=1)
    assert [account.seat for account in found.accounts] == [2]
    assert {judged.seat for judged in found.decisions} == {2}
    assert found.to_dict()["accounts"] == review(whole, WORLDS, seat=2, workers=1).to_dict()["accounts"]


@pytest.mark.parametrize("variant", [{"hand_limit": 8}, {"may_decline_market": True}, {"last_card_to_hand": True}])
def test_variants_add_up_too(variant: dict) -> None:
    record = play_game(PLAYERS[5], new_game(Rules.for_seats(5, **variant), 2), 2)
    assert record.result is not None
    for account in review(record, 8, workers=1).accounts:
        whole = account.before.mean + account.luck.mean + account.own.mean + account.others.mean
        assert whole == pytest.approx(record.result.profits[account.seat], abs=1e-9)


# -- shown -------------------------------------------------------------------------------------------------------------


def named(name: str) -> Review:
    found = reviewed(4)
    return replace(found, record=replace(found.record, names=(name, "Bo", "", "Di")))


def test_it_is_told_as_text_html_frames_and_json() -> None:
    found = reviewed(4)
    assert found.sentence in str(found) and "given away" in str(found) and "<table>" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["format"] == "byzanz-review"
    assert len(found.to_frame()) == len(found.decisions)
    accounts = found.to_frame("accounts")
    assert list(accounts["seat"]) == [0, 1, 2, 3] and {"luck_se", "own", "fine", "blunder"} <= set(accounts.columns)
    assert len(found.to_frame("draws")) == len(found.draws)
    with pytest.raises(ValueError, match="unknown table 'luck'"):
        found.to_frame("luck")


def test_names_are_escaped_and_the_page_loads_nothing() -> None:
    bad = named("<script>alert(1)</script>")
    for html in (review_page(bad), bad._repr_html_()):
        assert "<script" not in html and "&lt;script&gt;alert(1)" in html
    page = review_page(bad)
    assert "default-src &#x27;none&#x27;" in page
    assert "http://" not in page and "https://" not in page and "src=" not in page
    assert len(page) < 200_000


def test_charts_say_in_words_what_they_show() -> None:
    found = named("Al")
    figure = plot_review(found)
    assert found.sentence in describe(figure)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert [trace.name for trace in lines] == ["seat 0 Al", "seat 1 Bo", "seat 2", "seat 3 Di"]
    assert game(4).result is not None
    assert [trace.y[-1] for trace in lines] == pytest.approx(list(game(4).result.profits))  # type: ignore[union-attr]


def test_charts_of_forecasts_and_standings() -> None:
    from byzanz_lab.advice.forecast import forecast
    from byzanz_lab.advice.tournament import Tournament
    from tests.advice.positions import sample

    found = forecast(sample("auction"), 32)
    figure = plot_forecast(found)
    assert sum(figure.data[0].y) == pytest.approx(100) and found.sentence in describe(figure)
    standings = Tournament([greedy_policy(), RandomPolicy()], games=64).run()
    figure = plot_tournament(standings)
    assert list(figure.data[0].y) == [row.name for row in standings.ranking]
    assert standings.sentence in describe(figure)


def test_the_curve_of_a_seat_starts_before_the_deal_and_ends_at_its_result() -> None:
    found = reviewed(4)
    for account in found.accounts:
        curve = found.values(account.seat)
        assert len(curve) == len(found.course.changes) + 1
        assert (curve[0], curve[-1]) == pytest.approx((account.before.mean, account.result.mean))


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"record": "game.json"}, TypeError, "a Record is needed, not str"),
        ({"worlds": 1}, ValueError, "2 worlds or more, not 1"),
        ({"worlds": 2.5}, ValueError, "whole number"),
        ({"seat": 4}, ValueError, "no seat 4"),
        ({"seat": True}, ValueError, "no seat True"),
        ({"objective": "luck"}, ValueError, "unknown objective 'luck'"),
        ({"policies": [default_policy()]}, ValueError, "4 seats need 4 policies"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        review(**{"record": game(4), **arguments})


def test_a_record_that_breaks_the_rules_is_refused_before_anything_is_judged() -> None:
    moves: tuple[tuple[int, Action], ...] = ((3, Pass()), *game(4).moves[1:])
    with pytest.raises(InvalidRecord, match="action 0"):
        review(replace(game(4), moves=moves, result=None))


def test_questions_about_other_seats_are_refused() -> None:
    found = reviewed(4, 1)
    change: Change = found.draws[0]
    for ask in (lambda: found.account(0), lambda: found.luck_of(change, 0), lambda: found.values(2)):
        with pytest.raises(ValueError, match=r"was not reviewed \(reviewed: 1\)"):
            ask()
