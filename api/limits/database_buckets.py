"""Buckets in the database, one row each, changed in one statement. A process takes a busy caller's
tokens several at a time, so that not every request writes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from time import monotonic, time
from typing import Final

from django.db import connection

from api.limits.buckets import MICROSECONDS_PER_SECOND, RateLimit, Verdict

LEASE_SECONDS: Final = 1.0  # second for which a process keeps tokens; unused ones are returned
LEASE_QUOTA_DIVISOR: Final = 8  # of the quota: the most tokens a process takes at once
MAX_LEASES: Final = 20_000  # buckets for which a process holds leases

_CLOCK_SQL: Final = {
    "postgresql": "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint",  # one clock
    "sqlite": "%(now)s",  # all processes are on one machine
}
# a time so far ahead was written before the clock was set back: the bucket counts as full
_FULL_AT_SQL: Final = (
    "(CASE WHEN api_bucket.full_at > {now} + 2 * %(depth)s THEN {now} ELSE api_bucket.full_at END)"
)
_FULL_AT_AFTER_RETURN_SQL: Final = f"max({_FULL_AT_SQL} - %(back)s, {{now}})"
_TAKE_SQL: Final = (
    "INSERT INTO api_bucket (key, full_at) VALUES (%(key)s, {now} + %(cost)s)"
    f" ON CONFLICT (key) DO UPDATE SET full_at = {_FULL_AT_AFTER_RETURN_SQL} + %(cost)s"
    f" WHERE {_FULL_AT_AFTER_RETURN_SQL} + %(cost)s <= {{now}} + %(depth)s"
    " RETURNING full_at - {now}"
)
_TIME_UNTIL_FULL_SQL: Final = (
    f"SELECT {_FULL_AT_SQL} - %(back)s - {{now}} FROM api_bucket WHERE key = %(key)s"
)


@dataclass(slots=True)
class Lease:
    """Tokens that this process has taken, and the number it left in the bucket."""

    tokens: int
    tokens_taken: int
    left_in_bucket: int
    expires_at: float
    is_refusal: bool = False


class DatabaseBuckets:
    """Buckets in the database, shared by all processes that use it."""

    def __init__(self) -> None:
        self._leases: OrderedDict[tuple[str, str], Lease] = OrderedDict()
        self._lock = Lock()

    def take(self, limit: RateLimit, caller: str) -> Verdict:
        """Take a token from the lease, or else from the bucket."""
        key, now = (limit.name, caller), monotonic()
        with self._lock:
            lease = self._leases.get(key)
            if lease is not None and now < lease.expires_at:
                if lease.tokens:
                    lease.tokens -= 1
                    return Verdict(True, lease.tokens + lease.left_in_bucket)
                if lease.is_refusal:
                    return Verdict(False, 0, lease.expires_at - now)
            count, back = _tokens_to_take_and_return(lease, limit, now)
            if lease is not None:
                lease.tokens = 0  # returned to the bucket, and only once
        return self._renew_lease(limit, key, count, back)

    def give_back(self, limit: RateLimit, caller: str) -> None:
        """Keep an unneeded token for the next request."""
        with self._lock:
            lease = self._leases.get((limit.name, caller))
            if lease is not None and not lease.is_refusal:
                lease.tokens += 1

    def _renew_lease(
        self, limit: RateLimit, key: tuple[str, str], count: int, back: int
    ) -> Verdict:
        behind = _take_tokens(limit, key, count, back)
        if behind is None and count > 1:
            count, behind = 1, _take_tokens(limit, key, 1, back)
        if behind is None:
            wait = max(limit.seconds_until_token(_time_until_full(limit, key, back)), 0.001)
            self._store_lease(key, Lease(0, 0, 0, monotonic() + wait, is_refusal=True))
            return Verdict(False, 0, wait)
        lease = Lease(count - 1, count, limit.tokens_left(behind), monotonic() + LEASE_SECONDS)
        self._store_lease(key, lease)
        return Verdict(True, count - 1 + lease.left_in_bucket)

    def _store_lease(self, key: tuple[str, str], lease: Lease) -> None:
        with self._lock:
            before = self._leases.pop(key, None)
            if before is not None and not lease.is_refusal:
                lease.tokens += before.tokens  # another thread has renewed the lease meanwhile
            self._leases[key] = lease
            if len(self._leases) > MAX_LEASES:
                self._leases.popitem(last=False)


def _tokens_to_take_and_return(
    lease: Lease | None, limit: RateLimit, now: float
) -> tuple[int, int]:
    """The number of tokens to take and to return: take twice as many as were just used up, or one
    if some of the last ones expired unused."""
    if lease is None or lease.is_refusal:
        return 1, 0
    if lease.tokens or now >= lease.expires_at:
        return 1, lease.tokens
    return max(1, min(2 * lease.tokens_taken, limit.quota // LEASE_QUOTA_DIVISOR)), 0


def _take_tokens(limit: RateLimit, key: tuple[str, str], count: int, back: int) -> int | None:
    """Microseconds until the bucket is full again; None if it had too few tokens."""
    row = _fetch_row(
        _TAKE_SQL, limit, key, cost=count * limit.token_interval, back=back * limit.token_interval
    )
    return row[0] if row else None


def _time_until_full(limit: RateLimit, key: tuple[str, str], back: int) -> int:
    row = _fetch_row(_TIME_UNTIL_FULL_SQL, limit, key, back=back * limit.token_interval)
    return row[0] if row else 0


def _fetch_row(
    statement: str, limit: RateLimit, key: tuple[str, str], **numbers: int
) -> tuple[int] | None:
    text = statement.format(now=_CLOCK_SQL[connection.vendor])
    if connection.vendor == "postgresql":
        text = text.replace("max(", "greatest(")
    given: dict[str, str | int] = {
        "key": ":".join(key),
        "depth": limit.fill_time,
        "now": int(time() * MICROSECONDS_PER_SECOND),
        **numbers,
    }
    with connection.cursor() as cursor:
        cursor.execute(text, given)
        row: tuple[int] | None = cursor.fetchone()
    return row
