"""How does the event loop read the database? In a few threads of their own, each with a connection
of its own; the threads of the requests do not wait for streams."""

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
# After one of these the same page may be read again.
OUTAGE_EXCEPTIONS: Final = (Error, psycopg.Error, OSError)


async def run_in_thread(
    function: Callable[[Unpack[Ts]], R], *args: *Ts, pool: Executor = STREAM_THREAD_POOL
) -> R:
    """What the function returns, without keeping the loop."""
    loop = asyncio.get_running_loop()
    context = copy_context()  # what is logged there is about the same request
    return await loop.run_in_executor(
        pool, lambda: context.run(lambda: _call_with_connection(function, *args))
    )


def _call_with_connection(function: Callable[[Unpack[Ts]], R], *args: *Ts) -> R:
    close_old_connections()  # one that broke is opened again
    return function(*args)


def log_heads_since(when: datetime) -> dict[str, int]:
    """The games that have grown since then, and the seq of their last entries."""
    grown = Game.objects.filter(phase__in=Game.Phase.values, at__gte=when)  # as the index is
    return dict(grown.values_list("pk", "seq"))
