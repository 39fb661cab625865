"""What does this machine want different? It says so in variables that begin with TABULARIUM_."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

PREFIX: Final = "TABULARIUM_"


class Misconfigured(ValueError):
    """A variable says something that cannot be meant."""


def text(name: str, default: str) -> str:
    """A variable as it stands."""
    return os.environ.get(PREFIX + name, default)


def flag(name: str, default: bool) -> bool:
    """A variable that is "1" or "0"."""
    said = text(name, str(int(default)))
    if said not in ("0", "1"):
        raise Misconfigured(f"{PREFIX}{name} is 0 or 1, not {said!r}.")
    return said == "1"


def names(name: str, default: str) -> list[str]:
    """A variable with a list, separated by commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def secret_key(folder: Path) -> str:
    """The key given in the environment, or this machine's own, made once and kept in `folder`."""
    return text("SECRET_KEY", "") or kept_secret(folder / "secret_key")


def kept_secret(path: Path) -> str:
    """What `path` holds; on the first call a fresh secret, complete or not there at all."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64))
        with suppress(FileExistsError):  # another process was faster
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()
