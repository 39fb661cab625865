"""Where do the benchmarks of the log store what they make? In databases of their own, dropped after
them: a file, and one on a PostgreSQL server if there is any."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

import psycopg
import redis
from psycopg import sql

from games import compiled_engines

SERVER_URL: Final = os.environ.get("BENCH_DATABASE_URL", "postgres://127.0.0.1:5432/postgres")
BROKER_URL: Final = os.environ.get("BENCH_REDIS_URL", "redis://127.0.0.1:6379/11")
DATABASE_NAME: Final = f"tabularium_bench_{os.getpid()}"


@dataclass(frozen=True)
class Store:
    """A database, and the broker that goes with it."""

    folder: Path
    url: str = ""  # of PostgreSQL; else it is a file in the folder
    broker: str = ""  # Redis; else it is a folder in the folder

    @property
    def environment(self) -> dict[str, str]:
        """How a process is told."""
        return {
            "TABULARIUM_DATA": str(self.folder),
            "DATABASE_URL": self.url,
            "REDIS_URL": self.broker,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }


@contextmanager
def open_stores() -> Iterator[dict[str, Store]]:
    """Empty stores, by name; only SQLite where no server answers, which is said."""
    with TemporaryDirectory() as folder:
        found = {"sqlite": Store(Path(folder) / "sqlite")}
        if silence := unavailable_reason():
            print(f"Not measured on PostgreSQL and Redis: {silence}")
            yield migrate_stores(found)
            return
        execute_on_server("CREATE DATABASE {}")
        try:
            url = urlsplit(SERVER_URL)._replace(path=f"/{DATABASE_NAME}").geturl()
            found["postgresql"] = Store(Path(folder) / "postgresql", url, BROKER_URL)
            yield migrate_stores(found)
        finally:
            execute_on_server("DROP DATABASE {} WITH (FORCE)")
            with redis.Redis.from_url(BROKER_URL) as broker:
                broker.flushdb()


def migrate_stores(found: dict[str, Store]) -> dict[str, Store]:
    """The stores with all tables in them."""
    migrating = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    for store in found.values():
        env = {**os.environ, **store.environment}
        subprocess.run(migrating, cwd=compiled_engines.PROJECT_ROOT, env=env, check=True)
    return found


def unavailable_reason() -> str:
    """Why PostgreSQL or Redis cannot be measured, or nothing."""
    try:
        psycopg.connect(SERVER_URL, connect_timeout=3).close()
        with redis.Redis.from_url(BROKER_URL, socket_connect_timeout=3) as broker:
            used = broker.dbsize()
    except (psycopg.Error, redis.RedisError) as problem:
        return str(problem).strip()
    return f"{BROKER_URL} is in use" if used else ""


def execute_on_server(statement: str) -> None:
    """Carry out a statement on our database that no transaction may contain."""
    with psycopg.connect(SERVER_URL, autocommit=True) as connection:
        # the statements are this module's own
        connection.execute(sql.SQL(statement).format(sql.Identifier(DATABASE_NAME)))
