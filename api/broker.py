"""A connection to the broker for health checks and metrics, with short timeouts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from celery import current_app

BROKER_TIMEOUT_SECONDS: Final = 2.0


@contextmanager
def broker_connection() -> Iterator[Any]:
    """A connection that answers; the exception raised otherwise depends on the broker."""
    with current_app.connection_for_write(connect_timeout=BROKER_TIMEOUT_SECONDS) as broker:
        broker.ensure_connection(max_retries=1, timeout=BROKER_TIMEOUT_SECONDS)
        yield broker
