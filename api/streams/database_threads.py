"""A thread pool for database reads from the event loop. Each thread has its own connection, so the
threads that serve requests do not wait for streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from typing import Final, TypeVar, TypeVarTuple, Unpack

import psycopg
from django.db import Error, close_old_connections

from games.models import Game

Ts = TypeVarTuple("Ts")
R = TypeVar("R")

STREAM_THREAD_POOL: Final = ThreadPoolExecutor(4, "streams")
# Worth a retry; other exceptions are not.
OUTAGE_EXCEPTIONS: Final = (Error, psycopg.Error, OSError)


async def run_in_thread(
    function: Callable[[Unpack[Ts]], R], *args: *Ts, pool: Executor = STREAM_THREAD_POOL
) -> R:
    """Run the function in a thread of the pool and return its result, without blocking the loop."""
    loop = asyncio.get_running_loop()
    context = copy_context()  # log lines of the thread keep the request's context
    return await loop.run_in_executor(
        pool, lambda: context.run(lambda: _call_with_connection(function, *args))
    )


def _call_with_connection(function: Callable[[Unpack[Ts]], R], *args: *Ts) -> R:
    close_old_connections()  # a broken connection is opened again
    return function(*args)


def log_heads_since(when: datetime) -> dict[str, int]:
    """The games that have grown since then, and the seq of their last entries."""
    grown = Game.objects.filter(phase__in=Game.Phase.values, at__gte=when)  # matches the index
    return dict(grown.values_list("pk", "seq"))
