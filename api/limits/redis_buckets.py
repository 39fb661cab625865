"""Buckets in Redis, one number each, changed in one round trip. The database is the fallback."""

from __future__ import annotations

import logging
from time import monotonic
from typing import Final

import redis

from api.limits.buckets import MICROSECONDS_PER_SECOND, Buckets, RateLimit, Verdict

logger = logging.getLogger(__name__)
REDIS_KEY_PREFIX: Final = "tabularium:limit:"
REDIS_TIMEOUT_SECONDS: Final = 0.5  # seconds that a request waits for Redis
REDIS_RETRY_SECONDS: Final = 10.0  # seconds until a Redis that failed is asked again

_TAKE_SCRIPT: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, depth = tonumber(ARGV[1]), tonumber(ARGV[2])
local full_at = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + interval
if full_at <= now + depth then
  -- a plain number would lose digits on its way into a string
  redis.call('SET', KEYS[1], string.format('%.0f', full_at),
             'PX', math.ceil((full_at - now) / 1000) + 1)
  return {1, full_at - now}
end
return {0, full_at - interval - now}
"""
_GIVE_BACK_SCRIPT: Final = """
local full_at = tonumber(redis.call('GET', KEYS[1]) or 0) - tonumber(ARGV[1])
redis.call('SET', KEYS[1], string.format('%.0f', full_at), 'XX', 'KEEPTTL')
"""


class RedisBuckets:
    """Buckets in Redis, shared by all processes and machines that use it."""

    def __init__(self, url: str, otherwise: Buckets) -> None:
        self._redis = redis.Redis.from_url(
            url, socket_connect_timeout=REDIS_TIMEOUT_SECONDS, socket_timeout=REDIS_TIMEOUT_SECONDS
        )
        self._take_script = self._redis.register_script(_TAKE_SCRIPT)
        self._give_back_script = self._redis.register_script(_GIVE_BACK_SCRIPT)
        self._fallback = otherwise
        self._unavailable_until = 0.0

    def take(self, limit: RateLimit, caller: str) -> Verdict:
        """Take a token from the bucket."""
        if monotonic() < self._unavailable_until:
            return self._fallback.take(limit, caller)
        try:
            granted, behind = self._take_script(
                _bucket_keys(limit, caller), [limit.token_interval, limit.fill_time]
            )
        except redis.RedisError as problem:
            logger.warning(
                "Redis is unavailable, the rate limits are stored in the database: %s", problem
            )
            self._unavailable_until = monotonic() + REDIS_RETRY_SECONDS
            return self._fallback.take(limit, caller)
        if granted:
            return Verdict(True, limit.tokens_left(behind))
        return Verdict(
            False, 0, max(limit.seconds_until_token(behind), 1 / MICROSECONDS_PER_SECOND)
        )

    def give_back(self, limit: RateLimit, caller: str) -> None:
        """Return an unneeded token; ignored if Redis is away."""
        try:
            self._give_back_script(_bucket_keys(limit, caller), [limit.token_interval])
        except redis.RedisError as problem:
            logger.warning("A token was not returned to its bucket: %s", problem)


def _bucket_keys(limit: RateLimit, caller: str) -> list[str]:
    return [f"{REDIS_KEY_PREFIX}{limit.name}:{caller}"]
