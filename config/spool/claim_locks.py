"""Locks of claims in the spool: they show which process holds a claim, and whether it is alive.

A claimant is a folder for claims and a locked file of the same name. The kernel drops the lock when
the process dies for any reason; a process number alone may have been reused.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final
from uuid import uuid4

LOCK_SUFFIX: Final = ".lock"

# A process is one claimant of a folder, however many connections it opens: closing any descriptor
# of a locked file would drop the lock. The descriptor stays open until the process ends.
_own_claim_folders: Final[dict[tuple[int, Path], Path]] = {}
_enrolment_lock: Final = Lock()


def own_claim_folder(claims: Path, drafts: Path) -> Path:
    """The folder for the claims of this process; a forked child has another one."""
    key = (os.getpid(), claims)
    with _enrolment_lock:
        if key not in _own_claim_folders:
            _own_claim_folders[key] = create_claim_folder(claims, drafts)
    return _own_claim_folders[key]


def create_claim_folder(claims: Path, drafts: Path) -> Path:
    """A new claimant, locked before other processes can see it."""
    name = f"{os.getpid()}-{uuid4().hex}"
    draft = drafts / (name + LOCK_SUFFIX)
    descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    fcntl.lockf(descriptor, fcntl.LOCK_EX)  # not flock, which a forked child would share
    folder = claims / name
    folder.mkdir()
    os.replace(draft, claims / (name + LOCK_SUFFIX))
    return folder


def reap_dead(claims: Path) -> Iterator[Path]:
    """The folders of dead claimants, each removed once the caller has emptied it."""
    own_folder = _own_claim_folders.get((os.getpid(), claims))
    for lock in claims.glob("*" + LOCK_SUFFIX):
        folder = lock.with_suffix("")
        if folder == own_folder:
            continue
        with try_lock(lock) as is_dead:
            if is_dead:
                yield folder
                with suppress(OSError):  # removed by another process, or not empty yet
                    folder.rmdir()
                    lock.unlink()


@contextmanager
def try_lock(lock: Path) -> Iterator[bool]:
    """Whether this process can lock the file; if so, it holds the lock meanwhile."""
    try:
        descriptor = os.open(lock, os.O_RDWR)
    except OSError:  # gone, or not a file
        yield False
        return
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)
