"""The guard: a file outside the database that keeps the largest tree about to be signed.

The database may be replaced by an older dump, and would then grow another tree than the one that
was signed. The guard does not go back with it: it is on the disk before each signature, and a tree
that does not continue the guard's is not signed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from record.durable_file import write_durably
from tabularium_log.record.errors import MalformedError
from tabularium_log.record.hashes import HASH_BYTES

FORMAT: Final = "guard/1"


@dataclass(frozen=True)
class Guard:
    """The tree that a signature may be about."""

    token: str  # the tree names the guard that may sign it
    origin: str
    size: int
    root: str  # in hex

    @property
    def text(self) -> str:
        """The file's text."""
        return json.dumps({"format": FORMAT, **asdict(self)}, sort_keys=True) + "\n"


def read_guard(path: Path) -> Guard | None:
    """The guard, if the file exists."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        members = json.loads(text)
        guard = Guard(**{name: members[name] for name in Guard.__dataclass_fields__})
        is_whole = members["format"] == FORMAT and _is_sound(guard)
    except (ValueError, TypeError, KeyError):
        is_whole = False
    if not is_whole:
        raise MalformedError(f"The guard {path} cannot be read.")
    return guard


def _is_sound(guard: Guard) -> bool:
    values: tuple[Any, ...] = (guard.token, guard.origin, guard.root)
    return (
        all(type(value) is str for value in values)
        and type(guard.size) is int
        and guard.size >= 0
        and len(bytes.fromhex(guard.root)) == HASH_BYTES
    )


def write_guard(path: Path, guard: Guard) -> None:
    """Put a guard in the place of the one before it; it is on the disk when this returns."""
    write_durably(path, guard.text.encode())
