"""Threads that use the database in a process that forks: it forks only while none of them does.

A child inherits the locks of SQLite as they are at the fork, but not the threads that hold them. If
another thread is about to open a database just then, the child waits for ever at its first query.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

MAX_WAIT_SECONDS: Final = 10.0  # for a database that does not answer; then the process forks

_in_use: Final = Lock()
_held_by_fork: Final[list[bool]] = []


@contextmanager
def no_fork() -> Iterator[None]:
    """Keep this process from forking for as long as this takes."""
    with _in_use:
        yield


def _wait_until_unused() -> None:
    _held_by_fork.append(_in_use.acquire(timeout=MAX_WAIT_SECONDS))


def _allow_use() -> None:
    if _held_by_fork.pop():
        _in_use.release()


os.register_at_fork(
    before=_wait_until_unused, after_in_parent=_allow_use, after_in_child=_allow_use
)
