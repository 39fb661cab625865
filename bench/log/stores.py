"""Temporary stores of the log benchmark, dropped afterwards: a SQLite file, and a database on a
PostgreSQL server if there is one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg
import redis
from psycopg import sql

from tabularium_engines.builds import compiled_engines

SERVER_URL: Final = os.environ.get("BENCH_DATABASE_URL", "postgres://127.0.0.1:5432/postgres")
BROKER_URL: Final = os.environ.get("BENCH_REDIS_URL", "redis://127.0.0.1:6379/11")
DATABASE_NAME: Final = f"tabularium_bench_{os.getpid()}"


@dataclass(frozen=True)
class Store:
    """A database, and the broker that goes with it."""

    folder: Path
    url: str = ""  # of PostgreSQL; empty: a file in the folder
    broker: str = ""  # Redis; empty: a subfolder of the folder

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that select the store."""
        return {
            "TABULARIUM_DATA": str(self.folder),
            "DATABASE_URL": self.url,
            "REDIS_URL": self.broker,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }

    def measure(self, module: str, *arguments: object) -> Any:
        """The figures that a module prints as JSON, in a process of its own without limits."""
        completed = subprocess.run(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=compiled_engines.PROJECT_ROOT,
            env={**os.environ, **self.environment, "TABULARIUM_LIMITS": "off"},
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(completed.stdout)


@contextmanager
def open_stores() -> Iterator[dict[str, Store]]:
    """Empty stores, by name; only SQLite if no server answers, with a printed notice."""
    with TemporaryDirectory() as folder:
        stores = {"sqlite": Store(Path(folder) / "sqlite")}
        if reason := unavailable_reason():
            print(f"Not measured on PostgreSQL and Redis: {reason}")
            yield migrate_stores(stores)
            return
        execute_on_server("CREATE DATABASE {}")
        try:
            url = urlsplit(SERVER_URL)._replace(path=f"/{DATABASE_NAME}").geturl()
            stores["postgresql"] = Store(Path(folder) / "postgresql", url, BROKER_URL)
            yield migrate_stores(stores)
        finally:
            execute_on_server("DROP DATABASE {} WITH (FORCE)")
            with redis.Redis.from_url(BROKER_URL) as broker:
                broker.flushdb()


def migrate_stores(stores: dict[str, Store]) -> dict[str, Store]:
    """The stores with all tables created."""
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    for store in stores.values():
        env = {**os.environ, **store.environment}
        subprocess.run(command, cwd=compiled_engines.PROJECT_ROOT, env=env, check=True)
    return stores


def unavailable_reason() -> str:
    """Why PostgreSQL or Redis cannot be measured, or an empty string."""
    try:
        psycopg.connect(SERVER_URL, connect_timeout=3).close()
        with redis.Redis.from_url(BROKER_URL, socket_connect_timeout=3) as broker:
            key_count = broker.dbsize()
    except (psycopg.Error, redis.RedisError) as problem:
        return str(problem).strip()
    return f"{BROKER_URL} is in use" if key_count else ""


def execute_on_server(statement: str, name: str = DATABASE_NAME) -> None:
    """Run a statement on one of our databases outside any transaction."""
    with psycopg.connect(SERVER_URL, autocommit=True) as connection:
        # safe: the statements are constants of this module
        connection.execute(sql.SQL(statement).format(sql.Identifier(name)))
