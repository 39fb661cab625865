"""Duality's heuristic: it sees how far each path is from completion, and who can win at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest

from ai.arena.contest import Contest
from tabularium_engines.duality import ENGINE
from tabularium_engines.duality.board import COLUMN_COUNT, NORTH_EDGE, SOUTH_EDGE, Board
from tabularium_engines.duality.cards import NO_TILE
from tabularium_engines.duality.game_options import Options
from tabularium_engines.duality.paths import OPEN_END, Reach, next_arrival
from tabularium_engines.heuristics.duality import (
    CERTAIN_WIN,
    CONNECTION_COST,
    NEW_CARD_COST,
    REPLACED_CARD_COST,
    UNREACHABLE_COST,
    DualityHeuristic,
    can_win,
    path_cost,
)
from tabularium_engines.promises.random_games import play
from tests.engines.duality.tables import BLACK, WHITE, connection_count, table

INSIDE = range(1, COLUMN_COUNT - 1)
BOTH = "D41 D18 D19*"  # with D21 in the middle, a path of each colour is complete


def test_a_single_card_that_is_missing_costs_what_replacing_it_does() -> None:
    state = table(BOTH)
    assert path_cost(state.board, BLACK) == REPLACED_CARD_COST + connection_count(state, 2)
    assert path_cost(state.board, WHITE) == REPLACED_CARD_COST + connection_count(state, 2)


def test_an_empty_place_costs_a_new_card() -> None:
    state = table("D01 D02 D03", extra_cards={(1, 1): "D12", (3, 1): "D39"})
    assert path_cost(state.board, BLACK) == NEW_CARD_COST


def test_every_distance_is_at_least_a_card_and_at_most_out_of_reach() -> None:
    for seed in range(5):
        for position in play(ENGINE, Options(), 2, seed).positions[:-1]:
            state: Any = position.state
            board = state.board
            assert all(
                NEW_CARD_COST <= path_cost(board, seat) <= UNREACHABLE_COST
                for seat in (BLACK, WHITE)
            )


def plain_distance(board: Board, seat: int) -> int:
    """`path_cost` by relaxation: costs of neighbouring places are updated until none falls."""
    reach, best = Reach(board, seat), UNREACHABLE_COST
    prices = {
        place: NEW_CARD_COST
        if board.tile(place) == NO_TILE
        else REPLACED_CARD_COST + CONNECTION_COST * board.connections_at(place)
        for place in (column << 3 | row for column in INSIDE for row in range(board.rows))
    }
    costs = {place: price for place, price in prices.items() if reach.ports_at(place)}
    open_ends = list(costs)
    while open_ends:
        place = open_ends.pop()
        for other in chain.from_iterable(line_ends(board, place, port, seat) for port in range(6)):
            if other == (NORTH_EDGE if seat == BLACK else SOUTH_EDGE):
                best = min(best, costs[place])
            elif costs[place] + prices.get(other, UNREACHABLE_COST) < costs.get(other, best):
                costs[other] = costs[place] + prices[other]
                open_ends.append(other)
    return best


def line_ends(board: Board, place: int, port: int, seat: int) -> Iterator[int]:
    """The places where a line out of a place arrives, and the edge if it arrives there."""
    arrival = board.arrival_beyond(place, port)
    while arrival >= 0 and arrival >> 3 != place:
        yield arrival >> 3
        arrival = next_arrival(board, arrival, seat)
    if arrival > OPEN_END:
        yield arrival


def test_the_cheapest_way_is_found_whatever_lies_on_the_table() -> None:
    for seed, options in enumerate((Options(3), Options(5), Options(7))):
        for position in play(ENGINE, options, 2, seed).positions[:-1:4]:
            state: Any = position.state
            for seat in (BLACK, WHITE):
                assert path_cost(state.board, seat) == plain_distance(state.board, seat)


def test_whoever_is_on_turn_and_holds_the_missing_card_has_as_good_as_won() -> None:
    heuristic = DualityHeuristic()
    ready, lacking = table(BOTH, ("D21", "D34")), table(BOTH, ("D34", "D21"))
    assert can_win(ready, BLACK)
    assert not can_win(lacking, BLACK)
    assert heuristic.values(ready) == pytest.approx([CERTAIN_WIN, 1 - CERTAIN_WIN])
    assert heuristic.value(lacking, BLACK) < CERTAIN_WIN


def test_what_one_hopes_the_other_fears() -> None:
    heuristic = DualityHeuristic()
    for position in play(ENGINE, Options(5), 2, 1).positions:
        state = position.state
        values = [heuristic.value(state, seat) for seat in (BLACK, WHITE)]
        assert sum(values) == pytest.approx(1)
        assert heuristic.values(state) == pytest.approx(values)


def test_looking_changes_nothing() -> None:
    for position in play(ENGINE, Options(), 2, 2).positions[:-1:5]:
        before = position.state.contents()
        DualityHeuristic().values(position.state)
        assert position.state.contents() == before


@pytest.mark.one_mode
@pytest.mark.parametrize("file", [3, 5, 7])
def test_greedy_beats_random(file: Any, games_count: Callable[[int, int], int]) -> None:
    contest = Contest("duality", "greedy", "random", 2, Options(file))
    assert contest.play_and_score(games_count(12, 200)).is_better


@pytest.mark.one_mode
@pytest.mark.soak
@pytest.mark.parametrize("file", [3, 5, 7])
def test_mcts_beats_greedy(file: Any) -> None:
    assert Contest("duality", "mcts:1000", "greedy", 2, Options(file)).play_and_score(100).is_better
