"""Duel-Edged Sword's bots: their strength alone, with a partner, and all together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ai.arena.contest import Contest
from ai.arena.statistics import Score
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_engines.heuristics.duel_edged_sword import (
    MIN_DECISIONS,
    UNSEEN_AT_ROUND_START,
    SwordHeuristic,
    collection_gain,
    expected_completes,
)
from tabularium_engines.search.playout import HeuristicEvaluator
from tests.engines.duel_edged_sword.tables import PLAIN_ROWS, cards, heap_of, start_match, table

SLUG = "duel_edged_sword"
HEURISTIC = SwordHeuristic()


def strength(mode: Any, challenger: str, opponent: str, games: int) -> Score:
    """A bot's score in games of one round in a fixed mode."""
    options = Options(mode=mode, rounds=1)
    return Contest(SLUG, challenger, opponent, 4, options).play_and_score(games)


@pytest.mark.one_mode
@pytest.mark.parametrize("mode", ["combative", "teams", "collaborative"])
def test_greedy_beats_random(mode: str, games_count: Callable[[int, int], int]) -> None:
    assert strength(mode, "greedy", "random", games_count(16, 400)).is_better


@pytest.mark.one_mode
@pytest.mark.soak
@pytest.mark.parametrize("mode", ["combative", "teams"])
def test_mcts_beats_greedy(mode: str) -> None:
    assert strength(mode, "mcts:1000", "greedy", 400).is_better


@pytest.mark.soak
def test_where_all_play_together_mcts_collects_much_more_than_greedy() -> None:
    measured = strength("collaborative", "mcts:1000", "greedy", 400)
    assert measured.is_better
    assert measured.share >= 1.15 * measured.par


# -- values ---------------------------------------------------------------------------------------


def test_completes_are_better_than_none() -> None:
    rich, poor = (table(PLAIN_ROWS, "PGT", collected={1: cards}) for cards in ("FRS FRT", ""))
    assert HEURISTIC.value(rich, 1) > HEURISTIC.value(poor, 1)
    assert HEURISTIC.value(rich, 0) < HEURISTIC.value(poor, 0)


def test_what_a_cut_player_has_is_worth_nothing() -> None:
    state = table(PLAIN_ROWS, "PGT", collected={1: "FRS FRT"})
    assert expected_completes(state)[1] > 2
    state.players.standings[1] = 2
    assert expected_completes(state)[1] == 0


def test_edges_leave_less_to_hope_for() -> None:
    free, burdened = (
        table(PLAIN_ROWS, "PGT", collected={2: cards}) for cards in ("", "red blue square")
    )
    assert expected_completes(free)[2] > expected_completes(burdened)[2]


@pytest.mark.parametrize(
    ("edges", "expected"), [("red red", 3.0), ("red red red", -1.0), ("red red red red", 0.0)]
)
def test_a_collection_is_worth_its_completes_less_what_it_costs(
    edges: str, expected: float
) -> None:
    assert collection_gain(heap_of(cards(edges))[1], 3.0, 4.0) == expected


def test_the_chances_of_all_are_one() -> None:
    state = table(PLAIN_ROWS, "PGT", collected={1: "FRS FRT", 2: "FGC"})
    chances = HEURISTIC.values(state)
    assert sum(chances) == pytest.approx(1)
    assert chances[1] > chances[2] > chances[3]


def test_a_lead_is_gained_more_when_less_is_to_come() -> None:
    early, late = (table(PLAIN_ROWS, "PGT", collected={1: "FRS FRT"}) for _ in range(2))
    early.variant.rounds = 4
    assert HEURISTIC.value(late, 1) > HEURISTIC.value(early, 1)


def test_partners_share_their_hopes() -> None:
    state = table(PLAIN_ROWS, "PGT", collected={1: "FRS FRT"}, flipped="true")
    assert HEURISTIC.value(state, 0) == HEURISTIC.value(state, 1)
    assert HEURISTIC.value(state, 0) > HEURISTIC.value(state, 2)
    assert HEURISTIC.value(state, 0) + HEURISTIC.value(state, 2) == pytest.approx(0.5)


# -- the depth of playouts -----------------------------------------------------------------------


@pytest.mark.parametrize("deal", ["all", "thirteen"])
def test_a_round_begins_with_as_many_unseen(deal: str) -> None:
    assert start_match(1, mode="collaborative", deal=deal).players.unseen == UNSEEN_AT_ROUND_START


@pytest.mark.parametrize("deal", ["all", "thirteen"])
def test_where_all_play_together_a_search_plays_on_to_the_end_of_the_round(deal: str) -> None:
    for seed in range(5):
        state = start_match(seed, mode="collaborative", deal=deal, rounds=3)
        for number in range(2, 4):
            state.apply(
                state.turn,
                state.random_action(state.turn, FastRng(seed)),
                FastRng(seed),
            )
            rewards = HeuristicEvaluator(HEURISTIC).rewards(state, FastRng(seed))
            assert (state.match.round, state.players.unseen) == (number, UNSEEN_AT_ROUND_START)
            assert rewards == HEURISTIC.values(state)
        state.apply(state.turn, state.random_action(state.turn, FastRng(seed)), FastRng(seed))
        assert HeuristicEvaluator(HEURISTIC).rewards(state, FastRng(seed)) == state.returns()
        assert state.to_act == 0


@pytest.mark.parametrize("mode", ["combative", "teams", "flipped"])
def test_elsewhere_it_plays_on_for_a_few_cards(mode: str) -> None:
    for seed in range(5):
        state = start_match(seed, mode=mode)
        before = sum(state.players.piles)
        HeuristicEvaluator(HEURISTIC).rewards(state, FastRng(seed))
        assert sum(state.players.piles) == before - MIN_DECISIONS
