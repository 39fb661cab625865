"""Token buckets for rate limits: a bucket holds a quota of tokens, gives some to each request, and
refills evenly.

Its only stored value is the moment at which it will be full again: a number in Redis or, without
it, a row of PostgreSQL; with SQLite a slot of a file (`file_buckets.py`).
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from threading import Lock
from time import monotonic, time
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import redis
from django.db import connection

from api.redis_client import RETRY_SECONDS, request_client

logger = logging.getLogger(__name__)

MICROSECONDS_PER_SECOND: Final = 1_000_000  # buckets count in microseconds


@dataclass(frozen=True)
class RateLimit:
    """At most `quota` requests at once, regained over `seconds`."""

    name: str
    quota: int
    seconds: int

    @cached_property
    def token_interval(self) -> int:
        """Microseconds in which one token is regained."""
        return max(1, self.seconds * MICROSECONDS_PER_SECOND // self.quota)

    @cached_property
    def fill_time(self) -> int:
        """Microseconds in which an empty bucket fills up."""
        return self.token_interval * self.quota

    @cached_property
    def policy_header(self) -> str:
        """The value of the RateLimit-Policy header."""
        return f'"{self.name}";q={self.quota};w={self.seconds}'

    def tokens_left(self, time_until_full: int) -> int:
        """The tokens in a bucket that will be full after these microseconds."""
        return max(0, (self.fill_time - time_until_full) // self.token_interval)

    def seconds_until(self, tokens: int, time_until_full: int) -> float:
        """Seconds until the bucket has that many tokens."""
        missing = time_until_full + tokens * self.token_interval - self.fill_time
        return max(0, missing) / MICROSECONDS_PER_SECOND


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request got a token, the tokens left, and the seconds until the next one."""

    is_granted: bool
    tokens_left: int
    wait_seconds: float = 0.0

    def state_header(self, limit: RateLimit) -> str:
        """The value of the RateLimit header; `t` is the seconds until the whole quota is there."""
        seconds = ceil(
            (limit.quota - self.tokens_left) * limit.token_interval / MICROSECONDS_PER_SECOND
        )
        return f'"{limit.name}";r={self.tokens_left};t={seconds}'

    @property
    def retry_after(self) -> int:
        """Whole seconds to wait."""
        return max(1, ceil(self.wait_seconds))


class Buckets(Protocol):
    """A store of buckets."""

    def take(self, limit: RateLimit, caller: str, tokens: int = 1) -> Verdict:
        """Take that many tokens from the caller's bucket, if they are there."""

    def take_at_hand(self, limit: RateLimit, caller: str) -> Verdict | None:
        """Take a token without waiting; None if that is impossible, or there is none. Raises
        LeaseEnded if `renew` may bring one."""

    def renew(self) -> None:
        """Have tokens at hand again, as far as there are some, where a LeaseEnded was raised."""

    def give_back(self, limit: RateLimit, caller: str) -> None:
        """Return a token that was not needed."""


# -- leases ---------------------------------------------------------------------------------------

LEASE_SECONDS: Final = 1.0  # second for which a process keeps tokens; unused ones are returned
LEASE_QUOTA_DIVISOR: Final = 8  # of the quota: the most tokens a process takes at once
MAX_LEASES: Final = 20_000  # buckets for which a process holds leases


LeaseKey: TypeAlias = tuple[str, str]  # the name of the limit, and the caller


class LeaseEnded(Exception):
    """This process has no lease that is good for a token."""


class LeaseOrder(NamedTuple):
    """Tokens to take from a bucket after those that a lease has left are returned."""

    limit: RateLimit
    key: LeaseKey
    tokens: int
    returned: int


@dataclass(slots=True)
class Lease:
    """Tokens that this process has taken, and the number it left in the bucket."""

    tokens: int
    tokens_taken: int
    left_in_bucket: int
    expires_at: float
    is_refusal: bool = False

    def grant(self, tokens: int) -> Verdict:
        """Give that many of the tokens to a request."""
        self.tokens -= tokens
        return Verdict(True, self.tokens + self.left_in_bucket)


class LeasedBuckets(ABC):
    """Buckets that are stored elsewhere, of which this process takes several tokens at once."""

    def __init__(self) -> None:
        self._leases: OrderedDict[LeaseKey, Lease] = OrderedDict()
        self._used: dict[LeaseKey, RateLimit] = {}  # at hand, since they were last renewed
        self._lock = Lock()

    def take(self, limit: RateLimit, caller: str, tokens: int = 1) -> Verdict:
        """Take tokens from the lease, or else from the bucket."""
        key, now = (limit.name, caller), monotonic()
        with self._lock:
            lease = self._leases.get(key)
            if lease is not None and now < lease.expires_at:
                if lease.tokens >= tokens:
                    return lease.grant(tokens)
                if lease.is_refusal:
                    return Verdict(False, 0, lease.expires_at - now)
            count, return_count = _tokens_to_take_and_return(lease, limit, now)
            if lease is not None:
                lease.tokens = 0  # returned to the bucket, and only once
        return self._renew_lease(limit, key, tokens, max(count, tokens), return_count)

    def take_at_hand(self, limit: RateLimit, caller: str) -> Verdict | None:
        """Take a token from the lease."""
        key = (limit.name, caller)
        with self._lock:
            lease = self._leases.get(key)
            self._used[key] = limit
            if lease is None or monotonic() >= lease.expires_at:
                raise LeaseEnded
            if lease.tokens:
                return lease.grant(1)
            if lease.is_refusal:
                return None
            raise LeaseEnded

    def renew(self) -> None:
        """Renew the leases in use that have ended or soon will, all at once: each for twice as many
        tokens as were used."""
        with self._lock:
            used, self._used = self._used, {}
            orders = [order for key, limit in used.items() if (order := self._order(limit, key))]
        for order, time_until_full in zip(orders, self._take_for_all(orders), strict=True):
            with self._lock:
                self._renew(order, time_until_full)

    def _order(self, limit: RateLimit, key: LeaseKey) -> LeaseOrder | None:
        """The order that renews a lease, unless it is good for a while."""
        lease, now = self._leases.get(key), monotonic()
        if lease is None:
            return LeaseOrder(limit, key, 1, 0)
        is_fresh = lease.expires_at - now > LEASE_SECONDS / 2
        if is_fresh and (lease.tokens or lease.is_refusal):
            return None
        return_count, lease.tokens = lease.tokens, 0  # returned to the bucket, and only once
        count = min(2 * (lease.tokens_taken - return_count), largest_lease(limit))
        return LeaseOrder(limit, key, max(1, count), return_count)

    def _renew(self, order: LeaseOrder, time_until_full: int | None) -> None:
        """Note the tokens of an order. A bucket with too few is left as it is."""
        limit, key, count, return_count = order
        previous = self._leases.get(key)
        left_tokens = 0 if previous is None else previous.tokens  # of another thread
        if time_until_full is not None:
            left_in_bucket, end = limit.tokens_left(time_until_full), monotonic() + LEASE_SECONDS
            self._store_lease(key, Lease(count + left_tokens, count, left_in_bucket, end))
        elif previous is not None:
            previous.tokens += return_count

    def _take_for_all(self, orders: Sequence[LeaseOrder]) -> list[int | None]:
        """The return value of `_take_tokens` for each order."""
        return [self._take_tokens(*order) for order in orders]

    @abstractmethod
    def _take_tokens(
        self, limit: RateLimit, key: LeaseKey, count: int, return_count: int
    ) -> int | None:
        """Take tokens from the bucket after these were returned. Microseconds until it is full
        again; None if it had too few."""

    @abstractmethod
    def _time_until_full(self, limit: RateLimit, key: LeaseKey, return_count: int) -> int:
        """Microseconds until the bucket is full, if these tokens are returned."""

    def give_back(self, limit: RateLimit, caller: str) -> None:
        """Keep an unneeded token for the next request."""
        with self._lock:
            lease = self._leases.get((limit.name, caller))
            if lease is not None and not lease.is_refusal:
                lease.tokens += 1

    def _renew_lease(
        self, limit: RateLimit, key: LeaseKey, tokens: int, count: int, return_count: int
    ) -> Verdict:
        time_until_full = self._take_tokens(limit, key, count, return_count)
        if time_until_full is None and count > tokens:
            count = tokens
            time_until_full = self._take_tokens(limit, key, tokens, return_count)
        if time_until_full is None:
            time_until_full = self._time_until_full(limit, key, return_count)
            wait_seconds = max(limit.seconds_until(tokens, time_until_full), 0.001)
            if tokens > 1:
                return self._refuse_several(key, return_count, wait_seconds)
            return self._refuse(key, wait_seconds)
        lease = Lease(
            count - tokens, count, limit.tokens_left(time_until_full), monotonic() + LEASE_SECONDS
        )
        with self._lock:
            previous = self._leases.get(key)
            if previous is not None:
                lease.tokens += previous.tokens  # another thread has renewed the lease meanwhile
            self._store_lease(key, lease)
        return Verdict(True, count - tokens + lease.left_in_bucket)

    def _refuse_several(self, key: LeaseKey, return_count: int, wait_seconds: float) -> Verdict:
        """Refuse a request for several tokens, and keep those that are there for smaller ones."""
        with self._lock:
            lease = self._leases.get(key)
            if lease is not None and not lease.is_refusal:
                lease.tokens += return_count
        return Verdict(False, 0, wait_seconds)

    def _refuse(self, key: LeaseKey, wait_seconds: float) -> Verdict:
        with self._lock:
            lease = self._leases.get(key)
            if lease is not None and lease.tokens:
                return lease.grant(1)  # another thread has taken the last ones meanwhile
            self._store_lease(key, Lease(0, 0, 0, monotonic() + wait_seconds, is_refusal=True))
        return Verdict(False, 0, wait_seconds)

    def _store_lease(self, key: LeaseKey, lease: Lease) -> None:
        self._leases[key] = lease
        self._leases.move_to_end(key)
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
    return max(1, min(2 * lease.tokens_taken, largest_lease(limit))), 0


def largest_lease(limit: RateLimit) -> int:
    """The most tokens of a lease."""
    return limit.quota // LEASE_QUOTA_DIVISOR


# -- in the database ------------------------------------------------------------------------------

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


class DatabaseBuckets(LeasedBuckets):
    """Buckets in the database, shared by all processes that use it."""

    def _take_tokens(
        self, limit: RateLimit, key: LeaseKey, count: int, return_count: int
    ) -> int | None:
        row = _fetch_row(
            _TAKE_SQL,
            limit,
            key,
            cost=count * limit.token_interval,
            back=return_count * limit.token_interval,
        )
        return row[0] if row else None

    def _time_until_full(self, limit: RateLimit, key: LeaseKey, return_count: int) -> int:
        row = _fetch_row(_TIME_UNTIL_FULL_SQL, limit, key, back=return_count * limit.token_interval)
        return row[0] if row else 0


def _fetch_row(
    statement: str, limit: RateLimit, key: LeaseKey, **numbers: int
) -> tuple[int] | None:
    sql = statement.format(now=_CLOCK_SQL[connection.vendor])
    if connection.vendor == "postgresql":
        sql = sql.replace("max(", "greatest(")
    parameters: dict[str, str | int] = {
        "key": ":".join(key),
        "depth": limit.fill_time,
        "now": int(time() * MICROSECONDS_PER_SECOND),
        **numbers,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        row: tuple[int] | None = cursor.fetchone()
    return row


# -- in Redis -------------------------------------------------------------------------------------

REDIS_KEY_PREFIX: Final = "tabularium:limit:"

# with a cost of 0 nothing changes
_TAKE_SCRIPT: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cost, depth, back = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full_at = math.max(tonumber(redis.call('GET', KEYS[1]) or 0) - back, now) + cost
if cost > 0 and full_at <= now + depth then
  -- a plain number would lose digits on its way into a string
  redis.call('SET', KEYS[1], string.format('%.0f', full_at),
             'PX', math.ceil((full_at - now) / 1000) + 1)
  return {1, full_at - now}
end
return {0, full_at - cost - now}
"""


class RedisBuckets(LeasedBuckets):
    """Buckets in Redis, shared by all processes and machines that use it."""

    def __init__(self, url: str, fallback: Buckets) -> None:
        super().__init__()
        self._redis = request_client(url)
        self._take_script = self._redis.register_script(_TAKE_SCRIPT)
        self._fallback = fallback
        self._unavailable_until = 0.0

    def take(self, limit: RateLimit, caller: str, tokens: int = 1) -> Verdict:
        """Take tokens from the lease, or else from the bucket."""
        if monotonic() < self._unavailable_until:
            return self._fallback.take(limit, caller, tokens)
        try:
            return super().take(limit, caller, tokens)
        except redis.RedisError as problem:
            self._leave_redis(problem)
            return self._fallback.take(limit, caller, tokens)

    def renew(self) -> None:
        """Renew the leases in use."""
        if monotonic() < self._unavailable_until:
            self._fallback.renew()
            return
        try:
            super().renew()
        except redis.RedisError as problem:
            self._leave_redis(problem)

    def _leave_redis(self, problem: redis.RedisError) -> None:
        logger.warning("Redis is unavailable, the rate limits are stored elsewhere: %s", problem)
        self._unavailable_until = monotonic() + RETRY_SECONDS

    def take_at_hand(self, limit: RateLimit, caller: str) -> Verdict | None:
        """Take a token from the lease."""
        if monotonic() < self._unavailable_until:
            return self._fallback.take_at_hand(limit, caller)
        return super().take_at_hand(limit, caller)

    def _take_for_all(self, orders: Sequence[LeaseOrder]) -> list[int | None]:
        if not orders:
            return []
        with self._redis.pipeline(transaction=False) as pipeline:
            for order in orders:
                self._call(order, pipeline)
            replies = pipeline.execute()
        return [time_until_full if is_granted else None for is_granted, time_until_full in replies]

    def _take_tokens(
        self, limit: RateLimit, key: LeaseKey, count: int, return_count: int
    ) -> int | None:
        is_granted, time_until_full = self._run(limit, key, count, return_count)
        return time_until_full if is_granted else None

    def _time_until_full(self, limit: RateLimit, key: LeaseKey, return_count: int) -> int:
        return self._run(limit, key, 0, return_count)[1]

    def _run(
        self, limit: RateLimit, key: LeaseKey, count: int, return_count: int
    ) -> tuple[bool, int]:
        is_granted, time_until_full = self._call(LeaseOrder(limit, key, count, return_count))
        return bool(is_granted), time_until_full

    def _call(self, order: LeaseOrder, client: redis.Redis | None = None) -> Any:
        """Run the script; with a pipeline as the client, later."""
        limit, key, *counts = order
        cost, back = (count * limit.token_interval for count in counts)
        keys = [f"{REDIS_KEY_PREFIX}{':'.join(key)}"]
        return self._take_script(keys, [cost, limit.fill_time, back], client=client)
