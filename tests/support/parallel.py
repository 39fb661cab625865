"""A pytest plugin for parallel test processes: each gets Redis databases of its own.

It is loaded before the settings (`-p tests.support.parallel`), because they read REDIS_URL.
"""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import urlsplit

DATABASES: Final = 16  # on a Redis server
LIMIT: Final = 7  # processes, with two databases each
WORKER: Final = "PYTEST_XDIST_WORKER"


def below(url: str, number: int) -> str:
    """The Redis database with a number lower by `number` than in this URL; below 0 it wraps around
    to the last one."""
    parts = urlsplit(url)
    database = int(parts.path.removeprefix("/") or 0)
    return parts._replace(path=f"/{(database - number) % DATABASES}").geturl()


if (worker := os.environ.get(WORKER)) and (url := os.environ.get("REDIS_URL")):
    number = int(worker.removeprefix("gw"))
    if number >= LIMIT:
        raise ValueError(f"On Redis at most {LIMIT} processes share the tests.")
    os.environ["REDIS_URL"] = below(url, number)
