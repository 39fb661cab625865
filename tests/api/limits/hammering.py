"""How many tokens does a process get that takes as many as it can?"""

from __future__ import annotations

import sys
from time import monotonic, sleep
from typing import Final

from api.limits.buckets import Buckets, Limit
from api.limits.rows import Rows
from api.limits.shared import Shared

LIMIT: Final = Limit("read", 400, 36_000)  # a token comes back every 90 seconds
SECONDS: Final = 2.0


def places(url: str) -> Buckets:
    """The buckets in Redis, or in the database."""
    return Shared(url, Rows()) if url else Rows()


def taken(buckets: Buckets) -> int:
    """Take until there is nothing, and go on trying for a while."""
    end, count = monotonic() + SECONDS, 0
    while monotonic() < end:
        count += buckets.take(LIMIT, "everybody").is_granted
        sleep(0.001)  # so that the others come to it, too
    return count


def main(arguments: list[str]) -> None:
    """Told where the buckets are: wait for a word, so that all begin at once; say how many."""
    buckets = places(arguments[0] if arguments else "")
    buckets.take(LIMIT, "warm")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    sys.stdout.write(str(taken(buckets)))
