"""Reading settings from environment variables: TABULARIUM_…, and the common DATABASE_URL, REDIS_URL
and PORT."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

Network: TypeAlias = IPv4Network | IPv6Network
VARIABLE_PREFIX: Final = "TABULARIUM_"
POSTGRES_SCHEMES: Final = ("postgres", "postgresql")
DEFAULT_STATEMENT_SECONDS: Final = 20  # time limit of a statement
LOCK_TIMEOUT_DIVISOR: Final = 2  # the lock timeout is half of the statement timeout
IDLE_TRANSACTION_SECONDS: Final = 60  # seconds for which a transaction may be idle
ADMIN_VARIABLE: Final = "ADMIN"
ADMIN_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
TAKEN_PATHS: Final = frozenset(
    {"api", "static", "t", "rules", "new", "join", "verify", "me", "embed", "record", "witness"}
    | {"guides", "players", "ratings", "healthz", "readyz", "metrics"}
)
LIMITS_VARIABLE: Final = "LIMITS"
CLIENT_NAMES: Final = ("pseudonyms", "addresses", "none")
PROXIES_VARIABLE: Final = "PROXIES"
NO_LIMITS: Final = "off"
DEFAULT_RATE_LIMITS: Final[Mapping[str, tuple[int, int]]] = {  # requests, seconds
    "read": (1200, 60),
    "write": (1200, 60),
    "create": (120, 60),
    "guests": (60, 3600),
    "codes": (20, 600),
    "exports": (30, 600),
    "drawings": (60, 60),
}
RATE_LIMIT_PATTERN: Final = re.compile(r"([a-z]+)=([1-9][0-9]{0,8})/([1-9][0-9]{0,5})")


class ConfigurationError(ValueError):
    """A variable has an invalid value."""


def read_text(name: str, default: str) -> str:
    """The text of a variable."""
    return os.environ.get(VARIABLE_PREFIX + name, default)


def read_flag(name: str, default: bool) -> bool:
    """A variable that is "1" or "0"."""
    value = read_text(name, str(int(default)))
    if value not in ("0", "1"):
        raise ConfigurationError(f"{VARIABLE_PREFIX}{name} must be 0 or 1, not {value!r}.")
    return value == "1"


def origins_of(hosts: Iterable[str]) -> list[str]:
    """The origins of these hosts behind TLS; those of a domain as Django writes them."""
    names = (f"*{host}" if host.startswith(".") else host for host in hosts)
    return [f"https://{name}" for name in names if name != "*"]


def read_list(name: str, default: str) -> list[str]:
    """A variable with a comma-separated list."""
    return [part.strip() for part in read_text(name, default).split(",") if part.strip()]


def read_admin_path() -> str:
    """The path of the desk, without slashes at its ends; empty if there is none."""
    path = read_text(ADMIN_VARIABLE, "").strip("/")
    if path and (not ADMIN_PATTERN.fullmatch(path) or path.split("/")[0] in TAKEN_PATHS):
        raise ConfigurationError(
            f"{VARIABLE_PREFIX}{ADMIN_VARIABLE} must be a path such as desk-7f3a, not {path!r}."
        )
    return path


def read_integer(name: str, default: int) -> int:
    """A variable that is a number."""
    value = read_text(name, str(default))
    if not value.isascii() or not value.isdigit():
        raise ConfigurationError(f"{VARIABLE_PREFIX}{name} must be a number, not {value!r}.")
    return int(value)


# -- addresses ------------------------------------------------------------------------------------


def read_port() -> int:
    """PORT, on which the web server listens."""
    value = os.environ.get("PORT") or "8000"
    if not value.isascii() or not value.isdigit() or not 0 < int(value) < 65536:
        raise ConfigurationError(f"PORT must be a number from 1 to 65535, not {value!r}.")
    return int(value)


def read_redis_url() -> str:
    """REDIS_URL, or nothing: then the broker is a folder of this machine."""
    url = os.environ.get("REDIS_URL", "")
    if url and urlsplit(url).scheme not in ("redis", "rediss", "unix"):
        raise ConfigurationError("REDIS_URL must begin with redis://, rediss:// or unix://.")
    return url


def database_settings(folder: Path, seconds: int = DEFAULT_STATEMENT_SECONDS) -> dict[str, Any]:
    """The database of DATABASE_URL, or SQLite in `folder`, with a time limit per statement."""
    url = os.environ.get("DATABASE_URL", "")
    return (
        postgres_settings(url, seconds)
        if url
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
    parts = urlsplit(url)
    name = unquote(parts.path.lstrip("/"))
    if parts.scheme not in POSTGRES_SCHEMES or not name:
        raise ConfigurationError(
            "DATABASE_URL must have the form postgres://user:password@host:port/name."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(url_port(parts)),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        # a server may be configured to acknowledge before it has written: not for a log
        "OPTIONS": {
            **_network_limits(seconds),
            **dict(parse_qsl(parts.query)),
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
    except ValueError as problem:
        raise ConfigurationError("DATABASE_URL has an invalid port.") from problem


# -- rate limits and trusted proxies --------------------------------------------------------------


def read_rate_limits() -> dict[str, tuple[int, int]]:
    """TABULARIUM_LIMITS: `read=1200/60, guests=60/3600`, defaults for the rest; or `off`."""
    items = read_list(LIMITS_VARIABLE, "")
    if items == [NO_LIMITS]:
        return {}
    return {**DEFAULT_RATE_LIMITS, **dict(map(_parse_rate_limit, items))}


def _parse_rate_limit(text: str) -> tuple[str, tuple[int, int]]:
    match = RATE_LIMIT_PATTERN.fullmatch(text)
    if match is None or match[1] not in DEFAULT_RATE_LIMITS:
        kinds = ", ".join(DEFAULT_RATE_LIMITS)
        raise ConfigurationError(
            f"{VARIABLE_PREFIX}{LIMITS_VARIABLE} must be {NO_LIMITS} or a list "
            f"such as read=1200/60 (requests per seconds) for some of {kinds}, not "
            f"{text!r}."
        )
    return match[1], (int(match[2]), int(match[3]))


def read_log_clients() -> str:
    """TABULARIUM_LOG_CLIENTS: how the access log names clients."""
    value = read_text("LOG_CLIENTS", CLIENT_NAMES[0])
    if value not in CLIENT_NAMES:
        raise ConfigurationError(
            f"{VARIABLE_PREFIX}LOG_CLIENTS must be one of {', '.join(CLIENT_NAMES)}, not {value!r}."
        )
    return value


def read_proxies() -> list[Network]:
    """TABULARIUM_PROXIES: addresses and networks of proxies with trusted forwarding headers."""
    try:
        return [ip_network(address) for address in read_list(PROXIES_VARIABLE, "")]
    except ValueError as problem:
        raise ConfigurationError(f"{VARIABLE_PREFIX}{PROXIES_VARIABLE}: {problem}.") from problem
