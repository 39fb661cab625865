"""Missing requirements of a storm: a reason to skip a test, but not in continuous integration."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    """Fail in continuous integration, where everything must be tested; skip elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
