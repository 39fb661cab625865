"""The time of each request, and of the server's own rounds, on the store as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from statistics import median
from time import perf_counter
from typing import Any, Final, TypeAlias

from django.test import Client

from games import position_cache
from games.models import Account
from games.ratings import rating_fold
from jobs import sweeper
from tests.api.calls import SPECS, call_of
from tests.api.program import Program, program_of
from tests.api.test_plans import FILTERS, NOT_OF_ALL, NOT_OF_ONES_OWN
from tests.api.world import BASE, World
from tests.games.sitting import SLUG

Seconds: TypeAlias = float
Measure: TypeAlias = Callable[[int], list[Seconds]]  # the times of so many calls
ENDLESS: Final = {"stream_me", "stream_games"}  # they end with their client


foreign_numbers: Final = count(1000)  # of games that no server has imported yet


class NewWorld(World):
    """Accounts and games of which the store has none yet."""

    def foreign(self, number: int = 0) -> bytes:
        """The export of another server's game."""
        return super().foreign(next(foreign_numbers))


class PlainProgram(Program):
    """A program that checks no response, as the time of the check is not the server's."""

    def request(self, **request: Any) -> Any:
        """Send a request."""
        return Client.request(self, **request)


@dataclass(frozen=True)
class Comparison:
    """The medians of one kind of call on both stores."""

    name: str
    empty: Seconds
    filled: Seconds

    @property
    def is_good(self) -> bool:
        """Whether the size of the store is not felt."""
        return self.filled <= max(1.5 * self.empty, self.empty + 0.002)


def kinds_of_calls(busy: Account) -> dict[str, Measure]:
    """How each kind of call is measured, by its name."""
    kinds: dict[str, Measure] = {
        operation: partial(operation_times, operation)
        for operation in sorted(SPECS.keys() - ENDLESS)
    }
    for name, path, query in list_queries(busy):
        kinds[name] = partial(list_times, path, query, busy)
    kinds["the sweeper's round"] = partial(round_times, sweeper.sweep)
    kinds["the sweeper's house-keeping"] = partial(round_times, sweeper.clean_up)
    kinds["a round of ratings"] = partial(round_times, lambda: rating_fold.count_games(SLUG))
    return kinds


def medians_of(kinds: Mapping[str, Measure], calls: int) -> dict[str, Seconds]:
    """The median of each kind of call, which is made so many times, after one that counts for
    nothing."""
    return {name: median(measure(calls + 1)[1:]) for name, measure in kinds.items()}


def operation_times(operation: str, calls: int) -> list[Seconds]:
    """The times of an operation, each with accounts and games of its own. Reads find no position
    in memory."""
    times: list[Seconds] = []
    while len(times) < calls:
        world = NewWorld()
        call = call_of(world, operation)
        program = PlainProgram(getattr(world, f"as_{call.spec.by}").secret)
        if call.method == "GET":
            position_cache.cache.clear()
        started_at = perf_counter()
        response = call.send(program)
        if response.streaming and not response.is_async:
            b"".join(response)
        times.append(perf_counter() - started_at)
        assert response.status_code == call.spec.status, (operation, response.content)
    return times


def list_queries(busy: Account) -> list[tuple[str, str, dict[str, str]]]:
    """Lists by each of their filters, and those of the account with the most games."""
    queries = [
        (f"{path}?{name}", path, {name: FILTERS[name]})
        for path, names in (
            ("/games", FILTERS.keys() - NOT_OF_ALL),
            ("/me/games", FILTERS.keys() - NOT_OF_ONES_OWN),
        )
        for name in sorted(names)
    ]
    return [
        *queries,
        ("/games of the busiest", "/games", {"account": busy.pk}),
        ("/me/games of the busiest", "/me/games", {}),
        ("the account of the busiest", f"/accounts/{busy.pk}", {}),
        ("the export of the busiest", "/me/export", {}),
    ]


def list_times(path: str, query: dict[str, str], account: Account, calls: int) -> list[Seconds]:
    """The times of a list for this account."""
    program = PlainProgram(program_of(account).secret)

    def ask() -> None:
        response = program.get(BASE + path, query)
        assert response.status_code == 200, (path, query, response.status_code)

    return [timed(ask) for _ in range(calls)]


def round_times(run: Callable[[], object], calls: int) -> list[Seconds]:
    """The times of a round for which nothing is due."""
    run()
    return [timed(run) for _ in range(calls)]


def timed(run: Callable[[], object]) -> Seconds:
    """How long it takes."""
    started_at = perf_counter()
    run()
    return perf_counter() - started_at
