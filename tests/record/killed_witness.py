"""A witness that kills itself before a statement, beside a commit, or beside a step of writing its
guard."""

from __future__ import annotations

import os
import sys
from base64 import b64decode

from record.witness import add_checkpoint
from tests.support.kill_points import killed_at


def main(arguments: list[str]) -> None:
    """Cosign, and die at the point of that number, unless there are fewer."""
    body, last = arguments
    with killed_at(int(last)) as between_points:
        for name in ("fsync", "replace"):
            setattr(os, name, between_points(getattr(os, name)))
        lines = add_checkpoint(b64decode(body))
    sys.stdout.write(lines.decode())
