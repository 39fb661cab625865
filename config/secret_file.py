"""Files for a machine's secrets: complete or absent, and readable only by their owner."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp


def new_token() -> str:
    """A new random token, for secrets other than the game keys."""
    return secrets.token_urlsafe(64)


def load_or_create(path: Path, fresh: Callable[[], str]) -> str:
    """The content of `path`, created on the first call."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = mkstemp(prefix=f"{path.name}.", dir=path.parent)  # with mode 0600
        with os.fdopen(descriptor, "w", encoding="ascii") as writing:
            writing.write(fresh())
        fsync_path(Path(draft))
        with suppress(FileExistsError):  # another process was faster
            path.hardlink_to(draft)
        Path(draft).unlink()
        fsync_path(path.parent)
    return path.read_text(encoding="ascii", errors="replace")


def fsync_path(path: Path) -> None:
    """Wait until a file, or a folder's directory entries, are on disk: a game sealed with a key
    lost in a power cut could never be opened."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
