"""Measurements of a server under attack: the times of `healthz` and of actions, and the memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection
from math import ceil
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

BASE: Final = "/api/v1"
TIMEOUT: Final = 60.0  # seconds
PAGE_BYTES: Final = 4096
ROUND_INTERVAL: Final = 0.25  # seconds, within the limits of an account


@dataclass
class Measurements:
    """The measurements of one phase."""

    healthz_seconds: list[float] = field(default_factory=list)
    action_seconds: list[float] = field(default_factory=list)
    memory_bytes: int = 0

    def __str__(self) -> str:
        text = f"healthz {max(self.healthz_seconds) * 1000:.0f} ms at most, "
        text += f"actions p99 {p99(self.action_seconds) * 1000:.0f} ms, "
        text += f"{max(self.action_seconds) * 1000:.0f} ms at most"
        return f"{text} of {len(self.action_seconds)}, {self.memory_bytes >> 20} MB"


def p99(seconds: list[float]) -> float:
    """The 99th percentile by nearest rank: of a hundred values or fewer, the greatest."""
    return sorted(seconds)[ceil(len(seconds) * 0.99) - 1]


class Probe:
    """A player of both seats of a game, who measures the server while playing."""

    def __init__(self, port: int, pid: int) -> None:
        self.port = port
        self.pid = pid  # of the supervisor
        self.api_key = self.create_guest()
        self.game = ""
        self.is_playing = False

    def create_guest(self) -> str:
        """Create an account; its API key."""
        return str(self.request("POST", "/guests")["secret"])

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request on a new connection; the reply."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if getattr(self, "api_key", ""):
            headers["Authorization"] = f"Bearer {self.api_key}"
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, BASE + path, content, headers)
            with connection.getresponse() as response:
                reply = response.read()
                assert response.status < 400, reply
                return json.loads(reply)
        finally:
            connection.close()

    def act(self) -> None:
        """Act in the running game; create one if there is none."""
        if not self.is_playing:
            game_request = {"rules": "law_of_the_dice", "seats": [{"kind": "me"}, {"kind": "me"}]}
            self.game = str(self.request("POST", "/games", game_request)["id"])
        game = self.request("GET", f"/games/{self.game}")
        seat = game["to_act"][0]
        choice = self.request("GET", f"/games/{self.game}/choice?seat={seat}")
        action = {"seat": seat, "choice": choice["token"], "action": choice["offers"][0]["action"]}
        reply = self.request("POST", f"/games/{self.game}/actions", action)
        self.is_playing = reply["result"] is None

    def measure(self, rounds: int, is_over: Callable[[], bool] = lambda: True) -> Measurements:
        """Measure that many rounds, and more until `is_over`."""
        measurements = Measurements()
        while len(measurements.action_seconds) < rounds or not is_over():
            measurements.healthz_seconds.append(seconds_of(lambda: self.request("GET", "/healthz")))
            measurements.action_seconds.append(seconds_of(self.act))
            measurements.memory_bytes = max(measurements.memory_bytes, process_memory(self.pid))
            sleep(ROUND_INTERVAL)
        return measurements


def seconds_of(call: Any) -> float:
    """The seconds that a call takes."""
    started_at = monotonic()
    call()
    return monotonic() - started_at


def process_memory(root: int) -> int:
    """The memory of a process and its descendants in bytes, without shared pages."""
    total = 0
    for pid in process_tree(root):
        try:
            fields = Path(f"/proc/{pid}/statm").read_text().split()
        except OSError:
            continue
        resident_pages, shared_pages = map(int, fields[1:3])
        total += (resident_pages - shared_pages) * PAGE_BYTES
    return total


def process_tree(root: int) -> set[int]:
    """The ids of a process and its descendants."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(status.parent.name)] = int(fields[1])
    pids, generation = set[int](), {root}
    while generation:
        pids |= generation
        generation = {pid for pid, parent in parents.items() if parent in generation} - pids
    return pids
