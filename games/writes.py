"""Do writes reach the database? What this process has seen of those it really made; none is made to
find out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from django.db import InterfaceError, InternalError, OperationalError, connection
from django.db.backends.signals import connection_created

FAILURES: Final = (OperationalError, InterfaceError, InternalError)  # no fault of the statement
WRITES: Final = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Failure:
    """A write that failed, and when, on the monotonic clock."""

    sentence: str
    at: float

    @property
    def age(self) -> float:
        """How many seconds ago it was."""
        return monotonic() - self.at


class Writes:
    """The last write of this process, if it failed."""

    def __init__(self) -> None:
        self.failure: Failure | None = None

    def fail(self, problem: BaseException) -> None:
        """One has failed."""
        said = str(problem).strip().partition("\n")[0]
        self.failure = Failure(f"{type(problem).__name__}: {said}", monotonic())

    def succeed(self) -> None:
        """One is kept."""
        self.failure = None


writes: Final = Writes()


@contextmanager
def watched() -> Iterator[None]:
    """A write that goes around Django's cursors."""
    try:
        yield
    except FAILURES as problem:
        writes.fail(problem)
        raise
    if not connection.in_atomic_block:
        writes.succeed()


def _watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Around every statement of Django's cursors. In a transaction only its end is a success."""
    if not sql.lstrip()[:6].upper().startswith(WRITES):
        return execute(sql, params, many, context)
    try:
        result = execute(sql, params, many, context)
    except FAILURES as problem:
        writes.fail(problem)
        raise
    if not context["connection"].in_atomic_block:
        writes.succeed()
    return result


def watch(connection: Any, **_: Any) -> None:
    """Watch a connection that was just made, if it is not watched yet."""
    if _watch not in connection.execute_wrappers:
        connection.execute_wrappers.append(_watch)


connection_created.connect(watch)
