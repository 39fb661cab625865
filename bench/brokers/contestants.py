"""Which brokers take part, and what does each need?"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

PORT = 6391
FAKE = (
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
    needs: list[str] = field(default_factory=list)
    in_one_process: bool = False  # the worker is a thread beside the publisher

    @property
    def missing(self) -> str:
        """What is not installed here."""
        lacking = [name for name in self.needs if not (find_spec(name) or which(name))]
        return ", ".join(lacking)


def spool(folder: Path) -> dict[str, Any]:
    """Our own."""
    return {"folder": str(folder / "spool")}


def filesystem(folder: Path) -> dict[str, Any]:
    """kombu's own files."""
    for name in ("messages", "control"):
        (folder / name).mkdir(exist_ok=True)
    messages = str(folder / "messages")
    control = str(folder / "control")
    return {
        "data_folder_in": messages,
        "data_folder_out": messages,
        "control_folder": control,
    }


def nothing(_: Path) -> dict[str, Any]:
    """No options."""
    return {}


def redis(_: Path) -> dict[str, Any]:
    """The settings of production, with a time-out that fits in a short run."""
    return {
        "visibility_timeout": 10,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "max_retries": 1,
        "interval_start": 0,
    }


def at_port(_: Path) -> str:
    """A Redis, or what speaks like one."""
    return f"redis://127.0.0.1:{PORT}/0"


def redis_server(folder: Path) -> list[str]:
    """The real one, as in docker/compose.yaml."""
    return [
        *("redis-server", "--port", str(PORT), "--dir", str(folder)),
        *("--appendonly", "yes", "--save", "", "--loglevel", "warning"),
    ]


def fake_server(_: Path) -> list[str]:
    """One in Python, in a process of its own."""
    return [sys.executable, "-c", FAKE, str(PORT)]


CONTESTANTS = [
    Contestant("spool (ours)", lambda _: "spool://localhost", spool),
    Contestant("filesystem://", lambda _: "filesystem://localhost", filesystem),
    Contestant(
        "SQLAlchemy + SQLite",
        lambda folder: f"sqla+sqlite:///{folder / 'broker.sqlite3'}",
        nothing,
        needs=["sqlalchemy"],
    ),
    Contestant("memory://", lambda _: "memory://", nothing, in_one_process=True),
    Contestant("fakeredis server", at_port, redis, fake_server, ["fakeredis"]),
    Contestant("Redis, append-only file", at_port, redis, redis_server, ["redis-server"]),
]
