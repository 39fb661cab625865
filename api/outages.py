"""The handling of outages of the database, its disk or the broker, as opposed to bugs: reported as
503, with a detail that is true wherever the request was cut off."""

from __future__ import annotations

import errno
import logging
from threading import Lock
from time import monotonic
from typing import Final

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from django.db.transaction import TransactionManagementError
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as NoRedis
from redis.exceptions import TimeoutError as SlowRedis

from games.write_health import write_health

logger = logging.getLogger(__name__)

SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS", "TRACE")
OUTAGE_EXCEPTIONS: Final = (
    *(OperationalError, InterfaceError, BrokerError, NoRedis, SlowRedis),
    TransactionManagementError,  # the connection broke off while a part of it was rolled back
)
READ_ONLY_SQLSTATE: Final = "25006"  # PostgreSQL: a write in a read-only transaction
OUTAGE_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE)
LOG_INTERVAL_SECONDS: Final = 5.0  # between two log lines
NOTHING_CHANGED_DETAIL: Final = (
    "The database, its disk or the broker is unavailable. Nothing was changed."
)
PERHAPS_DONE_DETAIL: Final = (
    "The database, its disk or the broker is unavailable. The request may have "
    "been processed: send it again with the same Idempotency-Key, or check the "
    "current state."
)


def is_outage(problem: BaseException | None) -> bool:
    """Whether the error is an outage and no bug of ours."""
    if isinstance(problem, OSError) and problem.errno in OUTAGE_ERRNOS:
        return True
    if isinstance(problem, InternalError):
        return getattr(problem.__cause__, "sqlstate", None) == READ_ONLY_SQLSTATE
    return isinstance(problem, OUTAGE_EXCEPTIONS)


def report_outage(method: str | None, problem: BaseException) -> str:
    """Log the outage and return the detail for the client."""
    outage_log.record(problem)
    if method in SAFE_METHODS:
        return NOTHING_CHANGED_DETAIL
    if isinstance(problem, DatabaseError | InterfaceError | OSError):
        write_health.record_failure(problem)
    return PERHAPS_DONE_DETAIL


class OutageLog:
    """Throttled logging of outages: the first one, then at intervals how many there were."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._logged_at = -LOG_INTERVAL_SECONDS

    def record(self, problem: BaseException) -> None:
        """Count an outage, and log it if the interval is over."""
        with self._lock:
            self._count += 1
            if (now := monotonic()) - self._logged_at < LOG_INTERVAL_SECONDS:
                return
            count, self._count, self._logged_at = self._count, 0, now
        reason = str(problem).strip().partition("\n")[0]
        template = "%d requests were answered with 503; the last error: %s: %s"
        logger.error(template, count, type(problem).__name__, reason)


outage_log: Final = OutageLog()
