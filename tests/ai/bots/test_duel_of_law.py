"""Duel of Law's heuristic: it sees the gains of a turn, and its bots play by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from ai.arena.contest import Contest
from ai.bot_kinds import Budget
from ai.bot_registry import create_bot
from tabularium_engines.builds.compiled_engines import engine_mode
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law import ENGINE, actions
from tabularium_engines.duel_of_law.action_numbers import (
    CLAIM,
    FINISH,
    MORE,
    TAKE_BACK,
    TASK_LAY,
    clause_in,
)
from tabularium_engines.duel_of_law.card_zones import ZONE_PILE
from tabularium_engines.duel_of_law.cards import CARD_CODES
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import SecondOptions
from tabularium_engines.duel_of_law.view import rulings_of
from tabularium_engines.heuristics.duel_of_law import (
    ANY_SHARE,
    EQUAL_SHARES,
    HEURISTIC,
    DuelHeuristic,
    best_claim,
)
from tabularium_engines.heuristics.duel_of_law_turns.law_openness import law_openness
from tabularium_engines.heuristics.duel_of_law_turns.turn_worth import (
    CERTAIN_WIN,
    risk_of,
    standing_of,
)
from tests.ai.bots.test_duel_of_law_plays import positions
from tests.engines.duel_of_law.law_parser import parse_clause
from tests.engines.duel_of_law.lines import law
from tests.engines.duel_of_law.tables import BLUE, RED, do, grid, table

BRANCH = ("across", (0, 0), "blue: colour is red")


def first_actions(state: DuelState, seat: int) -> set[int]:
    """The actions that a bot considers."""
    return {int(plan.steps[0]) for plan in HEURISTIC.plans(state, seat, False)}


def test_a_branch_that_is_hard_to_lengthen_is_worth_more() -> None:
    assert risk_of(law("face is number")) > risk_of(law("number rises_by 2")) > 0


def test_a_lead_that_leaves_others_no_chance_is_a_number() -> None:
    state = table("00 01 02", ("50 51", "90"), [("across", (0, 0), "red: colour is red")])
    state.turn.rulings = rulings_of(SecondOptions())
    state.turn.tableau.branches = state.turn.tableau.branches * 80
    do(state, actions.Place("50", 1, 0))
    assert standing_of(state.turn, state.zones, 2, is_open=False).chances(BLUE)[RED] == 1.0
    chances = DuelHeuristic().values(state)
    assert chances[BLUE] == 0.0
    assert chances[RED] == pytest.approx(1.0)


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


def test_values_are_chances_and_looking_changes_nothing() -> None:
    for state, seat in positions(6, max_cards=60):
        before = state.contents()
        values = DuelHeuristic().values(state)
        assert sum(values) == pytest.approx(1)
        assert DuelHeuristic().value(state, seat) == pytest.approx(values[seat])
        HEURISTIC.plans(state, seat, False)
        assert state.contents() == before


def test_what_bots_consider_is_legal_and_leads_to_the_end_of_the_turn() -> None:
    for start, seat in positions(3, max_cards=40):
        state, rng = start.clone(), FastRng(1)
        for _ in range(60):
            plans = HEURISTIC.plans(state, seat, False)
            assert plans
            assert {plan.steps[0] for plan in plans} <= set(state.legal_actions(seat))
            state.apply(seat, plans[0].steps[0], rng)
            if state.turn.seat != seat or not state.to_act:
                break
        assert state.turn.seat != seat or not state.to_act


def test_nobody_takes_back_who_need_not() -> None:
    state = table("00 02", ("04 98 06", "11"))
    do(state, actions.Place("04", 0, 2))
    assert first_actions(state, RED) <= {FINISH, MORE}


def test_who_cannot_go_on_takes_back() -> None:
    state = table("00 02 05", ("04 11", "12"), [BRANCH])
    do(state, actions.Place("04", 1, 0))
    state.turn.agenda.pop()
    state.turn.agenda.push(TASK_LAY, RED)
    state.zones.zone_of[CARD_CODES.index("11")] = ZONE_PILE
    assert first_actions(state, RED) == {TAKE_BACK}


def test_the_closest_law_is_claimed() -> None:
    state = table("00 02", ("04 98 06", "11"))
    do(state, actions.Place("04", 0, 2))
    do(state, actions.Finish())
    shares = {
        answer: law_openness(vec[i64]([clause_in(answer)]))
        for answer in state.legal_actions(RED)
        if answer & 0xFF == CLAIM
    }
    assert len(shares) > 3
    assert shares[DuelHeuristic().answer(state.turn, True)] == min(shares.values())
    assert DuelHeuristic().answer(state.turn, False) in shares


@pytest.mark.parametrize(
    ("margin", "clauses", "claimed"),
    [
        (EQUAL_SHARES, ["dice is power of 2", "shade is dark"], "shade is dark"),
        (EQUAL_SHARES, ["number palindrome", "colour pairs"], "colour pairs"),
        (EQUAL_SHARES, ["shade is dark", "suit doubles"], "suit doubles"),
        (ANY_SHARE, ["suit doubles", "letter word", "shade is dark"], "shade is dark"),
        (ANY_SHARE, ["shade is dark", "colour is black"], "colour is black"),
    ],
)
def test_the_plainest_of_equal_laws_is_claimed_and_by_a_beginner_of_all(
    margin: float, clauses: list[str], claimed: str
) -> None:
    claims = [parse_clause(text) for text in clauses]
    assert best_claim(claims, vec[i64](), margin) == parse_clause(claimed)


def test_a_beginner_names_laws_that_are_seen_at_a_glance() -> None:
    state = table("31 35", ("38 98 06", "11"), rulings=rulings_of(SecondOptions()))
    do(state, actions.Place("38", 0, 2))
    do(state, actions.Finish())
    answers = [
        create_bot(bot, "duel_of_law").choose(ENGINE, ENGINE.view(state, RED), FastRng(1), Budget())
        for bot in ("level_1", "greedy")
    ]
    assert [answer.action for answer in answers] == [
        actions.SecondClaim("colour", "is", "yellow"),
        actions.SecondClaim("colour", "palindrome"),
    ]


@pytest.mark.parametrize(("end", "wins"), [("next_turn", False), ("at_once", True)])
def test_who_is_far_enough_ahead_empties_the_hand_where_that_wins(
    end: Literal["next_turn", "at_once"], wins: bool
) -> None:
    lying = {(0, at): code for at, code in enumerate(("00", "02", "04"))}
    lying |= {(at, 0): code for at, code in ((1, "01"), (2, "03"))}
    claims = [("across", (0, 0), "red: rank is even"), ("down", (0, 0), "red: colour is red")]
    rulings = rulings_of(SecondOptions(end))
    state, rng = table(lying, ("06 08", "11 12 13"), claims, rulings=rulings), FastRng(1)
    do(state, actions.Place("06", 0, 3))
    while wins and state.to_act:
        best = max(HEURISTIC.plans(state, RED, False), key=lambda plan: plan.worth)
        state.apply(RED, best.steps[0], rng)
    assert state.returns() == ([1.0, 0.0] if wins else [0.0, 0.0])
    if not wins:
        assert max(plan.worth for plan in HEURISTIC.plans(state, RED, False)) < CERTAIN_WIN


def test_the_value_of_a_turn_in_progress_is_that_of_the_best_way_to_go_on() -> None:
    state = table("00 02 05", ("04", "11"), [BRANCH])
    before = HEURISTIC.value(state, RED)
    do(state, actions.Place("04", 0, 3))
    stolen = HEURISTIC.value(state, RED)
    assert stolen > before
    do(state, actions.Finish())
    assert HEURISTIC.value(state, RED) == pytest.approx(stolen)


@pytest.mark.parametrize("seats", [2, 4])
def test_bots_lay_cards_from_the_first_turn_on(seats: int) -> None:
    for seed in range(3):
        state = ENGINE.start(ENGINE.about.options(), seats, FastRng(seed))
        seat = ENGINE.awaited_seats(state)[0]
        decision = create_bot("greedy", "duel_of_law").choose(
            ENGINE, ENGINE.view(state, seat), FastRng(1), Budget()
        )
        assert isinstance(decision.action, actions.Place)


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
