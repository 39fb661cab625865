"""The tests that store data, run again on PostgreSQL and Redis if both servers answer; in
continuous integration both must."""

from __future__ import annotations

import os
import sys
from typing import Final

import psycopg
import pytest
import redis

DATABASE_URL: Final = os.environ.get("TEST_DATABASE_URL", "postgres://127.0.0.1:5432/postgres")
REDIS_URL: Final = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")


def unreachable_servers() -> list[str]:
    """The servers that do not answer, with the reasons."""
    reasons = []
    try:
        psycopg.connect(DATABASE_URL, connect_timeout=3).close()
    except psycopg.OperationalError as problem:
        reasons.append(f"PostgreSQL: {problem}")
    try:
        redis.Redis.from_url(REDIS_URL, socket_connect_timeout=3).ping()
    except redis.RedisError as problem:
        reasons.append(f"Redis: {problem}")
    return reasons


def main(arguments: list[str]) -> int:
    """Run these tests; the exit code."""
    if reasons := unreachable_servers():
        print("Not tested on PostgreSQL and Redis:", *reasons, sep="\n  ")  # noqa: T201
        return int(os.environ.get("CI") == "true")
    os.environ.update(DATABASE_URL=DATABASE_URL, REDIS_URL=REDIS_URL)
    code = pytest.main(["-p", "tests.parallel", "-m", "stores", *arguments])
    is_selection_empty = arguments and code == pytest.ExitCode.NO_TESTS_COLLECTED
    return 0 if is_selection_empty else int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
