"""How many tokens does a process get that takes as many as it can?"""

from __future__ import annotations

import sys
from time import monotonic, sleep
from typing import Final

from api.limits.buckets import Buckets, RateLimit
from api.limits.database_buckets import LEASE_SECONDS, DatabaseBuckets
from api.limits.redis_buckets import RedisBuckets

LIMIT: Final = RateLimit("read", 400, 36_000_000)  # a token comes back every 25 hours
QUIET: Final = 2 * LEASE_SECONDS  # seconds without a token, in which what others held has gone back


def places(url: str) -> Buckets:
    """The buckets in Redis, or in the database."""
    return RedisBuckets(url, DatabaseBuckets()) if url else DatabaseBuckets()


def taken(buckets: Buckets) -> int:
    """Take until there has been nothing for a while."""
    last, count = monotonic(), 0
    while monotonic() - last < QUIET:
        if buckets.take(LIMIT, "everybody").is_granted:
            last, count = monotonic(), count + 1
        sleep(0.001)  # so that the others come to it, too
    return count


def main(arguments: list[str]) -> None:
    """Told where the buckets are: take one token, wait for a word, so that all race for the rest at
    once; say how many."""
    buckets = places(arguments[0] if arguments else "")
    first = buckets.take(LIMIT, "everybody").is_granted
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    sys.stdout.write(str(first + taken(buckets)))
