"""Runs tests on PostgreSQL and Redis: on servers that `TEST_DATABASE_URL` and `TEST_REDIS_URL`
name, or on its own, which are removed after the run. Without their programs nothing is tested,
which continuous integration does not accept."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from tests.chaos.stores import missing_programs, run_stores

DATABASE: Final = "TEST_DATABASE_URL"
BROKER: Final = "TEST_REDIS_URL"
LAST_OF_REDIS: Final = "15"  # tests/support/parallel.py counts down from it


@contextmanager
def running_servers() -> Iterator[dict[str, str]]:
    """The addresses of a PostgreSQL and a Redis, as the settings read them."""
    if DATABASE in os.environ and BROKER in os.environ:
        yield {"DATABASE_URL": os.environ[DATABASE], "REDIS_URL": os.environ[BROKER]}
        return
    # no test of this round cuts the power
    with run_stores(options=("fsync=off", "full_page_writes=off")) as stores:
        redis_url = stores["redis"].url.removesuffix("0") + LAST_OF_REDIS
        yield {"DATABASE_URL": stores["postgres"].url, "REDIS_URL": redis_url}


def main(arguments: list[str]) -> int:
    """Run these tests; the exit code."""
    is_named = DATABASE in os.environ and BROKER in os.environ
    if not is_named and (missing := missing_programs()):
        print(f"Not tested on PostgreSQL and Redis: {', '.join(missing)} missing.")  # noqa: T201
        return int(os.environ.get("CI") == "true")
    with running_servers() as addresses:
        os.environ.update(addresses)
        return int(pytest.main(["-p", "tests.support.parallel", *arguments]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
