"""A server that logs JSON: every line is an object, and a request can be followed from the
reply into the worker."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest

from bench.ports import free_port
from tests.config.processes import PATIENCE, soon
from tests.games.sitting import SLUG
from tests.support import warm_interpreter
from tests.support.databases import ROOT, Kept

REQUEST_ID = "night-1"


class LoggedServer:
    """A server and its log lines."""

    def __init__(self, kept: Kept) -> None:
        self.log_path = kept.folder / "log"
        self.port = free_port()
        variables = {"TABULARIUM_LOG_FORMAT": "json", "TABULARIUM_LOG_LEVEL": "INFO"}
        with self.log_path.open("wb") as log_file:
            self.process = warm_interpreter.Popen(
                [sys.executable, "manage.py", "serve", "--concurrency=1", f"--port={self.port}"],
                cwd=ROOT,
                env={**kept.environment, **variables},
                stdout=log_file,
                stderr=subprocess.STDOUT,
            )

    def raw_lines(self) -> list[str]:
        """All lines of the log."""
        return self.log_path.read_text().splitlines(keepends=True)

    def lines(self, **fields: Any) -> list[dict[str, Any]]:
        """The complete lines with these facts; each must be JSON."""
        lines = [json.loads(text) for text in self.raw_lines() if text.endswith("\n")]
        return [line for line in lines if fields.items() <= line.items()]

    def ask(self, path: str, body: Any = None, key: str = "") -> Any:
        """Send a request under the request id to be followed."""
        headers = {"Request-Id": REQUEST_ID, "Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        content = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.port}/api/v1{path}"
        with urlopen(Request(url, content, headers), timeout=PATIENCE) as response:
            assert response.headers["Request-Id"] == REQUEST_ID
            return json.load(response)


@pytest.fixture
def server(kept: Kept) -> Iterator[LoggedServer]:
    """A server that logs everything as JSON."""
    logged_server = LoggedServer(kept)
    try:
        assert soon(lambda: logged_server.lines(part="supervisor")), (
            logged_server.log_path.read_text()
        )
        yield logged_server
    finally:
        logged_server.process.kill()
        logged_server.process.wait()


@pytest.mark.lane("processes")
def test_a_request_can_be_followed_into_the_worker(server: LoggedServer) -> None:
    key = server.ask("/guests", {"name": "Ada"})["secret"]
    seats = [{"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "greedy"}]
    game = server.ask("/games", {"rules": SLUG, "seats": seats}, key)
    assert soon(lambda: server.lines(part="web", request_id=REQUEST_ID, route="games"))
    (line,) = server.lines(part="web", request_id=REQUEST_ID, route="games")
    assert (line["logger"], line["status"], line["game"]) == ("tabularium.access", 201, game["id"])
    assert line["account"].startswith("account_")
    fields = {
        "part": "worker",
        "request_id": REQUEST_ID,
        "game": game["id"],
        "task": "ai.tasks.think",
    }
    assert soon(lambda: server.lines(**fields)), server.log_path.read_text()
    assert all(line["waited_ms"] > 0 for line in server.lines(**fields))
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(PATIENCE)
    assert server.lines(part="supervisor", message="Stopping …")
    assert key not in server.log_path.read_text()
