"""Every intended action is in the log exactly once, although clients lose replies and repeat their
requests: every POST is sent one to three times, by many clients at once, over whole games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from random import Random
from threading import Event
from time import sleep
from typing import Any, Final

import orjson
import pytest

from tests.api.contract import BASE
from tests.api.streams.serving import Web
from tests.config.processes import PATIENCE
from tests.games.sitting import SEED, SLUG, seed_hash
from tests.support.databases import Kept

SEATS: Final = 3
Intended = dict[tuple[str, int], list[Any]]


@pytest.fixture
def web(kept: Kept) -> Iterator[Web]:
    """A server of this test's own."""
    server = Web(kept)
    yield server
    server.close()


class Client:
    """A player who loses replies."""

    def __init__(self, web: Web, number: int, trouble: Event) -> None:
        self.web, self.chance, self.trouble = web, Random(number), trouble
        self.intended: Intended = defaultdict(list)
        self.secret = web.ask("POST", "/guests", body={})[2]["secret"]

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        """Send it one to three times; all replies but the last are lost, and that is no refusal."""
        for _ in range(self.chance.randrange(3)):
            self.lose(path, body, **headers)
        status, _, document = self.web.ask("POST", path, self.secret, body, **headers)
        assert status in (200, 201), (path, document)
        return status, document

    def lose(self, path: str, body: Any, **headers: str) -> None:
        """Send it, and disconnect: at once, or when it may have been processed."""
        connection = HTTPConnection("127.0.0.1", self.web.port, timeout=PATIENCE)
        request_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        request_headers |= {
            "Authorization": f"Bearer {self.secret}",
            "Content-Type": "application/json",
        }
        with suppress(OSError):
            connection.request("POST", BASE + path, orjson.dumps(body), request_headers)
            sleep(self.chance.choice((0, 0.001, 0.01)))
        connection.close()

    def play(self, games: list[str]) -> Intended:
        """Play a seat in each of these games until they are over."""
        try:
            while games and not self.trouble.is_set():
                games = [game for game in games if self.is_going_on(game)]
        except BaseException:
            self.trouble.set()  # otherwise the others would wait for this one
            raise
        return self.intended

    def is_going_on(self, game: str) -> bool:
        """Act if the seat is awaited; whether the game goes on."""
        table = self.web.ask("GET", f"/games/{game}", self.secret)[2]
        choice = table["choice"]
        if choice is None or not choice["is_awaited"]:
            return bool(table["phase"] != "over")
        self.act(game, choice)
        return True

    def act(self, game: str, choice: dict[str, Any]) -> None:
        """Send a random legal action, under a key or without one."""
        action = self.chance.choice(choice["offers"])["action"]
        body = {"seat": choice["seat"], "choice": choice["token"], "action": action}
        actions = self.intended[game, choice["seat"]]
        actions.append(action)
        key = f"{game}-{choice['seat']}-{len(actions)}"
        headers = {"Idempotency_Key": key} if self.chance.random() < 0.5 else {}
        document = self.post(f"/games/{game}/actions", body, **headers)[1]
        assert document["entries"][0]["action"] == action


def table(clients: list[Client], number: int) -> str:
    """A game in which all clients take a seat, and the first opens a seed."""
    first, *later_clients = clients
    own_seat = {"kind": "me", "seed_hash": seed_hash()}
    body = {"rules": SLUG, "seats": [own_seat, *[{"kind": "open"}] * len(later_clients)]}
    game = first.post("/games", body, Idempotency_Key=f"table {number}")[1]["id"]
    for seat, client in enumerate(later_clients, 1):
        client.post(f"/games/{game}/join", {"seat": seat})
        assert client.web.ask("GET", f"/games/{game}", client.secret)[2]["your_seats"] == [seat]
    first.post(f"/games/{game}/seeds", {"seat": 0, "seed": SEED})
    assert first.web.ask("GET", f"/games/{game}")[2]["phase"] == "playing"
    return str(game)


@pytest.mark.lane("storms")
def test_every_action_is_done_exactly_once(
    web: Web, games_count: Callable[[int, int], int]
) -> None:
    trouble = Event()
    clients = [Client(web, number, trouble) for number in range(SEATS)]
    games = [table(clients, number) for number in range(games_count(2, 40))]
    assert len(web.ask("GET", "/games")[2]["items"]) == min(len(games), 50)
    with ThreadPoolExecutor(SEATS) as pool:
        plays = [pool.submit(client.play, list(games)) for client in clients]
    intended: Intended = {}
    for playing in plays:
        intended |= playing.result()
    for game in games:
        table_kinds = ["create", *["join"] * SEATS, "open_seed", "start", "end"]
        assert kinds(web, game) == [f"table.{kind}" for kind in table_kinds]
        log_actions = read_actions(web, game)
        assert log_actions
        assert log_actions == {
            seat: acts for (name, seat), acts in intended.items() if name == game
        }


def test_what_is_no_action_is_done_once_as_well(
    web: Web, games_count: Callable[[int, int], int]
) -> None:
    for number in range(games_count(4, 100)):
        client = Client(web, number, Event())
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        body = {"rules": SLUG, "seats": seats}
        game = client.post("/games", body, Idempotency_Key="a game")[1]["id"]
        client.post(f"/games/{game}/start", {"fill_with": "random"})
        bots = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * 2]
        fork = {"seq": 5, "seat": 0, "seats": bots}
        client.post(f"/games/{game}/forks", fork, Idempotency_Key="a fork")
        client.post(f"/games/{game}/resign", {"seat": 0})
        table_kinds = ["create", *["join"] * 3, "start", "resign", "replace"]
        assert kinds(web, game) == [f"table.{kind}" for kind in table_kinds]
        items = web.ask("GET", "/me/games", client.secret)[2]["items"]
        assert len(items) == 1, "one fork, and the game is a bot's by now"


def kinds(web: Web, game: str) -> list[str]:
    """The types of the log's table actions."""
    items = web.ask("GET", f"/games/{game}/log?limit=1000")[2]["items"]
    types = [entry["action"]["type"] for entry in items]
    return [kind for kind in types if kind.startswith("table.")]


def read_actions(web: Web, game: str) -> dict[int, list[Any]]:
    """The actions of each seat, from the log."""
    actions, after = dict[int, list[Any]](), 0
    while after is not None:
        page = web.ask("GET", f"/games/{game}/log?after={after}&limit=1000")[2]
        for entry in page["items"]:
            if not entry["action"]["type"].startswith("table."):
                actions.setdefault(entry["seat"], []).append(entry["action"])
        after = page["next_after"]
    return actions
