"""`python -m bench.http.load_client PORT KIND CONNECTIONS`: clients that play a game each, as fast
as they are answered; waits for a word to begin, and prints how long each answer took."""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

import orjson

DRAW_ACTION: Final = {"type": "law_of_the_dice.draw"}
# so that a game is long
QUIET_ACTION_TYPES: Final = (
    DRAW_ACTION["type"],
    "law_of_the_dice.end_turn",
)
TIMED_ACTIONS: Final = 100  # actions that are timed: a game of four to six players has so many


class Client:
    """A connection, and a game whose two seats it plays."""

    def __init__(self, port: int, kind: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._kind = kind
        self._headers = {"Content-Type": "application/json"}
        self.times: list[float] = []
        if kind != "bare":
            secret = self.post("/api/v1/guests", {})["secret"]
            self._headers["Authorization"] = f"Bearer {secret}"

    def post(self, path: str, body: Any) -> Any:
        """The answer to a POST."""
        self._connection.request("POST", path, orjson.dumps(body), self._headers)
        response = self._connection.getresponse()
        content = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{path}: {response.status} {content[:300]!r}")
        return orjson.loads(content)

    def run(self) -> None:
        """Ask, one after another, for as long as a game is."""
        asking = self.call_bare_view() if self._kind == "bare" else self.play_games()
        for _ in range(TIMED_ACTIONS):
            begun = time.perf_counter()
            next(asking)
            self.times.append(time.perf_counter() - begun)

    def call_bare_view(self) -> Iterator[None]:
        """Ask for nothing."""
        while True:
            self.post("/bare", {"seat": 0, "expected_seq": 1, "action": DRAW_ACTION})
            yield

    def play_games(self) -> Iterator[None]:
        """Act, in one game after another."""
        seats = [{"kind": "me"}, {"kind": "me"}]
        options = {"points_to_win": 10}
        while True:
            game = {"rules": "law_of_the_dice", "seats": seats, "options": options}
            yield from self.play_game(self.post("/api/v1/games", game))

    def play_game(self, game: Any) -> Iterator[None]:
        """The actions of a game."""
        base = "/api/v1/games" if self._kind == "ours" else "/plain"
        path = f"{base}/{game['id']}/actions"
        seq, seat, action, over = game["seq"], game["to_act"][0], DRAW_ACTION, None
        while not over:
            done = self.post(path, {"seat": seat, "expected_seq": seq, "action": action})
            seq, over, choice = done["seq"], done["result"], done["choice"]
            if choice:
                offers = [offer["action"] for offer in choice["offers"]]
                action = next((o for o in offers if o["type"] in QUIET_ACTION_TYPES), offers[0])
            elif not over:
                seat, action = done["to_act"][0], DRAW_ACTION
            yield


def run_clients(clients: list[Client]) -> list[float]:
    """How long each answer took, of all of them at once."""
    threads = [threading.Thread(target=client.run) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [taken for client in clients for taken in client.times]


def main(port: str, kind: str, connections: str) -> None:
    """Get ready, wait for the word, play."""
    clients = [Client(int(port), kind) for _ in range(int(connections))]
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(run_clients(clients)))


if __name__ == "__main__":
    main(*sys.argv[1:])
