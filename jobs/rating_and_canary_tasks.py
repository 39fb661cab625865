"""The two Celery tasks of background work: `rate` counts finished games for the ratings, `canary`
proves that a worker takes tasks.

A lost or duplicate message does no harm: the sweeper finds uncounted games.
"""

from __future__ import annotations

from time import monotonic
from typing import Final

from celery import shared_task

from games.ratings import rating_fold
from jobs import heartbeats, rating_dispatch
from jobs.rating_dispatch import RATE_TASK_NAME, RatingMessage

TURN_SECONDS: Final = 5.0  # seconds for which one task counts games; a batch is finished
CANARY_TASK_NAME: Final = "jobs.tasks.canary"  # stays: messages may be queued during an upgrade


@shared_task(name=RATE_TASK_NAME)  # type: ignore[untyped-decorator]
def rate(rules: str, thoroughly: bool) -> int:
    """Count the rated games of these rules that have not been counted, for a short time: the rest
    waits until the other rulesets have had their turn."""
    total, end = 0, monotonic() + TURN_SECONDS
    while count := rating_fold.count_batch(rules, thoroughly=thoroughly):
        total += count
        if monotonic() >= end:
            rating_dispatch.outbox.enqueue(RatingMessage(rules, thoroughly))
            break
    return total


@shared_task(name=CANARY_TASK_NAME)  # type: ignore[untyped-decorator]
def canary(kind: str, node: str) -> None:
    """Record a heartbeat: this worker takes messages from its queue."""
    heartbeats.beat(kind, node)
