"""Conformance: every engine keeps the thirteen promises tested here, at every seat count and in
every variant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.registry import ENGINES
from tests.engines.promises import PROMISES
from tests.engines.variants import Table, tables

TABLES = [table for engine in ENGINES.values() for table in tables(engine)]

Keeps = Callable[[int], None]


@pytest.fixture(scope="module", params=TABLES, ids=str)
def table(request: pytest.FixtureRequest) -> Table:
    """A game about to begin; all promises are checked on one before the next is set up."""
    found: Table = request.param
    return found


@pytest.fixture
def keeps(table: Table, games_count: Callable[[int, int], int]) -> Keeps:
    """`keeps(n)`: promise n is checked on a few games at this table."""

    def check(number: int) -> None:
        for seed in range(games_count(2, 4)):
            sample = games_count(5, 20)
            PROMISES[number](table.engine, table.options, table.seats, seed, sample)

    return check


def test_1_until_the_end_every_awaited_seat_has_a_legal_action(keeps: Keeps) -> None:
    keeps(1)


def test_2_legal_actions_are_distinct_and_go_through_json(keeps: Keeps) -> None:
    keeps(2)


def test_3_applying_a_legal_action_never_raises(keeps: Keeps) -> None:
    keeps(3)


def test_4_anything_else_is_refused_and_changes_nothing(keeps: Keeps) -> None:
    keeps(4)


def test_5_random_play_ends_within_the_bound(keeps: Keeps) -> None:
    keeps(5)


def test_6_a_clone_is_equal_and_independent(keeps: Keeps) -> None:
    keeps(6)


def test_7_a_log_is_the_game_again_and_a_spoilt_one_is_not(keeps: Keeps) -> None:
    keeps(7)


def test_8_no_card_appears_or_vanishes(keeps: Keeps) -> None:
    keeps(8)


def test_9_an_imagined_world_looks_exactly_like_its_view(keeps: Keeps) -> None:
    keeps(9)


def test_10_no_world_is_nearer_the_truth_than_chance(keeps: Keeps) -> None:
    keeps(10)


def test_11_what_a_seat_cannot_know_does_not_show(keeps: Keeps) -> None:
    keeps(11)


def test_12_every_view_has_a_text_and_a_picture(keeps: Keeps) -> None:
    keeps(12)


def test_14_the_log_tells_nobody_more_than_the_table_does(keeps: Keeps) -> None:
    keeps(14)
