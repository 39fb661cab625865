"""Measurements of a server under attack, from a player's and an operator's requests."""

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
PAGE: Final = 4096  # bytes
PAUSE: Final = 0.25  # seconds between rounds: a player's pace, within an account's limits


@dataclass
class Measurements:
    """The measurements of one phase: seconds, and bytes."""

    healthz: list[float] = field(default_factory=list)
    actions: list[float] = field(default_factory=list)
    memory: int = 0

    def __str__(self) -> str:
        text = f"healthz {max(self.healthz) * 1000:.0f} ms at most, actions "
        text += f"p99 {p99(self.actions) * 1000:.0f} ms, {max(self.actions) * 1000:.0f} ms at most"
        return f"{text} of {len(self.actions)}, {self.memory >> 20} MB"


def p99(times: list[float]) -> float:
    """The 99th percentile by nearest rank: of a hundred or fewer, the greatest."""
    return sorted(times)[ceil(len(times) * 0.99) - 1]


class Probe:
    """A player with a game of both seats, and the process that is measured with its descendants."""

    def __init__(self, port: int, pid: int) -> None:
        self.port = port
        self.pid = pid
        self.secret = self.guest()
        self.game = ""
        self.is_playing = False  # whether the game is running

    def guest(self) -> str:
        """The key of a new account."""
        return str(self.ask("POST", "/guests")["secret"])

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request on a new connection; the reply."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if getattr(self, "secret", ""):
            headers["Authorization"] = f"Bearer {self.secret}"
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, BASE + path, text, headers)
            with connection.getresponse() as response:
                content = response.read()
                assert response.status < 400, content
                return json.loads(content)
        finally:
            connection.close()

    def act(self) -> None:
        """Act in the running game; create one if there is none."""
        if not self.is_playing:
            new_game = {"rules": "law_of_the_dice", "seats": [{"kind": "me"}, {"kind": "me"}]}
            self.game = str(self.ask("POST", "/games", new_game)["id"])
        game = self.ask("GET", f"/games/{self.game}")
        seat = game["to_act"][0]
        choice = self.ask("GET", f"/games/{self.game}/choice?seat={seat}")
        action = {"seat": seat, "choice": choice["token"], "action": choice["offers"][0]["action"]}
        reply = self.ask("POST", f"/games/{self.game}/actions", action)
        self.is_playing = reply["result"] is None

    def measure(self, rounds: int, is_over: Callable[[], bool] = lambda: True) -> Measurements:
        """Measure that many rounds, and further ones until `is_over`."""
        measurements = Measurements()
        while len(measurements.actions) < rounds or not is_over():
            measurements.healthz.append(seconds_of(lambda: self.ask("GET", "/healthz")))
            measurements.actions.append(seconds_of(self.act))
            measurements.memory = max(measurements.memory, memory(self.pid))
            sleep(PAUSE)
        return measurements


def seconds_of(call: Any) -> float:
    """The seconds that a call takes."""
    started_at = monotonic()
    call()
    return monotonic() - started_at


def memory(root: int) -> int:
    """The bytes that a process and all its descendants have in memory, without shared pages."""
    total = 0
    for pid in process_tree(root):
        try:
            resident, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[1:3])
        except OSError:
            continue
        total += (resident - shared) * PAGE
    return total


def process_tree(root: int) -> set[int]:
    """A process and all its descendants."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(status.parent.name)] = int(fields[1])
    pids, new = set[int](), {root}
    while new:
        pids |= new
        new = {pid for pid, parent in parents.items() if parent in new} - pids
    return pids
