"""How are buckets kept in Redis? As one number each, in one round trip; while Redis is away, in the
database."""

from __future__ import annotations

import logging
from time import monotonic
from typing import Final

import redis

from api.limits.buckets import SECOND, Buckets, Limit, Verdict

logger = logging.getLogger(__name__)
PREFIX: Final = "tabularium:limit:"
PATIENCE: Final = 0.5  # seconds that a request waits for Redis
PAUSE: Final = 10.0  # seconds until a Redis that failed is asked again

_TAKE: Final = """
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
_GIVE_BACK: Final = """
local full_at = tonumber(redis.call('GET', KEYS[1]) or 0) - tonumber(ARGV[1])
redis.call('SET', KEYS[1], string.format('%.0f', full_at), 'XX', 'KEEPTTL')
"""


class Shared:
    """Buckets in Redis, shared by all processes and machines that use it."""

    def __init__(self, url: str, otherwise: Buckets) -> None:
        self._redis = redis.Redis.from_url(
            url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE
        )
        self._take = self._redis.register_script(_TAKE)
        self._give_back = self._redis.register_script(_GIVE_BACK)
        self._otherwise = otherwise
        self._away_until = 0.0

    def take(self, limit: Limit, caller: str) -> Verdict:
        """A token out of the bucket."""
        if monotonic() < self._away_until:
            return self._otherwise.take(limit, caller)
        try:
            granted, behind = self._take(_keys(limit, caller), [limit.interval, limit.depth])
        except redis.RedisError as problem:
            logger.warning("Limits are kept in the database: %s", problem)
            self._away_until = monotonic() + PAUSE
            return self._otherwise.take(limit, caller)
        if granted:
            return Verdict(True, limit.left(behind))
        return Verdict(False, 0, max(limit.wait(behind), 1 / SECOND))

    def give_back(self, limit: Limit, caller: str) -> None:
        """A token that was not needed; if Redis is away, never mind."""
        try:
            self._give_back(_keys(limit, caller), [limit.interval])
        except redis.RedisError as problem:
            logger.warning("A token was not given back: %s", problem)


def _keys(limit: Limit, caller: str) -> list[str]:
    return [f"{PREFIX}{limit.name}:{caller}"]
