"""The two Celery tasks of background work: `rate` counts finished games for the ratings, `canary`
proves that a worker takes tasks.

A lost or duplicate message does no harm: the sweeper finds uncounted games.
"""

from __future__ import annotations

from typing import Final

from celery import shared_task

from games.ratings import rating_fold
from jobs import heartbeats
from jobs.rating_dispatch import RATE_TASK_NAME

CANARY_TASK_NAME: Final = "jobs.tasks.canary"  # stays: messages may be queued during an upgrade


@shared_task(name=RATE_TASK_NAME)  # type: ignore[untyped-decorator]
def rate(rules: str, thoroughly: bool) -> int:
    """Count the rated games of these rules that have not been counted."""
    return rating_fold.count_games(rules, thoroughly=thoroughly)


@shared_task(name=CANARY_TASK_NAME)  # type: ignore[untyped-decorator]
def canary(kind: str, node: str) -> None:
    """Record a heartbeat: this worker takes messages from its queue."""
    heartbeats.beat(kind, node)
