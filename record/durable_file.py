"""Files that take the place of others as a whole, and are on the disk before anything follows."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkstemp


def write_durably(path: Path, content: bytes) -> None:
    """Put a file in the place of the one before it; it is on the disk when this returns."""
    descriptor, draft = mkstemp(prefix=f"{path.name}.", dir=path.parent)  # with mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
