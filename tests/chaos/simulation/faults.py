"""The faults of a simulation: a statement, a commit or a message that fails or kills its process,
before it has its effect or after."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import psycopg
import pytest
from django.db import connection

from tabularium_engines.common.random_generators import FastRng

T = TypeVar("T")

# of a new SQLite connection
CONNECTING: Final = ("PRAGMA", "select sqlite_compileoption_used")
NAME_LENGTH: Final = 100
SHORTEST_WAIT_BITS: Final = 3  # points from one fault to the next, at most 2 to the power of this …
WAIT_SIZES: Final = 6  # … or of one of the next numbers
VALUES: Final = re.compile(r"[%?][\w:]*|\d+")  # placeholders, and the numbers of savepoints


class Death(BaseException):
    """The death of the process that acts, which nothing can handle."""


class Point(NamedTuple):
    """A place at which something can fail: in which process, at what, and before it or after."""

    process: str
    name: str
    is_after: bool


class Fault(NamedTuple):
    """A failure, or a death, at a point."""

    point: Point
    is_deadly: bool

    def __str__(self) -> str:
        effect = "dies" if self.is_deadly else "fails"
        moment = "after" if self.point.is_after else "before"
        return f"{self.point.process} {effect} {moment} {self.point.name}"


class Plan:
    """Decides where something fails; this one lets everything succeed."""

    def fault_at(self, point: Point) -> Fault | None:
        """The fault at this point, if there is one."""
        return None

    def begin_step(self) -> None:
        """Another step begins."""


class ByChance(Plan):
    """Faults after a random number of points each."""

    def __init__(self, chance: FastRng) -> None:
        self._chance = chance
        self._points_left = self._wait()

    def _wait(self) -> int:
        bits = SHORTEST_WAIT_BITS + int(self._chance.below(WAIT_SIZES))
        return 1 + int(self._chance.below(1 << bits))

    def fault_at(self, point: Point) -> Fault | None:
        self._points_left -= 1
        if self._points_left:
            return None
        self._points_left = self._wait()
        return Fault(point, is_deadly=self._chance.below(2) == 0)


class OnceEach(Plan):
    """Every point fails and kills once, as soon as it is reached; most of one step wait for a later
    one, so that each fault meets a process that works."""

    def __init__(self) -> None:
        self.met: set[Fault] = set()
        self._is_free = True  # for a fault in this step

    def begin_step(self) -> None:
        self._is_free = True

    def fault_at(self, point: Point) -> Fault | None:
        for fault in (Fault(point, is_deadly=False), Fault(point, is_deadly=True)):
            if self._is_free and fault not in self.met:
                self._is_free = False
                self.met.add(fault)
                return fault
        return None


class Faults:
    """The faults of the process that acts; there are none while no process does."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.process = ""  # that acts
        self.has_died = False  # in this step
        self.made: list[Fault] = []

    def begin(self, process: str) -> None:
        """A step of this process begins."""
        self.process = process
        self.plan.begin_step()

    def around(self, name: str, run: Callable[[], T], error: Callable[[], Exception]) -> T:
        """Run it between two points. After a failure its effect is unknown."""
        self._pass(name, error, is_after=False)
        result = run()
        self._pass(name, error, is_after=True)
        return result

    def _pass(self, name: str, error: Callable[[], Exception], *, is_after: bool) -> None:
        if not self.process or name.startswith(CONNECTING):
            return
        if self.has_died:  # a handler or a `finally`, which a dead process does not run
            raise Death
        if (fault := self.plan.fault_at(Point(self.process, name, is_after))) is None:
            return
        self.made.append(fault)
        problem = error()
        self.has_died = fault.is_deadly
        raise Death if fault.is_deadly else problem


@cache
def statement_name(query: str) -> str:
    """The beginning of a statement, without its values."""
    return " ".join(VALUES.sub("", query).split())[:NAME_LENGTH]


# -- the connection to the database ----------------------------------------------------------------


@contextmanager
def watched_connections(faults: Faults) -> Iterator[None]:
    """Let the statements and commits of new connections be points, those too that Django's cursors
    do not see."""
    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "postgresql":
            _watch_psycopg(faults, patch)
        else:
            options = {**connection.settings_dict["OPTIONS"], "factory": _sqlite_factory(faults)}
            patch.setitem(connection.settings_dict, "OPTIONS", options)
        yield


def _watch_psycopg(faults: Faults, patch: pytest.MonkeyPatch) -> None:
    """A statement that fails finds the connection cut, and so does everything after it."""

    def watch(owner: Any, method: str, driver_of: Callable[[Any], Any]) -> None:
        original = getattr(owner, method)

        def watched(self: Any, *arguments: Any, **options: Any) -> Any:
            def cut() -> Exception:
                driver_of(self).close()
                return psycopg.OperationalError("the connection is lost")

            name = statement_name(arguments[0]) if arguments else method.upper()
            return faults.around(name, lambda: original(self, *arguments, **options), cut)

        patch.setattr(owner, method, watched)

    watch(psycopg.Cursor, "execute", lambda cursor: cursor.connection)
    watch(psycopg.Cursor, "executemany", lambda cursor: cursor.connection)
    watch(psycopg.Connection, "commit", lambda driver: driver)


def _roll_back(driver: sqlite3.Connection) -> Callable[[], Exception]:
    """A failure that ends the transaction, as of a disk with errors."""

    def fail() -> Exception:
        driver.rollback()
        return sqlite3.OperationalError("disk I/O error")

    return fail


@cache
def _watched_cursor(base: type[sqlite3.Cursor], faults: Faults) -> type[sqlite3.Cursor]:
    class WatchedCursor(base):  # type: ignore[valid-type,misc]  # it is a class
        def execute(self, query: str, *values: Any) -> Any:
            return self._watch(super().execute, query, values)

        def executemany(self, query: str, *values: Any) -> Any:
            return self._watch(super().executemany, query, values)

        def _watch(self, run: Callable[..., Any], query: str, values: Any) -> Any:
            fail = _roll_back(self.connection)
            return faults.around(statement_name(query), lambda: run(query, *values), fail)

    return WatchedCursor


def _sqlite_factory(faults: Faults) -> type[sqlite3.Connection]:
    class WatchedConnection(sqlite3.Connection):
        def cursor(self, factory: Any = sqlite3.Cursor) -> Any:
            return super().cursor(_watched_cursor(factory, faults))

        def execute(self, query: str, *values: Any) -> Any:
            return self.cursor().execute(query, *values)

        def commit(self) -> None:
            faults.around("COMMIT", super().commit, _roll_back(self))

    return WatchedConnection
