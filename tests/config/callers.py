"""Clients that play and follow streams while the server's processes are replaced or killed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Event, Thread
from typing import Any, Final
from uuid import uuid4

RULES: Final = "law_of_the_dice"
SEATS: Final = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
OWN_SEATS: Final = [{"kind": "me"}, {"kind": "me"}]
PAUSE_SECONDS: Final = 0.02  # between two calls: more of them wait for the same processor
TIMEOUT: Final = 120  # seconds; a server that is replaced answers long before


class Caller(Thread):
    """A client that calls on and on, over a connection that it keeps, or over a new one for each
    request. It repeats nothing; or, if processes may be killed, each request without a reply."""

    def __init__(
        self,
        port: int,
        keeps_connection: bool,
        *,
        repeats: bool = False,
        seats: Any = None,
    ) -> None:
        super().__init__()
        self.port = port
        self.keeps_connection = keeps_connection
        self.repeats = repeats
        self.seats = seats or SEATS
        self.connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        self.key = ""
        self.games: list[str] = []
        self.acknowledged: list[tuple[str, int]] = []  # the game and the seq of each action
        self.done = 0
        self.repetitions = 0
        self.bot_actions = 0
        self.failures: list[str] = []
        self.is_over = Event()

    def run(self) -> None:
        while not self.is_over.is_set() and not self.failures:
            try:
                self.play()
            except (OSError, HTTPException, AssertionError) as problem:
                self.failures.append(repr(problem))
        self.connection.close()

    def play(self) -> None:
        """A guest plays a game to its end."""
        self.key = self.key or self.call("POST", "/guests", {})["secret"]
        game = self.call("POST", "/games", {"rules": RULES, "seats": self.seats})["id"]
        self.games.append(game)
        while not self.is_over.is_set():
            state = self.call("GET", f"/games/{game}")
            if state["phase"] == "over":
                break
            for seat in state["to_act"]:
                self.act(game, seat)
        entries = self.call("GET", f"/games/{game}/log")["items"]
        acknowledged = {seq for name, seq in self.acknowledged if name == game}
        read = {entry["seq"] for entry in entries}
        assert {seq for seq in acknowledged if seq <= max(read)} <= read, "an action is lost"
        self.bot_actions += sum(entry.get("seat") == 1 for entry in entries)

    def act(self, game: str, seat: int) -> None:
        """Take the first action that a seat is offered, if it is the caller's."""
        if self.seats[seat]["kind"] != "me":
            return
        state = self.call("GET", f"/games/{game}?as=seat:{seat}")
        if choice := state["choice"]:
            action = choice["offers"][0]["action"]
            body = {"seat": seat, "choice": choice["token"], "action": action}
            reply = self.call("POST", f"/games/{game}/actions", body)
            self.acknowledged.append((game, reply["entries"][0]["seq"]))

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The reply to a request, which must succeed."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        if self.key and path != "/guests":
            headers["Authorization"] = f"Bearer {self.key}"
        data = None if body is None else json.dumps(body)
        while True:
            try:
                status, text = self.exchange(method, path, data, headers)
            except (ConnectionResetError, BrokenPipeError, HTTPException):
                self.connection.close()
                if not self.repeats:
                    raise
                self.repetitions += 1
            else:
                break
        assert status < 300, text
        self.done += 1
        self.is_over.wait(PAUSE_SECONDS)
        return json.loads(text)

    def exchange(self, method: str, path: str, data: Any, headers: Any) -> tuple[int, bytes]:
        """The status and the body of one reply."""
        self.connection.request(method, f"/api/v1{path}", data, headers)
        response = self.connection.getresponse()
        text = response.read()
        if not self.keeps_connection:
            self.connection.close()
        return response.status, text


class Follower(Thread):
    """A client that follows the games of a caller, one after another, each from its first entry to
    its last: over as many connections as it takes, by the id of the last item."""

    def __init__(self, caller: Caller) -> None:
        super().__init__()
        self.caller = caller
        self.followed = 0  # games, to their ends
        self.connections = 0
        self.failures: list[str] = []
        self.is_over = Event()

    def run(self) -> None:
        number = 0
        while not self.is_over.wait(0.01) and not self.failures:
            if number < len(self.caller.games):
                self.follow(self.caller.games[number])
                number += 1

    def follow(self, game: str) -> None:
        """Follow a game to its end."""
        last = 0
        while not self.is_over.is_set():
            try:
                with self.open(game, last) as response:
                    if response.status == 204:
                        self.followed += 1
                        return
                    assert response.status == 200, response.read()
                    for seq in item_ids(response, self.is_over):
                        assert seq == last + 1, f"{game}: {seq} follows {last}"
                        last = seq
            except (ConnectionResetError, HTTPException) as problem:
                if not self.caller.repeats:
                    self.failures.append(repr(problem))
                    return
            except (OSError, AssertionError) as problem:
                self.failures.append(repr(problem))
                return

    @contextmanager
    def open(self, game: str, last: int) -> Iterator[HTTPResponse]:
        """The stream of a game after an entry."""
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {self.caller.key}"}
        if last:
            headers["Last-Event-ID"] = str(last)
        connection = HTTPConnection("127.0.0.1", self.caller.port, timeout=TIMEOUT)
        with closing(connection):
            connection.request("GET", f"/api/v1/games/{game}/stream", headers=headers)
            self.connections += 1
            with connection.getresponse() as response:
                yield response


def item_ids(response: HTTPResponse, is_over: Event) -> Iterator[int]:
    """The ids of the whole items of a stream, until it ends, or with the next heartbeat."""
    last = 0
    while not is_over.is_set() and (line := response.readline()):
        if line.startswith(b"id: "):
            last = int(line[4:])
        elif line == b"\n" and last:
            yield last
            last = 0


def stop_all(threads: list[Caller | Follower]) -> None:
    """Let them end."""
    for thread in threads:
        thread.is_over.set()
    for thread in threads:
        thread.join()


def doubled(caller: Caller) -> list[tuple[str, int]]:
    """The entries that were acknowledged more than once, each for another action."""
    return [entry for entry, count in Counter(caller.acknowledged).items() if count > 1]
