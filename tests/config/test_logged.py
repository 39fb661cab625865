"""A whole server that logs JSON: every line is an object, and a request can be followed from the
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
from tests.databases import ROOT, Kept
from tests.games.sitting import SLUG

NIGHT = "night-1"


class Logged:
    """A server and its log lines."""

    def __init__(self, kept: Kept) -> None:
        self.log = kept.folder / "log"
        self.port = free_port()
        variables = {"TABULARIUM_LOG_FORMAT": "json", "TABULARIUM_LOG_LEVEL": "INFO"}
        with self.log.open("wb") as hearing:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--concurrency=1", f"--port={self.port}"],
                cwd=ROOT,
                env={**kept.environment, **variables},
                stdout=hearing,
                stderr=subprocess.STDOUT,
            )

    def texts(self) -> list[str]:
        """All lines of the log."""
        return self.log.read_text().splitlines(keepends=True)

    def lines(self, **facts: Any) -> list[dict[str, Any]]:
        """The complete lines with these facts; each must be JSON."""
        read = [json.loads(text) for text in self.texts() if text.endswith("\n")]
        return [line for line in read if facts.items() <= line.items()]

    def ask(self, path: str, body: Any = None, key: str = "") -> Any:
        """Send a request under the request id to be followed."""
        headers = {"Request-Id": NIGHT, "Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        said = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.port}/api/v1{path}"
        with urlopen(Request(url, said, headers), timeout=PATIENCE) as reply:
            assert reply.headers["Request-Id"] == NIGHT
            return json.load(reply)


@pytest.fixture
def server(kept: Kept) -> Iterator[Logged]:
    """A server that logs everything as JSON."""
    logged = Logged(kept)
    try:
        assert soon(lambda: logged.lines(part="supervisor")), logged.log.read_text()
        yield logged
    finally:
        logged.process.kill()
        logged.process.wait()


def test_a_request_can_be_followed_into_the_worker(server: Logged) -> None:
    key = server.ask("/guests", {"name": "Ada"})["secret"]
    seats = [{"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "greedy"}]
    game = server.ask("/games", {"rules": SLUG, "seats": seats}, key)
    assert soon(lambda: server.lines(part="web", request_id=NIGHT, route="games"))
    (line,) = server.lines(part="web", request_id=NIGHT, route="games")
    assert (line["logger"], line["status"], line["game"]) == ("tabularium.access", 201, game["id"])
    assert line["account"].startswith("account_")
    thought = {"part": "worker", "request_id": NIGHT, "game": game["id"], "task": "ai.tasks.think"}
    assert soon(lambda: server.lines(**thought)), server.log.read_text()
    assert all(line["waited_ms"] > 0 for line in server.lines(**thought))
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(PATIENCE)
    assert server.lines(part="supervisor", message="Stopping …")
    assert key not in server.log.read_text()
