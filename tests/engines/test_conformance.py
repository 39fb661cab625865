"""Conformance: every engine keeps the seventeen promises tested here, at every seat count and in
every variant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tabularium_engines.installed.registry import RULESETS
from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.variants import Table, tables

TABLES = [table for engine in RULESETS.values() for table in tables(engine)]
NEWEST = {table.engine.about.slug: table for table in TABLES}.values()  # one of each game
CASES = [
    table if table in NEWEST else pytest.param(table, marks=pytest.mark.lane("conformance"))
    for table in TABLES
]

pytestmark = pytest.mark.one_mode  # promise 13 proves at all tables that the other mode is equal

CheckPromise = Callable[[int], None]


@pytest.fixture(scope="module", params=CASES, ids=str)
def table(request: pytest.FixtureRequest) -> Table:
    """A game about to begin; all promises are checked at one table before the next."""
    parameter: Table = request.param
    return parameter


@pytest.fixture
def seeds(table: Table, games_count: Callable[[int, int], int]) -> Sequence[int]:
    """The seeds of the games at this table: of the two short ones, an unbiased or a biased game,
    from table to table in turn."""
    count = games_count(1, 4)
    return range(count) if count > 1 else [TABLES.index(table) % 2]


@pytest.fixture
def check_promise(
    table: Table, seeds: Sequence[int], games_count: Callable[[int, int], int]
) -> CheckPromise:
    """`check_promise(n)` checks promise n on a few games at this table."""

    def check(number: int) -> None:
        for seed in seeds:
            sample = games_count(5, 20)
            PROMISES[number](table.engine, table.options, table.seats, seed, sample)

    return check


def test_1_until_the_end_every_awaited_seat_has_a_legal_action(check_promise: CheckPromise) -> None:
    check_promise(1)


def test_2_legal_actions_are_distinct_and_go_through_json(check_promise: CheckPromise) -> None:
    check_promise(2)


def test_3_applying_a_legal_action_never_raises(check_promise: CheckPromise) -> None:
    check_promise(3)


def test_4_anything_else_is_refused_and_changes_nothing(check_promise: CheckPromise) -> None:
    check_promise(4)


def test_5_random_play_ends_within_the_bound(check_promise: CheckPromise) -> None:
    check_promise(5)


def test_6_a_clone_is_equal_and_independent(check_promise: CheckPromise) -> None:
    check_promise(6)


def test_7_a_log_replays_to_its_game_unless_it_is_altered(
    check_promise: CheckPromise,
) -> None:
    check_promise(7)


def test_8_no_card_appears_or_vanishes(check_promise: CheckPromise) -> None:
    check_promise(8)


def test_9_an_imagined_world_has_the_same_view(check_promise: CheckPromise) -> None:
    check_promise(9)


def test_10_no_world_is_nearer_the_truth_than_by_chance(check_promise: CheckPromise) -> None:
    check_promise(10)


def test_11_hidden_information_does_not_show(check_promise: CheckPromise) -> None:
    check_promise(11)


def test_12_every_view_has_a_text_and_a_picture(check_promise: CheckPromise) -> None:
    check_promise(12)


def test_14_a_log_reveals_no_more_than_the_table(check_promise: CheckPromise) -> None:
    check_promise(14)


def test_15_foretold_consequences_come_true(check_promise: CheckPromise) -> None:
    check_promise(15)


def test_16_news_have_their_formats(check_promise: CheckPromise) -> None:
    check_promise(16)


def test_17_things_in_pictures_lead_to_every_offer(check_promise: CheckPromise) -> None:
    check_promise(17)
