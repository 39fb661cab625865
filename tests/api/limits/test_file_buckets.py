"""Buckets in a file: they outlast processes, and requests wait neither for a process that hangs nor
for a disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

import pytest

from api.limits import file_buckets
from api.limits.file_buckets import FILE_RETRY_SECONDS, FileBuckets, bucket_name
from api.limits.token_buckets import RateLimit
from tests.api.limits.clocks import Later, advancing

LIMIT: Final = RateLimit("read", 10, 36_000)
HOLD: Final = """
import os, sys
from pathlib import Path
from api.limits.file_buckets import *
table = FileBuckets(Path(sys.argv[1]))
with table._hold_set(int(sys.argv[2]), 1):
    print(flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file."""
    return tmp_path / "limits"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Advance the clocks that the buckets read."""
    return advancing(monkeypatch, file_buckets)


def granted_count(buckets: FileBuckets, times: int, limit: RateLimit = LIMIT) -> int:
    """How many of this many requests get a token."""
    return sum(buckets.take(limit, "me").is_granted for _ in range(times))


@contextmanager
def held_set(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds the lock of my set."""
    command = [sys.executable, "-c", HOLD, str(path), str(bucket_name(LIMIT, "me"))]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env={**os.environ}) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"\n"
        yield holder
        holder.kill()


def test_they_outlast_the_process(path: Path) -> None:
    assert granted_count(FileBuckets(path), 7) == 7
    assert granted_count(FileBuckets(path), 7) == 3


def test_they_fill_up_evenly_and_never_over_the_quota(path: Path, later: Later) -> None:
    buckets, limit = FileBuckets(path), RateLimit("read", 60, 60)
    assert granted_count(buckets, 70, limit) == 60
    later(10.5)
    assert granted_count(buckets, 70, limit) == 10
    later(100_000)
    assert granted_count(buckets, 100, limit) == 60


def test_a_clock_that_was_ahead_locks_nobody_out(path: Path, later: Later) -> None:
    buckets, month = FileBuckets(path), 30 * 24 * 3600
    later(month)
    assert granted_count(buckets, 20) == 10
    later(-30)
    assert granted_count(buckets, 20) == 0, "a clock that was a little ahead gives nothing away"
    later(30 - month)
    assert granted_count(buckets, 20) == 10


def test_no_request_waits_for_a_process_that_hangs(path: Path, later: Later) -> None:
    buckets = FileBuckets(path)
    assert granted_count(buckets, 8) == 8
    with held_set(path) as holder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_buckets, "LOCK_SECONDS", 0.01)
        os.kill(holder.pid, signal.SIGSTOP)
        assert buckets.take_at_hand(LIMIT, "me") is None
        assert granted_count(buckets, 20) == 10, "in memory"
        assert buckets.take_at_hand(LIMIT, "me") is None, "in memory none is left"
    later(FILE_RETRY_SECONDS)
    assert granted_count(buckets, 20) == 2, "in the file again"


class LockOfAnotherThread:
    """A lock that another thread holds until this one waits for it, and so lets it run."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._lock.acquire()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Let the other thread end, if this one waits."""
        if blocking:
            self._lock.release()
        return self._lock.acquire(blocking, timeout)

    def release(self) -> None:
        """Release it."""
        self._lock.release()


def test_the_event_loop_waits_for_a_thread_that_takes_a_token(path: Path) -> None:
    """Otherwise it leaves its request to a thread, which then holds up the next one."""
    buckets = FileBuckets(path)
    vars(buckets)["_lock"] = LockOfAnotherThread()
    assert buckets.take_at_hand(LIMIT, "me") is not None


def test_a_killed_process_holds_nothing_up(path: Path) -> None:
    buckets = FileBuckets(path)
    with held_set(path):
        assert buckets.take_at_hand(LIMIT, "me") is None
    assert buckets.take_at_hand(LIMIT, "me") is not None


def test_a_disk_that_is_full_refuses_nobody(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    buckets = FileBuckets(path)
    write = os.pwrite

    def refuse(descriptor: int, data: bytes, offset: int) -> int:
        if os.path.samestat(os.fstat(descriptor), path.stat()):
            raise OSError(28, "No space left on device")
        return write(descriptor, data, offset)

    monkeypatch.setattr(os, "pwrite", refuse)
    assert granted_count(buckets, 20) == 10


def test_a_folder_that_is_missing_refuses_nobody(path: Path, later: Later) -> None:
    buckets = FileBuckets(path / "missing")
    assert granted_count(buckets, 20) == 10
    later(FILE_RETRY_SECONDS)
    assert granted_count(buckets, 20) == 0, "the table in memory is kept"
    path.mkdir()
    later(FILE_RETRY_SECONDS)
    assert granted_count(buckets, 20) == 10, "the file is new"


def test_a_full_set_forgets_the_bucket_that_is_full_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_buckets, "SETS", 1)
    buckets, empty = FileBuckets(path), RateLimit("read", 1, 36_000)
    for number in range(file_buckets.SLOTS_PER_SET - 1):
        assert buckets.take(empty, f"empty {number}").is_granted
    for number in range(100):
        assert buckets.take(LIMIT, str(number)).is_granted
    assert not any(
        buckets.take(empty, f"empty {number}").is_granted
        for number in range(file_buckets.SLOTS_PER_SET - 1)
    )
