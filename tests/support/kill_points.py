"""Points of a process at which it kills itself: before each statement, and beside each commit."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeAlias

from django.db import connections

Wrapped: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


@contextmanager
def killed_at(last: int) -> Iterator[Wrapped]:
    """Kill this process at the point of that number, unless there are fewer. The value puts a point
    before and behind every call of a function."""
    points = count(1)

    def pass_point() -> None:
        if next(points) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def execute(run: Callable[..., Any], *values: Any) -> Any:
        pass_point()
        return run(*values)

    def between_points(run: Callable[..., Any]) -> Callable[..., Any]:
        def passing(*values: Any) -> Any:
            pass_point()
            result = run(*values)
            pass_point()
            return result

        return passing

    connection: Any = connections["default"]
    connection._commit = between_points(connection._commit)
    with connection.execute_wrapper(execute):
        yield between_points
