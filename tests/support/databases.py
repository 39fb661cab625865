"""Migrated databases of a test's own, which other processes can open as well."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg
import redis
from django.conf import settings
from django.db import connections
from psycopg import sql

from api.streams.machine_counts import COUNTS_PREFIX
from tests.support import warm_interpreter

ROOT: Final = Path(__file__).resolve().parents[2]
OWN: Final = f"test_tabularium_{os.getpid()}"  # several runs may share one server
_numbers = count(1)


@dataclass(frozen=True)
class Kept:
    """A server's persistent data: a folder, and a database in it or on the DATABASE_URL server."""

    folder: Path
    name: str  # of the database

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables with which another process opens it."""
        url = server_url(self.name) if is_on_server() else ""
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": url,
            "TABULARIUM_DATA": str(self.folder),
            # the keys of this process, so that each can unseal data that the other has sealed
            "TABULARIUM_SIGNING_KEYS": ",".join(key.hex() for key in settings.SIGNING_KEYS),
            "TABULARIUM_SEALING_KEYS": ",".join(key.hex() for key in settings.SEALING_KEYS),
        }

    def process(self, module: str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Run `main(arguments)` of that module on it, in a new process with Django set up."""
        run = f"import sys, django; django.setup(); from {module} import main; main(sys.argv[1:])"
        return warm_interpreter.Popen(
            [sys.executable, "-c", run, *arguments],
            cwd=ROOT,
            env={**self.environment, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @contextmanager
    def open_here(self) -> Iterator[None]:
        """Open it in this process too, in all threads started within the block."""
        database_settings: Any = connections.settings["default"]
        previous_connection, previous_name = connections["default"], database_settings["NAME"]
        del connections["default"]
        database_settings["NAME"] = self.name
        try:
            yield
        finally:
            connections["default"].close()
            database_settings["NAME"] = previous_name
            connections["default"] = previous_connection


def is_on_server() -> bool:
    """Whether these tests run on PostgreSQL."""
    return str(settings.DATABASES["default"]["ENGINE"]).endswith("postgresql")


def server_url(name: str) -> str:
    """The URL of another database on the same server."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def create_template(folder: Path) -> Kept:
    """The template database that the others are copied from."""
    template = Kept(folder, database_name(folder, f"{OWN}_template"))
    if is_on_server():
        execute_on_server("CREATE DATABASE {}", template.name)
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    warm_interpreter.run(command, check=True, cwd=ROOT, env=template.environment)
    return template


def copy_template(template: Kept, folder: Path) -> Kept:
    """A copy of a template database."""
    shutil.copytree(template.folder, folder)
    copy = Kept(folder, database_name(folder, f"{OWN}_{next(_numbers)}"))
    if is_on_server():
        execute_on_server("CREATE DATABASE {} TEMPLATE {}", copy.name, template.name)
    return copy


def drop(kept: Kept) -> None:
    """Drop it from the server despite open connections; pytest clears the folder."""
    forget_streams()
    if is_on_server():
        execute_on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)", kept.name)


def forget_streams() -> None:
    """Forget the open streams of killed servers, which still count for a while in Redis."""
    if url := os.environ.get("REDIS_URL"):
        with redis.Redis.from_url(url) as client:
            for key in client.scan_iter(f"{COUNTS_PREFIX}*"):
                client.delete(key)


def database_name(folder: Path, name: str) -> str:
    """The database's NAME for Django: its path, or its name on the server."""
    return name if is_on_server() else str(folder / "tabularium.sqlite3")


def execute_on_server(statement: str, *names: str) -> None:
    """Run a statement that is not allowed inside a transaction."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        # the statements come from this module only
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
