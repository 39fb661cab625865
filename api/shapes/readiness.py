"""Shapes of the readiness of the service and its checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Check:
    """The result of a check."""

    is_ok: bool  #: Whether the check has passed.
    detail: str  #: A sentence for people, in English.


@dataclass(frozen=True)
class Readiness:
    """Whether the service is ready for clients, and the state of its parts."""

    #: `ready`, or `degraded` if a part that can be missed is away.
    status: Literal["ready", "degraded"]
    database: Check  #: The database.
    migrations: Check  #: The migrations of the database.
    writes: Check  #: Whether the database can be written to.
    broker: Check  #: The broker of the workers.
    worker: Check  #: The workers that compute the moves of bots.
    sweeper: Check  #: The process that takes up what was left.
    tables: Check  #: The tables of the database.
