"""A server with bots, as `make run` starts it, on a database of the test's own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

import pytest

from tests.config.processes import PATIENCE, soon
from tests.support import databases, warm_interpreter
from tests.support.databases import ROOT, Kept

MANY_GUESTS: Final = "guests=1000000/3600"  # each test is a guest


class Served:
    """A running server, and requests to it."""

    def __init__(self, url: str, pid: int) -> None:
        self.url = url
        self.pid = pid  # of the supervisor

    def processes(self) -> Iterator[Path]:
        """All its processes, as folders of /proc."""
        from bench.startup import descendants  # not in scratch copies, which load this plugin

        return (Path(f"/proc/{pid}") for pid in descendants(self.pid))

    def ask(self, path: str, key: str = "") -> Any:
        """The document of its answer to a GET with this key."""
        return self._answer(path, None, key, {})

    def post(
        self, path: str, body: Any, key: str = "", headers: Mapping[str, str] | None = None
    ) -> Any:
        """The document of its answer to a POST with this key."""
        return self._answer(path, json.dumps(body).encode(), key, headers or {})

    def _answer(
        self, path: str, data: bytes | None, key: str, more_headers: Mapping[str, str]
    ) -> Any:
        headers = {**more_headers, **({"Authorization": f"Bearer {key}"} if key else {})}
        if data:
            headers["Content-Type"] = "application/json"
        request = Request(f"{self.url}/api/v1{path}", data, headers)
        with urlopen(request, timeout=PATIENCE) as response:
            return json.load(response)

    def is_answering(self) -> bool:
        """Whether the server answers and reports itself healthy."""
        with suppress(OSError):
            return bool(self.ask("/healthz")["status"] == "ok")
        return False


class Mortal(Served):
    """A server that a test can kill, and that runs again then."""

    def __init__(self, kept: Kept, port: int, variables: Mapping[str, str]) -> None:
        self.kept = kept
        own = {"PORT": str(port), "TABULARIUM_LIMITS": MANY_GUESTS}
        self.environment = {**kept.environment, **own, **variables}
        self._address = "127.0.0.1", port
        self._supervisor = self._started()
        super().__init__(f"http://127.0.0.1:{port}", self._supervisor.pid)

    def _started(self) -> warm_interpreter.Popen:
        return warm_interpreter.Popen(
            [sys.executable, "manage.py", "serve", "--concurrency=1"],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.DEVNULL,
        )

    @contextmanager
    def killed(self) -> Iterator[None]:
        """Within the block all its processes are dead, killed without a word; after it the server
        runs again, at the same address and on the same data."""
        for process in list(self.processes()):
            with suppress(ProcessLookupError):
                os.kill(int(process.name), signal.SIGKILL)
        self._supervisor.wait()
        assert soon(self._is_port_free)
        try:
            yield
        finally:
            self._supervisor = self._started()
            self.pid = self._supervisor.pid
            assert soon(self.is_answering)

    def _is_port_free(self) -> bool:
        with suppress(OSError), socket.create_server(self._address):
            return True
        return False

    def stop(self) -> None:
        """End it in order."""
        self._supervisor.send_signal(signal.SIGTERM)
        self._supervisor.wait()


@contextmanager
def serving(template: Kept, folder: Path, **more: str) -> Iterator[Mortal]:
    """Run a server within the block, on a copy of a migrated database."""
    from bench.ports import free_port  # not in scratch copies, which load this plugin

    kept = databases.copy_template(template, folder / "kept")
    served = Mortal(kept, free_port(), more)
    try:
        assert soon(served.is_answering)
        yield served
    finally:
        served.stop()
        databases.drop(kept)


class Clocked(Served):
    """A server with a test clock, on data of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        from bench.ports import free_port  # not in scratch copies, which load this plugin

        port, self.unused_data = free_port(), folder / "unused"
        stores = {"DATABASE_URL": "", "REDIS_URL": "", "TABULARIUM_DATA": str(self.unused_data)}
        own = {"PORT": str(port), "TABULARIUM_LIMITS": MANY_GUESTS, "TMPDIR": str(folder)}
        self.process = warm_interpreter.Popen(
            [sys.executable, "manage.py", "serve", "--test-clock", "--concurrency=1", *options],
            cwd=ROOT,
            env={**os.environ, **stores, **own},
            stdout=subprocess.DEVNULL,
        )
        super().__init__(f"http://127.0.0.1:{port}", self.process.pid)

    def advance(self, seconds: int) -> None:
        """Move its clock."""
        body = json.dumps({"seconds": seconds}).encode()
        request = Request(f"{self.url}/test/advance", body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=PATIENCE) as response:
            assert response.status == 200


@contextmanager
def serving_with_test_clock(folder: Path, *options: str) -> Iterator[Clocked]:
    """Run a server with a test clock within the block; its data are in the folder."""
    served = Clocked(folder, *options)
    try:
        assert soon(served.is_answering)
        yield served
    finally:
        served.process.terminate()
        served.process.wait()


@pytest.fixture(scope="module")  # not session: two servers would share one Redis
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mortal]:
    """One server for all tests of a file."""
    with serving(kept_template, tmp_path_factory.mktemp("served")) as served:
        yield served
