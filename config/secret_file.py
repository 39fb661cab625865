"""How does a machine keep a secret of its own? In a file that is complete or not there at all, and
that nobody else may read."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp


def new_token() -> str:
    """A fresh secret that is nobody's key."""
    return secrets.token_urlsafe(64)


def load_or_create(path: Path, fresh: Callable[[], str]) -> str:
    """What `path` holds; on the first call something fresh."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = mkstemp(prefix=f"{path.name}.", dir=path.parent)  # of mode 0600
        with os.fdopen(descriptor, "w", encoding="ascii") as writing:
            writing.write(fresh())
        fsync_path(Path(draft))
        with suppress(FileExistsError):  # another process was faster
            path.hardlink_to(draft)
        Path(draft).unlink()
        fsync_path(path.parent)
    return path.read_text(encoding="ascii", errors="replace")


def fsync_path(path: Path) -> None:
    """Wait until a file, or a folder's list of files, is on the disk: a game sealed with a key that
    a power cut takes away could never be opened."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
