"""Publishing the ratings of thousands of games and then a webhook: prints the first task that the
worker for errands takes, and how many ratings wait then."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from celery import current_app

from api.webhooks.webhook_dispatch import DELIVER_TASK, WebhookMessage, WebhookOutbox
from config.supervisor import process_specs
from jobs.rating_dispatch import RATE_TASK_NAME


def main(arguments: Sequence[str]) -> None:
    """Publish that many ratings."""
    with current_app.producer_pool.acquire(block=True) as producer:
        for _ in range(int(arguments[0])):
            current_app.send_task(RATE_TASK_NAME, args=["duality", False], producer=producer)
    WebhookOutbox().publish([WebhookMessage(DELIVER_TASK, "delivery")])
    with current_app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        first = next(filter(None, (channel.basic_get(queue) for queue in errand_queues())))
        ratings = channel._size(process_specs.RATINGS_QUEUE)
    json.dump([first.headers["task"], ratings], sys.stdout)


def errand_queues() -> list[str]:
    """The queues that the worker for errands consumes."""
    command = process_specs.errand_worker_process().command
    (option,) = [word for word in command if word.startswith("--queues=")]
    return option.removeprefix("--queues=").split(",")
