"""Celery tasks of the API: `announce` creates the webhook deliveries of new entries, `deliver`
attempts one, and `draw_replay` draws a replay.

A message carries only the id of its subject; a lost or duplicated one does no harm.
"""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task

from api.replays import replay_drawing
from api.replays.replay_dispatch import DRAW_TASK
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


@shared_task(bind=True, name=DRAW_TASK)  # type: ignore[untyped-decorator]
def draw_replay(task: Task[Any, Any], name: str) -> None:
    """Draw a replay; a message that is delivered again shows that the worker before is dead."""
    replay_drawing.draw_replay(name, again=bool(task.request.delivery_info.get("redelivered")))
