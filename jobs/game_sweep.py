"""The sweep over games: applies a function to many games, one at a time, so that a game that fails
blocks no other and pauses before it is tried again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from django.db.models import QuerySet

from games import request_trace
from games.models import Game
from jobs.backoff import Backoff
from jobs.sweeper_signals import sweep_progressed

T = TypeVar("T")

failing_games: Final = Backoff()


def visit_games(games: QuerySet[Game], visit: Callable[[str], T]) -> Iterator[T]:
    """Apply `visit` to every game, except those that pause after a failure; its results, each while
    the trace is that of its game."""
    for game in games.values_list("pk", flat=True):
        if failing_games.is_due(game):
            sweep_progressed.send_robust(None)
            with request_trace.use_trace({request_trace.GAME_FIELD: game}):
                yield from _try_game(visit, game)


def _try_game(visit: Callable[[str], T], game: str) -> Iterator[T]:
    """The result for a game; none if it fails."""
    try:
        result = visit(game)
    except Exception as problem:  # noqa: BLE001  # logged; the next game follows
        failing_games.log_failure(game, problem)
        return
    failing_games.record_success(game)
    yield result
