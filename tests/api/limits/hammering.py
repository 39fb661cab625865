"""A process that takes as many tokens from a bucket as it can."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from api import redis_client
from api.limits.file_buckets import FileBuckets
from api.limits.token_buckets import (
    LEASE_SECONDS,
    Buckets,
    DatabaseBuckets,
    RateLimit,
    RedisBuckets,
)

LIMIT: Final = RateLimit("read", 400, 36_000_000)  # one token is refilled every 25 hours
QUIET: Final = 2 * LEASE_SECONDS  # seconds without a token, after which other leases have ended


def places(place: str) -> Buckets:
    """The buckets at a URL of Redis, in a file, or (an empty text) in the database."""
    if place.startswith("/"):
        return FileBuckets(Path(place))
    return RedisBuckets(place, DatabaseBuckets()) if place else DatabaseBuckets()


def take_all_tokens(buckets: Buckets) -> int:
    """Take tokens until none has been granted for a while; their number."""
    last, count = monotonic(), 0
    while monotonic() - last < QUIET:
        if buckets.take(LIMIT, "everybody").is_granted:
            last, count = monotonic(), count + 1
        sleep(0.001)  # lets the other processes take tokens too
    return count


def main(arguments: list[str]) -> None:
    """With the place of the buckets: take one token, wait for a line on stdin so that all processes
    race for the rest at once, and print the number of tokens."""
    redis_client.TIMEOUT_SECONDS = 3600  # a slow Redis is no fault
    buckets = places(arguments[0] if arguments else "")
    first = buckets.take(LIMIT, "everybody").is_granted
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    sys.stdout.write(str(first + take_all_tokens(buckets)))
