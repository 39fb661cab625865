"""How does the event loop read the database? In a few threads of their own, each with a connection
of its own; the threads of the requests do not wait for streams."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from math import inf
from time import monotonic
from typing import Final, TypeVar, TypeVarTuple, Unpack

from django.db import close_old_connections

from games.models import Game

Ts = TypeVarTuple("Ts")
R = TypeVar("R")

THREADS: Final = ThreadPoolExecutor(4, "streams")


async def in_a_thread(
    function: Callable[[Unpack[Ts]], R], *args: *Ts, pool: Executor = THREADS
) -> R:
    """What the function returns, without keeping the loop."""
    loop = asyncio.get_running_loop()
    context = copy_context()  # what is logged there is about the same request
    return await loop.run_in_executor(
        pool, lambda: context.run(lambda: _connected(function, *args))
    )


def _connected(function: Callable[[Unpack[Ts]], R], *args: *Ts) -> R:
    close_old_connections()  # one that broke is opened again
    return function(*args)


class Complaints:
    """What goes wrong for many at once is said once a second, with how often it was not said."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)
        self._next = -inf
        self._unsaid = 0

    def warn(self, text: str, problem: BaseException) -> None:
        """Say it, if nothing was said in the last second."""
        if monotonic() < self._next:
            self._unsaid += 1
            return
        unsaid = f" (and {self._unsaid} more)" if self._unsaid else ""
        self._logger.warning(text + "%s", problem, unsaid)
        self._next, self._unsaid = monotonic() + 1.0, 0


def heads_since(when: datetime) -> dict[str, int]:
    """The games that have grown since then, and the seq of their last entries."""
    grown = Game.objects.filter(phase__in=Game.Phase.values, at__gte=when)  # as the index is
    return dict(grown.values_list("pk", "seq"))
