"""`manage.py serve` starts from an empty folder, survives kills, and stops on a signal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest
from django.core.management import CommandError
from django.db import OperationalError, connection

from bench.ports import free_port
from config.management.commands import serve
from tests.config.processes import is_gone, soon

ROOT: Final = Path(__file__).parents[2]
SERVE_OPTIONS: Final = ("--only=web", "--only=worker", "--concurrency=2")
# web; workers for bots and analyses, each with two; for errands, with one; for ratings, with none
PROCESS_COUNT: Final = 10


class Server:
    """A server in its own folder, without the sweeper."""

    def __init__(self, folder: Path, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.log_path = folder / "log"
        self.data_folder = folder / "kept"
        env = {**os.environ, "TABULARIUM_DATA": str(self.data_folder), "PORT": str(port)}
        for name in ("DATABASE_URL", "REDIS_URL"):
            env.pop(name, None)
        with self.log_path.open("wb") as log_file:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", *SERVE_OPTIONS],
                cwd=ROOT,
                env=env,
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def is_answering(self) -> bool:
        """Whether it answers and is healthy."""
        with suppress(OSError), urlopen(f"{self.address}/api/v1/healthz", timeout=30) as response:
            return bool(response.status == 200)
        return False

    def descendants(self) -> dict[int, str]:
        """All its descendant processes, with their command lines."""
        parents: dict[int, int] = {}
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields = status.read_text().rpartition(")")[2].split()
                parents[int(status.parent.name)] = int(fields[1])
        descendants, new = set[int](), {self.process.pid}
        while new:
            new = {pid for pid, parent in parents.items() if parent in new}
            descendants |= new
        return {pid: command_line(pid) for pid in descendants}


def command_line(pid: int) -> str:
    """The command line of a process, if it still runs."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server that answers, with all its processes."""
    server = Server(folder, free_port())
    try:
        assert soon(server.is_answering), server.log_path.read_text()
        assert soon(lambda: len(server.descendants()) == PROCESS_COUNT), server.descendants()
        yield server
    finally:
        server.process.kill()
        server.process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server to kill or stop."""
    with serving(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server to look at: one for all tests that change nothing."""
    with serving(tmp_path_factory.mktemp("shared")) as server:
        yield server


pytestmark = [
    pytest.mark.lane("processes"),
    pytest.mark.skipif(sys.platform != "linux", reason="families are read from /proc"),
]


@pytest.mark.lane("smoke")
def test_the_first_line_says_where(shared_server: Server) -> None:
    first_line, *_ = shared_server.log_path.read_text().splitlines()
    assert first_line.startswith(f"Tabularium: {shared_server.address}/ ")


@pytest.mark.lane("smoke")
def test_a_killed_web_server_is_replaced_and_no_client_is_refused(server: Server) -> None:
    (web,) = [pid for pid, line in server.descendants().items() if "tabularium: web" in line]
    os.kill(web, signal.SIGKILL)
    assert server.is_answering()
    assert web not in server.descendants()


def test_the_supervisor_has_nothing_that_a_fork_must_not_share(shared_server: Server) -> None:
    pid = shared_server.process.pid
    supervisor, data = Path(f"/proc/{pid}"), shared_server.data_folder
    files = {name.readlink() for name in (supervisor / "fd").iterdir()}
    own_status = data / "supervisors" / f"{pid}.json"  # each fork closes it
    assert {name for name in files if name.is_relative_to(data)} == {own_status}
    assert len([*(supervisor / "task").iterdir()]) == 1, "threads"


def test_each_process_says_what_it_is(shared_server: Server) -> None:
    titles = " ".join(shared_server.descendants().values())
    for name in (
        "tabularium: web",
        "worker@",
        "analysts@",
        "errands@",
        "raters@",
        "ForkPoolWorker",
    ):
        assert name in titles


@pytest.mark.lane("smoke")
def test_a_killed_supervisor_leaves_nothing(server: Server) -> None:
    descendants = server.descendants()
    server.process.kill()
    assert soon(lambda: all(is_gone(pid) for pid in descendants))
    assert not server.is_answering()


@pytest.mark.lane("smoke")
def test_it_stops_on_sigterm(server: Server) -> None:
    descendants = server.descendants()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait() == 0
    assert all(is_gone(pid) for pid in descendants)
    assert "Killed" not in server.log_path.read_text()


def test_a_port_in_use_is_reported(shared_server: Server) -> None:
    port = shared_server.address.rpartition(":")[2]
    second = subprocess.run(
        [sys.executable, "manage.py", "serve", f"--port={port}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 1
    assert re.search(rf"127\.0\.0\.1:{port}: Address already in use.*Set PORT", second.stderr)


@pytest.fixture
def waits_of_starting_database(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A database that is starting and answers at the third attempt; the recorded waits."""
    waits: list[float] = []

    def ensure_connection() -> None:
        if len(waits) < 2:
            raise OperationalError("the database system is starting up")

    monkeypatch.setattr(serve, "sleep", waits.append)
    monkeypatch.setattr(connection, "ensure_connection", ensure_connection)
    return waits


def test_a_database_that_is_only_starting_is_waited_for(
    waits_of_starting_database: list[float],
) -> None:
    output = StringIO()
    serve.Command(stdout=output).wait_for_database()
    assert waits_of_starting_database == [serve.DATABASE_RETRY_SECONDS] * 2
    assert output.getvalue() == "Waiting for the database: the database system is starting up\n"


def test_the_wait_for_the_database_is_limited(
    waits_of_starting_database: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "DATABASE_START_SECONDS", 0)
    with pytest.raises(CommandError, match="does not answer: the database system is starting up"):
        serve.Command(stdout=StringIO()).wait_for_database()
    assert not waits_of_starting_database


class TestADatabaseThatGoesAway:
    """While it is migrated."""

    @pytest.fixture
    def attempts(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """The attempts to migrate, the first of which meets the end of the database's server."""
        attempts: list[int] = []

        def migrate() -> None:
            attempts.append(len(attempts))
            if len(attempts) == 1:
                raise OperationalError("the connection is lost")

        monkeypatch.setattr(connection, "ensure_connection", lambda: None)
        monkeypatch.setattr(serve, "check_keys", lambda: None)
        monkeypatch.setattr(serve, "migrate", migrate)
        return attempts

    def test_is_waited_for_and_migrated_again(
        self, attempts: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "is_usable", lambda: False)
        output = StringIO()
        serve.Command(stdout=output).prepare_database()
        assert attempts == [0, 1]
        assert output.getvalue() == "The database went away: the connection is lost\n"

    def test_is_not_one_that_refuses(
        self, attempts: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "is_usable", lambda: True)
        with pytest.raises(OperationalError, match="lost"):
            serve.Command(stdout=StringIO()).prepare_database()
        assert attempts == [0]
