"""The counts of open streams on several machines, in Redis. Within one machine they are on the
board of its processes (`api.process_board`), which needs no Redis.

A caller has a hash with the count of each process. The counts of a process are valid while its
sign of life is there, which it renews; that of a process killed on this machine is removed at once.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Final, cast

import redis
from django.conf import settings

from api.process_board import board, is_alive
from api.redis_client import RETRY_SECONDS, request_client
from games.logging_throttle import OncePerSecondFilter

COUNTS_PREFIX: Final = "tabularium:streams:"
SIGN_PREFIX: Final = "tabularium:process:"
SIGN_SECONDS: Final = 20  # for which the sign of a process is valid
RENEWAL_SECONDS: Final = 5.0
_TAKE_SCRIPT: Final = """
local own, limit, total = ARGV[1], tonumber(ARGV[2]), 0
redis.call('SET', ARGV[3] .. own, 1, 'EX', ARGV[4])
local counts = redis.call('HGETALL', KEYS[1])
for place = 1, #counts, 2 do
  if redis.call('EXISTS', ARGV[3] .. counts[place]) == 1 then
    total = total + tonumber(counts[place + 1])
  else
    redis.call('HDEL', KEYS[1], counts[place])
  end
end
if total >= limit then
  return 0
end
redis.call('HINCRBY', KEYS[1], own, 1)
redis.call('EXPIRE', KEYS[1], 86400)
return 1
"""
_GIVE_BACK_SCRIPT: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
   and redis.call('HINCRBY', KEYS[1], ARGV[1], -1) <= 0 then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
"""

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecondFilter())


class MachineCounts:
    """The counts of this process in Redis. While Redis is away, those of the machine have to do."""

    def __init__(self, url: str) -> None:
        self._redis = request_client(url)
        self._take_script = self._redis.register_script(_TAKE_SCRIPT)
        self._give_back_script = self._redis.register_script(_GIVE_BACK_SCRIPT)
        self._unavailable_until = 0.0
        self._returned_callers: SimpleQueue[str | None] = SimpleQueue()
        Thread(target=self._run, daemon=True, name="machine counts").start()

    def close(self) -> None:
        """End the thread, after what is given back already."""
        self._returned_callers.put(None)

    def take(self, caller: str, limit: int) -> bool:
        """Count one more for this caller, unless all machines together hold the limit."""
        if monotonic() < self._unavailable_until:
            return True
        return self._try(lambda: self._take(caller, limit) or self._take_again(caller, limit))

    def give_back(self, caller: str) -> None:
        """Count one less for this caller, soon: the event loop does not wait for Redis."""
        self._returned_callers.put(caller)

    def _take(self, caller: str, limit: int) -> bool:
        name = process_name(os.getpid())
        arguments: list[str | int] = [name, limit, SIGN_PREFIX, SIGN_SECONDS]
        return bool(self._take_script([COUNTS_PREFIX + caller], arguments))

    def _take_again(self, caller: str, limit: int) -> bool:
        """Take one after the processes that were killed on this machine are forgotten."""
        return self._forget_dead(caller) > 0 and self._take(caller, limit)

    def _forget_dead(self, caller: str) -> int:
        """Remove the signs of killed processes that have counts of this caller; their number."""
        names = cast("list[bytes]", self._redis.hkeys(COUNTS_PREFIX + caller))
        signs = [SIGN_PREFIX + name for name in map(bytes.decode, names) if is_dead(name)]
        return int(self._redis.delete(*signs)) if signs else 0

    # -- the thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        renewed_at = monotonic()
        while True:
            try:
                caller = self._returned_callers.get(timeout=RENEWAL_SECONDS)
            except Empty:
                pass
            else:
                if caller is None:
                    return
                self._give_back(caller)
            if monotonic() - renewed_at >= RENEWAL_SECONDS:
                renewed_at = monotonic()
                self._try(self._renew_sign)

    def _give_back(self, caller: str) -> None:
        name = process_name(os.getpid())
        self._try(lambda: self._give_back_script([COUNTS_PREFIX + caller], [name]))

    def _renew_sign(self) -> bool:
        return bool(self._redis.set(SIGN_PREFIX + process_name(os.getpid()), 1, ex=SIGN_SECONDS))

    def _try(self, call: Callable[[], bool]) -> bool:
        """The outcome of a call of Redis; True if it is away."""
        try:
            return call()
        except redis.RedisError as problem:
            logger.warning("Redis is away, streams are counted on each machine: %s", problem)
            self._unavailable_until = monotonic() + RETRY_SECONDS
            return True


def process_name(pid: int) -> str:
    """The name of a process of this machine, which no process of another one has."""
    return f"{board().name}:{pid}"


def is_dead(name: str) -> bool:
    """Whether a process is one of this machine, and has ended."""
    machine, _, pid = name.rpartition(":")
    return machine == board().name and not is_alive(int(pid))


class _Process:
    """The counts of this process, once it has counted a stream."""

    def __init__(self) -> None:
        self.counts: MachineCounts | None = None
        self.pid = 0
        self.lock = Lock()


_process: Final = _Process()


def machine_counts() -> MachineCounts | None:
    """The counts in Redis; None without Redis: then there is one machine."""
    if not settings.REDIS_URL:
        return None
    with _process.lock:
        if _process.counts is None or _process.pid != os.getpid():
            _process.counts, _process.pid = MachineCounts(settings.REDIS_URL), os.getpid()
        return _process.counts
