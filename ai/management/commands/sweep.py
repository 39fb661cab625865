"""The sweeper: looks every second for clocks that ran out and bots that were never woken."""

from __future__ import annotations

import logging
import signal
from threading import Event
from time import monotonic
from types import FrameType
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser
from django.db import close_old_connections

from ai import pulses, signals, sweeping
from ai.backoff import Backoff
from games import figures

logger = logging.getLogger(__name__)

PAUSE: Final = 1.0  # seconds between two rounds
FORGET: Final = 3600  # rounds between two clearances
ROUND: Final = "round"
LONGEST: Final = 60.0  # seconds without a line of rounds that go on failing

rounds: Final = Backoff()  # in telling; they are tried every second


class Command(BaseCommand):
    """`manage.py sweep`."""

    help = "Wake stalled bots and expire clocks, until it is told to stop."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="one round, then stop")

    def handle(self, *_: Any, once: bool, **__: Any) -> None:
        """Sweep; a round that fails (the database is away) is logged, and the next one comes."""
        stopped = Event()

        def stop(number: int, frame: FrameType | None) -> None:
            stopped.set()

        if not once:
            signal.signal(signal.SIGTERM, stop)
            signal.signal(signal.SIGINT, stop)
        rounds = 0
        while not stopped.is_set():
            _round(rounds)
            rounds += 1
            if once:
                return
            stopped.wait(PAUSE)


def _round(number: int) -> None:
    begun = monotonic()
    try:
        close_old_connections()
        pulses.beat(pulses.SWEEPER)
        sweeping.sweep()
        if number % FORGET == 0:
            sweeping.forget()
    except Exception as problem:  # noqa: BLE001  # a sweeper that dies helps nobody
        signals.sweeping.send_robust(None)  # it fails, but it does not hang
        _tell_failure(problem)
    else:
        rounds.succeed(ROUND)
    figures.counts.add(figures.ROUNDS)
    figures.counts.add(figures.ROUND_SECONDS, monotonic() - begun)


def _tell_failure(problem: Exception) -> None:
    """Each second a round may fail: that is told ever less often."""
    if rounds.is_due(ROUND):
        times, pause = rounds.fail(ROUND, LONGEST)
        told = "A round of the sweeper fails; the next %.0f s of that are not told: %s: %s"
        trace = problem if times == 1 else None
        logger.error(told, pause, type(problem).__name__, problem, exc_info=trace)
