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

from ai import pulses, sweeping
from games import figures

logger = logging.getLogger(__name__)

PAUSE: Final = 1.0  # seconds between two rounds
FORGET: Final = 3600  # rounds between two clearances


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
    except Exception:  # a sweeper that dies helps nobody
        logger.exception("A round of the sweeper fails")
    figures.counts.add(figures.ROUNDS)
    figures.counts.add(figures.ROUND_SECONDS, monotonic() - begun)
