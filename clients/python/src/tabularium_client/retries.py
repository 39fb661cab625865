"""When a failed request is sent again, and after which pause."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import httpx

from tabularium_client.calls import BrokenReply
from tabularium_client.problems import ProblemReply, UnexpectedReply

# the server has refused these before it did anything
UNDONE: Final = frozenset({"overloaded", "checks-busy", "busy"})
PERMANENT: Final = frozenset({"not-implemented", "log-broken", "game-locked"})
UNSENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# failures of a connection, or of a body that was cut short
LOST: Final = (httpx.TransportError, httpx.DecodingError, BrokenReply)
FAILURES: Final = (ProblemReply, UnexpectedReply, *LOST)


@dataclass(frozen=True)
class Retries:
    """How often and how patiently requests are repeated. The pause doubles with each attempt, less
    a random part of up to a half; a `Retry-After` of the server replaces it, and one that is longer
    than `longest_wait` is not waited for: the problem is raised, with its `retry_after`."""

    attempts: int = 6
    first_pause: float = 0.5
    longest_pause: float = 10.0
    longest_wait: float = 60.0
    chance: Callable[[], float] = random.random

    def pause(self, attempt: int, failure: Exception, is_repeatable: bool) -> float | None:
        """The seconds until the next attempt after this one, from 1; None: there is none.
        Attempt 0 is a stream that has come this far, and goes on at once."""
        if attempt == 0:
            return 0.0
        if attempt >= self.attempts or not may_repeat(failure, is_repeatable):
            return None
        if isinstance(failure, ProblemReply) and failure.retry_after is not None:
            asked = failure.retry_after
            return asked if asked <= self.longest_wait else None
        full = min(self.first_pause * 2.0 ** (attempt - 1), self.longest_pause)
        return full * (1 - self.chance() / 2)


def may_repeat(failure: Exception, is_repeatable: bool) -> bool:
    """Whether sending the request again may help, and does no harm."""
    if isinstance(failure, ProblemReply):
        if failure.code in PERMANENT:
            return False
        is_undone = failure.status == 429 or failure.code in UNDONE
        return is_undone or (is_repeatable and is_passing(failure.status))
    if isinstance(failure, UnexpectedReply):
        return failure.status == 429 or (is_repeatable and is_passing(failure.status))
    if isinstance(failure, (httpx.UnsupportedProtocol, httpx.LocalProtocolError)):
        return False
    return is_repeatable or isinstance(failure, UNSENT)


def is_passing(status: int) -> bool:
    """Whether a status reports a failure that may pass."""
    return status >= 500 or status == 408
