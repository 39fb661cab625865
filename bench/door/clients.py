"""`python -m bench.door.clients PORT CONNECTIONS`: connections that play games as fast as they are
answered, all in one thread, so that the client costs little beside the server. Reads a number of
seconds per line, and answers with the time of each action and the time in which all were made."""

from __future__ import annotations

import json
import selectors
import socket
import sys
from time import perf_counter
from typing import Any, Final

import orjson

DRAW: Final = {"type": "law_of_the_dice.draw"}
QUIET_TYPES: Final = (DRAW["type"], "law_of_the_dice.end_turn")  # as they make a game long
GAME: Final = {
    "rules": "law_of_the_dice",
    "seats": [{"kind": "me"}, {"kind": "me"}],
    "options": {"points_to_win": 10},
}
RECEIVED_AT_ONCE: Final = 1 << 18  # bytes
HEAD_END: Final = b"\r\n\r\n"
LENGTH_HEADER: Final = b"content-length:"


class Player:
    """A connection, and the game whose two seats it plays."""

    def __init__(self, port: int) -> None:
        self._address = ("127.0.0.1", port)
        self.sock = self._connect()
        self.times: list[float] = []
        self._received = b""
        self._sent_at = 0.0
        self._key = ""
        self._game: dict[str, Any] | None = None
        self._last_answer: Any = None
        self._key = self._ask("/api/v1/guests", {})["secret"]

    def _connect(self) -> socket.socket:
        sock = socket.create_connection(self._address)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def resume(self) -> None:
        """Go on with the game, on a new connection: a server closes those that have been idle for
        some seconds."""
        self.sock.close()
        self.sock = self._connect()
        if self._last_answer is None:
            self._begin()
        else:
            self._go_on(self._last_answer)

    def _ask(self, path: str, document: Any) -> Any:
        """The answer to a request for which the whole process waits."""
        self._send(path, document)
        while (answer := self._receive()) is None:
            pass
        return answer

    def _send(self, path: str, document: Any) -> None:
        body = orjson.dumps(document)
        key = f"Authorization: Bearer {self._key}\r\n" if self._key else ""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{key}"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._sent_at = perf_counter()
        self.sock.sendall(head.encode() + body)

    def _receive(self) -> Any:
        """The answer, once it is complete."""
        piece = self.sock.recv(RECEIVED_AT_ONCE)
        if not piece:
            raise ConnectionError("the server has closed the connection")
        self._received += piece
        head, end, body = self._received.partition(HEAD_END)
        if not end or len(body) < content_length(head):
            return None
        self._received = b""
        if not head.startswith(b"HTTP/1.1 20"):
            raise RuntimeError(f"{head[:100]!r} {body[:300]!r}")
        return orjson.loads(body)

    def _begin(self) -> None:
        self._game = None
        self._send("/api/v1/games", GAME)

    def proceed(self) -> bool:
        """Receive, and send the next request; returns whether an action was answered."""
        answer = self._receive()
        if answer is None:
            return False
        is_action = self._game is not None
        if is_action:
            self.times.append(perf_counter() - self._sent_at)
        self._go_on(answer)
        return is_action

    def _go_on(self, answer: Any) -> None:
        """Send what follows from the answer to an action, or from a new game."""
        if self._game is None:
            self._game = answer
            self._act(answer["seq"], answer["to_act"][0], DRAW)
        elif answer["result"]:
            self._begin()
        elif answer["choice"]:
            actions = [offer["action"] for offer in answer["choice"]["offers"]]
            quiet = [action for action in actions if action["type"] in QUIET_TYPES]
            self._act(answer["seq"], answer["choice"]["seat"], (quiet or actions)[0])
        else:
            self._act(answer["seq"], answer["to_act"][0], DRAW)

    def _act(self, seq: int, seat: int, action: Any) -> None:
        assert self._game is not None
        path = f"/api/v1/games/{self._game['id']}/actions"
        self._send(path, {"seat": seat, "expected_seq": seq, "action": action})

    def finish(self) -> list[float]:
        """Wait for the last answer; return the times of all actions."""
        while (answer := self._receive()) is None:
            pass
        self._last_answer = answer
        times, self.times = self.times, []
        return times


def content_length(head: bytes) -> int:
    """The length of the body, by its head."""
    lines = (line for line in head.split(b"\r\n") if line.lower().startswith(LENGTH_HEADER))
    return int(next(lines)[len(LENGTH_HEADER) :])


def play(players: list[Player], seconds: float) -> tuple[list[float], float]:
    """The time of each action of all players who play for these seconds, and the time it took."""
    for player in players:
        player.resume()
    with selectors.DefaultSelector() as selector:
        for player in players:
            selector.register(player.sock, selectors.EVENT_READ, player)
        start = perf_counter()
        while (elapsed := perf_counter() - start) < seconds:
            for key, _ in selector.select(seconds - elapsed):
                key.data.proceed()
    return [time for player in players for time in player.finish()], elapsed


def main(port: str, connections: str) -> None:
    """Answer requests until the input ends."""
    players = [Player(int(port)) for _ in range(int(connections))]
    for line in sys.stdin:
        print(json.dumps(play(players, float(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
