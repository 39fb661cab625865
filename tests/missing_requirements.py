"""Requirements of tests that a machine lacks: a reason to skip a test, but not in continuous
integration."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import NoReturn

import pytest

from games.package_build import has_compiler


def skip_or_fail(reason: str) -> NoReturn:
    """Fail the test in continuous integration, where every test must run; skip it elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)


def require_compiler() -> None:
    """Go on only where there is a C compiler."""
    if not has_compiler():
        skip_or_fail("there is no C compiler")


def require_library(name: str) -> None:
    """Go on only where a library of the adapters is installed."""
    if find_spec(name) is None:
        skip_or_fail(f"{name} is missing: make check installs it")
