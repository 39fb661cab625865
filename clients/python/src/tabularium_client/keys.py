"""Keys, and where they are kept."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Protocol


class KeyStore(Protocol):
    """A place for the keys of servers."""

    def load(self, server: str) -> str | None:
        """The key for a server, if there is one."""

    def save(self, server: str, key: str) -> None:
        """Keep the key for a server."""


class KeyFile:
    """Keeps keys in a file that its owner alone may read: a JSON object, by server."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def _keys(self) -> dict[str, str]:
        try:
            keys: dict[str, str] = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return keys

    def load(self, server: str) -> str | None:
        """The key for a server, if there is one."""
        return self._keys().get(server)

    def save(self, server: str, key: str) -> None:
        """Keep the key for a server. The file is replaced as a whole."""
        text = json.dumps({**self._keys(), server: key}, indent=2) + "\n"
        new = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        new.unlink(missing_ok=True)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        new.replace(self._path)
