"""The key files of a machine: its signing, sealing and secret keys, given in the environment or
kept in files, each complete or absent, and readable only by its owner.

A missing file is created, unless the database holds games, which a new key could not decrypt. The
database is asked without Django, which is not set up yet.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import mkstemp
from threading import Lock
from typing import Any, Final

import psycopg

from config.environment import (
    VARIABLE_PREFIX,
    ConfigurationError,
    database_settings,
    read_list,
    read_text,
)

KEY_BYTES: Final = 32
ANY_GAME_QUERY: Final = "SELECT 1 FROM games_game LIMIT 1"


class MissingKeysError(RuntimeError):
    """A required key is missing."""


class DatabaseUnreachableError(MissingKeysError):
    """A key is missing, and the database cannot be asked whether it is required."""


def secret_key(folder: Path) -> str:
    """The key from the environment, or this machine's own, created once in `folder`."""
    return read_text("SECRET_KEY", "") or load_or_create(folder / "secret_key", new_token)


def signing_keys(folder: Path) -> KeyList:
    """The keys that sign receipts and log heads: the first signs new games, each its own games."""
    key, keys = read_text("SIGNING_KEY", ""), read_list("SIGNING_KEYS", "")
    if key and keys:
        raise ConfigurationError(
            f"Set {VARIABLE_PREFIX}SIGNING_KEYS or {VARIABLE_PREFIX}SIGNING_KEY, not both."
        )
    return KeyList("SIGNING_KEYS", keys or [key] * bool(key), folder / "signing_key")


def sealing_keys(folder: Path) -> KeyList:
    """The keys that encrypt the games' secrets: the first encrypts, all of them decrypt."""
    return KeyList("SEALING_KEYS", read_list("SEALING_KEYS", ""), folder / "sealing_key")


def record_keys(folder: Path) -> KeyList:
    """The keys that sign the public record, all of them each checkpoint."""
    return KeyList("RECORD_KEYS", read_list("RECORD_KEYS", ""), folder / "record_key")


def witness_keys(folder: Path) -> KeyList:
    """The keys that cosign the checkpoints of other logs, all of them each."""
    return KeyList("WITNESS_KEYS", read_list("WITNESS_KEYS", ""), folder / "witness_key")


class KeyList(Sequence[bytes]):
    """The keys of one kind, in order: given, or read from a file of this machine, one per line. The
    file is read, or created, when a key is first needed: only then is it known whether the database
    belongs to keys that are missing here."""

    def __init__(self, name: str, texts: Sequence[str], path: Path) -> None:
        self.name, self.path = name, path
        self._keys = [parse_key(name, text) for text in texts]
        self._load_lock = Lock()

    def __getitem__(self, index: Any) -> Any:
        return self.load()[index]

    def __len__(self) -> int:
        return len(self.load())

    @property
    def has_key(self) -> bool:
        """Whether a key exists, so that none needs to be created."""
        return bool(self._keys) or self.path.exists()

    def load(self, may_create: bool = False) -> list[bytes]:
        """The keys. A missing file is created if the database is empty; otherwise only if it
        `may_create`."""
        with self._load_lock:
            if not self._keys:
                if not may_create and not self.has_key:
                    refuse_new_key(self.path, self.name)
                lines = load_or_create(self.path, new_hex_key).split() or [""]
                self._keys = [parse_key(self.name, line, self.path) for line in lines]
        return self._keys


def refuse_new_key(path: Path, name: str) -> None:
    """Refuse a new key for a database with games, as it could decrypt none of them."""
    try:
        is_needed = has_games(database_settings(path.parent))
    except psycopg.OperationalError as problem:
        sentence = (
            f"The file {path} is missing, and the database cannot be asked whether it is needed:"
        )
        raise DatabaseUnreachableError(f"{sentence} {str(problem).strip()}") from problem
    if is_needed and not path.exists():  # the key and the game may both be new
        raise MissingKeysError(
            f"The file {path} is missing, and the database holds games: restore the key "
            f"there, set {VARIABLE_PREFIX}DATA to the folder that contains it or "
            f"{VARIABLE_PREFIX}{name} to the key itself, or accept a new key with "
            "`manage.py keys adopt`."
        )


def new_hex_key() -> str:
    """A new random key."""
    return os.urandom(KEY_BYTES).hex()


def parse_key(name: str, text: str, path: Path | None = None) -> bytes:
    """A key from its 64 hexadecimal digits. The error omits the value, which may be a secret."""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigurationError(
            f"{path or VARIABLE_PREFIX + name} must have 64 hexadecimal digits per key."
        )
    return key


# -- files ----------------------------------------------------------------------------------------


def new_token() -> str:
    """A new random token, for secrets other than the game keys."""
    return secrets.token_urlsafe(64)


def load_or_create(path: Path, create_content: Callable[[], str]) -> str:
    """The content of `path`, created on the first call."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = mkstemp(prefix=f"{path.name}.", dir=path.parent)  # with mode 0600
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(create_content())
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


# -- games in the database ------------------------------------------------------------------------


def has_games(database: dict[str, Any]) -> bool:
    """Whether the database holds a game. Raises psycopg.OperationalError if no server answers."""
    name = database["NAME"]
    return (
        has_games_in_sqlite(Path(name))
        if isinstance(name, Path)
        else has_games_in_postgres(database)
    )


def has_games_in_sqlite(path: Path) -> bool:
    """Whether a SQLite file holds a game; a missing file is not created."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
        return finds_game(file.execute, sqlite3.OperationalError)


def has_games_in_postgres(database: dict[str, Any]) -> bool:
    """Whether a PostgreSQL database holds a game."""
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host"}
    values = {
        parameter: database[setting] for setting, parameter in {**names, "PORT": "port"}.items()
    }
    parameters = {name: value for name, value in values.items() if value}
    with psycopg.connect(**parameters, **database["OPTIONS"]) as server:
        return finds_game(server.execute, psycopg.errors.UndefinedTable)


def finds_game(execute: Callable[[str], Any], no_table: type[Exception]) -> bool:
    """Whether there is a game. A database without the table has none."""
    try:
        return execute(ANY_GAME_QUERY).fetchone() is not None
    except no_table as problem:
        if "games_game" not in str(problem):
            raise
        return False
