"""Is a failure the service's own mistake, or is its database, its disk or its broker away? Then it
is told as 503, with a sentence that is true whatever was cut off where."""

from __future__ import annotations

import errno
import logging
from threading import Lock
from time import monotonic
from typing import Final

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as NoRedis
from redis.exceptions import TimeoutError as SlowRedis

from games.write_health import write_health

logger = logging.getLogger(__name__)

SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS", "TRACE")
OUTAGE_EXCEPTIONS: Final = (OperationalError, InterfaceError, BrokerError, NoRedis, SlowRedis)
READ_ONLY_SQLSTATE: Final = "25006"  # what PostgreSQL says of a transaction that may not write
OUTAGE_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE)
LOG_INTERVAL_SECONDS: Final = 5.0  # seconds between two lines in the log
NOTHING_CHANGED_DETAIL: Final = "The database, its disk or the broker is away. Nothing was changed."
PERHAPS_DONE_DETAIL: Final = (
    "The database, its disk or the broker is away. It may have been done: send it again with the"
    " same Idempotency-Key, or look whether it was."
)


def is_outage(problem: BaseException | None) -> bool:
    """Is it none of ours?"""
    if isinstance(problem, OSError) and problem.errno in OUTAGE_ERRNOS:
        return True
    if isinstance(problem, InternalError):
        return getattr(problem.__cause__, "sqlstate", None) == READ_ONLY_SQLSTATE
    return isinstance(problem, OUTAGE_EXCEPTIONS)


def report_outage(method: str | None, problem: BaseException) -> str:
    """What is true of the request, and in the log what is wrong."""
    outage_log.record(problem)
    if method in SAFE_METHODS:
        return NOTHING_CHANGED_DETAIL
    if isinstance(problem, DatabaseError | InterfaceError | OSError):
        write_health.record_failure(problem)
    return PERHAPS_DONE_DETAIL


class OutageLog:
    """What the log hears of outages: the first, and now and then how many there were since."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._logged_at = -LOG_INTERVAL_SECONDS

    def record(self, problem: BaseException) -> None:
        """One more."""
        with self._lock:
            self._count += 1
            if (now := monotonic()) - self._logged_at < LOG_INTERVAL_SECONDS:
                return
            count, self._count, self._logged_at = self._count, 0, now
        said = str(problem).strip().partition("\n")[0]
        told = "%d requests were answered 503; the last: %s: %s"
        logger.error(told, count, type(problem).__name__, said)


outage_log: Final = OutageLog()
