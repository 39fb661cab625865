"""The client of Redis for the counts of requests. A request does not wait long for a Redis that
hangs; one that failed is asked again only after a while, and another count serves until then."""

from __future__ import annotations

from typing import Final

import redis

TIMEOUT_SECONDS: float = 0.5  # for which a request waits for Redis
RETRY_SECONDS: Final = 10.0  # until a Redis that failed is tried again


def request_client(url: str) -> redis.Redis:
    """A client whose calls end within the time that a request can wait."""
    return redis.Redis.from_url(
        url, socket_connect_timeout=TIMEOUT_SECONDS, socket_timeout=TIMEOUT_SECONDS
    )
