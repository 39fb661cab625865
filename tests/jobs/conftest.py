"""Fixtures of the tests of background work: those of the bots that it wakes."""

from __future__ import annotations

from tests.ai.conftest import later, table, unbroken, woken

__all__ = ["later", "table", "unbroken", "woken"]
