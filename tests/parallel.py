"""Several processes share the tests: each has Redis databases of its own.

A plugin that is loaded before the settings are (`-p tests.parallel`), because they read REDIS_URL.
"""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import urlsplit

DATABASES: Final = 16  # of a Redis server
LIMIT: Final = 7  # processes, with two databases each
WORKER: Final = "PYTEST_XDIST_WORKER"


def below(url: str, number: int) -> str:
    """The database of Redis that is so many below that of this address; below the first comes the
    last."""
    parts = urlsplit(url)
    database = int(parts.path.removeprefix("/") or 0)
    return parts._replace(path=f"/{(database - number) % DATABASES}").geturl()


if (worker := os.environ.get(WORKER)) and (url := os.environ.get("REDIS_URL")):
    number = int(worker.removeprefix("gw"))
    if number >= LIMIT:
        raise ValueError(f"On Redis at most {LIMIT} processes share the tests.")
    os.environ["REDIS_URL"] = below(url, number)
