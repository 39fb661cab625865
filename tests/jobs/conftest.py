"""Fixtures of the tests of background work: those of the bots that it wakes."""

from __future__ import annotations

from tests.ai.conftest import table, woken

__all__ = ["table", "woken"]
