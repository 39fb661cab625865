"""The clocks that buckets read, which a test advances."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from time import time
from types import ModuleType
from typing import TypeAlias

import pytest

Later: TypeAlias = Callable[[float], None]


def advancing(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> Later:
    """Give a module of buckets clocks of its own, on which a millisecond passes with each look; the
    function that advances them."""
    milliseconds = count()
    begun, passed = time(), 0.0

    def now() -> float:
        return begun + passed + next(milliseconds) / 1000

    def go(seconds: float) -> None:
        nonlocal passed
        passed += seconds

    monkeypatch.setattr(module, "time", now)
    monkeypatch.setattr(module, "monotonic", now)
    return go
