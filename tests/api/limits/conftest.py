"""What the tests of limits share: the places where buckets are kept, and limits that are on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from api.limits import admission


@pytest.fixture
def limits(db: None, settings: Settings, broker: str) -> Iterator[dict[str, object]]:
    """Few requests, which come back in an hour; to be changed."""
    settings.LIMITS = {
        "read": (3, 3600),
        "write": (3, 3600),
        "create": (2, 36),
        "guests": (2, 3600),
    }
    settings.REDIS_URL = broker
    admission.configured_buckets.cache_clear()
    yield settings.LIMITS
    admission.configured_buckets.cache_clear()
