"""`manage.py sweep`: run the sweeper, every second a round for expired clocks and lost messages."""

from __future__ import annotations

import logging
import signal
from threading import Event
from time import monotonic
from types import FrameType
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser
from django.db import close_old_connections

from games import process_metrics
from jobs import heartbeats, sweeper, sweeper_hooks
from jobs.sweeper_backoff import Backoff

logger = logging.getLogger(__name__)

ROUND_PAUSE_SECONDS: Final = 1.0  # between two rounds
ROUNDS_PER_CLEANUP: Final = 3600  # about an hour
ROUND_BACKOFF_NAME: Final = "round"
MAX_LOG_PAUSE_SECONDS: Final = 60.0  # longest pause between log lines while rounds keep failing

round_backoff: Final = Backoff()  # of log lines only: failing rounds are still tried every second


class Command(BaseCommand):
    """`manage.py sweep`."""

    help = "Wake stalled bots and expire clocks until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="stop after one round")

    def handle(self, *_: Any, once: bool, **__: Any) -> None:
        """Run rounds until stopped; a failed one (the database is away) is logged, and the next
        follows."""
        stop_event = Event()

        def stop(number: int, frame: FrameType | None) -> None:
            stop_event.set()

        if not once:
            signal.signal(signal.SIGTERM, stop)
            signal.signal(signal.SIGINT, stop)
        rounds = 0
        while not stop_event.is_set():
            _run_round(rounds)
            rounds += 1
            if once:
                return
            stop_event.wait(ROUND_PAUSE_SECONDS)


def _run_round(number: int) -> None:
    started_at = monotonic()
    try:
        close_old_connections()
        heartbeats.beat(heartbeats.SWEEPER)
        sweeper.sweep()
        if number % ROUNDS_PER_CLEANUP == 0:
            sweeper.clean_up()
    except Exception as problem:  # noqa: BLE001  # the sweeper must outlive any failure
        sweeper_hooks.sweep_progressed.send_robust(None)  # it fails, but does not hang
        _log_failure(problem)
    else:
        round_backoff.record_success(ROUND_BACKOFF_NAME)
    process_metrics.metrics.increment(process_metrics.SWEEPER_ROUNDS)
    process_metrics.metrics.increment(
        process_metrics.SWEEPER_ROUND_SECONDS, monotonic() - started_at
    )


def _log_failure(problem: Exception) -> None:
    """Log a failed round. Rounds may fail every second, so the log lines grow rarer."""
    if round_backoff.is_due(ROUND_BACKOFF_NAME):
        times, pause = round_backoff.record_failure(ROUND_BACKOFF_NAME, MAX_LOG_PAUSE_SECONDS)
        message = (
            "A round of the sweeper failed; further failures are not logged for %.0f s: %s: %s"
        )
        trace = problem if times == 1 else None
        logger.error(message, pause, type(problem).__name__, problem, exc_info=trace)
