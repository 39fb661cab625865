"""Exponential backoff of the sweeper: work that fails repeatedly pauses, by name, and the pause
doubles with each failure, up to a limit. Also visits to many games, of which those
that fail pause and block no other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final, TypeVar

from django.db import Error
from django.db.models import QuerySet

from games import request_trace
from games.models import Game
from jobs.sweeper_hooks import sweep_progressed

logger = logging.getLogger(__name__)

T = TypeVar("T")

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 600.0
DATABASE_RETRY_SECONDS: Final = 5.0  # longest pause after a database error
MAX_REMEMBERED_NAMES: Final = 100_000


class Backoff:
    """Consecutive failures of each name, and when it is due again."""

    def __init__(self) -> None:
        self._failures: dict[str, tuple[int, float]] = {}

    def is_due(self, name: str) -> bool:
        """Whether the name may be tried now."""
        return self._failures.get(name, (0, 0.0))[1] <= monotonic()

    def record_failure(
        self, name: str, longest: float = LONGEST_PAUSE_SECONDS
    ) -> tuple[int, float]:
        """Count one more failure; the failures in a row, and the pause in seconds."""
        times = self._failures.get(name, (0, 0.0))[0] + 1
        pause = min(FIRST_PAUSE_SECONDS * 2.0 ** min(times - 1, 60), longest)
        if len(self._failures) < MAX_REMEMBERED_NAMES or name in self._failures:
            self._failures[name] = times, monotonic() + pause
        return times, pause

    def log_failure(
        self, name: str, problem: Exception, max_pause: float = LONGEST_PAUSE_SECONDS
    ) -> None:
        """Count a failure and log it, the first with its traceback, later ones in a line at growing
        intervals. After a database error the name is tried again soon."""
        if isinstance(problem, Error):
            max_pause = min(max_pause, DATABASE_RETRY_SECONDS)
        times, pause = self.record_failure(name, max_pause)
        message = "The sweeper failed at %s (%d times in a row) and tries again in %.0f s: %s: %s"
        trace = problem if times == 1 else None
        logger.error(message, name, times, pause, type(problem).__name__, problem, exc_info=trace)

    def record_success(self, name: str) -> None:
        """Forget the failures of the name."""
        self._failures.pop(name, None)

    def clear(self) -> None:
        """Forget all failures: every name may be tried at once."""
        self._failures.clear()


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
