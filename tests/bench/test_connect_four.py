"""Our Connect Four, compiled too, has the same rules as a naive grid and OpenSpiel's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bench import compiled_tree
from bench.connect_four import ConnectFour
from bench.search_positions import CONNECT_FOUR_OPENINGS
from tabularium_engines.common.bits import lowest
from tabularium_engines.common.random_generators import FastRng

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Grid:
    """The same game, written naively: a list of stones per column."""

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(7)]

    def open(self) -> list[int]:
        return [column for column, stones in enumerate(self.columns) if len(stones) < 6]

    def drop(self, column: int, seat: int) -> bool:
        """Drop a stone; whether it makes a line of four."""
        self.columns[column].append(seat)
        place = (column, len(self.columns[column]) - 1)
        return any(
            1 + sum(self.run(place, step, direction, seat) for direction in (1, -1)) >= 4
            for step in STEPS
        )

    def run(self, place: tuple[int, int], step: tuple[int, int], direction: int, seat: int) -> int:
        """The number of the seat's stones that follow in a direction."""
        column, row = place[0] + direction * step[0], place[1] + direction * step[1]
        if not 0 <= column < 7 or not 0 <= row < len(self.columns[column]):
            return 0
        if self.columns[column][row] != seat:
            return 0
        return 1 + self.run((column, row), step, direction, seat)


def drops_of(seed: int) -> Iterator[tuple[ConnectFour, int, int]]:
    """The decisions of a random game, each before it is applied."""
    rng = FastRng(seed)
    state = ConnectFour()
    while state.to_act != 0:
        seat = lowest(state.to_act)
        column = state.random_action(seat, rng)
        yield state, seat, column
        state.apply(seat, column, rng)


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_agrees_with_a_grid(start: int) -> None:
    for seed in range(start, start + 100):
        grid = Grid()
        won = False
        for state, seat, column in drops_of(seed):
            assert not won
            assert state.legal_actions(seat) == grid.open()
            assert state.legal_actions(1 - seat) == []
            won = grid.drop(column, seat)
        assert state.to_act == 0
        assert state.returns() == ([1.0 - seat, float(seat)] if won else [0.5, 0.5])


def test_agrees_with_openspiel(games_count: Callable[[int, int], int]) -> None:
    pytest.importorskip("pyspiel")
    from bench.openspiel_duel import rules_agree

    assert all(rules_agree(ConnectFour(), FastRng(seed)) for seed in range(games_count(300, 5000)))


@pytest.mark.soak
def test_agrees_with_openspiel_compiled() -> None:
    pytest.importorskip("pyspiel")
    compiled_tree.build_tree()
    with compiled_tree.Worker("tabularium_contestant") as worker:
        assert worker.ask("agreement", 5000) == [5000]


def test_a_clone_is_equal_and_independent() -> None:
    for state, seat, column in drops_of(3):
        copy, before = state.clone(), state.contents()
        assert copy.contents() == before
        copy.apply(seat, column, FastRng(0))
        assert state.contents() == before != copy.contents()


def test_random_actions_are_uniform() -> None:
    state = ConnectFour()
    for _ in range(6):
        state.apply(lowest(state.to_act), 3, FastRng(0))
    rng = FastRng(1)
    drawn_actions = [state.random_action(0, rng) for _ in range(6000)]
    counts = [drawn_actions.count(column) for column in range(7)]
    assert counts[3] == 0
    assert all(850 < count < 1150 for column, count in enumerate(counts) if column != 3)


@pytest.mark.parametrize("drops", CONNECT_FOUR_OPENINGS)
def test_openings_are_unfinished(drops: str) -> None:
    state = ConnectFour()
    for drop in drops:
        seat = lowest(state.to_act)
        assert int(drop) in state.legal_actions(seat)
        state.apply(seat, int(drop), FastRng(0))
    assert state.to_act != 0
