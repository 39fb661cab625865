"""Duel of Law's heuristic: it sees the gains of a turn, and its bots play by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest

from ai.arena.contest import Contest
from ai.bot_kinds import Budget
from ai.bot_registry import create_bot
from ai.heuristics.duel_of_law import DuelHeuristic, branch_strengths, steal_risk, turn_gain
from games.compiled_engines import engine_mode
from games.engines.common.random_generators import FastRng
from games.engines.duel_of_law import ENGINE, actions
from games.engines.duel_of_law.action_numbers import FINISH, MORE, TAKE_BACK
from games.engines.duel_of_law.card_zones import ZONE_PILE
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.game_options import SecondOptions
from games.engines.duel_of_law.play_ranking import best_plays, openness, start_trial
from games.engines.duel_of_law.turn_worth import standing_of
from games.engines.duel_of_law.view import rulings_of
from tests.engines.duel_of_law.lines import law
from tests.engines.duel_of_law.tables import BLUE, RED, do, grid, table
from tests.engines.duel_of_law.test_play_generator import positions

COLUMN = "00\n02"
BRANCH = ("across", (0, 0), "blue: colour is red")


def test_the_closest_law_is_the_one_that_fewest_cards_follow() -> None:
    assert openness(law("colour is red")) == 13
    assert openness(law("rank is even")) == 60
    assert openness(law("colour is red & rank is even")) == 5
    assert openness(law("letter word")) < openness(law("number rises")) < openness(law(""))


def test_a_lead_that_leaves_others_no_chance_is_a_number() -> None:
    state = table("00 01 02", ("50 51", "90"), [("across", (0, 0), "red: colour is red")])
    state.turn.rulings = rulings_of(SecondOptions())
    state.turn.tableau.branches = state.turn.tableau.branches * 80
    do(state, actions.Place("50", 1, 0))
    assert standing_of(state.turn, state.zones, 2, is_open=False).chances(BLUE)[RED] == 1.0
    chances = DuelHeuristic().values(state)
    assert chances[BLUE] == 0.0
    assert chances[RED] == pytest.approx(1.0)


def test_a_branch_that_is_hard_to_lengthen_is_worth_more() -> None:
    open_one = table("00 02 04", claims=[("across", (0, 0), "red: face is number")])
    close_one = table("00 02 04", claims=[("across", (0, 0), "red: number rises_by 2")])
    assert steal_risk(open_one.turn.tableau.branches[0]) > steal_risk(
        close_one.turn.tableau.branches[0]
    )
    assert (
        branch_strengths(close_one)[RED]
        > branch_strengths(open_one)[RED]
        > branch_strengths(open_one)[BLUE]
        == 0
    )


def test_a_turn_in_progress_promises_what_it_will_bring() -> None:
    state = table("00 02", ("04 98 06", "11"))
    assert turn_gain(state) == 0
    state.apply(RED, ENGINE.encode(state, RED, actions.Place("04", 0, 2)), FastRng(0))
    assert turn_gain(state) == 1
    state.apply(RED, FINISH, FastRng(0))
    assert turn_gain(state) == 1


def test_to_steal_a_branch_is_worth_two() -> None:
    state = table("00 02 05", ("04", "11"), [BRANCH])
    state.apply(RED, ENGINE.encode(state, RED, actions.Place("04", 0, 3)), FastRng(0))
    assert turn_gain(state) == 2
    own = table("00 02 05", ("11", "04"), [BRANCH], turn=BLUE)
    own.apply(BLUE, ENGINE.encode(own, BLUE, actions.Place("04", 0, 3)), FastRng(0))
    assert turn_gain(own) == 0


LAWS = [
    ("across", (0, 0), "red: rank is even"),
    ("down", (0, 0), "red: colour is red"),
    ("down", (0, 2), "red: rank is 4"),
]
LYING = grid("00 02 04\n01 . 14\n03 . 24")


def value_of(branch_count: int, hand_size: int) -> float:
    """RED's value with this many of these branches and this many cards."""
    state = table(LYING, ("", "05 06"), LAWS[:branch_count])
    for card in state.zones.cards(ZONE_PILE)[:hand_size]:
        state.zones.zone_of[card] = RED
    assert state.zones.count(RED) == hand_size
    return DuelHeuristic().value(state, RED)


@pytest.mark.parametrize("hand_size", [1, 11, 12, 13, 40, 113])
def test_a_branch_more_never_looks_worse_however_many_cards_are_held(hand_size: int) -> None:
    values = [value_of(branch_count, hand_size) for branch_count in range(len(LAWS) + 1)]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


@pytest.mark.parametrize("hand_size", [1, 6, 12, 40])
def test_a_card_more_never_looks_better(hand_size: int) -> None:
    assert value_of(2, hand_size) > value_of(2, hand_size + 1)


def test_the_best_play_claims_several_branches_at_once() -> None:
    # 04 in the middle lengthens a row and a column of two: two branches with one card.
    board = grid("00 02 .\n. . 24\n. . 44")
    state = table(board, ("04 97 3J", "11"))
    best = best_plays(state.turn.tableau, state.zones.cards(RED), RED)
    gains = [start_trial(state.turn.tableau, play, RED).gain for play in best]
    assert max(gains) >= 2
    decision = create_bot("greedy", "duel_of_law").choose(
        ENGINE, ENGINE.view(state, RED), FastRng(1), Budget()
    )
    assert isinstance(decision.action, actions.Place)


def test_values_are_chances_and_looking_changes_nothing() -> None:
    for state, seat in positions(6, max_cards=60):
        before = state.contents()
        values = DuelHeuristic().values(state)
        assert sum(values) == pytest.approx(1)
        assert DuelHeuristic().value(state, seat) == pytest.approx(values[seat])
        state.promising_actions(seat)
        assert state.contents() == before


def test_what_is_promising_is_legal_and_leads_to_the_end_of_the_turn() -> None:
    for start, seat in positions(3, max_cards=40):
        state, rng = start.clone(), FastRng(1)
        for _ in range(60):
            thoughts = state.promising_actions(seat)
            assert thoughts
            assert set(thoughts) <= set(state.legal_actions(seat))
            assert len(set(thoughts)) == len(thoughts)
            state.apply(seat, thoughts[0], rng)
            if state.turn.seat != seat or not state.to_act:
                break
        assert state.turn.seat != seat or not state.to_act


def test_thoughts_of_another_hand_are_forgotten() -> None:
    for state, seat in positions(3, max_cards=40):
        state.promising_actions(seat)
        for observer in range(state.seats):
            world = state.clone()
            world.determinize(observer, FastRng(7))
            assert set(world.promising_actions(seat)) <= set(world.legal_actions(seat))


def test_longer_plays_are_lawful_and_grow() -> None:
    count = 0
    for state, seat in positions(3, max_cards=40, min_hand=8):
        for play in best_plays(state.turn.tableau, state.zones.cards(seat)[:8], seat):
            assert start_trial(state.turn.tableau, play, seat).gain >= 0
            count += len(play.cards) > 2
    assert count


def test_nobody_takes_back_who_need_not() -> None:
    state = table("00 02", ("04 98 06", "11"))
    state.apply(RED, ENGINE.encode(state, RED, actions.Place("04", 0, 2)), FastRng(0))
    assert TAKE_BACK not in state.promising_actions(RED)
    assert set(state.promising_actions(RED)) <= {FINISH, MORE}


def test_who_is_far_enough_ahead_empties_the_hand_and_wins() -> None:
    lying = {(0, at): code for at, code in enumerate(("00", "02", "04"))}
    lying |= {(at, 0): code for at, code in ((1, "01"), (2, "03"))}
    claims = [("across", (0, 0), "red: rank is even"), ("down", (0, 0), "red: colour is red")]
    state, rng = table(lying, ("06 08", "11 12 13"), claims), FastRng(1)
    state.apply(RED, ENGINE.encode(state, RED, actions.Place("06", 0, 3)), rng)
    for _ in range(4):
        if state.to_act:
            thoughts = state.promising_actions(RED)
            assert len(thoughts) == 1
            state.apply(RED, thoughts[0], rng)
    assert state.returns() == [1.0, 0.0]


@pytest.mark.parametrize(("end", "can_win"), [("next_turn", False), ("at_once", True)])
def test_bots_race_for_an_empty_hand_only_where_that_turn_can_win(
    end: Literal["next_turn", "at_once"], can_win: bool
) -> None:
    lying = {(0, at): code for at, code in enumerate(("00", "02", "04"))}
    lying |= {(at, 0): code for at, code in ((1, "01"), (2, "03"))}
    claims = [("across", (0, 0), "red: rank is even"), ("down", (0, 0), "red: colour is red")]
    rulings = rulings_of(SecondOptions(end))
    state = table(lying, ("06 08", "11 12 13"), claims, rulings=rulings)
    state.apply(RED, ENGINE.encode(state, RED, actions.Place("06", 0, 3)), FastRng(1))
    assert state.can_win_turn() == can_win


@pytest.mark.parametrize("seats", [2, 4])
def test_bots_lay_cards_from_the_first_turn_on(seats: int) -> None:
    for seed in range(3):
        state = ENGINE.start(ENGINE.about.options(), seats, FastRng(seed))
        seat = ENGINE.awaited_seats(state)[0]
        decision = create_bot("greedy", "duel_of_law").choose(
            ENGINE, ENGINE.view(state, seat), FastRng(1), Budget()
        )
        assert isinstance(decision.action, actions.Place)


def test_a_bot_thinks_long_of_its_own_turn_and_quickly_of_others() -> None:
    state = ENGINE.start(ENGINE.about.options(), 2, FastRng(0))
    seat = ENGINE.awaited_seats(state)[0]
    own = ENGINE.imagine(ENGINE.view(state, seat), FastRng(1))
    assert isinstance(own, DuelState)
    assert own.promising_actions(seat) == state.promising_actions(seat)
    world = own.clone()
    world.determinize(seat, FastRng(2))
    assert world.promising_actions(seat) == own.promising_actions(seat)
    assert world.cache.is_imagined
    assert not own.cache.is_imagined


@pytest.mark.lane("slow")
@pytest.mark.one_mode
@pytest.mark.skipif(engine_mode() != "compiled", reason="whole games of bots are slow interpreted")
@pytest.mark.parametrize("seats", [2, 4])
def test_greedy_beats_random(seats: int, games_count: Callable[[int, int], int]) -> None:
    score = Contest("duel_of_law", "greedy", "random", seats).play_and_score(games_count(20, 400))
    assert score.is_better
    assert score.share > 0.95  # a lower share means that it draws the deck where it could claim


@pytest.mark.one_mode
@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_mcts_beats_greedy(seats: int) -> None:
    assert Contest("duel_of_law", "mcts:200", "greedy", seats).play_and_score(100).is_better
