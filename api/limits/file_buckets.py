"""Token buckets in a file, shared by all processes of one machine.

The file is a table of fixed size. It is read and written in place under locks of byte ranges, never
synced, and no process holds tokens of its own: each request takes one from the table, which costs a
few microseconds and no query. A bucket belongs to a set of slots; if its set has no free one, it
replaces the bucket that is full again first.
"""

from __future__ import annotations

import fcntl
import logging
import os
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import monotonic, sleep, time
from typing import Final, NamedTuple

from api.limits.token_buckets import MICROSECONDS_PER_SECOND, RateLimit, Verdict

logger = logging.getLogger(__name__)

SLOT: Final = struct.Struct("<Qq")  # the bucket's name, hashed, and when it is full again
SLOTS_PER_SET: Final = 16
SET_BYTES: Final = SLOT.size * SLOTS_PER_SET
SETS: Final = 8192
TABLE_BYTES: Final = SET_BYTES * SETS
LOCK_SECONDS: Final = 0.5  # for which a thread waits until another process frees a set
LOCK_RETRY_SECONDS: Final = 0.0005
# for which the event loop waits until another thread has taken its token: that takes microseconds,
# and much longer only while the event loop keeps Python's own lock to itself
HAND_OVER_SECONDS: Final = 0.005
FILE_RETRY_SECONDS: Final = 10.0  # until a file that could not be used is tried again
NO_TIME: Final = 0  # in an empty slot: a bucket that is full


class BusyTable(Exception):
    """Another process holds the lock of a set."""


class Place(NamedTuple):
    """Where a bucket is or would be, and when it is full again."""

    offset: int  # in the table
    name: int
    full_at: int


class FileBuckets:
    """Buckets in a file beside the database; for a while in memory if the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()  # the locks of the file are the process's, not the thread's
        self._memory: int | None = None
        self._retry_at = 0.0
        self._table = self._open_table()

    def take(self, limit: RateLimit, caller: str, tokens: int = 1) -> Verdict:
        """Take that many tokens, if they are there."""
        name = bucket_name(limit, caller)
        with self._lock:
            try:
                with self._hold_set(name, LOCK_SECONDS) as place:
                    return self._take(limit, place, tokens)
            except (BusyTable, OSError) as problem:
                self._leave_file(problem)
                with self._hold_set(name, LOCK_SECONDS) as place:
                    return self._take(limit, place, tokens)

    def take_at_hand(self, limit: RateLimit, caller: str) -> Verdict | None:
        """Take a token without waiting for a process; None if that is impossible, or there is
        none."""
        if not self._lock.acquire(timeout=HAND_OVER_SECONDS):
            return None
        try:
            with self._hold_set(bucket_name(limit, caller), 0) as place:
                verdict = self._take(limit, place, 1)
        except (BusyTable, OSError):
            return None
        finally:
            self._lock.release()
        return verdict if verdict.is_granted else None

    def renew(self) -> None:
        """Nothing to do: no process has a lease."""

    def give_back(self, limit: RateLimit, caller: str) -> None:
        """Return a token that was not needed; it is lost if the file cannot be used."""
        with (
            self._lock,
            suppress(BusyTable, OSError),
            self._hold_set(bucket_name(limit, caller), 0) as place,
        ):
            self._write(place, max(place.full_at - limit.token_interval, NO_TIME))

    def _take(self, limit: RateLimit, place: Place, tokens: int) -> Verdict:
        now = int(time() * MICROSECONDS_PER_SECOND)
        full_at = max(place.full_at, now)
        if full_at > now + 2 * limit.fill_time:
            full_at = now  # written before the clock was set back
        new_full_at = full_at + tokens * limit.token_interval
        if new_full_at <= now + limit.fill_time:
            self._write(place, new_full_at)
            return Verdict(True, limit.tokens_left(new_full_at - now))
        wait_seconds = limit.seconds_until(tokens, full_at - now)
        return Verdict(False, 0, max(wait_seconds, 1 / MICROSECONDS_PER_SECOND))

    @contextmanager
    def _hold_set(self, name: int, seconds: float) -> Iterator[Place]:
        """Hold the lock of the bucket's set, and yield its place there."""
        if self._retry_at and monotonic() >= self._retry_at:
            self._retry_at = 0.0
            self._table = self._open_table()
        table, offset = self._table, name % SETS * SET_BYTES
        lock_set(table, offset, seconds)
        try:
            yield find_place(table, offset, name)
        finally:
            fcntl.lockf(table, fcntl.LOCK_UN, SET_BYTES, offset)

    def _write(self, place: Place, full_at: int) -> None:
        os.pwrite(self._table, SLOT.pack(place.name, full_at), place.offset)

    # -- the file, and the table in its place -----------------------------------------------------

    def _open_table(self) -> int:
        """The descriptor of the table in the file, or of the one in memory."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            os.truncate(descriptor, TABLE_BYTES)
        except OSError as problem:
            return self._memory_table(problem)
        return descriptor

    def _leave_file(self, problem: Exception) -> None:
        """Continue in memory: no request waits for a process that hangs, or fails for want of disk
        space."""
        if self._table != self._memory:
            os.close(self._table)
        self._table = self._memory_table(problem)

    def _memory_table(self, problem: Exception) -> int:
        logger.warning("Rate limits are in the memory of this process for a while: %r", problem)
        self._retry_at = monotonic() + FILE_RETRY_SECONDS
        if self._memory is None:
            self._memory = nameless_table()
        return self._memory


def nameless_table() -> int:
    """The descriptor of a table that ends with this process."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("limits")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.truncate(descriptor, TABLE_BYTES)
    return descriptor


def bucket_name(limit: RateLimit, caller: str) -> int:
    """The name of a bucket as a number other than 0."""
    digest = blake2b(f"{limit.name}:{caller}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) or 1


def lock_set(table: int, offset: int, seconds: float) -> None:
    """Lock a set of slots; raises BusyTable if another process holds it for longer."""
    deadline = monotonic() + seconds
    while True:
        try:
            fcntl.lockf(table, fcntl.LOCK_EX | fcntl.LOCK_NB, SET_BYTES, offset)
        except BlockingIOError as problem:
            if monotonic() >= deadline:
                raise BusyTable(f"the set at {offset} is locked") from problem
        else:
            return
        sleep(LOCK_RETRY_SECONDS)


def find_place(table: int, offset: int, name: int) -> Place:
    """The place of a bucket in its set; a new one replaces the one that is full first."""
    slots = list(SLOT.iter_unpack(os.pread(table, SET_BYTES, offset)))
    for index, (present_name, full_at) in enumerate(slots):
        if present_name == name:
            return Place(offset + index * SLOT.size, name, full_at)
    index = min(range(SLOTS_PER_SET), key=lambda slot: slots[slot][1])
    return Place(offset + index * SLOT.size, name, NO_TIME)
