"""How the service is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Check:
    """Something that was looked at."""

    is_ok: bool
    detail: str


@dataclass(frozen=True)
class Readiness:
    """Whether callers may be sent here, and how the parts are."""

    status: Literal["ready", "degraded"]
    database: Check
    migrations: Check
    writes: Check
    broker: Check
    worker: Check
    sweeper: Check
    tables: Check
