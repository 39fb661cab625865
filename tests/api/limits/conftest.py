"""Fixtures of the rate limit tests: small limits, with buckets in the database, a file or Redis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from api.limits import rate_limiting


@pytest.fixture
def limits(
    db: None, settings: Settings, broker: str, tmp_path: Path
) -> Iterator[dict[str, object]]:
    """Small limits with long periods; a test may change them."""
    settings.LIMITS = {
        "read": (3, 3600),
        "write": (3, 3600),
        "create": (2, 36),
        "guests": (2, 3600),
    }
    settings.REDIS_URL = broker
    settings.LIMITS_FILE = tmp_path / "limits"
    rate_limiting.configured_buckets.cache_clear()
    yield settings.LIMITS
    rate_limiting.configured_buckets.cache_clear()
