"""`python -m bench.http.load_client PORT KIND CONNECTIONS`: clients that play a game each as fast
as they are answered; waits for a line on stdin to begin, and prints the time of each answer."""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any, Final

import orjson

DRAW_ACTION: Final = {"type": "law_of_the_dice.draw"}
# preferred, as they make a game long
QUIET_ACTION_TYPES: Final = (
    DRAW_ACTION["type"],
    "law_of_the_dice.end_turn",
)
TIMED_ACTIONS: Final = 100  # about as many as a game of four to six players has
HOPPING: Final = "hopping"  # kind: our endpoint, over several connections in turn
HOPS: Final = 4  # connections of a client that hops


class Client:
    """A connection, or several to hop between, and a game whose two seats it plays."""

    def __init__(self, port: int, kind: str) -> None:
        count = HOPS if kind == HOPPING else 1
        self._connections = cycle(
            [http.client.HTTPConnection("127.0.0.1", port) for _ in range(count)]
        )
        self._kind = kind
        self._headers = {"Content-Type": "application/json"}
        self.times: list[float] = []
        if kind != "bare":
            secret = self.post("/api/v1/guests", {})["secret"]
            self._headers["Authorization"] = f"Bearer {secret}"

    def post(self, path: str, body: Any) -> Any:
        """The answer to a POST."""
        connection = next(self._connections)
        connection.request("POST", path, orjson.dumps(body), self._headers)
        response = connection.getresponse()
        content = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{path}: {response.status} {content[:300]!r}")
        return orjson.loads(content)

    def run(self) -> None:
        """Send requests one after another, as many as a game has actions."""
        requests = self.call_bare_view() if self._kind == "bare" else self.play_games()
        for _ in range(TIMED_ACTIONS):
            next(requests)

    def act(self, path: str, body: Any) -> Any:
        """The answer to an action, whose time is noted: that of a new game is not."""
        started_at = time.perf_counter()
        answer = self.post(path, body)
        self.times.append(time.perf_counter() - started_at)
        return answer

    def call_bare_view(self) -> Iterator[None]:
        """Call the view that does nothing."""
        while True:
            self.act("/bare", {"seat": 0, "expected_seq": 1, "action": DRAW_ACTION})
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
        base = "/plain" if self._kind == "plain" else "/api/v1/games"
        path = f"{base}/{game['id']}/actions"
        seq, seat, action, over = game["seq"], game["to_act"][0], DRAW_ACTION, None
        while not over:
            reply = self.act(path, {"seat": seat, "expected_seq": seq, "action": action})
            seq, over, choice = reply["seq"], reply["result"], reply["choice"]
            if choice:
                actions = [offer["action"] for offer in choice["offers"]]
                quiet_actions = [item for item in actions if item["type"] in QUIET_ACTION_TYPES]
                action = (quiet_actions or actions)[0]
            elif not over:
                seat, action = reply["to_act"][0], DRAW_ACTION
            yield


def run_clients(clients: list[Client]) -> list[float]:
    """The time of each answer, with all clients running at once."""
    threads = [threading.Thread(target=client.run) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [seconds for client in clients for seconds in client.times]


def main(port: str, kind: str, connections: str) -> None:
    """Prepare, wait for the start signal, play."""
    clients = [Client(int(port), kind) for _ in range(int(connections))]
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(run_clients(clients)))


if __name__ == "__main__":
    main(*sys.argv[1:])
