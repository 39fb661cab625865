"""Celery tasks of the API, for webhooks: `announce` creates the deliveries of new entries,
`deliver` attempts one.

A message carries only the id of a game or a delivery; a lost or duplicated one does no harm.
"""

from __future__ import annotations

from celery import shared_task

from api.webhooks import delivery_attempts, delivery_builder
from api.webhooks.webhook_dispatch import ANNOUNCE_TASK, DELIVER_TASK, enqueue_delivery
from games import request_trace
from games.position_cache import UnknownGame


@shared_task(name=ANNOUNCE_TASK)  # type: ignore[untyped-decorator]
def announce(game: str) -> None:
    """Create the deliveries for a game's new entries, and enqueue them."""
    request_trace.add_to_trace(game=game)
    try:
        names = delivery_builder.create_deliveries(game)
    except UnknownGame:  # of a database that no longer exists
        return
    for name in names:
        enqueue_delivery(name)


@shared_task(name=DELIVER_TASK)  # type: ignore[untyped-decorator]
def deliver(name: str) -> None:
    """Attempt a delivery."""
    delivery_attempts.attempt_delivery(name)
