"""The clocks that buckets read, which a test advances."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, time
from types import ModuleType
from typing import TypeAlias

import pytest

Later: TypeAlias = Callable[[float], None]


def advancing(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> Later:
    """Let both clocks of a module of buckets be ahead; the function that advances them."""
    passed = 0.0

    def go(seconds: float) -> None:
        nonlocal passed
        passed += seconds

    monkeypatch.setattr(module, "time", lambda: time() + passed)
    monkeypatch.setattr(module, "monotonic", lambda: monotonic() + passed)
    return go
