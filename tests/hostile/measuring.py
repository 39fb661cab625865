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
PATIENCE: Final = 60.0
PAGE: Final = 4096  # bytes
PAUSE: Final = 0.25  # seconds between rounds: a player's pace, within an account's limits


@dataclass
class Figures:
    """The measurements of one phase: seconds, and bytes."""

    healthz: list[float] = field(default_factory=list)
    actions: list[float] = field(default_factory=list)
    memory: int = 0

    def __str__(self) -> str:
        told = f"healthz {max(self.healthz) * 1000:.0f} ms at most, actions "
        told += f"p99 {p99(self.actions) * 1000:.0f} ms, {max(self.actions) * 1000:.0f} ms at most"
        return f"{told} of {len(self.actions)}, {self.memory >> 20} MB"


def p99(times: list[float]) -> float:
    """The 99th percentile by nearest rank: of a hundred or fewer, the greatest."""
    return sorted(times)[ceil(len(times) * 0.99) - 1]


class Probe:
    """A player with a game of both seats, and the process whose family is measured."""

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
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
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
            wish = {"rules": "law_of_the_dice", "seats": [{"kind": "me"}, {"kind": "me"}]}
            self.game = str(self.ask("POST", "/games", wish)["id"])
        game = self.ask("GET", f"/games/{self.game}")
        seat = game["to_act"][0]
        choice = self.ask("GET", f"/games/{self.game}/choice?seat={seat}")
        action = {"seat": seat, "choice": choice["token"], "action": choice["offers"][0]["action"]}
        done = self.ask("POST", f"/games/{self.game}/actions", action)
        self.is_playing = done["result"] is None

    def measure(self, rounds: int, is_over: Callable[[], bool] = lambda: True) -> Figures:
        """Measure that many rounds, and further ones until `is_over`."""
        figures = Figures()
        while len(figures.actions) < rounds or not is_over():
            figures.healthz.append(timed(lambda: self.ask("GET", "/healthz")))
            figures.actions.append(timed(self.act))
            figures.memory = max(figures.memory, memory(self.pid))
            sleep(PAUSE)
        return figures


def timed(act: Any) -> float:
    """The seconds that a call takes."""
    begun = monotonic()
    act()
    return monotonic() - begun


def memory(root: int) -> int:
    """The bytes that a process and all its descendants have in memory, without shared pages."""
    total = 0
    for pid in family(root):
        try:
            resident, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[1:3])
        except OSError:
            continue
        total += (resident - shared) * PAGE
    return total


def family(root: int) -> set[int]:
    """A process and all its descendants."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(status.parent.name)] = int(fields[1])
    found, new = set[int](), {root}
    while new:
        found |= new
        new = {pid for pid, parent in parents.items() if parent in new} - found
    return found
