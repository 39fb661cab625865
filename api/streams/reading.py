"""How does the event loop read the database? In a few threads of their own, each with a connection
of its own; the threads of the requests do not wait for streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from typing import Any, Final, ParamSpec, TypeVar

from django.db import close_old_connections

from games.models import Game, Player

P = ParamSpec("P")
R = TypeVar("R")

THREADS: Final = ThreadPoolExecutor(4, "streams")


async def in_a_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What the function returns, without keeping the loop."""
    loop = asyncio.get_running_loop()
    context = copy_context()  # what is logged there is about the same request
    return await loop.run_in_executor(
        THREADS, lambda: context.run(lambda: _connected(function, *args, **kwargs))
    )


def _connected(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    close_old_connections()  # one that broke is opened again
    return function(*args, **kwargs)


def heads_since(when: datetime) -> dict[str, int]:
    """The games that have grown since then, and the seq of their last entries."""
    grown = Game.objects.filter(phase__in=Game.Phase.values, at__gte=when)  # as the index is
    return dict(grown.values_list("pk", "seq"))


def players_of(games: Collection[str]) -> list[tuple[Any, str]]:
    """The accounts that play these games, each with its game."""
    players = Player.objects.filter(game__in=games, bot="", account__isnull=False)
    return list(players.values_list("account", "game").distinct())
