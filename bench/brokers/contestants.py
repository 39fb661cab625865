"""The brokers compared, and their requirements."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

REDIS_PORT = 6391
FAKE_REDIS_SCRIPT = (
    "import fakeredis, sys;"
    "fakeredis.TcpFakeServer(('127.0.0.1', int(sys.argv[1])), server_type='redis').serve_forever()"
)


@dataclass(frozen=True)
class Contestant:
    """A broker: its address in a folder, its options, and the process it needs, if any."""

    name: str
    url: Callable[[Path], str]
    options: Callable[[Path], dict[str, Any]]
    server: Callable[[Path], list[str]] | None = None
    requirements: list[str] = field(default_factory=list)
    in_one_process: bool = False  # the worker is a thread of the publisher's process

    @property
    def missing_requirements(self) -> str:
        """The requirements that are not installed."""
        missing = [name for name in self.requirements if not (find_spec(name) or which(name))]
        return ", ".join(missing)


def spool_options(folder: Path) -> dict[str, Any]:
    """Our file broker."""
    return {"folder": str(folder / "spool")}


def filesystem_options(folder: Path) -> dict[str, Any]:
    """kombu's file broker."""
    for name in ("messages", "control"):
        (folder / name).mkdir(exist_ok=True)
    messages = str(folder / "messages")
    control = str(folder / "control")
    return {
        "data_folder_in": messages,
        "data_folder_out": messages,
        "control_folder": control,
    }


def no_options(_: Path) -> dict[str, Any]:
    """No options."""
    return {}


def redis_options(_: Path) -> dict[str, Any]:
    """The production settings, with a time-out that fits into a short run."""
    return {
        "visibility_timeout": 10,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "max_retries": 1,
        "interval_start": 0,
    }


def redis_url(_: Path) -> str:
    """The address of Redis or of a fake."""
    return f"redis://127.0.0.1:{REDIS_PORT}/0"


def redis_command(folder: Path) -> list[str]:
    """The real Redis, as in docker/compose.yaml."""
    return [
        *("redis-server", "--port", str(REDIS_PORT), "--dir", str(folder)),
        *("--appendonly", "yes", "--save", "", "--loglevel", "warning"),
    ]


def fake_redis_command(_: Path) -> list[str]:
    """A fake in Python, in a process of its own."""
    return [sys.executable, "-c", FAKE_REDIS_SCRIPT, str(REDIS_PORT)]


CONTESTANTS = [
    Contestant("spool (ours)", lambda _: "spool://localhost", spool_options),
    Contestant("filesystem://", lambda _: "filesystem://localhost", filesystem_options),
    Contestant(
        "SQLAlchemy + SQLite",
        lambda folder: f"sqla+sqlite:///{folder / 'broker.sqlite3'}",
        no_options,
        requirements=["sqlalchemy"],
    ),
    Contestant("memory://", lambda _: "memory://", no_options, in_one_process=True),
    Contestant("fakeredis server", redis_url, redis_options, fake_redis_command, ["fakeredis"]),
    Contestant(
        "Redis, append-only file", redis_url, redis_options, redis_command, ["redis-server"]
    ),
]
