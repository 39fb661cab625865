"""The Redis transport of Celery: kombu's own, but a failed acknowledgement frees its slot.

kombu marks a message as done only after Redis has confirmed it. If Redis does not answer in time,
kombu logs the error and never acknowledges the message again, and its slot in the prefetch window
stays taken: a worker with one process takes no more work although its connections are good.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from kombu.transport import TRANSPORT_ALIASES, redis

logger = logging.getLogger(__name__)

REDIS_SCHEMES: Final = ("redis", "rediss")
MAX_PENDING_ACKNOWLEDGEMENTS: Final = 1000  # acknowledgements kept to be sent later


class QoS(redis.QoS):  # type: ignore[misc]  # kombu has no types
    """The prefetch window of a channel. Acknowledgements that fail are repeated later."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.pending_tags: set[str] = set()

    def ack(self, delivery_tag: str) -> None:
        """Free the slot of a finished message, whether or not Redis confirms it now."""
        self._acknowledge(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Free the slot of a rejected message. If Redis does not take back one that is to be
        redelivered, it redelivers it after the visibility timeout."""
        if not requeue:
            self._acknowledge(delivery_tag)
            return
        try:
            super().reject(delivery_tag, requeue=True)
        except self.channel.connection_errors as problem:
            logger.warning("A message could not be returned to the broker: %s", problem)
            self._quick_ack(delivery_tag)

    def _acknowledge(self, delivery_tag: str) -> None:
        self._quick_ack(delivery_tag)
        tags = [*self.pending_tags, delivery_tag]
        try:
            with self.pipe_or_acquire() as pipe:
                for tag in tags:
                    self._remove_from_indices(tag, pipe)
                pipe.execute()
        except self.channel.connection_errors as problem:
            self._defer_acknowledgement(delivery_tag, problem)
        else:
            self.pending_tags.difference_update(tags)

    def _defer_acknowledgement(self, delivery_tag: str, problem: Exception) -> None:
        """Keep it for later. An unacknowledged message is delivered again, which does no harm."""
        logger.warning("An acknowledgement is waiting for the broker: %s", problem)
        if len(self.pending_tags) < MAX_PENDING_ACKNOWLEDGEMENTS:
            self.pending_tags.add(delivery_tag)


class Channel(redis.Channel):  # type: ignore[misc]
    """A channel with this prefetch window."""

    QoS = QoS


class Transport(redis.Transport):  # type: ignore[misc]
    """The Redis transport with these channels."""

    Channel = Channel


def register() -> None:
    """Make kombu use this transport for all Redis URLs."""
    for scheme in REDIS_SCHEMES:
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
