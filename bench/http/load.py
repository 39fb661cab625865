"""`python -m bench.http.load PORT KIND SECONDS CONNECTIONS`: clients that act as fast as they are
answered; prints how many answers they got, and how long each took."""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import orjson

DRAW: Final = {"type": "law_of_the_dice.draw"}
QUIET: Final = (DRAW["type"], "law_of_the_dice.end_turn")  # so that a game is long


class Client:
    """A connection, and a game whose two seats it plays."""

    def __init__(self, port: int, kind: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._kind = kind
        self._headers = {"Content-Type": "application/json"}
        self.times: list[float] = []
        if kind != "bare":
            secret = self.ask("/api/v1/guests", {})["secret"]
            self._headers["Authorization"] = f"Bearer {secret}"

    def ask(self, path: str, body: Any) -> Any:
        """The answer to a POST."""
        self._connection.request("POST", path, orjson.dumps(body), self._headers)
        response = self._connection.getresponse()
        content = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{path}: {response.status} {content[:300]!r}")
        return orjson.loads(content)

    def run(self, until: float) -> None:
        """Ask, one after another, until the time is over."""
        asking = self.bare() if self._kind == "bare" else self.games()
        while time.perf_counter() < until:
            begun = time.perf_counter()
            next(asking)
            self.times.append(time.perf_counter() - begun)

    def bare(self) -> Iterator[None]:
        """Ask for nothing."""
        while True:
            self.ask("/bare", {"seat": 0, "expected_seq": 1, "action": DRAW})
            yield

    def games(self) -> Iterator[None]:
        """Act, in one game after another."""
        seats = [{"kind": "me"}, {"kind": "me"}]
        options = {"points_to_win": 10}
        while True:
            game = {"rules": "law_of_the_dice", "seats": seats, "options": options}
            yield from self.acts(self.ask("/api/v1/games", game))

    def acts(self, game: Any) -> Iterator[None]:
        """The actions of a game."""
        base = "/api/v1/games" if self._kind == "ours" else "/plain"
        path = f"{base}/{game['id']}/actions"
        seq, seat, action, over = game["seq"], game["to_act"][0], DRAW, None
        while not over and seq < 300:
            done = self.ask(path, {"seat": seat, "expected_seq": seq, "action": action})
            seq, over, choice = done["seq"], done["result"], done["choice"]
            if choice:
                offers = [offer["action"] for offer in choice["offers"]]
                action = next((o for o in offers if o["type"] in QUIET), offers[0])
            elif not over:
                seat, action = done["to_act"][0], DRAW
            yield


def measured(port: int, kind: str, seconds: float, connections: int) -> list[float]:
    """How long each answer took, of several connections at once."""
    clients = [Client(port, kind) for _ in range(connections)]
    until = time.perf_counter() + seconds
    run: list[Callable[[], None]] = [lambda c=client: c.run(until) for client in clients]  # type: ignore[misc]
    threads = [threading.Thread(target=work) for work in run]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [taken for client in clients for taken in client.times]


if __name__ == "__main__":
    port, kind, seconds, connections = sys.argv[1:]
    print(json.dumps(measured(int(port), kind, float(seconds), int(connections))))
