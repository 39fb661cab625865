"""Shapes of the readiness of the service and its checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Check:
    """The result of a check."""

    is_ok: bool
    detail: str


@dataclass(frozen=True)
class Readiness:
    """Whether the service is ready for clients, and the state of its parts."""

    status: Literal["ready", "degraded"]
    database: Check
    migrations: Check
    writes: Check
    broker: Check
    worker: Check
    sweeper: Check
    tables: Check
