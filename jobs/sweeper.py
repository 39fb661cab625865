"""The sweeper, the periodic round of background work: clocks that ran out expire, every outbox
sends its lost messages again, and old rows are deleted."""

from __future__ import annotations

import logging
from datetime import timedelta
from time import monotonic
from typing import Any, Final

from django.db import Error
from django.utils import timezone

from games import services
from jobs import clock_expiry, heartbeats, sweeper_backoff, sweeper_hooks
from jobs.background_publisher import Outbox, registered_outboxes
from jobs.sweeper_backoff import Backoff

logger = logging.getLogger(__name__)

REQUESTS_KEPT_FOR: Final = timedelta(days=2)  # idempotency keys
MAX_OUTBOX_PAUSE_SECONDS: Final = 60.0  # until an outbox that failed is asked again
SLOW_ROUND_SECONDS: Final = 10.0  # a longer round is logged

failing_outboxes: Final = Backoff()


def sweep() -> int:
    """Do everything that is due; returns the number of expired clocks and of lost messages."""
    started_at = monotonic()
    sweeper_hooks.sweep_progressed.send_robust(None)
    count = clock_expiry.expire_clocks() + sum(map(resend_lost, registered_outboxes()))
    sweeper_hooks.sweep_finished.send_robust(None)
    if (seconds := monotonic() - started_at) > SLOW_ROUND_SECONDS:
        logger.warning("A round of the sweeper took %.0f seconds", seconds)
    return count


def resend_lost(outbox: Outbox[Any]) -> int:
    """Let an outbox send its lost messages again; returns their number. If it fails, it pauses, and
    the others follow; but a database error ends the round."""
    name = f"the outbox of {outbox.name}"
    if not failing_outboxes.is_due(name):
        return 0
    try:
        count = _enqueue_lost(outbox)
    except Error:
        failing_outboxes.record_failure(name, sweeper_backoff.DATABASE_RETRY_SECONDS)
        raise
    except Exception as problem:  # noqa: BLE001  # logged; the next outbox follows
        failing_outboxes.log_failure(name, problem, MAX_OUTBOX_PAUSE_SECONDS)
        return 0
    failing_outboxes.record_success(name)
    return count


def _enqueue_lost(outbox: Outbox[Any]) -> int:
    count = 0
    for message in outbox.find_lost():
        outbox.enqueue(message)
        count += 1
    return count


def clean_up() -> None:
    """Delete expired rows, here and in the other apps."""
    sweeper_hooks.cleanup_due.send_robust(None)
    heartbeats.delete_old_heartbeats()
    services.delete_requests(timezone.now() - REQUESTS_KEPT_FOR)
