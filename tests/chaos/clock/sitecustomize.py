"""A wall clock that a test can set: Python runs this module at the start of each served process.

The file that CHAOS_CLOCK names holds the offset in seconds of `time.time` and Django's
`timezone.now`. Monotonic clocks have none, just as when an administrator sets the time.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import timedelta
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

TIMEZONE_MODULE = "django.utils.timezone"
CACHE_SECONDS = 0.05  # between two reads of the file

true_time, true_time_ns = time.time, time.time_ns
_offset, _read_at = 0.0, -1.0


def offset() -> float:
    """The current offset in seconds."""
    global _offset, _read_at  # noqa: PLW0603  # called thousands of times a second
    if (now := time.monotonic()) > _read_at + CACHE_SECONDS:
        _read_at = now
        try:
            with open(os.environ["CHAOS_CLOCK"], encoding="ascii") as file:  # noqa: PTH123
                _offset = float(file.read() or 0)
        except (OSError, ValueError):
            pass  # unchanged: the file is being written, or there are no descriptors left
    return _offset


class OffsetLoader(Loader):
    """Loads Django's module, then adds the offset to its `now`."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        self._loader.exec_module(module)
        true_now = module.now
        module.now = lambda: true_now() + timedelta(seconds=offset())


class TimezoneFinder(MetaPathFinder):
    """Finds only Django's module."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname != TIMEZONE_MODULE:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec and spec.loader:
            spec.loader = OffsetLoader(spec.loader)
        return spec


if "CHAOS_CLOCK" in os.environ:
    time.time = lambda: true_time() + offset()
    time.time_ns = lambda: true_time_ns() + int(offset() * 1e9)
    sys.meta_path.insert(0, TimezoneFinder())
