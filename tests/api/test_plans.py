"""No request scans a table that grows: PostgreSQL tells its plan of every statement, with
sequential scans so dear that it plans one only where no index helps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any, Final

import pytest
from django.db import connection

from games import position_cache
from jobs import sweeper
from tests.api.calls import SPECS, call_of
from tests.api.test_matrix import caller_program
from tests.api.world import BASE, World
from tests.games.sitting import SLUG
from tests.support.databases import is_on_server

pytestmark = [
    pytest.mark.stores,
    pytest.mark.skipif(not is_on_server(), reason="SQLite calls bounded walks scans, too"),
]
SMALL: Final = {  # they have a row for each …
    "ai_pulse",  # process
    "api_figure",  # metric
    "api_tally",  # ruleset and phase, once the sweeper has summed them up
    "django_migrations",
    "games_ladder",  # ruleset
    "games_serverkey",
    "record_asked",  # witness
    "record_evidence",  # refused checkpoint: at most 100 of a kind and a log
}
PLANNED: Final = ("SELECT", "UPDATE", "DELETE", "WITH")
FILTERS: Final = {
    "rules": SLUG,
    "phase": "playing",
    "rated": "true",
    "open": "true",
    "imported": "true",
    "order": "recent",
    "account": "account_" + "0" * 32,
    "bot": "greedy",
    "since": "2026-11-27T09:30:00Z",
    "until": "2126-11-27T09:30:00Z",
    "my_turn": "true",
    "asked": "true",
    "challenged": "true",
}
NOT_OF_ALL: Final = {"my_turn", "asked", "challenged"}  # filters of one's own games alone
NOT_OF_ONES_OWN: Final = {"imported"}


class Watch:
    """Explains each statement before it is executed."""

    def __init__(self) -> None:
        self.scans: list[str] = []

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if sql.startswith(PLANNED) and not many:
            self.scans += [f"{table}: {sql}" for table in scanned_tables(sql, params)]
        return execute(sql, params, many, context)


def scanned_tables(sql: str, params: Any) -> set[str]:
    """The growing tables that a statement reads from end to end."""
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
        [plan] = cursor.fetchone()
        cursor.execute("SET enable_seqscan = on")
    [root] = json.loads(plan) if isinstance(plan, str) else plan
    return set(sequential_scans(root["Plan"])) - SMALL


def sequential_scans(plan: Any) -> Iterator[str]:
    """The tables with a sequential scan in a plan."""
    if plan["Node Type"] == "Seq Scan":
        yield plan["Relation Name"]
    for part in plan.get("Plans", ()):
        yield from sequential_scans(part)


@contextmanager
def watched() -> Iterator[None]:
    """In the block, statements are sent, and none of them may scan a table."""
    watch = Watch()
    with connection.execute_wrapper(watch):
        yield
    assert not watch.scans


@pytest.mark.parametrize("operation", sorted(SPECS))
def test_no_operation(world: World, operation: str) -> None:
    call = call_of(world, operation)
    position_cache.cache.clear()
    with watched():
        assert call.send(caller_program(world, call)).status_code == call.spec.status


@pytest.mark.parametrize(
    ("path", "filters"),
    [("/games", FILTERS.keys() - NOT_OF_ALL), ("/me/games", FILTERS.keys() - NOT_OF_ONES_OWN)],
)
def test_no_list_however_it_is_filtered(world: World, path: str, filters: set[str]) -> None:
    for _ in range(2):
        world.playing()
    with watched():
        for pair in combinations(sorted(filters), 2):
            query = {name: FILTERS[name] for name in pair} | {"limit": "1"}
            page = world.as_ada.get(BASE + path, query)
            assert page.status_code == 200, query
            if cursor := page.json()["next_cursor"]:
                assert world.as_ada.get(BASE + path, query | {"cursor": cursor}).status_code == 200


def test_no_round_of_the_sweeper(world: World) -> None:
    world.playing()
    with watched():
        sweeper.sweep()
        sweeper.clean_up()
