"""A thread pool for database reads from the event loop. Each thread has its own connection, so the
threads that serve requests do not wait for streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from typing import Final, TypeVar, TypeVarTuple, Unpack

import psycopg
from django.db import Error, close_old_connections

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
