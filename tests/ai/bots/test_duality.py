"""Does the heuristic of Duality see how far each path has to go, and who can win at once?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ai.arena.contest import Contest
from ai.heuristics.duality import FAR, NEW, OLD, SURE, DualityHeuristic, can_win, distance
from games.engines.duality import ENGINE
from games.engines.duality.options import Options
from tests.engines.duality.tables import BLACK, WHITE, connections, table
from tests.engines.playing import play

BOTH = "D41 D18 D19*"  # with D21 in the middle, a path of each colour is complete


def test_a_single_card_that_is_missing_costs_what_replacing_it_does() -> None:
    state = table(BOTH)
    assert distance(state.board, BLACK) == OLD + connections(state, 2)
    assert distance(state.board, WHITE) == OLD + connections(state, 2)


def test_an_empty_place_costs_a_new_card() -> None:
    state = table("D01 D02 D03", beside={(1, 1): "D12", (3, 1): "D39"})
    assert distance(state.board, BLACK) == NEW


def test_every_distance_is_at_least_a_card_and_at_most_out_of_reach() -> None:
    for seed in range(5):
        for position in play(ENGINE, Options(), 2, seed).positions[:-1]:
            state: Any = position.state
            board = state.board
            assert all(NEW <= distance(board, seat) <= FAR for seat in (BLACK, WHITE))


def test_whoever_is_on_turn_and_holds_the_missing_card_has_as_good_as_won() -> None:
    heuristic = DualityHeuristic()
    ready, lacking = table(BOTH, ("D21", "D34")), table(BOTH, ("D34", "D21"))
    assert can_win(ready, BLACK)
    assert not can_win(lacking, BLACK)
    assert heuristic.values(ready) == pytest.approx([SURE, 1 - SURE])
    assert heuristic.value(lacking, BLACK) < SURE


def test_what_one_hopes_the_other_fears() -> None:
    heuristic = DualityHeuristic()
    for position in play(ENGINE, Options(5), 2, 1).positions:
        state = position.state
        both = [heuristic.value(state, seat) for seat in (BLACK, WHITE)]
        assert sum(both) == pytest.approx(1)
        assert heuristic.values(state) == pytest.approx(both)


def test_looking_changes_nothing() -> None:
    for position in play(ENGINE, Options(), 2, 2).positions[:-1:5]:
        before = position.state.contents()
        DualityHeuristic().values(position.state)
        assert position.state.contents() == before


@pytest.mark.parametrize("file", [3, 5, 7])
def test_greedy_beats_random(file: Any, games_count: Callable[[int, int], int]) -> None:
    contest = Contest("duality", "greedy", "random", 2, Options(file))
    assert contest.score(games_count(4, 200)).is_better


@pytest.mark.soak
@pytest.mark.parametrize("file", [3, 5, 7])
def test_mcts_beats_greedy(file: Any) -> None:
    assert Contest("duality", "mcts:1000", "greedy", 2, Options(file)).score(100).is_better
