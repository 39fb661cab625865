"""A checkout of the project that serves on a store, and the processor time of its web processes."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final
from urllib.parse import urlsplit

import redis

from bench.log.stores import BROKER_URL, SERVER_URL, Store, execute_on_server
from bench.ports import free_port

START_SECONDS: Final = 120  # for a server on a busy machine
STOP_SECONDS: Final = 60
TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
SOURCE: Final = Path(__file__).with_name("slow_sync.c")


class ServedCheckout:
    """A checkout whose server runs."""

    def __init__(self, server: subprocess.Popen[bytes], port: int) -> None:
        self._server = server
        self.port = port

    def cpu_seconds(self) -> float:
        """The processor time of the server and of the processes that it has started."""
        return sum(map(cpu_seconds_of, [self._server.pid, *descendants_of(self._server.pid)]))


@contextmanager
def serve_checkout(
    folder: Path, store: Store, environment: Mapping[str, str], web: int = 0
) -> Iterator[ServedCheckout]:
    """Serve this checkout on a store whose tables are created first, by so many web processes; 0:
    as many as it takes by itself."""
    port = free_port()
    overrides = {**store.environment, **environment}
    env = {**os.environ, **overrides, "DJANGO_SETTINGS_MODULE": "bench.http.settings"}
    python = interpreter_of(folder)
    subprocess.run([python, "manage.py", "migrate", "-v", "0"], cwd=folder, env=env, check=True)
    command = [python, "manage.py", "serve", "--only", "web", "--port", str(port)]
    command += ["--web", str(web)] if web else []
    server = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL)
    try:
        wait_until_answered(f"http://127.0.0.1:{port}/api/v1/healthz", server)
        yield ServedCheckout(server, port)
    finally:
        server.terminate()
        server.wait(STOP_SECONDS)


def interpreter_of(folder: Path) -> str:
    """The interpreter of a checkout's own virtual environment, or else this one."""
    own = folder / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def wait_until_answered(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers at this address."""
    deadline = monotonic() + START_SECONDS
    while monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"the server has ended with {server.returncode}")
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            sleep(0.1)
        else:
            return
    raise TimeoutError("the server does not answer")


# -- stores ----------------------------------------------------------------------------------------


@contextmanager
def open_store(kind: str, name: str) -> Iterator[Store]:
    """An empty store of this kind, removed afterwards."""
    with TemporaryDirectory() as folder:
        if kind == "sqlite":
            yield Store(Path(folder))
            return
        database = f"tabularium_door_{os.getpid()}_{name}"
        execute_on_server("CREATE DATABASE {}", database)
        try:
            url = urlsplit(SERVER_URL)._replace(path=f"/{database}").geturl()
            yield Store(Path(folder), url, BROKER_URL)
        finally:
            execute_on_server("DROP DATABASE {} WITH (FORCE)", database)
            with redis.Redis.from_url(BROKER_URL) as broker:
                broker.flushdb()


@contextmanager
def slow_disk(milliseconds: float) -> Iterator[dict[str, str]]:
    """The environment in which each sync takes that much longer."""
    if not milliseconds:
        yield {}
        return
    with TemporaryDirectory() as folder:
        library = Path(folder) / "slow_sync.so"
        options = ("-Wall", "-Werror", "-O2", "-shared", "-fPIC", "-ldl")
        subprocess.run(["cc", "-o", str(library), str(SOURCE), *options], check=True)
        microseconds = str(round(1000 * milliseconds))
        yield {"LD_PRELOAD": str(library), "SLOW_SYNC_MICROSECONDS": microseconds}


# -- processor time --------------------------------------------------------------------------------


def cpu_seconds_of(process: int) -> float:
    """The processor time that a process has used; none if it has ended."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0.0
    fields = text.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


def descendants_of(process: int) -> list[int]:
    """The processes that a process has started, and those that these have started."""
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = [int(word) for task in tasks for word in (task / "children").read_text().split()]
    except OSError:
        return []
    return [*children, *(other for child in children for other in descendants_of(child))]
