"""Environment variables: TABULARIUM_…, and the common DATABASE_URL, REDIS_URL and PORT."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from psycopg import OperationalError

from config.secret_file import load_or_create, new_token
from config.stored_games_check import has_games

VARIABLE_PREFIX: Final = "TABULARIUM_"
POSTGRES_SCHEMES: Final = ("postgres", "postgresql")
KEY_BYTES: Final = 32
DEFAULT_STATEMENT_SECONDS: Final = 20  # time limit of a statement
LOCK_TIMEOUT_DIVISOR: Final = 2  # the lock timeout is half of the statement timeout
IDLE_TRANSACTION_SECONDS: Final = 60  # seconds for which a transaction may be idle


class ConfigurationError(ValueError):
    """A variable has an invalid value."""


class MissingKeysError(RuntimeError):
    """A required key is missing."""


class DatabaseUnreachableError(MissingKeysError):
    """A key is missing, and the database cannot be asked whether it is required."""


def read_text(name: str, default: str) -> str:
    """The text of a variable."""
    return os.environ.get(VARIABLE_PREFIX + name, default)


def read_flag(name: str, default: bool) -> bool:
    """A variable that is "1" or "0"."""
    said = read_text(name, str(int(default)))
    if said not in ("0", "1"):
        raise ConfigurationError(f"{VARIABLE_PREFIX}{name} must be 0 or 1, not {said!r}.")
    return said == "1"


def read_list(name: str, default: str) -> list[str]:
    """A variable with a comma-separated list."""
    return [part.strip() for part in read_text(name, default).split(",") if part.strip()]


# -- addresses ------------------------------------------------------------------------------------


def read_port() -> int:
    """PORT, on which the web server listens."""
    said = os.environ.get("PORT") or "8000"
    if not said.isascii() or not said.isdigit() or not 0 < int(said) < 65536:
        raise ConfigurationError(f"PORT must be a number from 1 to 65535, not {said!r}.")
    return int(said)


def read_redis_url() -> str:
    """REDIS_URL, or nothing: then the broker is a folder of this machine."""
    said = os.environ.get("REDIS_URL", "")
    if said and urlsplit(said).scheme not in ("redis", "rediss", "unix"):
        raise ConfigurationError("REDIS_URL must begin with redis://, rediss:// or unix://.")
    return said


def database_settings(folder: Path, seconds: int = DEFAULT_STATEMENT_SECONDS) -> dict[str, Any]:
    """The database of DATABASE_URL, or SQLite in `folder`, with a time limit per statement."""
    said = os.environ.get("DATABASE_URL", "")
    return (
        postgres_settings(said, seconds)
        if said
        else sqlite_settings(folder / "tabularium.sqlite3", seconds)
    )


def sqlite_settings(path: Path, seconds: int = DEFAULT_STATEMENT_SECONDS) -> dict[str, Any]:
    """SQLite: one file, whose writers queue and whose commits survive a power cut."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",  # a writer waits for its turn instead of failing
            "timeout": seconds,
            # FULL: acknowledged commits survive a power cut; recursive triggers: otherwise REPLACE
            # would bypass the triggers that keep the log append-only
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            "PRAGMA recursive_triggers=ON; PRAGMA foreign_keys=ON",
        },
    }


def postgres_settings(url: str, seconds: int = DEFAULT_STATEMENT_SECONDS) -> dict[str, Any]:
    """The settings for `postgres://user:password@host:port/name?sslmode=require`."""
    said = urlsplit(url)
    name = unquote(said.path.lstrip("/"))
    if said.scheme not in POSTGRES_SCHEMES or not name:
        raise ConfigurationError(
            "DATABASE_URL must have the form postgres://user:password@host:port/name."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(said.username or ""),
        "PASSWORD": unquote(said.password or ""),
        "HOST": unquote(said.hostname or ""),
        "PORT": str(url_port(said)),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        # a server may be configured to acknowledge before it has written: not for a log
        "OPTIONS": {
            **_network_limits(seconds),
            **dict(parse_qsl(said.query)),
            "options": f"{_server_limits(seconds)} -c synchronous_commit=on",
        },
    }


def _network_limits(seconds: int) -> dict[str, str]:
    """Let libpq detect that the server or the network is gone: sent data is not confirmed, or
    keepalives of an idle connection get no answer."""
    return {
        "connect_timeout": "5",
        "tcp_user_timeout": f"{seconds * 1000 // 2}",  # milliseconds
        "keepalives": "1",
        "keepalives_idle": "5",
        "keepalives_interval": "2",
        "keepalives_count": "3",
    }


def _server_limits(seconds: int) -> str:
    """Server-side limits, set on each connection."""
    limits = {
        "statement_timeout": seconds,
        "lock_timeout": seconds // LOCK_TIMEOUT_DIVISOR,
        "idle_in_transaction_session_timeout": IDLE_TRANSACTION_SECONDS,
    }
    return " ".join(f"-c {name}={limit}s" for name, limit in limits.items())


def url_port(url: SplitResult) -> int | str:
    """The port in a URL, if there is one."""
    try:
        return url.port or ""
    except ValueError as broken:
        raise ConfigurationError("DATABASE_URL has an invalid port.") from broken


# -- secrets --------------------------------------------------------------------------------------


def secret_key(folder: Path) -> str:
    """The key from the environment, or this machine's own, created once in `folder`."""
    return read_text("SECRET_KEY", "") or load_or_create(folder / "secret_key", new_token)


def signing_keys(folder: Path) -> KeyList:
    """The keys that sign receipts and log heads: the first signs new games, each its own games."""
    one, several = read_text("SIGNING_KEY", ""), read_list("SIGNING_KEYS", "")
    if one and several:
        raise ConfigurationError(
            f"Set {VARIABLE_PREFIX}SIGNING_KEYS or {VARIABLE_PREFIX}SIGNING_KEY, not both."
        )
    return KeyList("SIGNING_KEYS", several or [one] * bool(one), folder / "signing_key")


def sealing_keys(folder: Path) -> KeyList:
    """The keys that encrypt the games' secrets: the first encrypts, all of them decrypt."""
    return KeyList("SEALING_KEYS", read_list("SEALING_KEYS", ""), folder / "sealing_key")


class KeyList(Sequence[bytes]):
    """The keys of one kind, in order: given, or read from a file of this machine, one per line. The
    file is read, or created, when a key is first needed: only then is it known whether the database
    belongs to keys that are missing here."""

    def __init__(self, name: str, said: Sequence[str], path: Path) -> None:
        self.name, self.path = name, path
        self._keys = [parse_key(name, each) for each in said]
        self._load_lock = Lock()

    def __getitem__(self, place: Any) -> Any:
        return self.load()[place]

    def __len__(self) -> int:
        return len(self.load())

    @property
    def is_there(self) -> bool:
        """Whether no key needs to be created."""
        return bool(self._keys) or self.path.exists()

    def load(self, is_welcome: bool = False) -> list[bytes]:
        """The keys. A missing file is created if the database is empty; otherwise only where a new
        key `is_welcome`."""
        with self._load_lock:
            if not self._keys:
                if not is_welcome and not self.is_there:
                    refuse_new_key(self.path, self.name)
                lines = load_or_create(self.path, new_hex_key).split() or [""]
                self._keys = [parse_key(self.name, line, self.path) for line in lines]
        return self._keys


def refuse_new_key(path: Path, name: str) -> None:
    """Refuse a new key for a database with games, as it could decrypt none of them."""
    try:
        is_needed = has_games(database_settings(path.parent))
    except OperationalError as problem:
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


def parse_key(name: str, said: str, path: Path | None = None) -> bytes:
    """A key from its 64 hexadecimal digits. The error omits the value, which may be a secret."""
    try:
        meant = bytes.fromhex(said.strip())
    except ValueError:
        meant = b""
    if len(meant) != KEY_BYTES:
        raise ConfigurationError(
            f"{path or VARIABLE_PREFIX + name} must have 64 hexadecimal digits per key."
        )
    return meant
