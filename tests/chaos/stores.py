"""The PostgreSQL and the Redis of a storm: own servers, which are started for it and removed after
it, so that it can kill them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Final

import django
import psycopg
import redis

from bench.ports import free_port
from config.backups.postgres_cluster import program_path
from tests.config.processes import soon
from tests.support import databases
from tests.support.missing_requirements import skip_or_fail

ENVIRONMENT: Final = {"LC_ALL": "C.UTF-8"}
LOOPBACK: Final = "127.0.0.1"
MAX_CONNECTIONS: Final = 400  # to PostgreSQL, of the processes of several hosts
OWNER: Final = "postgres"  # PostgreSQL does not run as root


def installed_programs() -> dict[str, str]:
    """The paths of initdb, postgres and redis-server, as far as they are installed."""
    names = ("initdb", "postgres", "redis-server")
    paths = {name: program_path(name) for name in names}
    return {name: path for name, path in paths.items() if path}


def missing_programs() -> list[str]:
    """The programs that a storm on PostgreSQL and Redis needs and this machine lacks."""
    installed = installed_programs()
    return [name for name in ("initdb", "postgres", "redis-server") if name not in installed]


class Store(ABC):
    """A server in its own folder."""

    kill_signal: signal.Signals

    def __init__(self, folder: Path, addresses: Sequence[str] = (LOOPBACK,)) -> None:
        self.folder = folder
        self.addresses = addresses
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.url_at(self.port)

    @abstractmethod
    def url_at(self, port: int, address: str = LOOPBACK) -> str:
        """The address with another port, that of a proxy, or as another host reaches it."""

    @abstractmethod
    def command_line(self) -> list[str]:
        """The command line of the server."""

    @abstractmethod
    def is_answering(self) -> bool:
        """Whether it accepts requests."""

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        user = store_user()
        self.process = subprocess.Popen(
            self.command_line(),
            cwd=self.folder,
            env=ENVIRONMENT,  # without the variables that mark a process of the instance
            user=user,
            group=user,
            extra_groups=[] if user else None,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if not soon(self.is_answering):
            raise RuntimeError(f"{type(self).__name__} does not start")

    def kill(self) -> None:
        """Kill the server as a crash would."""
        if self.process:
            self.process.send_signal(self.kill_signal)
            self.process.wait()

    def restart(self, pause: float) -> None:
        """Kill the server and start it again after a pause."""
        self.kill()
        sleep(pause)
        self.start()


class Postgres(Store):
    """PostgreSQL, which keeps acknowledged writes."""

    kill_signal = signal.SIGQUIT  # no checkpoint; it recovers from its log

    options: Sequence[str] = ()  # further ones, as `name=value`

    def create(self) -> None:
        """Create the files of an empty database."""
        user = store_user()
        subprocess.run(
            [
                installed_programs()["initdb"],
                "-D",
                "kept",
                "--auth=trust",
                "-U",
                OWNER,
                "-E",
                "UTF8",
            ],
            cwd=self.folder,
            env=ENVIRONMENT,
            user=user,
            group=user,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        with (self.folder / "kept" / "pg_hba.conf").open("a", encoding="ascii") as file:
            file.writelines(f"host all all {each}/30 trust\n" for each in self.addresses)

    def url_at(self, port: int, address: str = LOOPBACK) -> str:
        return f"postgres://{OWNER}@{address}:{port}/postgres"

    def command_line(self) -> list[str]:
        options = ["-D", "kept", "-p", str(self.port), "-k", str(self.folder)]
        settings = {
            "listen_addresses": ",".join(self.addresses),
            "max_connections": str(MAX_CONNECTIONS),
        }
        for option in (*(f"{name}={value}" for name, value in settings.items()), *self.options):
            options += ["-c", option]
        return [installed_programs()["postgres"], *options]

    def is_answering(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=3).close()
        except psycopg.OperationalError:
            return False
        return True


class Redis(Store):
    """Redis without persistence: the worst possible broker."""

    kill_signal = signal.SIGKILL

    def url_at(self, port: int, address: str = LOOPBACK) -> str:
        return f"redis://{address}:{port}/0"

    def command_line(self) -> list[str]:
        persistence_options = ["--save", "", "--appendonly", "no"]
        address_options = ["--bind", *self.addresses, "--protected-mode", "no"]
        return [
            installed_programs()["redis-server"],
            "--port",
            str(self.port),
            *persistence_options,
            *address_options,
        ]

    def is_answering(self) -> bool:
        try:
            with redis.Redis(port=self.port) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


def store_user() -> str | None:
    """The user of the servers, or None for the current user."""
    return OWNER if os.geteuid() == 0 else None


@contextmanager
def run_stores(*addresses: str, options: Sequence[str] = ()) -> Iterator[dict[str, Store]]:
    """Run a PostgreSQL and a Redis within the block, which listen on the loopback and on these
    addresses; their files are removed afterwards. PostgreSQL takes further options."""
    folder = Path(tempfile.mkdtemp(prefix="tabularium-"))
    if user := store_user():
        shutil.chown(folder, user, user)
    all_addresses = (LOOPBACK, *addresses)
    postgres, broker = Postgres(folder, all_addresses), Redis(folder, all_addresses)
    postgres.options = options
    try:
        postgres.create()
        postgres.start()
        broker.start()
        yield {"postgres": postgres, "redis": broker}
    finally:
        postgres.kill()
        broker.kill()
        shutil.rmtree(folder)


def use_stores(folder: Path, servers: Mapping[str, Store]) -> None:
    """Point this process and all its children at the same stores, and set up Django."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="config.settings",
        TABULARIUM_DATA=str(folder),
        DATABASE_URL=servers["postgres"].url if servers else "",
        REDIS_URL=servers["redis"].url if servers else "",
    )
    django.setup()


@contextmanager
def stores_of_this_run() -> Iterator[Mapping[str, Store]]:
    """Those of `run_stores` where the tests run on servers, and none where they do not."""
    if not databases.is_on_server():
        yield {}
        return
    if programs := missing_programs():
        skip_or_fail(f"not installed: {', '.join(programs)}")
    with run_stores() as stores:
        yield stores
