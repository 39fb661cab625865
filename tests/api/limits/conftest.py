"""What the tests of limits share: the places where buckets are kept, and limits that are on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

import pytest
import redis
from pytest_django import Settings

from api.limits import admission

DATABASE: Final = "/12"  # of Redis


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The address of a Redis of this test's own, or nothing."""
    url = os.environ.get("REDIS_URL", "")
    own = urlsplit(url)._replace(path=DATABASE).geturl() if url else ""
    yield own
    if own:
        redis.Redis.from_url(own).flushdb()


@pytest.fixture
def limits(db: None, settings: Settings, redis_url: str) -> Iterator[dict[str, object]]:
    """Few requests, which come back in an hour; to be changed."""
    settings.LIMITS = {
        "read": (3, 3600),
        "write": (3, 3600),
        "create": (2, 36),
        "guests": (2, 3600),
    }
    settings.REDIS_URL = redis_url
    admission.buckets.cache_clear()
    yield settings.LIMITS
    admission.buckets.cache_clear()
