"""Requirements of a storm that a machine lacks: a reason to skip a test, but not in continuous
integration."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    """Fail the test in continuous integration, where every test must run; skip it elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
