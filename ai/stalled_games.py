"""Log lines about games that wait too long for a bot, so that an operator sees which they are."""

from __future__ import annotations

import logging
from time import monotonic
from typing import Any, Final

from django.dispatch import receiver
from django.utils import timezone

from ai import clock_budget
from games import selectors
from jobs.sweeper_hooks import sweep_finished

logger = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 60.0  # between two lines
MOST_NAMED: Final = 5


class Report:
    """Names the oldest stalled games now and then; first when those that an earlier server left
    have had the time to go on."""

    def __init__(self) -> None:
        self._due_at = monotonic() + clock_budget.STALLED_AFTER.total_seconds()

    def log_if_due(self) -> None:
        """Look at intervals, and log the games that are stalled."""
        if monotonic() < self._due_at:
            return
        self._due_at = monotonic() + PAUSE_SECONDS
        limit = clock_budget.STALLED_AFTER
        stalled = selectors.games_stalled(timezone.now(), limit).values_list("pk", flat=True)
        if names := list(stalled[:MOST_NAMED]):
            template = "%s games have waited for a bot for more than %.0f s, the longest: %s"
            seconds = limit.total_seconds()
            logger.warning(template, stalled.count(), seconds, ", ".join(names))


report: Final = Report()


@receiver(sweep_finished)
def log_stalled_games(**_: Any) -> None:
    """Report after a round of the sweeper."""
    report.log_if_due()
