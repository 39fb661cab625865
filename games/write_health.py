"""The health of database writes: whether those of this process succeed. No probe is ever
written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from django.db import InterfaceError, InternalError, OperationalError, connection
from django.db.backends.signals import connection_created

WRITE_ERRORS: Final = (OperationalError, InterfaceError, InternalError)  # no fault of the statement
WRITE_STATEMENTS: Final = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class WriteFailure:
    """A write that failed, and when, on the monotonic clock."""

    sentence: str
    at: float

    @property
    def age(self) -> float:
        """Seconds since the failure."""
        return monotonic() - self.at


class WriteHealth:
    """The last write of this process, if it failed."""

    def __init__(self) -> None:
        self.last_failure: WriteFailure | None = None

    def record_failure(self, problem: BaseException) -> None:
        """Record that a write failed."""
        sentence = str(problem).strip().partition("\n")[0]
        self.last_failure = WriteFailure(f"{type(problem).__name__}: {sentence}", monotonic())

    def record_success(self) -> None:
        """Record that a write was committed."""
        self.last_failure = None


write_health: Final = WriteHealth()


@contextmanager
def watch_write() -> Iterator[None]:
    """Watch a write that bypasses Django's cursors."""
    try:
        yield
    except WRITE_ERRORS as problem:
        write_health.record_failure(problem)
        raise
    if not connection.in_atomic_block:
        write_health.record_success()


def _watch_statement(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
) -> Any:
    """Wraps every statement of Django's cursors. In a transaction only its end is a success."""
    if not sql.lstrip()[:6].upper().startswith(WRITE_STATEMENTS):
        return execute(sql, params, many, context)
    try:
        result = execute(sql, params, many, context)
    except WRITE_ERRORS as problem:
        write_health.record_failure(problem)
        raise
    if not context["connection"].in_atomic_block:
        write_health.record_success()
    return result


def watch_connection(connection: Any, **_: Any) -> None:
    """Watch a new connection, if it is not watched yet."""
    if _watch_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_watch_statement)


connection_created.connect(watch_connection)
