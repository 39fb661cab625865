"""What do Celery's workers do for the API? They announce what has happened, and deliver it.

A message names a game or a delivery and carries nothing else; lost or doubled, it does no harm.
"""

from __future__ import annotations

from celery import shared_task

from api.webhooks import delivery_attempts, delivery_builder
from api.webhooks.signal_receivers import ANNOUNCE_TASK, DELIVER_TASK, task_publisher
from games import tracing
from games.position_cache import UnknownGame


@shared_task(name=ANNOUNCE_TASK)  # type: ignore[untyped-decorator]
def announce(game: str) -> None:
    """Write down what is to be delivered, and have it delivered."""
    tracing.add_to_trace(game=game)
    try:
        names = delivery_builder.create_deliveries(game)
    except UnknownGame:  # of a database that is not there any more
        return
    for name in names:
        task_publisher.enqueue((DELIVER_TASK, name))


@shared_task(name=DELIVER_TASK)  # type: ignore[untyped-decorator]
def deliver(name: str) -> None:
    """Try a delivery."""
    delivery_attempts.attempt_delivery(name)
