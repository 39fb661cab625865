"""Several processes share the tests: each has Redis databases of its own.

A plugin that is loaded before the settings are (`-p tests.parallel`), because they read REDIS_URL.
"""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import urlsplit

LIMIT: Final = 7  # processes, with two databases each; a Redis server has sixteen
WORKER: Final = "PYTEST_XDIST_WORKER"


def below(url: str, number: int) -> str:
    """The database of Redis that is so many below that of this address."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{int(parts.path.removeprefix('/')) - number}").geturl()


if (worker := os.environ.get(WORKER)) and (url := os.environ.get("REDIS_URL")):
    os.environ["REDIS_URL"] = below(url, int(worker.removeprefix("gw")))
