"""Background outboxes whose messages are Celery tasks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from celery import current_app

from jobs.background_publisher import Outbox

T = TypeVar("T")


class TaskCall(NamedTuple):
    """A task to be sent: its name, its arguments, and options of Celery's `send_task`."""

    name: str
    arguments: Sequence[Any]
    options: Mapping[str, Any] = MappingProxyType({})


class TaskOutbox(Outbox[T]):
    """Sends tasks with one producer, each distinct message of a batch once."""

    @abstractmethod
    def task_call(self, message: T) -> TaskCall:
        """The task that carries this message."""

    def publish(self, batch: list[T]) -> None:
        """Send the tasks to the broker."""
        with current_app.producer_pool.acquire(block=True) as producer:
            for message in dict.fromkeys(batch):
                name, arguments, options = self.task_call(message)
                with self.use_trace_of(message):
                    current_app.send_task(name, args=list(arguments), producer=producer, **options)
